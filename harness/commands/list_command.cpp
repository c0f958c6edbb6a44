// macrobench list: models, implementations, parameters, and what else registers a topic.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "harness/command_line/axis_options.hpp"
#include "harness/command_line/command.hpp"
#include "harness/command_line/list_topics.hpp"
#include "harness/command_line/output_options.hpp"
#include "harness/machine/machine.hpp"
#include "harness/model/registry.hpp"
#include "harness/programs/program_models.hpp"
#include "harness/sources/source_digest.hpp"
#include "harness/text/json_values.hpp"
#include "harness/text/nearest.hpp"

namespace macrobench {

namespace {

using nlohmann::ordered_json;
using enum Column::Kind;

std::vector<ListTopic>& topics() {
  static std::vector<ListTopic> all;
  return all;
}

struct Flags {
  std::vector<std::string> names;
  bool set_up = false;
  OutputOptions output;
};

std::string allowed(const Axis& axis) {
  if (axis.is_file) return "a file";
  return axis.choices.empty() ? axis.interval.describe()
                              : fmt::format("{}", fmt::join(axis.choices, ", "));
}

ordered_json as_json(const Value& value) {
  return std::visit([](const auto& held) { return ordered_json(held); }, value);
}

ordered_json describe(const Axis& axis) {
  return {
      {"name", axis.name},
      {"help", axis.help},
      {"default", as_json(axis.default_value)},
      {"allowed", axis.choices.empty() ? ordered_json(allowed(axis)) : ordered_json(axis.choices)}};
}

ordered_json as_json(const Implementation& implementation) {
  ordered_json json{{"name", implementation.name},
                    {"origin", to_string(implementation.origin)},
                    {"summary", implementation.summary},
                    {"on_gpu", implementation.runs_on == RunsOn::gpu},
                    {"why_not", or_null(implementation.unavailable())},
                    {"source", source_digest(implementation)},
                    {"rules", build_rules(implementation.model)}};
  for (const Axis& axis : implementation.axes) {
    json["axes"].push_back(axis.name);
    if (axis.own_default) json["own_defaults"][axis.name] = as_json(*axis.own_default);
  }
  return json;
}

ordered_json as_json(const Model& model) {
  ordered_json json{{"name", model.name},
                    {"summary", model.summary},
                    {"size_axis", model.size_axis},
                    {"trial_sizes", model.trial_sizes}};
  for (const Axis& axis : model.axes) json["axes"].push_back(describe(axis));
  for (const Implementation* implementation : implementations_of(model.name)) {
    json["implementations"].push_back(as_json(*implementation));
  }
  for (const std::string& name : model.figure_names()) {
    const OutcomeFigure& figure = model.outcome_figures.at(name);
    json["outcome_figures"].push_back(
        {{"name", name}, {"unit", figure.unit}, {"definition", figure.definition}});
  }
  for (const AnnouncedStage& stage : model.stages) {
    ordered_json one{{"name", stage.name}, {"summary", stage.summary}};
    if (!stage.implementations.empty()) one["implementations"] = stage.implementations;
    json["stages"].push_back(std::move(one));
  }
  for (const Figure& figure : model.figures) {
    json["figures"].push_back({{"name", figure.name}, {"summary", figure.summary}});
  }
  return json;
}

ordered_json as_json(const Registry& registry) {
  ordered_json json{{"schema", 1}, {"models", ordered_json::array()}};
  for (const Model& model : registry.models()) json["models"].push_back(as_json(model));
  json["left_out"] = ordered_json::array();
  for (const LeftOut& missing : registry.left_out()) {
    json["left_out"].push_back({{"name", missing.id}, {"why_not", missing.why()}});
  }
  return json;
}

constexpr const char* origins_explained =
    "An implementation is published (the paper's own algorithm, its quirks included), corrected "
    "(a published mistake mended, under its own name) or frontier (the best that we know for the "
    "same problem, all that runs on several devices, and our programs that no table has). A "
    "program from outside is yours, or original if it says that it is a paper's authors' own.";

std::vector<LeftOut> left_out_of(const Model& model) {
  std::vector<LeftOut> missing = Registry::global().left_out();
  std::erase_if(missing, [&](const LeftOut& one) { return !one.id.starts_with(model.name + "/"); });
  return missing;
}

/// One screen.
Document document_of(const Registry& registry) {
  std::vector<Row> models;
  for (const Model& model : registry.models()) models.push_back({{model.name, model.summary}});
  std::vector<Row> deeper{
      {{"macrobench list MODEL", "its implementations, parameters, figures and stages"}},
      {{"macrobench list MODEL/IMPLEMENTATION", "one of them, and how to run it"}}};
  for (const ListTopic& topic : list_topics()) {
    deeper.push_back({{"macrobench list " + topic.name, topic.summary}});
  }
  return {.title = "Models",
          .body = {grid_of({{"model", words}, {"", words}}, std::move(models)),
                   Paragraph{origins_explained},
                   grid_of({{"more", words}, {"", words}}, std::move(deeper))}};
}

/// "1; frontier: 3": and what those have whose own default is another.
std::string default_of(const Axis& axis, const Model& model) {
  std::string text = axis.is_file ? "none" : to_string(axis.usual());
  for (const auto& [implementation, own] : model.own_defaults) {
    const Value* its = own.find(axis.name);
    if (its != nullptr) text += fmt::format("; {}: {}", implementation, to_string(*its));
  }
  return text;
}

/// `model` is whose parameters they are; of an implementation's own, one without implementations.
Grid parameters_of(const std::vector<Axis>& axes, const Model& model = {}) {
  std::vector<Row> rows;
  for (const Axis& axis : axes) {
    rows.push_back({{"--" + axis.name, default_of(axis, model),
                     fmt::format("{} ({})", axis.help, allowed(axis))}});
  }
  return grid_of({{"parameter", words}, {"default", words}, {"", words}}, std::move(rows));
}

/// What a table can print of a model's outcomes.
Grid outcome_figures_of(const Model& model) {
  std::vector<Row> rows;
  for (const std::string& name : model.figure_names()) {
    const OutcomeFigure& figure = model.outcome_figures.at(name);
    rows.push_back({{name, figure.unit == "1" ? "" : figure.unit, figure.definition}});
  }
  return grid_of({{"figure", words}, {"unit", words}, {"", words}}, std::move(rows));
}

Grid stages_of(const Model& model) {
  std::vector<Row> rows;
  for (const AnnouncedStage& stage : model.stages) {
    const std::string who = stage.implementations.empty()
                                ? "all"
                                : fmt::format("{}", fmt::join(stage.implementations, ", "));
    rows.push_back({{stage.name, who, stage.summary}});
  }
  return grid_of({{"stage", words}, {"announced by", words}, {"", words}}, std::move(rows));
}

Document document_of(const Model& model) {
  std::vector<Row> implementations;
  for (const Implementation* one : implementations_of(model.name)) {
    const std::string why = one->unavailable();
    implementations.push_back({{one->id(), to_string(one->origin),
                                one->summary + (why.empty() ? "" : "; cannot run: " + why)}});
  }
  for (const LeftOut& missing : left_out_of(model)) {
    implementations.push_back(
        {{missing.id, "", fmt::format("not in this build, which has no {}", missing.lacks)}});
  }
  std::vector<Row> figures;
  for (const Figure& figure : model.figures) figures.push_back({{figure.name, figure.summary}});
  Document document{.title = fmt::format("{}: {}", model.name, model.summary),
                    .body = {grid_of({{"implementation", words}, {"origin", words}, {"", words}},
                                     std::move(implementations)),
                             Paragraph{origins_explained}, parameters_of(model.axes, model),
                             outcome_figures_of(model), stages_of(model)}};
  if (!figures.empty()) {
    document.body.emplace_back(grid_of({{"plot", words}, {"", words}}, std::move(figures)));
  }
  return document;
}

/// A source as the compiler names it, which may be from the folder of the build.
std::string from_root(const std::string& source) {
  const std::size_t folder = source.rfind("implementations/");
  return folder == std::string::npos ? source : source.substr(folder);
}

std::string where_it_runs(RunsOn runs_on) {
  return runs_on == RunsOn::gpu   ? "on a GPU"
         : runs_on == RunsOn::cpu ? "on the CPU"
                                  : "on the CPU, by other processes";
}

Document document_of(const Implementation& implementation) {
  const Model& model = *implementation.its_model;
  const std::string why = implementation.unavailable();
  std::vector<Row> facts{
      {{"model", model.summary}},
      {{"origin", to_string(implementation.origin)}},
      {{"runs", where_it_runs(implementation.runs_on) +
                    (why.empty() ? ", here too" : "; not here: " + why)}},
      {{"source",
        implementation.folder.empty() ? from_root(implementation.source) : implementation.folder}}};
  const std::vector<std::string> stages = model.stages_of(implementation.name);
  if (!stages.empty()) facts.push_back({{"stages", fmt::format("{}", fmt::join(stages, ", "))}});
  const auto has_size = std::ranges::count(implementation.axes, model.size_axis, &Axis::name) > 0;
  const std::string size = has_size && !model.trial_sizes.empty()
                               ? fmt::format(" --{} {}", model.size_axis, model.trial_sizes.front())
                               : "";
  facts.push_back({{"try", fmt::format("macrobench run {}{}", implementation.id(), size)}});
  return {.title = fmt::format("{}: {}", implementation.id(), implementation.summary),
          .body = {grid_of({{"what", words}, {"", words}}, std::move(facts)),
                   Paragraph{origins_explained}, parameters_of(implementation.axes)}};
}

Document document_of(const std::vector<Manifest>& programs) {
  std::vector<Row> rows;
  for (const Manifest& program : programs) {
    const std::string why = program.unavailable();
    rows.push_back({{program.id(), why.empty() ? "ready" : why, program.summary}});
  }
  return {.title = "Programs",
          .body = {grid_of({{"program", words}, {"here", words}, {"", words}}, std::move(rows))}};
}

ordered_json as_json(const std::vector<Manifest>& programs) {
  ordered_json list = ordered_json::array();
  for (const Manifest& program : programs) {
    list.push_back({{"name", program.id()},
                    {"folder", program.folder.string()},
                    {"digest", program.digest},
                    {"why_not", program.unavailable()},
                    {"summary", program.summary}});
  }
  return list;
}

template <class Listed>
Output output_of(const Listed& listed) {
  return {.document = [&listed] { return document_of(listed); },
          .json = [&listed] { return as_json(listed); }};
}

Output output_of(const std::string& name) {
  const Registry& registry = Registry::global();
  if (name.empty()) return output_of(registry);
  if (name.find('/') != std::string::npos) return output_of(registry.implementation(name));
  if (const Model* model = registry.find_model(name)) return output_of(*model);
  std::vector<std::string> known;
  for (const Model& model : registry.models()) known.push_back(model.name);
  for (const ListTopic& topic : list_topics()) {
    if (topic.name == name) return topic.output();
    known.push_back(topic.name);
  }
  throw UsageError(unknown_name("model or list", name, known));
}

// --- programs from outside ---------------------------------------------------------------------

const RegisterListTopic programs{{.name = "programs",
                                  .summary = "solvers in other languages, and which are ready",
                                  .output = [] { return output_of(found_programs().programs); }}};

const Manifest& program_named(const std::string& name) {
  std::vector<std::string> known;
  for (const Manifest& program : found_programs().programs) {
    if (program.id() == name) return program;
    known.push_back(program.id());
  }
  throw UsageError(unknown_name("program", name, known));
}

/// Sets up those that are named; all if none is.
ExitCode set_up_programs(const std::vector<std::string>& names) {
  std::vector<const Manifest*> chosen;
  for (const std::string& name : names) chosen.push_back(&program_named(name));
  if (names.empty()) {
    for (const Manifest& program : found_programs().programs) chosen.push_back(&program);
  }
  ExitCode code = ExitCode::ok;
  for (const Manifest* program : chosen) {
    std::string why = program->untried.empty() ? "" : program->unavailable();
    try {
      if (why.empty()) set_up(*program);
      why = program->unavailable();
    } catch (const Failure& error) {
      why = error.what();
      code = ExitCode::failed;
    }
    print_line(stdout, "{}: {}", program->id(), why.empty() ? "ready" : why);
  }
  return code;
}

// --- the command -------------------------------------------------------------------------------

ExitCode list(const Flags& flags) {
  const std::string name = flags.names.empty() ? "" : flags.names.front();
  if (flags.set_up) {
    if (name != "programs") throw UsageError("--setup is for programs: list programs --setup");
    return set_up_programs({flags.names.begin() + 1, flags.names.end()});
  }
  if (flags.names.size() > 1) throw UsageError("list takes one name, or programs --setup NAME ...");
  flags.output.print(output_of(name));
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "list",
     .summary = "Models, implementations, parameters, programs, tables and claims",
     .example = "  macrobench list\n"
                "  macrobench list rbc\n"
                "  macrobench list rbc/frontier\n"
                "  macrobench list programs --setup rbc/numpy newton/numpy\n"
                "  macrobench list --json | jq .models[].implementations[].name",
     .rank = 50},
    [](Flags& flags, Options& app) {
      app.add_option("name", flags.names,
                     "A model, an implementation, programs, tables or claims; all models if none",
                     {.type_name = "NAME", .values = {{0, 1000}}});
      app.add_flag(
          "--setup", flags.set_up,
          "Run the set-up of the programs that follow, or of all, unless that was done: it "
          "may fetch packages");
      flags.output.add_to(app, {"text", "md", "html", "json"});
    },
    list};

}  // namespace

RegisterListTopic::RegisterListTopic(ListTopic topic) {
  topics().push_back(std::move(topic));
}

std::vector<ListTopic> list_topics() {
  std::vector<ListTopic> all = topics();
  std::ranges::sort(all, {}, &ListTopic::name);
  return all;
}

}  // namespace macrobench
