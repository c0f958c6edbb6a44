#pragma once

// The body of Algorithm 2's loop over the nodes, for host and device: Newton's method at one node,
// and what the node adds to its period.

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "implementations/beliefs/model.hpp"
#include "implementations/numerics/methods/compensated_sum.hpp"
#include "implementations/numerics/parallel/host_device.hpp"

namespace macrobench::beliefs {

struct SolvedNode {
  double c1, c2, C, q;  ///< NaN where Newton's method did not converge
  int newton_iterations;
};

/// Solves nodes at given consumption at s_0.
class SolveNode {
 public:
  SolveNode(const Problem& problem, const Economy& economy, const Consumption& at_s0)
      : economy_(economy),
        at_s0_(at_s0),
        tolerance_(problem.newton_tolerance),
        newton_cap_(problem.newton_cap) {}

  [[nodiscard]] MACROBENCH_HOST_DEVICE SolvedNode operator()(const Transitions& history) const {
    const Node node = node_at(economy_, history);
    double c1 = at_s0_.c1 * node.C / economy_.C0;
    double step = HUGE_VAL;
    int n = 0;
    while (fabs(step) > tolerance_ * c1 && n < newton_cap_) {
      const double m = relative_marginal_utility_1(economy_, c1, at_s0_);
      const double c2 = consumption_2(economy_, node, m, at_s0_);
      const double slope =
          economy_.mu_1 + economy_.mu_2 * (economy_.gamma_1 / economy_.gamma_2) * c2 / c1;
      step = (node.C - economy_.mu_1 * c1 - economy_.mu_2 * c2) / slope;  // (24)
      if (c1 + step <= 0) step = -c1 / 2;
      c1 += step;
      ++n;
    }
    if (!(fabs(step) <= tolerance_ * c1)) c1 = nan("");
    const double m = relative_marginal_utility_1(economy_, c1, at_s0_);
    const double c2 = consumption_2(economy_, node, m, at_s0_);  // (26)
    const double q = node.price * m;                             // (25)
    return {c1, c2, node.C, q, n};
  }

  /// Node i of period t.
  [[nodiscard]] MACROBENCH_HOST_DEVICE SolvedNode operator()(int t, std::int64_t i) const {
    return (*this)(transitions_of(i, t, economy_.starts_low));
  }

 private:
  Economy economy_;
  Consumption at_s0_;
  double tolerance_;
  int newton_cap_;
};

/// The sums over nodes of a period, of q C and of q c2.
struct PeriodSums {
  numerics::CompensatedSum wealth, spending;
  std::int64_t newton_iterations = 0;

  MACROBENCH_HOST_DEVICE void add(const SolvedNode& node) {
    wealth.add(node.q * node.C);
    spending.add(node.q * node.c2);
    newton_iterations += node.newton_iterations;
  }
  MACROBENCH_HOST_DEVICE void add(const PeriodSums& other) {
    wealth.add(other.wealth);
    spending.add(other.spending);
    newton_iterations += other.newton_iterations;
  }
  /// As those of period t.
  void write(int t, Equilibrium& equilibrium) const {
    equilibrium.wealth[static_cast<std::size_t>(t)] = wealth.value();
    equilibrium.spending[static_cast<std::size_t>(t)] = spending.value();
    equilibrium.newton_iterations += newton_iterations;
  }
};

}  // namespace macrobench::beliefs
