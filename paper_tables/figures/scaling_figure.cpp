#include "paper_tables/figures/scaling_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/text/format.hpp"

namespace macrobench {

namespace {

/// The one of each implementation and axis whose first point took longest.
std::vector<const StrongScaling*> largest_of_each(const Scaling& scaling) {
  std::vector<const StrongScaling*> largest;
  for (const StrongScaling& one : scaling.strong) {
    const auto same = std::ranges::find_if(largest, [&](const StrongScaling* other) {
      return other->implementation == one.implementation && other->axis == one.axis;
    });
    if (same == largest.end()) {
      largest.push_back(&one);
    } else if (one.points.front().seconds > (*same)->points.front().seconds) {
      *same = &one;
    }
  }
  return largest;
}

std::string note_of(const ScalingPoint& point, const std::string& axis) {
  std::string note = fmt::format("{} {}: {}", point.count, axis, format_duration(point.seconds));
  if (point.is_crowded) note += ", crowded";
  if (const auto share = point.exchange_share()) {
    note += fmt::format("\n{:.3g}% in the exchange", 100 * *share);
  }
  return note;
}

/// What was measured, and the two columns after it.
std::vector<PlotLine> lines_from(std::size_t measured) {
  return {
      {.y = measured, .title = "measured", .colour = okabe_ito::blue, .marker = 1},
      {.y = measured + 1, .title = "ideal", .colour = okabe_ito::black, .stroke = Stroke::dotted},
      {.y = measured + 2,
       .title = "the model",
       .colour = okabe_ito::vermillion,
       .stroke = Stroke::dashed}};
}

}  // namespace

Plot scaling_plot(const Scaling& scaling) {
  Plot plot{.name = "scaling",
            .title = "One solution by several GPUs, ranks or processes",
            .reading =
                "filled: measured; dotted: ideal; dashed: the model, which alone speaks of "
                "more than were measured",
            .caption = "Of each implementation the largest problem that was measured.",
            .data = {.columns = {"count"}}};
  const std::vector<const StrongScaling*> all = largest_of_each(scaling);
  std::set<int> counts;
  for (const StrongScaling* one : all) {
    for (const auto* points : {&one->points, &one->predictions}) {
      for (const ScalingPoint& point : *points) counts.insert(point.count);
    }
  }
  std::map<int, std::size_t> row_of;
  for (const int count : counts) {
    row_of[count] = plot.data.rows.size();
    plot.data.rows.push_back({static_cast<double>(count)});
  }
  for (const StrongScaling* one : all) {
    const std::string name = fmt::format("{} {}", one->implementation, one->points.front().size);
    const std::size_t measured = plot.data.columns.size();
    for (const char* what : {"measured", "ideal", "model"}) {
      plot.data.columns.push_back(fmt::format("{}, {}", name, what));
    }
    for (auto& row : plot.data.rows) row.resize(plot.data.columns.size());
    const ScalingPoint& first = one->points.front();
    for (const auto* points : {&one->points, &one->predictions}) {
      for (const ScalingPoint& point : *points) {
        auto& row = plot.data.rows[row_of[point.count]];
        if (point.seconds > 0) {
          row[measured] = point.seconds;
          plot.data.notes[{row_of[point.count], measured}] = note_of(point, one->axis);
        }
        row[measured + 1] = first.seconds * first.count / point.count;
        row[measured + 2] = point.predicted;
      }
    }
    plot.panels.push_back({.title = name,
                           .x_label = one->axis,
                           .y_label = "seconds per solution",
                           .log_x = true,
                           .log_y = true,
                           .has_own_rows = true,
                           .lines = lines_from(measured)});
  }
  return plot;
}

}  // namespace macrobench
