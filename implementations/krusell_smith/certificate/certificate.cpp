#include "implementations/krusell_smith/certificate/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <utility>

#include "harness/model/batch_outcome.hpp"
#include "harness/model/solution_arrays.hpp"
#include "implementations/krusell_smith/certificate/accuracy.hpp"
#include "implementations/krusell_smith/certificate/economy.hpp"
#include "implementations/krusell_smith/certificate/euler.hpp"
#include "implementations/krusell_smith/certificate/first_wealth.hpp"
#include "implementations/krusell_smith/certificate/law.hpp"
#include "implementations/krusell_smith/certificate/panel.hpp"
#include "implementations/krusell_smith/certificate/population.hpp"
#include "implementations/krusell_smith/input/economies.hpp"
#include "implementations/krusell_smith/input/stored.hpp"
#include "implementations/krusell_smith/input/wealth.hpp"

namespace macrobench::krusell_smith {

namespace {

/// Of K', at either end of the grid of K: an equilibrium's law may not be further from the law that
/// its own panel gives, whatever the tolerance.
constexpr double largest_law_error = 5e-3;

using namespace certificate;

// Each against_...() returns what is wrong with a solution, or nothing.

std::string against_array(std::string_view name, const std::vector<double>& values,
                          std::size_t expected) {
  if (values.size() != expected) {
    return fmt::format(
        "the solution was not written in full: {} has {} numbers, where {} are asked for", name,
        values.size(), expected);
  }
  const auto at = std::ranges::find_if(values, [](double x) { return !std::isfinite(x); });
  if (at == values.end()) return "";
  return fmt::format("the solution was not written in full: {}[{}] is {}", name,
                     at - values.begin(), *at);
}

std::string first_of(std::initializer_list<std::string> complaints) {
  const auto* const first =
      std::ranges::find_if(complaints, [](const std::string& why) { return !why.empty(); });
  return first == complaints.end() ? "" : *first;
}

std::string against_policy_array(const Problem& problem, const Equilibrium& e) {
  std::string why = against_array("policy", e.policy, problem.grids.size());
  if (!why.empty()) return why;
  // A mixture of two policies that are k_max may exceed it by its rounding.
  const double highest = problem.grids.k_max * (1 + 8 * std::numeric_limits<double>::epsilon());
  const auto outside =
      std::ranges::find_if(e.policy, [&](double k) { return k < 0 || k > highest; });
  if (outside == e.policy.end()) return "";
  return fmt::format("policy[{}] is {}, outside the grid of k, 0 to {}", outside - e.policy.begin(),
                     *outside, problem.grids.k_max);
}

/// Whether the last panel begins with the first cross-section, whatever the solver did before.
bool begins_with_the_first(const Problem& problem, const Equilibrium& e) {
  return problem.reuse_tolerance >= 1 || e.outer_iterations == 1;
}

/// Wealth that households have chosen is within the grid of k, wherever it stands. A first
/// cross-section that is given need not be.
std::string against_wealth(const Problem& problem, const Equilibrium& e) {
  const bool is_histogram = e.kind == PanelKind::histogram;
  const double rounding = problem.single || e.kind == PanelKind::hardware
                              ? 8.0 * std::numeric_limits<float>::epsilon()
                              : 1e-12;
  const double highest = (is_histogram ? 1 : problem.grids.k_max) * (1 + rounding);
  const auto outside = [&](const char* name, const std::vector<double>& wealth) -> std::string {
    const auto at =
        std::ranges::find_if(wealth, [&](double k) { return !(k >= 0 && k <= highest); });
    if (at == wealth.end()) return "";
    return fmt::format("{}[{}] is {}, outside {}", name, at - wealth.begin(), *at,
                       is_histogram ? "the shares of a population, 0 to 1"
                                    : fmt::format("the grid of k, 0 to {}", problem.grids.k_max));
  };
  return first_of({begins_with_the_first(problem, e) ? "" : outside("first_wealth", e.first_wealth),
                   outside("last_wealth", e.last_wealth)});
}

std::string against_panel_arrays(const Problem& problem, const Equilibrium& e) {
  const std::size_t places =
      e.kind == PanelKind::histogram ? 2 * index(problem.histogram_points) : index(problem.N);
  return first_of({against_array("K", e.K, index(problem.T)),
                   against_array("K_fifth", e.K_fifth, index(problem.T)),
                   against_array("first_wealth", e.first_wealth, places),
                   against_array("last_wealth", e.last_wealth, places)});
}

std::string against_laws(const Equilibrium& e) {
  const auto all = [](const LawOfMotion& law) {
    return std::vector<double>{law.b0[bad], law.b1[bad], law.b0[good], law.b1[good]};
  };
  return first_of({against_array("law", all(e.law), 4),
                   against_array("estimated", all(e.estimated), 4),
                   against_array("R2", {e.R2[bad], e.R2[good]}, 2),
                   against_array("distance", {e.distance}, 1)});
}

/// The path of the fifth iteration is the last if there were at most five, which nobody has to
/// believe.
std::string against_fifth(const Equilibrium& e) {
  if (e.outer_iterations > 5 || e.K_fifth == e.K) return "";
  return fmt::format("K_fifth is not the path of K, the last of {} iterations", e.outer_iterations);
}

/// Checks the counts against the caps and against each other, and the path of the fifth iteration.
std::string against_counts(const Problem& problem, const Equilibrium& e) {
  // A program may go on beyond outer_cap, but relaxes nothing by that, see take_result().
  const bool beyond = e.outer_iterations > problem.outer_cap;
  if (e.outer_iterations < 1 || e.outer_iterations > 2 * problem.outer_cap ||
      (e.relaxed && !beyond)) {
    return fmt::format(
        "{} outer iterations {} relaxing the tolerance, which outer_cap = {} does not allow",
        e.outer_iterations, e.relaxed ? "after" : "without", problem.outer_cap);
  }
  const std::int64_t later = e.policy_iterations - e.first_policy_iterations;
  if (e.first_policy_iterations < 1 || later < e.outer_iterations - 1) {
    return fmt::format("{} policy iterations, {} of them in the first of {} outer iterations",
                       e.policy_iterations, e.first_policy_iterations, e.outer_iterations);
  }
  if (std::string why = against_fifth(e); !why.empty()) return why;
  const auto outside = std::ranges::find_if(
      e.K_fifth, [&](double K) { return K < problem.grids.K_min || K > problem.grids.K_max; });
  if (outside == e.K_fifth.end()) return "";
  return fmt::format("K_fifth[{}] is {}, outside the grid of K", outside - e.K_fifth.begin(),
                     *outside);
}

std::string against_clips(const Problem& problem, const Equilibrium& e) {
  const auto clipped = std::ranges::count_if(
      e.K, [&](double K) { return K <= problem.grids.K_min || K >= problem.grids.K_max; });
  const std::int64_t clips = std::max<std::int64_t>(e.clips.K, clipped);
  if (clips == 0) return "";
  return fmt::format(
      "the mean of wealth was clipped to the grid of K, {} to {}, in {} periods of the last panel: "
      "move it with --K_min and --K_max",
      problem.grids.K_min, problem.grids.K_max, clips);
}

std::string against_regression(const Fit& fit, const Equilibrium& e, double error) {
  if (error <= 1e-10) return "";
  struct Number {
    const char* name;
    double fitted, found;
  };
  const std::array<Number, 6> numbers = {{{"b0_bad", fit.law.b0[bad], e.estimated.b0[bad]},
                                          {"b1_bad", fit.law.b1[bad], e.estimated.b1[bad]},
                                          {"b0_good", fit.law.b0[good], e.estimated.b0[good]},
                                          {"b1_good", fit.law.b1[good], e.estimated.b1[good]},
                                          {"R2_bad", fit.R2[bad], e.R2[bad]},
                                          {"R2_good", fit.R2[good], e.R2[good]}}};
  const auto distance = [](const Number& n) { return std::abs(n.fitted - n.found); };
  const auto worst = std::ranges::max_element(numbers, {}, distance);
  return fmt::format("a regression on the path of K gives {} = {:.12g}, the solution {:.12g}",
                     worst->name, worst->fitted, worst->found);
}

std::string against_law(const Problem& problem, const Outcome& outcome, const Fit& fit,
                        const Equilibrium& e) {
  if (outcome.residual <= outcome.allowed + 1e-11) return "";
  const auto height = [&](int a) { return height_between(problem.grids, fit.law, e.law, a); };
  return fmt::format(
      "the law of motion is {:.2e} from the one it brings about, in ln K' at an end of the grid of "
      "K and most of it in the {} state, where {:.2e} is allowed",
      outcome.residual, height(good) > height(bad) ? "good" : "bad", outcome.allowed);
}

/// Of a policy's node.
std::string name_of_node(const Problem& problem, std::size_t at) {
  const std::size_t n_k = index(problem.grids.n_k);
  const std::size_t n_K = index(problem.grids.n_K);
  const std::size_t s = at / n_k / n_K;
  return fmt::format("k[{}], K[{}], ({}, {})", at % n_k, at / n_k % n_K,
                     s / 2 == good ? "good" : "bad", s % 2 == employed ? "employed" : "unemployed");
}

std::string against_policy(const Problem& problem, const PolicyErrors& policy) {
  const auto [error, at] = policy.largest;
  if (!(error <= policy.allowed)) {
    std::string why = fmt::format(
        "the policy is {:.2e} of consumption from what the Euler equation asks for at {}, where "
        "{:.2e} is allowed",
        error, name_of_node(problem, at), policy.allowed);
    if (error <= policy.by_tolerance) {
      why += fmt::format(": tighten it with --policy_tolerance {:.1g}",
                         most_euler_error / 3 * policy.consumption);
    }
    return why;
  }
  if (policy.on_floor) {
    return fmt::format(
        "the policy saves at {} although consumption then or later is at its floor of {:.0e}: no "
        "household chooses that, and no Euler equation judges it; another grid of K, --K_min and "
        "--K_max, or a higher --mu may have an equilibrium",
        name_of_node(problem, *policy.on_floor), consumption_floor);
  }
  if (policy.rounding.error > most_euler_error) {
    return fmt::format(
        "the Euler equation at {} is ill-conditioned: rounding alone is {:.2e} of consumption "
        "there",
        name_of_node(problem, policy.rounding.at), policy.rounding.error);
  }
  return "";
}

/// "agent 7", or the point of a histogram.
std::string name_of_place(const Problem& problem, PanelKind kind, std::size_t at) {
  if (kind != PanelKind::histogram) return fmt::format("agent {}", at);
  const std::size_t points = index(problem.histogram_points);
  return fmt::format("the {} at point {}", at < points ? "unemployed" : "employed", at % points);
}

std::string against_path(const Problem& problem, PanelKind kind, const PathErrors& path) {
  const AllowedPathErrors& allowed = path.allowed;
  if (!(path.K.error <= allowed.K)) {
    return fmt::format(
        "the path of K, simulated again{}, differs by {:.2e} in period {}, where {:.2e} is allowed",
        is_sample(problem) ? " with a sample of the agents" : "", path.K.error, path.K.at,
        allowed.K);
  }
  if (!(path.sample.error <= allowed.sample)) {
    return fmt::format(
        "the path of K, simulated again with a sample of the agents, differs by {:.2e} in period "
        "{}, where {:.2e} is allowed",
        path.sample.error, path.sample.at, allowed.sample);
  }
  if (!(path.wealth.error <= allowed.wealth)) {
    return fmt::format(
        "wealth at the end, simulated again, differs by {:.2e} for {}, where {:.2e} is allowed",
        path.wealth.error, name_of_place(problem, kind, path.wealth.at), allowed.wealth);
  }
  if (!(path.moments.error <= standard_errors)) {
    return fmt::format(
        "wealth at the end has another {} than that of the agents who were simulated again, by "
        "{:.1f} standard errors, where {} are allowed",
        name_of_moment(path.moments.at), path.moments.error, standard_errors);
  }
  return "";
}

/// The first cross-section is the one computed here, in the panel's precision.
std::string against_start(const Problem& problem, const Equilibrium& e) {
  if (!begins_with_the_first(problem, e)) return "";
  const std::vector<double> expected = first_cross_section(problem, e.kind);
  const double rounding = problem.single ? std::numeric_limits<float>::epsilon() : 1e-13;
  // Of a histogram the weights add up to 1; wealth is judged by its own size, and next to nothing
  // by the mean.
  const bool is_histogram = e.kind == PanelKind::histogram;
  const double least = is_histogram ? 1 : mean_of(expected) / 1000;
  Largest largest;
  for (std::size_t n = 0; n < expected.size(); ++n) {
    largest.see(std::abs(e.first_wealth[n] - expected[n]) / std::max(least, expected[n]), n);
  }
  if (largest.error <= rounding) return "";
  return fmt::format(
      "the panel does not begin with the first cross-section: {:.12g} for {}, not "
      "{:.12g}",
      e.first_wealth[largest.at], name_of_place(problem, e.kind, largest.at), expected[largest.at]);
}

std::string against_stored_policy(const Stored& stored, const Equilibrium& e) {
  if (e.law != stored.law) return "the law is not the stored one";
  const auto [asked, found] = std::ranges::mismatch(stored.policy, e.policy);
  if (asked == stored.policy.end() && found == e.policy.end()) return "";
  return fmt::format("the panel was not simulated under the stored policy, from policy[{}] on",
                     asked - stored.policy.begin());
}

void add_law(Outcome& outcome, const Equilibrium& e) {
  outcome.figures.insert({{"b0_bad", e.law.b0[bad]},
                          {"b1_bad", e.law.b1[bad]},
                          {"b0_good", e.law.b0[good]},
                          {"b1_good", e.law.b1[good]}});
}

/// Where the law's next step, which was not taken any more, would lead.
void add_relaxed_law(Outcome& outcome, const Problem& problem, const Equilibrium& e) {
  if (problem.law_update != LawUpdate::relaxation) return;
  const auto relaxed = [&](double believed, double produced) {
    return problem.relaxation * produced + (1 - problem.relaxation) * believed;
  };
  outcome.figures.insert({{"b0_bad_relaxed", relaxed(e.law.b0[bad], e.estimated.b0[bad])},
                          {"b1_bad_relaxed", relaxed(e.law.b1[bad], e.estimated.b1[bad])},
                          {"b0_good_relaxed", relaxed(e.law.b0[good], e.estimated.b0[good])},
                          {"b1_good_relaxed", relaxed(e.law.b1[good], e.estimated.b1[good])}});
}

/// What judges a panel, right or wrong.
void add_errors(Outcome& outcome, const Equilibrium& e, const PathErrors& path) {
  outcome.figures.insert({{"clips_k", static_cast<double>(e.clips.k)},
                          {"clips_K", static_cast<double>(e.clips.K)},
                          {"path_error", path.K.error},
                          {"wealth_error", path.wealth.error}});
  if (path.allowed.sample > 0) outcome.figures["sample_error"] = path.sample.error;
  if (path.allowed.K > 1e-4) {
    outcome.notes["precision"] = fmt::format(
        "errors up to {:.2g}% of K and {:.2g}% of a household's wealth are within its rounding",
        100 * path.allowed.K, 100 * path.allowed.wealth);
  }
}

/// More households than these in the highest tenth of the grid of k are held back by its end. Where
/// a grid is wide enough, less than 1e-9 of them are in its upper half.
constexpr double few_households = 1e-3;

double share_in_top(const Problem& problem, const Equilibrium& e, double share_of_grid) {
  return share_above(problem, e.kind, e.last_wealth, (1 - share_of_grid) * problem.grids.k_max);
}

/// Words about wealth at the end of the grid, or nothing.
std::string piled_up(const Problem& problem, const Equilibrium& e) {
  const double share = share_in_top(problem, e, .1);
  if (share <= few_households) return "";
  return fmt::format(
      "wealth piles up at k_max: {:.2g}% of the households end in the highest tenth of the grid of "
      "k, 0 to {}; {}widen it with --k_max",
      100 * share, problem.grids.k_max,
      begins_with_the_first(problem, e)
          ? ""
          : "begin each panel with the first cross-section (--reuse_tolerance 1), or ");
}

/// A published program's pile-up is a fact about it, which the record marks.
std::string against_top(const Problem& problem, const Equilibrium& e, const Scrutiny& scrutiny) {
  return scrutiny.keeps_quirks ? "" : piled_up(problem, e);
}

void add_top(Outcome& outcome, const Problem& problem, const Equilibrium& e) {
  std::string& note = outcome.notes["wealth at k_max"];
  note = piled_up(problem, e);
  const double share = share_in_top(problem, e, .5);
  if (note.empty() && share > few_households) {
    note = fmt::format(
        "{:.2g}% of the households end in the upper half of the grid of k, 0 to {}: see whether a "
        "wider one, with --k_max, or more points of K change the result",
        100 * share, problem.grids.k_max);
  }
  if (note.empty()) outcome.notes.erase("wealth at k_max");
}

/// What nobody recomputed, in words.
void add_own_words(Outcome& outcome, const Problem& problem, const Equilibrium& e) {
  if (!begins_with_the_first(problem, e)) {
    outcome.notes["first cross-section"] =
        "self-reported: the solver's own, of a panel that is not simulated again";
  }
  if (e.relaxed) {
    outcome.notes["tolerance"] =
        fmt::format("relaxed tenfold after {} outer iterations (self-reported)", problem.outer_cap);
  }
}

void add_panel(Outcome& outcome, const Problem& problem, const Equilibrium& e) {
  const auto first = e.K.begin() + problem.burn_in;
  const double K_mean =
      std::accumulate(first, e.K.end(), 0.0) / static_cast<double>(problem.T - problem.burn_in);
  const WealthMoments wealth = moments_of(problem, e.kind, e.last_wealth);
  outcome.figures.insert({{"K_mean", K_mean},
                          {"wealth_mean", wealth.mean},
                          {"wealth_sd", wealth.sd},
                          {"wealth_p05", wealth.p05},
                          {"wealth_p25", wealth.p25},
                          {"wealth_median", wealth.median},
                          {"wealth_p75", wealth.p75},
                          {"wealth_p95", wealth.p95}});
  outcome.series["K_fifth"] = e.K_fifth;
  if (std::string scaled = scaled_masses(problem); !scaled.empty()) {
    outcome.notes["wealth"] = std::move(scaled);
  }
}

void add_accuracy(Outcome& outcome, const Problem& problem, const Equilibrium& e) {
  if (problem.accuracy_periods <= 1) return;
  const Accuracy accuracy = accuracy_of(problem, e);
  outcome.figures.insert({{"euler_error_mean", accuracy.euler_mean},
                          {"euler_error_max", accuracy.euler_max.error},
                          {"law_error_mean", accuracy.law_mean},
                          {"law_error_max", accuracy.law_max.error}});
}

Outcome conclude(Outcome outcome, std::string why) {
  outcome.why = std::move(why);
  outcome.valid = outcome.why.empty();
  return outcome;
}

Outcome judge_policy(const Problem& problem, const Equilibrium& e, const Scrutiny& scrutiny) {
  Outcome outcome;
  outcome.iterations = e.policy_iterations;
  outcome.allowed = most_euler_error;
  if (!e.converged) {
    outcome.residual = std::numeric_limits<double>::quiet_NaN();
    outcome.gave_up = true;
    return conclude(
        outcome, fmt::format("not converged: no policy after {} iterations", e.policy_iterations));
  }
  std::string why = against_policy_array(problem, e);
  if (why.empty() && e.law != stored_of(problem)->law) {
    why = "the policy was not solved under the stored law";
  }
  if (why.empty() && e.policy_iterations < 1) {
    why = fmt::format("{} policy iterations found no policy", e.policy_iterations);
  }
  if (!why.empty()) return conclude(outcome, why);

  std::mt19937_64 random = scrutiny.random(hash_of(problem, e));
  const PolicyErrors policy = policy_errors(problem, e, scrutiny.thorough, random);
  outcome.residual = policy.largest.error;
  outcome.allowed = policy.allowed;
  outcome.checked_states = policy.count;
  outcome.exhaustive = policy.all;
  outcome.figures["policy_iterations"] = static_cast<double>(e.policy_iterations);
  outcome.figures["policy_error"] = policy.largest.error;
  why = against_policy(problem, policy);
  if (why.empty()) add_law(outcome, e);
  return conclude(outcome, why);
}

Outcome judge_panel(const Problem& problem, const Equilibrium& e, const Scrutiny& scrutiny) {
  Outcome outcome;
  outcome.iterations = e.outer_iterations;
  std::string why = against_panel_arrays(problem, e);
  if (why.empty() && e.outer_iterations != 1) {
    why = fmt::format("{} iterations, where one panel is one", e.outer_iterations);
  }
  if (why.empty()) {
    why = first_of({against_stored_policy(*stored_of(problem), e), against_start(problem, e)});
  }
  if (!why.empty()) return conclude(outcome, why);

  std::mt19937_64 random = scrutiny.random(hash_of(problem, e));
  const PathErrors path = path_errors(problem, e, scrutiny.thorough, random);
  outcome.residual = path.K.error;
  outcome.allowed = path.allowed.K;
  outcome.checked_states = path.count;
  outcome.exhaustive = path.all;
  add_errors(outcome, e, path);
  why = first_of({against_clips(problem, e), against_path(problem, e.kind, path),
                  against_wealth(problem, e), against_top(problem, e, scrutiny), against_fifth(e)});
  add_top(outcome, problem, e);
  if (why.empty()) {
    add_law(outcome, e);
    add_panel(outcome, problem, e);
  }
  return conclude(outcome, why);
}

/// Nothing if the tolerance holds the law to what may be called one. With a looser one the first
/// guess, several percent off, would pass for a law.
std::string against_tolerance(const Problem& problem, const Equilibrium& e, double allowed) {
  if (allowed <= largest_law_error) return "";
  const double as_strict = problem.tolerance * largest_law_error / allowed;
  const double digit = std::pow(10, std::floor(std::log10(as_strict)));
  return fmt::format(
      "the tolerance{} lets the law of motion be off by {:.2g} of K', and at most {:g} is allowed: "
      "--tolerance {:.0e}",
      e.relaxed ? ", relaxed tenfold," : "", allowed, largest_law_error,
      std::floor(as_strict / digit) * digit);
}

std::string why_not_converged(const Equilibrium& e) {
  return std::isfinite(e.distance)
             ? fmt::format("not converged: |B_new - B| = {:.2e} after {} outer iterations",
                           e.distance, e.outer_iterations)
             : fmt::format("the outer loop diverged: no numbers in iteration {}",
                           e.outer_iterations);
}

/// Of an equilibrium, the panel alone takes long to judge.
enum class Depth {
  without_panel,  ///< all except the panel, which is not simulated again
  with_panel,
  with_accuracy  ///< and figures of accuracy on a fresh simulation
};

Outcome judge_equilibrium(const Problem& problem, const Equilibrium& e, const Scrutiny& scrutiny,
                          Depth depth) {
  Outcome outcome;
  outcome.iterations = e.outer_iterations;
  outcome.allowed = problem.tolerance * (e.relaxed ? 10 : 1) * height_per_distance(problem.grids);
  outcome.residual = e.distance;
  if (!e.converged) {
    outcome.allowed = problem.tolerance * (e.relaxed ? 10 : 1);  // of that distance
    const std::string clips = against_clips(problem, e);
    outcome.gave_up = std::isfinite(e.distance);
    return conclude(outcome, why_not_converged(e) + (clips.empty() ? "" : "; " + clips));
  }
  std::string why = first_of(
      {against_panel_arrays(problem, e), against_policy_array(problem, e), against_laws(e)});
  if (why.empty()) why = first_of({against_counts(problem, e), against_start(problem, e)});
  if (!why.empty()) return conclude(outcome, why);
  add_own_words(outcome, problem, e);
  add_top(outcome, problem, e);

  const Fit fit = regressed(problem, e.K);
  const double regression_error =
      std::max({law_distance(fit.law, e.estimated), std::abs(fit.R2[bad] - e.R2[bad]),
                std::abs(fit.R2[good] - e.R2[good])});
  outcome.residual = std::max(height_between(problem.grids, fit.law, e.law, bad),
                              height_between(problem.grids, fit.law, e.law, good));
  std::mt19937_64 random = scrutiny.random(hash_of(problem, e));
  const PolicyErrors policy = policy_errors(problem, e, scrutiny.thorough, random);
  outcome.checked_states = policy.count;
  why = first_of({against_clips(problem, e), against_regression(fit, e, regression_error),
                  against_law(problem, outcome, fit, e), against_policy(problem, policy),
                  against_top(problem, e, scrutiny)});
  if (depth == Depth::without_panel) {
    return conclude(outcome, first_of({why, against_wealth(problem, e),
                                       against_tolerance(problem, e, outcome.allowed)}));
  }
  const PathErrors path = path_errors(problem, e, scrutiny.thorough, random);
  outcome.checked_states += path.count;
  outcome.exhaustive = policy.all && path.all;

  add_errors(outcome, e, path);
  outcome.figures.insert(
      {{"policy_iterations", static_cast<double>(e.policy_iterations)},
       {"first_policy_iterations", static_cast<double>(e.first_policy_iterations)},
       {"relaxed", e.relaxed ? 1.0 : 0.0},
       {"policy_error", policy.largest.error},
       {"regression_error", regression_error}});
  why = first_of({why, against_path(problem, e.kind, path), against_wealth(problem, e)});
  if (!why.empty()) return conclude(outcome, why);

  add_law(outcome, e);
  add_relaxed_law(outcome, problem, e);
  add_panel(outcome, problem, e);
  outcome.figures.insert(
      {{"R2_bad", e.R2[bad]}, {"R2_good", e.R2[good]}, {"K_fifth_mean", mean_of(e.K_fifth)}});
  if (depth == Depth::with_accuracy) add_accuracy(outcome, problem, e);
  return conclude(outcome, against_tolerance(problem, e, outcome.allowed));
}

/// All economies without their panels, and the first and drawn ones with them, or all if thorough.
Outcome judge_batch(const Problem& problem, const Equilibrium& batch, const Scrutiny& scrutiny) {
  if (batch.economies.size() != index(problem.economies)) {
    return conclude({}, fmt::format("the solution has {} economies, where {} are asked for",
                                    batch.economies.size(), problem.economies));
  }
  BatchOutcome outcome(
      [&](int economy) { return words_of(economy_of(problem, economy).calibration); });
  numerics::KeptInFull in_full = judged_in_full(problem);
  in_full.draw = static_cast<std::int64_t>(scrutiny.random(hash_of(problem, batch))() >> 1);
  for (int e = 0; e < problem.economies; ++e) {
    const Problem one = economy_of(problem, e);
    const Equilibrium& its = batch.economies[index(e)];
    if (scrutiny.thorough || in_full.place(e) >= 0) {
      const Depth depth = e == 0 ? Depth::with_accuracy : Depth::with_panel;
      outcome.see_in_full(e, judge_equilibrium(one, its, scrutiny, depth));
    } else {
      outcome.see(e, judge_equilibrium(one, its, scrutiny, Depth::without_panel));
    }
  }
  return outcome.outcome(problem.economies);
}

Outcome judged(const Problem& problem, const Equilibrium& equilibrium, const Scrutiny& scrutiny) {
  switch (problem.stage) {
    case Stage::policy:
      return judge_policy(problem, equilibrium, scrutiny);
    case Stage::panel:
      return judge_panel(problem, equilibrium, scrutiny);
    case Stage::all:
      break;
  }
  if (problem.economies > 1) return judge_batch(problem, equilibrium, scrutiny);
  return judge_equilibrium(problem, equilibrium, scrutiny, Depth::with_accuracy);
}

}  // namespace

Outcome judge(const Problem& whole, const Equilibrium& equilibrium, const Scrutiny& scrutiny) {
  const Problem problem = kept_of(whole);
  Outcome outcome = judged(problem, equilibrium, scrutiny);
  if (problem.row_error > 0) {
    outcome.notes["transition matrix"] =
        fmt::format("rows scaled to add up to 1, by {:.3g} at most", problem.row_error);
  }
  return outcome;
}

}  // namespace macrobench::krusell_smith
