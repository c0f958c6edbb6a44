#include "implementations/rbc/certificate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <utility>

#include "harness/model/batch_outcome.hpp"
#include "harness/model/wrong_size.hpp"
#include "implementations/rbc/bellman.hpp"
#include "implementations/rbc/economies.hpp"

namespace macrobench::rbc {

namespace {

std::vector<State> all_states(const Problem& problem) {
  std::vector<State> states;
  states.reserve(problem.states());
  for (int j = 0; j < problem.nz; ++j) {
    for (int i = 0; i < problem.nk; ++i) states.push_back({i, j});
  }
  return states;
}

/// The lowest capital from which the whole grid is feasible at productivity j, or nk.
int kink(const Bellman& bellman, int j) {
  const auto top = static_cast<std::int32_t>(bellman.choices().size()) - 1;
  int low = -1;
  int high = bellman.problem().nk;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    (bellman.last_feasible(middle, j) < top ? low : high) = middle;
  }
  return high;
}

/// About as many as `wanted`.
std::vector<State> sample_states(const Bellman& bellman, std::size_t wanted) {
  const Problem& problem = bellman.problem();
  const int nz = problem.nz;
  const int stratum = std::max(1, static_cast<int>(wanted) / (8 * nz));
  std::vector<State> states;
  const auto add_range = [&](int first, int last, int j) {
    for (int i = std::max(first, 0); i <= std::min(last, problem.nk - 1); ++i) {
      states.push_back({i, j});
    }
  };
  std::mt19937_64 random(20100401);
  std::uniform_int_distribution<int> capital(0, problem.nk - 1);
  for (int j = 0; j < nz; ++j) {
    const int bend = kink(bellman, j);
    add_range(0, stratum - 1, j);
    add_range(problem.nk - stratum, problem.nk - 1, j);
    add_range(bend - stratum / 2, bend + stratum / 2, j);
    for (int n = 0; n < 5 * stratum; ++n) states.push_back({capital(random), j});
  }
  return states;
}

/// log10 of the mean and of the largest Euler-equation error; see judge().
struct EulerErrors {
  double mean, largest;
};

EulerErrors euler_errors(const Bellman& bellman, const std::vector<std::int32_t>& policy,
                         const std::vector<State>& states) {
  const Problem& problem = bellman.problem();
  const Calibration& c = problem.calibration;
  const Grids<double>& grids = bellman.grids();
  const auto state_at = [&](int i, int j) {
    return static_cast<std::size_t>(j) * static_cast<std::size_t>(problem.nk) +
           static_cast<std::size_t>(i);
  };
  const auto consumption = [&](int i, int j) {
    return bellman.available(i, j) -
           bellman.choices()[static_cast<std::size_t>(policy[state_at(i, j)])];
  };
  double sum = 0;
  double largest = 0;
  for (const auto [i, j] : states) {
    const std::int32_t next = policy[state_at(i, j)];
    const double K_next = grids.K[static_cast<std::size_t>(next)];
    double expected = 0;
    for (int l = 0; l < problem.nz; ++l) {
      const double Z = grids.Z[static_cast<std::size_t>(l)];
      const double gross = c.alpha * Z * std::pow(K_next, c.alpha - 1) + 1 - c.delta;
      expected += grids.P[static_cast<std::size_t>(j * problem.nz + l)] *
                  std::pow(consumption(next, l), -c.gamma) * gross;
    }
    const double implied = std::pow(c.beta * expected, -1 / c.gamma);
    const double error = std::abs(1 - implied / consumption(i, j));
    sum += error;
    largest = std::max(largest, error);
  }
  return {std::log10(sum / static_cast<double>(states.size())), std::log10(largest)};
}

/// The largest error seen, and where. NaN counts as larger than any number.
struct Largest {
  double error = 0;
  State at{0, 0};

