// macrobench list: models, their axes, implementations.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "harness/commands/axis_options.hpp"
#include "harness/commands/command.hpp"
#include "harness/commands/output_options.hpp"
#include "harness/model/registry.hpp"
#include "harness/records/machine.hpp"
#include "harness/records/source_digest.hpp"

namespace macrobench {

namespace {

using nlohmann::ordered_json;

std::string allowed(const Axis& axis) {
  if (axis.is_file) return "a file";
  return axis.choices.empty() ? axis.interval.describe()
                              : fmt::format("{}", fmt::join(axis.choices, ", "));
}

ordered_json describe(const Axis& axis) {
  const auto as_json = [](const auto& value) { return ordered_json(value); };
  return {{"name", axis.name},
          {"help", axis.help},
          {"default", std::visit(as_json, axis.default_value)},
          {"allowed", axis.choices.empty() ? as_json(allowed(axis)) : as_json(axis.choices)}};
}

ordered_json as_json(const Registry& registry) {
  ordered_json json{{"schema", 1}, {"models", ordered_json::array()}};
  for (const Model& model : registry.models()) {
    ordered_json entry{{"name", model.name}, {"summary", model.summary}};
    for (const Axis& axis : model.axes) entry["axes"].push_back(describe(axis));
    for (const Implementation* implementation : implementations_of(model.name)) {
      ordered_json one{{"name", implementation->name},
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
  json["left_out"] = ordered_json::array();
  for (const LeftOut& missing : registry.left_out()) {
    json["left_out"].push_back({{"name", missing.id}, {"why_not", missing.why()}});
  }
  return json;
}

Document document_of(const Registry& registry) {
  using enum Column::Kind;
  Document document{.title = "Models, implementations and their parameters"};
  for (const Model& model : registry.models()) {
    std::vector<Row> implementations;
    for (const Implementation* one : implementations_of(model.name)) {
      implementations.push_back({{one->id(), to_string(one->origin), one->summary}});
    }
    for (const LeftOut& missing : registry.left_out()) {
      if (!missing.id.starts_with(model.name + "/")) continue;
      implementations.push_back(
          {{missing.id, "", fmt::format("not in this build, which has no {}", missing.lacks)}});
    }
    std::vector<Row> parameters;
    for (const Axis& axis : model.axes) {
      parameters.push_back(
          {{"--" + axis.name, axis.is_file ? "none" : to_string(axis.default_value),
            fmt::format("{} ({})", axis.help, allowed(axis))}});
    }
    std::vector<Row> figures;
    for (const Figure& figure : model.figures) figures.push_back({{figure.name, figure.summary}});
    document.body.emplace_back(Heading{fmt::format("{}: {}", model.name, model.summary)});
    document.body.emplace_back(grid_of({{"implementation", words}, {"origin", words}, {"", words}},
                                       std::move(implementations)));
    document.body.emplace_back(
        grid_of({{"parameter", words}, {"default", words}, {"", words}}, std::move(parameters)));
    if (figures.empty()) continue;
    document.body.emplace_back(grid_of({{"figure", words}, {"", words}}, std::move(figures)));
  }
  return document;
}

ExitCode list(const OutputOptions& output) {
  const Registry& registry = Registry::global();
  output.print({.document = [&] { return document_of(registry); },
                .json = [&] { return as_json(registry); }});
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "list",
     .summary = "Models, implementations and their parameters",
     .example = "  macrobench list\n  macrobench list --json | jq .models[].implementations[].name",
     .rank = 40},
    [](OutputOptions& output, Options& app) { output.add_to(app, {"text", "md", "html", "json"}); },
    list};

}  // namespace

}  // namespace macrobench
