#include "implementations/newton/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/model/wrong_size.hpp"

namespace macrobench::newton {

namespace {

struct Range {
  int fewest, most;
};

/// How many steps it takes until one moves by at most the tolerance. A step from anywhere ends
/// within `rounding` of the maximum: the first one goes there, the second finds nothing to do.
Range steps_between(const Problem& problem, double maximum, double rounding) {
  const double distance = std::abs(problem.x0 - maximum);
  const double nearest = 1 + 1e-6;  // times the tolerance, which `Real` rounds
  const int fewest = distance > problem.tolerance * nearest + rounding ? 2 : 1;
  if (problem.tolerance < 2 * rounding * nearest) return {fewest, problem.iteration_cap};
  return {fewest, (distance + rounding) * nearest <= problem.tolerance ? 1 : 2};
}

}  // namespace

template <class Real>
Outcome judge(const Problem& problem, const Solution<Real>& solution, const Scrutiny&) {
  constexpr double epsilon = std::numeric_limits<Real>::epsilon();
  Outcome outcome;
  outcome.why = wrong_size(problem, solution);
  if (!outcome.why.empty()) return outcome;
  outcome.iterations = *std::ranges::max_element(solution.steps);
  outcome.checked_states = problem.n;
  outcome.exhaustive = true;
  outcome.figures["states"] = problem.n;
  outcome.figures["argmax_first"] = static_cast<double>(solution.argmax.front());
  outcome.figures["argmax_last"] = static_cast<double>(solution.argmax.back());

  for (std::size_t i = 0; i < problem.coefficients() && outcome.why.empty(); ++i) {
    const auto x = static_cast<double>(solution.argmax[i]);
    const double a = problem.a_low + static_cast<double>(i) * problem.spacing();
    const double exact = -problem.b / (2 * a);
    const double error = std::abs(x - exact);
    const double allowed =
        4 * epsilon *
        (std::abs(problem.x0) + std::abs(exact) + std::abs(exact) * problem.a_low / a);
    const bool wrong = !(error <= allowed);
    if (wrong || error >= outcome.residual) {
      outcome.residual = error;
      outcome.allowed = allowed;
    }
    const int steps = solution.steps[i];
    if (wrong) {
      outcome.gave_up = std::isnan(x) && steps > 0;
      outcome.why =
          outcome.gave_up
              ? fmt::format("not converged within iteration_cap = {} at a[{}] = {:.6g}", steps, i,
                            a)
              : fmt::format("x is {:.17g} at a[{}] = {:.6g}, where the maximum is at {:.17g}", x, i,
                            a, exact);
      break;
    }
    const auto [fewest, most] = steps_between(problem, exact, allowed);
    if (steps >= fewest && steps <= most) continue;
    outcome.why = fmt::format("{} steps at a[{}] = {:.6g}, where {} to {} are taken", steps, i, a,
                              fewest, most);
  }
  outcome.valid = outcome.why.empty();
  return outcome;
}

template Outcome judge<float>(const Problem&, const Solution<float>&, const Scrutiny&);
template Outcome judge<double>(const Problem&, const Solution<double>&, const Scrutiny&);

}  // namespace macrobench::newton
