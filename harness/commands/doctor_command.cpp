// macrobench doctor: what this machine is, and what can run on it.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "harness/commands/command.hpp"
#include "harness/model/registry.hpp"
#include "harness/records/machine.hpp"

namespace macrobench {

namespace {

/// Empty if it can run here, else why not.
std::map<std::string, std::string> reasons() {
  const Registry& registry = Registry::global();
  std::map<std::string, std::string> all;
  for (const Implementation* implementation : registry.implementations()) {
    all[implementation->id()] = implementation->unavailable();
  }
  for (const LeftOut& missing : registry.left_out()) all[missing.id] = missing.why();
  return all;
}

void print_block(const nlohmann::ordered_json& block, int indent) {
  for (const auto& [name, value] : block.items()) {
    if (value.is_null()) continue;
    if (value.is_object()) {
      fmt::print("{:{}}{}\n", "", indent, name);
      print_block(value, indent + 2);
    } else {
      fmt::print("{:{}}{:<{}} {}\n", "", indent, name, 24 - indent,
                 value.is_string() ? value.get<std::string>() : value.dump());
    }
  }
}

ExitCode run(bool as_json) {
  const Machine machine = this_machine();
  const auto why_not = reasons();
  if (as_json) {
    nlohmann::ordered_json json{{"schema", 1},
                                {"folder", machine.slug()},
                                {"id", machine.id()},
                                {"machine", machine.block},
                                {"implementations", nlohmann::ordered_json::array()}};
    for (const auto& [id, why] : why_not) {
      json["implementations"].push_back({{"name", id},
                                         {"can_run", why.empty()},
                                         {"why_not", why.empty() ? nullptr : nlohmann::json(why)}});
    }
    fmt::print("{}\n", json.dump(2));
    return ExitCode::ok;
  }
  fmt::print("This machine (results/{})\n", machine.slug());
  print_block(machine.block, 2);
  fmt::print("\nImplementations\n");
  for (const auto& [id, why] : why_not) {
    fmt::print("  {:<24} {}\n", id, why.empty() ? "can run here" : "cannot run: " + why);
  }
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "doctor",
     .summary = "What this machine is, and which implementations can run on it",
     .example = "  macrobench doctor\n  macrobench doctor --json",
     .define = [](Options& app) -> std::function<ExitCode()> {
       const auto json = std::make_shared<bool>(false);
       app.add_flag("--json", *json, "Print JSON");
       return [json] { return run(*json); };
     },
     .rank = 50}};

}  // namespace

}  // namespace macrobench
