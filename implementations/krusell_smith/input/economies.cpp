#include "implementations/krusell_smith/input/economies.hpp"

#include <cstddef>

#include "implementations/numerics/batch/varied.hpp"

namespace macrobench::krusell_smith {

namespace {

constexpr numerics::Varied<Calibration> varied[] = {
    {.name = "beta", .place = &Calibration::beta, .spread = 0.1, .of_one_less = true},
    {.name = "alpha", .place = &Calibration::alpha, .spread = 0.02},
    {.name = "delta", .place = &Calibration::delta, .spread = 0.05},
    {.name = "mu", .place = &Calibration::mu, .spread = 0.3},
    {.name = "gamma", .place = &Calibration::gamma},
    {.name = "lbar", .place = &Calibration::lbar},
    {.name = "Delta_a", .place = &Calibration::delta_a}};

}  // namespace

std::vector<std::string> varied_names() {
  return numerics::names_of(varied);
}

Problem economy_of(const Problem& problem, int economy) {
  Problem one = numerics::economy_of(varied, problem, economy);
  if (one.calibration == problem.calibration) return one;
  const double ratio =
      capital_without_risk(one.calibration) / capital_without_risk(problem.calibration);
  one.grids.K_min *= ratio;
  one.grids.K_max *= ratio;
  return one;
}

std::string words_of(const Calibration& calibration) {
  return numerics::words_of(varied, calibration);
}

numerics::KeptInFull judged_in_full(const Problem& problem) {
  constexpr std::size_t most = 8;
  return numerics::KeptInFull::at_most(most, problem);
}

}  // namespace macrobench::krusell_smith
