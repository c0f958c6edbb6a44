#include "paper_tables/report/report_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string_view>

#include "harness/model/registry.hpp"
#include "harness/records/machine.hpp"
#include "paper_tables/definitions/bounds.hpp"

namespace macrobench {

namespace {

const std::string published_and_measured =
    "dashed, open: published; solid, filled: measured; dotted: extrapolated";

/// The model's own figure, with these parameters and the model's defaults.
Curves curves_of(std::string_view name, const Parameters& given = {}) {
  for (const Model& model : Registry::global().models()) {
    for (const Figure& figure : model.figures) {
      if (figure.name == name) {
        return figure.curves(complete(model.axes, given, available_cores()));
      }
    }
  }
  return {};
}

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
PlotData thinned_scans(const Curves& curves, int parts) {
  PlotData data{.columns = curves.columns, .words = {}, .rows = {}};
  double most = 0;
  for (const std::vector<double>& row : curves.rows) most = std::max(most, row[0]);
  std::pair<double, int> last{std::numeric_limits<double>::quiet_NaN(), 0};
  for (const std::vector<double>& row : curves.rows) {
    const std::pair<double, int> at{row[1], static_cast<int>(parts * std::sqrt(row[0] / most))};
    if (at != last) data.rows.emplace_back(row.begin(), row.end());
    last = at;
  }
  return data;
}

const Table* find_table(const std::vector<Table>& tables, std::string_view id) {
  const auto found = std::ranges::find_if(
      tables, [&](const Table& table) { return table.definition->id() == id; });
  return found == tables.end() ? nullptr : &*found;
}

const TableRow* find_row(const Table& table, std::string_view group, std::string_view row) {
  for (const TableGroup& its : table.groups) {
    if (!group.empty() && its.label != group) continue;
    for (const TableRow& one : its.rows) {
      if (one.definition->label == row) return &one;
    }
  }
  return nullptr;
}

std::optional<double> published_in(const TableRow& row, std::size_t column) {
  return printed_number(row.definition->published[column].value_or(""));
}

bool is_evidence(const Cell& cell) {
  return cell.value && (cell.status == Status::measured || cell.status == Status::computed);
}

std::optional<double> measured_in(const TableRow& row, std::size_t column) {
  return is_evidence(row.cells[column]) ? row.cells[column].value : std::nullopt;
}

/// Extrapolated cells, and the measured one that the line to them begins at.
std::optional<double> extrapolated_in(const TableRow& row, std::size_t column) {
  const auto is_extrapolated = [&](std::size_t i) {
    return i < row.cells.size() && row.cells[i].status == Status::extrapolated;
  };
  const bool leads_there = is_evidence(row.cells[column]) && is_extrapolated(column + 1);
  return is_extrapolated(column) || leads_there ? row.cells[column].value : std::nullopt;
}

/// Three columns of the data for each of some rows, and the lines that show them.
void add_lines(PlotPanel& panel, std::size_t first, const std::string& title,
               const std::string& colour, int marker) {
  panel.lines.push_back({.x = 0,
                         .y = first,
                         .title = title,
                         .colour = colour,
                         .stroke = Stroke::dashed,
                         .marker = marker});
  panel.lines.push_back({.x = 0, .y = first + 1, .title = "", .colour = colour, .marker = marker});
  panel.lines.push_back(
      {.x = 0, .y = first + 2, .title = "", .colour = colour, .stroke = Stroke::dotted});
}

void add_columns(PlotData& data, const std::string& name) {
  for (const char* kind : {"published", "measured", "extrapolated"}) {
    data.columns.push_back(fmt::format("{}, {}", name, kind));
  }
}

/// A line of Aldrich's Figures 4 and 5, in its colour there.
struct Method {
  const char* row;
  const char* colour;
  bool is_gpu;
  bool is_one_core;
};
constexpr std::array<Method, 5> methods{
    {{"Serial CPP", okabe_ito::black, false, true},
     {"Serial Matlab", okabe_ito::blue, false, true},
     {"Thrust/OpenMP (1-core)", okabe_ito::vermillion, false, true},
     {"Thrust/OpenMP (4-core)", okabe_ito::green, false, false},
     {"Thrust/CUDA", okabe_ito::orange, true, false}}};

/// What a method's processor costs: of a single core its part of the processor's price.
std::optional<double> price_of(const Method& method, const Prices& prices) {
  if (method.is_gpu) return prices.gpu_usd;
  if (!prices.cpu_usd) return std::nullopt;
  return method.is_one_core ? *prices.cpu_usd / prices.cpu_cores : *prices.cpu_usd;
}

/// Square roots of times, each times its method's factor here and in print: none, no line.
using Factor = std::function<std::optional<double>(const Method&, bool here)>;

void fill_in_square_roots(Plot& plot, const Table& table, const std::string& y_label,
                          const Factor& factor) {
  plot.data.columns = {"Nk"};
  plot.panels = {{.title = "All methods",
                  .x_label = "Grid size Nk",
                  .y_label = y_label,
                  .x_counts = true,
                  .lines = {}},
                 {.title = "Without serial C++ and Matlab",
                  .x_label = "Grid size Nk",
                  .y_label = y_label,
                  .x_counts = true,
                  .lines = {}}};
  const std::size_t sizes = table.definition->columns.size();
  for (std::size_t i = 0; i < sizes; ++i) {
    const double nk = static_cast<double>(table.definition->columns[i].parameters.integer("nk"));
    plot.data.rows.push_back({nk});
  }
  for (std::size_t m = 0; m < methods.size(); ++m) {
    const Method& method = methods[m];
    const TableRow* row = find_row(table, "", method.row);
    if (row == nullptr) continue;
    const std::size_t first = plot.data.columns.size();
    add_columns(plot.data, method.row);
    const auto root = [&](const std::optional<double>& seconds, bool here) {
      const std::optional<double> times = factor(method, here);
      return seconds && times ? std::optional(std::sqrt(*seconds * *times)) : std::nullopt;
    };
    for (std::size_t i = 0; i < sizes; ++i) {
      std::vector<std::optional<double>>& line = plot.data.rows[i];
      line.push_back(root(published_in(*row, i), false));
      line.push_back(root(measured_in(*row, i), true));
      line.push_back(root(extrapolated_in(*row, i), true));
    }
    for (PlotPanel& panel : plot.panels) {
      const bool is_slow = m < 2;
      if (&panel == &plot.panels[1] && is_slow) continue;
      add_lines(panel, first, method.row, method.colour, static_cast<int>(m));
    }
  }
}

Plot aldrich_figure_4(const Table& table) {
  Plot plot{.name = "aldrich_2014_figure_4",
            .title = "Square root of solution times, RBC/VFI problem",
            .reading = published_and_measured,
            .caption =
                "Square root of the solution times of Table 2 against the grid size: a time "
                "that grows as the square of the grid is a straight line. Of Thrust/CUDA the "
                "start-up is counted. Matlab is GNU Octave here; a method without a line of "
                "its own was not run. Source: Aldrich (2014), Figure 4.",
            .data = {},
            .panels = {}};
  fill_in_square_roots(plot, table, "√seconds",
                       [](const Method&, bool) { return std::optional(1.0); });
  return plot;
}

Plot aldrich_figure_5(const Table& table, const Prices& published, const Prices& here) {
  std::string prices = "Prices: in print ";
  prices += published.gpu_usd && published.cpu_usd
                ? fmt::format(
                      "{:.2f} dollars for the GPU and {:.2f} for the CPU, a single core a "
                      "part of it ({}; {})",
                      *published.gpu_usd, *published.cpu_usd, published.gpu_usd_source,
                      published.cpu_usd_source)
                : "unknown";
  prices += here.gpu_usd
                ? fmt::format("; here {:.2f} dollars for the GPU ({})", *here.gpu_usd,
                              here.gpu_usd_source)
                : "; paper_tables/papers/hardware.json has no price of this machine’s GPU, so "
                  "it has no line";
  if (!here.cpu_usd) prices += "; nor has it one of this machine’s CPU";
  Plot plot{.name = "aldrich_2014_figure_5",
            .title = "Square root of solution times times the processor’s price",
            .reading = published_and_measured,
            .caption = fmt::format("The times of Figure 4, each times the price of what it ran on. "
                                   "{}. Source: Aldrich (2014), Figure 5.",
                                   prices),
            .data = {},
            .panels = {}};
  fill_in_square_roots(plot, table, "√(seconds × dollars)",
                       [&](const Method& method, bool is_here) {
                         return price_of(method, is_here ? here : published);
                       });
  return plot;
}

Plot aldrich_figure_3() {
  Plot plot{.name = "aldrich_2014_figure_3",
            .title = "Second-order polynomials ax² + 2.3x + 5.4, a from -0.9 to -0.1",
            .reading = "the darkest line is a = -0.1",
            .caption =
                "What Newton’s method maximizes, over the range in which every parabola has "
                "both of its roots. Source: Aldrich (2014), Figure 3.",
            .data = thinned(curves_of("aldrich_2014/figure_3"), 200),
            .panels = {}};
  PlotPanel panel{.title = "", .x_label = "x", .y_label = "ax² + 2.3x + 5.4", .lines = {}};
  constexpr std::array<Stroke, 3> strokes{Stroke::solid, Stroke::dashed, Stroke::dotted};
  const std::size_t count = plot.data.columns.size();
  for (std::size_t i = 1; i < count; ++i) {
    const int grey = static_cast<int>(170 * (count - 1 - i) / std::max<std::size_t>(1, count - 2));
    panel.lines.push_back({.x = 0,
                           .y = i,
                           .title = plot.data.columns[i],
                           .colour = fmt::format("#{0:02x}{0:02x}{0:02x}", grey),
                           .stroke = strokes[(count - 1 - i) % strokes.size()]});
  }
  plot.panels = {panel};
  return plot;
}

Plot hatcher_figure_1(const Table& table) {
  constexpr std::array<std::pair<double, const char*>, 3> panels{
      {{1e4, "10,000 agents"}, {5e5, "500,000 agents"}, {1e7, "10,000,000 agents"}}};
  constexpr std::array<const char*, 3> colours{okabe_ito::blue, okabe_ito::vermillion,
                                               okabe_ito::green};
  Plot plot{.name = "hatcher_scheffel_2014_figure_1",
            .title = "Speed-up of the double-precision GPU method",
            .reading = published_and_measured,
            .caption =
                "Relative gain T_CPU/T_GPU over one CPU thread, by the number of agents, for "
                "grids of nk(nK) points of individual and aggregate capital; both axes are "
                "logarithmic. Points without a neighbour are all that was run. Source: "
                "Hatcher and Scheffel (2014), Figure 1 and the numbers of Table 3.",
            .data = {.columns = {"agents"}, .words = {}, .rows = {}},
            .panels = {}};
  for (const auto& [agents, label] : panels) plot.data.rows.push_back({agents});
  for (const auto& [row_label, title] : {std::pair{"Panel Speedup", "Panel simulation"},
                                         std::pair{"Total Speedup", "Whole algorithm"}}) {
    PlotPanel& panel = plot.panels.emplace_back(PlotPanel{.title = title,
                                                          .x_label = "Number of agents",
                                                          .y_label = "Speed-up, times",
                                                          .x_counts = true,
                                                          .log_x = true,
                                                          .log_y = true,
                                                          .lines = {}});
    const std::size_t grids = std::min(colours.size(), table.definition->columns.size());
    for (std::size_t g = 0; g < grids; ++g) {
      const std::string grid = table.definition->columns[g].label;
      const std::size_t first = plot.data.columns.size();
      add_columns(plot.data, fmt::format("{}, {}", title, grid));
      for (std::size_t n = 0; n < panels.size(); ++n) {
        const TableRow* row = find_row(
            table, fmt::format("{}, software, double precision", panels[n].second), row_label);
        std::vector<std::optional<double>>& line = plot.data.rows[n];
        line.push_back(row == nullptr ? std::nullopt : published_in(*row, g));
        line.push_back(row == nullptr ? std::nullopt : measured_in(*row, g));
        line.push_back(row == nullptr ? std::nullopt : extrapolated_in(*row, g));
      }
      add_lines(panel, first, "nk(nK) = " + grid, colours[g], static_cast<int>(g));
    }
  }
  return plot;
}

constexpr std::array<std::pair<const char*, const char*>, 4> states{
    {{"bad, unemployed", okabe_ito::blue},
     {"bad, employed", okabe_ito::vermillion},
     {"good, unemployed", okabe_ito::sky_blue},
     {"good, employed", okabe_ito::orange}}};

Plot hatcher_surfaces() {
  const Parameters grid{{"nk", std::int64_t{100}}, {"nK", std::int64_t{20}}};
  Plot plot{.name = "hatcher_scheffel_2014_figure_b1",
            .title = "Policy function surfaces k' - k = h(k, K)",
            .reading = "",
            .caption =
                "Saving in each state of the aggregate and of employment, over individual "
                "capital k and aggregate capital K, solved on a grid of 100 by 20 points (500 by "
                "50 in print, which `macrobench figures hatcher_scheffel_2014/figure_b1 --nk "
                "500 --nK 50` computes), of which the mesh shows a quarter. The paper prints no "
                "numbers of it: the surfaces are "
                "ours. Source: Hatcher and Scheffel (2014), Figure B.1.",
            .height = 380,
            .data = thinned_scans(curves_of("hatcher_scheffel_2014/figure_b1", grid), 24),
            .panels = {}};
  for (std::size_t s = 0; s < states.size(); ++s) {
    plot.panels.push_back({.title = states[s].first,
                           .x_label = "k",
                           .y_label = "K",
                           .kind = PanelKind::surface,
                           .lines = {{.y = 2 + s, .title = "k' - k", .colour = states[s].second}}});
  }
  return plot;
}

/// B.2 and B.3: the surfaces' sections at K = 39.
Plot hatcher_sections(const std::string& figure, const std::string& number,
                      const std::string& whose) {
  Plot plot{
      .name = "hatcher_scheffel_2014_" + figure,
      .title = fmt::format("Policy functions k' - k = h(k, K = 39) of the {}", whose),
      .reading = "",
      .caption = fmt::format("Sections of the surfaces of Figure B.1. The paper prints no "
                             "numbers of it: the lines are ours. Source: Hatcher and Scheffel "
                             "(2014), Figure {}.",
                             number),
      .data = thinned(curves_of("hatcher_scheffel_2014/" + figure), 200),
      .panels = {}};
  PlotPanel panel{.title = "", .x_label = "Individual capital k", .y_label = "k' - k", .lines = {}};
  constexpr std::array<Stroke, 4> strokes{Stroke::dashed, Stroke::solid, Stroke::dashed,
                                          Stroke::solid};
  for (std::size_t s = 0; s < states.size(); ++s) {
    panel.lines.push_back({.x = 0,
                           .y = 1 + s,
                           .title = states[s].first,
                           .colour = states[s].second,
                           .stroke = strokes[s],
                           .marker = static_cast<int>(s)});
  }
  plot.panels = {panel};
  return plot;
}

/// The tutorial's plot of V over savings at two ages, as its code computes it and corrected.
Plot oswald_values() {
  constexpr std::array<std::pair<std::size_t, const char*>, 5> shocks{
      {{1, okabe_ito::black},
       {4, okabe_ito::blue},
       {8, okabe_ito::green},
       {12, okabe_ito::orange},
       {15, okabe_ito::vermillion}}};
  Plot plot{.name = "oswald_tutorial_values",
            .title = "Value functions at two ages",
            .reading =
                "dashed, open: as published, the expectation accumulates; solid, filled: "
                "corrected",
            .caption =
                "V(x, e) over savings x at the first age and at the one before the last, for "
                "five of the fifteen shocks e. As published, the expectation accumulates: the "
                "tutorial’s code never sets it back to zero between two savings tomorrow. "
                "Corrected, each begins at zero. The paper prints no numbers of it: both are "
                "ours. Source: Oswald, Using the GPU to do "
                "Value Function Iteration, the plot of period 1 and period T-1.",
            .data = {.columns = {"x"}, .words = {}, .rows = {}},
            .panels = {}};
  for (const auto& [age, title] :
       {std::pair{"period_1", "Period 1"}, std::pair{"period_T_minus_1", "Period T-1"}}) {
    PlotPanel& panel = plot.panels.emplace_back(
        PlotPanel{.title = title, .x_label = "Savings x", .y_label = "V(x, e)", .lines = {}});
    for (const bool is_corrected : {false, true}) {
      const PlotData values = thinned(
          curves_of(fmt::format("oswald_tutorial/{}{}", age, is_corrected ? "_corrected" : "")),
          100);
      plot.data.rows.resize(values.rows.size());
      for (std::size_t s = 0; s < shocks.size(); ++s) {
        const auto& [shock, colour] = shocks[s];
        if (shock >= values.columns.size()) continue;
        panel.lines.push_back({.x = 0,
                               .y = plot.data.columns.size(),
                               .title = is_corrected ? "e" + std::to_string(shock) : "",
                               .colour = colour,
                               .stroke = is_corrected ? Stroke::solid : Stroke::dashed,
                               .marker = static_cast<int>(s)});
        plot.data.columns.push_back(
            fmt::format("{}, e{}, {}", title, shock, is_corrected ? "corrected" : "as published"));
        for (std::size_t i = 0; i < values.rows.size(); ++i) {
          if (plot.data.rows[i].empty()) plot.data.rows[i].push_back(values.rows[i][0]);
          plot.data.rows[i].push_back(values.rows[i][shock]);
        }
      }
    }
  }
  return plot;
}

}  // namespace

std::vector<Plot> paper_plots(const std::vector<Table>& tables, const Prices& published,
                              const Prices& here) {
  std::vector<Plot> plots{aldrich_figure_3()};
  if (const Table* times = find_table(tables, "aldrich_2014/table_2")) {
    plots.push_back(aldrich_figure_4(*times));
    plots.push_back(aldrich_figure_5(*times, published, here));
  }
  if (const Table* speed_ups = find_table(tables, "hatcher_scheffel_2014/table_3")) {
    plots.push_back(hatcher_figure_1(*speed_ups));
  }
  plots.push_back(hatcher_surfaces());
  plots.push_back(hatcher_sections("figure_b2", "B.2", "poor"));
  plots.push_back(hatcher_sections("figure_b3", "B.3", "wealthy"));
  plots.push_back(oswald_values());
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
