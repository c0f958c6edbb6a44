#pragma once

// Algorithm 2 with Thrust, one source for the OpenMP and the CUDA backend: a functor for one node,
// which thrust::transform_reduce applies to all nodes of a period. Only the sums are stored.
//
// The type of the device vector decides the backend: every algorithm below follows its iterators or
// gets its system's tag. So both backends exist in one executable without sharing a type.

#include <thrust/copy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/iterator_traits.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

#include <cstddef>
#include <cstdint>

#include "harness/model/stages.hpp"
#include "implementations/beliefs/outer_loop.hpp"
#include "implementations/beliefs/solve_node.hpp"
#include "implementations/numerics/parallel/host_device.hpp"

namespace macrobench::beliefs::thrust_solver {

/// Maps a node of period t to what it adds to the sums.
struct NodeOfPeriod {
  SolveNode solve_node;
  int t;

  MACROBENCH_HOST_DEVICE PeriodSums operator()(std::int64_t i) const {
    PeriodSums sums;
    sums.add(solve_node(t, i));
    return sums;
  }
};

struct AddSums {
  MACROBENCH_HOST_DEVICE PeriodSums operator()(PeriodSums a, const PeriodSums& b) const {
    a.add(b);
    return a;
  }
};

/// Maps a history to its consumption.
struct ConsumptionAt {
  SolveNode solve_node;

  MACROBENCH_HOST_DEVICE Consumption operator()(const Transitions& history) const {
    const SolvedNode node = solve_node(history);
    return {node.c1, node.c2};
  }
};

/// The nodes from 0 on, where DeviceVector keeps its elements.
template <template <class> class DeviceVector>
using NodeIterator = thrust::counting_iterator<
    std::int64_t, typename thrust::iterator_system<typename DeviceVector<double>::iterator>::type>;

/// Solves the sampled histories once more, after the time has been taken.
template <template <class> class DeviceVector>
void solve_sampled(const Problem& problem, const Economy& economy, Equilibrium& equilibrium) {
  equilibrium.nodes = nodes_of_tree(problem.T);
  const DeviceVector<Transitions> histories(sampled_histories(problem));
  DeviceVector<Consumption> sampled(histories.size());
  thrust::transform(histories.begin(), histories.end(), sampled.begin(),
                    ConsumptionAt{SolveNode(problem, economy, equilibrium.at_s0)});
  thrust::copy(sampled.begin(), sampled.end(), equilibrium.sampled.begin());
}

template <template <class> class DeviceVector>
void solve(const Problem& problem, Stages& stages, Equilibrium& equilibrium) {
  const Economy economy(problem.calibration);
  const NodeIterator<DeviceVector> first(0);

  const auto pass = [&](const Consumption& at_s0, Equilibrium& result) {
    const SolveNode solve_node(problem, economy, at_s0);
    for (int t = 1; t <= problem.T; ++t) {
      const PeriodSums sums = thrust::transform_reduce(
          first, first + nodes_in_period(t), NodeOfPeriod{solve_node, t}, PeriodSums{}, AddSums{});
      sums.write(t, result);
    }
  };
  find_equilibrium(problem, stages, equilibrium, pass);
  stages.finish();
  solve_sampled<DeviceVector>(problem, economy, equilibrium);
}

/// What the papers call start-up: the first device vector.
template <template <class> class DeviceVector>
void start(const Problem& problem) {
  const DeviceVector<double> first(static_cast<std::size_t>(problem.threads));
}

}  // namespace macrobench::beliefs::thrust_solver
