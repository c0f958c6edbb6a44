#pragma once

// The Euler equation at the policy's nodes.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "implementations/krusell_smith/certificate/economy.hpp"
#include "implementations/krusell_smith/certificate/line.hpp"

namespace macrobench::krusell_smith::certificate {

/// The policy off the grid, interpolated in k first and then in K.
class PolicySurface {
 public:
  PolicySurface(const Problem& problem, const Equilibrium& equilibrium);
  PolicySurface(const PolicySurface&) = delete;
  PolicySurface& operator=(const PolicySurface&) = delete;

  [[nodiscard]] double operator()(int s, double k, double K) const;

 private:
  PolicyInterpolation kind_;
  std::size_t n_K_;
  std::vector<double> k_, K_;
  std::vector<Line> over_k_;  ///< by (s, K_j)
};

/// The Euler equation of a household at one aggregate state.
class EulerEquation {
 public:
  EulerEquation(const Problem& problem, const LawOfMotion& law, const PolicySurface& policy, int a,
                double K);

  [[nodiscard]] double resources(int e, double k) const {
    return today_.gross_return * k + today_.income[e];
  }

  /// The consumption that it implies for a household that saves k_next.
  [[nodiscard]] double consumption(int e, double k_next) const;

 private:
  const Problem& problem_;
  const PolicySurface& policy_;
  int a_;
  Market today_;
  double K_next_;
  std::array<Market, 2> tomorrow_;
};

/// How far the policy is at its nodes from what the Euler equation implies.
struct PolicyErrors {
  Largest largest;  ///< |k' - implied|, at [(s n_K + j) n_k + i]
  std::int64_t count = 0;
  bool all = true;
};

/// Of all nodes if `thorough` or there are at most affordable_nodes, else of an even selection.
PolicyErrors policy_errors(const Problem& problem, const Equilibrium& equilibrium, bool thorough);

}  // namespace macrobench::krusell_smith::certificate
