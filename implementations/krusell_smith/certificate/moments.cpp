#include "implementations/krusell_smith/certificate/moments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace macrobench::krusell_smith::certificate {

namespace {

constexpr std::array<double, 5> shares_below = {.05, .25, .5, .75, .95};

}  // namespace

double chance_of_mean(const Sums& sums, double count, double all) {
  const double mean = sums.wealth / count;
  const double variance = std::max(0.0, sums.square / count - mean * mean);
  return standard_errors * std::sqrt(variance / count * (1 - count / all)) / mean;
}

Largest moments_error(const std::vector<double>& all, const std::vector<int>& drawn) {
  std::vector<double> some;
  for (const int agent : drawn) some.push_back(all[index(agent)]);
  std::vector<double> sorted = some;
  std::ranges::sort(sorted);
  Largest largest;
  const auto see = [&](std::size_t moment, const auto& of) {
    Sums of_some;
    for (const double k : some) of_some.add(of(k));
    double of_all = 0;
    for (const double k : all) of_all += of(k);
    const auto count = static_cast<double>(some.size());
    const auto many = static_cast<double>(all.size());
    const double distance = std::abs(of_all / many / (of_some.wealth / count) - 1);
    const double chance = chance_of_mean(of_some, count, many) + 1e-12;
    largest.see(standard_errors * distance / chance, moment);
  };
  see(0, [](double k) { return k; });
  see(1, [](double k) { return k * k; });
  for (std::size_t n = 0; n < shares_below.size(); ++n) {
    const double at = shares_below[n] * static_cast<double>(sorted.size() - 1);
    see(2 + n, [&](double k) { return k <= sorted[static_cast<std::size_t>(at)] ? 1.0 : 0.0; });
  }
  return largest;
}

std::string name_of_moment(std::size_t moment) {
  return moment == 0   ? "mean"
         : moment == 1 ? "standard deviation"
                       : fmt::format("quantile at {:.0f}%", 100 * shares_below[moment - 2]);
}

}  // namespace macrobench::krusell_smith::certificate
