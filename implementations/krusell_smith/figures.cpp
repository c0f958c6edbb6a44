#include "implementations/krusell_smith/figures.hpp"

#include <utility>

#include "implementations/krusell_smith/policy/policy.hpp"
#include "implementations/numerics/methods/not_a_knot_spline.hpp"

namespace macrobench::krusell_smith {

namespace {

std::vector<double> solved_policy(const Problem& problem) {
  return solve_policy(problem, published_law, *make_policy_method(problem)).policy;
}

std::vector<std::string> with_states(std::vector<std::string> columns) {
  columns.insert(columns.end(),
                 {"bad_unemployed", "bad_employed", "good_unemployed", "good_employed"});
  return columns;
}

double interpolated(const numerics::NotAKnotSpline& spline, const std::vector<double>& y,
                    double at) {
  std::vector<double> m(y.size());
  spline.curvature(y.data(), 1, m.data());
  const int p = spline.interval(at, 0);
  const auto [left, right, bend_left, bend_right] = spline.weights(at, p);
  const auto i = static_cast<std::size_t>(p);
  return left * y[i] + right * y[i + 1] + bend_left * m[i] + bend_right * m[i + 1];
}

}  // namespace

Curves saving_surfaces(const Problem& problem) {
  const Grids& grids = problem.grids;
  const std::vector<double> policy = solved_policy(problem);
  Curves curves{.columns = with_states({"k", "K"}), .rows = {}};
  for (int j = 0; j < grids.n_K; ++j) {
    for (int i = 0; i < grids.n_k; ++i) {
      std::vector<double> row{grids.k(i), grids.K(j)};
      for (int s = 0; s < states; ++s) {
        row.push_back(policy[static_cast<std::size_t>(grids.line(s, j) + i)] - grids.k(i));
      }
      curves.rows.push_back(std::move(row));
    }
  }
  return curves;
}

Curves saving_at_K_39(const Problem& problem, double lowest, double highest, int points) {
  constexpr double K = 39;
  const Grids& grids = problem.grids;
  const std::vector<double> policy = solved_policy(problem);
  const numerics::NotAKnotSpline in_k(k_points(grids));
  const numerics::NotAKnotSpline in_K(K_points(grids));
  std::vector<double> line[states];
  for (int s = 0; s < states; ++s) {
    for (int i = 0; i < grids.n_k; ++i) {
      std::vector<double> over_K;
      for (int j = 0; j < grids.n_K; ++j) {
        over_K.push_back(policy[static_cast<std::size_t>(grids.line(s, j) + i)]);
      }
      line[s].push_back(interpolated(in_K, over_K, K));
    }
  }
  Curves curves{.columns = with_states({"k"}), .rows = {}};
  for (int n = 0; n < points; ++n) {
    const double k = lowest + (highest - lowest) * n / (points - 1);
    std::vector<double> row{k};
    for (const std::vector<double>& of_state : line) {
      row.push_back(interpolated(in_k, of_state, k) - k);
    }
    curves.rows.push_back(std::move(row));
  }
  return curves;
}

}  // namespace macrobench::krusell_smith
