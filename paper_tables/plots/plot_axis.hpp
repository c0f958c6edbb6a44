#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "paper_tables/plots/plot.hpp"

namespace macrobench {

// What drawings of curves are made of.

/// Points that have a marker each; of more about a dozen do.
inline constexpr std::size_t few_points = 24;

struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value);
  [[nodiscard]] bool is_empty() const { return low > high; }
};

/// "0.001", "1", "10⁻⁶", "5·10⁻⁴"; of many "10k", "10M".
std::string tick_text(double value, bool counts);

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

/// The number, if it can be drawn.
std::optional<double> number_in(const PlotData& data, std::size_t row, std::size_t column,
                                bool is_log);

/// What a panel's curves have numbers at.
struct CurveSpans {
  Extent x, y;
  std::vector<double> places;  ///< on the x axis, in order, each once
};
CurveSpans spans_of(const PlotData& data, const PlotPanel& panel);

/// The places of these numbers on an x axis that says them: what was measured says more than a
/// power of ten, if it is not too much.
std::vector<double> x_ticks(const CurveSpans& spans, const PlotPanel& panel, const PlotAxis& axis,
                            int about);

}  // namespace macrobench
