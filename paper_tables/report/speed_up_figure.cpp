#include "paper_tables/report/speed_up_figure.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "paper_tables/figures/titles.hpp"

namespace macrobench {

namespace {

/// That of whole solutions, or else the first that the table has.
Scope scope_shown(const ComparedTable& table) {
  for (const MeanRatio& mean : table.means) {
    if (mean.scope == Scope::solution && mean.cells > 0) return mean.scope;
  }
  const auto its =
      std::ranges::find_if(table.means, [](const MeanRatio& mean) { return mean.cells > 0; });
  return its == table.means.end() ? Scope::solution : its->scope;
}

}  // namespace

Plot speed_up_plot(const std::vector<Comparison>& comparisons, Definitions& all) {
  Plot plot{
      .name = "speed_up",
      .title = "How many times faster than the published machines",
      .reading = "circles: on the GPU; squares: on the CPU; bars: the slowest to the fastest cell",
      .caption =
          "Published over measured times: geometric means over the cells of each table "
          "that time a solution, or else another part of a run, "
          "and have a valid outcome, on a logarithmic axis; at 1 a "
          "machine is as fast as the published one. Source: the tables below.",
      .data = {.columns = {"table", "GPU", "GPU, lowest", "GPU, highest", "CPU", "CPU, lowest",
                           "CPU, highest"}}};
  for (const Comparison& comparison : comparisons) {
    for (const ComparedTable& table : comparison.tables) {
      std::vector<std::optional<double>> row(6);
      bool has_cells = false;
      for (const MeanRatio& mean : table.means) {
        if (mean.cells == 0 || mean.scope != scope_shown(table)) continue;
        has_cells = true;
        const std::size_t at = mean.is_gpu ? 0 : 3;
        row[at] = mean.ratio.value;
        row[at + 1] = mean.lowest;
        row[at + 2] = mean.highest;
      }
      if (!has_cells) continue;
      plot.data.words.push_back(short_title(all.get(table.id)));
      plot.data.rows.push_back(std::move(row));
    }
  }
  plot.panels = {{.title = "",
                  .x_label = "Times faster",
                  .y_label = "",
                  .log_x = true,
                  .kind = PanelKind::ranges,
                  .lines = {{.y = 1, .title = "GPU", .colour = okabe_ito::vermillion, .marker = 1},
                            {.y = 4, .title = "CPU", .colour = okabe_ito::blue, .marker = 0}}}};
  return plot;
}

}  // namespace macrobench
