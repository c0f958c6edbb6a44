#pragma once

#include <cmath>
#include <numeric>
#include <vector>

#include "harness/model/stages.hpp"
#include "implementations/beliefs/model.hpp"
#include "implementations/numerics/methods/broyden.hpp"

namespace macrobench::beliefs {

/// Algorithm 2's outer loop (lines 1 to 3 and 12 to 19): chooses c2(s_0) until type 2's budget
/// holds.
///
/// `pass(at_s0, equilibrium)` does lines 4 to 11: it solves all nodes, writes the sums of the
/// periods 1 .. T, and adds its Newton iterations.
///
/// The seed of the derivative is that type 2 would spend in proportion to c2(s_0) at every node.
template <class Pass>
void find_equilibrium(const Problem& problem, Stages& stages, Equilibrium& equilibrium,
                      const Pass& pass) {
  const Economy economy(problem.calibration);
  numerics::Broyden broyden(0, economy.C0 / economy.mu_2);
  double c2 = problem.first_c2 * economy.C0;
  bool is_moving = true;
  while (!equilibrium.converged && is_moving && equilibrium.passes < problem.pass_cap) {
    stages.enter("pass");
    equilibrium.at_s0 = economy.at_s0(c2);
    equilibrium.wealth[0] = economy.C0;
    equilibrium.spending[0] = c2;
    pass(equilibrium.at_s0, equilibrium);
    ++equilibrium.passes;

    stages.enter("broyden");
    const auto sum = [](const std::vector<double>& by_period) {
      return std::accumulate(by_period.begin(), by_period.end(), 0.0);
    };
    const double wealth = sum(equilibrium.wealth);
    const double spending = sum(equilibrium.spending);
    const double residual = wealth - spending;  // (27)
    equilibrium.residual = residual / wealth;
    equilibrium.converged = std::abs(equilibrium.residual) <= problem.broyden_tolerance;

    const double next = broyden.next(c2, residual, -spending / c2);
    is_moving = std::isfinite(residual) && next != c2;
    c2 = next;
  }
}

}  // namespace macrobench::beliefs
