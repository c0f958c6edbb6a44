// The model as the harness sees it, the terms of its solvers' work and floors, and the tutorial's
// plots.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "harness/model/solver_model.hpp"
#include "implementations/lifecycle/certificate.hpp"
#include "implementations/lifecycle/economies.hpp"
#include "implementations/lifecycle/figures.hpp"
#include "implementations/lifecycle/parameters.hpp"
#include "implementations/lifecycle/solver.hpp"

namespace macrobench::lifecycle {

namespace {

/// V at one age over savings, one column per shock. No implementation shares this code.
Curves value_at_age(Problem problem, bool at_first_age, Recursion recursion) {
  problem.recursion = recursion;
  const std::vector<double> V = reference_values(problem);
  const Grids<double> grids = grids_in_double(problem);
  const int age = at_first_age ? 1 : std::max(1, problem.T - 1);
  const double* of_age = V.data() + static_cast<std::size_t>(age - 1) * problem.states();
  Curves curves{.columns = {"x"}, .rows = {}};
  for (int ie = 0; ie < problem.ne; ++ie) curves.columns.push_back(fmt::format("e{}", ie + 1));
  for (int ix = 0; ix < problem.nx; ++ix) {
    std::vector<double> row{grids.x[static_cast<std::size_t>(ix)]};
    for (int ie = 0; ie < problem.ne; ++ie) row.push_back(of_age[ie * problem.nx + ix]);
    curves.rows.push_back(std::move(row));
  }
  return curves;
}

Figure figure(const std::string& name, const std::string& summary, bool at_first_age,
              Recursion recursion) {
  return {.name = "oswald_tutorial/" + name,
          .summary = summary,
          .curves = [=](const Parameters& parameters) {
            return value_at_age(axes().problem_of(parameters), at_first_age, recursion);
          }};
}

/// The work of the published loops.
double work_of_every_choice(const Problem& problem) {
  return work_with(problem, static_cast<double>(problem.ne) * problem.nx);
}

Floor floor_with(const Problem& problem, double choices) {
  const auto states = static_cast<double>(problem.states());
  const double of_a_choice = 2 * problem.ne + 5;  // consumption, its utility in two, the sum
  const double kept = kept_in_full(problem).count;
  return {.bytes = kept * problem.T * states * size_of_real(problem.single),
          .operations = problem.economies * (problem.T - 1.0) * states * choices * of_a_choice};
}

}  // namespace

/// The model, constructed at its first use, because solvers register themselves in any order.
const SolverModel<Problem>& this_model() {
  static const SolverModel<Problem> model = registered<Problem>(
      {.model = {.name = "lifecycle",
                 .summary = "life-cycle savings by backward induction over ages",
                 .size_axis = "nx",
                 .check = check_parameters,
                 .figures = {figure("period_1", "V(x, e) at age 1, as plotted", true,
                                    Recursion::as_published),
                             figure("period_T_minus_1", "V(x, e) at age T-1, as plotted", false,
                                    Recursion::as_published),
                             figure("period_1_corrected", "the same, corrected", true,
                                    Recursion::corrected),
                             figure("period_T_minus_1_corrected", "the same, corrected", false,
                                    Recursion::corrected)},
                 .outcome_figures = outcome_figures(),
                 .stages = announced_stages(),
                 .array_units = array_units(),
                 .work_axes = {"ne", "T", "economies"},
                 .method_axes = {"grids", "expectation", "constants", "arrays"},
                 .trial_sizes = {64, 256}},
       .axes = axes(),
       .hooks = {.work = work_of_every_choice}});
  return model;
}

double work_with(const Problem& problem, double of_a_state) {
  return static_cast<double>(problem.T) * problem.nx * problem.ne * problem.economies * of_a_state;
}

Floor floor_of_every_choice(const Problem& problem, const Outcome& /*outcome*/) {
  return floor_with(problem, problem.nx);
}

Floor floor_of_one_choice(const Problem& problem, const Outcome& /*outcome*/) {
  return floor_with(problem, 1);
}

}  // namespace macrobench::lifecycle

template struct macrobench::RegisterSolver<macrobench::lifecycle::Problem,
                                           macrobench::lifecycle::Solution,
                                           macrobench::lifecycle::this_model>;
