#include "paper_tables/report/report_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "harness/model/registry.hpp"
#include "harness/records/machine.hpp"
#include "harness/text/error.hpp"
#include "harness/text/nearest.hpp"
#include "paper_tables/definitions/bounds.hpp"
#include "paper_tables/definitions/definitions.hpp"
#include "paper_tables/definitions/machine_cells.hpp"
#include "paper_tables/definitions/prices.hpp"
#include "paper_tables/tables/table.hpp"

namespace macrobench {

namespace {

/// No more than about so many rows: a curve through them looks the same.
PlotData thinned(const Curves& curves, std::size_t most) {
  PlotData data{.columns = curves.columns, .words = {}, .rows = {}};
  const std::size_t step = std::max<std::size_t>(1, curves.rows.size() / most);
  for (std::size_t i = 0; i < curves.rows.size(); ++i) {
    if (i % step != 0 && i + 1 != curves.rows.size()) continue;
    data.rows.emplace_back(curves.rows[i].begin(), curves.rows[i].end());
  }
  return data;
}

/// A surface's points, fewer at small k, where the grid lies so close that a mesh would be a blot:
/// of each scan those at which the square root of k reaches another of so many equal parts.
PlotData thinned_scans(const Curves& curves, std::size_t parts) {
  PlotData data{.columns = curves.columns, .words = {}, .rows = {}};
  double most = 0;
  for (const std::vector<double>& row : curves.rows) most = std::max(most, row[0]);
  std::pair<double, int> last{std::numeric_limits<double>::quiet_NaN(), 0};
  for (const std::vector<double>& row : curves.rows) {
    const std::pair<double, int> at{
        row[1], static_cast<int>(static_cast<double>(parts) * std::sqrt(row[0] / most))};
    if (at != last) data.rows.emplace_back(row.begin(), row.end());
    last = at;
  }
  return data;
}

bool is_evidence(const Cell& cell) {
  return cell.value && (cell.status == Status::measured || cell.status == Status::computed);
}

/// What a line's processor costs: of a single core its part of the processor's price.
std::optional<double> price_of(LinePrice of, const Prices& prices) {
  switch (of) {
    case LinePrice::gpu:
      return prices.gpu_usd;
    case LinePrice::cpu:
      return prices.cpu_usd;
    case LinePrice::core:
      return prices.cpu_usd ? std::optional(*prices.cpu_usd / prices.cpu_cores) : std::nullopt;
    case LinePrice::none:
      break;
  }
  return 1;
}

/// What the prices are and whose, for a caption.
std::string in_words(const Prices& published, const Prices& here) {
  std::string text = "Prices: in print ";
  text += published.gpu_usd && published.cpu_usd
              ? fmt::format(
                    "{:.2f} dollars for the GPU and {:.2f} for the CPU, a single core a "
                    "part of it ({}; {})",
                    *published.gpu_usd, *published.cpu_usd, published.gpu_usd_source,
                    published.cpu_usd_source)
              : "unknown";
  text += here.gpu_usd ? fmt::format("; here {:.2f} dollars for the GPU ({})", *here.gpu_usd,
                                     here.gpu_usd_source)
                       : "; paper_tables/papers/hardware.json has no price of this machine’s GPU, "
                         "so it has no line";
  if (!here.cpu_usd) text += "; nor has it one of this machine’s CPU";
  return text;
}

/// Draws one figure, whatever it is of.
class FigureMaker {
 public:
  FigureMaker(const FigureDefinition& figure, Definitions& all, const Lookup& lookup,
              const Machine& machine)
      : figure_(figure), all_(all), lookup_(lookup), machine_(machine), plot_(figure.plot) {}

  Plot make() {
    if (!figure_.sizes.empty()) plot_.data.columns = {figure_.x};
    for (const double size : figure_.sizes) plot_.data.rows.push_back({size});
    for (std::size_t p = 0; p < plot_.panels.size(); ++p) {
      for (const FigureLine& line : figure_.lines[p]) {
        if (line.cells.empty()) {
          add_curve(line, plot_.panels[p]);
        } else {
          add_cells(line, plot_.panels[p]);
        }
      }
    }
    return std::move(plot_);
  }

 private:
  static PlotLine styled(const FigureLine& line, std::size_t column) {
    PlotLine style = line.style;
    style.y = column;
    return style;
  }

  void add_curve(const FigureLine& line, PlotPanel& panel) {
    PlotData& data = plot_.data;
    const PlotData& curves = curves_of(line);
    const std::size_t given = panel.kind == PanelKind::surface ? 2 : 1;
    if (data.columns.empty()) {
      data.columns.assign(curves.columns.begin(), curves.columns.begin() + given);
      for (const auto& row : curves.rows) data.rows.emplace_back(row.begin(), row.begin() + given);
    }
    const auto found = std::ranges::find(curves.columns, line.column);
    if (found == curves.columns.end()) {
      throw UsageError(
          fmt::format("{}: {}", line.place, unknown_name("column", line.column, curves.columns)));
    }
    if (curves.rows.size() != data.rows.size()) {
      throw UsageError(fmt::format("{}: its curve has {} points, and the first one {}", line.place,
                                   curves.rows.size(), data.rows.size()));
    }
    panel.lines.push_back(styled(line, data.columns.size()));
    data.columns.push_back(line.called);
    const auto column = static_cast<std::size_t>(found - curves.columns.begin());
    for (std::size_t i = 0; i < data.rows.size(); ++i) {
      data.rows[i].push_back(curves.rows[i][column]);
    }
  }

