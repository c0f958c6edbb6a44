// Several devices that divide the capital grid give the bits of the published program, also where
// there are more of them than points.

#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_OMP

#include <gtest/gtest.h>
#include <thrust/system/omp/vector.h>

#include <vector>

#include "harness/model/solution_arrays.hpp"
#include "harness/model/stages.hpp"
#include "implementations/rbc/devices/thrust_gpus.hpp"
#include "implementations/rbc/economies.hpp"
#include "implementations/rbc/published/thrust.hpp"
#include "tests/implementations/host_devices.hpp"

namespace macrobench::rbc {
namespace {

template <class T>
using HostVector = thrust::omp::vector<T>;

template <class Real>
Solution<Real> published(const Problem& problem) {
  Solution<Real> solution;
  fill_with_poison(problem, solution);
  NoStages stages;
  thrust_solver::solve<Real, HostVector>(problem, stages, solution);
  return solution;
}

template <class Real>
Solution<Real> divided(const Problem& problem, int count) {
  Solution<Real> solution;
  fill_with_poison(problem, solution);
  NoStages stages;
  HostDevices devices(count);
  thrust_solver::solve<Real, HostVector>(problem, stages, solution, devices);
  return solution;
}

class Division : public ::testing::TestWithParam<Maximizer> {};

TEST_P(Division, GivesTheBitsOfThePublishedProgram) {
  for (const int nk : {2, 3, 101}) {
    Problem problem;
    problem.nk = nk;
    problem.nz = 3;
    problem.tolerance = 1e-3;
    problem.maximizer = GetParam();
    const Solution<double> expected = published<double>(problem);
    EXPECT_TRUE(expected.converged) << nk;
    for (const int count : {1, 2, 3, 5}) {
      const Solution<double> found = divided<double>(problem, count);
      EXPECT_EQ(found.V, expected.V) << nk << " points, " << count << " devices";
      EXPECT_EQ(found.policy, expected.policy) << nk << " points, " << count << " devices";
      EXPECT_EQ(found.iterations, expected.iterations);
      EXPECT_EQ(found.difference, expected.difference);
      EXPECT_TRUE(found.converged);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Division,
                         ::testing::Values(Maximizer::bisection, Maximizer::grid_howard));

TEST(DivisionInSingle, GivesTheBitsOfThePublishedProgram) {
  Problem problem;
  problem.nk = 64;
  problem.tolerance = 1e-3;
  problem.single = true;
  EXPECT_EQ(divided<float>(problem, 3).V, published<float>(problem).V);
}

}  // namespace
}  // namespace macrobench::rbc
