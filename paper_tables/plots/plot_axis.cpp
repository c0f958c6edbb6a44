#include "paper_tables/plots/plot_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "harness/text/format.hpp"

namespace macrobench {

void Extent::add(double value) {
  low = std::min(low, value);
  high = std::max(high, value);
}

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

std::vector<double> x_ticks(const CurveSpans& spans, const PlotPanel& panel, const PlotAxis& axis,
                            int about) {
  return panel.log_x && spans.places.size() <= few_points ? spans.places : axis.ticks(about);
}

}  // namespace macrobench
