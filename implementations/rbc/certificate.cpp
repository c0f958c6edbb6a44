#include "implementations/rbc/certificate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <span>
#include <string>
#include <utility>

#include "harness/model/batch_outcome.hpp"
#include "harness/model/wrong_size.hpp"
#include "implementations/numerics/methods/consumption_error.hpp"
#include "implementations/numerics/methods/drawn_places.hpp"
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

/// As many as `drawn` from all over the grid, and some at both its ends and at the kink.
std::vector<State> sample_states(const Bellman& bellman, std::size_t drawn,
                                 std::mt19937_64 random) {
  const Problem& problem = bellman.problem();
  const int nz = problem.nz;
  const int stratum = std::max(1, static_cast<int>(drawn) / (5 * nz));
  std::vector<State> states;
  const auto add_range = [&](int first, int last, int j) {
    for (int i = std::max(first, 0); i <= std::min(last, problem.nk - 1); ++i) {
      states.push_back({i, j});
    }
  };
  for (int j = 0; j < nz; ++j) {
    const int bend = kink(bellman, j);
    add_range(0, stratum - 1, j);
    add_range(problem.nk - stratum, problem.nk - 1, j);
    add_range(bend - stratum / 2, bend + stratum / 2, j);
  }
  const auto nk = static_cast<std::size_t>(problem.nk);
  for (const std::size_t s : numerics::drawn_from(problem.states(), drawn, random)) {
    states.push_back({static_cast<int>(s % nk), static_cast<int>(s / nk)});
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

std::string name_of(State state) {
  return fmt::format("K[{}], Z[{}]", state.i, state.j);
}

/// An error where it uses up most of what is allowed. NaN counts as more than any number.
struct Worst {
  double share = -1;  ///< of what is allowed
  double error = 0;
  double allowed = 0;
  State at{0, 0};

  void see(double other, double is_allowed, State where) {
    const double its_share = other / is_allowed;
    if (std::isnan(share) || its_share <= share) return;
    *this = {its_share, other, is_allowed, where};
  }
};

/// The errors of the checked states, each beside what is allowed there.
struct Errors {
  Worst value;   ///< |V - TV|
  Worst policy;  ///< by how much the choice is worth less than the best one
  double value_share = 0, policy_share = 0;  ///< the largest, of consumption
  double allowed_share = 0;                  ///< the largest of what is allowed, of consumption
  double least_unit = std::numeric_limits<double>::infinity();
  double tolerance_met = 0;     ///< the least that these errors are within
  bool is_within_share = true;  ///< whether no state is off by more than largest_share
  std::string ill_conditioned;  ///< why no solution can be judged at the first such state
  bool has_numbers = true;      ///< whether no utility is less than the least number

  /// `largest` is the largest |V|. What rounding makes of it may reach every state by a solver's
  /// arithmetic, and no tolerance asks for less.
  template <class Real>
  void see(const Problem& problem, numerics::StateValue state, double largest, double best,
           double chosen, State where) {
    constexpr double rounding = 4 * double{std::numeric_limits<Real>::epsilon()};
    const Calibration& c = problem.calibration;
    state.lasting = 1 / (1 - c.beta);
    const numerics::ErrorBound bound = numerics::error_bound<Real>(
        c.gamma, std::max(problem.tolerance, rounding * largest), state);
    has_numbers = has_numbers && !numerics::has_no_number<Real>(bound);
    allowed_share = std::max(allowed_share, bound.share(bound.allowed));
    if (ill_conditioned.empty() && numerics::is_ill_conditioned<Real>(bound)) {
      ill_conditioned = numerics::ill_conditioned<Real>(bound, name_of(where));
    }
    const double residual = std::abs(state.value - best);
    const double loss = best - chosen;
    value.see(residual, bound.allowed, where);
    policy.see(loss, 2 * bound.allowed, where);
    value_share = std::max(value_share, bound.share(residual));
    policy_share = std::max(policy_share, bound.share(loss));
    least_unit = std::min(least_unit, bound.unit);
    const double beyond_rounding = std::max(residual, loss / 2) - bound.rounding;
    tolerance_met = std::max(tolerance_met, beyond_rounding);
    is_within_share = is_within_share && beyond_rounding <= numerics::largest_share * bound.unit;
  }

  /// Which tolerance would do, in words, or nothing: a tighter one where errors are more than they
  /// may be of consumption; a wider one where the tolerance asks for more than arithmetic gives.
  [[nodiscard]] std::string remedy(const Problem& problem) const {
    const double tolerance = problem.tolerance;
    if (!has_numbers) {
      return problem.single
                 ? "; utility is less than the least number of single precision: --real double"
                 : "; utility is less than the least number: a lower --gamma";
    }
    if (!is_within_share || !ill_conditioned.empty()) {
      return numerics::tolerance_that_would_do(tolerance, least_unit);
    }
    const double allowed = value.share <= 1 ? policy.allowed / 2 : value.allowed;
    if (allowed < 2 * tolerance) return {};
    return fmt::format("; it is at most {:.1e} of consumption anywhere: --tolerance {:.1e}",
                       std::max(value_share, policy_share), 1.1 * tolerance_met);
  }

  /// What is wrong, or nothing. `best` names the choices that were compared.
  [[nodiscard]] std::string complaint(const Problem& problem, const char* best) const {
    // A V that is far too large has large roundings, and may be so because it was left early.
    if (!ill_conditioned.empty()) return ill_conditioned + remedy(problem);
    if (!(value.share <= 1)) {
      return fmt::format("residual {:.2e} at {}, where {:.2e} is allowed{}", value.error,
                         name_of(value.at), value.allowed, remedy(problem));
    }
    if (policy.share <= 1) return {};
    return fmt::format("the policy at {} is worth {:.2e} less than {}, where {:.2e} is allowed{}",
                       name_of(policy.at), policy.error, best, policy.allowed, remedy(problem));
  }
};

/// The largest |V|.
template <class Real>
double largest_of(std::span<const Real> V) {
  double largest = 0;
  for (const Real v : V) largest = std::max(largest, std::abs(static_cast<double>(v)));
  return largest;
}

template <class Real>
Errors errors_at(const Bellman& bellman, const std::vector<double>& V,
                 const std::vector<std::int32_t>& policy, const std::vector<State>& states) {
  const Problem& problem = bellman.problem();
  const Grids<double>& grids = bellman.grids();
  const auto nk = static_cast<std::size_t>(problem.nk);
  const auto nz = static_cast<std::size_t>(problem.nz);
  // beta E|V| of a choice: the larger of the two points that it may lie between.
  const auto expected_magnitude = [&](int j, double choice) {
    const auto above = std::upper_bound(grids.K.begin() + 1, grids.K.end() - 1, choice);
    const auto i = static_cast<std::size_t>(above - grids.K.begin());
    double sum = 0;
    for (std::size_t l = 0; l < nz; ++l) {
      sum += grids.P[static_cast<std::size_t>(j) * nz + l] *
             std::max(std::abs(V[l * nk + i - 1]), std::abs(V[l * nk + i]));
    }
    return problem.calibration.beta * sum;
  };
  Errors errors;
  const double largest = largest_of(std::span(V));
  for (const State state : states) {
    const auto [i, j] = state;
    const std::size_t s = static_cast<std::size_t>(j) * nk + static_cast<std::size_t>(i);
    const Bellman::Best best = bellman.maximise(i, j, policy[s]);
    const double choice = bellman.choices()[static_cast<std::size_t>(best.choice)];
    const double available = bellman.available(i, j);
    const double consumption = available - choice;
    errors.see<Real>(problem,
                     {.value = V[s],
                      .utility = utility(consumption, problem.calibration.gamma),
                      .expected = expected_magnitude(j, choice),
                      .consumption = consumption,
                      .available = available},
                     largest, best.value, bellman.value(i, j, policy[s]), state);
  }
  return errors;
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
        return fmt::format("V is {} at {}", solution.V[state], name_of({i, j}));
      }
      if (solution.policy[state] < 0 || solution.policy[state] > bellman.last_feasible(i, j)) {
        return fmt::format("the policy at {} is {}, which is not feasible", name_of({i, j}),
                           solution.policy[state]);
      }
    }
  }
  return {};
}

