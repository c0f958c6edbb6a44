#include "implementations/krusell_smith/certificate/path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "implementations/krusell_smith/certificate/economy.hpp"
#include "implementations/krusell_smith/certificate/first_wealth.hpp"
#include "implementations/krusell_smith/certificate/moments.hpp"
#include "implementations/krusell_smith/certificate/written.hpp"

namespace macrobench::krusell_smith::certificate {

namespace {

/// "agent 7", or the point of a histogram.
std::string name_of_place(const Problem& problem, PanelKind kind, std::size_t at) {
  if (kind != PanelKind::histogram) return fmt::format("agent {}", at);
  const std::size_t points = index(problem.histogram_points);
  return fmt::format("the {} at point {}", at < points ? "unemployed" : "employed", at % points);
}

}  // namespace

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

}  // namespace macrobench::krusell_smith::certificate
