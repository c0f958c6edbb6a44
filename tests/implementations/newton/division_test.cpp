// Several devices that divide the coefficients give the bits of one, also where there are more of
// them than coefficients.

#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_OMP

#include <gtest/gtest.h>
#include <thrust/system/omp/vector.h>

#include "harness/model/stages.hpp"
#include "implementations/newton/thrust.hpp"
#include "implementations/numerics/devices.hpp"
#include "tests/implementations/host_devices.hpp"

namespace macrobench::newton {
namespace {

template <class T>
using HostVector = thrust::omp::vector<T>;

Solution<double> solved_by(const Problem& problem, numerics::Devices& devices) {
  Solution<double> solution;
  solution.argmax.resize(problem.coefficients());
  solution.steps.resize(problem.coefficients());
  NoStages stages;
  thrust_solver::solve<double, HostVector>(problem, stages, solution, devices);
  return solution;
}

TEST(Division, GivesTheBitsOfOneDevice) {
  for (const int n : {1, 2, 1'001}) {
    Problem problem;
    problem.n = n;
    numerics::OneDevice one;
    const Solution<double> expected = solved_by(problem, one);
    for (const int count : {2, 3, 5}) {
      HostDevices several(count);
      const Solution<double> found = solved_by(problem, several);
      EXPECT_EQ(found.argmax, expected.argmax) << n << " coefficients, " << count << " devices";
      EXPECT_EQ(found.steps, expected.steps) << n << " coefficients, " << count << " devices";
    }
  }
}

}  // namespace
}  // namespace macrobench::newton
