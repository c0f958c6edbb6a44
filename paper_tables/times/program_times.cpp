#include "paper_tables/times/program_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "harness/model/registry.hpp"
#include "harness/numbers/folder_times.hpp"
#include "harness/records/record_facts.hpp"
#include "harness/records/statistics.hpp"
#include "harness/text/format.hpp"
#include "paper_tables/times/case_names.hpp"
#include "paper_tables/times/times.hpp"

namespace macrobench {

namespace {

constexpr std::string_view today_label = "Programs of today";
constexpr std::string_view your_label = "Your programs";
constexpr std::string_view originals_label = "Originals";

/// The label of the programs of an origin, which a record has.
std::string_view label_of(std::string_view origin) {
  return origin == "yours" ? your_label : origin == "original" ? originals_label : today_label;
}

/// What stands above our best one. A user's program may do anything.
std::string best_label(bool has_yours) {
  return has_yours ? "our best" : "our best by the same algorithm";
}

/// True if both solve the same problem in the same precision, by the same algorithm so far as their
/// parameters tell.
bool is_like(const Record& one, const Record& other) {
  if (one.model != other.model || one.on_gpu != other.on_gpu) return false;
  return std::ranges::all_of(Registry::global().model(one.model).axes, [&](const Axis& axis) {
    if (axis.counts_cores) return true;
    const auto value_in = [&](const Record& record) {
      const Value* its = record.parameters.find(axis.name);
      if (its != nullptr) return *its;
      return is_of_a_program(record) ? axis.if_lacking() : axis.of_ours.value_or(axis.if_lacking());
    };
    return value_in(one) == value_in(other);
  });
}

/// Methods belong to the problem: rows that stand together have the same algorithm.
CaseNames names_of(const Record& record) {
  return names_of(record, [](const Axis& axis) {
    return axis.counts_cores ? Belongs::to_implementation : Belongs::to_problem;
  });
}

/// Times of a stage in a process, once each.
Cell stage_of(const Record& record, const FolderTimes& times, const char* stage) {
  return times.time_of(record, Phase::start, {stage}, seconds_by_process(record, stage));
}

/// Ours among the cases, with its times.
struct OurCase {
  const Record* newest;
  CaseTimes times;
};

void stand_beside(ProgramTimes& one, const Record& record, const std::vector<OurCase>& ours) {
  const OurCase* best = nullptr;
  for (const OurCase& other : ours) {
    if (!other.times.solution().value || !is_like(record, *other.newest)) continue;
    if (best == nullptr || *other.times.solution().value < *best->times.solution().value) {
      best = &other;
    }
  }
  if (best == nullptr) return;
  one.best = best->newest->key;
  one.best_name = names_of(*best->newest).implementation;
  one.first_over_best = Ratio(one.first, best->times.first, of_programs());
  one.warm_over_best = Ratio(one.warm, best->times.warm, of_programs());
}

/// Of what there is no ratio, nothing is said here.
Shown over_shown(const Ratio& ratio) {
  return ratio.is_refused() ? Shown{} : times_shown(ratio.cell());
}

}  // namespace

std::vector<ProgramTimes> program_times_of(const std::vector<const Record*>& measured,
                                           const FolderTimes& times) {
  std::vector<OurCase> ours;
  for (const Record* record : measured) {
    if (is_of_a_program(*record) || has_its_own_way(*record)) continue;
    if (is_doubted(record->status)) continue;  // it enters no ratio
    ours.push_back({record, times_of(*record, times)});
  }
  std::vector<ProgramTimes> programs;
  for (const Record* record : measured) {
    if (!is_of_a_program(*record)) continue;
    const CaseTimes its = times_of(*record, times);
    const CaseNames names = names_of(*record);
    ProgramTimes one{.key = record->key,
                     .problem = fmt::format("{}, {}", record->model, names.problem),
                     .name = names.implementation,
                     .origin = record->origin,
                     .is_gpu = its.is_gpu,
                     .process = stage_of(*record, times, "process"),
                     .start = stage_of(*record, times, "start"),
                     .first = its.first,
                     .warm = its.warm,
                     .memory = its.memory};
    stand_beside(one, *record, ours);
    programs.push_back(std::move(one));
  }
  std::ranges::stable_sort(programs, {}, [](const ProgramTimes& one) {
    return std::pair(one.problem, one.warm.value.value_or(one.first.value.value_or(0)));
  });
  return programs;
}

Cell ProgramTimes::until(int solutions) const {
  if (!process.value || !start.value || !first.value) return {.unit = "s"};
  const Cell first_answer = sum(sum(process, start), first);
  if (solutions == 1) return first_answer;
  if (!warm.value) return {.unit = "s"};
  return sum(first_answer, product(warm, constant(solutions - 1)));
}

Sheet sheet_of(const std::vector<ProgramTimes>& programs, const std::string& caption) {
  const bool has_yours = std::ranges::count(programs, "yours", &ProgramTimes::origin) > 0;
  using One = ProgramTimes;
  using enum Column::Kind;
  const auto until = [](int solutions) {
    return [=](const One& one) { return one.until(solutions); };
  };
  const auto time = [](auto get) {
    return [=](const One& one) {
      const Cell cell = std::invoke(get, one);
      return cell.value ? shown_of(cell, "s") : Shown{};
    };
  };
  return SheetOf<One>("programs", {"case"}, caption)
      .data("case", &One::key)
      .column("problem", {"problem", words, Column::Place::above}, &One::problem)
      .column("program", {"program", words}, &One::name)
      .data("origin", &One::origin)
      .column("gpu", {"on", words}, &One::is_gpu,
              [](const One& one) { return one.is_gpu ? "GPU" : "CPU"; })
      .column("process", {"process"}, &One::process, time(&One::process))
      .column("start", {"start"}, &One::start, time(&One::start))
      .column("first", {"first"}, &One::first, time(&One::first))
      .column("warm", {"warm"}, &One::warm, time(&One::warm))
      .column("first_answer", {"to the first answer"}, until(1), time(until(1)))
      .column("thousand", {"a thousand"}, until(1000), time(until(1000)))
      .column({"resident_bytes", "bytes"}, {"memory"},
              [](const One& one) { return one.memory.resident_bytes; })
      .column({"gpu_bytes", "bytes"}, {"GPU memory"},
              [](const One& one) { return one.memory.gpu_bytes; })
      .column(
          "first_over_best", {"first over its"},
          [](const One& one) { return one.first_over_best.cell(); },
          [](const One& one) { return over_shown(one.first_over_best); })
      .column(
          "warm_over_best", {"warm over its"},
          [](const One& one) { return one.warm_over_best.cell(); },
          [](const One& one) { return over_shown(one.warm_over_best); })
      .data("best", &One::best)
      .reader({best_label(has_yours), words, Column::Place::above}, &One::best_name)
      .of(programs);
}

std::vector<Block> blocks_of(const std::vector<ProgramTimes>& programs, Notes& notes) {
  if (programs.empty()) return {};
  const auto yours = std::ranges::count(programs, "yours", &ProgramTimes::origin);
  const bool has_others = std::cmp_less(yours, programs.size());
  std::vector<Block> blocks;
  for (const std::string_view label : {today_label, your_label, originals_label}) {
    std::vector<ProgramTimes> its;
    std::ranges::copy_if(programs, std::back_inserter(its),
                         [&](const ProgramTimes& one) { return label_of(one.origin) == label; });
    append(blocks, blocks_of(sheet_of(its, std::string(label)), notes));
  }
  blocks.emplace_back(
      Paragraph{"Process: from the launch to the first answer. Start: libraries and the device. "
                "First: the first solution, and what is compiled at first use. Warm: a "
                "solution after it. To the first answer: what a user waits, from the launch "
                "on. A thousand: the same until so many solutions in one process, as an "
                "estimator needs them. The last columns have our fastest one that solves the "
                "same problem " +
                std::string(has_others ? "by the same algorithm " : "") +
                "in the same precision, on a GPU or not as the program, on any number of "
                "threads" +
                (has_others ? "; frontiers have another algorithm." : ", frontiers aside.") +
                (yours > 0 ? " The algorithm of your programs is not known here, and may differ "
                             "from ours."
                           : "")});
  return blocks;
}

}  // namespace macrobench
