// The sequential program of 2012, with which the tables of 2010 and of the page were made: two
// searches, Howard's step, and a lower bound. It differs from serial_checked.cpp only in that
// bound, which it drops where the policy one capital point below is the last feasible choice: never
// with the papers' calibration.

// First, because it decides how Eigen is compiled.
#include "implementations/rbc/published/eigen_with_checks.hpp"
//
#include "implementations/rbc/published/serial.hpp"
#include "implementations/rbc/solver.hpp"

namespace macrobench::rbc {

namespace {

using serial_solver::Expectations;

constexpr int policy_below_the_last(int below, int last) {
  return below < last ? below : 0;
}

const RegisterSolver registered{
    {.name = "serial_2012",
     .origin = Origin::published,
     .summary = "the C++ of 2012, -O2, Eigen's checks: searches from the policy one point below",
     .axes = {published_maximizers, {"monotone", {"on"}}, {"start"}},
     .solve_single = serial_solver::solve<float, Expectations::of_all, policy_below_the_last>,
     .solve_double = serial_solver::solve<double, Expectations::of_all, policy_below_the_last>,
     .hooks = {.work = work_of_all_expectations,
               .floor = floor_of_search,
               .known_invalid = known_invalid_in_single},
     .source = __FILE__}};

}  // namespace

}  // namespace macrobench::rbc
