#include "implementations/newton/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace macrobench::newton {

template <class Real>
Outcome judge(const Problem& problem, const Solution<Real>& solution, bool) {
  constexpr double epsilon = std::numeric_limits<Real>::epsilon();
  const std::size_t n = problem.coefficients();
  Outcome outcome;
  if (solution.argmax.size() != n || solution.steps.size() != n) {
    outcome.why = "the solution has the wrong size";
    return outcome;
  }
  outcome.iterations = *std::ranges::max_element(solution.steps);
  outcome.checked_states = problem.n;
  outcome.exhaustive = true;
  outcome.figures["states"] = problem.n;
  outcome.figures["argmax_first"] = static_cast<double>(solution.argmax.front());
  outcome.figures["argmax_last"] = static_cast<double>(solution.argmax.back());

  for (std::size_t i = 0; i < n && outcome.why.empty(); ++i) {
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
    if (!wrong) continue;
    outcome.why =
        std::isnan(x) && solution.steps[i] > 0
            ? fmt::format("not converged within iteration_cap = {} at a[{}] = {:.6g}",
                          solution.steps[i], i, a)
            : fmt::format("x is {:.17g} at a[{}] = {:.6g}, where the maximum is at {:.17g}", x, i,
                          a, exact);
  }
  outcome.valid = outcome.why.empty();
  return outcome;
}

template Outcome judge<float>(const Problem&, const Solution<float>&, bool);
template Outcome judge<double>(const Problem&, const Solution<double>&, bool);

}  // namespace macrobench::newton
