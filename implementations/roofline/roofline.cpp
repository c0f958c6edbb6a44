// The model as the harness sees it, its certificate, and what it moves and computes.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "harness/model/solver_model.hpp"
#include "implementations/roofline/parameters.hpp"
#include "implementations/roofline/solver.hpp"

namespace macrobench::roofline {

namespace {

/// The model, made at its first use: solvers register themselves in any order.
const SolverModel<Problem>& this_model() {
  static const SolverModel<Problem> model = registered<Problem>(
      {.model = {.name = "roofline",
                 .summary = "what the machine can do: bytes copied, multiply-adds a second",
                 .size_axis = "n",
                 .check = check_parameters,
                 .trial_sizes = {1 << 16, 1 << 18}},
       .axes = axes(),
       .floor = floor_of_ceiling});
  return model;
}

/// What stands at place i after all passes.
template <class Real>
double exact(const Problem& problem, std::size_t i) {
  if (problem.ceiling == Ceiling::copy) {
    const std::size_t moved = static_cast<std::size_t>(problem.passes) * stride;
    return static_cast<double>(copied_number<Real>((i + moved) % problem.numbers()));
  }
  const double distance = static_cast<double>(first_number<Real>(i)) - 1;
  return 1 + distance * std::pow(slope, steps_a_pass * problem.passes);
}

}  // namespace

Floor floor_of_ceiling(const Problem& problem, const Outcome& /*outcome*/) {
  const double size = size_of_real(problem.single);
  const double n = problem.n;
  if (problem.ceiling == Ceiling::copy) {
    return {.bytes = 2 * size * n * problem.passes, .operations = 0, .stages = {"copy"}};
  }
  return {.bytes = size * n,
          .operations = 2.0 * steps_a_pass * n * problem.passes,
          .stages = {"multiply_add"}};
}

template <class Real>
void fill_with_poison(const Problem& problem, Solution<Real>& solution) {
  solution.numbers.assign(problem.numbers(), std::numeric_limits<Real>::quiet_NaN());
}

template <class Real>
std::uint64_t hash_of(const Solution<Real>& solution) {
  return hash_of_bits(solution.numbers);
}

template <class Real>
Outcome judge(const Problem& problem, const Solution<Real>& solution, bool) {
  Outcome outcome;
  if (solution.numbers.size() != problem.numbers()) {
    outcome.why = "the solution has the wrong size";
    return outcome;
  }
  outcome.iterations = problem.passes;
  outcome.checked_states = problem.n;
  outcome.exhaustive = true;
  outcome.figures["states"] = problem.n;
  const bool is_copy = problem.ceiling == Ceiling::copy;
  outcome.allowed = is_copy ? 0 : 2048.0 * std::numeric_limits<Real>::epsilon();

  for (std::size_t i = 0; i < solution.numbers.size(); ++i) {
    const auto number = static_cast<double>(solution.numbers[i]);
    const double right = exact<Real>(problem, i);
    const double error = std::abs(number - right) / std::max(1.0, right);
    if (error <= outcome.residual) continue;
    outcome.residual = error;
    if (error <= outcome.allowed) continue;
    outcome.why = fmt::format("number {} is {:.9g}, where {:.9g} is right after {} passes", i,
                              number, right, problem.passes);
    break;
  }
  outcome.valid = outcome.why.empty();
  return outcome;
}

template Outcome judge<float>(const Problem&, const Solution<float>&, bool);
template Outcome judge<double>(const Problem&, const Solution<double>&, bool);

RegisterSolver::RegisterSolver(const Solver& solver) {
  register_solver(this_model(), solver);
}

}  // namespace macrobench::roofline
