// The model as the harness sees it, and the terms of its solvers' work and floors.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "harness/model/solver_model.hpp"
#include "implementations/beliefs/certificate.hpp"
#include "implementations/beliefs/figures.hpp"
#include "implementations/beliefs/parameters.hpp"
#include "implementations/beliefs/solver.hpp"

namespace macrobench::beliefs {

namespace {

/// 0 if the outcome lacks it.
double figure_of(const Outcome& outcome, const char* name) {
  const auto found = outcome.figures.find(name);
  return found == outcome.figures.end() ? 0 : found->second;
}

/// Equations per pass over the tree.
double work_of_tree(const Problem& problem) {
  return std::exp2(problem.T + 1);
}

}  // namespace

/// The model, constructed at its first use, because solvers register themselves in any order.
const SolverModel<Problem>& this_model() {
  static const SolverModel<Problem> model = registered<Problem>(
      {.model = {.name = "beliefs",
                 .summary = "general equilibrium asset pricing with heterogeneous beliefs",
                 .size_axis = "T",
                 .check = check_parameters,
                 .outcome_figures = outcome_figures(),
                 .stages = announced_stages(),
                 .array_units = array_units(),
                 .method_axes = {"first_c2"},
                 .trial_sizes = {10, 16}},
       .axes = axes(),
       .hooks = {.work = work_of_tree, .floor = floor_of_newton}});
  return model;
}

Floor floor_of_newton(const Problem& /*problem*/, const Outcome& outcome) {
  const double newton_iterations = figure_of(outcome, "passes") * figure_of(outcome, "nodes") *
                                   figure_of(outcome, "newton_iterations_mean");
  return {.bytes = 0, .operations = 13 * newton_iterations};
}

Floor floor_of_dividing(const Problem& problem, const Outcome& outcome, double bytes_per_period) {
  Floor floor = floor_of_newton(problem, outcome);
  floor.exchanged =
      figure_of(outcome, "passes") * problem.T * bytes_per_period * share_of_others(problem.gpus);
  return floor;
}

}  // namespace macrobench::beliefs

template struct macrobench::RegisterSolver<
    macrobench::beliefs::Problem, macrobench::beliefs::Solution, macrobench::beliefs::this_model>;
