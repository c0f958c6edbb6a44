#include "implementations/krusell_smith/policy/spline_view.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace macrobench::krusell_smith {

int SplineView::reach_of(const numerics::NotAKnotSpline& spline) {
  constexpr double nothing = 1e-17;
  const numerics::NotAKnotSpline::Eliminated system = spline.eliminated();
  const std::size_t n = system.factor.size();
  const auto farthest = [&](const auto& factor) {
    std::size_t reach = 1;
    for (std::size_t first = 1; first + 1 < n; ++first) {
      double left = 1;
      std::size_t i = first;
      while (i + 1 < n && left >= nothing) left *= std::abs(factor(i++));
      reach = std::max(reach, i - first);
    }
    return reach;
  };
  return static_cast<int>(
      std::max(farthest([&](std::size_t i) { return system.factor[i]; }),
               farthest([&](std::size_t i) { return system.upper[i] * system.inverse_pivot[i]; })));
}

std::vector<double> SplineView::constants_of(const numerics::NotAKnotSpline& spline) {
  const numerics::NotAKnotSpline::Eliminated system = spline.eliminated();
  const std::vector<double>& x = spline.points();
  std::vector<double> all = x;
  const auto append = [&](const std::vector<double>& values) {
    all.insert(all.end(), values.begin(), values.end());
  };
  append(system.inverse_h);
  all.push_back(0);
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    all.push_back((x[i + 1] - x[i]) * (x[i + 1] - x[i]) / 6);
  }
  all.push_back(0);
  append(system.factor);
  append(system.inverse_pivot);
  for (std::size_t i = 0; i < x.size(); ++i) {
    all.push_back(system.upper[i] * system.inverse_pivot[i]);
  }
  return all;
}

}  // namespace macrobench::krusell_smith