  /// The model's own figure, thinned.
  const PlotData& curves_of(const FigureLine& line) {
    const auto known = curves_.find(line.curves);
    if (known != curves_.end()) return known->second;
    const Curves curves =
        line.curves->curves(complete(line.model->axes, figure_.parameters, available_cores()));
    return curves_[line.curves] = figure_.scans ? thinned_scans(curves, *figure_.scans)
                                                : thinned(curves, figure_.points);
  }

  /// Three columns of the data, once for all panels, and the lines that show them.
  void add_cells(const FigureLine& line, PlotPanel& panel) {
    const auto [known, is_new] = columns_.try_emplace(line.called, plot_.data.columns.size());
    if (is_new) add_columns(line);
    const std::size_t first = known->second;
    panel.lines.push_back(styled(line, first));
    panel.lines.back().stroke = Stroke::dashed;
    panel.lines.push_back(styled(line, first + 1));
    panel.lines.back().title.clear();
    panel.lines.push_back(
        {.y = first + 2, .title = "", .colour = line.style.colour, .stroke = Stroke::dotted});
  }

  void add_columns(const FigureLine& line) {
    for (const char* kind : {"published", "measured", "extrapolated"}) {
      plot_.data.columns.push_back(fmt::format("{}, {}", line.called, kind));
    }
    if (line.price != LinePrice::none) read_prices(*line.cells.front().row.table);
    const std::optional<double> in_print = price_of(line.price, published_);
    const std::optional<double> now = price_of(line.price, here_);
    std::vector<Cell> cells;
    for (const CellPlace& cell : line.cells) cells.push_back(row_of(cell.row).cells[cell.column]);
    const auto is_extrapolated = [&](std::size_t i) {
      return i < cells.size() && cells[i].status == Status::extrapolated;
    };
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const CellPlace& at = line.cells[i];
      const std::optional<double> number =
          printed_number(at.row.row->published[at.column].value_or(""));
      const bool is_measured = is_evidence(cells[i]);
      // The line to what is extrapolated begins at the last measured cell.
      const bool leads_there = is_extrapolated(i) || (is_measured && is_extrapolated(i + 1));
      std::vector<std::optional<double>>& row = plot_.data.rows[i];
      row.push_back(shown(number, in_print));
      row.push_back(shown(is_measured ? cells[i].value : std::nullopt, now));
      row.push_back(shown(leads_there ? cells[i].value : std::nullopt, now));
    }
  }

  [[nodiscard]] std::optional<double> shown(std::optional<double> number,
                                            std::optional<double> times) const {
    if (!number || !times) return std::nullopt;
    const double value = *number * *times;
    return figure_.square_roots ? std::sqrt(value) : value;
  }

  const TableRow& row_of(const RowPlace& place) {
    const auto known = rows_.find(place.row);
    if (known != rows_.end()) return known->second;
    return rows_[place.row] = make_row(*place.table, *place.row, all_, lookup_, machine_);
  }

  /// Those of the machine in print and of this one; the caption says them.
  void read_prices(const Definition& table) {
    const std::size_t at = plot_.caption.find(prices_in_caption);
    if (at == std::string::npos) return;  // they are known
    published_ = prices_of(all_.folder(), "published", table.hardware);
    here_ = prices_of(all_.folder(), "name", gpu_name(machine_));
    plot_.caption.replace(at, prices_in_caption.size(), in_words(published_, here_));
  }

  const FigureDefinition& figure_;
  Definitions& all_;
  const Lookup& lookup_;
  const Machine& machine_;
  Plot plot_;
  Prices published_;
  Prices here_;
  std::map<const Figure*, PlotData> curves_;
  std::map<std::string, std::size_t> columns_;  ///< by what the lines of cells are called
  std::map<const RowDefinition*, TableRow> rows_;
};

}  // namespace

std::vector<Plot> paper_plots(Definitions& all, const Lookup& lookup, const Machine& machine) {
  std::vector<Plot> plots;
  for (const FigureDefinition& figure : read_figures(all.folder(), all)) {
    plots.push_back(FigureMaker(figure, all, lookup, machine).make());
  }
  return plots;
}

Plot speed_up_plot(const std::vector<Comparison>& comparisons) {
  Plot plot{
      .name = "speed_up",
      .title = "How many times faster than the published machines",
      .reading = "circles: on the GPU; squares: on the CPU; bars: the slowest to the fastest cell",
      .caption =
          "Published over measured times: geometric means over the cells of each table "
          "that were measured here and have a valid outcome, on a logarithmic axis; at 1 a "
          "machine is as fast as the one in print. Source: the tables below.",
      .data = {.columns = {"table", "GPU", "GPU, lowest", "GPU, highest", "CPU", "CPU, lowest",
                           "CPU, highest"},
               .words = {},
               .rows = {}},
      .panels = {}};
  for (const Comparison& comparison : comparisons) {
    for (const ComparedTable& table : comparison.tables) {
      std::vector<std::optional<double>> row(6);
      bool has_cells = false;
      for (const MeanRatio& mean : table.means) {
        if (mean.cells == 0) continue;
        has_cells = true;
        const std::size_t at = mean.is_gpu ? 0 : 3;
        row[at] = mean.ratio;
        row[at + 1] = mean.lowest;
        row[at + 2] = mean.highest;
      }
      if (!has_cells) continue;
      plot.data.words.push_back(table.id);
      plot.data.rows.push_back(std::move(row));
    }
  }
  plot.height = 130 + 34 * static_cast<int>(std::max<std::size_t>(4, plot.data.rows.size()));
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
