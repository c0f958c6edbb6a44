#pragma once

#include "harness/model/stages.hpp"
#include "implementations/rbc/model.hpp"

namespace macrobench::rbc {

/// Value function iteration as Aruoba and Fernandez-Villaverde (2015, update of 2018) program it:
/// every search begins at the policy one capital point below and ends where a choice is no better
/// than the last. Right where V is concave and the policy rises in capital.
void solve_by_first_decline(const Problem& problem, Stages& stages, Solution<double>& solution);

}  // namespace macrobench::rbc
