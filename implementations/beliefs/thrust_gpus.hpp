#pragma once

// thrust.hpp on several `devices`, which divide each period's nodes. Each adds up its own, so that
// the sums may differ from those of one device in their last bits.

#include <thrust/transform_reduce.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "implementations/beliefs/thrust.hpp"
#include "implementations/numerics/parallel/devices.hpp"

namespace macrobench::beliefs::thrust_solver {

template <template <class> class DeviceVector>
void solve(const Problem& problem, Stages& stages, Equilibrium& equilibrium,
           numerics::Devices& devices) {
  using Node = NodeIterator<DeviceVector>;
  const Economy economy(problem.calibration);

  const auto pass = [&](const Consumption& at_s0, Equilibrium& result) {
    const SolveNode solve_node(problem, economy, at_s0);
    const std::vector<PeriodSums> none(static_cast<std::size_t>(problem.T) + 1);
    std::vector<std::vector<PeriodSums>> device_sums(devices.count(),
                                                     none);  // of each device, by period
    devices.each([&](const numerics::Device& device) {
      for (int t = 1; t <= problem.T; ++t) {
        const auto nodes = static_cast<std::size_t>(nodes_in_period(t));
        const Node first(static_cast<std::int64_t>(device.begin(nodes)));
        const Node last(static_cast<std::int64_t>(device.end(nodes)));
        device_sums[device.index()][static_cast<std::size_t>(t)] = thrust::transform_reduce(
            first, last, NodeOfPeriod{solve_node, t}, PeriodSums{}, AddSums{});
      }
    });
    for (int t = 1; t <= problem.T; ++t) {
      PeriodSums sums;
      for (const std::vector<PeriodSums>& its : device_sums)
        sums.add(its[static_cast<std::size_t>(t)]);
      sums.write(t, result);
    }
  };
  find_equilibrium(problem, stages, equilibrium, pass);
  stages.finish();
  solve_sampled<DeviceVector>(problem, economy, equilibrium);
}

}  // namespace macrobench::beliefs::thrust_solver
