#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "harness/numbers/pool.hpp"
#include "harness/records/statistics.hpp"
#include "harness/text/csv.hpp"
#include "harness/text/each.hpp"
#include "harness/text/format.hpp"
#include "harness/text/known_value.hpp"
#include "paper_tables/roofline/roofline.hpp"

namespace macrobench {

namespace {

using nlohmann::ordered_json;

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
  if (std::ranges::any_of(roofline.cases, [](const FloorShare& one) { return one.share() > 1; })) {
    text +=
        " † Above 100%: a cache holds from one pass to the next what is counted as moved through "
        "memory, so that the floor is not the least time.";
  }
  return text;
}

Grid ceilings_of(const Roofline& roofline) {
  std::vector<Row> rows;
  for (const ProcessorCeilings& one : roofline.ceilings) {
    std::vector<Words>& cells = rows.emplace_back(Row{{name_of(one)}}).cells;
    std::ranges::copy(rates_in(one), std::back_inserter(cells));
  }
  return grid_of(columns_of({"processor"}, {"copies", "double", "single", "from the other GPUs"}),
                 std::move(rows), "What the processors do at their best");
}

/// One row per implementation, the GPU's first.
Grid implementations_of(const Roofline& roofline) {
  std::map<std::pair<bool, std::string>, std::vector<const FloorShare*>> all;
  for (const FloorShare& one : roofline.cases) {
    all[{!one.is_gpu, one.implementation}].push_back(&one);
  }
  std::vector<Row> rows;
  for (const auto& [name, cases] : all) {
    const std::vector<double> shares = each(cases, &FloorShare::share);
    const auto [lowest, highest] = std::ranges::minmax_element(shares);
    const FloorShare& at = *cases[static_cast<std::size_t>(highest - shares.begin())];
    rows.push_back({{name.second, name.first ? "CPU" : "GPU", std::to_string(cases.size()),
                     percent(median(shares)), percent(*lowest), percent(*highest), at.size}});
  }
  return grid_of(columns_of({"implementation", "on"}, {"cases", "median", "lowest", "highest"},
                            {"highest at"}),
                 std::move(rows), "Shares of each implementation's cases: the floor over the time");
}

Grid cases_of(const Roofline& roofline) {
  const auto row = [](const FloorShare& one) {
    return Row{{one.key, fmt::format("{:.3g}", one.floor.bytes),
                fmt::format("{:.3g}", one.floor.operations),
                one.is_memory_bound ? "memory" : "operations", format_duration(one.floor_seconds),
                format_duration(one.seconds), percent(one.share())}};
  };
  return grid_of(
      columns_of({"case"}, {"bytes", "operations", "bound by", "floor", "measured", "share"}),
      each(roofline.cases, row), "Cases");
}

}  // namespace

Roofline roofline_of(const Results& results) {
  Roofline roofline{.ceilings = ceilings_of(results), .cases = {}};
  std::map<std::string, std::vector<const Record*>> measured;  // by key, from the oldest on
  for (const Record& record : results.records) {
    if (record.status == Status::measured) measured[record.key].push_back(&record);
  }
  const Pool pool(results);
  for (auto& [key, records] : measured) {
    const Record& newest = *records.back();
    std::optional<FloorShare> share = share_of(newest, roofline.ceilings);
    if (!share) continue;
    std::erase_if(records, [&](const Record* one) { return !pool.is_alike(*one, newest); });
    const auto time_of = [&](const std::vector<std::string>& stages) {
      const auto seconds = [&](const Record& record) {
        return stages.empty() ? seconds_by_process(record, Phase::solution)
                              : seconds_by_process(record, stages.front());
      };
      return known_value(pool.time_of(records, Phase::solution, stages, seconds).value);
    };
    if (share->floor.stages.empty()) {
      share->seconds = time_of({});
    } else {
      share->seconds = 0;
      for (const std::string& stage : share->floor.stages) share->seconds += time_of({stage});
    }
    roofline.cases.push_back(std::move(*share));
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
  document.body.emplace_back(ceilings_of(roofline));
  if (roofline.cases.empty()) return document;
  document.body.emplace_back(implementations_of(roofline));
  document.body.emplace_back(Paragraph{meaning_of(roofline)});
  if (has_cases) document.body.emplace_back(cases_of(roofline));
  return document;
}

ordered_json to_json(const Roofline& roofline) {
  const auto json = [](const FloorShare& one) -> ordered_json {
    return {{"case", one.key},
            {"gpu", one.is_gpu},
            {"bytes", one.floor.bytes},
            {"operations", one.floor.operations},
            {"stages", one.floor.stages},
            {"bound_by", one.is_memory_bound ? "memory" : "operations"},
            {"floor_seconds", one.floor_seconds},
            {"measured_seconds", one.seconds},
            {"share", one.share()}};
  };
  return {{"schema", 1},
          {"ceilings", to_json(roofline.ceilings)},
          {"cases", each(roofline.cases, json)}};
}

std::string to_csv(const Roofline& roofline) {
  return to_csv({"case", "gpu", "bytes", "operations", "bound_by", "floor_seconds",
                 "measured_seconds", "share"},
                to_json(roofline)["cases"]);
}

}  // namespace macrobench
