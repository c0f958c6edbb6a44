// The model as the harness sees it, and what it moves and computes.

#include <fmt/format.h>

#include <cstdint>
#include <limits>

#include "harness/model/solver_model.hpp"
#include "implementations/roofline/certificate.hpp"
#include "implementations/roofline/figures.hpp"
#include "implementations/roofline/parameters.hpp"
#include "implementations/roofline/solver.hpp"

namespace macrobench::roofline {

/// The model, made at its first use: solvers register themselves in any order.
const SolverModel<Problem>& this_model() {
  static const SolverModel<Problem> model = registered<Problem>(
      {.model = {.name = "roofline",
                 .summary = "what the machine can do: bytes copied, multiply-adds a second",
                 .size_axis = "n",
                 .check = check_parameters,
                 .outcome_figures = outcome_figures(),
                 .stages = announced_stages(),
                 .trial_sizes = {1 << 16, 1 << 18},
                 .stores = false},
       .axes = axes(),
       .hooks = {.floor = floor_of_ceiling}});
  return model;
}

Floor floor_of_ceiling(const Problem& problem, const Outcome& /*outcome*/) {
  const double size = size_of_real(problem.single);
  const double n = problem.n;
  if (problem.ceiling == Ceiling::copy) {
    return {.bytes = 2 * size * n * problem.passes, .operations = 0, .stages = {"copy"}};
  }
  if (problem.ceiling == Ceiling::exchange) {
    return {.stages = {"exchange"},
            .exchanged = size * n * problem.passes * share_of_others(problem.gpus)};
  }
  return {.bytes = size * n,
          .operations = 2.0 * steps_a_pass * n * problem.passes,
          .stages = {"multiply_add"}};
}

}  // namespace macrobench::roofline

template struct macrobench::RegisterSolver<macrobench::roofline::Problem,
                                           macrobench::roofline::Solution,
                                           macrobench::roofline::this_model>;
