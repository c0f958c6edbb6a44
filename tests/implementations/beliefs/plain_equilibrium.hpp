#pragma once

// An equilibrium by the certificate's own sums, and bisection at the sampled histories.

#include <cmath>
#include <vector>

#include "harness/run/stage_clock.hpp"
#include "implementations/beliefs/certificate.hpp"
#include "implementations/beliefs/outer_loop.hpp"
#include "tests/implementations/beliefs/brute_force.hpp"

namespace macrobench::beliefs {

/// Consumption at the sampled histories, by bisection.
inline std::vector<Consumption> plain_samples(const Problem& problem, const Consumption& at_s0) {
  const Calibration& c = problem.calibration;
  const BruteForce tree{c, at_s0};
  std::vector<Consumption> sampled;
  for (const Transitions& n : sampled_histories(problem)) {
    const auto probability = [&n](double hh, double ll) {
      return std::pow(hh, n.hh) * std::pow(1 - hh, n.hl) * std::pow(1 - ll, n.lh) *
             std::pow(ll, n.ll);
    };
    sampled.push_back(tree.consumption(
        n.periods(), c.C0 * std::exp(n.highs() * c.alpha_h + n.lows() * c.alpha_l),
        probability(c.pi_hh, c.pi_ll), probability(c.believed_pi_hh, c.believed_pi_ll)));
  }
  return sampled;
}

/// All that follows from consumption at s_0, whether or not a budget holds.
inline Equilibrium plain_equilibrium_at(const Problem& problem, const Consumption& at_s0) {
  Equilibrium found;
  found.at_s0 = at_s0;
  for (const auto& [wealth, spending] : reference_sums(problem, at_s0)) {
    found.wealth.push_back(wealth);
    found.spending.push_back(spending);
  }
  found.sampled = plain_samples(problem, at_s0);
  found.nodes = static_cast<std::int64_t>(classes_up_to(problem.T));
  found.newton_iterations = 2 * found.nodes;
  found.passes = 1;
  found.converged = true;
  return found;
}

inline Equilibrium plain_equilibrium(const Problem& problem) {
  const auto periods = static_cast<std::size_t>(problem.T) + 1;
  Equilibrium found;
  found.wealth.resize(periods);
  found.spending.resize(periods);
  found.nodes = static_cast<std::int64_t>(classes_up_to(problem.T));
  StageClock clock;
  find_equilibrium(problem, clock, found, [&](const Consumption& at_s0, Equilibrium& result) {
    const std::vector<ReferencePeriod> sums = reference_sums(problem, at_s0);
    for (std::size_t t = 1; t < periods; ++t) {
      result.wealth[t] = sums[t].wealth;
      result.spending[t] = sums[t].spending;
    }
    result.newton_iterations += 2 * result.nodes;
  });
  found.sampled = plain_samples(problem, found.at_s0);
  return found;
}

}  // namespace macrobench::beliefs
