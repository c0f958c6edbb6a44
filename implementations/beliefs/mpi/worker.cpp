// The ranks behind mpi.cpp: Algorithm 2 of Aldrich (2014) as in serial.cpp, where the ranks divide
// the subtrees below the histories of the first ten periods. A node of period t is in the subtree
// that its lowest ten bits name, which say those periods' states; of an earlier period each node is
// in a subtree by itself.
//
// Each rank's threads solve the subtrees of its share; once per pass the ranks exchange the sums of
// every subtree in every period, 40 bytes each, and then all add them up in the same order. So the
// number of ranks and threads changes no bit.

#include "implementations/mpi/worker.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "implementations/beliefs/outer_loop.hpp"
#include "implementations/beliefs/solve_node.hpp"

namespace macrobench::beliefs {

namespace {

constexpr std::int64_t subtrees = 1024;

/// Of a subtree's nodes in period t.
PeriodSums sums_of(const SolveNode& solve_node, int t, std::int64_t subtree) {
  PeriodSums sums;
  for (std::int64_t i = subtree; i < nodes_in_period(t); i += subtrees) sums.add(solve_node(t, i));
  return sums;
}

void solve(const Problem& problem, mpi::Ranks& ranks, Equilibrium& equilibrium) {
  const Economy economy(problem.calibration);
  const auto periods = static_cast<std::size_t>(problem.T);
  equilibrium.wealth.resize(periods + 1);
  equilibrium.spending.resize(periods + 1);

  std::vector<PeriodSums> sums(subtrees * periods);  // shape subtrees x T
  const std::vector<std::size_t> mine = ranks.shares(subtrees);
  std::vector<std::size_t> begins = mine;
  for (std::size_t& begin : begins) begin *= periods;
  const auto first = static_cast<std::int64_t>(mine[static_cast<std::size_t>(ranks.rank())]);
  const auto last = static_cast<std::int64_t>(mine[static_cast<std::size_t>(ranks.rank()) + 1]);

  const auto pass = [&](const Consumption& at_s0, Equilibrium& result) {
    const SolveNode solve_node(problem, economy, at_s0);
#pragma omp parallel for schedule(dynamic)
    for (std::int64_t subtree = first; subtree < last; ++subtree) {
      for (int t = 1; t <= problem.T; ++t) {
        sums[static_cast<std::size_t>(subtree * problem.T + t - 1)] =
            sums_of(solve_node, t, subtree);
      }
    }
    ranks.enter("exchange");
    ranks.all_gather(begins, sums.data());
    ranks.enter("pass");
    for (int t = 1; t <= problem.T; ++t) {
      PeriodSums all;
      for (std::int64_t subtree = 0; subtree < subtrees; ++subtree) {
        all.add(sums[static_cast<std::size_t>(subtree * problem.T + t - 1)]);
      }
      all.write(t, result);
    }
  };
  find_equilibrium(problem, ranks, equilibrium, pass);
  ranks.finish();

  equilibrium.nodes = nodes_of_tree(problem.T);
  const SolveNode solve_node(problem, economy, equilibrium.at_s0);
  for (const Transitions& history : sampled_histories(problem)) {
    const SolvedNode node = solve_node(history);
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
