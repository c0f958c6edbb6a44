#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "harness/numbers/pool.hpp"
#include "harness/records/statistics.hpp"
#include "harness/text/each.hpp"
#include "harness/text/format.hpp"
#include "harness/text/known_value.hpp"
#include "paper_tables/roofline/roofline.hpp"

namespace macrobench {

namespace {

using enum Column::Kind;

double share_in(const FloorShare& one) {
  return known_value(one.share.cell().value);
}

/// A share above what the memory can do has a mark.
std::string percent(double share) {
  return fmt::format("{}%{}", format_number(100 * share), share > 1 ? "†" : "");
}

/// What a share is of and, if one has a mark (†), what one above 100% means.
std::string meaning_of(const Roofline& roofline) {
  std::string text =
      "A share is of the least time that the processor needs for a case, at its best rates "
      "above: for the bytes that the algorithm must move or for its operations, whichever takes "
      "longer. A division, power or exponential counts as one operation, and nothing as moved "
      "twice, so that a share says too little rather than too much.";
  if (std::ranges::any_of(roofline.cases,
                          [](const FloorShare& one) { return share_in(one) > 1; })) {
    text +=
        " † Above 100%: a cache holds from one pass to the next what is counted as moved through "
        "memory, so that the floor is not the least time.";
  }
  return text;
}

/// An implementation's shares.
struct ImplementationShares {
  std::string name;
  bool is_gpu = false;
  std::size_t cases = 0;
  double median = 0, lowest = 0, highest = 0;
  std::string highest_at;  ///< a size
};

/// The GPU's first.
std::vector<ImplementationShares> by_implementation(const Roofline& roofline) {
  std::map<std::pair<bool, std::string>, std::vector<const FloorShare*>> all;
  for (const FloorShare& one : roofline.cases) {
    all[{!one.is_gpu, one.implementation}].push_back(&one);
  }
  std::vector<ImplementationShares> made;
  for (const auto& [name, cases] : all) {
    const std::vector<double> shares =
        each(cases, [](const FloorShare* one) { return share_in(*one); });
    const auto [lowest, highest] = std::ranges::minmax_element(shares);
    made.push_back({.name = name.second,
                    .is_gpu = !name.first,
                    .cases = cases.size(),
                    .median = median(shares),
                    .lowest = *lowest,
                    .highest = *highest,
                    .highest_at = cases[static_cast<std::size_t>(highest - shares.begin())]->size});
  }
  return made;
}

Sheet shares_of(const Roofline& roofline) {
  using One = ImplementationShares;
  return SheetOf<One>("shares", {"implementation", "gpu"},
                      "Shares of each implementation's cases: the floor over the time")
      .column("implementation", {"implementation", words}, &One::name)
      .column("gpu", {"on", words}, &One::is_gpu,
              [](const One& one) { return one.is_gpu ? "GPU" : "CPU"; })
      .column("cases", {"cases"}, &One::cases)
      .column("median", {"median"}, &One::median,
              [](const One& one) { return percent(one.median); })
      .column("lowest", {"lowest"}, &One::lowest,
              [](const One& one) { return percent(one.lowest); })
      .column("highest", {"highest"}, &One::highest,
              [](const One& one) { return percent(one.highest); })
      .column("highest_at", {"highest at", words}, &One::highest_at)
      .of(by_implementation(roofline));
}

Sheet cases_of(const Roofline& roofline) {
  using One = FloorShare;
  return SheetOf<One>("cases", {"case"}, "Cases")
      .column("case", {"case", words}, &One::key)
      .data("gpu", &One::is_gpu)
      .column(
          {"bytes", "B"}, {"bytes"}, [](const One& one) { return one.floor.bytes; },
          [](const One& one) { return fmt::format("{:.3g}", one.floor.bytes); })
      .column(
          "operations", {"operations"}, [](const One& one) { return one.floor.operations; },
          [](const One& one) { return fmt::format("{:.3g}", one.floor.operations); })
      .data("stages", [](const One& one) { return name_of_stages(one.floor.stages); })
      .column("bound_by", {"bound by"},
              [](const One& one) { return one.is_memory_bound ? "memory" : "operations"; })
      .column({"floor", "s"}, {"floor"}, [](const One& one) { return one.floor_time.value; })
      .column("measured", {"measured"}, &One::time)
      .column(
          "share", {"share"}, [](const One& one) { return one.share.cell(); },
          [](const One& one) { return percent(share_in(one)); })
      .of(roofline.cases);
}

}  // namespace

Roofline roofline_of(const Results& results) {
  Roofline roofline{.ceilings = ceilings_of(results), .cases = {}};
  const Pool pool(results);
  for (const std::vector<const Record*>& records : pooled_records(results, pool)) {
    if (std::optional<FloorShare> share = share_of(records, pool, roofline.ceilings)) {
      roofline.cases.push_back(std::move(*share));
    }
  }
  return roofline;
}

Document document_of(const Roofline& roofline, const std::string& machine, bool has_cases) {
  Document document{.title = "Roofline: " + machine};
  if (roofline.ceilings.empty()) {
    document.body = {
        Paragraph{Words("What the machine can do at its best was not measured: ") +
                  code("make replicate") + " does, or " +
                  code("macrobench sweep roofline --ceiling copy,multiply_add --real double,single "
                       "--threads 1,all") +
                  "."}};
    return document;
  }
  Notes notes;
  const auto add = [&](const Sheet& sheet) { append(document.body, blocks_of(sheet, notes)); };
  add(sheet_of(roofline.ceilings));
  if (roofline.cases.empty()) return document;
  add(shares_of(roofline));
  document.body.emplace_back(Paragraph{meaning_of(roofline)});
  if (has_cases) add(cases_of(roofline));
  return document;
}

std::vector<Sheet> sheets_of(const Roofline& roofline) {
  return {cases_of(roofline), shares_of(roofline), sheet_of(roofline.ceilings)};
}

}  // namespace macrobench
