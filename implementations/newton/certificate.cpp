#include "implementations/newton/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

#include "harness/model/wrong_size.hpp"

namespace macrobench::newton {

namespace {

struct Range {
  int fewest, most;
};

/// One coefficient, and how far from its maximum an answer may be.
template <class Real>
class Bound {
 public:
  /// The coefficient is a_low + i spacing, as a mean of both ends: all its terms have one sign, so
  /// that it keeps its digits even where it is far smaller than a_low.
  Bound(const Problem& problem, double i)
      : problem_(problem),
        a_(problem.n > 1
               ? ((problem.n - 1 - i) * problem.a_low + i * problem.a_high) / (problem.n - 1)
               : problem.a_low),
        maximum_(-problem.b / (2 * a_)) {
    const double x = std::abs(maximum_);
    const double distance = std::abs(problem.x0 - maximum_);
    from_ = distance <= problem.tolerance
                ? distance
                : std::min(problem.tolerance, 4 * epsilon * std::abs(problem.x0));
    of_a_ = x * problem.a_low / a_;
    rounding_ = 4 * epsilon * (x + of_a_ + from_);
    allowed_ = maximum_ == 0 ? rounding_ : std::min(rounding_, most * x);
  }

  [[nodiscard]] double a() const { return a_; }
  [[nodiscard]] double maximum() const { return maximum_; }
  [[nodiscard]] double allowed() const { return allowed_; }

  /// How many steps it takes until one moves by at most the tolerance. A step from anywhere ends
  /// within rounding of the maximum: the first one goes there, the second finds nothing to do.
  [[nodiscard]] Range steps() const {
    const double rounding = 4 * epsilon * (std::abs(problem_.x0) + std::abs(maximum_) + of_a_);
    const double distance = std::abs(problem_.x0 - maximum_);
    const double nearest = 1 + 1e-6;  // times the tolerance, which `Real` rounds
    const int fewest = distance > problem_.tolerance * nearest + rounding ? 2 : 1;
    if (problem_.tolerance < 2 * rounding * nearest) return {fewest, problem_.iteration_cap};
    return {fewest, (distance + rounding) * nearest <= problem_.tolerance ? 1 : 2};
  }

  /// If rounding alone exceeds the share of the answer that is allowed: the option that avoids it.
  [[nodiscard]] std::string what_would_do() const {
    if (rounding_ <= allowed_) return "";
    const double x = std::abs(maximum_);
    if (!(x <= std::numeric_limits<Real>::max()) || x < std::numeric_limits<Real>::min()) {
      return fmt::format("; that is beyond {} precision: {}", problem_.single ? "single" : "double",
                         problem_.single ? "--real double" : "--b nearer to 1");
    }
    const std::string share = fmt::format("rounding exceeds {:.0e} of the maximum", most);
    if (4 * epsilon * (x + of_a_) > most * x / 2) {
      return fmt::format(
          "; {}, because a is rounded beside a_low = {:.6g}: --a_low nearer to {:.6g}", share,
          problem_.a_low, problem_.a_high);
    }
    const double smallest = std::abs(problem_.b / (2 * problem_.a_low));
    return fmt::format(
        "; {}, because the last step may start {:.1e} away: --tolerance {:.0e}, or --x0 nearer to "
        "{:.6g}",
        share, from_, most * smallest / (16 * epsilon), maximum_);
  }

  /// If no step is as short as the tolerance: the option that avoids it.
  [[nodiscard]] std::string what_would_stop() const {
    const double start = std::abs(problem_.x0);
    if (std::max(start, std::abs(problem_.b)) > std::numeric_limits<Real>::max()) {
      return "; x0 or b is beyond single precision: --real double";
    }
    const double step = 4 * epsilon * std::abs(maximum_);
    if (problem_.tolerance >= step) return "";
    return fmt::format("; rounding may keep a step above the tolerance: --tolerance {:.0e}",
                       10 * step);
  }

 private:
  static constexpr double epsilon = std::numeric_limits<Real>::epsilon();
  /// The largest error ever allowed, over |x*|.
  static constexpr double most = std::is_same_v<Real, float> ? 1e-2 : 1e-6;

  const Problem& problem_;
  double a_, maximum_;
  double from_;      ///< how far from the maximum the last step may start
  double of_a_;      ///< |x*| a_low / a: what the rounding of a costs, over epsilon
  double rounding_;  ///< what rounding leaves of an answer, at most
  double allowed_;
};

}  // namespace

template <class Real>
Outcome judge(const Problem& problem, const Solution<Real>& solution, const Scrutiny&) {
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
    const Bound<Real> bound(problem, static_cast<double>(i));
    const double a = bound.a();
    const double exact = bound.maximum();
    const double error = std::abs(x - exact);
    const double allowed = bound.allowed();
    const bool wrong = !(std::isfinite(exact) && error <= allowed);
    if (wrong || error >= outcome.residual) {
      outcome.residual = error;
      outcome.allowed = allowed;
    }
    const int steps = solution.steps[i];
    if (wrong) {
      outcome.gave_up = std::isnan(x) && steps > 0;
      const std::string end = steps < problem.iteration_cap
                                  ? fmt::format(": no number after {} steps", steps)
                                  : fmt::format(" within iteration_cap = {}", steps);
      outcome.why =
          outcome.gave_up
              ? fmt::format("not converged{} at a[{}] = {:.6g}{}", end, i, a,
                            bound.what_would_stop())
              : fmt::format("x is {:.17g} at a[{}] = {:.6g}, where the maximum is at {:.17g}{}", x,
                            i, a, exact, bound.what_would_do());
      break;
    }
    const auto [fewest, most] = bound.steps();
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
