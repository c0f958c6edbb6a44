#pragma once

#include <utility>
#include <vector>

#include "implementations/krusell_smith/model.hpp"

namespace macrobench::krusell_smith::certificate {

/// A cubic spline with not-a-knot ends, or straight lines, by its slopes at the points.
class Line {
 public:
  Line(const std::vector<double>& x, std::vector<double> y, PolicyInterpolation kind)
      : x_(&x), y_(std::move(y)) {
    if (kind == PolicyInterpolation::spline) find_slopes();
  }

  [[nodiscard]] double operator()(double at) const;

 private:
  void find_slopes();

  const std::vector<double>* x_;
  std::vector<double> y_, slopes_;
};

}  // namespace macrobench::krusell_smith::certificate
