#pragma once

// The incomplete-markets economy of Krusell and Smith (1998) as Den Haan, Judd and Juillard (2010)
// set it: two aggregate states a, two employment states e, capital k >= 0 the only asset.
//
//   max  E sum_t beta^t (c_t^(1-gamma) - 1) / (1-gamma)                                       (B.1)
//   c + k' = (1 + r - delta) k + [(1-tau) lbar e + mu (1-e)] w,      k' >= 0           (B.2), (B.3)
//   r = alpha a (K/(lbar L))^(alpha-1),   w = (1-alpha) a (K/(lbar L))^alpha                  (B.6)
//   tau = mu u / (lbar L),   L = 1 - u                                                        (B.7)
//   ln K' = b0_a + b1_a ln K,   as households perceive it
//
// The economics is here, written once for host and device. The loops that solve it are not.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/calibrations.hpp"
#include "harness/model/input_file.hpp"
#include "implementations/numerics/parallel/host_device.hpp"

namespace macrobench::krusell_smith {

inline constexpr int bad = 0;         ///< a
inline constexpr int good = 1;        ///< a
inline constexpr int unemployed = 0;  ///< e
inline constexpr int employed = 1;    ///< e
inline constexpr int states = 4;      ///< s = 2 a + e: (bad,u) (bad,e) (good,u) (good,e)

/// s of an aggregate state and an employment state.
MACROBENCH_HOST_DEVICE constexpr int state_of(int a, int e) {
  return 2 * a + e;
}

/// Den Haan, Judd and Juillard (2010), quarterly. Table B.1 of Hatcher and Scheffel (2014) prints P
/// rounded, with one wrong number.
struct Calibration {
  double beta = 0.99;     ///< discount factor, in (0, 1)
  double gamma = 1;       ///< relative risk aversion, > 0; 1 is log utility
  double alpha = 0.36;    ///< capital's share, in (0, 1)
  double delta = 0.025;   ///< depreciation, in (0, 1]
  double lbar = 1 / 0.9;  ///< time endowment, > 0
  double mu = 0.15;       ///< unemployment benefit over the wage, in [0, 1)
  double delta_a = 0.01;  ///< a = 1 - delta_a or 1 + delta_a, in [0, 1)
  double u_bad = 0.10;    ///< unemployment in the bad state, in (0, 1)
  double u_good = 0.04;   ///< and in the good one
  /// P[4 s + s'], rows add up to one.
  std::array<double, 16> P = {0.525,           0.35,
                              0.03125,         0.09375,  //
                              7. / 8 * 2 / 45, 7. / 8 * 43 / 45,
                              1. / 8 / 60,     1. / 8 * 59 / 60,  //
                              0.09375,         0.03125,
                              7. / 24,         7. / 12,  //
                              1. / 8 * 7 / 96, 1. / 8 * 89 / 96,
                              7. / 8 / 36,     7. / 8 * 35 / 36};

  bool operator==(const Calibration&) const = default;
};

/// Prices in one period: a household has R k + income[e].
struct Prices {
  double R;          ///< 1 + r - delta
  double income[2];  ///< after tax, by employment
};

/// The calibration as the loops need it. Copied to where it runs.
struct Economy {
  explicit Economy(const Calibration& calibration);

  double beta, gamma, alpha, delta, lbar, mu;
  double a[2];     ///< productivity
  double L[2];     ///< employment rate
  double P[4][4];  ///< P[s][s']

  /// Pr(a' | a).
  [[nodiscard]] MACROBENCH_HOST_DEVICE double chance(int from, int to) const {
    const double* row = P[state_of(from, unemployed)];
    return row[state_of(to, unemployed)] + row[state_of(to, employed)];
  }

