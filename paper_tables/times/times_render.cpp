#include <fmt/format.h>

#include <string>
#include <utility>

#include "harness/text/format.hpp"
#include "harness/text/known_value.hpp"
#include "harness/text/strings.hpp"
#include "paper_tables/times/times.hpp"

namespace macrobench {

namespace {

using enum Column::Kind;

/// A share above what the memory can do has a mark.
Shown share_in_percent(const CaseTimes& one) {
  if (!one.floor) return {};
  const double share = known_value(one.floor->share.cell().value);
  return {Words(fmt::format("{}%{}", format_number(100 * share), share > 1 ? "†" : ""))};
}

/// What a share is of and, if one has a mark (†), what one above 100% means; empty without shares.
std::string about_floors(const Times& times) {
  bool has_shares = false, has_mark = false;
  for (const CaseTimes& one : times.cases) {
    if (!one.floor) continue;
    has_shares = true;
    has_mark = has_mark || known_value(one.floor->share.cell().value) > 1;
  }
  if (!has_shares) return "";
  return std::string(
             "The floor is the least time that the processor needs, at its best rates, for the "
             "bytes that the algorithm must move or for its operations, whichever takes longer. A "
             "division, power or exponential counts as one operation, and nothing as moved twice, "
             "so that a share says too little rather than too much.") +
         (has_mark ? " † Above 100%: a cache holds from one pass to the next what is counted as "
                     "moved through memory, so that the floor is not the least time."
                   : "");
}

/// The meaning of the columns of memory; empty if they are not there.
std::string about_memory(const Times& times, bool has_cases) {
  bool has_resident = false, has_gpu = false;
  const auto look = [&](const auto& rows) {
    for (const auto& one : rows) {
      has_resident = has_resident || one.memory.resident_bytes;
      has_gpu = has_gpu || one.memory.gpu_bytes;
    }
  };
  if (has_cases) look(times.cases);
  look(times.programs);
  std::string about;
  if (has_resident) {
    about =
        "Memory: the most that was resident up to the end of the first solution, of the whole "
        "process with its problem, or of a program and the processes that it started. ";
  }
  if (has_gpu) about += "GPU memory: the most while it is solved, CUDA's context included.";
  return std::string(trim(about));
}

Sheet cases_of(const Times& times) {
  using One = CaseTimes;
  const auto floor = [](const One& one) -> const auto& { return one.floor; };
  // A time without a sample is blank here, not a word.
  const auto time = [](Cell One::* its) {
    return [=](const One& one) { return (one.*its).value ? shown_of(one.*its, "s") : Shown{}; };
  };
  return SheetOf<One>("cases", {"case"}, "What a case takes")
      .column("case", {"case", words}, &One::key)
      .column("gpu", {"on", words}, &One::is_gpu,
              [](const One& one) { return one.is_gpu ? "GPU" : "CPU"; })
      .column("start", {"start-up"}, &One::start,
              [=](const One& one) {
                return one.start.value.value_or(0) > 0 ? time(&One::start)(one) : Shown{};
              })
      .column("first", {"cold"}, &One::first, time(&One::first))
      .column("warm", {"warm"}, &One::warm, time(&One::warm))
      .column("total", {"fresh process"}, &One::total, time(&One::total))
      .column({"resident_bytes", "bytes"}, {"memory"},
              [](const One& one) { return one.memory.resident_bytes; })
      .column({"gpu_bytes", "bytes"}, {"GPU memory"},
              [](const One& one) { return one.memory.gpu_bytes; })
      .data({"floor", "s"},
            through(floor, [](const FloorShare& of) { return of.floor_time.value; }))
      .data("bound_by",
            [](const One& one) {
              return !one.floor ? "" : one.floor->is_memory_bound ? "memory" : "operations";
            })
      .column("share_of_floor", {"floor"},
              through(floor, [](const FloorShare& of) { return of.share.cell(); }),
              share_in_percent)
      .reader({"processes"}, [](const One& one) { return std::to_string(one.total.samples); })
      .reader({"warm ones"}, [](const One& one) { return std::to_string(one.warm.samples); })
      .of(times.cases);
}

}  // namespace

Document document_of(const Times& times, const std::string& machine, bool has_cases) {
  Document document{.title = "Times: " + machine};
  Notes notes;
  // A folder without programs has its cases alone to show.
  has_cases = has_cases || times.programs.empty();
  if (has_cases) {
    append(document.body, blocks_of(cases_of(times), notes));
    if (std::string about = about_floors(times); !about.empty()) {
      document.body.emplace_back(Paragraph{std::move(about)});
    }
  }
  append(document.body, blocks_of(times.programs, notes));
  if (std::string about = about_memory(times, has_cases); !about.empty()) {
    document.body.emplace_back(Paragraph{std::move(about)});
  }
  return document;
}

std::vector<Sheet> sheets_of(const Times& times) {
  return {cases_of(times), sheet_of(times.programs)};
}

}  // namespace macrobench
