#pragma once

#include "harness/model/stages.hpp"
#include "implementations/rbc/model.hpp"

namespace macrobench::rbc {

/// The implementation `frontier`, see frontier.cpp. As Solve in solver.hpp.
template <class Real>
void solve_frontier(const Problem& problem, Stages& stages, Solution<Real>& solution);

}  // namespace macrobench::rbc
