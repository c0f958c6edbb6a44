// Draws a Plot: its panels one below the other, and one key below all.

#include "paper_tables/plots/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

#include "harness/text/csv.hpp"
#include "harness/text/format.hpp"
#include "harness/text/json_values.hpp"
#include "harness/text/strings.hpp"
#include "paper_tables/plots/svg.hpp"

namespace macrobench {

namespace {

/// Points that have a marker each; of more about a dozen do.
constexpr std::size_t few_points = 24;

struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value);
  [[nodiscard]] bool is_empty() const { return low > high; }
};

/// From numbers to places on the page.
class PlotAxis {
 public:
  PlotAxis(Extent span, double first, double last, bool is_log);

  [[nodiscard]] double operator()(double value) const;

  /// About so many round numbers; on a logarithmic axis powers of ten, or what is between them if
  /// there are too few.
  [[nodiscard]] std::vector<double> ticks(int about) const;

 private:
  [[nodiscard]] double placed(double value) const;

  double first_, last_;
  bool is_log_;
  double low_ = 0, high_ = 1;
};

/// What a panel's curves have numbers at.
struct CurveSpans {
  Extent x, y;
  std::vector<double> places;  ///< on the x axis, in order, each once
};

void Extent::add(double value) {
  low = std::min(low, value);
  high = std::max(high, value);
}

/// "0.001", "1", "10⁻⁶", "5·10⁻⁴"; of many "10k", "10M".
std::string tick_text(double value, bool counts) {
  constexpr std::array<const char*, 10> digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  if (counts && std::abs(value) >= 1e6) return fmt::format("{:g}M", value / 1e6);
  if (counts && std::abs(value) >= 1e4) return fmt::format("{:g}k", value / 1e3);
  const double size = std::abs(value);
  if (size >= 1000 && size < 1e6) return with_separators(value);
  if (size == 0 || (size >= 0.999e-3 && size < 1e6)) return fmt::format("{:.4g}", value);
  const int power = static_cast<int>(std::floor(std::log10(size) + 1e-9));
  const double digit = size / std::pow(10.0, power);
  std::string text = value < 0 ? "-" : "";
  if (digit > 1.001) text += fmt::format("{:.3g}·", digit);
  text += power < 0 ? "10⁻" : "10";
  for (const char c : std::to_string(std::abs(power)))
    text += digits[static_cast<std::size_t>(c - '0')];
  return text;
}

PlotAxis::PlotAxis(Extent span, double first, double last, bool is_log)
    : first_(first), last_(last), is_log_(is_log) {
  low_ = placed(span.low);
  high_ = placed(span.high);
  if (high_ - low_ < 1e-12 * std::max(1.0, std::abs(high_))) {
    low_ -= 0.5;
    high_ += 0.5;
  }
  const double room = 0.05 * (high_ - low_);
  low_ -= room;
  high_ += room;
}

double PlotAxis::operator()(double value) const {
  return first_ + (placed(value) - low_) / (high_ - low_) * (last_ - first_);
}

std::vector<double> PlotAxis::ticks(int about) const {
  std::vector<double> all;
  if (is_log_) {
    const int from = static_cast<int>(std::ceil(low_));
    const int to = static_cast<int>(std::floor(high_));
    const int step = std::max(1, (to - from + about) / about);
    for (int power = from; power <= to; power += step) all.push_back(std::pow(10.0, power));
    if (all.size() > 1) return all;
    all.clear();
    for (int power = from - 1; power <= to; ++power) {
      for (const double digit : {1, 2, 5}) {
        const double value = digit * std::pow(10.0, power);
        if (placed(value) >= low_ && placed(value) <= high_) all.push_back(value);
      }
    }
    return all;
  }
  const double rough = (high_ - low_) / about;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double digit = rough / power;
  const double step = power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
  for (double i = std::ceil(low_ / step); i * step <= high_; ++i) all.push_back(i * step + 0.0);
  return all;
}

double PlotAxis::placed(double value) const {
  return is_log_ ? std::log10(value) : value;
}

/// The number, if it can be drawn.
std::optional<double> number_in(const PlotData& data, std::size_t row, std::size_t column,
                                bool is_log) {
  const std::optional<double>& number = data.rows[row][column];
  const bool is_drawn = number && std::isfinite(*number) && (!is_log || *number > 0);
  return is_drawn ? number : std::nullopt;
}

