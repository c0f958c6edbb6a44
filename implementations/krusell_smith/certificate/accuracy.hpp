#pragma once

#include "implementations/krusell_smith/certificate/economy.hpp"
#include "implementations/krusell_smith/certificate/steady_state.hpp"

namespace macrobench::krusell_smith::certificate {

/// How far the agents of a fresh simulation are from the equilibrium: relative errors.
struct Accuracy {
  /// |c_Euler / c - 1| along the simulation, where c_Euler is the consumption that the Euler
  /// equation asks for given tomorrow's choices, or all resources if these are less.
  double euler_mean = 0;
  Largest euler_max;
  /// |c / c_Euler - 1| of the same: Maliar, Maliar and Valli (2010) divide so, but take tomorrow's
  /// K from the simulation.
  double implied_mean = 0;
  Largest implied_max;
  /// |k_Euler - k| / K, where a household that begins with k consumes c_Euler in every period: the
  /// dynamic Euler-equation test of Den Haan (2010), who divides by the household's mean wealth.
  double dynamic_mean = 0;
  Largest dynamic_max;
  /// |K_law / K - 1|, where K_law follows the law of motion from the first period on without ever
  /// being shown K (Den Haan 2010).
  double law_mean = 0;
  Largest law_max;
  SteadyState steady_state;  ///< of the population in twice as many periods after these
};

/// Simulates accuracy_periods periods under fresh shocks. The law of motion is compared with a
/// histogram of the population that begins where the last panel ended, so that sampling noise is
/// not mistaken for an error of the law. The Euler equation is checked for ten households over
/// time.
Accuracy accuracy_of(const Problem& problem, const Equilibrium& equilibrium);

}  // namespace macrobench::krusell_smith::certificate
