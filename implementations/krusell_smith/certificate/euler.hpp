#pragma once

// The Euler equation at the policy's nodes.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
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

/// Consumption below this has the marginal utility of this.
inline constexpr double consumption_floor = 1e-10;

/// No error of consumption is allowed that is a larger share of it, however wide policy_tolerance.
inline constexpr double most_euler_error = 1e-6;

/// The consumption that the Euler equation implies.
struct Implied {
  double consumption;
  double rounding;  ///< relative to it, by the terms that it is computed from
  bool on_floor;    ///< whether consumption_floor replaces what is consumed in some future
};

/// The Euler equation of a household at one aggregate state.
class EulerEquation {
 public:
  EulerEquation(const Problem& problem, const LawOfMotion& law, const PolicySurface& policy, int a,
                double K);

  [[nodiscard]] double resources(int e, double k) const {
    return today_.gross_return * k + today_.income[e];
  }

  /// What it implies for a household that saves k_next.
  [[nodiscard]] Implied implied(int e, double k_next) const;
  [[nodiscard]] double consumption(int e, double k_next) const {
    return implied(e, k_next).consumption;
  }

 private:
  const Problem& problem_;
  const PolicySurface& policy_;
  int a_;
  Market today_;
  double K_next_;
  std::array<Market, 2> tomorrow_;
};

/// How far consumption is at the policy's nodes from what the Euler equation implies and the grid
/// allows. At each node an error is allowed of twice policy_tolerance, but of no more than
/// most_euler_error as a share of consumption, and what rounding makes of the node's own terms.
struct PolicyErrors {
  /// A share of consumption, where it is nearest to what is allowed, at [(s n_K + j) n_k + i].
  Largest largest;
  double allowed = most_euler_error;  ///< there, rounding included
  double by_tolerance = 0;            ///< of that what policy_tolerance alone would allow
  double consumption = 0;             ///< there
  Largest rounding;                   ///< what it makes of any node's terms, a share of consumption
  /// A node where something is saved although all is consumed up to consumption_floor in some
  /// future, or where nothing is consumed.
  std::optional<std::size_t> on_floor;
  std::int64_t count = 0;
  bool all = true;
};

/// Looks at all nodes if `thorough` or there are at most drawn_places, else at as many that are
/// drawn.
PolicyErrors policy_errors(const Problem& problem, const Equilibrium& equilibrium, bool thorough,
                           std::mt19937_64& random);

/// Returns a complaint about them, or nothing.
std::string against_policy(const Problem& problem, const PolicyErrors& policy);

}  // namespace macrobench::krusell_smith::certificate
