#include "implementations/krusell_smith/certificate/found.hpp"

#include <fmt/format.h>

#include <numeric>
#include <string>
#include <utility>

#include "implementations/krusell_smith/certificate/accuracy.hpp"
#include "implementations/krusell_smith/certificate/population.hpp"
#include "implementations/krusell_smith/certificate/written.hpp"
#include "implementations/krusell_smith/input/wealth.hpp"

namespace macrobench::krusell_smith::certificate {

namespace {

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

}  // namespace

void add_law(Outcome& outcome, const Equilibrium& e) {
  outcome.figures.insert({{"b0_bad", e.law.b0[bad]},
                          {"b1_bad", e.law.b1[bad]},
                          {"b0_good", e.law.b0[good]},
                          {"b1_good", e.law.b1[good]}});
}

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

std::string add_accuracy(Outcome& outcome, const Problem& problem, const Equilibrium& e,
                         const Scrutiny& scrutiny) {
  if (problem.accuracy_periods <= 1) return "";
  const Accuracy accuracy = accuracy_of(problem, e);
  outcome.figures.insert({{"euler_error_mean", accuracy.euler_mean},
                          {"euler_error_max", accuracy.euler_max.error},
                          {"implied_error_mean", accuracy.implied_mean},
                          {"implied_error_max", accuracy.implied_max.error},
                          {"dynamic_error_mean", accuracy.dynamic_mean},
                          {"dynamic_error_max", accuracy.dynamic_max.error},
                          {"law_error_mean", accuracy.law_mean},
                          {"law_error_max", accuracy.law_max.error}});
  if (!accuracy.steady_state.is_judged()) return "";
  outcome.figures.insert({{"wealth_drift", accuracy.steady_state.largest().share},
                          {"k_max_share", accuracy.steady_state.share_at_top()}});
  std::string why = accuracy.steady_state.why_none();
  if (why.empty() || !scrutiny.keeps_quirks) return why;
  outcome.notes["steady state"] = std::move(why);
  return "";
}

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

}  // namespace macrobench::krusell_smith::certificate
