#pragma once

#include "harness/model/outcome.hpp"
#include "harness/model/scrutiny.hpp"
#include "implementations/newton/model.hpp"

namespace macrobench::newton {

/// Judges a solution against the closed form x* = -b / (2a), in double, coefficient by coefficient,
/// always all of them, at a = a_low + i (a_high - a_low) / (n - 1).
///
/// Valid: every x was written and |x - x*| <= 4 eps (|x0| + |x*| + |x*| a_low / a), where eps is
/// the distance from 1 to the next number of `Real`. The residual is the largest |x - x*|. A Newton
/// step on a parabola lands on x* from anywhere, so the tolerance adds nothing: see the README. For
/// the same reason there are two steps, or one if x0 is within the tolerance of x*, or more if
/// rounding exceeds the tolerance.
///
/// Outcome::iterations is the most steps that a coefficient took. Also recorded (Outcome::figures):
/// "states", the coefficients; "argmax_first", "argmax_last".
template <class Real>
Outcome judge(const Problem& problem, const Solution<Real>& solution, const Scrutiny& scrutiny);

}  // namespace macrobench::newton
