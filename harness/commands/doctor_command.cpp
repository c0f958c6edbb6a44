// macrobench doctor: what this machine is, what it lacks and, if asked for, how fast it is.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/command_line/ceiling_cases.hpp"
#include "harness/command_line/command.hpp"
#include "harness/command_line/output_options.hpp"
#include "harness/machine/machine.hpp"
#include "harness/model/registry.hpp"
#include "harness/records/record_facts.hpp"
#include "harness/records/results_folder.hpp"
#include "harness/run/runner.hpp"
#include "harness/text/json_values.hpp"

namespace macrobench {

namespace {

using nlohmann::ordered_json;

struct Flags {
  bool measure = false;
  OutputOptions output;
};

/// Empty if it can run here, else the reason.
std::map<std::string, std::string> reasons() {
  const Registry& registry = Registry::global();
  std::map<std::string, std::string> all;
  for (const Implementation* implementation : registry.implementations()) {
    all[implementation->id()] = implementation->unavailable();
  }
  for (const LeftOut& missing : registry.left_out()) all[missing.id] = missing.why();
  return all;
}

std::string text_at(const Machine& machine, const char* pointer) {
  const std::string text = machine.text_at(pointer);
  return text.empty() ? "unknown" : text;
}

/// What this process may use of the processor, if that is less than there is; empty if it is all.
std::string limits_in_words(const Machine& machine) {
  const double cores = machine.number_at("/cpu/cores_available").value_or(0);
  const double all = machine.number_at("/cpu/cores_in_machine").value_or(0);
  const std::optional<double> quota = machine.number_at("/cpu/quota_cores");
  std::vector<std::string> limits;
  if (cores < all) {
    limits.push_back(fmt::format("affinity: cores {}, {:.0f} of {:.0f}",
                                 text_at(machine, "/now/affinity"), cores, all));
  }
  if (quota) {
    limits.push_back(fmt::format("quota: the time of {:.4g} core{}{}", *quota,
                                 *quota == 1 ? "" : "s",
                                 *quota < cores ? "; times that it holds back are noisy" : ""));
  }
  return fmt::format("{}", fmt::join(limits, "; "));
}

std::string gpu_in_words(const Machine& machine) {
  if (!machine.has_gpu()) return "none";
  return fmt::format("{}, {:.1f} GB, driver {}", text_at(machine, "/gpu/name"),
                     machine.number_at("/gpu/memory_mib").value_or(0) * (1 << 20) / 1e9,
                     text_at(machine, "/gpu/driver"));
}

std::string build_in_words(const Machine& machine) {
  const std::string cuda = text_at(machine, "/cuda_compiler/name");
  return fmt::format("{} {}, {}; commit {}{}", text_at(machine, "/compiler/name"),
                     text_at(machine, "/compiler/flags"),
                     cuda == "unknown" ? "no CUDA" : "CUDA by " + cuda,
                     text_at(machine, "/source/commit").substr(0, 12),
                     machine.at("/source/dirty") == true ? " and changes" : "");
}

std::string load_in_words(const Machine& machine) {
  const double load = machine.number_at("/now/load_average/0").value_or(0);
  const double cores = machine.number_at("/cpu/cores_available").value_or(0);
  return fmt::format("{:.1f} of {:.0f} cores busy over the last minute{}", load, cores,
                     load > 0.1 * cores + 0.1 ? ": wait until it is quiet before you measure" : "");
}

Grid machine_in_words(const Machine& machine) {
  const double cores = machine.number_at("/cpu/cores_available").value_or(0);
  std::vector<Row> rows{
      {{"processor", fmt::format("{}, {:.0f} core{}", text_at(machine, "/cpu/model"), cores,
                                 cores == 1 ? "" : "s")}},
      {{"memory", fmt::format("{:.1f} GB", machine.number_at("/memory_bytes").value_or(0) / 1e9)}},
      {{"GPU", gpu_in_words(machine)}},
      {{"system", text_at(machine, "/os") + ", " + text_at(machine, "/kernel")}},
      {{"build", build_in_words(machine)}},
      {{"load", load_in_words(machine)}},
      {{"results", fmt::format("{}/{}", usual_results, machine.own_name())}}};
  if (const std::string limits = limits_in_words(machine); !limits.empty()) {
    rows.insert(rows.begin() + 1, Row{{"limits", limits}});
  }
  using enum Column::Kind;
  return grid_of({{"what", words}, {"here", words}}, std::move(rows));
}

/// What cannot, by what it lacks.
Grid missing_here(const Machine& machine) {
  struct Missing {
    std::vector<std::string> for_what = {};
    std::string command = {};
  };
  std::map<std::string, Missing> missing;
  int programs = 0;
  for (const auto& [id, why] : reasons()) {
    if (why.empty()) continue;
    // Each lacks something else, and has its own command.
    const Implementation* const known = Registry::global().find(id);
    if (known != nullptr && known->of_today) {
      ++programs;
      continue;
    }
    const LeftOut* const left_out = Registry::global().find_left_out(id);
    const bool needs_gpu = Registry::global().needs_gpu(id) && !machine.has_gpu();
    Missing& its = missing[needs_gpu             ? "an NVIDIA GPU"
                           : left_out != nullptr ? left_out->lacks
                                                 : why];
    its.for_what.push_back(id);
    if (left_out != nullptr && !needs_gpu) its.command = left_out->remedy;
  }
  if (programs > 0) {
    missing["languages and set-up of programs"] = {
        .for_what = {fmt::format("{} solver{} in other languages", programs,
                                 programs == 1 ? "" : "s")},
        .command = "macrobench list programs"};
  }
  std::vector<Row> rows;
  for (const auto& [what, its] : missing) {
    rows.push_back({{what, its.command, fmt::format("for {}", fmt::join(its.for_what, ", "))}});
  }
  using enum Column::Kind;
  return grid_of(
      {{"missing", words}, {"installed by", words}, {"for", words, Column::Place::below}},
      std::move(rows));
}

/// What the machine does per second at its best, by a case of the model `roofline`.
struct MeasuredRate {
  std::string key;
  std::optional<double> per_second = {};  ///< none if the case was not measured
  const char* unit = "";
  std::string status = {};
};

std::vector<MeasuredRate> measured_rates(const Machine& machine) {
  std::vector<MeasuredRate> rates;
  for (const Case& which : ceiling_cases(available_cores())) {
    const Record record = run_case(which, machine, {});
    const std::string ceiling = to_string(*which.parameters.find("ceiling"));
    MeasuredRate rate{.key = record.key,
                      .unit = ceiling == "copy" ? "B/s" : "FLOP/s",
                      .status = to_string(record.status)};
    const std::optional<BestRate> best = best_rate_of(record);
    if (is_result_believed(record.status) && best) rate.per_second = best->per_second;
    rates.push_back(std::move(rate));
  }
  return rates;
}

Grid rates_in_words(const std::vector<MeasuredRate>& rates) {
  std::vector<Row> rows;
  for (const MeasuredRate& rate : rates) {
    rows.push_back({{rate.key,
                     rate.per_second ? fmt::format("{:.3g} G{}", *rate.per_second / 1e9, rate.unit)
                                     : rate.status,
                     rate.status == "measured" ? "" : rate.status}});
  }
  using enum Column::Kind;
  return grid_of({{"at its best", words}, {"rate"}, {"", words}}, std::move(rows));
}

ordered_json to_json(const Machine& machine, const std::vector<MeasuredRate>& rates) {
  ordered_json json{{"schema", 1},
                    {"folder", machine.own_name()},
                    {"identity", machine.identity()},
                    {"id", machine.id()},
                    {"machine", machine.block},
                    {"implementations", ordered_json::array()}};
  for (const auto& [id, why] : reasons()) {
    json["implementations"].push_back(
        {{"name", id}, {"can_run", why.empty()}, {"why_not", or_null(why)}});
  }
  for (const MeasuredRate& rate : rates) {
    json["rates"].push_back(
        {{"case", rate.key},
         {"per_second", rate.per_second ? ordered_json(*rate.per_second) : ordered_json(nullptr)},
         {"unit", rate.unit},
         {"status", rate.status}});
  }
  return json;
}

Document document_of(const Machine& machine, const std::vector<MeasuredRate>& rates) {
  Document document{.title = "This machine", .body = {machine_in_words(machine)}};
  for (Grid& grid : std::vector{missing_here(machine), rates_in_words(rates)}) {
    if (rows_in(grid) > 0) document.body.emplace_back(std::move(grid));
  }
  document.body.emplace_back(
      Paragraph{"macrobench doctor --json has everything that a record keeps of the machine."});
  return document;
}

ExitCode doctor(const Flags& flags) {
  const Machine machine = this_machine();
  const std::vector<MeasuredRate> rates =
      flags.measure ? measured_rates(machine) : std::vector<MeasuredRate>{};
  flags.output.print({.document = [&] { return document_of(machine, rates); },
                      .json = [&] { return to_json(machine, rates); }});
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "doctor",
     .summary = "Describe this machine, missing software, and how fast it is",
     .example = "  macrobench doctor\n  macrobench doctor --measure\n  macrobench doctor --json",
     .rank = 33},
    [](Flags& flags, Options& app) {
      app.add_flag("--measure", flags.measure,
                   "Measure what the processors copy and compute per second at their best");
      flags.output.add_to(app, {"text", "md", "html", "json"});
    },
    doctor};

}  // namespace

}  // namespace macrobench
