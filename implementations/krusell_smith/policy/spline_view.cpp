#include "implementations/krusell_smith/policy/spline_view.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace macrobench::krusell_smith {

namespace {

/// A point's equation: lower m_{i - apart} + diagonal m_i + upper m_{i + apart} = what is on the
/// right.
struct Row {
  double lower, diagonal, upper;
};

/// The equations of the inner points, by point; the ends have none.
std::vector<Row> rows_of(const numerics::NotAKnotSpline& spline) {
  const auto [inverse_h, factor, inverse_pivot, upper] = spline.eliminated();
  const std::size_t n = factor.size();
  std::vector<Row> rows(n, Row{0, 1, 0});
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double lower = i > 1 ? factor[i] / inverse_pivot[i - 1] : 0;
    rows[i] = {lower, 1 / inverse_pivot[i] + factor[i] * upper[i - 1], upper[i]};
  }
  return rows;
}

/// The largest that is left of a neighbor, over the diagonal.
double largest_left(const std::vector<Row>& rows) {
  double largest = 0;
  for (const Row& row : rows) {
    largest =
        std::max({largest, std::abs(row.lower / row.diagonal), std::abs(row.upper / row.diagonal)});
  }
  return largest;
}

/// A level: the equations after it, and what it takes of the lower and the upper neighbor.
std::vector<Row> reduced(const std::vector<Row>& rows, std::size_t apart,
                         std::vector<double>& of_lower, std::vector<double>& of_upper) {
  const std::size_t n = rows.size();
  std::vector<Row> next(n, Row{0, 1, 0});
  of_lower.assign(n, 0);
  of_upper.assign(n, 0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    next[i] = {0, rows[i].diagonal, 0};
    if (i >= 1 + apart) {
      const Row& below = rows[i - apart];
      of_lower[i] = -rows[i].lower / below.diagonal;
      next[i].lower = of_lower[i] * below.lower;
      next[i].diagonal += of_lower[i] * below.upper;
    }
    if (i + apart + 1 < n) {
      const Row& above = rows[i + apart];
      of_upper[i] = -rows[i].upper / above.diagonal;
      next[i].upper = of_upper[i] * above.upper;
      next[i].diagonal += of_upper[i] * above.lower;
    }
  }
  return next;
}

}  // namespace

int SplineView::levels_of(const numerics::NotAKnotSpline& spline) {
  constexpr double nothing = 1e-18;
  std::vector<Row> rows = rows_of(spline);
  std::vector<double> unused[2];
  int levels = 0;
  for (std::size_t apart = 1; levels < 2 || largest_left(rows) > nothing; apart *= 2) {
    rows = reduced(rows, apart, unused[0], unused[1]);
    ++levels;
  }
  return levels;
}

std::vector<double> SplineView::constants_of(const numerics::NotAKnotSpline& spline, int levels) {
  std::vector<double> all = spline.points();
  const auto append = [&](const std::vector<double>& values) {
    all.insert(all.end(), values.begin(), values.end());
  };
  append(spline.eliminated().inverse_h);
  all.push_back(0);
  for (std::size_t i = 0; i + 1 < spline.points().size(); ++i) {
    const double h = spline.points()[i + 1] - spline.points()[i];
    all.push_back(h * h / 6);
  }
  all.push_back(0);
  std::vector<Row> rows = rows_of(spline);
  std::vector<double> taken;
  std::size_t apart = 1;
  for (int level = 0; level < levels; ++level) {
    std::vector<double> of_lower;
    std::vector<double> of_upper;
    rows = reduced(rows, apart, of_lower, of_upper);
    taken.insert(taken.end(), of_lower.begin(), of_lower.end());
    taken.insert(taken.end(), of_upper.begin(), of_upper.end());
    apart *= 2;
  }
  for (const Row& row : rows) all.push_back(1 / row.diagonal);
  append(taken);
  return all;
}

}  // namespace macrobench::krusell_smith
