#pragma once

// The endowment economy with heterogeneous beliefs of Aldrich (2014, section 5; 2011): two types of
// agents, two aggregate states, complete markets, a finite horizon T.
//
//   max  sum_t sum_{s^t} beta_i^t pi_i(s^t) u_i(c_i(s^t))     s.t.  sum q c_i = sum q C       (17)
//   mu_1 c_1(s^t) + mu_2 c_2(s^t) = C(s^t)                    at every history s^t            (18)
//   q(s^t) = beta_i^t pi_i(s^t) u_i'(c_i(s^t)) / u_i'(c_i(s_0))     for both types            (20)
//   u_i(c) = c^(1-gamma_i) / (1-gamma_i),  C(s^t) = exp(alpha(s_t)) C(s^{t-1})           (28), (29)
//
// The economics is here, written once for host and device. The loops that solve it are not.

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "implementations/numerics/parallel/host_device.hpp"

namespace macrobench::beliefs {

/// Table 3 of Aldrich (2014) and the calibration of Aldrich (2011), quarterly.
struct Calibration {
  double mu_1 = 0.8;      ///< share of type 1 in the population, in (0, 1)
  double mu_2 = 0.2;      ///< share of type 2; the two add up to one
  double gamma_1 = 2;     ///< type 1's relative risk aversion, > 0; 1 is log utility
  double gamma_2 = 2;     ///< type 2's
  double beta_1 = 0.995;  ///< type 1's discount factor, in (0, 1]
  double beta_2 = 0.995;  ///< type 2's

  double alpha_h = 0.006222;       ///< log growth of the endowment in the high state
  double alpha_l = -0.005011;      ///< and in the low state
  double pi_hh = 0.9411;           ///< Pr(h | h) as estimated, which type 1 believes, in (0, 1)
  double pi_ll = 0.5304;           ///< Pr(l | l)
  double believed_pi_hh = 0.9411;  ///< Pr(h | h) as type 2 believes it
  double believed_pi_ll = 0.4091;  ///< Pr(l | l): one standard error below the estimate

  bool starts_low = false;  ///< whether s_0 = l
  double C0 = 1;            ///< endowment at s_0, > 0
};

/// The growth rates: corrected, or as published, with the two swapped.
enum class Growth { corrected, as_published };

/// One numerical problem, and how an implementation should solve it.
struct Problem {
  Calibration calibration;
  int T = 12;                         ///< periods after the first
  Growth growth = Growth::corrected;  ///< as_published: the calibration's two are swapped already
  double newton_tolerance = 1e-12;    ///< on the last step in c1(s^t), relative
  double broyden_tolerance = 1e-10;   ///< on type 2's budget residual, over wealth
  double first_c2 = 1;                ///< guess of c2(s_0), over C(s_0); 1 is an equal split
  int newton_cap = 200;               ///< give up on a node after this many Newton steps
  int pass_cap = 100;                 ///< give up after this many passes over the nodes

  int threads = 1;  ///< CPU threads
  int block = 256;  ///< CUDA threads per block
  int gpus = 1;     ///< that divide each period's nodes
};

/// The longest horizon of a tree: 2^41 nodes.
inline constexpr int longest_tree = 40;

/// Nodes of period t; t <= longest_tree.
MACROBENCH_HOST_DEVICE inline std::int64_t nodes_in_period(int t) {
  return std::int64_t{1} << t;
}

/// Nodes of the tree after s_0.
MACROBENCH_HOST_DEVICE inline std::int64_t nodes_of_tree(int T) {
  return nodes_in_period(T + 1) - 2;
}

/// The longest horizon of any solver.
inline constexpr int longest_horizon = 2000;

/// Distinct Transitions of period t: histories ending in s_0's state, and in the other.
inline double classes_in_period(double t) {
  return 1 + std::floor(t * t / 4) + std::floor((t + 1) * (t + 1) / 4);
}

/// Those of the periods 1 .. T.
inline double classes_up_to(int T) {
  double classes = 0;
  for (int t = 1; t <= T; ++t) classes += classes_in_period(t);
  return classes;
}

/// How often a history moves from each state to each state. A node's equation depends only on this:
/// two histories with the same counts have the same consumption.
struct Transitions {
  int hh = 0, hl = 0, lh = 0, ll = 0;

