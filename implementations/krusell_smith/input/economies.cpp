#include "implementations/krusell_smith/input/economies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace macrobench::krusell_smith {

namespace {

/// Capital per unit of labour at which it earns 1 / beta.
double capital_without_risk(const Calibration& c) {
  return std::pow(c.alpha / (1 / c.beta - 1 + c.delta), 1 / (1 - c.alpha));
}

}  // namespace

Problem economy_of(const Problem& problem, int economy) {
  Problem one = problem;
  one.economies = 1;
  if (problem.economies == 1) return one;
  one.threads = 1;
  if (economy == 0) return one;
  const auto factor = [&](int parameter, double spread) {
    return numerics::factor_of(problem.draw, economy, parameter, spread);
  };
  Calibration& c = one.calibration;
  c.beta = 1 - (1 - c.beta) * factor(0, 0.1);
  c.alpha *= factor(1, 0.02);
  c.delta *= factor(2, 0.05);
  c.mu *= factor(3, 0.3);
  const double ratio = capital_without_risk(c) / capital_without_risk(problem.calibration);
  one.grids.K_min *= ratio;
  one.grids.K_max *= ratio;
  return one;
}

std::string words_of(const Calibration& c) {
  return fmt::format("beta = {:.6g}, alpha = {:.6g}, delta = {:.6g}, mu = {:.6g}", c.beta, c.alpha,
                     c.delta, c.mu);
}

numerics::KeptInFull judged_in_full(const Problem& problem) {
  constexpr int most = 8;
  return {.draw = problem.draw,
          .economies = problem.economies,
          .count = std::min(most, problem.economies)};
}

}  // namespace macrobench::krusell_smith
