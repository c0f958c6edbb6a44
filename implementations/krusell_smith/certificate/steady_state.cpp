#include "implementations/krusell_smith/certificate/steady_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace macrobench::krusell_smith::certificate {

namespace {

constexpr double errors_of_chance = 3;  ///< standard errors of a drift

double mean_between(const std::vector<double>& values, std::size_t begin, std::size_t end) {
  const auto at = [&](std::size_t i) { return values.begin() + static_cast<std::ptrdiff_t>(i); };
  return std::accumulate(at(begin), at(end), 0.0) / static_cast<double>(end - begin);
}

}  // namespace

void SteadyState::see(const Population& population) {
  const WealthMoments its = population.moments();
  const std::array<double, names.size()> now = {its.mean, its.sd, its.median, its.p95};
  for (std::size_t n = 0; n < now.size(); ++n) moments_[n].push_back(now[n]);
  at_top_.push_back(population.share_above(problem_.grids.k(problem_.grids.n_k - 2)));
}

SteadyState::Drift SteadyState::drift_of(std::size_t moment) const {
  const std::vector<double>& values = moments_[moment];
  const std::size_t length = values.size() / (2 * batches);
  const std::size_t begin = values.size() - 2 * batches * length;
  Drift drift{.moment = names[moment]};
  double squares = 0;
  for (const std::size_t half : {std::size_t{0}, std::size_t{1}}) {
    const std::size_t from = begin + half * batches * length;
    (half == 0 ? drift.first : drift.second) = mean_between(values, from, from + batches * length);
    const auto batch = [&](std::size_t b) {
      return mean_between(values, from + b * length, from + (b + 1) * length);
    };
    // From each batch to the next, so that a trend is not taken for chance.
    for (std::size_t b = 0; b + 1 < batches; ++b) squares += std::pow(batch(b + 1) - batch(b), 2);
  }
  const double of_a_batch = squares / 2 / (2 * (batches - 1));
  drift.chance = std::sqrt(2 * of_a_batch / batches);
  const double size =
      std::max(drift.first, mean_between(moments_[0], 0, moments_[0].size()) / 1'000);
  drift.share = std::abs(drift.second - drift.first) / size;
  drift.allowed = largest_drift + errors_of_chance * drift.chance / size;
  return drift;
}

SteadyState::Drift SteadyState::largest() const {
  Drift largest = drift_of(0);
  for (std::size_t n = 1; n < names.size(); ++n) {
    if (std::isnan(largest.share)) break;
    const Drift its = drift_of(n);
    if (!(its.share - its.allowed <= largest.share - largest.allowed)) largest = its;
  }
  return largest;
}

double SteadyState::share_at_top() const {
  return mean_between(at_top_, at_top_.size() / 2, at_top_.size());
}

std::string SteadyState::why_none() const {
  if (!is_judged()) return "";
  const Drift drift = largest();
  if (!(drift.share <= drift.allowed)) {
    return fmt::format(
        "not stationary: in {} fresh periods, after half as many, the {} of wealth moves from "
        "{:.3g} to {:.3g}: more points of K, --nK, or --policy_interpolation spline may have a "
        "steady state",
        at_top_.size(), drift.moment, drift.first, drift.second);
  }
  if (share_at_top() > most_at_top) {
    return fmt::format(
        "not stationary: in {} fresh periods {:.2g}% of the households gather within a cell of "
        "k_max = {}",
        at_top_.size(), 100 * share_at_top(), problem_.grids.k_max);
  }
  return "";
}

}  // namespace macrobench::krusell_smith::certificate
