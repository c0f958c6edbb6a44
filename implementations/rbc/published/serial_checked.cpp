// serial.cpp as the authors' makefile builds it: -O2, and Eigen's checks of every index and size.

// First, because it decides how Eigen is compiled.
#include "implementations/rbc/published/eigen_with_checks.hpp"
//
#include "implementations/rbc/published/serial.hpp"
#include "implementations/rbc/solver.hpp"

namespace macrobench::rbc {

namespace {

using serial_solver::Expectations;

const RegisterSolver registered{
    {.name = "serial_checked",
     .origin = Origin::published,
     .summary = "serial as the authors' makefile builds it: -O2, Eigen's checks",
     .axes = {published_maximizers, {"monotone"}, {"start"}},
     .solve_single = serial_solver::solve<float, Expectations::of_all>,
     .solve_double = serial_solver::solve<double, Expectations::of_all>,
     .hooks = {.work = work_of_all_expectations,
               .floor = floor_of_search,
               .known_invalid = known_invalid_in_single},
     .source = __FILE__}};

}  // namespace

}  // namespace macrobench::rbc
