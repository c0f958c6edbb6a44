#include "implementations/roofline/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/model/wrong_size.hpp"

namespace macrobench::roofline {

namespace {

/// What stands at place i after all passes.
template <class Real>
double exact(const Problem& problem, std::size_t i) {
  if (is_shifted(problem.ceiling)) {
    const std::size_t moved = static_cast<std::size_t>(problem.passes) * stride;
    return static_cast<double>(copied_number<Real>((i + moved) % problem.numbers()));
  }
  const double distance = static_cast<double>(first_number<Real>(i)) - 1;
  return 1 + distance * std::pow(slope, steps_a_pass * problem.passes);
}

}  // namespace

template <class Real>
Outcome judge(const Problem& problem, const Solution<Real>& solution, const Scrutiny&) {
  Outcome outcome;
  outcome.why = wrong_size(problem, solution);
  if (!outcome.why.empty()) return outcome;
  outcome.iterations = problem.passes;
  outcome.checked_states = problem.n;
  outcome.exhaustive = true;
  outcome.figures["states"] = problem.n;
  outcome.allowed = is_shifted(problem.ceiling) ? 0 : 2048.0 * std::numeric_limits<Real>::epsilon();

  for (std::size_t i = 0; i < solution.numbers.size(); ++i) {
    const auto number = static_cast<double>(solution.numbers[i]);
    const double right = exact<Real>(problem, i);
    const double error = std::abs(number - right) / std::max(1.0, right);
    if (error <= outcome.residual) continue;
    outcome.residual = error;
    if (error <= outcome.allowed) continue;
    outcome.why = fmt::format("number {} is {:.9g}, where {:.9g} is correct after {} passes", i,
                              number, right, problem.passes);
    break;
  }
  outcome.valid = outcome.why.empty();
  return outcome;
}

template Outcome judge<float>(const Problem&, const Solution<float>&, const Scrutiny&);
template Outcome judge<double>(const Problem&, const Solution<double>&, const Scrutiny&);

}  // namespace macrobench::roofline
