// macrobench figures: the papers' plots, as data.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <memory>
#include <system_error>

#include "harness/commands/axis_options.hpp"
#include "harness/commands/command.hpp"
#include "harness/model/registry.hpp"
#include "harness/records/machine.hpp"
#include "harness/system/whole_file.hpp"
#include "harness/text/nearest.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

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

std::string as_csv(const Curves& curves) {
  std::string text = fmt::format("{}\n", fmt::join(curves.columns, ","));
  for (const std::vector<double>& row : curves.rows) {
    text += fmt::format("{:.9g}\n", fmt::join(row, ","));
  }
  return text;
}

ExitCode figures(const std::string& folder, const std::vector<std::string>& arguments) {
  const AxisOptions options = parse_axis_options(arguments);
  for (const auto& [model, figure] : choose(options.names)) {
    Parameters given;
    for (const auto& [name, text] : options.values) {
      given.set(name, parse_value(find_axis(model->axes, name), text, available_cores()));
    }
    const Parameters parameters = complete(model->axes, given, available_cores());
    model->check(parameters);
    const std::string text = as_csv(figure->curves(parameters));
    if (folder.empty()) {
      fmt::print("{}", text);
    } else {
      const fs::path file = fs::path(folder) / (figure->name + ".csv");
      std::error_code failed;
      fs::create_directories(file.parent_path(), failed);
      if (failed) throw UsageError(fmt::format("{}: it cannot be written", file.string()));
      write_whole(file, text);
      fmt::print("{}: {}\n", file.string(), figure->summary);
    }
  }
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "figures",
     .summary = "What the papers plot, as CSV",
     .example =
         "  macrobench figures --folder results/figures\n"
         "  macrobench figures aldrich_2014/figure_3\n"
         "  macrobench figures oswald_tutorial/period_1 --nx 150 --ne 5\n"
         "Without --folder it is printed. Every parameter of the figure's model is an option.",
     .define = [](Options& app) -> std::function<ExitCode()> {
       const auto folder = std::make_shared<std::string>();
       app.allow_extras();
       app.add_option("--folder", *folder, "Write FOLDER/<paper>/<figure>.csv");
       return [folder, &app] { return figures(*folder, app.remaining()); };
     },
     .rank = 45}};

}  // namespace

}  // namespace macrobench
