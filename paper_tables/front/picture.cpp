#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "harness/text/format.hpp"
#include "harness/text/known_value.hpp"
#include "harness/text/strings.hpp"
#include "paper_tables/front/front.hpp"
#include "paper_tables/plots/plot.hpp"
#include "paper_tables/plots/svg.hpp"

namespace macrobench {

namespace {

constexpr const char* published_colour = okabe_ito::black;
constexpr const char* here_colour = okabe_ito::blue;
constexpr const char* best_colour = okabe_ito::vermillion;

/// A row with both its ends.
bool is_drawn(const FrontRow& row) {
  return row.has_best();
}

/// "416 µs"; with an asterisk if it is computed from other runs.
std::string label_of(const Cell& cell) {
  std::string text = duration_of(cell);
  if (text.ends_with(" us")) text.replace(text.size() - 2, 1, "µ");
  return cell.kind == Kind::computed ? text + "*" : text;
}

bool has_computed(const std::vector<FrontRow>& rows) {
  return std::ranges::any_of(rows, [](const FrontRow& row) {
    return row.best->cell.kind == Kind::computed ||
           (is_of_a_run(row.here.cell) && row.here.cell.kind == Kind::computed);
  });
}

/// "1 µs", "10 ms", "1,000 s": of a power of ten.
std::string name_of(double power) {
  const double unit = power < -3 ? -6 : power < 0 ? -3 : 0;
  return with_separators(std::pow(10.0, power - unit)) + (unit == 0    ? " s"
                                                          : unit == -3 ? " ms"
                                                                       : " µs");
}

/// Seconds on a logarithmic axis.
class TimeAxis {
 public:
  explicit TimeAxis(const std::vector<FrontRow>& rows) {
    for (const FrontRow& row : rows) {
      add(known_value(row.published.value));
      add(known_value(row.best->cell.value));
      if (is_of_a_run(row.here.cell)) add(known_value(row.here.cell.value));
    }
  }

  [[nodiscard]] double at(double seconds) const {
    constexpr double left = 40;
    constexpr double right = Svg::width - 52;
    return left + (std::log10(seconds) - low_) / (high_ - low_) * (right - left);
  }

  void draw(Svg& svg, double top, double bottom) const {
    for (double power = low_; power <= high_; ++power) {
      const double seconds = std::pow(10.0, power);
      svg.line(at(seconds), top, at(seconds), bottom, "grid");
      const bool is_named = std::fmod(power - low_, high_ - low_ > 5 ? 2 : 1) == 0;
      if (is_named) svg.text(at(seconds), bottom + 15, name_of(power), "dim middle");
    }
  }

 private:
  void add(double seconds) {
    low_ = std::min(low_, std::floor(std::log10(seconds)));
    high_ = std::max(high_, std::ceil(std::log10(seconds)));
  }

  double low_ = 0, high_ = 1;  ///< powers of ten
};

/// The meaning of the marks, in one line.
void draw_key(Svg& svg, double y, const std::string& machine, bool has_computed) {
  double x = 8;
  const auto key = [&](const std::string& text, int shape, bool is_open, const char* colour) {
    svg.mark(x + 6, y - 4.5, shape, is_open, colour);
    svg.text(x + 16, y, text, "dim");
    x += 34 + 7.4 * static_cast<double>(display_width(text));
  };
  key("published", 1, true, published_colour);
  key("our version, " + machine, 0, false, here_colour);
  key("today’s best program", 4, false, best_colour);
  if (has_computed) svg.text(x, y, "* computed", "dim");
}

void draw_row(Svg& svg, double y, const FrontRow& row, const TimeAxis& axis) {
  const double line = y + 22;
  const auto place_of = [&](const Cell& cell) { return axis.at(known_value(cell.value)); };
  const double best = place_of(row.best->cell);
  const double published = place_of(row.published);
  svg.text(8, y + 6, fmt::format("{}, {}", row.title, row.size), "strong");
  const bool is_refused = row.faster_in_all.is_refused();
  svg.text(Svg::width - 8, y + 6,
           is_refused ? "not divided" : text_of(row.faster_in_all.cell()) + "×",
           is_refused ? "end dim" : "end strong");
  svg.path(fmt::format("M{:.1f} {:.1f}H{:.1f}", best, line, published), "curve", okabe_ito::black);
  const auto mark = [&](const Cell& cell, int shape, bool is_open, const char* colour,
                        const std::string& program, const char* anchor) {
    const std::string label = label_of(cell);
    svg.mark(place_of(cell), line, shape, is_open, colour, fmt::format("{}: {}", program, label),
             5);
    svg.text(place_of(cell), line + 18, label, anchor);
  };
  mark(row.published, 1, true, published_colour,
       fmt::format("{} on {}", row.here.program, row.hardware), "middle");
  if (is_of_a_run(row.here.cell)) {
    // Its label makes room for the labels of the two ends.
    constexpr double label_width = 58;
    const double here = place_of(row.here.cell);
    const bool is_near_best = here - best < label_width / 2;
    const bool is_near_published = published - here < label_width;
    mark(row.here.cell, 0, false, here_colour, row.here.program,
         is_near_best        ? ""
         : is_near_published ? "end"
                             : "middle");
  }
  mark(row.best->cell, 4, false, best_colour, "the best program, " + row.best->program, "end");
}

}  // namespace

std::string picture_of(const Front& front) {
  std::vector<FrontRow> rows;
  std::ranges::copy_if(front.rows, std::back_inserter(rows), is_drawn);
  if (rows.empty()) return "";
  constexpr double top = 30;
  constexpr double row_height = 54;
  const double bottom = top + row_height * static_cast<double>(rows.size());
  const TimeAxis axis(rows);
  Svg svg;
  draw_key(svg, 18, front.machine, has_computed(rows));
  axis.draw(svg, top, bottom);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    draw_row(svg, top + 8 + row_height * static_cast<double>(i), rows[i], axis);
  }
  svg.text(8, bottom + 36, "A logarithmic axis. In bold: published over today’s best.", "dim");
  return svg.file(bottom + 46,
                  "Published times, our versions on " + front.machine_text +
                      ", and the best programs there, on a logarithmic axis of seconds");
}

}  // namespace macrobench
