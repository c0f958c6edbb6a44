// Draws a Plot: its panels one below the other, and one key below all.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <tuple>

#include "harness/text/format.hpp"
#include "harness/text/strings.hpp"
#include "paper_tables/plots/plot.hpp"
#include "paper_tables/plots/plot_axis.hpp"
#include "paper_tables/plots/svg.hpp"

namespace macrobench {

namespace {

constexpr double left = 66;
constexpr double right = Svg::width - 16;
constexpr double letter = 7.6;  ///< the width of one, at most, on average
constexpr double tick_length = 4;

class Drawing {
 public:
  explicit Drawing(const Plot& plot) : plot_(plot), data_(plot.data) {}

  Svg draw(bool has_title) {
    if (has_title) {
      y_ += svg_.wrapped_text(8, y_ + 18, plot_.title, "strong", 50) + 4;
      if (!plot_.reading.empty()) y_ += svg_.wrapped_text(8, y_ + 16, plot_.reading, "dim");
      y_ += 8;
    }
    for (const PlotPanel& panel : plot_.panels) {
      if (!panel.title.empty()) {
        svg_.text(8, y_ + 16, panel.title, "strong");
        y_ += 22;
      }
      if (panel.kind == PanelKind::curves) {
        draw_curves(panel);
      } else {
        draw_ranges(panel);
      }
      y_ += 8;
    }
    draw_key(plot_.panels.front());
    return std::move(svg_);
  }

  [[nodiscard]] double height() const { return y_ + 4; }

 private:
  void draw_curves(const PlotPanel& panel) {
    constexpr double high = 290;
    const CurveSpans spans = spans_of(data_, panel);
    if (spans.x.is_empty()) {
      svg_.text(8, y_ + 16, "Nothing of it was measured.", "dim");
      y_ += 24;
      return;
    }
    svg_.text(8, y_ + 14, panel.y_label, "dim");
    const double top = y_ + 24;
    const double bottom = top + high;
    const PlotAxis x_axis(spans.x, left, right, panel.log_x);
    const PlotAxis y_axis(spans.y, bottom, top, panel.log_y);
    for (const double value : y_axis.ticks(7)) {
      const double y = y_axis(value);
      svg_.line(left, y, right, y, "grid");
      svg_.text(left - 6, y + 4.5, tick_text(value, false), "dim end");
    }
    double free = 0;
    for (const double value : x_ticks(spans, panel, x_axis, 6)) {
      const double x = x_axis(value);
      svg_.line(x, bottom, x, bottom + tick_length, "frame");
      const std::string text = tick_text(value, panel.x_counts);
      const double half = 0.5 * letter * static_cast<double>(display_width(text));
      if (x - half < free) continue;
      svg_.text(std::min(x, Svg::width - half), bottom + 18, text, "dim middle");
      free = x + half + 8;
    }
    svg_.line(left, top, left, bottom, "frame");
    svg_.line(left, bottom, right, bottom, "frame");
    svg_.text((left + right) / 2, bottom + 38, panel.x_label, "dim middle");
    // Markers lie on all curves.
    for (const PlotLine& line : panel.lines) draw_curve(panel, line, x_axis, y_axis);
    for (const PlotLine& line : panel.lines) draw_marks(panel, line, x_axis, y_axis);
    y_ = bottom + 46;
  }

  void draw_curve(const PlotPanel& panel, const PlotLine& line, const PlotAxis& x_axis,
                  const PlotAxis& y_axis) {
    std::string path;
    bool is_begun = false;
    for (std::size_t i = 0; i < data_.rows.size(); ++i) {
      const auto x = number_in(data_, i, line.x, panel.log_x);
      const auto y = number_in(data_, i, line.y, panel.log_y);
      if (x && y) {
        fmt::format_to(std::back_inserter(path), "{}{:.1f} {:.1f}", is_begun ? "L" : "M",
                       x_axis(*x), y_axis(*y));
      }
      is_begun = x && y;
    }
    if (path.find('L') == std::string::npos) return;
    svg_.path(path, style_of(line), line.colour);
  }