  void see(double other, State where) {
    if (std::isnan(error) || other <= error) return;
    error = other;
    at = where;
  }
};

struct Errors {
  Largest value;   ///< |V - TV|
  Largest policy;  ///< by how much the choice is worth less than the best one
};

Errors errors_at(const Bellman& bellman, const std::vector<double>& V,
                 const std::vector<std::int32_t>& policy, const std::vector<State>& states) {
  Errors errors;
  for (const State state : states) {
    const auto [i, j] = state;
    const auto s = static_cast<std::size_t>(j) * static_cast<std::size_t>(bellman.problem().nk) +
                   static_cast<std::size_t>(i);
    const double best = bellman.maximise(i, j, policy[s]).value;
    errors.value.see(std::abs(V[s] - best), state);
    errors.policy.see(best - bellman.value(i, j, policy[s]), state);
  }
  return errors;
}

template <class Real>
double four_ulp(double magnitude) {
  const auto value = static_cast<Real>(magnitude);
  return 4 * (static_cast<double>(std::nextafter(value, std::numeric_limits<Real>::infinity())) -
              static_cast<double>(value));
}

/// Why the solution cannot even be checked, or empty.
template <class Real>
std::string malformed(const Bellman& bellman, const Solution<Real>& solution) {
  const Problem& problem = bellman.problem();
  if (const std::string why = wrong_size(problem, solution); !why.empty()) return why;
  std::size_t state = 0;
  for (int j = 0; j < problem.nz; ++j) {
    for (int i = 0; i < problem.nk; ++i, ++state) {
      if (!std::isfinite(solution.V[state])) {
        return fmt::format("V is {} at K[{}], Z[{}]", solution.V[state], i, j);
      }
      if (solution.policy[state] < 0 || solution.policy[state] > bellman.last_feasible(i, j)) {
        return fmt::format("the policy at K[{}], Z[{}] is {}, which is not feasible", i, j,
                           solution.policy[state]);
      }
    }
  }
  return {};
}

}  // namespace

Solution<double> reference_solution(const Problem& problem) {
  Bellman bellman(problem);
  const std::size_t nk = static_cast<std::size_t>(problem.nk);
  Solution<double> reference;
  reference.V.resize(problem.states());
  reference.policy.assign(problem.states(), 0);
  for (std::size_t s = 0; s < problem.states(); ++s) reference.V[s] = bellman.grids().V0[s / nk];

  // One improvement, then enough sweeps to bring the policy's value close to its limit.
  constexpr int sweeps = 50;
  constexpr int most_improvements = 2000;
  std::vector<double> next(problem.states());
  double difference = std::numeric_limits<double>::infinity();
  double rounding = 0;  // of one application of the operator
  while (!(difference <= 64 * rounding) && reference.iterations < most_improvements) {
    ++reference.iterations;
    for (int sweep = 0; sweep <= sweeps; ++sweep) {
      bellman.set_value(reference.V);
      double change = 0;
      double largest = 0;
      std::size_t s = 0;
      for (int j = 0; j < problem.nz; ++j) {
        for (int i = 0; i < problem.nk; ++i, ++s) {
          if (sweep == 0) {
            const Bellman::Best best = bellman.maximise(i, j, reference.policy[s]);
            next[s] = best.value;
            reference.policy[s] = best.choice;
          } else {
            next[s] = bellman.value(i, j, reference.policy[s]);
          }
          change = std::max(change, std::abs(next[s] - reference.V[s]));
          largest = std::max(largest, std::abs(next[s]));
        }
      }
      std::swap(next, reference.V);
      if (sweep == 0) {
        difference = change;
        rounding = largest * std::numeric_limits<double>::epsilon();
      }
    }
  }
  reference.difference = difference;
  reference.converged = difference <= 64 * rounding;
  return reference;
}

