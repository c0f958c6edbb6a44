// macrobench doctor: what this machine is, what can run on it, and what it lacks.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <nlohmann/json.hpp>

#include "harness/command_line/command.hpp"
#include "harness/command_line/output_options.hpp"
#include "harness/machine/energy_window.hpp"
#include "harness/machine/machine.hpp"
#include "harness/machine/nvml.hpp"
#include "harness/machine/rapl.hpp"
#include "harness/model/registry.hpp"
#include "harness/records/results_folder.hpp"
#include "harness/text/json_values.hpp"

namespace macrobench {

namespace {

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

/// Why the energy of each processor cannot be measured; empty if it can.
std::map<std::string, std::string> reasons_against_energy(const Machine& machine) {
  std::map<std::string, std::string> all;
  all["CPU"] = Rapl().why_not();
  if (machine.has_gpu()) all["GPU"] = meter_of(NvmlDevice(device_bus_id())).why_not();
  return all;
}

nlohmann::ordered_json to_json(const Machine& machine) {
  nlohmann::ordered_json json{{"schema", 1},
                              {"folder", machine.own_name()},
                              {"identity", machine.identity()},
                              {"id", machine.id()},
                              {"machine", machine.block},
                              {"implementations", nlohmann::ordered_json::array()}};
  for (const auto& [id, why] : reasons()) {
    json["implementations"].push_back(
        {{"name", id}, {"can_run", why.empty()}, {"why_not", or_null(why)}});
  }
  for (const auto& [processor, why] : reasons_against_energy(machine)) {
    json["energy"].push_back(
        {{"of", processor}, {"can_be_measured", why.empty()}, {"why_not", or_null(why)}});
  }
  return json;
}

using nlohmann::ordered_json;

std::string text_at(const Machine& machine, const char* pointer) {
  const std::string text = machine.text_at(pointer);
  return text.empty() ? "unknown" : text;
}

/// "512 KiB", "32 MiB".
std::string binary_size(double bytes) {
  constexpr double mebi = 1 << 20;
  return bytes < mebi ? fmt::format("{:.4g} KiB", bytes / 1024)
                      : fmt::format("{:.4g} MiB", bytes / mebi);
}

/// "L1 32 KiB of data and 32 KiB of instructions, L2 1 MiB, L3 32 MiB shared by 2 threads".
std::string caches_in_words(const ordered_json& caches) {
  std::map<int, std::vector<std::string>> levels;
  if (!caches.is_array()) return "unknown";
  for (const ordered_json& cache : caches) {
    const std::string type = cache.value("type", "");
    const int shared = cache.value("shared_by", 1);
    levels[cache.value("level", 0)].push_back(
        binary_size(cache.value("bytes", 0.0)) +
        (type == "Data"          ? " of data"
         : type == "Instruction" ? " of instructions"
                                 : "") +
        (shared > 1 ? fmt::format(" shared by {} threads", shared) : ""));
  }
  std::vector<std::string> words;
  for (const auto& [level, its] : levels) {
    words.push_back(fmt::format("L{} {}", level, fmt::join(its, " and ")));
  }
  return words.empty() ? "unknown" : fmt::format("{}", fmt::join(words, ", "));
}

std::string processor_in_words(const Machine& machine) {
  const double cores = machine.number_at("/cpu/cores_available").value_or(0);
  std::vector<std::string> flags;
  const ordered_json known = machine.at("/cpu/flags");
  if (known.is_array()) {
    for (const ordered_json& flag : known) flags.push_back(flag.get<std::string>());
  }
  return fmt::format("{}, {:.0f} core{}{}{}", text_at(machine, "/cpu/model"), cores,
                     cores == 1 ? "" : "s", flags.empty() ? "" : "; ", fmt::join(flags, ", "));
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

/// True if it is quiet enough to measure.
std::string load_in_words(const Machine& machine) {
  const double load = machine.number_at("/now/load_average/0").value_or(0);
  const double cores = machine.number_at("/cpu/cores_available").value_or(0);
  return fmt::format("{:.1f} of {:.0f} cores busy over the last minute{}", load, cores,
                     load > 0.1 * cores + 0.1 ? ": wait until it is quiet before you measure" : "");
}

Grid machine_in_words(const Machine& machine) {
  std::vector<Row> rows{
      {{"processor", processor_in_words(machine)}},
      {{"caches", caches_in_words(machine.at("/cpu/caches"))}},
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

/// What can run, by model.
Grid programs_here() {
  std::map<std::string, std::vector<std::string>> by_model;
  for (const auto& [id, why] : reasons()) {
    const std::size_t slash = id.find('/');
    if (why.empty()) by_model[id.substr(0, slash)].push_back(id.substr(slash + 1));
  }
  std::vector<Row> rows;
  for (const auto& [model, names] : by_model) {
    rows.push_back({{model, fmt::format("{}", fmt::join(names, ", "))}});
  }
  using enum Column::Kind;
  return grid_of({{"model", words}, {"can run here", words}}, std::move(rows));
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
    // Each lacks something else, and has a command of its own.
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
  for (const auto& [processor, why] : reasons_against_energy(machine)) {
    if (!why.empty()) missing[why].for_what.push_back("run --energy on the " + processor);
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

Document document_of(const Machine& machine) {
  Document document{.title = "This machine", .body = {machine_in_words(machine), programs_here()}};
  Grid missing = missing_here(machine);
  if (rows_in(missing) > 0) document.body.emplace_back(std::move(missing));
  document.body.emplace_back(
      Paragraph{"macrobench doctor --json has everything that a record keeps of the machine."});
  return document;
}

ExitCode doctor(const OutputOptions& output) {
  const Machine machine = this_machine();
  output.print(
      {.document = [&] { return document_of(machine); }, .json = [&] { return to_json(machine); }});
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "doctor",
     .summary = "Describe this machine, the programs that can run on it, and missing software",
     .example = "  macrobench doctor\n  macrobench doctor --json",
     .rank = 33},
    [](OutputOptions& output, Options& app) { output.add_to(app, {"text", "md", "html", "json"}); },
    doctor};

}  // namespace

}  // namespace macrobench
