// macrobench figures: what the papers plot, as data and SVG.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "harness/command_line/command.hpp"
#include "harness/command_line/output_options.hpp"
#include "harness/files/output_folder.hpp"
#include "harness/machine/machine.hpp"
#include "harness/model/registry.hpp"
#include "harness/records/results_folder.hpp"
#include "harness/text/each.hpp"
#include "harness/text/json_values.hpp"
#include "harness/text/known_value.hpp"
#include "harness/text/nearest.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/table_options.hpp"
#include "paper_tables/figures/paper_figures.hpp"
#include "paper_tables/plots/plot.hpp"
#include "paper_tables/report/precision_figure.hpp"
#include "paper_tables/times/times.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

struct Flags {
  std::string folder;
  std::string results;
  std::string definitions;
  OutputOptions output;
};

/// A figure that a model computes, one that the papers' figures describe, or both.
struct Chosen {
  std::string name;  ///< "aldrich_2014/figure_3"
  std::string summary;
  const Model* model = nullptr;
  const Figure* figure = nullptr;
  std::optional<Plot> listed = {};  ///< without curves
  bool is_whole = false;            ///< listed is all of it
};

std::vector<Chosen> all_figures(std::vector<Plot> listed, std::vector<Plot> of_records) {
  std::vector<Chosen> all;
  for (const Model& model : Registry::global().models()) {
    for (const Figure& figure : model.figures) {
      all.push_back({figure.name, figure.summary, &model, &figure});
    }
  }
  for (Plot& plot : listed) {
    const std::string name = id_of(plot);
    const auto known = std::ranges::find(all, name, &Chosen::name);
    if (known == all.end()) {
      all.push_back({.name = name, .summary = plot.title, .listed = std::move(plot)});
    } else {
      known->summary = plot.title;
      known->listed = std::move(plot);
    }
  }
  for (Plot& plot : of_records) {
    const std::string name = id_of(plot);
    all.push_back(
        {.name = name, .summary = plot.title, .listed = std::move(plot), .is_whole = true});
  }
  std::ranges::sort(all, {}, &Chosen::name);
  return all;
}

std::vector<Chosen> choose(std::vector<Chosen> all, const std::vector<std::string>& names) {
  if (names.empty()) return all;
  std::vector<Chosen> chosen;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(all, name, &Chosen::name);
    if (found == all.end())
      throw UsageError(unknown_name("figure", name, each(all, &Chosen::name)));
    chosen.push_back(*found);
  }
  return chosen;
}

Parameters parameters_for(const Chosen& chosen, const AxisOptions& options) {
  if (chosen.model == nullptr) {
    options.check_names({});
    return {};
  }
  return options.parameters(chosen.model->axes);
}

Curves curves_of(const Chosen& chosen, const Parameters& given) {
  const Parameters parameters = complete(chosen.model->axes, given, available_cores());
  chosen.model->check(parameters);
  return chosen.figure->curves(parameters);
}

std::string to_csv(const Curves& curves) {
  std::string text = fmt::format("{}\n", fmt::join(curves.columns, ","));
  for (const std::vector<double>& row : curves.rows) {
    text += fmt::format("{:.9g}\n", fmt::join(row, ","));
  }
  return text;
}

/// A curve for each column over the first.
Plot plot_of(const Chosen& chosen, const Curves& curves) {
  constexpr std::array<const char*, 7> colours{
      okabe_ito::blue,   okabe_ito::vermillion, okabe_ito::green, okabe_ito::purple,
      okabe_ito::orange, okabe_ito::sky_blue,   okabe_ito::black};
  Plot plot{.name = "figure",
            .title = chosen.summary,
            .reading = "",
            .caption = "",
            .data = {.columns = curves.columns},
            .panels = {{.title = "", .x_label = curves.columns.front(), .y_label = ""}}};
  for (const std::vector<double>& row : curves.rows) {
    plot.data.rows.emplace_back(row.begin(), row.end());
  }
  for (std::size_t i = 1; i < curves.columns.size(); ++i) {
    plot.panels.front().lines.push_back(
        {.y = i,
         .title = curves.columns[i],
         .colour = colours[(i - 1) % colours.size()],
         .stroke = static_cast<Stroke>((i - 1) / colours.size() % 3)});
  }
  return plot;
}

/// Makes figures with the numbers of one machine.
class Drawer {
 public:
  explicit Drawer(const Flags& flags) : definitions_(flags.definitions) {
    // Without any the papers' own numbers are drawn.
    const bool has_any =
        !flags.results.empty() || has_records(own_folder(usual_results, this_machine()));
    MachineResults machine;
    if (has_any) machine = read_machine_results(flags.results);
    machine_ = machine.machine;
    lookup_ = lookup_in(machine.results);
    results_ = std::move(machine.results);
  }

