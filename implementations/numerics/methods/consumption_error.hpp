#pragma once

// How far a certificate lets a value function be off. An error of a value is worth what the same
// error of consumption is worth: as a share of consumption it has no units, and no calibration
// makes it small. No solver uses this.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace macrobench::numerics {

/// The largest error of a state that no tolerance excuses, as a share of its consumption.
inline constexpr double largest_share = 1e-6;

/// What rounding alone may cost in `Real`, as a share of consumption. Above it a problem cannot be
/// judged: its choices differ by less than rounding does.
template <class Real>
inline constexpr double largest_rounding = sizeof(Real) == sizeof(float) ? 1e-2 : largest_share;

/// What there is to know of a state: the numbers that its value is made of.
struct StateValue {
  double value = 0;        ///< V
  double utility = 0;      ///< u(c) of the best choice
  double expected = 0;     ///< beta E|V'| of that choice
  double consumption = 0;  ///< c
  double available = 0;    ///< what c is left of
  double lasting = 1;      ///< the sum of the discount factors of all periods from now on
};

/// What is allowed at a state, all in units of V.
struct ErrorBound {
  double unit;      ///< the value of consuming 100% more: c u'(c), at the margin
  double rounding;  ///< of the state's own terms
  double allowed;   ///< on |V - TV|

  [[nodiscard]] double share(double error) const { return error / unit; }
};

/// At most `tolerance`, and at most largest_share of consumption, and rounding: four eps of each
/// term, where that of what is available moves consumption. A value that is a long sum has more.
/// u(c) = c^(1-gamma) / (1-gamma), or log c.
template <class Real>
ErrorBound error_bound(double gamma, double tolerance, const StateValue& state,
                       double more_roundings = 0) {
  constexpr double epsilon = std::numeric_limits<Real>::epsilon();
  constexpr double least = std::numeric_limits<Real>::denorm_min();  // below that all is 0
  const double marginal = std::pow(state.consumption, -gamma);
  // A household without aversion to risk may consume nothing now: V is all that it ever consumes,
  // and its errors are shares of the mean.
  const double unit =
      gamma > 0 ? marginal * state.consumption : std::abs(state.value) / state.lasting;
  // V is u + beta E V', so that the larger of V and beta E V' stands for both.
  const double terms = std::max(std::abs(state.value), state.expected) + std::abs(state.utility);
  const double rounding = 4 * (epsilon * (terms + marginal * state.available) + least);
  if (!std::isfinite(rounding)) return {unit, rounding, 0};  // no value, or nothing to consume
  return {unit, rounding,
          std::min(tolerance, largest_share * unit) + rounding + more_roundings * epsilon * terms};
}

/// Whether no solution in this precision could be judged at a state.
template <class Real>
bool is_ill_conditioned(const ErrorBound& bound) {
  const bool has_number = std::isfinite(bound.rounding);  // else its residual tells
  return has_number && !(bound.rounding <= largest_rounding<Real> * bound.unit);
}

/// Why not, where it is so.
template <class Real>
std::string ill_conditioned(const ErrorBound& bound, const std::string& place) {
  return fmt::format(
      "ill-conditioned: rounding alone is worth {:.2g} of consumption at {}, where {:.0e} is "
      "allowed",
      bound.share(bound.rounding), place, largest_rounding<Real>);
}

/// Whether utility itself is less than the least number of this precision, so that no tolerance
/// helps.
template <class Real>
bool has_no_number(const ErrorBound& bound) {
  return is_ill_conditioned<Real>(bound) &&
         4 * double{std::numeric_limits<Real>::denorm_min()} > largest_rounding<Real> * bound.unit;
}

/// What rounding may hide, in words, if that is more than a ten-thousandth of consumption.
inline std::string hidden_by_rounding(double share) {
  if (!(share > 1e-4)) return {};
  return fmt::format("errors up to {:.2g}% of a period's consumption are within its rounding",
                     100 * share);
}

/// "; here 1.6e-10 is 3% of consumption: --tolerance 5e-15", if the tolerance is more than
/// largest_share at the state where a unit of V is worth most; else empty.
inline std::string tolerance_that_would_do(double tolerance, double least_unit) {
  const double needed = largest_share * least_unit;
  if (!(tolerance > needed) || !(needed > 0)) return {};
  const double share = tolerance / least_unit;
  double digit = std::pow(10, std::floor(std::log10(needed)));
  if (digit > needed) digit /= 10;  // by rounding
  return fmt::format(
      "; here {:g} is {} consumption: --tolerance {:.0e}", tolerance,
      share < 10 ? fmt::format("{:.2g}% of", 100 * share) : fmt::format("{:.2g} times", share),
      std::floor(needed / digit) * digit);
}

}  // namespace macrobench::numerics
