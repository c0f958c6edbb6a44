// The published program with one change: the expectation is formed at the points that the search
// visits, as the published Thrust and CUDA programs do, so an iteration is O(Nk log Nk). All else
// is theirs too: a power per probe, resources per state and iteration. So it is their like-for-like
// baseline; serial_tuned.cpp saves more than that.

#include "implementations/rbc/published/serial.hpp"
#include "implementations/rbc/solver.hpp"

namespace macrobench::rbc {

namespace {

using serial_solver::Expectations;

const RegisterSolver registered{
    {.name = "serial_probed",
     .origin = Origin::corrected,
     .summary = "C++ with Eigen, the expectation only where the search looks: like for like",
     .axes = {published_maximizers, {"monotone"}, {"start"}},
     .solve_single = serial_solver::solve<float, Expectations::of_probes>,
     .solve_double = serial_solver::solve<double, Expectations::of_probes>,
     .hooks = {.floor = floor_of_search, .known_invalid = known_invalid_in_single},
     .source = __FILE__}};

}  // namespace

}  // namespace macrobench::rbc
