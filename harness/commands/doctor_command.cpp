// macrobench doctor: what this machine is, and what can run on it.

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "harness/commands/command.hpp"
#include "harness/commands/output_options.hpp"
#include "harness/model/registry.hpp"
#include "harness/records/machine.hpp"
#include "harness/run/energy_window.hpp"
#include "harness/system/nvml.hpp"
#include "harness/system/rapl.hpp"
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
                              {"folder", machine.slug()},
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

Document document_of(const Machine& machine) {
  std::vector<Row> rows;
  for (const auto& [id, why] : reasons()) {
    rows.push_back({{id, why.empty() ? "can run here" : "cannot run: " + why}});
  }
  std::vector<Row> meters;
  for (const auto& [processor, why] : reasons_against_energy(machine)) {
    meters.push_back({{processor, why.empty() ? "can be measured" : "cannot be measured: " + why}});
  }
  using enum Column::Kind;
  return {.title = fmt::format("This machine (results/{})", machine.slug()),
          .body = {grid_of_object(machine.block, {}),
                   grid_of({{"energy of", words}, {"here", words}}, std::move(meters)),
                   grid_of({{"implementation", words}, {"here", words}}, std::move(rows))}};
}

ExitCode doctor(const OutputOptions& output) {
  const Machine machine = this_machine();
  output.print(
      {.document = [&] { return document_of(machine); }, .json = [&] { return to_json(machine); }});
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "doctor",
     .summary = "What this machine is, and which implementations can run on it",
     .example = "  macrobench doctor\n  macrobench doctor --json",
     .rank = 50},
    [](OutputOptions& output, Options& app) { output.add_to(app, {"text", "md", "html", "json"}); },
    doctor};

}  // namespace

}  // namespace macrobench