/// A discounted sum of the same utility for ever, by the row of the transition matrix whose sum
/// makes it the less, or the more: a printed matrix's rows add up to 1 only nearly.
struct Forever {
  double least_factor = std::numeric_limits<double>::infinity();
  double most_factor = 0;

  explicit Forever(const Bellman& bellman) {
    const auto nz = static_cast<std::size_t>(bellman.problem().nz);
    const std::vector<double>& P = bellman.grids().P;
    for (std::size_t j = 0; j < nz; ++j) {
      double sum = 0;
      for (std::size_t l = 0; l < nz; ++l) sum += P[j * nz + l];
      const double factor = 1 / (1 - bellman.problem().calibration.beta * sum);
      least_factor = std::min(least_factor, factor > 0 ? factor : 0);
      most_factor = std::max(most_factor, factor > 0 ? factor : infinity);
    }
  }
  [[nodiscard]] double least(double utility) const {
    return utility * (utility < 0 ? most_factor : least_factor);
  }
  [[nodiscard]] double most(double utility) const {
    return utility * (utility < 0 ? least_factor : most_factor);
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
};

/// Between which sums of utilities V lies: at most those of all that there ever is, at least those
/// of saving the least.
struct Range {
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = 0;

  /// What is wrong with V at a state, or nothing.
  [[nodiscard]] std::string against(double V, State state) const {
    if (!(V <= highest)) {
      return fmt::format("V is {:.6g} at {}, where no policy is worth more than {:.6g}", V,
                         name_of(state), highest);
    }
    if (V >= lowest) return {};
    return fmt::format("V is {:.6g} at {}, where the best policy is worth {:.6g} at least", V,
                       name_of(state), lowest);
  }
};

template <class Real>
Range range_of(const Bellman& bellman) {
  const Problem& problem = bellman.problem();
  const double gamma = problem.calibration.gamma;
  const double saved = bellman.choices().front();
  const Forever forever(bellman);
  // What is allowed at each state, summed for ever: of consumption, and of rounding.
  const auto slack = [&](double consumption, double bound) {
    return 2 * forever.most_factor *
           (numerics::largest_rounding<Real> * std::pow(consumption, 1 - gamma) +
            4 * static_cast<double>(std::numeric_limits<Real>::epsilon()) * std::abs(bound));
  };
  const double most_consumed = bellman.available(problem.nk - 1, problem.nz - 1) - saved;
  const double least_consumed = bellman.available(0, 0) - saved;
  Range range;
  range.highest = forever.most(utility(most_consumed, gamma));
  range.highest += slack(most_consumed, range.highest);
  if (least_consumed > 0) {
    range.lowest = forever.least(utility(least_consumed, gamma));
    range.lowest -= slack(least_consumed, range.lowest);
  }
  return range;
}

/// Whether V is, at every state, a sum of utilities that some policy can have: what a sample of
/// states does not show.
template <class Real>
std::string out_of_range(const Bellman& bellman, const std::vector<double>& V) {
  const Range range = range_of<Real>(bellman);
  std::size_t s = 0;
  for (int j = 0; j < bellman.problem().nz; ++j) {
    for (int i = 0; i < bellman.problem().nk; ++i, ++s) {
      if (std::string why = range.against(V[s], {i, j}); !why.empty()) return why;
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
  bool is_settled = false;  // no state moves by more than the rounding of its own terms
  while (!is_settled && reference.iterations < most_improvements) {
    ++reference.iterations;
    is_settled = true;
    reference.difference = 0;
    for (int sweep = 0; sweep <= sweeps; ++sweep) {
      bellman.set_value(reference.V);
      std::size_t s = 0;
      for (int j = 0; j < problem.nz; ++j) {
        for (int i = 0; i < problem.nk; ++i, ++s) {
          if (sweep > 0) {
            next[s] = bellman.value(i, j, reference.policy[s]);
            continue;
          }
          const Bellman::Best best = bellman.maximise(i, j, reference.policy[s]);
          next[s] = best.value;
          reference.policy[s] = best.choice;
          const double flow = utility(
              bellman.available(i, j) - bellman.choices()[static_cast<std::size_t>(best.choice)],
              problem.calibration.gamma);
          const double change = std::abs(next[s] - reference.V[s]);
          const double rounding =
              std::numeric_limits<double>::epsilon() * (std::abs(next[s]) + std::abs(flow));
          is_settled = is_settled && change <= 64 * rounding;
          reference.difference = std::max(reference.difference, change);
        }
      }
      std::swap(next, reference.V);
    }
  }
  reference.converged = is_settled;
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
Outcome judge_one(const Problem& problem, const Solution<Real>& solution, const Scrutiny& scrutiny,
                  std::size_t among, bool with_figures) {
  Bellman bellman(problem);
  Outcome outcome;
  outcome.iterations = solution.iterations;
  if (solution.way != nullptr) outcome.notes["way"] = solution.way;
  outcome.why = malformed(bellman, solution);
  if (!outcome.why.empty()) return outcome;

  const std::vector<double> V(solution.V.begin(), solution.V.end());
  bellman.set_value(V);
  outcome.exhaustive = scrutiny.thorough || among * problem.states() <= affordable_states;
  const std::size_t drawn = numerics::drawn_places / among;
  const std::vector<State> states =
      outcome.exhaustive
          ? all_states(problem)
          : sample_states(bellman, drawn, scrutiny.random(hash_of(problem, solution)));
  outcome.checked_states = static_cast<std::int64_t>(states.size());

  const Errors errors = errors_at<Real>(bellman, V, solution.policy, states);
  outcome.residual = errors.value.error;
  outcome.allowed = errors.value.allowed;
  outcome.figures["residual_share"] = errors.value_share;
  outcome.figures["policy_loss_share"] = errors.policy_share;
  if (std::string hidden = numerics::hidden_by_rounding(errors.allowed_share); !hidden.empty()) {
    outcome.notes["precision"] = std::move(hidden);
  }
  if (with_figures) {
    // Figures are of the same states whatever is drawn, so that they can be compared.
    add_figures(
        outcome, bellman, V, solution.policy,
        outcome.exhaustive ? states : sample_states(bellman, drawn, std::mt19937_64(20100401)));
  }

  if (!solution.converged) {
    outcome.gave_up = true;
    outcome.why = not_converged(solution.difference, solution.iterations);
  } else if (solution.iterations < 1 || solution.iterations > problem.iteration_cap) {
    outcome.why = fmt::format("{} iterations, where iteration_cap = {}", solution.iterations,
                              problem.iteration_cap);
  } else {
    outcome.why = out_of_range<Real>(bellman, V);
    if (outcome.why.empty()) {
      outcome.why = errors.complaint(problem, "the best choice");
    } else {
      outcome.why += errors.remedy(problem);
    }
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
  const Bellman bellman(ends);
  const Grids<double>& grids = bellman.grids();
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
  const Range range = range_of<Real>(bellman);
  const std::size_t numbers = states_per_sample * sample_size(batch);
  const double largest = largest_of(
      std::span(solution.sample).subspan(static_cast<std::size_t>(economy) * numbers, numbers));
  std::string out_of_range;  // a V' of 0 everywhere adds up too
  Errors errors;
  for (int n = 0; n < states_per_sample; ++n) {
    const std::size_t at =
        static_cast<std::size_t>(economy) * states_per_sample + static_cast<std::size_t>(n);
    const State state = sampled_state(batch, economy, n);
    const auto [i, j] = state;
    const std::int32_t choice = solution.sample_policy[at];
    const double Z = grids.Z[static_cast<std::size_t>(j)];
    const double y = resources(capital(i), Z, c.alpha, c.delta);
    if (choice < 0 || choice >= problem.nk || !(capital(choice) <= y)) {
      outcome.why =
          fmt::format("the policy at {} is {}, which is not feasible", name_of(state), choice);
      return outcome;
    }
    const Real* kept = &solution.sample[at * sample_size(batch)];
    double best = -std::numeric_limits<double>::infinity();
    double chosen = best;
    numerics::StateValue terms{.value = static_cast<double>(kept[0]), .available = y};
    const Around choices = around(batch.nk, choice);
    for (std::size_t m = 0; m < 3; ++m) {
      const double next = capital(choices.choice[m]);
      if (!(next <= y)) continue;
      double expected = 0;
      double magnitude = 0;
      for (std::size_t l = 0; l < nz; ++l) {
        const auto V_next = static_cast<double>(kept[1 + m * nz + l]);
        const double part = c.beta * grids.P[static_cast<std::size_t>(j) * nz + l] * V_next;
        if (out_of_range.empty()) {
          out_of_range = range.against(V_next, {choices.choice[m], static_cast<int>(l)});
        }
        expected += part;
        magnitude += std::abs(part);
      }
      const double value = utility(y - next, c.gamma) + expected;
      if (m == 1) chosen = value;
      if (value <= best) continue;
      best = value;
      terms.utility = utility(y - next, c.gamma);
      terms.expected = magnitude;
      terms.consumption = y - next;
    }
    errors.see<Real>(problem, terms, largest, best, chosen, state);
    ++outcome.checked_states;
  }
  outcome.residual = errors.value.error;
  outcome.allowed = errors.value.allowed;
  outcome.why = errors.complaint(problem, "the choice beside it");
  if (outcome.why.empty()) outcome.why = out_of_range;
  outcome.valid = outcome.why.empty();
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
Outcome judge_batch(const Problem& problem, const Solution<Real>& solution,
                    const Scrutiny& scrutiny) {
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
    batch.see_in_full(economy, judge_one(economy_of(problem, economy), one, scrutiny,
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
Outcome judge(const Problem& problem, const Solution<Real>& solution, const Scrutiny& scrutiny) {
  return problem.economies == 1 ? judge_one(problem, solution, scrutiny, 1, true)
                                : judge_batch(problem, solution, scrutiny);
}

template Outcome judge<float>(const Problem&, const Solution<float>&, const Scrutiny&);
template Outcome judge<double>(const Problem&, const Solution<double>&, const Scrutiny&);

}  // namespace macrobench::rbc
