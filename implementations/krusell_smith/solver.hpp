#pragma once

#include <string>
#include <vector>

#include "harness/model/parameters.hpp"
#include "harness/model/solver.hpp"
#include "implementations/krusell_smith/model.hpp"

namespace macrobench::krusell_smith {

/// The model as it is registered.
const SolverModel<Problem>& this_model();

/// The policy is always in double, and so is what is stored; `Real` is the panel's precision.
template <class Real>
using Solution = Equilibrium;

using Solver = macrobench::Solver<Problem, Solution>;
using RegisterSolver = macrobench::RegisterSolver<Problem, Solution, this_model>;

// What a solver's declaration can name as its own.

/// The agents of a solver that needs all their shocks in memory.
inline TakenAxis agents_in_memory() {
  return {
      .name = "N",
      .interval = Interval{.lowest = 1, .highest = most_agents},
      .otherwise = "their shocks are in memory; krusell_smith/frontier_cuda draws those of more"};
}

/// The fast and accurate way to an equilibrium, as the own defaults of the frontier's panels of
/// agents: Newton steps for the law, the policy by endogenous-grid steps (`policy` says where), and
/// each panel started from the given cross-section. As published, panels are a chain, which repeats
/// every household's luck (FINDINGS.md), so that the law depends on how many there were.
inline Parameters fast_and_accurate(const std::string& policy) {
  return {{"policy", policy}, {"law_update", "quasi_newton"}, {"reuse_tolerance", 1.0}};
}

/// The model declares these too, because builds without CUDA leave frontier_cuda out.
inline Parameters defaults_of_frontier_cuda() {
  return fast_and_accurate("egm_cuda");
}

/// The axes, and these with the defaults given.
inline std::vector<TakenAxis> with_defaults(const Parameters& own, std::vector<TakenAxis> axes) {
  for (const auto& [name, value] : own) axes.push_back({.name = name, .usually = value});
  return axes;
}

/// Work: nanoseconds, roughly, of one thread of a processor or of one GPU, by those of a period of
/// its panel.
double work_with(const Problem& problem, double period);

/// Of a panel: every period reads each agent's wealth, writes it, and reads a bit of shocks. The
/// operations are those of one cubic in k, which no way to do it can save. Of a stage alone that is
/// the policy, as below.
Floor floor_of_agents(const Problem& problem, const Outcome& outcome);
/// The same where employment is drawn: the bit is read and written, because the next one depends on
/// it. What draws it is left out.
Floor floor_of_drawing_agents(const Problem& problem, const Outcome& outcome);
/// Of a policy alone, on the GPU: what four futures of a point take at least. Else unknown.
Floor floor_of_policy(const Problem& problem, const Outcome& outcome);

}  // namespace macrobench::krusell_smith
