#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "harness/records/statistics.hpp"
#include "harness/text/csv.hpp"
#include "harness/text/format.hpp"
#include "harness/text/json_values.hpp"
#include "paper_tables/roofline/roofline.hpp"

namespace macrobench {

namespace {

using nlohmann::ordered_json;
using enum Column::Kind;

/// A share above what the memory can do has a mark.
std::string percent(double share) {
  return fmt::format("{}%{}", format_number(100 * share), share > 1 ? "†" : "");
}

/// What a processor does at its best.
struct Rate {
  const char* field;  ///< in JSON
  const char* what;
  const char* unit;
  std::optional<double> ProcessorCeilings::* value;
  bool needs_several = false;  ///< most machines lack it, and nothing is said of it there

  [[nodiscard]] bool is_shown(const ProcessorCeilings& of) const {
    return !needs_several || of.*value;
  }
};
constexpr std::array<Rate, 4> rates{
    {{"bytes_a_second", "copied", "B/s", &ProcessorCeilings::bytes_a_second},
     {"double_operations_a_second", "in double", "FLOP/s",
      &ProcessorCeilings::double_operations_a_second},
     {"single_operations_a_second", "in single", "FLOP/s",
      &ProcessorCeilings::single_operations_a_second},
     {"exchanged_bytes_a_second", "from the other GPUs", "B/s",
      &ProcessorCeilings::exchanged_bytes_a_second, true}}};

std::string words_of(const Rate& its, const ProcessorCeilings& processor) {
  const std::optional<double>& value = processor.*its.value;
  return value ? rate(*value, its.unit) : "-";
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
    for (const Rate& its : rates) {
      cells.emplace_back(its.is_shown(one) ? words_of(its, one) : "");
    }
  }
  return grid_of(
      {{"processor", words}, {"copies"}, {"double"}, {"single"}, {"from the other GPUs"}},
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
    std::vector<double> shares;
    for (const FloorShare* one : cases) shares.push_back(one->share());
    const auto [lowest, highest] = std::ranges::minmax_element(shares);
    const FloorShare& at = *cases[static_cast<std::size_t>(highest - shares.begin())];
    rows.push_back({{name.second, name.first ? "CPU" : "GPU", std::to_string(cases.size()),
                     percent(median(shares)), percent(*lowest), percent(*highest), at.size}});
  }
  return grid_of({{"implementation", words},
                  {"on", words},
                  {"cases"},
                  {"median"},
                  {"lowest"},
                  {"highest"},
                  {"highest at", words}},
                 std::move(rows), "Shares of each implementation's cases: the floor over the time");
}

Grid cases_of(const Roofline& roofline) {
  std::vector<Row> rows;
  for (const FloorShare& one : roofline.cases) {
    rows.push_back(
        {{one.key, fmt::format("{:.3g}", one.floor.bytes),
          fmt::format("{:.3g}", one.floor.operations),
          one.is_memory_bound ? "memory" : "operations", format_duration(one.floor_seconds),
          format_duration(one.seconds), percent(one.share())}});
  }
  return grid_of({{"case", words},
                  {"bytes"},
                  {"operations"},
                  {"bound by"},
                  {"floor"},
                  {"measured"},
                  {"share"}},
                 std::move(rows), "Cases");
}

}  // namespace

std::string rate(double amount, const char* unit) {
  constexpr const char* prefixes[] = {"", "k", "M", "G", "T", "P"};
  std::size_t thousands = 0;
  while (amount >= 999.5 && thousands + 1 < std::size(prefixes)) {
    amount /= 1000;
    ++thousands;
  }
  return fmt::format("{} {}{}", format_number(amount), prefixes[thousands], unit);
}

std::string name_of(const ProcessorCeilings& processor) {
  if (processor.is_gpu) return "GPU";
  return fmt::format("CPU, {} thread{}", processor.threads, processor.threads == 1 ? "" : "s");
}

std::string rates_of(const ProcessorCeilings& processor) {
  std::vector<std::string> all;
  for (const Rate& its : rates) {
    if (its.is_shown(processor)) {
      all.push_back(fmt::format("{} {}", words_of(its, processor), its.what));
    }
  }
  return fmt::format("{}", fmt::join(all, ", "));
}

ordered_json to_json(const std::vector<ProcessorCeilings>& ceilings) {
  ordered_json json = ordered_json::array();
  for (const ProcessorCeilings& one : ceilings) {
    ordered_json& entry = json.emplace_back(
        ordered_json{{"processor", one.is_gpu ? "gpu" : "cpu"}, {"threads", one.threads}});
    if (one.is_gpu) entry["threads"] = nullptr;
    for (const Rate& its : rates) {
      if (its.is_shown(one)) entry[its.field] = or_null(one.*its.value);
    }
  }
  return json;
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
  ordered_json json{
      {"schema", 1}, {"ceilings", to_json(roofline.ceilings)}, {"cases", ordered_json::array()}};
  for (const FloorShare& one : roofline.cases) {
    json["cases"].push_back({{"case", one.key},
                             {"gpu", one.is_gpu},
                             {"bytes", one.floor.bytes},
                             {"operations", one.floor.operations},
                             {"stages", one.floor.stages},
                             {"bound_by", one.is_memory_bound ? "memory" : "operations"},
                             {"floor_seconds", one.floor_seconds},
                             {"measured_seconds", one.seconds},
                             {"share", one.share()}});
  }
  return json;
}

std::string to_csv(const Roofline& roofline) {
  return to_csv({"case", "gpu", "bytes", "operations", "bound_by", "floor_seconds",
                 "measured_seconds", "share"},
                to_json(roofline)["cases"]);
}

}  // namespace macrobench
