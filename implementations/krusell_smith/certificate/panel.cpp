#include "implementations/krusell_smith/certificate/panel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "implementations/krusell_smith/certificate/certificate.hpp"
#include "implementations/krusell_smith/certificate/choice.hpp"
#include "implementations/krusell_smith/certificate/moments.hpp"
#include "implementations/krusell_smith/certificate/population.hpp"

namespace macrobench::krusell_smith::certificate {

namespace {

/// A period's choices, by employment.
using Choices = std::array<Choice, 2>;

Choices choices_at(const Problem& problem, const Equilibrium& equilibrium, int a, double K) {
  return {Choice(problem, equilibrium, 2 * a + unemployed, K),
          Choice(problem, equilibrium, 2 * a + employed, K)};
}

/// Carries agents' wealth through the periods first .. last - 1, given the K of each; `agents` are
/// their numbers, or nothing if they are all. Returns the sums at the beginning of first + 1 ..
/// last.
std::vector<Sums> simulate(const Problem& problem, const Equilibrium& equilibrium,
                           const Shocks& shocks, int first, int last,
                           const std::vector<int>& agents, std::vector<double>& wealth) {
  constexpr int block = 1024;
  std::vector<Choices> choices;
  for (int t = first; t < last; ++t) {
    choices.push_back(
        choices_at(problem, equilibrium, shocks.states[index(t)], equilibrium.K[index(t)]));
  }
  const int count = static_cast<int>(wealth.size());
  const int blocks = (count + block - 1) / block;
  std::vector<Sums> sums(index(blocks) * choices.size());
#pragma omp parallel for schedule(static)
  for (int b = 0; b < blocks; ++b) {
    for (int n = b * block; n < std::min(count, (b + 1) * block); ++n) {
      double k = wealth[index(n)];
      const int agent = agents.empty() ? n : agents[index(n)];
      for (int t = first; t < last; ++t) {
        const int e = works(shocks, agent, t) ? employed : unemployed;
        k = choices[index(t - first)][index(e)](k);
        sums[index(b) * choices.size() + index(t - first)].add(k);
      }
      wealth[index(n)] = k;
    }
  }
  for (std::size_t i = choices.size(); i < sums.size(); ++i) sums[i % choices.size()].add(sums[i]);
  sums.resize(choices.size());
  return sums;
}

/// In single precision a rounding error stays in an agent's wealth for hundreds of periods. With
/// weights of 8 bits, as in a texture, it is larger: choices come in steps whose width is set by
/// the grid, and rounding decides which step is taken. In the mean of many agents the errors
/// cancel.
AllowedPathErrors allowed_path_errors(const Problem& problem, PanelKind kind) {
  if (kind == PanelKind::hardware) {
    const double wealth = std::max(0.02, 10.0 / problem.grids.n_k);
    return {.K = std::max(1e-3, wealth / 4 / std::sqrt(problem.N)), .wealth = wealth};
  }
  if (problem.single) return {.K = 3e-4, .wealth = 0.01};
  return {.K = 1e-9, .wealth = 1e-9};
}

/// One agent, drawn, of each `stride` that follow each other.
std::vector<int> some_of(int agents, int stride, std::mt19937_64& random) {
  std::vector<int> some;
  for (int first = 0; first < agents; first += stride) {
    const int last = std::min(stride, agents - first);
    some.push_back(first + static_cast<int>(random() % static_cast<std::uint64_t>(last)));
    if (agents - first <= stride) break;
  }
  return some;
}

Sums sums_of(const std::vector<double>& wealth) {
  // In long double, as mean_of() does.
  long double sum = 0;
  long double squares = 0;
  for (const double k : wealth) {
    sum += k;
    squares += static_cast<long double>(k) * k;
  }
  return {static_cast<double>(sum), static_cast<double>(squares)};
}

PathErrors path_errors_of_agents(const Problem& problem, const Equilibrium& equilibrium,
                                 bool thorough, std::mt19937_64& random) {
  constexpr int together = 64;  // periods
  const std::shared_ptr<const Shocks> shocks = shocks_of(problem);
  const std::vector<double>& K = equilibrium.K;
  const double steps = static_cast<double>(problem.N) * problem.T;
  PathErrors checked;
  checked.allowed = allowed_path_errors(problem, equilibrium.kind);
  checked.all = thorough || steps <= affordable_steps || is_sample(problem);
  const int moves = problem.moves();
  const int moves_of_all =
      checked.all ? moves : std::min(moves, static_cast<int>(affordable_steps / 2 / problem.N));

  std::vector<double> wealth = equilibrium.first_wealth;
  const double of_rounding = checked.allowed.K;
  const auto error_of = [&](int t, double mean) {
    return std::abs(K[index(t)] / std::clamp(mean, problem.grids.K_min, problem.grids.K_max) - 1);
  };
  Largest nearest;  // to what is allowed of a sample
  const auto compare = [&](int t, const Sums& sums) {
    if (t == problem.T) return;  // Where the next panel begins: no period of this one.
    const double error = error_of(t, sums.wealth / problem.N);
    if (!is_sample(problem)) return checked.K.see(error, index(t));
    const double allowed =
        of_rounding + chance_of_mean(sums, problem.N, std::numeric_limits<double>::infinity());
    nearest.see(error / allowed, index(t));
    if (nearest.at != index(t)) return;
    checked.K = {error, index(t)};
    checked.allowed.K = allowed;
  };
  Largest nearest_of_some;
  const auto compare_some = [&](int t, const Sums& sums) {
    if (t == problem.T) return;
    const auto count = static_cast<double>(wealth.size());
    const double error = error_of(t, sums.wealth / count);
    const double allowed = of_rounding + chance_of_mean(sums, count, problem.N);
    nearest_of_some.see(error / allowed, index(t));
    if (nearest_of_some.at != index(t)) return;
    checked.sample = {error, index(t)};
    checked.allowed.sample = allowed;
  };
  std::vector<int> agents;  // those that are simulated, if not all
  int t = 0;
  const auto go_on = [&](int until, const auto& see) {
    while (t < until) {
      const int last = std::min(t + together, until);
      const std::vector<Sums> sums =
          simulate(problem, equilibrium, *shocks, t, last, agents, wealth);
      checked.count += static_cast<std::int64_t>(wealth.size()) * (last - t);
      for (int n = t; n < last; ++n) see(n + 1, sums[index(n - t)]);
      t = last;
    }
  };
  compare(0, sums_of(wealth));
  go_on(moves_of_all, compare);
  if (!checked.all) {
    agents =
        some_of(problem.N, std::max(2, static_cast<int>(2 * steps / affordable_steps)), random);
    std::vector<double> theirs;
    for (const int agent : agents) theirs.push_back(wealth[index(agent)]);
    wealth = std::move(theirs);
    go_on(moves, compare_some);
  }
  for (std::size_t n = 0; n < wealth.size(); ++n) {
    const std::size_t agent = agents.empty() ? n : index(agents[n]);
    checked.wealth.see(std::abs(wealth[n] - equilibrium.last_wealth[agent]) / K.back(), agent);
  }
  if (!agents.empty()) checked.moments = moments_error(equilibrium.last_wealth, agents);
  compare(moves, sums_of(equilibrium.last_wealth));
  checked.all = checked.all && !is_sample(problem);
  return checked;
}

PathErrors path_errors_of_histogram(const Problem& problem, const Equilibrium& equilibrium) {
  const std::vector<std::uint8_t> a = shocks_of(problem)->states;
  PathErrors checked;
  checked.allowed = allowed_path_errors(problem, equilibrium.kind);
  Population population(problem, equilibrium.first_wealth);
  for (int t = 0; t < problem.T; ++t) {
    const double K = equilibrium.K[index(t)];
    checked.K.see(std::abs(K / population.mean() - 1), index(t));
    checked.count += std::int64_t{2} * problem.histogram_points;
    if (t + 1 < problem.T) population.advance(equilibrium, a[index(t)], a[index(t + 1)], K);
  }
  const std::vector<double> mass = population.mass();
  for (std::size_t n = 0; n < mass.size(); ++n) {
    checked.wealth.see(std::abs(mass[n] - equilibrium.last_wealth[n]), n);
  }
  return checked;
}

}  // namespace

PathErrors path_errors(const Problem& problem, const Equilibrium& equilibrium, bool thorough,
                       std::mt19937_64& random) {
  return equilibrium.kind == PanelKind::histogram
             ? path_errors_of_histogram(problem, equilibrium)
             : path_errors_of_agents(problem, equilibrium, thorough, random);
}

}  // namespace macrobench::krusell_smith::certificate
