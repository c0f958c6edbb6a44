#pragma once

// Algorithm 2 with Thrust, one source for the OpenMP and the CUDA backend: a functor for one node,
// which thrust::transform_reduce applies to all nodes of a period. Only the sums are stored.
//
// The type of the device vector decides the backend: every algorithm below follows its iterators or
// gets its system's tag. So both backends exist in one program without sharing a type. `devices`
// are those that divide each period's nodes.

#include <thrust/copy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/iterator_traits.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/model/stages.hpp"
#include "implementations/beliefs/outer_loop.hpp"
#include "implementations/numerics/compensated_sum.hpp"
#include "implementations/numerics/devices.hpp"
#include "implementations/numerics/host_device.hpp"

namespace macrobench::beliefs::thrust_solver {

/// What a node adds to its period, and the sum over nodes.
struct Sums {
  numerics::CompensatedSum wealth, spending;
  std::int64_t newton_iterations = 0;
};

struct AddSums {
  MACROBENCH_HOST_DEVICE Sums operator()(Sums a, const Sums& b) const {
    a.wealth.add(b.wealth);
    a.spending.add(b.spending);
    a.newton_iterations += b.newton_iterations;
    return a;
  }
};

/// Solves the equation of a node at given consumption at s_0.
struct SolveNode {
  Economy economy;
  Consumption at_s0;
  double tolerance;
  int newton_cap;

  struct Solved {
    double c1, c2, C, q;
    int newton_iterations;
  };

  [[nodiscard]] MACROBENCH_HOST_DEVICE Solved solve(const Transitions& history) const {
    const Node node = node_at(economy, history);
    double c1 = at_s0.c1 * node.C / economy.C0;
    double step = c1;
    int n = 0;
    while (fabs(step) > tolerance * c1 && n < newton_cap) {
      const double m = relative_marginal_utility_1(economy, c1, at_s0);
      const double c2 = consumption_2(economy, node, m, at_s0);
      const double slope =
          economy.mu_1 + economy.mu_2 * (economy.gamma_1 / economy.gamma_2) * c2 / c1;
      step = (node.C - economy.mu_1 * c1 - economy.mu_2 * c2) / slope;  // (24)
      if (c1 + step <= 0) step = -c1 / 2;
      c1 += step;
      ++n;
    }
    if (!(fabs(step) <= tolerance * c1)) c1 = nan("");
    const double m = relative_marginal_utility_1(economy, c1, at_s0);
    return {c1, consumption_2(economy, node, m, at_s0), node.C, node.price * m, n};
  }

  /// Maps a history to its consumption.
  MACROBENCH_HOST_DEVICE Consumption operator()(const Transitions& history) const {
    const Solved node = solve(history);
    return {node.c1, node.c2};
  }
};

/// Maps a node of a period to what it adds to the sums.
struct NodeOfPeriod {
  SolveNode solver;
  int t;

  MACROBENCH_HOST_DEVICE Sums operator()(std::int64_t i) const {
    const SolveNode::Solved node = solver.solve(transitions_of(i, t, solver.economy.starts_low));
    Sums sums;
    sums.wealth.add(node.q * node.C);
    sums.spending.add(node.q * node.c2);
    sums.newton_iterations = node.newton_iterations;
    return sums;
  }
};

/// Solves the problem on the devices where DeviceVector keeps its elements.
template <template <class> class DeviceVector>
void solve(const Problem& problem, Stages& stages, Equilibrium& equilibrium,
           numerics::Devices& devices) {
  using System = typename thrust::iterator_system<typename DeviceVector<double>::iterator>::type;
  using Node = thrust::counting_iterator<std::int64_t, System>;
  const Economy economy(problem.calibration);
  const auto solver_at = [&](const Consumption& at_s0) {
    return SolveNode{economy, at_s0, problem.newton_tolerance, problem.newton_cap};
  };

  const auto pass = [&](const Consumption& at_s0, Equilibrium& result) {
    // Of each device, by period.
    std::vector<std::vector<Sums>> parts(devices.here(),
                                         std::vector<Sums>(static_cast<std::size_t>(problem.T)));
    devices.each([&](const numerics::Device& device) {
      for (int t = 1; t <= problem.T; ++t) {
        const auto nodes = static_cast<std::size_t>(nodes_in_period(t));
        const auto first = static_cast<std::int64_t>(device.begin(nodes));
        const auto last = static_cast<std::int64_t>(device.end(nodes));
        parts[device.slot()][static_cast<std::size_t>(t) - 1] = thrust::transform_reduce(
            Node(first), Node(last), NodeOfPeriod{solver_at(at_s0), t}, Sums{}, AddSums{});
      }
    });
    for (int t = 1; t <= problem.T; ++t) {
      const auto period = static_cast<std::size_t>(t);
      Sums sums = parts.front()[period - 1];
      for (std::size_t d = 1; d < parts.size(); ++d) sums = AddSums{}(sums, parts[d][period - 1]);
      result.wealth[period] = sums.wealth.value();
      result.spending[period] = sums.spending.value();
      result.newton_iterations += sums.newton_iterations;
    }
  };
  find_equilibrium(problem, stages, equilibrium, pass);
  stages.finish();

  equilibrium.nodes = nodes_of_tree(problem.T);
  const DeviceVector<Transitions> histories(sampled_histories(problem));
  DeviceVector<Consumption> sampled(histories.size());
  thrust::transform(histories.begin(), histories.end(), sampled.begin(),
                    solver_at(equilibrium.at_s0));
  thrust::copy(sampled.begin(), sampled.end(), equilibrium.sampled.begin());
}

/// What the papers call start-up: the first device vector.
template <template <class> class DeviceVector>
void start(const Problem& problem, numerics::Devices& devices) {
  devices.each([&](const numerics::Device&) {
    const DeviceVector<double> first(static_cast<std::size_t>(problem.threads));
  });
}

}  // namespace macrobench::beliefs::thrust_solver
