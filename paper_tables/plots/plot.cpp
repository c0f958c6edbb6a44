#include "paper_tables/plots/plot.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "harness/text/csv.hpp"

namespace macrobench {

namespace {

constexpr int width = 960;

/// A gnuplot string. Within single quotes nothing is substituted; a line must end outside them.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\n') {
      result += "'.\"\\n\".'";
    } else {
      result += c == '\'' ? "''" : std::string(1, c);
    }
  }
  return result + "'";
}

/// A marker at every point if there are few, or at about a dozen if there are many.
std::string style_of(const PlotLine& line, PanelKind kind, std::size_t points) {
  constexpr std::array<int, 3> dashes{1, 2, 3};
  std::string style =
      fmt::format("lc rgb '{}' lw {} dt {}", line.colour, kind == PanelKind::surface ? 1 : 2,
                  dashes[static_cast<std::size_t>(line.stroke)]);
  if (line.marker) {
    const int open = 4 + 2 * *line.marker;
    style += fmt::format(" pt {} ps 0.8", line.stroke == Stroke::dashed ? open : open + 1);
    if (kind == PanelKind::curves) style += fmt::format(" pi {}", points / 12 + 1);
  }
  if (kind == PanelKind::ranges) return "with xerrorbars " + style;
  return (line.marker ? "with linespoints " : "with lines ") + style;
}

/// The data that a line shows, in gnuplot's columns, which count from 1.
std::string columns_of(const PlotLine& line, PanelKind kind, std::size_t index) {
  if (kind == PanelKind::surface) return fmt::format("1:2:{}", line.y + 1);
  if (kind == PanelKind::ranges) {
    return fmt::format("{}:(-$0-{:.2f}):{}:{}{}", line.y + 1, 0.24 * static_cast<double>(index),
                       line.y + 2, line.y + 3, index == 0 ? ":yticlabels(1)" : "");
  }
  return fmt::format("{}:{}", line.x + 1, line.y + 1);
}

std::string title_of(const PlotLine& line) {
  return line.title.empty() ? "notitle" : "title " + quoted(line.title);
}

std::string script_of(const PlotPanel& panel, const std::string& name, std::size_t points) {
  std::string text = fmt::format(
      "set title {}\nset xlabel {}\nset format x{}\n{} logscale x\n{} logscale y\n"
      "set autoscale\n",
      quoted(panel.title), quoted(panel.x_label), panel.x_counts ? " '%.0s%c'" : "",
      panel.log_x ? "set" : "unset", panel.log_y ? "set" : "unset");
  switch (panel.kind) {
    case PanelKind::surface:
      text += fmt::format(
          "set ylabel {}\nset zlabel {} rotate by 90 offset 2,0\nset hidden3d\n"
          "set view 60,40,1,1.3\nset xyplane 0.1\nset xtics 500 offset -1,-0.4\n"
          "set ytics 10 offset 1,-0.3\nset ztics 4\nunset key\nsplot",
          quoted(panel.y_label), quoted(panel.lines.front().title));
      break;
    case PanelKind::ranges:
      // At 1, it is as fast as the other.
      text +=
          "unset ylabel\nset offsets 0,0,0.4,0.4\nset xrange [*<1:1<*]\n"
          "set arrow from 1, graph 0 to 1, graph 1 nohead lc rgb '#777777' lw 1.5 dt 2\nplot";
      break;
    case PanelKind::curves:
      // Keep points off the frame, where they would be cut off or look like a tick.
      text += fmt::format("set ylabel {}\n{}plot", quoted(panel.y_label),
                          panel.log_x ? "set offsets graph 0.05, graph 0.05, 0, 0\n" : "");
      break;
  }
  std::vector<std::string> curves;
  for (const PlotLine& line : panel.lines) {
    curves.push_back(fmt::format("\\\n  '{}.csv' skip 1 using {} {} {}", name,
                                 columns_of(line, panel.kind, curves.size()),
                                 style_of(line, panel.kind, points), title_of(line)));
  }
  return text + fmt::format(" {}\n", fmt::join(curves, ", "));
}

/// A key below all panels: an empty graph as wide as the figure, because gnuplot has a key for
/// every panel but none for several.
std::string common_key(const PlotPanel& panel) {
  std::vector<std::string> lines;
  for (const PlotLine& line : panel.lines) {
    if (line.title.empty()) continue;
    lines.push_back(
        fmt::format("\\\n  NaN {} {}", style_of(line, PanelKind::curves, 0), title_of(line)));
  }
  return fmt::format(
      "set origin 0,0\nset size 1,1\nset key at screen 0.5,0.02 center bottom horizontal\n"
      "unset border\nunset tics\nunset title\nunset xlabel\nunset ylabel\nunset logscale\n"
      "plot [0:1] [0:1] {}\n",
      fmt::join(lines, ", "));
}

bool is_surface(const Plot& plot) {
  return std::ranges::any_of(
      plot.panels, [](const PlotPanel& panel) { return panel.kind == PanelKind::surface; });
}

}  // namespace

std::string to_csv(const Plot& plot) {
  const bool scans = is_surface(plot);
  std::string text = csv_line(plot.data.columns);
  for (std::size_t i = 0; i < plot.data.rows.size(); ++i) {
    const auto& row = plot.data.rows[i];
    if (scans && i > 0 && row[1] != plot.data.rows[i - 1][1]) text += "\n";
    std::vector<std::string> fields;
    if (!plot.data.words.empty()) fields.push_back(plot.data.words[i]);
    for (const std::optional<double>& number : row) {
      fields.push_back(number && std::isfinite(*number) ? fmt::format("{:.7g}", *number) : "");
    }
    text += csv_line(fields);
  }
  return text;
}

std::string gnuplot_script(const Plot& plot) {
  const std::size_t panels = plot.panels.size();
  const std::size_t across = panels == 1 ? 1 : 2;
  const std::size_t down = (panels + across - 1) / across;
  const int height = static_cast<int>(down) * plot.height;
  std::string text = fmt::format(
      "# gnuplot {0}.gp, beside {0}.csv, makes {0}.pdf\n"
      "set terminal pdfcairo noenhanced size 24cm,{1:.1f}cm font 'sans-serif,11'\n"
      "set output '{0}.pdf'\n"
      "set datafile separator ','\nset tics nomirror\nset grid lc rgb '#cccccc' lw 0.7\n"
      "set key outside right center Left reverse samplen 3 spacing 1.1\n"
      "set multiplot layout {2},{3} title {4}\n",
      plot.name, 24.0 * height / width, down, across,
      quoted(plot.reading.empty() ? plot.title : plot.title + "\n" + plot.reading));
  const bool has_common_key = panels > 1 && !is_surface(plot);
  if (has_common_key) text += "unset key\nset bmargin 6\n";
  for (const PlotPanel& panel : plot.panels) {
    text += script_of(panel, plot.name, plot.data.rows.size());
  }
  if (has_common_key) text += common_key(plot.panels.front());
  return text + "unset multiplot\n";
}

void write_plot(const Plot& plot, const OutputFolder& out) {
  out.write(plot.name + ".csv", to_csv(plot));
  out.write(plot.name + ".gp", gnuplot_script(plot));
  const std::string svg = to_svg_file(plot);
  if (!svg.empty()) out.write(plot.name + ".svg", svg);
}

}  // namespace macrobench
