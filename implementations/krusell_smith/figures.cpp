#include "implementations/krusell_smith/figures.hpp"

#include <utility>

#include "harness/model/batch_outcome.hpp"
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

OutcomeFigures outcome_figures() {
  OutcomeFigures figures = figures_of_batches();
  figures.insert(
      {{"K_fifth_mean",
        {"units of capital, self-reported",
         "the mean of K over all periods in the fifth outer iteration, or the last of fewer"}},
       {"K_mean", {"units of capital", "the mean of K after the burn-in"}},
       {"R2_bad", {"1", "of the regression of ln K' on ln K in the bad state"}},
       {"R2_good", {"1", "of the regression of ln K' on ln K in the good state"}},
       {"b0_bad",
        {"natural log of capital",
         "ln K' = b0 + b1 ln K in the bad state, as households expect it"}},
       {"b0_bad_relaxed",
        {"natural log of capital", "b0_bad with which the next outer iteration would begin"}},
       {"b0_good",
        {"natural log of capital",
         "ln K' = b0 + b1 ln K in the good state, as households expect it"}},
       {"b0_good_relaxed",
        {"natural log of capital", "b0_good with which the next outer iteration would begin"}},
       {"b1_bad", {"1", "ln K' = b0 + b1 ln K in the bad state, as households expect it"}},
       {"b1_bad_relaxed", {"1", "b1_bad with which the next outer iteration would begin"}},
       {"b1_good", {"1", "ln K' = b0 + b1 ln K in the good state, as households expect it"}},
       {"b1_good_relaxed", {"1", "b1_good with which the next outer iteration would begin"}},
       {"clips_K", {"periods", "periods of the last panel whose mean wealth left the grid of K"}},
       {"clips_k", {"choices, self-reported", "choices in the last panel that left the grid of k"}},
       {"dynamic_error_max",
        {"share of K",
         "the largest |k_Euler - k| / K of ten households in a fresh simulation of "
         "accuracy_periods, "
         "where k_Euler is what a household has that consumes in every period what the Euler "
         "equation implies (Den Haan 2010, who divides by the household's mean wealth)"}},
       {"dynamic_error_mean", {"share of K", "the mean of the same"}},
       {"euler_error_max",
        {"share of consumption",
         "the largest |c_Euler / c - 1| of ten households in a fresh simulation of "
         "accuracy_periods, where c_Euler is what the Euler equation implies and c what is "
         "consumed"}},
       {"euler_error_mean", {"share of consumption", "the mean of the same"}},
       {"first_policy_iterations",
        {"iterations, self-reported", "iterations of the first outer iteration's policy"}},
       {"implied_error_max",
        {"share of c_Euler", "the largest |c / c_Euler - 1| of the households of euler_error_max"}},
       {"implied_error_mean", {"share of c_Euler", "the mean of the same"}},
       {"iterations", {"self-reported", "outer iterations; of a policy alone, its own"}},
       {"k_max_share",
        {"share of households",
         "of those within a cell of k_max, in the last third of three times as many periods"}},
       {"law_error_max",
        {"share of K",
         "the largest |K_law / K - 1| in the same simulation, where K_law follows the law from its "
         "first period on without being shown K (Den Haan 2010)"}},
       {"law_error_mean", {"share of K", "the mean of the same", true}},
       {"path_error",
        {"share of K", "the largest distance between the path of K and the certificate's own"}},
       {"policy_error",
        {"share of consumption", "the largest error of the Euler equation at the policy's nodes"}},
       {"policy_iterations", {"iterations, self-reported", "iterations of all policies together"}},
       {"regression_error",
        {"1",
         "the distance between the law and R2 and a regression on the solution's own path of K"}},
       {"relaxed", {"1", "1 if the outer loop relaxed its tolerance tenfold, else 0"}},
       {"residual",
        {"ln K' or a share",
         "the distance between the law and the one that it brings about, in ln K'; of a stage "
         "alone, policy_error (share of consumption) or path_error (share of K)"}},
       {"sample_error",
        {"share of K",
         "the largest distance between K and the mean of the certificate's sample of agents, if it "
         "draws one"}},
       {"wealth_drift",
        {"share of the moment",
         "the drift of the mean, standard deviation, median or 95% quantile of wealth between the "
         "two halves of twice as many periods after these"}},
       {"wealth_error",
        {"share of K, or of agents",
         "the largest distance between an agent's last wealth, or a weight of the histogram, and "
         "the certificate's own"}},
       {"wealth_mean", {"units of capital", "the mean of wealth in the last period"}},
       {"wealth_median", {"units of capital", "the median of wealth in the last period"}},
       {"wealth_p05", {"units of capital", "the quantile at 5% of wealth in the last period"}},
       {"wealth_p25", {"units of capital", "the quantile at 25% of wealth in the last period"}},
       {"wealth_p75", {"units of capital", "the quantile at 75% of wealth in the last period"}},
       {"wealth_p95", {"units of capital", "the quantile at 95% of wealth in the last period"}},
       {"wealth_sd", {"units of capital", "the standard deviation of wealth in the last period"}}});
  return figures;
}

std::vector<AnnouncedStage> announced_stages() {
  return {{"arrays", "shocks and arrays, before the first policy"},
          {"economies", "all economies of a batch", {"frontier"}},
          {"few agents",
           "the panels of few agents that begin a quasi-Newton method",
           {"frontier", "frontier_cuda", "histogram"}},
          {"panel", "the panels of all agents"},
          {"policy", "the policies"},
          {"regression", "the laws regressed on the panels"}};
}

ArrayUnits array_units() {
  return {{"K", "units of capital"},
          {"K_fifth", "units of capital, self-reported"},
          {"L", "share of households at work"},
          {"P", "1"},
          {"R2", "1, in bad and good times"},
          {"clips", "choices of k, means of K clipped to the grid"},
          {"distance", "|B_new - B|"},
          {"estimated", "natural log of capital (b0 in bad and good times), 1 (b1)"},
          {"first_policy_iterations", "iterations"},
          {"first_wealth", "units of capital"},
          {"k", "units of capital"},
          {"last_wealth", "units of capital"},
          {"law", "natural log of capital (b0 in bad and good times), 1 (b1)"},
          {"outer_iterations", "iterations"},
          {"policy", "units of capital"},
          {"policy_iterations", "iterations"},
          {"productivity", "in bad and good times"}};
}

}  // namespace macrobench::krusell_smith