  /// Pr(e' = unemployed | e, a, a').
  [[nodiscard]] MACROBENCH_HOST_DEVICE double chance_of_unemployment(int e, int from,
                                                                     int to) const {
    const double* row = P[state_of(from, e)] + state_of(to, unemployed);
    return row[0] / (row[0] + row[1]);
  }
};

MACROBENCH_HOST_DEVICE inline Prices prices(const Economy& economy, int a, double K) {
  using std::pow;
  const double labour = economy.lbar * economy.L[a];
  const double power = pow(K / labour, economy.alpha);
  const double r = economy.alpha * economy.a[a] * power * labour / K;
  const double w = (1 - economy.alpha) * economy.a[a] * power;
  const double tau = economy.mu * (1 - economy.L[a]) / labour;
  return {1 + r - economy.delta, {economy.mu * w, (1 - tau) * economy.lbar * w}};
}

/// Capital per unit of labour at which it earns 1 / beta; of a Calibration or an Economy.
template <class Parameters>
double capital_without_risk(const Parameters& its) {
  return std::pow(its.alpha / (1 / its.beta - 1 + its.delta), 1 / (1 - its.alpha));
}

/// u'(c) = c^-gamma.
MACROBENCH_HOST_DEVICE inline double marginal_utility(double gamma, double c) {
  using std::pow;
  return gamma == 1 ? 1 / c : pow(c, -gamma);
}

/// c at which u'(c) = m.
MACROBENCH_HOST_DEVICE inline double consumption_at(double gamma, double m) {
  using std::pow;
  return gamma == 1 ? 1 / m : pow(m, -1 / gamma);
}

/// ln K' = b0[a] + b1[a] ln K.
struct LawOfMotion {
  using Number = double;
  double b0[2] = {0, 0};
  double b1[2] = {1, 1};

  [[nodiscard]] MACROBENCH_HOST_DEVICE double next(int a, double K) const {
    using std::exp;
    using std::log;
    return exp(b0[a] + b1[a] * log(K));
  }

  bool operator==(const LawOfMotion&) const = default;
};

/// What Maliar, Maliar and Valli (2010) find with a panel of agents.
inline constexpr LawOfMotion published_law{{0.123815, 0.137800}, {0.965565, 0.963238}};

/// Euclidean distance of the four coefficients.
double distance(const LawOfMotion& left, const LawOfMotion& right);

/// The grids of k and K, in closed form: k_i = k_max (i/(n_k-1))^theta, K_j uniform.
struct Grids {
  int n_k, n_K;
  double k_max, theta;
  double K_min, K_max;

  [[nodiscard]] MACROBENCH_HOST_DEVICE double k(int i) const {
    using std::pow;
    return k_max * pow(static_cast<double>(i) / (n_k - 1), theta);
  }
  [[nodiscard]] MACROBENCH_HOST_DEVICE double K(int j) const {
    return K_min + (K_max - K_min) * j / (n_K - 1);
  }
  /// The position of k among the k_i, from 0 to n_k - 1.
  [[nodiscard]] MACROBENCH_HOST_DEVICE double index_of_k(double at) const {
    using std::pow;
    return pow(at / k_max, 1 / theta) * (n_k - 1);
  }
  [[nodiscard]] MACROBENCH_HOST_DEVICE double index_of_K(double at) const {
    return (at - K_min) / (K_max - K_min) * (n_K - 1);
  }
  [[nodiscard]] MACROBENCH_HOST_DEVICE double clip_k(double at) const {
    return at < 0 ? 0 : at > k_max ? k_max : at;
  }
  [[nodiscard]] MACROBENCH_HOST_DEVICE double clip_K(double at) const {
    return at < K_min ? K_min : at > K_max ? K_max : at;
  }

  /// Points of the policy: it is at [(s n_K + j) n_k + i], shape 4 x n_K x n_k.
  [[nodiscard]] std::size_t size() const {
    return static_cast<std::size_t>(states) * static_cast<std::size_t>(n_K) *
           static_cast<std::size_t>(n_k);
  }
  /// The start of the line of k' over k at (s, K_j).
  [[nodiscard]] MACROBENCH_HOST_DEVICE std::ptrdiff_t line(int s, int j) const {
    return (static_cast<std::ptrdiff_t>(s) * n_K + j) * n_k;
  }

