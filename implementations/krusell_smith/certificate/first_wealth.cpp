#include "implementations/krusell_smith/certificate/first_wealth.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <numeric>

#include "implementations/krusell_smith/certificate/economy.hpp"
#include "implementations/krusell_smith/certificate/population.hpp"
#include "implementations/krusell_smith/input/shocks.hpp"
#include "implementations/krusell_smith/input/user_files.hpp"

namespace macrobench::krusell_smith::certificate {

namespace {

/// A stretch of wealth over which the first cross-section is uniform.
struct Stretch {
  double low, high;
  double mass;
};

/// The Computational Suite's quantiles at 5, 25, 50, 75 and 95%; the highest wealth is the one that
/// makes the mean 36.7.
std::vector<Stretch> stretches() {
  std::vector<Stretch> all = {{0, 9.4, .05},     {9.4, 24.3, .2}, {24.3, 36.8, .25},
                              {36.8, 48.6, .25}, {48.6, 65, .2},  {65, 65, .05}};
  double mean = 0;
  for (const Stretch& s : all) mean += s.mass * (s.low + s.high) / 2;
  all.back().high += 2 * (36.7 - mean) / all.back().mass;
  return all;
}

/// The rank of the n-th agent, counted from 0, as a share of the population: the fractional part of
/// n + 1 times the golden ratio, cut to 53 bits.
double share_of(std::uint64_t n) {
  const std::uint64_t fraction = (n + 1) * 0x9E3779B97F4A7C15;
  return static_cast<double>(fraction / 2048) / 0x1p53;
}

std::vector<double> drawn_agents(const Problem& problem) {
  const std::vector<Stretch> all = stretches();
  std::vector<double> wealth;
  for (int i = 0; i < problem.N; ++i) {
    constexpr int in_group = 128;
    const std::uint64_t group = static_cast<std::uint64_t>(i) / in_group;
    double left = share_of(group * in_group * static_cast<std::uint64_t>(problem.group_stride) +
                           static_cast<std::uint64_t>(i) % in_group);
    const Stretch* s = all.data();
    while (s != &all.back() && left > s->mass) left -= (s++)->mass;
    wealth.push_back(s->low + (s->high - s->low) * (left / s->mass));
  }
  return wealth;
}

std::vector<double> given_agents(const Problem& problem, const GivenWealth& given) {
  if (!given.agents.empty()) return given.agents;
  const std::shared_ptr<const Shocks> shocks = shocks_of(problem);
  std::vector<double> up_to[2];
  for (const int e : {unemployed, employed}) {
    std::inclusive_scan(given.share[e].begin(), given.share[e].end(), std::back_inserter(up_to[e]));
  }
  std::uint64_t seen[2] = {0, 0};
  std::vector<double> wealth;
  for (int i = 0; i < problem.N; ++i) {
    const int e = works(*shocks, i, 0) ? employed : unemployed;
    const double share = share_of(seen[e]++);
    const auto reached = std::ranges::lower_bound(up_to[e], share) - up_to[e].begin();
    wealth.push_back(given.k[std::min(index(reached), given.k.size() - 1)]);
  }
  return wealth;
}

std::vector<double> histogram(const Problem& problem) {
  const int n = problem.histogram_points;
  const double u = shocks_of(problem)->states.front() == good ? problem.calibration.u_good
                                                              : problem.calibration.u_bad;
  Population population(problem, std::vector<double>(2 * index(n), 0));
  if (!problem.wealth.empty()) {
    const GivenWealth given = read_wealth(problem);
    for (std::size_t m = 0; m < given.k.size(); ++m) {
      population.add(unemployed, given.k[m], u * given.share[unemployed][m]);
      population.add(employed, given.k[m], (1 - u) * given.share[employed][m]);
    }
    return population.mass();
  }
  const auto point = [&](int i) {
    return problem.grids.k_max * std::pow(static_cast<double>(i) / (n - 1), 3);
  };
  // Each point gets the mass that is nearer to it than to any other.
  double low = 0;
  for (int i = 0; i < n; ++i) {
    const double high =
        i + 1 < n ? (point(i) + point(i + 1)) / 2 : std::numeric_limits<double>::infinity();
    double mass = 0;
    for (const Stretch& s : stretches()) {
      const double covered = std::min(high, s.high) - std::max(low, s.low);
      if (covered > 0) mass += s.mass * covered / (s.high - s.low);
    }
    population.add(unemployed, point(i), u * mass);
    population.add(employed, point(i), (1 - u) * mass);
    low = high;
  }
  return population.mass();
}

}  // namespace

std::vector<double> first_cross_section(const Problem& problem, PanelKind kind) {
  if (kind == PanelKind::histogram) return histogram(problem);
  return problem.wealth.empty() ? drawn_agents(problem)
                                : given_agents(problem, read_wealth(problem));
}

}  // namespace macrobench::krusell_smith::certificate