  [[nodiscard]] MACROBENCH_HOST_DEVICE int periods() const { return hh + hl + lh + ll; }
  [[nodiscard]] MACROBENCH_HOST_DEVICE int highs() const { return hh + lh; }
  [[nodiscard]] MACROBENCH_HOST_DEVICE int lows() const { return hl + ll; }
  bool operator==(const Transitions&) const = default;
};

MACROBENCH_HOST_DEVICE inline int count_bits(std::uint64_t bits) {
#if defined(__CUDA_ARCH__)
  return __popcll(bits);
#else
  return std::popcount(bits);
#endif
}

/// The transitions of a node of period t, 0 <= node < 2^t: bit k of it is 1 if s_{k+1} = l.
MACROBENCH_HOST_DEVICE inline Transitions transitions_of(std::int64_t node, int t,
                                                         bool starts_low) {
  const auto now = static_cast<std::uint64_t>(node);
  const std::uint64_t all = (std::uint64_t{1} << t) - 1;
  const std::uint64_t before = (now << 1 | (starts_low ? 1U : 0U)) & all;
  Transitions n;
  n.ll = count_bits(before & now);
  n.hl = count_bits(now) - n.ll;
  n.lh = count_bits(before) - n.ll;
  n.hh = t - n.ll - n.hl - n.lh;
  return n;
}

/// A number for each transition, and its sum over a history.
struct PerTransition {
  double hh, hl, lh, ll;

  [[nodiscard]] MACROBENCH_HOST_DEVICE double sum_over(const Transitions& n) const {
    return n.hh * hh + n.hl * hl + n.lh * lh + n.ll * ll;
  }
};

/// Consumption of the two types, at one history.
struct Consumption {
  using Number = double;
  double c1, c2;
};

/// The calibration as the nodes need it, with logs of what is raised to the power of a count.
struct Economy {
  explicit Economy(const Calibration& calibration);

  double mu_1, mu_2, gamma_1, gamma_2, C0;
  bool starts_low;
  PerTransition log_growth;    ///< of the endowment
  PerTransition log_price;     ///< beta_1 pi_1: the price of a certain unit to a type 1 agent
  PerTransition log_relative;  ///< beta_1 pi_1 / (beta_2 pi_2)

  /// Type 1's consumption at s_0, given type 2's (18).
  [[nodiscard]] Consumption at_s0(double c2) const { return {(C0 - mu_2 * c2) / mu_1, c2}; }
};

/// The terms of a node's equation.
struct Node {
  double C;         ///< C(s^t)
  double price;     ///< beta_1^t pi_1(s^t)
  double relative;  ///< (beta_1 / beta_2)^t pi_1(s^t) / pi_2(s^t)
};

MACROBENCH_HOST_DEVICE inline Node node_at(const Economy& economy, const Transitions& n) {
  using std::exp;
  return {economy.C0 * exp(economy.log_growth.sum_over(n)), exp(economy.log_price.sum_over(n)),
          exp(economy.log_relative.sum_over(n))};
}

/// u_1'(c1(s^t)) / u_1'(c1(s_0)).
MACROBENCH_HOST_DEVICE inline double relative_marginal_utility_1(const Economy& economy, double c1,
                                                                 const Consumption& at_s0) {
  using std::pow;
  return pow(c1 / at_s0.c1, -economy.gamma_1);
}

/// c2(s^t) at which type 2 agrees with type 1 on the price (22), where `m` is type 1's relative
/// marginal utility. Utility is CRRA, so u_2'(c2(s_0)) comes out of the inverse as c2(s_0).
MACROBENCH_HOST_DEVICE inline double consumption_2(const Economy& economy, const Node& node,
                                                   double m, const Consumption& at_s0) {
  using std::pow;
  return at_s0.c2 * pow(node.relative * m, -1 / economy.gamma_2);
}

/// Histories at which a solver reports its consumption: the extreme ones, and others drawn from all
/// over the horizon, the same for every solver. At most 256.
std::vector<Transitions> sampled_histories(const Problem& problem);

/// An equilibrium, as a solver returns it.
struct Equilibrium {
  Consumption at_s0;             ///< c1(s_0), c2(s_0)
  std::vector<double> wealth;    ///< sum over period t's nodes of q C, shape T + 1
  std::vector<double> spending;  ///< of q c2, shape T + 1
  /// The nodes of sampled_histories(problem), solved once more as in the last pass.
  std::vector<Consumption> sampled;
  int passes = 0;                      ///< over all nodes
  std::int64_t nodes = 0;              ///< equations solved per pass
  std::int64_t newton_iterations = 0;  ///< in all passes together
  double residual = 0;                 ///< type 2's budget residual (27) over wealth
  bool converged = false;              ///< whether the solver says that this met the tolerance

  /// Its arrays by name.
  template <class Self, class Visit>
  static void each_array(const Problem& problem, Self& self, Visit& visit) {
    const auto periods = static_cast<std::size_t>(problem.T) + 1;
    visit("at_s0", self.at_s0);
    visit("wealth", self.wealth, {{"t", periods}});
    visit("spending", self.spending, {{"t", periods}});
    visit("sampled", self.sampled, {{"history", sampled_histories(problem).size()}});
    visit("passes", self.passes);
    visit("nodes", self.nodes);
    visit("newton_iterations", self.newton_iterations);
    visit("residual", self.residual);
    visit("converged", self.converged);
  }
};

}  // namespace macrobench::beliefs
