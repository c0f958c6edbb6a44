#include "implementations/krusell_smith/certificate/written.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "implementations/krusell_smith/certificate/economy.hpp"

namespace macrobench::krusell_smith::certificate {

namespace {

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

}  // namespace

std::string first_of(std::initializer_list<std::string> complaints) {
  const auto* const first =
      std::ranges::find_if(complaints, [](const std::string& why) { return !why.empty(); });
  return first == complaints.end() ? "" : *first;
}

bool begins_with_the_first(const Problem& problem, const Equilibrium& e) {
  return problem.reuse_tolerance >= 1 || e.outer_iterations == 1;
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

std::string against_fifth(const Equilibrium& e) {
  if (e.outer_iterations > 5 || e.K_fifth == e.K) return "";
  return fmt::format("K_fifth is not the path of K, the last of {} iterations", e.outer_iterations);
}

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

std::string why_not_converged(const Equilibrium& e) {
  return std::isfinite(e.distance)
             ? fmt::format("not converged: |B_new - B| = {:.2e} after {} outer iterations",
                           e.distance, e.outer_iterations)
             : fmt::format("the outer loop diverged: no numbers in iteration {}",
                           e.outer_iterations);
}

}  // namespace macrobench::krusell_smith::certificate
