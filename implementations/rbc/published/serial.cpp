// Sequential C++ with Eigen, as published: O(Nk^2) per iteration.

#include "implementations/rbc/published/serial.hpp"

#include "implementations/rbc/solver.hpp"

namespace macrobench::rbc {

namespace {

using serial_solver::Expectations;

const RegisterSolver registered{
    {.name = "serial",
     .origin = Origin::published,
     .summary = "C++ with Eigen: the expectation over the whole feasible grid for every state",
     .axes = {published_maximizers, {"monotone"}, {"start"}},
     .solve_single = serial_solver::solve<float, Expectations::of_all>,
     .solve_double = serial_solver::solve<double, Expectations::of_all>,
     .hooks = {.work = work_of_all_expectations,
               .floor = floor_of_search,
               .known_invalid = known_invalid_in_single},
     .source = __FILE__}};

}  // namespace

}  // namespace macrobench::rbc
