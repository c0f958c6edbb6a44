// The model as the harness sees it, and the terms of its solvers' work and floors.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "harness/model/solver_model.hpp"
#include "implementations/rbc/certificate.hpp"
#include "implementations/rbc/economies.hpp"
#include "implementations/rbc/figures.hpp"
#include "implementations/rbc/parameters.hpp"
#include "implementations/rbc/solver.hpp"

namespace macrobench::rbc {

namespace {

/// The fewest choices that a maximisation evaluates at a state: those at the lowest capital and
/// productivity, where resources are least, for a search that halves what is left or one that tries
/// all feasible choices.
double fewest_evaluations(const Problem& problem) {
  if (problem.monotone || problem.maximizer == Maximizer::first_decline) return 1;
  const Grids<double> grids = make_grids<double>(problem);
  const Calibration& c = problem.calibration;
  const double available = resources(grids.K.front(), grids.Z.front(), c.alpha, c.delta);
  const bool is_interpolated = problem.maximizer == Maximizer::interpolated;
  const std::vector<double> choices = is_interpolated ? future_grid<double>(problem) : grids.K;
  const int last = last_at_or_below(choices.data(), static_cast<int>(choices.size()), available);
  if (problem.maximizer != Maximizer::bisection) return std::max(1, last + 1);
  return std::max(1.0, 2 * (std::floor(std::log2(std::max(1, last))) - 1));
}

/// `of_all` is added for every choice.
double work_with(const Problem& problem, double of_all) {
  const bool is_interpolated = problem.maximizer == Maximizer::interpolated;
  const double choices = is_interpolated ? problem.future_points : problem.nk;
  const bool bisects = problem.maximizer == Maximizer::bisection;
  if (problem.maximizer == Maximizer::first_decline) return 3 * work_of_states(problem);
  const double per_maximisation = (bisects ? 2 * std::log2(choices) : choices) + of_all * choices;
  constexpr double iterations_per_maximisation = 20;  // of Howard's step
  return work_of_states(problem) *
         (bisects ? per_maximisation : 1 + per_maximisation / iterations_per_maximisation);
}

double operations_of_evaluation(const Problem& problem) {
  const bool is_interpolated = problem.maximizer == Maximizer::interpolated;
  return (is_interpolated ? 4.0 * problem.nz + 3 : 2.0 * problem.nz) + 5;
}

}  // namespace

/// The model, constructed at its first use, because solvers register themselves in any order.
const SolverModel<Problem>& this_model() {
  static const SolverModel<Problem> model = registered<Problem>(
      {.model = {.name = "rbc",
                 .summary = "real business cycle model by value function iteration",
                 .size_axis = "nk",
                 .check = check_parameters,
                 .outcome_figures = outcome_figures(),
                 .stages = announced_stages(),
                 .array_units = array_units(),
                 .work_axes = {"economies"},
                 .method_axes = {"maximizer", "future_points", "start", "monotone", "layout",
                                 "set_up"}},
       .axes = axes(),
       .hooks = {.work = work_of_search}});
  return model;
}

double work_of_search(const Problem& problem) {
  return work_with(problem, 0);
}

double work_of_all_expectations(const Problem& problem) {
  constexpr double of_an_expectation = 1.0 / 40;
  // Monotonicity leaves only the choices from that of the next lower capital upwards.
  const double share = problem.monotone ? 0.4 : 1;
  return work_with(problem, share * of_an_expectation);
}

double work_of_states(const Problem& problem) {
  return static_cast<double>(problem.states()) * problem.economies;
}

Floor floor_of_search(const Problem& problem, const Outcome& outcome) {
  const auto states = static_cast<double>(problem.states());
  double evaluations = 0;
  const double per_maximisation = fewest_evaluations(problem);
  // No solution of this problem takes more than these, whatever its outcome says.
  const int iterations =
      static_cast<int>(std::min<std::int64_t>(outcome.iterations, problem.iteration_cap));
  for (int k = 0; k < iterations; ++k) {
    const bool maximizes = !evaluates_policies(problem.maximizer) || maximize_now(k);
    evaluations += states * (maximizes ? per_maximisation : 1);
  }
  const double size = size_of_real(problem.single);
  return {.bytes = iterations * states * (2 * size + 4),
          .operations = evaluations * operations_of_evaluation(problem),
          .exchanged = iterations * states * size * share_of_others(problem.gpus)};
}

Floor floor_of_states(const Problem& problem, const Outcome& /*outcome*/) {
  const auto states = static_cast<double>(problem.states());
  return {.bytes = kept_in_full(problem).count * states * (size_of_real(problem.single) + 4),
          .operations = problem.economies * states * operations_of_evaluation(problem)};
}

std::string why_no_such_capital(const Problem& problem) {
  return has_equal_steps(problem) ? "" : "it computes capital from equal steps, unlike the file's";
}

std::string known_invalid_in_single(const Problem& problem) {
  if (!problem.single) return {};
  if (evaluates_policies(problem.maximizer)) {
    return "in single precision the difference can vanish between two maximisations, and iteration "
           "then stops with a policy that is out of date";
  }
  if (problem.nk <= 128) return {};
  return "in single precision V has ripples steeper than the differences that guide the search";
}

}  // namespace macrobench::rbc

template struct macrobench::RegisterSolver<macrobench::rbc::Problem, macrobench::rbc::Solution,
                                           macrobench::rbc::this_model>;
