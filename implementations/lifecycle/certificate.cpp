#include "implementations/lifecycle/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace macrobench::lifecycle {

namespace {

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

/// The Bellman operator at one age, all in double.
class Operator {
 public:
  explicit Operator(const Problem& problem)
      : problem_(problem), grids_(make_grids(problem)), expected_(problem.states()) {}

  /// beta times the expectation of every choice at every shock. `next` is V of the next age, shape
  /// ne x nx, or null at age T.
  template <class Real>
  void expect(const Real* next) {
    std::ranges::fill(expected_, 0.0);
    if (next == nullptr) return;
    const std::size_t nx = index(problem_.nx);
    const std::size_t ne = index(problem_.ne);
    for (std::size_t i = 0; i < ne; ++i) {
      double* row = expected_.data() + i * nx;
      for (std::size_t j = 0; j < ne; ++j) {
        const double probability = problem_.calibration.beta * double{grids_.P[i * ne + j]};
        for (std::size_t k = 0; k < nx; ++k) {
          row[k] += probability * static_cast<double>(next[j * nx + k]);
        }
      }
      if (problem_.recursion == Recursion::corrected) continue;
      for (std::size_t k = 1; k < nx; ++k) row[k] += row[k - 1];
    }
  }

  struct Best {
    double value = -std::numeric_limits<double>::infinity();
    double utility = 0;
    int choice = 0;
  };

  /// The best of the choices first .. last at a state.
  [[nodiscard]] Best best(int ix, int ie, int first, int last) const {
    const Calibration& c = problem_.calibration;
    const double available = resources(grids_.x[index(ix)], grids_.e[index(ie)], c.r, c.w);
    const double* expected = expected_.data() + index(ie) * index(problem_.nx);
    Best best{.choice = first};
    for (int j = first; j <= last; ++j) {
      const double consumption = available - double{grids_.x[index(j)]};
      if (!(consumption > 0)) break;
      const double utility = utility_of(consumption);
      const double value = utility + expected[j];
      if (value >= best.value) best = {.value = value, .utility = utility, .choice = j};
    }
    return best;
  }

  [[nodiscard]] double expected(int ie, int choice) const {
    return expected_[index(ie) * index(problem_.nx) + index(choice)];
  }

 private:
  [[nodiscard]] double utility_of(double consumption) const {
    const double sigma = problem_.calibration.sigma;
    if (sigma == 1) return std::log(consumption);
    if (sigma == 2) return -1 / consumption;
    return std::pow(consumption, 1 - sigma) / (1 - sigma);
  }

  const Problem& problem_;
  Grids grids_;
  std::vector<double> expected_;  ///< shape ne x nx
};

/// The states of an age that are checked, of `count` in all.
std::vector<int> states_to_check(const Problem& problem, bool all, std::mt19937_64& random) {
  const int count = problem.nx * problem.ne;
  std::vector<int> states;
  const double choices = static_cast<double>(count) * problem.nx * problem.T;
  const int wanted =
      all ? count : std::max(64, static_cast<int>(count * (sampled_choices / choices)));
  if (wanted >= count) {
    for (int state = 0; state < count; ++state) states.push_back(state);
    return states;
  }
  for (int ie = 0; ie < problem.ne; ++ie) {
    states.push_back(ie * problem.nx);
    states.push_back(ie * problem.nx + problem.nx - 1);
  }
  // One state at random from each stratum.
  for (int s = 0; s < wanted; ++s) {
    const auto begin = static_cast<int>(static_cast<std::int64_t>(count) * s / wanted);
    const auto end = static_cast<int>(static_cast<std::int64_t>(count) * (s + 1) / wanted);
    states.push_back(std::uniform_int_distribution<int>(begin, end - 1)(random));
  }
  return states;
}

}  // namespace

