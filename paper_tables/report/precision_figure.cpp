#include "paper_tables/report/precision_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "harness/text/format.hpp"
#include "harness/text/known_value.hpp"

namespace macrobench {

namespace {

constexpr std::array<const char*, 7> colours{
    okabe_ito::blue,   okabe_ito::vermillion, okabe_ito::green, okabe_ito::purple,
    okabe_ito::orange, okabe_ito::sky_blue,   okabe_ito::black};
constexpr std::size_t markers = 5;

/// The plot of the model, the last one if it is of it.
Plot& plot_of(std::vector<Plot>& plots, const WorkPrecision& one) {
  if (!plots.empty() && plots.back().paper == one.model) return plots.back();
  return plots.emplace_back(
      Plot{.name = one.model + "_work_precision",
           .paper = one.model,
           .title = "The cost of precision: " + one.model,
           .reading = "each point is a tolerance; to the left is more precise",
           .caption = "The residual is what the model's certificate found.",
           .data = {.columns = {}}});
}

PlotPanel& panel_of(Plot& plot, const WorkPrecision& one) {
  if (!plot.panels.empty() && plot.panels.back().title == one.problem) return plot.panels.back();
  return plot.panels.emplace_back(
      PlotPanel{.title = one.problem,
                .x_label = one.unit.empty() ? "certified residual"
                                            : fmt::format("certified residual, {}", one.unit),
                .y_label = "seconds per solution",
                .log_x = true,
                .log_y = true});
}

std::string note_of(const PrecisionPoint& point) {
  return fmt::format("tolerance {:.1e}: {}\nresidual {:.1e}, {} iterations{}", point.tolerance,
                     format_duration(known_value(point.time.value)), point.residual,
                     point.iterations, point.is_valid ? "" : ", invalid");
}

}  // namespace

std::vector<Plot> precision_plots(const std::vector<WorkPrecision>& all) {
  std::vector<Plot> plots;
  for (const WorkPrecision& one : all) {
    Plot& plot = plot_of(plots, one);
    PlotPanel& panel = panel_of(plot, one);
    const std::string name = one.problem + " " + one.implementation;
    const std::size_t column = plot.data.columns.size();
    const std::size_t number = panel.lines.size();
    plot.data.columns.push_back(name + ", residual");
    plot.data.columns.push_back(name + ", seconds");
    panel.lines.push_back({.x = column,
                           .y = column + 1,
                           .title = one.implementation,
                           .colour = colours[number % colours.size()],
                           .stroke = static_cast<Stroke>(number / colours.size() % 3),
                           .marker = static_cast<int>(number % markers)});
    if (plot.data.rows.size() < one.points.size()) plot.data.rows.resize(one.points.size());
    for (auto& row : plot.data.rows) row.resize(plot.data.columns.size());
    for (std::size_t i = 0; i < one.points.size(); ++i) {
      plot.data.rows[i][column] = one.points[i].residual;
      plot.data.rows[i][column + 1] = one.points[i].time.value;
      plot.data.notes[{i, column + 1}] = note_of(one.points[i]);
    }
  }
  for (Plot& plot : plots) {
    for (auto& row : plot.data.rows) row.resize(plot.data.columns.size());
  }
  return plots;
}

}  // namespace macrobench