  [[nodiscard]] std::vector<Chosen> all() {
    return all_figures(paper_plots(definitions_, lookup_, machine_, Curving::no),
                       precision_plots(times_of(results_).work_precision));
  }

  [[nodiscard]] Plot plot(const Chosen& chosen, const Parameters& given) {
    if (chosen.is_whole) return known_value(chosen.listed);
    return chosen.listed
               ? paper_plot(known_value(chosen.listed), definitions_, lookup_, machine_, given)
               : plot_of(chosen, curves_of(chosen, given));
  }

  /// A model's figure with all its points.
  [[nodiscard]] std::string csv(const Chosen& chosen, const Parameters& given) {
    return chosen.figure == nullptr ? to_csv(known_value(chosen.listed))
                                    : to_csv(curves_of(chosen, given));
  }

  [[nodiscard]] nlohmann::ordered_json json(const Chosen& chosen, const Parameters& given) {
    nlohmann::ordered_json json{{"name", chosen.name}, {"summary", chosen.summary}};
    if (chosen.figure != nullptr) {
      const Curves curves = curves_of(chosen, given);
      json.update({{"columns", curves.columns}, {"rows", curves.rows}});
      return json;
    }
    const auto number_or_null = [](const std::optional<double>& number) { return or_null(number); };
    json["columns"] = known_value(chosen.listed).data.columns;
    json["rows"] = each(known_value(chosen.listed).data.rows, [&](const auto& row) {
      return nlohmann::ordered_json(each(row, number_or_null));
    });
    return json;
  }

 private:
  Definitions definitions_;
  Results results_;
  Machine machine_;
  Lookup lookup_;
};

void write(const Chosen& chosen, const std::string& csv, const Plot& plot, const fs::path& folder) {
  const fs::path file = chosen.name;
  const OutputFolder out = OutputFolder(folder).folder(file.parent_path().string());
  const std::string name = file.filename().string();
  out.write(name + ".csv", csv);
  const std::string svg = to_svg_file(plot);
  if (!svg.empty()) {
    out.write(name + ".svg", svg);
  } else if (!plot.panels.empty()) {
    print_line(stdout, "{}.csv: nothing to draw", (folder / file).string());
  }
}

Document list_of(const std::vector<Chosen>& all) {
  const auto item = [](const Chosen& one) { return ListItem{one.name + ": " + one.summary}; };
  return {.body = {List{each(all, item)},
                   Paragraph{"macrobench figures NAME prints one's data; with --folder it is "
                             "drawn too."}}};
}

ExitCode figures(const Flags& flags, const AxisOptions& options) {
  Drawer drawer(flags);
  const std::vector<Chosen> chosen = choose(drawer.all(), options.names);
  if (flags.folder.empty() && options.names.empty() && !flags.output.is_json()) {
    fmt::print("{}", to_terminal(list_of(chosen)));
    return ExitCode::ok;
  }
  nlohmann::ordered_json json{{"schema", 1}, {"figures", nlohmann::ordered_json::array()}};
  for (const Chosen& one : chosen) {
    const Parameters given = parameters_for(one, options);
    if (!flags.folder.empty()) {
      write(one, drawer.csv(one, given), drawer.plot(one, given), flags.folder);
    } else if (flags.output.is_json()) {
      json["figures"].push_back(drawer.json(one, given));
    } else {
      fmt::print("{}", drawer.csv(one, given));
    }
  }
  if (!flags.folder.empty()) {
    print_line(stdout, "{} {} in {}", chosen.size(), chosen.size() == 1 ? "figure" : "figures",
               flags.folder);
  } else if (flags.output.is_json()) {
    fmt::print("{}", to_text(json));
  }
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "figures",
     .summary = "The papers' plots, as CSV and SVG",
     .example =
         "  macrobench figures aldrich_2014/figure_4\n"
         "  macrobench figures oswald_tutorial/period_1 --nx 150 --ne 5 --format csv\n"
         "  macrobench figures --folder results/figures\n"
         "It prints a figure's data, and lists the figures if none is named.\n"
         "rbc/work_precision and its like show cases solved to three tolerances or more.\n"
         "A figure of times has this machine's beside the published ones. Every parameter of a\n"
         "figure's model is an option.",
     .rank = 24},
    [](Flags& flags, Options& app) {
      app.add_option("--folder", flags.folder,
                     "Write FOLDER/<paper>/<figure>.csv and, as drawn, .svg");
      flags.output.add_to(app, {"csv", "json"});
      add_results_option(app, flags.results);
      add_definitions_option(app, flags.definitions);
    },
    figures};

}  // namespace

}  // namespace macrobench