  bool operator==(const Grids&) const = default;
};

/// How a policy is interpolated within the Euler equation, in both directions.
enum class PolicyInterpolation { spline, linear };

/// How a panel interpolates the policy, in both directions.
enum class PanelInterpolation {
  catmull_rom,  ///< in grid-index space
  linear,       ///< in k and K
  spline        ///< in k and K, with not-a-knot ends
};

/// What is solved: the economy, or one stage of its outer loop on a stored input.
enum class Stage {
  all,
  policy,  ///< one policy, from the first guess, under the stored law
  panel    ///< one panel, from the first cross-section, under the stored policy
};

/// How the law of motion moves towards what the households produce.
enum class LawUpdate {
  relaxation,   ///< by a fixed weight, as published
  quasi_newton  ///< by the derivatives, which few agents give
};

/// More agents than these are only drawn, never read, and a solution keeps the wealth of a sample.
inline constexpr int most_agents = 100'000'000;

/// One numerical problem, and how an implementation should solve it.
struct Problem {
  Calibration calibration;
  /// How far the rows of P, given to six decimals, were from adding up to 1 at most, before they
  /// were scaled; 0 if they were not.
  double row_error = 0;
  int N = 10'000;           ///< agents
  int group_stride = 1;     ///< they are those of every so many groups of 128
  int T = 1'000;            ///< periods of the panel, the first included
  bool moves_last = false;  ///< the cross-section of the last period moves too, see moves()
  Grids grids = {.n_k = 100, .n_K = 4, .k_max = 1'000, .theta = 7, .K_min = 30, .K_max = 50};

  std::string policy = "euler";  ///< a policy method's name
  PolicyInterpolation policy_interpolation = PolicyInterpolation::spline;
  PanelInterpolation panel_interpolation = PanelInterpolation::catmull_rom;
  double policy_tolerance = 1e-8;  ///< on max |dk'|
  double damping = 0.7;            ///< of the Euler iteration: the new policy's weight
  int policy_cap = 100'000;        ///< give up on a policy after this many iterations

  double tolerance = 1e-7;  ///< on |B_new - B|, Euclidean
  LawUpdate law_update = LawUpdate::relaxation;
  double relaxation = 0.3;        ///< lambda: weight of the new coefficients
  double reuse_tolerance = 1e-6;  ///< above it the terminal cross-section starts the next panel
  int burn_in = 100;              ///< periods left out of the regression
  int outer_cap = 50;             ///< then the tolerance is relaxed tenfold, once

  Stage stage = Stage::all;
  InputFile stored;  ///< a saved solution; without it published_law, and the policy under it

  std::int64_t seed = 13;
  InputFile shocks, aggregate;    ///< instead of the seed's: employment, aggregate states
  bool lowest_bit_first = false;  ///< of a byte of `shocks`
  bool lower_is_good = false;     ///< of the two numbers of `aggregate`
  InputFile wealth;               ///< instead of initial_wealth()
  bool single = false;            ///< the panel's precision
  int histogram_points = 1'000;   ///< of a histogram of wealth, for each employment state
  int accuracy_periods = 10'000;  ///< of the fresh simulation that the certificate measures errors
                                  ///< on; 0 for none
  int threads = 1;                ///< CPU threads
  int block = 512;                ///< CUDA threads per block
  int gpus = 1;                   ///< that divide the agents
  int economies = 1;              ///< calibrations to solve for, see input/economies.hpp
  std::int64_t draw = 1;          ///< which ones
  const Calibrations* calibrations = nullptr;  ///< a user's, instead of drawn ones

  /// How often the cross-section moves before it starts the next panel: into each period after the
  /// first, and as the authors' code does once more.
  [[nodiscard]] int moves() const { return moves_last ? T : T - 1; }

  bool operator==(const Problem&) const = default;
};

/// k_i, shape n_k.
std::vector<double> k_points(const Grids& grids);
/// K_j, shape n_K.
std::vector<double> K_points(const Grids& grids);

/// The problem of the agents whose wealth a solution keeps: all, or of more than most_agents a
/// sample, whole groups of 128 from all over the population.
Problem kept_of(const Problem& problem);

/// Numbers of wealth that a solution keeps at the beginning and at the end of its last panel.
std::size_t wealth_kept(const Problem& problem);

/// How a solver's panel moves wealth, which a certificate needs to know to repeat it.
enum class PanelKind {
  agents,    ///< as the problem's panel_interpolation says
  hardware,  ///< bilinear, 8-bit weights
  histogram  ///< Young (2010): weights on a grid
};

/// The grid from which an array of a solution has choices: that of k, for the policy.
std::vector<double> choices_of(const Problem& problem, std::string_view array);

/// What the simulation of a panel counted.
struct Clips {
  using Count = std::int64_t;
  std::int64_t k = 0;  ///< choices outside [0, k_max], agents times periods
  std::int64_t K = 0;  ///< periods whose mean was outside [K_min, K_max]
};

/// A law of motion on trial in one economy of a batch, and what its households then do.
struct Trial {
  int economy = 0;
  LawOfMotion law = {};
  std::vector<double> policy = {};  ///< k': where the search begins, and then what it finds
  int policy_iterations = 0;        ///< above policy_cap if it found none
  std::vector<double> K = {};       ///< means of wealth, clipped, shape T
  Clips clips = {};
};

/// As many trials of one economy are made together at most: of a law, and of laws of which one of
/// its four coefficients is another.
inline constexpr int trials_of_one = 5;

/// An equilibrium, as a solver returns it.
struct Equilibrium {
  LawOfMotion law;              ///< as perceived: what `policy` was solved for
  LawOfMotion estimated;        ///< as regressed on K
  double R2[2];                 ///< of the regression
  std::vector<double> policy;   ///< k', shape 4 x n_K x n_k
  std::vector<double> K;        ///< means of wealth, clipped, of the last panel, shape T
  std::vector<double> K_fifth;  ///< those of the fifth panel, or of the last if there were fewer
  /// Wealth at the beginning and at the end of the last panel, after all of the problem's moves, of
  /// the agents of kept_of(problem);
  /// of a histogram the weights by employment, shape 2 x histogram_points.
  std::vector<double> first_wealth, last_wealth;
  PanelKind kind = PanelKind::agents;
  Clips clips;  ///< of the last panel

