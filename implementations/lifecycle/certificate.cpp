#include "implementations/lifecycle/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <utility>

#include "harness/model/batch_outcome.hpp"
#include "harness/model/wrong_size.hpp"
#include "implementations/lifecycle/economies.hpp"
#include "implementations/numerics/methods/choice_tree.hpp"
#include "implementations/numerics/methods/consumption_error.hpp"
#include "implementations/numerics/methods/drawn_places.hpp"

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
      : problem_(problem), grids_(grids_in_double(problem)), expected_(index(problem.ne)) {}

  /// beta times the expectation of every choice at every shock. `next` is V of the next age, shape
  /// ne x nx, or null at age T.
  template <class Real>
  void expect(const Real* next) {
    const std::size_t nx = index(problem_.nx);
    const std::size_t ne = index(problem_.ne);
    for (std::size_t i = 0; i < ne; ++i) {
      std::vector<double> row(nx, 0.0);
      for (std::size_t j = 0; next != nullptr && j < ne; ++j) {
        const double probability = problem_.calibration.beta * grids_.P[i * ne + j];
        for (std::size_t k = 0; k < nx; ++k) {
          row[k] += probability * static_cast<double>(next[j * nx + k]);
        }
      }
      if (problem_.recursion == Recursion::as_published) {
        for (std::size_t k = 1; k < nx; ++k) row[k] += row[k - 1];
      }
      expected_[i].set(std::move(row));
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

  /// The best of all choices at a state, found the sooner the nearer it is to `guess`.
  [[nodiscard]] Best best(int ix, int ie, int guess) const {
    const double to_spend = available(ix, ie);
    const auto beyond = std::ranges::lower_bound(grids_.x, to_spend) - grids_.x.begin();
    if (beyond == 0) return {};
    const double sigma = problem_.calibration.sigma;
    const auto now = [&](std::size_t j) { return utility_at(sigma, to_spend - grids_.x[j]); };
    const auto [value, choice] =
        expected_[index(ie)].best(now, index(static_cast<int>(beyond)) - 1, index(guess));
    return {.value = value,
            .utility = now(choice),
            .consumption = to_spend - grids_.x[choice],
            .choice = static_cast<int>(choice)};
  }

  [[nodiscard]] const Grids<double>& grids() const { return grids_; }

  /// The least and the largest sum of a row of probabilities: in single precision it is nearly 1.
  [[nodiscard]] std::pair<double, double> sums_of_rows() const {
    const std::size_t ne = index(problem_.ne);
    double least = std::numeric_limits<double>::infinity();
    double largest = 0;
    for (std::size_t i = 0; i < ne; ++i) {
      const double* row = grids_.P.data() + i * ne;
      const double sum = std::accumulate(row, row + ne, 0.0);
      least = std::min(least, sum);
      largest = std::max(largest, sum);
    }
    return {least, largest};
  }

  [[nodiscard]] double expected(int ie, int choice) const {
    return expected_[index(ie)].later(index(choice));
  }

 private:
  const Problem& problem_;
  Grids<double> grids_;
  std::vector<numerics::ChoiceTree> expected_;  ///< of each choice, for each shock
};

/// The states of an age that are checked: all, or both ends of the grid and `drawn` others.
std::vector<std::size_t> states_to_check(const Problem& problem, bool all, std::size_t drawn,
                                         std::mt19937_64& random) {
  std::vector<std::size_t> states =
      numerics::drawn_from(problem.states(), all ? problem.states() : drawn, random);
  if (states.size() == problem.states()) return states;
  const std::size_t nx = index(problem.nx);
  for (std::size_t first = 0; first < problem.states(); first += nx) {
    states.push_back(first);
    states.push_back(first + nx - 1);
  }
  return states;
}

/// What is allowed where the best choice is worth that much: a sum of so many expectations has as
/// many rounding errors, of which a corrected V may be no more than a millionth of consumption off.
/// A GPU rounds a product and its sum once, the certificate twice.
template <class Real>
numerics::ErrorBound bound_at(const Problem& problem, int age, numerics::StateValue state,
                              int sums) {
  constexpr double no_tolerance = 0;  // a finite horizon ends exactly
  for (int then = problem.T; then > age; --then) {
    state.lasting = 1 + problem.calibration.beta * state.lasting;
  }
  numerics::ErrorBound bound = numerics::error_bound<Real>(problem.calibration.sigma, no_tolerance,
                                                           state, 4 + 2.0 * problem.ne * sums);
  if (problem.recursion == Recursion::corrected) {
    bound.allowed = std::min(bound.allowed, numerics::largest_rounding<Real> * bound.unit);
  }
  return bound;
}

std::string name_of(int age, int ix, int ie) {
  return fmt::format("age {}, x[{}], e[{}]", age, ix, ie);
}

/// Why no solution could be judged at a state, or empty. As published a value is a sum of up to nx
/// expectations, beside which consumption is nothing: no precision could tell its choices apart,
/// except at the last age, which has none.
template <class Real>
std::string ill_conditioned(const Problem& problem, const numerics::ErrorBound& bound, int age,
                            int ix, int ie) {
  const bool accumulates = problem.recursion == Recursion::as_published && age < problem.T;
  if (accumulates || !numerics::is_ill_conditioned<Real>(bound)) return {};
  return numerics::ill_conditioned<Real>(bound, name_of(age, ix, ie));
}

/// The largest residual as a share of what is allowed, and of consumption.
struct Worst {
  double share = -1;
  double of_consumption = 0;
  double allowed = 0;  ///< the largest of what is allowed, of consumption

  void see(double residual, const numerics::ErrorBound& bound, Outcome& outcome) {
    of_consumption = std::max(of_consumption, bound.share(residual));
    allowed = std::max(allowed, bound.share(bound.allowed));
    const double its_share = residual / bound.allowed;
    if (std::isnan(share) || its_share <= share) return;
    share = its_share;
    outcome.residual = residual;
    outcome.allowed = bound.allowed;
  }
};

/// Between which sums of utilities V of an age lies: the least is that of saving the least for
/// ever, the most that of having all there is in each period.
struct Range {
  double least = 0, most = 0;

  [[nodiscard]] bool has(double V) const { return V >= least && V <= most; }
  /// What is wrong with a V that it has not.
  [[nodiscard]] std::string against(double V, const std::string& place) const {
    return fmt::format("V is {:.9g} at {}, where it must be from {:.9g} to {:.9g}", V, place, least,
                       most);
  }
};

/// From the age after it, none at age T. Where expectations accumulate as published, a choice has
/// up to nx of them.
template <class Real>
Range range_before(const Problem& problem, const Operator& bellman, const Range& next) {
  const Calibration& c = problem.calibration;
  const double saved = bellman.grids().x.front();
  const double most_consumed = bellman.available(problem.nx - 1, problem.ne - 1) - saved;
  const double least_consumed = bellman.available(0, 0) - saved;
  const auto slack = [&](double consumption, double utility) {
    return 2 * numerics::largest_rounding<Real> * std::pow(consumption, 1 - c.sigma) +
           8 * static_cast<double>(std::numeric_limits<Real>::epsilon()) * std::abs(utility);
  };
  const bool accumulates = problem.recursion == Recursion::as_published;
  const double sums = accumulates && next.most > 0 ? problem.nx : 1;
  const auto [fewest, all] = bellman.sums_of_rows();
  const auto expected = [&](double value, double of_rows, double sign) {
    const double roundings = (4 + 2.0 * problem.ne) * std::numeric_limits<Real>::epsilon();
    return c.beta * (of_rows * value + sign * roundings * std::abs(value));
  };
  const double most = utility_at(c.sigma, most_consumed);
  Range range;
  range.most = most + slack(most_consumed, most) +
               sums * expected(next.most, next.most > 0 ? all : fewest, 1);
  range.least = -std::numeric_limits<double>::infinity();
  if (least_consumed > 0) {
    const double least = utility_at(c.sigma, least_consumed);
    range.least = least - slack(least_consumed, least) +
                  expected(next.least, next.least > 0 ? fewest : all, -1);
  }
  return range;
}

/// A state of this age whose V is outside the range, or nothing.
template <class Real>
std::string out_of_range(const Problem& problem, const Real* V, int age, const Range& range) {
  for (std::size_t state = 0; state < problem.states(); ++state) {
    const auto value = static_cast<double>(V[state]);
    if (range.has(value)) continue;
    return range.against(value, name_of(age, static_cast<int>(state % index(problem.nx)),
                                        static_cast<int>(state / index(problem.nx))));
  }
  return {};
}

/// A single economy, or one `among` several that share the effort.
template <class Real>
Outcome judge_one(const Problem& problem, const Solution<Real>& solution, const Scrutiny& scrutiny,
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
    outcome.why = fmt::format(
        "V is {} at {}", *unwritten,
        name_of(static_cast<int>(at / states) + 1, static_cast<int>(at % index(problem.nx)),
                static_cast<int>(at % states / index(problem.nx))));
    return outcome;
  }
  outcome.figures["states"] = static_cast<double>(states);
  for (int ie = 0; ie < std::min(3, problem.ne); ++ie) {
    outcome.figures[fmt::format("V_1_{}", ie + 1)] =
        static_cast<double>(solution.V[index(ie) * index(problem.nx)]);
  }

  const std::size_t ages = index(problem.T);
  const std::size_t together = index(among) * ages;  // which share the effort
  outcome.exhaustive = scrutiny.thorough || together * states <= affordable_states;
  std::mt19937_64 random = scrutiny.random(hash_of(problem, solution));
  Operator bellman(problem);
  Worst worst;
  Range range;
  for (int age = problem.T; age >= 1 && outcome.why.empty(); --age) {
    const Real* V = solution.V.data() + index(age - 1) * states;
    bellman.expect(age == problem.T ? nullptr : V + states);
    int guess = 0;
    for (const std::size_t state : states_to_check(problem, outcome.exhaustive,
                                                   numerics::drawn_places / together + 1, random)) {
      const int ix = static_cast<int>(state % index(problem.nx));
      const int ie = static_cast<int>(state / index(problem.nx));
      const auto found = static_cast<double>(V[state]);
      const auto best = bellman.best(ix, ie, guess);
      guess = best.choice;
      const int sums = problem.recursion == Recursion::corrected ? 1 : best.choice + 1;
      const numerics::ErrorBound bound =
          bound_at<Real>(problem, age,
                         {.value = best.value,
                          .utility = best.utility,
                          .expected = std::abs(bellman.expected(ie, best.choice)),
                          .consumption = best.consumption,
                          .available = bellman.available(ix, ie)},
                         sums);
      const double residual = std::abs(found - best.value);
      ++outcome.checked_states;
      worst.see(residual, bound, outcome);
      outcome.why = ill_conditioned<Real>(problem, bound, age, ix, ie);
      if (outcome.why.empty() && !(residual <= bound.allowed)) {
        outcome.why = fmt::format("V is {:.9g} at {}, where the best choice gives {:.9g}", found,
                                  name_of(age, ix, ie), best.value);
      }
      if (!outcome.why.empty()) break;
    }
    range = range_before<Real>(problem, bellman, range);
    if (outcome.why.empty()) outcome.why = out_of_range(problem, V, age, range);
  }
  outcome.figures["residual_share"] = worst.of_consumption;
  std::string hidden = numerics::hidden_by_rounding(worst.allowed);
  if (problem.recursion == Recursion::corrected && !hidden.empty()) {
    outcome.notes["precision"] = std::move(hidden);
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
  const Operator bellman(problem);
  const Grids<double>& grids = bellman.grids();
  const std::size_t ne = index(problem.ne);
  std::vector<Range> ranges(index(problem.T) + 1);  // of age a + 1 at [a]; of none after age T
  for (int age = problem.T; age >= 1; --age) {
    ranges[index(age - 1)] = range_before<Real>(problem, bellman, ranges[index(age)]);
  }
  Outcome outcome;
  outcome.iterations = problem.T;
  Worst worst;
  for (int n = 0; n < states_per_sample; ++n) {
    const auto [age, ix, ie] = sampled_state(batch, economy, n);
    const std::size_t at = index(economy) * states_per_sample + index(n);
    const std::int32_t choice = solution.sample_choice[at];
    if (choice < 0 || choice >= problem.nx) {
      outcome.why = fmt::format("the choice at {} is {}, which is not on the grid",
                                name_of(age, ix, ie), choice);
      return outcome;
    }
    const Real* kept = &solution.sample[at * sample_size(batch)];
    const double available = resources_of(problem, grids.x[index(ix)], grids.e[index(ie)]);
    double best = -std::numeric_limits<double>::infinity();
    numerics::StateValue terms{.available = available};
    const Around choices = around(batch.nx, choice);
    for (std::size_t m = 0; m < 3; ++m) {
      const double consumption = available - grids.x[index(choices.choice[m])];
      if (!(consumption > 0)) continue;
      double expected = 0;
      for (std::size_t je = 0; je < ne; ++je) {
        const auto V_next = static_cast<double>(kept[1 + m * ne + je]);
        // A V' of 0 everywhere adds up too.
        if (const Range& range = ranges[index(age)]; !range.has(V_next)) {
          outcome.why =
              range.against(V_next, name_of(age + 1, choices.choice[m], static_cast<int>(je)));
          return outcome;
        }
        expected += grids.P[index(ie) * ne + je] * V_next;
      }
      expected *= c.beta;
      const double utility = utility_at(c.sigma, consumption);
      if (utility + expected <= best) continue;
      best = utility + expected;
      terms = {.value = best,
               .utility = utility,
               .expected = std::abs(expected),
               .consumption = consumption,
               .available = available};
    }
    const auto V = static_cast<double>(kept[0]);
    const numerics::ErrorBound bound = bound_at<Real>(problem, age, terms, 1);
    const double residual = std::abs(V - best);
    ++outcome.checked_states;
    worst.see(residual, bound, outcome);
    outcome.why = ill_conditioned<Real>(problem, bound, age, ix, ie);
    if (!outcome.why.empty()) return outcome;
    if (residual <= bound.allowed) continue;
    outcome.why =
        fmt::format("V is {:.9g} at {}, where the choice x'[{}] or one beside it gives {:.9g}", V,
                    name_of(age, ix, ie), choice, best);
    return outcome;
  }
  outcome.valid = true;
  return outcome;
}

/// All economies by their samples, and those that are kept in full like a single one.
template <class Real>
Outcome judge_batch(const Problem& problem, const Solution<Real>& solution,
                    const Scrutiny& scrutiny) {
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
    batch.see_in_full(economy, judge_one(economy_of(problem, economy), one, scrutiny, kept.count));
  }
  Outcome outcome = batch.outcome(problem.economies);
  outcome.figures.erase("states");  // which with the ages would be the work of one
  return outcome;
}

}  // namespace

template <class Real>
Outcome judge(const Problem& problem, const Solution<Real>& solution, const Scrutiny& scrutiny) {
  return problem.economies == 1 ? judge_one(problem, solution, scrutiny, 1)
                                : judge_batch(problem, solution, scrutiny);
}

template Outcome judge<float>(const Problem&, const Solution<float>&, const Scrutiny&);
template Outcome judge<double>(const Problem&, const Solution<double>&, const Scrutiny&);

std::vector<double> reference_values(const Problem& problem) {
  const std::size_t states = problem.states();
  std::vector<double> V(states * index(problem.T));
  Operator bellman(problem);
  for (int age = problem.T; age >= 1; --age) {
    double* of_age = V.data() + index(age - 1) * states;
    bellman.expect(age == problem.T ? nullptr : of_age + states);
    int guess = 0;
    for (int ie = 0; ie < problem.ne; ++ie) {
      for (int ix = 0; ix < problem.nx; ++ix) {
        const auto best = bellman.best(ix, ie, guess);
        of_age[index(ie) * index(problem.nx) + index(ix)] = best.value;
        guess = best.choice;
      }
    }
  }
  return V;
}

}  // namespace macrobench::lifecycle