CurveSpans spans_of(const PlotData& data, const PlotPanel& panel) {
  CurveSpans spans;
  for (std::size_t i = 0; i < data.rows.size(); ++i) {
    for (const PlotLine& line : panel.lines) {
      const auto x = number_in(data, i, line.x, panel.log_x);
      const auto y = number_in(data, i, line.y, panel.log_y);
      if (!x || !y) continue;
      spans.x.add(*x);
      spans.y.add(*y);
      spans.places.push_back(*x);
    }
  }
  std::ranges::sort(spans.places);
  const auto again = std::ranges::unique(spans.places);
  spans.places.erase(again.begin(), again.end());
  return spans;
}

/// The places of these numbers on an x axis: what was measured says more than a power of ten, if it
/// is not too much.
std::vector<double> x_ticks(const CurveSpans& spans, const PlotPanel& panel, const PlotAxis& axis,
                            int about) {
  return panel.log_x && spans.places.size() <= few_points ? spans.places : axis.ticks(about);
}

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
      draw_curves(panel);
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
      if (!x || !y || !line.marker) continue;
      svg_.mark(x_axis(*x), y_axis(*y), *line.marker, line.stroke != Stroke::solid, line.colour);
    }
  }

  static std::string style_of(const PlotLine& line) {
    constexpr std::array<const char*, 3> styles{"curve", "curve dashed", "curve dotted"};
    return styles[static_cast<std::size_t>(line.stroke)];
  }

  void draw_key(const PlotPanel& panel) {
    double x = 8;
    bool has_entry = false;
    for (const PlotLine& line : panel.lines) {
      const bool is_drawn = std::ranges::any_of(
          data_.rows, [&](const auto& row) { return row.at(line.y).has_value(); });
      if (line.title.empty() || !is_drawn) continue;
      const double wide = 44 + letter * static_cast<double>(display_width(line.title));
      if (has_entry && x + wide > Svg::width) {
        x = 8;
        y_ += 20;
      }
      has_entry = true;
      svg_.path(fmt::format("M{:.1f} {:.1f}h26", x, y_ + 10), style_of(line), line.colour);
      if (line.marker) {
        svg_.mark(x + 13, y_ + 10, *line.marker, line.stroke != Stroke::solid, line.colour);
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

std::string to_csv(const Plot& plot) {
  std::string text = csv_line(plot.data.columns);
  for (std::size_t i = 0; i < plot.data.rows.size(); ++i) {
    std::vector<std::string> fields;
    for (const std::optional<double>& number : plot.data.rows[i]) {
      fields.push_back(number && std::isfinite(*number) ? fmt::format("{:.7g}", *number) : "");
    }
    text += csv_line(fields);
  }
  return text;
}

nlohmann::ordered_json to_json(const Plot& plot) {
  constexpr std::array<const char*, 3> strokes{"solid", "dashed", "dotted"};
  nlohmann::ordered_json json{{"title", plot.title},
                              {"reading", plot.reading},
                              {"caption", plot.caption},
                              {"columns", plot.data.columns},
                              {"rows", nlohmann::ordered_json::array()},
                              {"panels", nlohmann::ordered_json::array()}};
  for (const auto& numbers : plot.data.rows) {
    nlohmann::ordered_json row = nlohmann::ordered_json::array();
    for (const std::optional<double>& number : numbers) {
      row.push_back(number && std::isfinite(*number) ? nlohmann::ordered_json(*number) : nullptr);
    }
    json["rows"].push_back(std::move(row));
  }
  for (const PlotPanel& panel : plot.panels) {
    nlohmann::ordered_json lines = nlohmann::ordered_json::array();
    for (const PlotLine& line : panel.lines) {
      lines.push_back({{"x", line.x},
                       {"y", line.y},
                       {"title", line.title},
                       {"colour", line.colour},
                       {"stroke", strokes[static_cast<std::size_t>(line.stroke)]},
                       {"has_marker", line.marker.has_value()}});
    }
    json["panels"].push_back({{"title", panel.title},
                              {"x_label", panel.x_label},
                              {"y_label", panel.y_label},
                              {"log_x", panel.log_x},
                              {"log_y", panel.log_y},
                              {"lines", std::move(lines)}});
  }
  return json;
}

void write_plot(const Plot& plot, const OutputFolder& out) {
  out.write(plot.name + ".csv", to_csv(plot));
  out.write(plot.name + ".json", to_text(to_json(plot)));
  const std::string svg = to_svg_file(plot);
  if (!svg.empty()) out.write(plot.name + ".svg", svg);
}

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