  int outer_iterations = 0;
  std::int64_t policy_iterations = 0;  ///< of all outer iterations together
  std::int64_t first_policy_iterations = 0;
  double distance = 0;     ///< |B_new - B| at the end
  bool converged = false;  ///< the outer loop
  bool relaxed = false;    ///< the dagger: only at ten times the tolerance

  /// Of a batch the equilibrium of each economy; nothing else is then written.
  std::vector<Equilibrium> economies;

  /// Its arrays by name.
  template <class Self, class Visit>
  static void each_array(const Problem& problem, Self& self, Visit& visit) {
    const std::size_t one = problem.economies == 1 ? 1 : 0;
    const std::size_t T = one * static_cast<std::size_t>(problem.T);
    const std::size_t kept = one * wealth_kept(problem);
    visit("law", self.law);
    visit("estimated", self.estimated);
    visit("R2", self.R2);
    visit("policy", self.policy,
          {{"state", one * states},
           {"K", static_cast<std::size_t>(problem.grids.n_K)},
           {"k", static_cast<std::size_t>(problem.grids.n_k)}});
    visit("K", self.K, {{"t", T}});
    visit("K_fifth", self.K_fifth, {{"t", T}});
    visit("first_wealth", self.first_wealth, {{"agent", kept}});
    visit("last_wealth", self.last_wealth, {{"agent", kept}});
    visit("kind", self.kind);
    visit("clips", self.clips);
    visit("outer_iterations", self.outer_iterations);
    visit("policy_iterations", self.policy_iterations);
    visit("first_policy_iterations", self.first_policy_iterations);
    visit("distance", self.distance);
    visit("converged", self.converged);
    visit("relaxed", self.relaxed);
    if (problem.economies == 1) return;
    if constexpr (!std::is_const_v<Self>) {
      self.economies.resize(static_cast<std::size_t>(problem.economies));
    }
    Problem of_one = problem;
    of_one.economies = 1;
    for (auto& economy : self.economies) each_array(of_one, economy, visit);
  }
};

}  // namespace macrobench::krusell_smith
