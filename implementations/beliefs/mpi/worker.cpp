// The ranks behind mpi.cpp: Algorithm 2 of Aldrich (2014) as in serial.cpp, where the ranks divide
// the subtrees below the histories of the first ten periods. A node of period t is in the subtree
// that its lowest ten bits name, which say those periods' states; of an earlier period each node is
// in a subtree by itself.
//
// Each rank's threads solve the subtrees of its part; once per pass the ranks exchange the sums of
// every subtree in every period, 40 bytes each, and then all add them up in the same order. So the
// number of ranks and threads changes no bit.

#include "implementations/mpi/worker.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "implementations/beliefs/outer_loop.hpp"
#include "implementations/numerics/compensated_sum.hpp"

namespace macrobench::beliefs {

namespace {

constexpr std::int64_t subtrees = 1024;

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

/// Of a subtree's nodes in one period.
struct Sums {
  numerics::CompensatedSum wealth, spending;
  std::int64_t newton_iterations = 0;
};

Sums sums_of(const Problem& problem, const Economy& economy, const Consumption& at_s0, int t,
             std::int64_t subtree) {
  Sums sums;
  for (std::int64_t i = subtree; i < nodes_in_period(t); i += subtrees) {
    const Transitions history = transitions_of(i, t, economy.starts_low);
    const SolvedNode node = solve_node(problem, economy, history, at_s0);
    sums.wealth.add(node.q * node.C);
    sums.spending.add(node.q * node.c2);
    sums.newton_iterations += node.newton_iterations;
  }
  return sums;
}

void solve(const Problem& problem, mpi::Ranks& ranks, Equilibrium& equilibrium) {
  const Economy economy(problem.calibration);
  const auto periods = static_cast<std::size_t>(problem.T);
  equilibrium.wealth.resize(periods + 1);
  equilibrium.spending.resize(periods + 1);

  std::vector<Sums> sums(subtrees * periods);  // shape subtrees x T
  const std::vector<std::size_t> mine = ranks.shares(subtrees);
  std::vector<std::size_t> begins = mine;
  for (std::size_t& begin : begins) begin *= periods;
  const auto first = static_cast<std::int64_t>(mine[static_cast<std::size_t>(ranks.rank())]);
  const auto last = static_cast<std::int64_t>(mine[static_cast<std::size_t>(ranks.rank()) + 1]);

  const auto pass = [&](const Consumption& at_s0, Equilibrium& result) {
#pragma omp parallel for schedule(dynamic)
    for (std::int64_t subtree = first; subtree < last; ++subtree) {
      for (int t = 1; t <= problem.T; ++t) {
        sums[static_cast<std::size_t>(subtree * problem.T + t - 1)] =
            sums_of(problem, economy, at_s0, t, subtree);
      }
    }
    ranks.enter("exchange");
    ranks.all_gather(begins, sums.data());
    ranks.enter("pass");
    for (int t = 1; t <= problem.T; ++t) {
      Sums all;
      for (std::int64_t subtree = 0; subtree < subtrees; ++subtree) {
        const Sums& its = sums[static_cast<std::size_t>(subtree * problem.T + t - 1)];
        all.wealth.add(its.wealth);
        all.spending.add(its.spending);
        all.newton_iterations += its.newton_iterations;
      }
      const auto period = static_cast<std::size_t>(t);
      result.wealth[period] = all.wealth.value();
      result.spending[period] = all.spending.value();
      result.newton_iterations += all.newton_iterations;
    }
  };
  find_equilibrium(problem, ranks, equilibrium, pass);
  ranks.finish();

  equilibrium.nodes = nodes_of_tree(problem.T);
  for (const Transitions& history : sampled_histories(problem)) {
    const SolvedNode node = solve_node(problem, economy, history, equilibrium.at_s0);
    equilibrium.sampled.push_back({node.c1, node.c2});
  }
}

}  // namespace

}  // namespace macrobench::beliefs

int main(int argc, char** argv) {
  using namespace macrobench;
  return mpi::serve_with(argc, argv, [](mpi::Ranks& ranks) {
    mpi::serve<beliefs::Problem, beliefs::Equilibrium, beliefs::Equilibrium>(ranks, nullptr,
                                                                             beliefs::solve);
  });
}