namespace {

void add_figures(Outcome& outcome, const Bellman& bellman, const std::vector<double>& V,
                 const std::vector<std::int32_t>& policy, const std::vector<State>& states) {
  const Problem& problem = bellman.problem();
  outcome.figures["states"] = static_cast<double>(problem.states());
  outcome.figures["V_first"] = V.front();
  outcome.figures["V_last"] = V.back();
  const bool next_is_on_grid = problem.maximizer != Maximizer::interpolated;
  if (next_is_on_grid && problem.calibration.gamma > 0) {
    const EulerErrors errors = euler_errors(bellman, policy, states);
    outcome.figures["euler_error_mean"] = errors.mean;
    outcome.figures["euler_error_max"] = errors.largest;
  }
  if (problem.states() > reference_states) return;
  const Solution<double> reference = reference_solution(problem);
  double value_error = 0;
  double policy_distance = 0;
  for (std::size_t s = 0; s < V.size(); ++s) {
    value_error = std::max(value_error, std::abs(V[s] - reference.V[s]));
    policy_distance =
        std::max(policy_distance, std::abs(double(policy[s]) - double(reference.policy[s])));
  }
  outcome.figures["value_error"] = value_error;
  outcome.figures["policy_distance"] = policy_distance;
}

/// Why a solver's result is not one. A solver that has compared two V and seen no difference has
/// converged, so that 0 says that it compared none.
std::string not_converged(double difference, int iterations) {
  const std::string count = fmt::format("{} iteration{}", iterations, iterations == 1 ? "" : "s");
  if (difference == 0)
    return "not converged: it gave up after " + count + ", before it compared two V";
  return fmt::format("not converged: |V - V0| = {:.2e} after {}", difference, count);
}

/// A single economy, or one `among` several that share the effort.
template <class Real>
Outcome judge_one(const Problem& problem, const Solution<Real>& solution, bool thorough,
                  std::size_t among, bool with_figures) {
  Bellman bellman(problem);
  Outcome outcome;
  outcome.iterations = solution.iterations;
  if (solution.way != nullptr) outcome.notes["way"] = solution.way;
  outcome.why = malformed(bellman, solution);
  if (!outcome.why.empty()) return outcome;

  const std::vector<double> V(solution.V.begin(), solution.V.end());
  bellman.set_value(V);
  outcome.exhaustive = thorough || among * problem.states() <= affordable_states;
  const std::vector<State> states =
      outcome.exhaustive ? all_states(problem) : sample_states(bellman, sampled_states / among);
  outcome.checked_states = static_cast<std::int64_t>(states.size());

  const Errors errors = errors_at(bellman, V, solution.policy, states);
  double largest = 0;
  for (const double v : V) largest = std::max(largest, std::abs(v));
  outcome.residual = errors.value.error;
  outcome.allowed = problem.tolerance + four_ulp<Real>(largest);
  if (with_figures) add_figures(outcome, bellman, V, solution.policy, states);

  if (!solution.converged) {
    outcome.gave_up = true;
    outcome.why = not_converged(solution.difference, solution.iterations);
  } else if (solution.iterations < 1 || solution.iterations > problem.iteration_cap) {
    outcome.why = fmt::format("{} iterations, where iteration_cap = {}", solution.iterations,
                              problem.iteration_cap);
  } else if (!(errors.value.error <= outcome.allowed)) {
    outcome.why =
        fmt::format("residual {:.2e} at K[{}], Z[{}], where {:.2e} is allowed", errors.value.error,
                    errors.value.at.i, errors.value.at.j, outcome.allowed);
  } else if (!(errors.policy.error <= 2 * outcome.allowed)) {
    outcome.why = fmt::format(
        "the policy at K[{}], Z[{}] is worth {:.2e} less than the best choice, where {:.2e} is "
        "allowed",
        errors.policy.at.i, errors.policy.at.j, errors.policy.error, 2 * outcome.allowed);
  }
  outcome.valid = outcome.why.empty();
  return outcome;
}

/// An economy of a batch by its sample: V against the best of three choices, the choice itself and
/// those beside it.
template <class Real>
Outcome judge_sample(const Problem& batch, const Solution<Real>& solution, int economy) {
  const Problem problem = economy_of(batch, economy);
  Problem ends = problem;
  ends.nk = 2;
  const Grids<double> grids = make_grids<double>(ends);
  const Calibration& c = problem.calibration;
  const auto nz = static_cast<std::size_t>(problem.nz);
  const double step = (grids.K.back() - grids.K.front()) / (problem.nk - 1);
  const auto capital = [&](int i) { return grids.K.front() + i * step; };

  const Ending& ending = solution.endings[static_cast<std::size_t>(economy)];
  Outcome outcome;
  outcome.iterations = ending.iterations;
  if (ending.converged == 0) {
    outcome.gave_up = true;
    outcome.why = not_converged(ending.difference, ending.iterations);
    return outcome;
  }
  if (ending.iterations < 1 || ending.iterations > problem.iteration_cap) {
    outcome.why = fmt::format("{} iterations, where iteration_cap = {}", ending.iterations,
                              problem.iteration_cap);
    return outcome;
  }
  double worst = -1;
  for (int n = 0; n < states_per_sample; ++n) {
    const std::size_t at =
        static_cast<std::size_t>(economy) * states_per_sample + static_cast<std::size_t>(n);
    const auto [i, j] = sampled_state(batch, economy, n);
    const std::int32_t choice = solution.sample_policy[at];
    const double Z = grids.Z[static_cast<std::size_t>(j)];
    const double y = resources(capital(i), Z, c.alpha, c.delta);
    if (choice < 0 || choice >= problem.nk || !(capital(choice) <= y)) {
      outcome.why =
          fmt::format("the policy at K[{}], Z[{}] is {}, which is not feasible", i, j, choice);
      return outcome;
    }
    const Real* kept = &solution.sample[at * sample_size(batch)];
    double best = -std::numeric_limits<double>::infinity();
    double chosen = best;
    const Around choices = around(batch.nk, choice);
    for (std::size_t m = 0; m < 3; ++m) {
      const double next = capital(choices.choice[m]);
      if (!(next <= y)) continue;
      double expected = 0;
      for (std::size_t l = 0; l < nz; ++l) {
        expected += grids.P[static_cast<std::size_t>(j) * nz + l] *
                    static_cast<double>(kept[1 + m * nz + l]);
      }
      const double value = utility(y - next, c.gamma) + c.beta * expected;
      if (m == 1) chosen = value;
      if (!(value <= best)) best = value;
    }
    const auto V = static_cast<double>(kept[0]);
    const double allowed = problem.tolerance + four_ulp<Real>(std::abs(V));
    const double residual = std::abs(V - best);
    ++outcome.checked_states;
    if (!(residual / allowed <= worst)) {
      worst = residual / allowed;
      outcome.residual = residual;
      outcome.allowed = allowed;
    }
    if (!(residual <= allowed)) {
      outcome.why = fmt::format("residual {:.2e} at K[{}], Z[{}], where {:.2e} is allowed",
                                residual, i, j, allowed);
    } else if (!(best - chosen <= 2 * allowed)) {
      outcome.why = fmt::format(
          "the policy at K[{}], Z[{}] is worth {:.2e} less than the choice beside it, where {:.2e} "
          "is allowed",
          i, j, best - chosen, 2 * allowed);
    }
    if (!outcome.why.empty()) return outcome;
  }
  outcome.valid = true;
  return outcome;
}

/// "998 continuous, 2 coarse_to_fine".
std::string count_of(const std::vector<const char*>& ways) {
  std::map<std::string, int> counts;
  for (const char* way : ways) {
    if (way != nullptr) ++counts[way];
  }
  std::vector<std::string> words;
  for (const auto& [way, count] : counts) words.push_back(fmt::format("{} {}", count, way));
  return fmt::format("{}", fmt::join(words, ", "));
}

/// All economies by their samples, and those that are kept in full like a single one.
template <class Real>
Outcome judge_batch(const Problem& problem, const Solution<Real>& solution, bool thorough) {
  Outcome outcome;
  outcome.iterations = solution.iterations;
  outcome.why = wrong_size(problem, solution);
  if (!outcome.why.empty()) return outcome;

  BatchOutcome batch(
      [&](int economy) { return words_of(economy_of(problem, economy).calibration); });
  for (int e = 0; e < problem.economies; ++e) batch.see(e, judge_sample(problem, solution, e));
  const numerics::KeptInFull kept = kept_in_full(problem);
  for (int n = 0; n < kept.count; ++n) {
    const int economy = kept.economy(n);
    const auto first = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(n) * problem.states());
    const auto end = first + static_cast<std::ptrdiff_t>(problem.states());
    const Ending& ending = solution.endings[static_cast<std::size_t>(economy)];
    Solution<Real> one;
    one.V.assign(solution.V.begin() + first, solution.V.begin() + end);
    one.policy.assign(solution.policy.begin() + first, solution.policy.begin() + end);
    one.iterations = ending.iterations;
    one.difference = ending.difference;
    one.converged = ending.converged != 0;
    batch.see_in_full(economy, judge_one(economy_of(problem, economy), one, thorough,
                                         static_cast<std::size_t>(kept.count), n == 0));
  }
  outcome = batch.outcome(problem.economies);
  outcome.iterations = solution.iterations;
  outcome.figures.erase("states");  // which with the iterations would be the work of one
  if (const std::string ways = count_of(solution.ways); !ways.empty()) outcome.notes["way"] = ways;
  return outcome;
}

}  // namespace

template <class Real>
Outcome judge(const Problem& problem, const Solution<Real>& solution, bool thorough) {
  return problem.economies == 1 ? judge_one(problem, solution, thorough, 1, true)
                                : judge_batch(problem, solution, thorough);
}

template Outcome judge<float>(const Problem&, const Solution<float>&, bool);
template Outcome judge<double>(const Problem&, const Solution<double>&, bool);

}  // namespace macrobench::rbc
