// Algorithm 2 of Aldrich (2014), line by line: for each node of each period, Newton's method on
// c1(s^t) (solve_node.hpp), then the node's share of the two sums of the budget.

#include <cstddef>
#include <cstdint>

#include "implementations/beliefs/outer_loop.hpp"
#include "implementations/beliefs/solve_node.hpp"
#include "implementations/beliefs/solver.hpp"

namespace macrobench::beliefs {

namespace {

void solve(const Problem& problem, Stages& stages, Equilibrium& equilibrium) {
  const Economy economy(problem.calibration);

  const auto pass = [&](const Consumption& at_s0, Equilibrium& result) {
    const SolveNode solve_node(problem, economy, at_s0);
    for (int t = 1; t <= problem.T; ++t) {
      PeriodSums sums;
      for (std::int64_t i = 0; i < nodes_in_period(t); ++i) sums.add(solve_node(t, i));
      sums.write(t, result);
    }
  };
  find_equilibrium(problem, stages, equilibrium, pass);
  stages.finish();

  equilibrium.nodes = nodes_of_tree(problem.T);
  const SolveNode solve_node(problem, economy, equilibrium.at_s0);
  std::size_t i = 0;
  for (const Transitions& history : sampled_histories(problem)) {
    const SolvedNode node = solve_node(history);
    equilibrium.sampled[i++] = {node.c1, node.c2};
  }
}

const RegisterSolver registered{{.name = "serial",
                                 .origin = Origin::published,
                                 .summary = "C++, every node of the tree in turn",
                                 .axes = {horizon_of_a_tree()},
                                 .solve_double = solve,
                                 .source = __FILE__}};

}  // namespace

}  // namespace macrobench::beliefs
