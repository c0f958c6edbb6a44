#pragma once

#include <string>
#include <vector>

#include "harness/model/outcome.hpp"
#include "implementations/krusell_smith/model.hpp"

namespace macrobench::krusell_smith::certificate {

/// A law of motion regressed on a path of K.
struct Fit {
  LawOfMotion law;
  double R2[2];
};

/// Least squares from raw moments, in long double.
Fit regressed(const Problem& problem, const std::vector<double>& K);

/// Largest difference of ln K' between two laws at one aggregate state, over the grid of K. It is
/// at one of its ends, because laws are straight lines in ln K.
double height_between(const Grids& grids, const LawOfMotion& left, const LawOfMotion& right, int a);

/// The largest height_between() two laws at a distance of 1 from each other, see law_distance().
double height_per_distance(const Grids& grids);

/// Euclidean distance of the four coefficients.
double law_distance(const LawOfMotion& left, const LawOfMotion& right);

std::string against_regression(const Fit& fit, const Equilibrium& e, double error);

std::string against_law(const Problem& problem, const Outcome& outcome, const Fit& fit,
                        const Equilibrium& e);

/// Nothing if the tolerance holds the law to what may be called one. With a looser one the first
/// guess, several percent off, would pass for a law.
std::string against_tolerance(const Problem& problem, const Equilibrium& e, double allowed);

}  // namespace macrobench::krusell_smith::certificate
