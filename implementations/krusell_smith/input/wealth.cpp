#include "implementations/krusell_smith/input/wealth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>

#include "implementations/krusell_smith/input/cache.hpp"
#include "implementations/krusell_smith/input/user_files.hpp"

namespace macrobench::krusell_smith {

namespace {

/// Pr(wealth <= k) in the first period.
double initial_distribution(double k) {
  int q = 1;
  while (q < 7 && k > wealth_quantile(q).k) ++q;
  if (q == 7) return 1;
  const WealthQuantile low = wealth_quantile(q - 1);
  const WealthQuantile high = wealth_quantile(q);
  return low.share + (high.share - low.share) * (k - low.k) / (high.k - low.k);
}

std::shared_ptr<const GivenWealth> given_wealth(const Problem& problem) {
  static Cache<std::pair<InputFile, double>, GivenWealth> cache;
  return cache.get({problem.wealth, problem.grids.k_max}, [&] { return read_wealth(problem); });
}

/// Sums of the shares up to each.
std::vector<double> cumulated(const std::vector<double>& shares) {
  std::vector<double> sums(shares.size());
  std::partial_sum(shares.begin(), shares.end(), sums.begin());
  return sums;
}

}  // namespace

std::vector<double> initial_wealth(int N) {
  std::vector<double> wealth;
  wealth.reserve(static_cast<std::size_t>(N));
  for (int i = 0; i < N; ++i) wealth.push_back(initial_wealth_of(static_cast<std::uint64_t>(i)));
  return wealth;
}

std::vector<double> first_wealth(const Problem& problem, const Shocks& shocks) {
  if (problem.wealth.empty()) return initial_wealth(problem.N);
  const std::shared_ptr<const GivenWealth> given = given_wealth(problem);
  check_for_agents(problem, *given);
  if (!given->agents.empty()) return given->agents;
  const std::vector<double> up_to[2] = {cumulated(given->share[unemployed]),
                                        cumulated(given->share[employed])};
  std::uint64_t seen[2] = {0, 0};
  std::vector<double> wealth;
  wealth.reserve(static_cast<std::size_t>(problem.N));
  for (int i = 0; i < problem.N; ++i) {
    const int e = shocks.employment(i, 0);
    // Rounding may leave the sum of all below one.
    const auto at =
        std::lower_bound(up_to[e].begin(), up_to[e].end() - 1, evenly_spread(seen[e]++));
    wealth.push_back(given->k[static_cast<std::size_t>(at - up_to[e].begin())]);
  }
  return wealth;
}

std::vector<double> histogram_points(const Problem& problem) {
  std::vector<double> k;
  for (int n = 0; n < problem.histogram_points; ++n) {
    const double place = static_cast<double>(n) / (problem.histogram_points - 1);
    k.push_back(problem.grids.k_max * place * place * place);
  }
  return k;
}

std::vector<double> first_histogram(const Problem& problem, const Shocks& shocks) {
  const std::vector<double> k = histogram_points(problem);
  const double L = Economy(problem.calibration).L[shocks.a(0)];
  const double population[2] = {1 - L, L};
  std::vector<double> mass(2 * k.size(), 0);
  for (const int e : {unemployed, employed}) {
    double* const at = mass.data() + static_cast<std::size_t>(e) * k.size();
    if (problem.wealth.empty()) {
      double below = 0;
      for (std::size_t n = 0; n < k.size(); ++n) {
        const double up_to = n + 1 < k.size() ? initial_distribution((k[n] + k[n + 1]) / 2) : 1;
        at[n] = population[e] * (up_to - below);
        below = up_to;
      }
      continue;
    }
    const std::shared_ptr<const GivenWealth> given = given_wealth(problem);
    check_for_histogram(problem, *given);
    for (std::size_t m = 0; m < given->k.size(); ++m) {
      const auto above = std::upper_bound(k.begin() + 1, k.end() - 1, given->k[m]);
      const auto n = static_cast<std::size_t>(above - k.begin());
      const double upwards = (given->k[m] - k[n - 1]) / (k[n] - k[n - 1]);
      at[n] += population[e] * given->share[e][m] * upwards;
      at[n - 1] += population[e] * given->share[e][m] * (1 - upwards);
    }
  }
  return mass;
}

std::string scaled_masses(const Problem& problem) {
  if (problem.wealth.empty()) return "";
  const double* sums = given_wealth(problem)->sum_in_file;
  constexpr double shown = 5e-10;
  if (std::abs(sums[unemployed] - 1) < shown && std::abs(sums[employed] - 1) < shown) return "";
  return fmt::format("masses scaled to 1: unemployed from {:.9g}, employed from {:.9g}",
                     sums[unemployed], sums[employed]);
}

void start_wealth(const Problem& problem) {
  if (!problem.wealth.empty()) static_cast<void>(given_wealth(problem));
}

}  // namespace macrobench::krusell_smith
