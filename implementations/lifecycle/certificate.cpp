#include "implementations/lifecycle/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "harness/model/batch_outcome.hpp"
#include "harness/model/wrong_size.hpp"
#include "implementations/lifecycle/economies.hpp"

namespace macrobench::lifecycle {

namespace {

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

double utility_at(double sigma, double consumption) {
  if (sigma == 1) return std::log(consumption);
  if (sigma == 2) return -1 / consumption;
  return std::pow(consumption, 1 - sigma) / (1 - sigma);
}

/// The Bellman operator at one age, all in double.
class Operator {
 public:
  explicit Operator(const Problem& problem)
      : problem_(problem), grids_(grids_in_double(problem)), expected_(problem.states()) {}

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
        const double probability = problem_.calibration.beta * grids_.P[i * ne + j];
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
    double consumption = 0;
    int choice = 0;
  };

  [[nodiscard]] double available(int ix, int ie) const {
    return resources_of(problem_, grids_.x[index(ix)], grids_.e[index(ie)]);
  }

  /// The best of the choices first .. last at a state.
  [[nodiscard]] Best best(int ix, int ie, int first, int last) const {
    const double to_spend = available(ix, ie);
    const double* expected = expected_.data() + index(ie) * index(problem_.nx);
    Best best{.choice = first};
    for (int j = first; j <= last; ++j) {
      const double consumption = to_spend - grids_.x[index(j)];
      if (!(consumption > 0)) break;
      const double utility = utility_at(problem_.calibration.sigma, consumption);
      const double value = utility + expected[j];
      if (!(value >= best.value)) continue;
      best = {.value = value, .utility = utility, .consumption = consumption, .choice = j};
    }
    return best;
  }

  [[nodiscard]] double expected(int ie, int choice) const {
    return expected_[index(ie) * index(problem_.nx) + index(choice)];
  }

