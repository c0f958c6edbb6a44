#pragma once

#include <vector>

#include "implementations/krusell_smith/model.hpp"

namespace macrobench::krusell_smith::certificate {

/// A law of motion regressed on a path of K.
struct Fit {
  LawOfMotion law;
  double R2[2];
};

/// Least squares from raw moments, in long double.
Fit regressed(const Problem& problem, const std::vector<double>& K);

/// Euclidean distance of the four coefficients.
double law_distance(const LawOfMotion& left, const LawOfMotion& right);

}  // namespace macrobench::krusell_smith::certificate
