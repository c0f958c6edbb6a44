#include "implementations/rbc/bellman.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace macrobench::rbc {

namespace {

std::size_t at(int i, int j, int nk) {
  return static_cast<std::size_t>(j) * static_cast<std::size_t>(nk) + static_cast<std::size_t>(i);
}

/// A point as a mixture of two neighbours on a grid.
struct Mixture {
  std::size_t below;
  double above_weight;
};

std::vector<Mixture> mixtures(const std::vector<double>& points, const std::vector<double>& grid) {
  std::vector<Mixture> all;
  for (const double point : points) {
    const auto above = std::upper_bound(grid.begin() + 1, grid.end() - 1, point);
    const double low = *(above - 1);
    all.push_back({static_cast<std::size_t>(above - grid.begin()) - 1,
                   std::clamp((point - low) / (*above - low), 0.0, 1.0)});
  }
  return all;
}

}  // namespace

Bellman::Bellman(const Problem& problem)
    : problem_(problem),
      grids_(make_grids<double>(problem)),
      choices_(problem.maximizer == Maximizer::interpolated ? future_grid<double>(problem)
                                                            : grids_.K),
      available_(problem.states()),
      expected_(static_cast<std::size_t>(problem.nz)) {
  const Calibration& c = problem_.calibration;
  std::vector<double> output(grids_.K.size());
  for (std::size_t i = 0; i < output.size(); ++i) output[i] = std::pow(grids_.K[i], c.alpha);
  for (int j = 0; j < problem_.nz; ++j) {
    for (int i = 0; i < problem_.nk; ++i) {
      const auto capital = static_cast<std::size_t>(i);
      available_[at(i, j, problem_.nk)] = grids_.Z[static_cast<std::size_t>(j)] * output[capital] +
                                          (1 - c.delta) * grids_.K[capital];
    }
  }
}

double Bellman::available(int i, int j) const {
  return available_[at(i, j, problem_.nk)];
}

std::int32_t Bellman::last_feasible(int i, int j) const {
  const auto above = std::upper_bound(choices_.begin(), choices_.end(), available(i, j));
  return static_cast<std::int32_t>(above - choices_.begin()) - 1;
}

double Bellman::flow(double consumption) const {
  const double gamma = problem_.calibration.gamma;
  if (gamma == 2) return -1 / consumption;
  return utility(consumption, gamma);
}

void Bellman::set_value(const std::vector<double>& V) {
  const int nk = problem_.nk;
  const std::size_t n = choices_.size();
  const bool interpolated = problem_.maximizer == Maximizer::interpolated;
  const std::vector<Mixture> choice_mixtures =
      interpolated ? mixtures(choices_, grids_.K) : std::vector<Mixture>{};
  std::vector<double> between(interpolated ? n : 0);

  for (int j = 0; j < problem_.nz; ++j) {
    std::vector<double> expected(n, 0.0);
    for (int l = 0; l < problem_.nz; ++l) {
      const double weight =
          problem_.calibration.beta * grids_.P[static_cast<std::size_t>(j * problem_.nz + l)];
      const double* at_choice = &V[at(0, l, nk)];
      if (interpolated) {
        for (std::size_t m = 0; m < n; ++m) {
          const auto [below, above_weight] = choice_mixtures[m];
          between[m] = std::lerp(at_choice[below], at_choice[below + 1], above_weight);
        }
        at_choice = between.data();
      }
      for (std::size_t m = 0; m < n; ++m) expected[m] += weight * at_choice[m];
    }
    expected_[static_cast<std::size_t>(j)].set(std::move(expected));
  }
}

double Bellman::value(int i, int j, std::int32_t choice) const {
  const auto m = static_cast<std::size_t>(choice);
  return flow(available(i, j) - choices_[m]) + expected_[static_cast<std::size_t>(j)].later(m);
}

Bellman::Best Bellman::maximise(int i, int j, std::int32_t guess) const {
  const double resources = available(i, j);
  const auto [value, choice] = expected_[static_cast<std::size_t>(j)].best(
      [&](std::size_t m) { return flow(resources - choices_[m]); },
      static_cast<std::size_t>(last_feasible(i, j)), static_cast<std::size_t>(std::max(guess, 0)));
  return {value, static_cast<std::int32_t>(choice)};
}

}  // namespace macrobench::rbc
