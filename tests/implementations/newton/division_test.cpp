// Several devices that divide the coefficients give the bits of one, also where there are more of
// them than coefficients.

#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_OMP

#include <gtest/gtest.h>
#include <thrust/system/omp/vector.h>

#include "harness/model/stages.hpp"
#include "implementations/newton/solver.hpp"
#include "implementations/newton/thrust_gpus.hpp"
#include "tests/implementations/host_devices.hpp"

namespace macrobench::newton {
namespace {

template <class T>
using HostVector = thrust::omp::vector<T>;

TEST(Division, GivesTheBitsOfOneDevice) {
  NoStages stages;
  for (const int n : {1, 2, 1'001}) {
    Problem problem;
    problem.n = n;
    Solution<double> expected;
    fill_with_poison(problem, expected);
    thrust_solver::solve<double, HostVector>(problem, stages, expected);
    for (const int count : {1, 2, 3, 5}) {
      HostDevices several(count);
      Solution<double> found;
      fill_with_poison(problem, found);
      thrust_solver::solve<double, HostVector>(problem, stages, found, several);
      EXPECT_EQ(found.argmax, expected.argmax) << n << " coefficients, " << count << " devices";
      EXPECT_EQ(found.steps, expected.steps) << n << " coefficients, " << count << " devices";
    }
  }
}

}  // namespace
}  // namespace macrobench::newton
