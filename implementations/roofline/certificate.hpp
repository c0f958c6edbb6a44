#pragma once

#include "harness/model/outcome.hpp"
#include "harness/model/scrutiny.hpp"
#include "implementations/roofline/model.hpp"

namespace macrobench::roofline {

/// Every number against its closed form, in double: of `copy` exactly, of `multiply_add` within
/// 2,048 eps, the most that rounding can add up to (each step shrinks it by the slope). The
/// residual is the largest relative error.
template <class Real>
Outcome judge(const Problem& problem, const Solution<Real>& solution, const Scrutiny& scrutiny);

}  // namespace macrobench::roofline