  void draw_marks(const PlotPanel& panel, const PlotLine& line, const PlotAxis& x_axis,
                  const PlotAxis& y_axis) {
    const std::size_t step = data_.rows.size() <= few_points ? 1 : data_.rows.size() / 12;
    for (std::size_t i = 0; i < data_.rows.size(); i += step) {
      const auto x = number_in(data_, i, line.x, panel.log_x);
      const auto y = number_in(data_, i, line.y, panel.log_y);
      const auto note = data_.notes.find({i, line.y});
      if (!x || !y || (!line.marker && note == data_.notes.end())) continue;
      svg_.mark(x_axis(*x), y_axis(*y), line.marker.value_or(1), line.stroke != Stroke::solid,
                line.colour, note == data_.notes.end() ? "" : note->second, line.marker ? 4 : 2.5);
    }
  }

  static std::string style_of(const PlotLine& line) {
    constexpr std::array<const char*, 3> styles{"curve", "curve dashed", "curve dotted"};
    return styles[static_cast<std::size_t>(line.stroke)];
  }

  /// A line of words for each row, and below it a bar for each line. The words are the first
  /// column, which the rows of numbers lack.
  void draw_ranges(const PlotPanel& panel) {
    Extent span;
    span.add(1);  // there it is as fast as the other
    for (const auto& row : data_.rows) {
      for (const PlotLine& line : panel.lines) {
        for (const std::size_t column : {line.y - 1, line.y, line.y + 1}) {
          const std::optional<double>& number = row[column];
          if (number && *number > 0) span.add(*number);
        }
      }
    }
    const PlotAxis axis(span, 16, Svg::width - 24, true);
    for (std::size_t i = 0; i < data_.rows.size(); ++i) {
      y_ += svg_.wrapped_text(8, y_ + 15, data_.words[i]) + 11;
      const double top = y_ - 8;
      for (const PlotLine& line : panel.lines) {
        const auto& [middle, low, high] =
            std::tie(data_.rows[i][line.y - 1], data_.rows[i][line.y], data_.rows[i][line.y + 1]);
        if (!middle || !low || !high) continue;
        svg_.path(fmt::format("M{:.1f} {:.1f}H{:.1f}", axis(*low), y_, axis(*high)), "curve",
                  line.colour);
        svg_.mark(axis(*middle), y_, line.marker.value_or(0), false, line.colour,
                  fmt::format("{}, {}: {} times, from {} to {}", data_.words[i], line.title,
                              format_number(*middle), format_number(*low), format_number(*high)));
        y_ += 14;
      }
      svg_.line(axis(1), top, axis(1), y_ - 6, "unity");
    }
    y_ += 8;
    svg_.line(16, y_, Svg::width - 24, y_, "frame");
    for (const double value : axis.ticks(6)) {
      svg_.line(axis(value), y_, axis(value), y_ + tick_length, "frame");
      svg_.text(axis(value), y_ + 18, tick_text(value, false), "dim middle");
    }
    svg_.text(Svg::width / 2, y_ + 38, panel.x_label, "dim middle");
    y_ += 46;
  }

  void draw_key(const PlotPanel& panel) {
    double x = 8;
    bool has_entry = false;
    const std::size_t words = panel.kind == PanelKind::ranges ? 1 : 0;
    for (const PlotLine& line : panel.lines) {
      const bool is_drawn = std::ranges::any_of(
          data_.rows, [&](const auto& row) { return row.at(line.y - words).has_value(); });
      if (line.title.empty() || !is_drawn) continue;
      const double wide = 44 + letter * static_cast<double>(display_width(line.title));
      if (has_entry && x + wide > Svg::width) {
        x = 8;
        y_ += 20;
      }
      has_entry = true;
      if (panel.kind == PanelKind::curves) {
        svg_.path(fmt::format("M{:.1f} {:.1f}h26", x, y_ + 10), style_of(line), line.colour);
      }
      if (line.marker) {
        svg_.mark(x + 13, y_ + 10, *line.marker, line.stroke != Stroke::solid, line.colour, "");
      }
      svg_.text(x + 32, y_ + 14.5, line.title);
      x += wide;
    }
    if (has_entry) y_ += 24;
  }

  const Plot& plot_;
  const PlotData& data_;
  Svg svg_;
  double y_ = 0;
};

bool is_empty(const Plot& plot) {
  return plot.data.rows.empty() || plot.panels.empty();
}

}  // namespace

std::string to_svg(const Plot& plot) {
  if (is_empty(plot)) return "";
  Drawing drawing(plot);
  const Svg svg = drawing.draw(false);
  return svg.element(drawing.height(), plot.title);
}

std::string to_svg_file(const Plot& plot) {
  if (is_empty(plot)) return "";
  Drawing drawing(plot);
  const Svg svg = drawing.draw(true);
  return svg.file(drawing.height(), plot.title);
}

}  // namespace macrobench
