#pragma once

#include "harness/model/outcome.hpp"
#include "harness/model/scrutiny.hpp"
#include "implementations/newton/model.hpp"

namespace macrobench::newton {

/// Judges a solution against the closed form x* = -b / (2a), in double, coefficient by coefficient,
/// always all of them, at a = ((n - 1 - i) a_low + i a_high) / (n - 1).
///
/// Valid: every x was written and
///
///   |x - x*| <= min(4 eps (|x*| + |x*| a_low / a + d), share |x*|)
///
/// where eps is the distance from 1 to the next number of `Real`, and the share is 1e-6, or 1e-2 in
/// single precision (if b = 0 and with it x* = 0, there is no share). d is how far from x* the last
/// step starts: |x0 - x*| if that is within the tolerance, else min(tolerance, 4 eps |x0|), because
/// a Newton step on a parabola lands on x* from anywhere. So a far start widens nothing, and an
/// answer that rounding alone has spoilt is refused; `why` then names the option that would do. The
/// residual is the largest |x - x*|.
///
/// There are two steps, or one if x0 is within the tolerance of x*, or more if the rounding of the
/// first step exceeds the tolerance. The solver counts its steps: another count is refused, and no
/// count widens the bound.
///
/// Outcome::iterations is the most steps that a coefficient took, as the solver says. Also recorded
/// (Outcome::figures): "states", the coefficients; "argmax_first", "argmax_last".
template <class Real>
Outcome judge(const Problem& problem, const Solution<Real>& solution, const Scrutiny& scrutiny);

}  // namespace macrobench::newton
