#pragma once

#include <vector>

#include "implementations/krusell_smith/model.hpp"
#include "implementations/numerics/methods/not_a_knot_spline.hpp"

namespace macrobench::krusell_smith {

/// The Euler equation as a map from tomorrow's policy to the policy that it requires today,
///
///   c^-gamma = beta E[ (1 + r' - delta) c'^-gamma ],   c' = R' k' + income' - g(k', K', a', e'),
///   (8)
///
/// at every node of the grid. K' is that of the perceived law, clipped to the grid; c' is at least
/// consumption_floor; the choice is clipped to [0, k_max].
///
/// K' depends only on a and K_j. So the policy is interpolated in K first, to a line over k for
/// each of the four states of tomorrow, and then in k: splines in two directions commute. O(n_k
/// n_K) per call. The same bits with any number of threads.
class EulerMap {
 public:
  /// Tomorrow for those who are at (a, K_j) today.
  struct Tomorrow {
    int interval;  ///< of K' among the K_j
    numerics::NotAKnotSpline::Weights weights;
    Prices prices[2];  ///< by a'
  };

  explicit EulerMap(const Problem& problem);

  /// By (a, K_j), shape 2 x n_K: tomorrow under a law, given the spline in K, and today's prices.
  static std::vector<Tomorrow> tomorrow_under(const LawOfMotion& law, const Economy& economy,
                                              const Grids& grids,
                                              const numerics::NotAKnotSpline& in_K);
  static std::vector<Prices> today_of(const Economy& economy, const Grids& grids);

  void set_law(const LawOfMotion& law);

  /// Sets `asked` to what the equation requires if tomorrow's choices, and today's k', are those of
  /// `policy`; both have shape 4 x n_K x n_k.
  void apply(const std::vector<double>& policy, std::vector<double>& asked);

  /// The same by the endogenous grid: if today's k' are the k_i, c follows from the equation, and
  /// so does the wealth that affords both. `asked` is interpolated linearly at the k_i, and is 0
  /// below the wealth that affords k' = 0. Less accurate than apply() but safer: it contracts from
  /// anywhere.
  void apply_endogenous(const std::vector<double>& policy, std::vector<double>& asked);

  /// By (a, K_j), shape 2 x n_K; the first is the last law's.
  [[nodiscard]] const std::vector<Tomorrow>& tomorrow() const { return tomorrow_; }
  [[nodiscard]] const std::vector<Prices>& today() const { return today_; }

  /// The splines in k and in K.
  [[nodiscard]] const numerics::NotAKnotSpline& in_k() const { return k_; }
  [[nodiscard]] const numerics::NotAKnotSpline& in_K() const { return K_; }

 private:
  void bend_in_K(const std::vector<double>& policy);
  /// k'' of the four states of tomorrow at the k_i, shape n_k x 4.
  void lines_at(const Tomorrow& tomorrow, const std::vector<double>& policy, double* lines) const;

  Economy economy_;
  Grids grids_;
  bool splines_;
  int threads_;
  numerics::NotAKnotSpline k_, K_;
  std::vector<Tomorrow> tomorrow_;  ///< by (a, K_j), shape 2 x n_K
  std::vector<Prices> today_;       ///< by (a, K_j), shape 2 x n_K
  std::vector<double> bend_;        ///< d2 policy / dK2, shape 4 x n_K x n_k
  std::vector<double> scratch_;     ///< two lines x 4 for each (a, K_j), shape 2 n_K x 2 x n_k x 4
};

inline constexpr double consumption_floor = 1e-10;

/// beta E[R' c'^-gamma | s] from k' = k and the four k'', at tomorrow's prices by a'.
MACROBENCH_HOST_DEVICE inline double expected_utility(const Economy& economy, int s,
                                                      const Prices* tomorrow, double k,
                                                      const double* choices) {
  double sum = 0;
  for (int a = bad; a <= good; ++a) {
    const Prices& p = tomorrow[a];
    double utility = 0;
    for (int e = unemployed; e <= employed; ++e) {
      const int next = state_of(a, e);
      const double c = p.R * k + p.income[e] - choices[next];
      utility += economy.P[s][next] *
                 marginal_utility(economy.gamma, c < consumption_floor ? consumption_floor : c);
    }
    sum += p.R * utility;
  }
  return economy.beta * sum;
}

/// max |asked - policy|; NaN if either contains one.
double largest_change(const std::vector<double>& policy, const std::vector<double>& asked);

}  // namespace macrobench::krusell_smith
