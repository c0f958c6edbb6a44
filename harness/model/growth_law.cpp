#include "harness/model/growth_law.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

namespace macrobench {

namespace {

/// A law cost = outer(a + b * inner(N)), which is linear in a and b once the cost is transformed.
struct Form {
  const char* name;
  double (*inner)(double size);
  double (*outer)(double value);
  double (*outer_inverse)(double cost);
  bool is_of_work;  ///< whether a cost may grow in this way with an amount of work
};

double identity(double x) {
  return x;
}
double times_log(double size) {
  return size * std::log(size);
}
double square(double x) {
  return x * x;
}
double square_root(double x) {
  return std::sqrt(x);
}

constexpr Form forms[] = {{"a + bN", identity, identity, identity, true},
                          {"a + bN log N", times_log, identity, identity, true},
                          {"(a + bN)^2", identity, square, square_root, false}};

/// A fit uses at most this many of the largest sizes. At small sizes fixed costs dominate (caches,
/// launches, threads to wake), and the law must predict larger ones. In predicting the last cells
/// of the papers' own rows from those before, three sizes err least without relying on two alone.
constexpr std::size_t fitted_points = 3;

/// Ordinary least squares, so that the largest sizes, whose costs differ most, count most. For
/// amounts of work, through the origin if the free fit falls below it: a fixed cost is not
/// negative, and if sizes are close together, noise makes lines so steep that they predict days
/// instead of seconds.
GrowthLaw fit(const Form& form, std::span<const Point> points, Sizes sizes) {
  points = points.last(std::min(points.size(), fitted_points));
  const auto n = static_cast<double>(points.size());
  double x_mean = 0, y_mean = 0;
  for (const Point& point : points) {
    x_mean += form.inner(point.size) / n;
    y_mean += form.outer_inverse(point.cost) / n;
  }
  const auto slope_about = [&](double x_0, double y_0) {
    double xx = 0, xy = 0;
    for (const Point& point : points) {
      const double x = form.inner(point.size) - x_0;
      xx += x * x;
      xy += x * (form.outer_inverse(point.cost) - y_0);
    }
    return xy / xx;
  };
  GrowthLaw law;
  law.name = form.name;
  law.b = slope_about(x_mean, y_mean);
  law.a = y_mean - law.b * x_mean;
  if (sizes == Sizes::of_work && law.a < 0) {
    law.a = 0;
    law.b = slope_about(0, 0);
  }
  return law;
}

/// Whether it grows, and is not on the falling side of its square, at the largest size.
bool is_sensible(const Form& form, const GrowthLaw& law, double largest) {
  return law.b > 0 && std::isfinite(law.a) && law.a + law.b * form.inner(largest) > 0;
}

double largest_relative_error(const GrowthLaw& law, std::span<const Point> points) {
  double largest = 0;
  for (const Point& point : points) {
    largest = std::max(largest, std::abs(law.at(point.size) - point.cost) / point.cost);
  }
  return std::isnan(largest) ? std::numeric_limits<double>::infinity() : largest;
}

std::vector<Point> sorted_and_usable(std::vector<Point> points) {
  std::erase_if(points, [](const Point& point) {
    return !(point.size > 0) || !(point.cost > 0) || !std::isfinite(point.size + point.cost);
  });
  std::ranges::stable_sort(points, {}, &Point::size);
  // A size that was measured twice counts with its last cost.
  std::vector<Point> usable;
  for (const Point& point : points) {
    if (!usable.empty() && usable.back().size == point.size) usable.pop_back();
    usable.push_back(point);
  }
  return usable;
}

}  // namespace

double GrowthLaw::at(double size) const {
  const auto* form = std::ranges::find(forms, name, &Form::name);
  if (form == std::end(forms)) return std::numeric_limits<double>::quiet_NaN();
  return form->outer(a + b * form->inner(size));
}

std::optional<GrowthLaw> fit_growth_law(const std::vector<Point>& given, Sizes sizes) {
  const std::vector<Point> points = sorted_and_usable(given);
  if (points.size() < 3) return std::nullopt;
  const std::span<const Point> all(points);
  const std::size_t predicted = points.size() < 5 ? 1 : 2;
  const auto earlier = all.first(points.size() - predicted);
  const auto last = all.last(predicted);

  std::optional<GrowthLaw> best;
  for (const Form& form : forms) {
    if (sizes == Sizes::of_work && !form.is_of_work) continue;
    GrowthLaw law = fit(form, all, sizes);
    if (!is_sensible(form, law, points.back().size)) continue;
    law.error = largest_relative_error(fit(form, earlier, sizes), last);
    if (!best || law.error < best->error) best = law;
  }
  return best;
}

double variance_at(const GrowthLaw& law, const std::vector<Point>& given, double size,
                   Sizes sizes) {
  const auto* form = std::ranges::find(forms, law.name, &Form::name);
  std::vector<Point> points = sorted_and_usable(given);
  if (form == std::end(forms) || points.empty()) return 0;
  constexpr double step = 1e-3;  // of the logarithm
  double variance = 0;
  for (Point& point : points) {
    const double cost = std::exchange(point.cost, point.cost * std::exp(step));
    const double slope = std::log(fit(*form, points, sizes).at(size) / law.at(size)) / step;
    variance += slope * slope * point.variance;
    point.cost = cost;
  }
  return variance;
}

}  // namespace macrobench
