// Several devices that divide each period's nodes find the equilibrium of one, up to the order in
// which they add, also if there are more of them than nodes.

#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_OMP

#include <gtest/gtest.h>
#include <thrust/system/omp/vector.h>

#include "harness/model/stages.hpp"
#include "implementations/beliefs/solver.hpp"
#include "implementations/beliefs/thrust_gpus.hpp"
#include "tests/implementations/host_devices.hpp"

namespace macrobench::beliefs {
namespace {

template <class T>
using HostVector = thrust::omp::vector<T>;

TEST(Division, FindsTheEquilibriumOfOneDevice) {
  NoStages stages;
  for (const int T : {1, 2, 9}) {
    Problem problem;
    problem.T = T;
    problem.calibration.gamma_2 = 5;
    Equilibrium expected;
    fill_with_poison(problem, expected);
    thrust_solver::solve<HostVector>(problem, stages, expected);
    for (const int count : {1, 2, 3, 5}) {
      HostDevices several(count);
      Equilibrium found;
      fill_with_poison(problem, found);
      thrust_solver::solve<HostVector>(problem, stages, found, several);
      SCOPED_TRACE(T);
      SCOPED_TRACE(count);
      EXPECT_NEAR(found.at_s0.c2, expected.at_s0.c2, 1e-13);
      for (std::size_t t = 0; t < expected.wealth.size(); ++t) {
        EXPECT_NEAR(found.wealth[t], expected.wealth[t], 1e-13);
        EXPECT_NEAR(found.spending[t], expected.spending[t], 1e-13);
      }
      EXPECT_EQ(found.passes, expected.passes);
      EXPECT_EQ(found.newton_iterations, expected.newton_iterations);
      EXPECT_TRUE(found.converged);
    }
  }
}

}  // namespace
}  // namespace macrobench::beliefs