 private:
  const Problem& problem_;
  Grids<double> grids_;
  std::vector<double> expected_;  ///< shape ne x nx
};

/// The states of an age that are checked: all, or a sample for which so many choices are evaluated
/// at all ages together, about.
std::vector<int> states_to_check(const Problem& problem, bool all, double sampled,
                                 std::mt19937_64& random) {
  const int count = problem.nx * problem.ne;
  std::vector<int> states;
  const double choices = static_cast<double>(count) * problem.nx * problem.T;
  const int wanted = all ? count : std::max(64, static_cast<int>(count * (sampled / choices)));
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

/// By how much rounding may move V where the best choice is worth `value`, of which `utility` and
/// `expected`, a sum of so many expectations.
template <class Real>
double allowed_at(const Problem& problem, double value, double utility, double expected, int sums) {
  // A relative error of consumption changes u by c u'(c): by u itself if u is a power, by 1 if it
  // is log c.
  const double least = problem.calibration.sigma == 1 ? 1 : 0;
  const double scale = std::max({least, std::abs(value), std::abs(utility), std::abs(expected)});
  const double terms = 8 + std::abs(1 - problem.calibration.sigma) + 2.0 * problem.ne * sums;
  return static_cast<double>(std::numeric_limits<Real>::epsilon()) * terms * scale;
}

/// If the grids are in the arithmetic of V, a household's budget may be so too: consumption then
/// has the rounding error of what there is to spend. A GPU rounds a product and its sum once, the
/// certificate twice.
template <class Real>
double allowed_of_budget(const Problem& problem, double available, double consumption,
                         double utility) {
  if (!problem.grids_in_real) return 0;
  const double sigma = problem.calibration.sigma;
  const double of_consumption = sigma == 1 ? 1 : std::abs((1 - sigma) * utility);
  return 4 * static_cast<double>(std::numeric_limits<Real>::epsilon()) * available / consumption *
         of_consumption;
}

/// A single economy, or one `among` several that share the effort.
template <class Real>
Outcome judge_one(const Problem& problem, const Solution<Real>& solution, bool thorough,
                  int among) {
  Outcome outcome;
  const std::size_t states = problem.states();
  outcome.iterations = problem.T;
  outcome.why = wrong_size(problem, solution);
  if (!outcome.why.empty()) return outcome;
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
  outcome.exhaustive = thorough || among * choices <= affordable_choices;
  std::mt19937_64 random(20181018);
  Operator bellman(problem);
  double worst = 0;
  for (int age = problem.T; age >= 1 && outcome.why.empty(); --age) {
    const Real* V = solution.V.data() + index(age - 1) * states;
    bellman.expect(age == problem.T ? nullptr : V + states);
    for (const int state :
         states_to_check(problem, outcome.exhaustive, sampled_choices / among, random)) {
      const int ix = state % problem.nx;
      const int ie = state / problem.nx;
      const auto found = static_cast<double>(V[state]);
      const auto best = bellman.best(ix, ie, 0, problem.nx - 1);
      const int sums = problem.recursion == Recursion::corrected ? 1 : best.choice + 1;
      const double allowed = allowed_at<Real>(problem, best.value, best.utility,
                                              bellman.expected(ie, best.choice), sums) +
                             allowed_of_budget<Real>(problem, bellman.available(ix, ie),
                                                     best.consumption, best.utility);
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

/// An economy of a batch by its sample: V against the best of three choices, the kept one and those
/// beside it.
template <class Real>
Outcome judge_sample(const Problem& batch, const Solution<Real>& solution, int economy) {
  const Problem problem = economy_of(batch, economy);
  const Calibration& c = problem.calibration;
  const Grids<double> grids = grids_in_double(problem);
  const std::size_t ne = index(problem.ne);
  Outcome outcome;
  outcome.iterations = problem.T;
  double worst = -1;
  for (int n = 0; n < states_per_sample; ++n) {
    const auto [age, ix, ie] = sampled_state(batch, economy, n);
    const std::size_t at = index(economy) * states_per_sample + index(n);
    const std::int32_t choice = solution.sample_choice[at];
    if (choice < 0 || choice >= problem.nx) {
      outcome.why =
          fmt::format("the choice at age {}, x[{}], e[{}] is {}, which is not on the grid", age, ix,
                      ie, choice);
      return outcome;
    }
    const Real* kept = &solution.sample[at * sample_size(batch)];
    const double available = resources_of(problem, grids.x[index(ix)], grids.e[index(ie)]);
    double best = -std::numeric_limits<double>::infinity();
    double allowed = 0;
    const Around choices = around(batch.nx, choice);
    for (std::size_t m = 0; m < 3; ++m) {
      const double consumption = available - grids.x[index(choices.choice[m])];
      if (!(consumption > 0)) continue;
      double expected = 0;
      for (std::size_t je = 0; je < ne; ++je) {
        expected += grids.P[index(ie) * ne + je] * static_cast<double>(kept[1 + m * ne + je]);
      }
      expected *= c.beta;
      const double utility = utility_at(c.sigma, consumption);
      if (utility + expected <= best) continue;
      best = utility + expected;
      allowed = allowed_at<Real>(problem, best, utility, expected, 1);
    }
    const auto V = static_cast<double>(kept[0]);
    const double residual = std::abs(V - best);
    ++outcome.checked_states;
    if (!(residual <= worst * allowed)) {
      worst = residual / allowed;
      outcome.residual = residual;
      outcome.allowed = allowed;
    }
    if (residual <= allowed) continue;
    outcome.why = fmt::format(
        "V is {:.9g} at age {}, x[{}], e[{}], where the choice x'[{}] or one beside it gives "
        "{:.9g}",
        V, age, ix, ie, choice, best);
    return outcome;
  }
  outcome.valid = true;
  return outcome;
}

/// All economies by their samples, and those that are kept in full like a single one.
template <class Real>
Outcome judge_batch(const Problem& problem, const Solution<Real>& solution, bool thorough) {
  const numerics::KeptInFull kept = kept_in_full(problem);
  if (const std::string why = wrong_size(problem, solution); !why.empty()) {
    Outcome outcome;
    outcome.iterations = problem.T;
    outcome.why = why;
    return outcome;
  }
  BatchOutcome batch(
      [&](int economy) { return words_of(economy_of(problem, economy).calibration); });
  for (int e = 0; e < problem.economies; ++e) batch.see(e, judge_sample(problem, solution, e));
  const std::size_t values = problem.states() * index(problem.T);
  for (int n = 0; n < kept.count; ++n) {
    Solution<Real> one;
    const Real* first = solution.V.data() + index(n) * values;
    one.V.assign(first, first + values);
    const int economy = kept.economy(n);
    batch.see_in_full(economy, judge_one(economy_of(problem, economy), one, thorough, kept.count));
  }
  Outcome outcome = batch.outcome(problem.economies);
  outcome.figures.erase("states");  // which with the ages would be the work of one
  return outcome;
}

}  // namespace

template <class Real>
Outcome judge(const Problem& problem, const Solution<Real>& solution, bool thorough) {
  return problem.economies == 1 ? judge_one(problem, solution, thorough, 1)
                                : judge_batch(problem, solution, thorough);
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
