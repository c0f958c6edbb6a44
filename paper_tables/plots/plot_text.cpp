// Draws a Plot for a terminal: curves in braille, eight dots a character, and marks on them.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "harness/text/strings.hpp"
#include "paper_tables/plots/plot.hpp"
#include "paper_tables/plots/plot_axis.hpp"

namespace macrobench {

namespace {

constexpr std::size_t labels = 9;  ///< columns left of the y axis
constexpr std::size_t rows = 18;   ///< of a panel

/// The style of a line's numbers.
std::string_view kind_of(const PlotLine& line) {
  constexpr std::array<std::string_view, 4> kinds{"", "published", "measured", "extrapolated"};
  return kinds.at(static_cast<std::size_t>(line.cells));
}

/// Square, circle, two triangles, diamond, as in an SVG; a line without a marker has a letter.
std::string mark_of(const PlotLine& line, std::size_t index) {
  constexpr std::array<const char*, 5> filled{"■", "●", "▲", "▼", "◆"};
  constexpr std::array<const char*, 5> open{"□", "○", "△", "▽", "◇"};
  if (!line.marker) return std::string(1, static_cast<char>('a' + static_cast<int>(index % 26)));
  const auto shape = static_cast<std::size_t>(*line.marker);
  return (line.stroke == Stroke::solid ? filled : open).at(shape);
}

/// A line that the key names.
bool is_in_key(const PlotData& data, const PlotLine& line) {
  return !line.title.empty() &&
         std::ranges::any_of(data.rows, [&](const auto& row) { return row[line.y].has_value(); });
}

std::string in_utf8(unsigned dots) {
  const unsigned code = 0x2800U + dots;
  return {static_cast<char>(0xE0U | (code >> 12U)),
          static_cast<char>(0x80U | ((code >> 6U) & 0x3FU)),
          static_cast<char>(0x80U | (code & 0x3FU))};
}

std::string without_spaces_at_end(const std::string& text) {
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

/// Characters of two by four dots each; the first row is the topmost.
class Canvas {
 public:
  Canvas(std::size_t columns, Colours colours)
      : columns_(columns), colours_(colours), cells_(columns * rows) {}

  void dot(int x, int y, std::string_view kind) {
    constexpr std::array<std::array<unsigned, 4>, 2> bits{{{1, 2, 4, 64}, {8, 16, 32, 128}}};
    Cell* cell = at(x, y);
    if (cell == nullptr) return;
    cell->dots |= bits[static_cast<std::size_t>(x % 2)][static_cast<std::size_t>(y % 4)];
    cell->kind = kind;
  }

  void mark(int x, int y, const std::string& symbol, std::string_view kind) {
    if (Cell* cell = at(x, y)) *cell = {.mark = symbol, .kind = kind};
  }

  /// Solid, dashed or dotted.
  void stroke(std::array<double, 2> from, std::array<double, 2> to, Stroke stroke,
              std::string_view kind) {
    const double wide = to[0] - from[0];
    const double high = to[1] - from[1];
    const int steps =
        std::max(1, static_cast<int>(std::ceil(std::max(std::abs(wide), std::abs(high)))));
    for (int i = 0; i <= steps; ++i) {
      const bool is_gap =
          stroke == Stroke::dashed ? i % 6 > 2 : stroke == Stroke::dotted && i % 3 > 0;
      if (is_gap) continue;
      const double fraction = static_cast<double>(i) / steps;
      dot(static_cast<int>(std::lround(from[0] + fraction * wide)),
          static_cast<int>(std::lround(from[1] + fraction * high)), kind);
    }
  }

  [[nodiscard]] std::string row(std::size_t row) const {
    std::string text;
    for (std::size_t i = 0; i < columns_; ++i) {
      const Cell& cell = cells_[row * columns_ + i];
      const std::string symbol = !cell.mark.empty() ? cell.mark
                                 : cell.dots > 0    ? in_utf8(cell.dots)
                                                    : " ";
      text += symbol == " " ? symbol : in_colour(symbol, cell.kind, colours_);
    }
    return without_spaces_at_end(text);
  }

 private:
  struct Cell {
    unsigned dots = 0;
    std::string mark = {};
    std::string_view kind = {};
  };

  Cell* at(int x, int y) {
    const bool is_inside = x >= 0 && y >= 0 && static_cast<std::size_t>(x) < 2 * columns_ &&
                           static_cast<std::size_t>(y) < 4 * rows;
    if (!is_inside) return nullptr;
    return &cells_[static_cast<std::size_t>(y) / 4 * columns_ + static_cast<std::size_t>(x) / 2];
  }

  std::size_t columns_;
  Colours colours_;
  std::vector<Cell> cells_;
};

/// A line of labels, each with its middle at a column; what has no room is left out.
class LabelLine {
 public:
  explicit LabelLine(std::size_t width) : width_(width) {}

  bool add(double middle, const std::string& label) {
    const std::size_t wide = display_width(label);
    const double begin = std::max(0.0, middle - 0.5 * static_cast<double>(wide));
    const auto first =
        std::min(static_cast<std::size_t>(std::lround(begin)), width_ - std::min(width_, wide));
    if (used_ > 0 && first < used_ + 2) return false;
    text_ += std::string(first - used_, ' ') + label;
    used_ = first + wide;
    return true;
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::size_t width_, used_ = 0;
  std::string text_;
};

class TextDrawing {
 public:
  TextDrawing(const Plot& plot, std::size_t width, Colours colours)
      : plot_(plot),
        data_(plot.data),
        width_(std::max<std::size_t>(width, 40)),
        colours_(colours) {}

  std::string draw() {
    add(plot_.title);
    if (!plot_.reading.empty()) add(plot_.reading);
    for (const PlotPanel& panel : plot_.panels) {
      text_ += "\n";
      if (!panel.title.empty()) add(panel.title);
      if (panel.kind == PanelKind::curves) draw_curves(panel);
      if (panel.kind == PanelKind::surface) draw_surface(panel);
    }
    if (!plot_.panels.empty()) draw_key(plot_.panels.front());
    if (!plot_.caption.empty()) {
      text_ += "\n";
      add(plot_.caption);
    }
    return std::move(text_);
  }

 private:
  void add(const std::string& words) { text_ += wrapped(printable(words), width_, ""); }

  [[nodiscard]] std::size_t columns() const { return width_ - labels - 2; }

  void draw_curves(const PlotPanel& panel) {
    const CurveSpans spans = spans_of(data_, panel);
    if (spans.x.is_empty()) {
      add("Nothing of it was measured.");
      return;
    }
    const PlotAxis x_axis(spans.x, 0, static_cast<double>(2 * columns() - 1), panel.log_x);
    const PlotAxis y_axis(spans.y, 4 * rows - 1, 0, panel.log_y);
    Canvas canvas(columns(), colours_);
    // Marks lie on all curves.
    for (const PlotLine& line : panel.lines) draw_curve(canvas, panel, line, x_axis, y_axis);
    for (std::size_t i = 0; i < panel.lines.size(); ++i) {
      draw_marks(canvas, panel, i, x_axis, y_axis);
    }
    std::array<std::string, rows> ticks;
    for (const double value : y_axis.ticks(5)) {
      ticks.at(static_cast<std::size_t>(y_axis(value)) / 4) = tick_text(value, false);
    }
    LabelLine numbers(columns());
    std::string edge;
    for (const double value : x_ticks(spans, panel, x_axis, 6)) {
      const auto column = static_cast<std::size_t>(x_axis(value) / 2);
      if (!numbers.add(static_cast<double>(column) + 0.5, tick_text(value, panel.x_counts))) {
        continue;
      }
      while (display_width(edge) < column) edge += "─";
      if (display_width(edge) == column) edge += "┴";
    }
    while (display_width(edge) < columns()) edge += "─";
    add(panel.y_label);
    frame(canvas_rows(canvas), ticks, edge, numbers.text(), panel.x_label);
  }

  static std::array<std::string, rows> canvas_rows(const Canvas& canvas) {
    std::array<std::string, rows> all;
    for (std::size_t i = 0; i < rows; ++i) all.at(i) = canvas.row(i);
    return all;
  }

  /// What is drawn, with its two axes.
  void frame(const std::array<std::string, rows>& drawn, const std::array<std::string, rows>& ticks,
             const std::string& edge, const std::string& numbers, const std::string& x_label) {
    for (std::size_t i = 0; i < rows; ++i) {
      text_ += padded(ticks.at(i), labels, Side::right) + (ticks.at(i).empty() ? " │" : " ┤") +
               drawn.at(i) + "\n";
    }
    const std::string indent(labels + 2, ' ');
    text_ += std::string(labels, ' ') + " └" + edge + "\n" + indent + numbers + "\n";
    LabelLine label(columns());
    label.add(static_cast<double>(columns()) / 2, printable(x_label));
    text_ += indent + label.text() + "\n";
  }

  void draw_curve(Canvas& canvas, const PlotPanel& panel, const PlotLine& line,
                  const PlotAxis& x_axis, const PlotAxis& y_axis) {
    std::optional<std::array<double, 2>> last;
    for (const std::size_t i : rows_of(data_, panel)) {
      const auto x = number_in(data_, i, line.x, panel.log_x);
      const auto y = number_in(data_, i, line.y, panel.log_y);
      std::optional<std::array<double, 2>> here;
      if (x && y) here = {x_axis(*x), y_axis(*y)};
      if (last && here) canvas.stroke(*last, *here, line.stroke, kind_of(line));
      last = here;
    }
  }

  /// At each point if there are few; a curve's letter stands three times on it.
  void draw_marks(Canvas& canvas, const PlotPanel& panel, std::size_t index, const PlotAxis& x_axis,
                  const PlotAxis& y_axis) {
    const PlotLine& line = panel.lines[index];
    if (!line.marker && !is_in_key(data_, line)) return;
    const std::size_t points = data_.rows.size();
    const std::size_t step = !line.marker           ? std::max<std::size_t>(1, points / 3)
                             : points <= few_points ? 1
                                                    : points / 12;
    // Curves that begin together have their letters at different places.
    const std::size_t shift = line.marker ? 0 : step * (index % 8 + 1) / 9;
    for (std::size_t i = shift; i < points; i += step) {
      const auto x = number_in(data_, i, line.x, panel.log_x);
      const auto y = number_in(data_, i, line.y, panel.log_y);
      if (!x || !y) continue;
      canvas.mark(static_cast<int>(std::lround(x_axis(*x))),
                  static_cast<int>(std::lround(y_axis(*y))), mark_of(line, index), kind_of(line));
    }
  }

  /// Seen from above: the darker, the higher.
  void draw_surface(const PlotPanel& panel) {
    constexpr std::array<const char*, 5> shades{" ", "░", "▒", "▓", "█"};
    const PlotLine& line = panel.lines.front();
    std::array<Extent, 3> spans;
    for (const auto& row : data_.rows) {
      for (std::size_t i = 0; i < 3; ++i) {
        if (const auto& number = row[i == 2 ? line.y : i]) spans[i].add(*number);
      }
    }
    if (spans[2].is_empty()) {
      add("Nothing of it was computed.");
      return;
    }
    const PlotAxis x_axis(spans[0], 0, static_cast<double>(columns() - 1), false);
    const PlotAxis y_axis(spans[1], rows - 1, 0, false);
    const auto shade_at = [&](std::size_t row, std::size_t column) -> std::string {
      double nearest = std::numeric_limits<double>::infinity();
      double height = 0;
      for (const auto& point : data_.rows) {
        const auto& z = point[line.y];
        if (!point[0] || !point[1] || !z) continue;
        const double away = std::hypot(x_axis(*point[0]) - static_cast<double>(column),
                                       static_cast<double>(columns()) / static_cast<double>(rows) *
                                           (y_axis(*point[1]) - static_cast<double>(row)));
        if (away < nearest) std::tie(nearest, height) = std::pair(away, *z);
      }
      const double fraction =
          (height - spans[2].low) / std::max(spans[2].high - spans[2].low, 1e-300);
      return shades.at(std::min<std::size_t>(4, static_cast<std::size_t>(5 * fraction)));
    };
    std::array<std::string, rows> drawn;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns(); ++j) drawn.at(i) += shade_at(i, j);
      drawn.at(i) = without_spaces_at_end(drawn.at(i));
    }
    std::array<std::string, rows> ticks;
    for (const double value : y_axis.ticks(4)) {
      ticks.at(static_cast<std::size_t>(std::lround(y_axis(value)))) = tick_text(value, false);
    }
    LabelLine numbers(columns());
    std::string edge;
    for (const double value : x_axis.ticks(6)) {
      numbers.add(x_axis(value) + 0.5, tick_text(value, panel.x_counts));
    }
    while (display_width(edge) < columns()) edge += "─";
    add(panel.y_label);
    frame(drawn, ticks, edge, numbers.text(), panel.x_label);
    add(fmt::format("{}: from {:.3g} (light) to {:.3g} (dark)", line.title, spans[2].low,
                    spans[2].high));
  }

  void draw_key(const PlotPanel& panel) {
    if (panel.kind != PanelKind::curves) return;
    std::string keys;
    std::size_t used = 0;
    for (std::size_t i = 0; i < panel.lines.size(); ++i) {
      const PlotLine& line = panel.lines[i];
      if (!is_in_key(data_, line)) continue;
      const std::string title = printable(line.title);
      const std::size_t wide = 2 + display_width(title);
      const bool is_next_line = used > 0 && used + 3 + wide > width_;
      keys += is_next_line ? "\n" : used > 0 ? "   " : "";
      used = is_next_line ? wide : used + (used > 0 ? 3 : 0) + wide;
      keys += in_colour(mark_of(line, i), kind_of(line), colours_) + " " + title;
    }
    if (!keys.empty()) text_ += "\n" + keys + "\n";
  }

  const Plot& plot_;
  const PlotData& data_;
  std::size_t width_;
  Colours colours_;
  std::string text_;
};

}  // namespace

std::string to_text(const Plot& plot, std::size_t width, Colours colours) {
  return TextDrawing(plot, width, colours).draw();
}

}  // namespace macrobench
