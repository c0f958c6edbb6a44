// Algorithm 2 of Aldrich (2014), line by line: for each node of each period, Newton's method on
// c1(s^t), then the node's share of the two sums of the budget.

#include <cmath>
#include <limits>

#include "implementations/beliefs/outer_loop.hpp"
#include "implementations/beliefs/solver.hpp"
#include "implementations/numerics/compensated_sum.hpp"

namespace macrobench::beliefs {

namespace {

struct SolvedNode {
  double c1, c2, C, q;
  int newton_iterations;
};

SolvedNode solve_node(const Problem& problem, const Economy& economy, const Transitions& history,
                      const Consumption& at_s0) {
  const Node node = node_at(economy, history);
  double c1 = at_s0.c1 * node.C / economy.C0;
  double step = std::numeric_limits<double>::infinity();
  int n = 0;
  while (std::abs(step) > problem.newton_tolerance * c1 && n < problem.newton_cap) {
    const double m = relative_marginal_utility_1(economy, c1, at_s0);
    const double c2 = consumption_2(economy, node, m, at_s0);
    const double slope =
        economy.mu_1 + economy.mu_2 * (economy.gamma_1 / economy.gamma_2) * c2 / c1;
    step = (node.C - economy.mu_1 * c1 - economy.mu_2 * c2) / slope;  // (24)
    if (c1 + step <= 0) step = -c1 / 2;
    c1 += step;
    ++n;
  }
  if (!(std::abs(step) <= problem.newton_tolerance * c1)) c1 = std::nan("");
  const double m = relative_marginal_utility_1(economy, c1, at_s0);
  const double c2 = consumption_2(economy, node, m, at_s0);  // (26)
  const double q = node.price * m;                           // (25)
  return {c1, c2, node.C, q, n};
}

void solve(const Problem& problem, Stages& stages, Equilibrium& equilibrium) {
  const Economy economy(problem.calibration);

  const auto pass = [&](const Consumption& at_s0, Equilibrium& result) {
    for (int t = 1; t <= problem.T; ++t) {
      numerics::CompensatedSum wealth;
      numerics::CompensatedSum spending;
      for (std::int64_t i = 0; i < nodes_in_period(t); ++i) {
        const Transitions history = transitions_of(i, t, economy.starts_low);
        const SolvedNode node = solve_node(problem, economy, history, at_s0);
        wealth.add(node.q * node.C);
        spending.add(node.q * node.c2);
        result.newton_iterations += node.newton_iterations;
      }
      const auto period = static_cast<std::size_t>(t);
      result.wealth[period] = wealth.value();
      result.spending[period] = spending.value();
    }
  };
  find_equilibrium(problem, stages, equilibrium, pass);
  stages.finish();

  equilibrium.nodes = nodes_of_tree(problem.T);
  std::size_t i = 0;
  for (const Transitions& history : sampled_histories(problem)) {
    const SolvedNode node = solve_node(problem, economy, history, equilibrium.at_s0);
    equilibrium.sampled[i++] = {node.c1, node.c2};
  }
}

const RegisterSolver registered{{.name = "serial",
                                 .origin = Origin::published,
                                 .summary = "C++, every node of the tree in turn",
                                 .axes = {horizon_of_a_tree()},
                                 .solve_double = solve,
                                 .floor = floor_of_newton,
                                 .source = __FILE__}};

}  // namespace

}  // namespace macrobench::beliefs
