// macrobench figures: the papers' plots, as data.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "harness/commands/command.hpp"
#include "harness/commands/output_options.hpp"
#include "harness/model/registry.hpp"
#include "harness/records/machine.hpp"
#include "harness/system/output_folder.hpp"
#include "harness/text/json_values.hpp"
#include "harness/text/nearest.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

struct Flags {
  std::string folder;
  OutputOptions output;
};

struct Chosen {
  const Model* model;
  const Figure* figure;
};

std::vector<Chosen> choose(const std::vector<std::string>& names) {
  std::vector<Chosen> all;
  std::vector<std::string> known;
  for (const Model& model : Registry::global().models()) {
    for (const Figure& figure : model.figures) {
      all.push_back({&model, &figure});
      known.push_back(figure.name);
    }
  }
  if (names.empty()) return all;
  std::vector<Chosen> chosen;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(known, name);
    if (found == known.end()) throw UsageError(unknown_name("figure", name, known));
    chosen.push_back(all[static_cast<std::size_t>(found - known.begin())]);
  }
  return chosen;
}

std::string to_csv(const Curves& curves) {
  std::string text = fmt::format("{}\n", fmt::join(curves.columns, ","));
  for (const std::vector<double>& row : curves.rows) {
    text += fmt::format("{:.9g}\n", fmt::join(row, ","));
  }
  return text;
}

Curves curves_of(const Chosen& chosen, const AxisOptions& options) {
  const std::vector<Axis>& axes = chosen.model->axes;
  const Parameters parameters = complete(axes, options.parameters(axes), available_cores());
  chosen.model->check(parameters);
  return chosen.figure->curves(parameters);
}

void write(const Figure& figure, const Curves& curves, const fs::path& folder) {
  const fs::path file = figure.name + ".csv";
  OutputFolder(folder)
      .folder(file.parent_path().string())
      .write(file.filename().string(), to_csv(curves));
  print_line(stdout, "{}: {}", (folder / file).string(), figure.summary);
}

ExitCode figures(const Flags& flags, const AxisOptions& options) {
  nlohmann::ordered_json json{{"schema", 1}, {"figures", nlohmann::ordered_json::array()}};
  for (const Chosen& chosen : choose(options.names)) {
    const Curves curves = curves_of(chosen, options);
    if (!flags.folder.empty()) {
      write(*chosen.figure, curves, flags.folder);
    } else if (flags.output.is_json()) {
      json["figures"].push_back({{"name", chosen.figure->name},
                                 {"summary", chosen.figure->summary},
                                 {"columns", curves.columns},
                                 {"rows", curves.rows}});
    } else {
      fmt::print("{}", to_csv(curves));
    }
  }
  if (flags.folder.empty() && flags.output.is_json()) fmt::print("{}", to_text(json));
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "figures",
     .summary = "What the papers plot, as data",
     .example =
         "  macrobench figures --folder results/figures\n"
         "  macrobench figures aldrich_2014/figure_3\n"
         "  macrobench figures oswald_tutorial/period_1 --nx 150 --ne 5\n"
         "Without --folder it is printed. Every parameter of the figure's model is an option.",
     .rank = 45},
    [](Flags& flags, Options& app) {
      app.add_option("--folder", flags.folder, "Write FOLDER/<paper>/<figure>.csv");
      flags.output.add_to(app, {"csv", "json"});
    },
    figures};

}  // namespace

}  // namespace macrobench
