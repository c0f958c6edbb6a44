#pragma once

#include <cmath>

#include "harness/model/stages.hpp"
#include "implementations/numerics/parallel/host_device.hpp"
#include "implementations/rbc/model.hpp"

namespace macrobench::rbc {

/// The implementation `frontier`, see cpu.cpp. As Solve in solver.hpp.
template <class Real>
void solve_frontier(const Problem& problem, Stages& stages, Solution<Real>& solution);

/// What rounding leaves of max |V - T V| where `largest` is max |V|: two units in its last place,
/// half of what the certificate grants. Sweeps go round in circles of one and two units.
MACROBENCH_HOST_DEVICE inline double rounding_of(double largest) {
  using std::nextafter;
  return 2 * (nextafter(largest, HUGE_VAL) - largest);
}

/// Calls use(u) with the utility function compiled for this gamma.
template <class Use>
auto with_utility(double gamma, const Use& use) {
  if (gamma == 2) return use([](double c) { return -1 / c; });
  if (gamma == 1) return use([](double c) { return std::log(c); });
  return use([gamma](double c) { return utility(c, gamma); });
}

}  // namespace macrobench::rbc