template <class Real>
Outcome judge(const Problem& problem, const Solution<Real>& solution, bool thorough) {
  Outcome outcome;
  const std::size_t states = problem.states();
  outcome.iterations = problem.T;
  if (solution.V.size() != states * index(problem.T)) {
    outcome.why =
        fmt::format("the solution has the wrong size: V has {} numbers, where {} are asked for",
                    solution.V.size(), states * index(problem.T));
    return outcome;
  }
  // A sample of states may miss one that was never written, and perhaps no choice leads to it.
  const auto unwritten =
      std::ranges::find_if(solution.V, [](Real value) { return !std::isfinite(value); });
  if (unwritten != solution.V.end()) {
    const auto at = static_cast<std::size_t>(unwritten - solution.V.begin());
    outcome.why = fmt::format("V is {} at age {}, x[{}], e[{}]", *unwritten, at / states + 1,
                              at % index(problem.nx), at % states / index(problem.nx));
    return outcome;
  }
  outcome.figures["states"] = static_cast<double>(states);
  for (int ie = 0; ie < std::min(3, problem.ne); ++ie) {
    outcome.figures[fmt::format("V_1_{}", ie + 1)] =
        static_cast<double>(solution.V[index(ie) * index(problem.nx)]);
  }

  const double choices = static_cast<double>(states) * problem.nx * problem.T;
  outcome.exhaustive = thorough || choices <= affordable_choices;
  std::mt19937_64 random(20181018);
  Operator bellman(problem);
  const double epsilon = std::numeric_limits<Real>::epsilon();
  double worst = 0;
  for (int age = problem.T; age >= 1 && outcome.why.empty(); --age) {
    const Real* V = solution.V.data() + index(age - 1) * states;
    bellman.expect(age == problem.T ? nullptr : V + states);
    for (const int state : states_to_check(problem, outcome.exhaustive, random)) {
      const int ix = state % problem.nx;
      const int ie = state / problem.nx;
      const auto found = static_cast<double>(V[state]);
      const auto best = bellman.best(ix, ie, 0, problem.nx - 1);
      // A relative error of consumption changes u by c u'(c): by u itself if u is a power, by 1 if
      // it is log c.
      const double least = problem.calibration.sigma == 1 ? 1 : 0;
      const double scale = std::max({least, std::abs(best.value), std::abs(best.utility),
                                     std::abs(bellman.expected(ie, best.choice))});
      const int sums = problem.recursion == Recursion::corrected ? 1 : best.choice + 1;
      const double terms = 8 + std::abs(1 - problem.calibration.sigma) + 2.0 * problem.ne * sums;
      const double allowed = epsilon * terms * scale;
      const double residual = std::abs(found - best.value);
      ++outcome.checked_states;
      if (!(residual <= worst * allowed) || worst == 0) {
        worst = residual / allowed;
        outcome.residual = residual;
        outcome.allowed = allowed;
      }
      if (residual <= allowed) continue;
      outcome.why =
          fmt::format("V is {:.9g} at age {}, x[{}], e[{}], where the best choice gives {:.9g}",
                      found, age, ix, ie, best.value);
      break;
    }
  }
  outcome.valid = outcome.why.empty();
  return outcome;
}

template Outcome judge<float>(const Problem&, const Solution<float>&, bool);
template Outcome judge<double>(const Problem&, const Solution<double>&, bool);

std::vector<double> reference_values(const Problem& problem) {
  const std::size_t states = problem.states();
  std::vector<double> V(states * index(problem.T));
  Operator bellman(problem);
  for (int age = problem.T; age >= 1; --age) {
    double* of_age = V.data() + index(age - 1) * states;
    bellman.expect(age == problem.T ? nullptr : of_age + states);
    for (int ie = 0; ie < problem.ne; ++ie) {
      // The more there is to spend, the more is saved: utility is concave.
      int least = 0;
      for (int ix = 0; ix < problem.nx; ++ix) {
        const auto best = bellman.best(ix, ie, least, problem.nx - 1);
        of_age[index(ie) * index(problem.nx) + index(ix)] = best.value;
        least = best.choice;
      }
    }
  }
  return V;
}

}  // namespace macrobench::lifecycle
