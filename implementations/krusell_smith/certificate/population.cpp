#include "implementations/krusell_smith/certificate/population.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "implementations/krusell_smith/certificate/choice.hpp"
#include "implementations/krusell_smith/input/shocks.hpp"

namespace macrobench::krusell_smith::certificate {

namespace {

/// A smaller mass is not carried on: most points of a long tail have one.
constexpr double nobody = 1e-30;

}  // namespace

Population::Population(const Problem& problem, const std::vector<double>& mass)
    : problem_(&problem) {
  const auto points = index(problem.histogram_points);
  for (std::size_t n = 0; n < points; ++n) {
    const double place = static_cast<double>(n) / static_cast<double>(points - 1);
    k_.push_back(problem.grids.k_max * std::pow(place, 3));
    position_.push_back(Choice::position_of(problem.grids, k_.back()));
    per_width_.push_back(n == 0 ? 0 : 1 / (k_[n] - k_[n - 1]));
    mass_[unemployed].push_back(mass[n]);
    mass_[employed].push_back(mass[points + n]);
  }
}

Population::Population(const Problem& problem, const std::vector<double>& wealth,
                       const std::vector<int>& employment)
    : Population(problem, std::vector<double>(2 * index(problem.histogram_points), 0)) {
  const double mass = 1 / static_cast<double>(wealth.size());
  for (std::size_t n = 0; n < wealth.size(); ++n) add(employment[n], wealth[n], mass);
}

void Population::add(int e, double k, double mass) {
  const auto [i, upwards] = place_of(k);
  mass_[e][i] += upwards * mass;
  mass_[e][i - 1] += (1 - upwards) * mass;
}

void Population::set_unemployment(double u) {
  for (const int e : {unemployed, employed}) {
    const double now = std::accumulate(mass_[e].begin(), mass_[e].end(), 0.0);
    const double then = e == unemployed ? u : 1 - u;
    if (now > 0) {
      for (double& mass : mass_[e]) mass *= then / now;
    } else {  // nobody is in this state: wealth as in the other
      const double others = std::accumulate(mass_[1 - e].begin(), mass_[1 - e].end(), 0.0);
      for (std::size_t n = 0; n < k_.size(); ++n) mass_[e][n] = mass_[1 - e][n] * then / others;
    }
  }
}

double Population::mean() const {
  long double sum = 0;
  for (std::size_t n = 0; n < k_.size(); ++n) {
    sum += static_cast<long double>(k_[n]) * (mass_[unemployed][n] + mass_[employed][n]);
  }
  return std::clamp(static_cast<double>(sum), problem_->grids.K_min, problem_->grids.K_max);
}

void Population::advance(const Equilibrium& equilibrium, int a, int a_next, double K) {
  std::vector<double> next[2] = {std::vector<double>(k_.size(), 0),
                                 std::vector<double>(k_.size(), 0)};
  for (const int e : {unemployed, employed}) {
    const Choice choice(*problem_, equilibrium, 2 * a + e, K);
    const double* row = &problem_->calibration.P[index(4 * (2 * a + e) + 2 * a_next)];
    const double both = row[unemployed] + row[employed];
    const double chances[2] = {row[unemployed] / both, row[employed] / both};
    std::size_t near = 1;
    for (std::size_t n = 0; n < k_.size(); ++n) {
      if (mass_[e][n] < nobody) continue;
      const auto [i, upwards] = place_near(near, choice.at(k_[n], position_[n]));
      near = i;
      for (const int e_next : {unemployed, employed}) {
        const double mass = mass_[e][n] * chances[e_next];
        next[e_next][i] += upwards * mass;
        next[e_next][i - 1] += (1 - upwards) * mass;
      }
    }
  }
  mass_[unemployed] = std::move(next[unemployed]);
  mass_[employed] = std::move(next[employed]);
}

double Population::quantile(double share) const {
  double below = 0;
  for (std::size_t n = 0; n < k_.size(); ++n) {
    below += mass_[unemployed][n] + mass_[employed][n];
    if (below >= share) return k_[n];
  }
  return k_.back();
}

double Population::share_above(double k) const {
  double above = 0;
  for (std::size_t n = 0; n < k_.size(); ++n) {
    if (k_[n] >= k) above += mass_[unemployed][n] + mass_[employed][n];
  }
  return above;
}

WealthMoments Population::moments() const {
  const double mean_of_all = mean();
  double squares = 0;
  for (std::size_t n = 0; n < k_.size(); ++n) {
    const double from_mean = k_[n] - mean_of_all;
    squares += (mass_[unemployed][n] + mass_[employed][n]) * from_mean * from_mean;
  }
  return {mean_of_all,  std::sqrt(squares), quantile(.05), quantile(.25),
          quantile(.5), quantile(.75),      quantile(.95)};
}

std::vector<double> Population::mass() const {
  std::vector<double> all = mass_[unemployed];
  all.insert(all.end(), mass_[employed].begin(), mass_[employed].end());
  return all;
}

Population::Place Population::place_of(double k) const {
  const auto above = std::upper_bound(k_.begin() + 1, k_.end() - 1, k);
  return place_below(static_cast<std::size_t>(above - k_.begin()), k);
}

Population::Place Population::place_near(std::size_t near, double k) const {
  std::size_t i = near;
  while (i + 1 < k_.size() && !(k < k_[i])) ++i;
  while (i > 1 && k < k_[i - 1]) --i;
  return place_below(i, k);
}

Population::Place Population::place_below(std::size_t i, double k) const {
  return {i, (k - k_[i - 1]) * per_width_[i]};
}

Population last_population(const Problem& problem, const Equilibrium& equilibrium) {
  if (equilibrium.kind == PanelKind::histogram) return {problem, equilibrium.last_wealth};
  const std::shared_ptr<const Shocks> shocks = shocks_of(problem);
  std::vector<int> employment;
  for (int i = 0; i < problem.N; ++i) {
    employment.push_back(works(*shocks, i, problem.T - 1) ? employed : unemployed);
  }
  return {problem, equilibrium.last_wealth, employment};
}

double share_above(const Problem& problem, PanelKind kind, const std::vector<double>& wealth,
                   double k) {
  if (kind == PanelKind::histogram) return Population(problem, wealth).share_above(k);
  const auto above = std::ranges::count_if(wealth, [&](double its) { return its >= k; });
  return static_cast<double>(above) / static_cast<double>(wealth.size());
}

WealthMoments moments_of(const Problem& problem, PanelKind kind,
                         const std::vector<double>& wealth) {
  if (kind == PanelKind::histogram) return Population(problem, wealth).moments();
  std::vector<double> sorted = wealth;
  std::ranges::sort(sorted);
  const double mean = mean_of(sorted);
  double squares = 0;
  for (const double k : sorted) squares += (k - mean) * (k - mean);
  const auto quantile = [&](double share) {
    return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
  };
  return {mean,          std::sqrt(squares / static_cast<double>(sorted.size())),
          quantile(.05), quantile(.25),
          quantile(.5),  quantile(.75),
          quantile(.95)};
}

}  // namespace macrobench::krusell_smith::certificate
