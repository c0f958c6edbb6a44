// macrobench list: models, their axes, implementations.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "harness/commands/command.hpp"
#include "harness/model/registry.hpp"
#include "harness/records/machine.hpp"
#include "harness/records/record.hpp"
#include "harness/records/source_digest.hpp"

namespace macrobench {

namespace {

nlohmann::ordered_json value_as_json(const Value& value) {
  return std::visit([](const auto& held) { return nlohmann::ordered_json(held); }, value);
}

std::string allowed(const Axis& axis) {
  if (axis.is_file) return "a file";
  return axis.choices.empty() ? axis.interval.describe()
                              : fmt::format("{}", fmt::join(axis.choices, ", "));
}

nlohmann::ordered_json describe(const Axis& axis) {
  nlohmann::ordered_json json{
      {"name", axis.name}, {"help", axis.help}, {"default", value_as_json(axis.default_value)}};
  if (axis.choices.empty()) {
    json["allowed"] = allowed(axis);
  } else {
    json["allowed"] = axis.choices;
  }
  return json;
}

nlohmann::ordered_json as_json(const Registry& registry) {
  nlohmann::ordered_json json{{"schema", 1}, {"models", nlohmann::ordered_json::array()}};
  for (const Model& model : registry.models()) {
    nlohmann::ordered_json entry{{"name", model.name}, {"summary", model.summary}};
    for (const Axis& axis : model.axes) entry["axes"].push_back(describe(axis));
    for (const Implementation* implementation : registry.implementations()) {
      if (implementation->model != model.name) continue;
      nlohmann::ordered_json one{{"name", implementation->name},
                                 {"origin", to_string(implementation->origin)},
                                 {"summary", implementation->summary},
                                 {"source", source_digest(*implementation)}};
      for (const Axis& axis : implementation->axes) one["axes"].push_back(axis.name);
      entry["implementations"].push_back(one);
    }
    for (const Figure& figure : model.figures) {
      entry["figures"].push_back({{"name", figure.name}, {"summary", figure.summary}});
    }
    json["models"].push_back(entry);
  }
  json["left_out"] = nlohmann::ordered_json::array();
  for (const LeftOut& missing : registry.left_out()) {
    json["left_out"].push_back({{"name", missing.id}, {"why_not", missing.why()}});
  }
  return json;
}

void print(const Registry& registry) {
  for (const Model& model : registry.models()) {
    fmt::print("{}: {}\n\n  implementations\n", model.name, model.summary);
    for (const Implementation* implementation : registry.implementations()) {
      if (implementation->model != model.name) continue;
      fmt::print("    {:<24} {:<10} {}\n", implementation->id(), to_string(implementation->origin),
                 implementation->summary);
    }
    for (const LeftOut& missing : registry.left_out()) {
      if (missing.id.starts_with(model.name + "/")) {
        fmt::print("    {:<24} {:<10} not in this build, which has no {}\n", missing.id, "",
                   missing.lacks);
      }
    }
    fmt::print("\n  parameters\n");
    for (const Axis& axis : model.axes) {
      fmt::print("    --{:<15} {:<11} {} ({})\n", axis.name,
                 axis.is_file ? "none" : to_string(axis.default_value), axis.help, allowed(axis));
    }
    if (!model.figures.empty()) fmt::print("\n  figures\n");
    for (const Figure& figure : model.figures) {
      fmt::print("    {:<31} {}\n", figure.name, figure.summary);
    }
    fmt::print("\n");
  }
}

const RegisterCommand registered{
    {.name = "list",
     .summary = "Models, implementations and their parameters",
     .example = "  macrobench list\n  macrobench list --json | jq .models[].implementations[].name",
     .define = [](Options& app) -> std::function<ExitCode()> {
       const auto json = std::make_shared<bool>(false);
       app.add_flag("--json", *json, "Print JSON");
       return [json] {
         const Registry& registry = Registry::global();
         if (*json) {
           fmt::print("{}\n", as_json(registry).dump(2));
         } else {
           print(registry);
         }
         return ExitCode::ok;
       };
     },
     .rank = 40}};

}  // namespace

}  // namespace macrobench
