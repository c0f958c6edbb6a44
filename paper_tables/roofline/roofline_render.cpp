#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "harness/records/record.hpp"
#include "harness/records/statistics.hpp"
#include "harness/text/csv.hpp"
#include "harness/text/format.hpp"
#include "harness/text/json_values.hpp"
#include "harness/text/width.hpp"
#include "paper_tables/roofline/roofline.hpp"
#include "paper_tables/tables/layout.hpp"
#include "paper_tables/tables/markup.hpp"

namespace macrobench {

namespace {

using Lines = std::vector<std::vector<std::string>>;

/// What is above all that the memory can do has a mark.
std::string percent(double share) {
  return fmt::format("{}%{}", format_number(100 * share), share > 1 ? "†" : "");
}

std::string rate(const std::optional<double>& value, const char* unit) {
  constexpr const char* prefixes[] = {"", "k", "M", "G", "T", "P"};
  if (!value) return "-";
  double amount = *value;
  std::size_t thousands = 0;
  while (amount >= 999.5 && thousands + 1 < std::size(prefixes)) {
    amount /= 1000;
    ++thousands;
  }
  return fmt::format("{} {}{}", format_number(amount), prefixes[thousands], unit);
}

constexpr const char* bytes_a_second = "B/s";
constexpr const char* operations_a_second = "FLOP/s";

Lines cases_in(const Roofline& roofline) {
  Lines lines = {{"case", "bytes", "operations", "bound by", "floor", "measured", "share"}};
  for (const FloorShare& one : roofline.cases) {
    lines.push_back(
        {one.key, fmt::format("{:.3g}", one.floor.bytes),
         fmt::format("{:.3g}", one.floor.operations), one.is_memory_bound ? "memory" : "operations",
         format_duration(one.floor_seconds), format_duration(one.seconds), percent(one.share())});
  }
  return lines;
}

}  // namespace

std::string_view no_ceilings() {
  return "What this machine can do at its best was not measured: make replicate does, or\n"
         "macrobench sweep roofline --ceiling copy,multiply_add --real double,single --threads "
         "1,all\n";
}

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

std::vector<std::vector<std::string>> ceilings_in(const Roofline& roofline) {
  Lines lines = {{"processor", "copies", "double", "single"}};
  for (const ProcessorCeilings& one : roofline.ceilings) {
    lines.push_back({name_of(one), rate(one.bytes_a_second, bytes_a_second),
                     rate(one.double_operations_a_second, operations_a_second),
                     rate(one.single_operations_a_second, operations_a_second)});
  }
  return lines;
}

std::vector<std::vector<std::string>> implementations_in(const Roofline& roofline) {
  std::map<std::pair<bool, std::string>, std::vector<const FloorShare*>> all;
  for (const FloorShare& one : roofline.cases) {
    all[{!one.is_gpu, one.implementation}].push_back(&one);
  }
  Lines lines = {{"implementation", "on", "cases", "median", "lowest", "highest", "highest at"}};
  for (const auto& [name, cases] : all) {
    std::vector<double> shares;
    for (const FloorShare* one : cases) shares.push_back(one->share());
    const auto lowest = std::ranges::min(shares);
    const FloorShare& highest =
        **std::ranges::max_element(cases, {}, [](const FloorShare* one) { return one->share(); });
    lines.push_back({name.second, name.first ? "CPU" : "GPU", std::to_string(cases.size()),
                     percent(median(shares)), percent(lowest), percent(highest.share()),
                     highest.size});
  }
  return lines;
}

std::string name_of(const ProcessorCeilings& processor) {
  if (processor.is_gpu) return "GPU";
  return fmt::format("CPU, {} thread{}", processor.threads, processor.threads == 1 ? "" : "s");
}

std::string rates_of(const ProcessorCeilings& processor) {
  return fmt::format("{} copied, {} in double, {} in single",
                     rate(processor.bytes_a_second, bytes_a_second),
                     rate(processor.double_operations_a_second, operations_a_second),
                     rate(processor.single_operations_a_second, operations_a_second));
}

nlohmann::ordered_json to_json(const std::vector<ProcessorCeilings>& ceilings) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const ProcessorCeilings& one : ceilings) {
    json.push_back(
        {{"processor", one.is_gpu ? "gpu" : "cpu"},
         {"threads", one.is_gpu ? nlohmann::ordered_json() : nlohmann::ordered_json(one.threads)},
         {"bytes_a_second", or_null(one.bytes_a_second)},
         {"double_operations_a_second", or_null(one.double_operations_a_second)},
         {"single_operations_a_second", or_null(one.single_operations_a_second)}});
  }
  return json;
}

std::string render_text(const Roofline& roofline, bool cases) {
  if (roofline.ceilings.empty()) return std::string(no_ceilings());
  std::string text = "At its best\n" + text_table(ceilings_in(roofline), 1);
  if (roofline.cases.empty()) return text;
  text +=
      "\nOf its floor each implementation takes\n" + text_table(implementations_in(roofline), 2);
  if (cases) text += "\n" + text_table(cases_in(roofline), 1);
  return text + "\n" + wrapped(meaning_of(roofline), 100, "");
}

std::string render_markdown(const Roofline& roofline, const std::string& machine) {
  std::string text = fmt::format("# Roofline: {}\n\n", escape_markdown(machine));
  if (roofline.ceilings.empty()) return text + std::string(no_ceilings());
  text += markdown_table(ceilings_in(roofline), 1);
  if (roofline.cases.empty()) return text;
  text += fmt::format("\n{}\n\n", meaning_of(roofline)) +
          markdown_table(implementations_in(roofline), 2) + "\n## Cases\n\n" +
          markdown_table(cases_in(roofline), 1);
  return text;
}

std::string render_csv(const Roofline& roofline) {
  std::string text = csv_line({"case", "gpu", "bytes", "operations", "bound_by", "floor_seconds",
                               "measured_seconds", "share"});
  for (const FloorShare& one : roofline.cases) {
    text += csv_line({one.key, one.is_gpu ? "true" : "false", fmt::format("{}", one.floor.bytes),
                      fmt::format("{}", one.floor.operations),
                      one.is_memory_bound ? "memory" : "operations",
                      fmt::format("{}", one.floor_seconds), fmt::format("{}", one.seconds),
                      fmt::format("{}", one.share())});
  }
  return text;
}

std::string render_json(const Roofline& roofline) {
  nlohmann::ordered_json json{{"schema", 1},
                              {"ceilings", to_json(roofline.ceilings)},
                              {"cases", nlohmann::ordered_json::array()}};
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
  return json.dump(1) + "\n";
}

}  // namespace macrobench
