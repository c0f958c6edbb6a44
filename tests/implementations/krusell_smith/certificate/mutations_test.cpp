#include "tests/implementations/mutations.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "implementations/krusell_smith/certificate/certificate.hpp"
#include "tests/implementations/krusell_smith/plain_panel.hpp"

namespace macrobench::krusell_smith {
namespace {

using Mutations = std::vector<Mutation<Equilibrium>>;
using Told = std::optional<std::string>;

/// The splines carry a fault on: its worst node may be another one.
constexpr const char* euler = "from what the Euler equation asks for at k[";

std::ptrdiff_t place(std::size_t at) {
  return static_cast<std::ptrdiff_t>(at);
}

std::string name_of_agent(const Problem& problem, PanelKind kind, std::size_t at) {
  if (kind != PanelKind::histogram) return fmt::format("for agent {}", at);
  const auto points = static_cast<std::size_t>(problem.histogram_points);
  return fmt::format("for the {} at point {}", at < points ? "unemployed" : "employed",
                     at % points);
}

/// Ten times what is allowed of the policy.
double far_in_policy(const Problem& problem) {
  return 10 * (2 * problem.policy_tolerance + 1e-11 * problem.grids.k_max);
}

/// Ten times what is allowed of a panel: of its path, and of wealth at its end (or of a weight).
struct Far {
  double K, wealth;
};
Far far_in_panel(const Problem& problem, PanelKind kind) {
  if (kind == PanelKind::hardware) return {0.0125, std::max(0.2, 100.0 / problem.grids.n_k)};
  return problem.single ? Far{3e-3, 0.1} : Far{1e-8, 1e-8};
}

void add(Mutations& to, const Mutations& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// An array of a solution, by its name.
struct Array {
  const char* name;
  std::vector<double> Equilibrium::* member;
};

Mutations of_arrays(const std::vector<Array>& arrays) {
  return {{"no number",
           [=](Equilibrium& e, Dice& dice) -> Told {
             const auto& [name, member] = arrays[dice.below(arrays.size())];
             const std::size_t at = dice.below((e.*member).size());
             (e.*member)[at] = no_number(dice);
             return fmt::format("{}[{}] is", name, at);
           }},
          {"a truncated array", [=](Equilibrium& e, Dice& dice) -> Told {
             const auto& [name, member] = arrays[dice.below(arrays.size())];
             (e.*member).resize(dice.below((e.*member).size()));
             return fmt::format("{} has", name);
           }}};
}

Mutations of_policy(const Problem& problem) {
  const auto n_k = static_cast<std::size_t>(problem.grids.n_k);
  const std::size_t of_state = problem.grids.size() / states;
  return {{"a policy off by ten tolerances",
           [=](Equilibrium& e, Dice& dice) -> Told {
             const std::size_t at = dice.below(e.policy.size());
             e.policy[at] += dice.sign() * far_in_policy(problem);
             return e.policy[at] < 0 ? "outside the grid of k" : euler;
           }},
          {"a policy off by one node",
           [=](Equilibrium& e, Dice& dice) -> Told {
             const std::size_t at = dice.below(e.policy.size() / n_k) * n_k + dice.below(n_k - 1);
             if (std::abs(e.policy[at] - e.policy[at + 1]) < far_in_policy(problem)) return {};
             e.policy[at] = e.policy[at + 1];
             return euler;
           }},
          {"the policy of another state", [=](Equilibrium& e, Dice& dice) -> Told {
             const std::size_t s = dice.below(states);
             const std::size_t other = (s + 1 + dice.below(states - 1)) % states;
             std::copy_n(e.policy.begin() + place(other * of_state), of_state,
                         e.policy.begin() + place(s * of_state));
             return euler;
           }}};
}

/// Of a panel that was simulated; `first` is the period from which the regression sees a change.
Mutations of_panel(const Problem& problem, PanelKind kind, std::size_t first) {
  const Far far = far_in_panel(problem, kind);
  const double scale = kind == PanelKind::histogram ? 1 : 40;  // of wealth
  return {{"a mean of another size",
           [=](Equilibrium& e, Dice& dice) -> Told {
             const std::size_t t = dice.below(e.K.size());
             e.K[t] *= 1 + dice.sign() * far.K;
             return t < first ? fmt::format("in period {},", t) : "a regression on the path of K";
           }},
          {"wealth at the end of one agent",
           [=](Equilibrium& e, Dice& dice) -> Told {
             const std::size_t n = dice.below(e.last_wealth.size());
             e.last_wealth[n] += dice.sign() * far.wealth * scale;
             return kind == PanelKind::hardware || problem.single ? "simulated again"
                                                                  : name_of_agent(problem, kind, n);
           }},
          {"two agents swapped",
           [=](Equilibrium& e, Dice& dice) -> Told {
             const std::size_t n = dice.below(e.last_wealth.size() - 1);
             double& k = e.last_wealth[n];
             double& next = e.last_wealth[n + 1];
             if (std::abs(k - next) < far.wealth * scale) return {};
             std::swap(k, next);
             return "wealth at the end, simulated again";
           }},
          {"a clipped mean", [](Equilibrium& e, Dice& dice) -> Told {
             e.clips.K = dice.one_of({1, 7});
             return fmt::format("in {} periods", e.clips.K);
           }}};
}

Mutations of_laws(const Problem& problem) {
  struct Name {
    std::string name;
    double* number;
  };
  const auto numbers = [](LawOfMotion& law) {
    return std::vector<Name>{{"b0_bad", &law.b0[bad]},
                             {"b1_bad", &law.b1[bad]},
                             {"b0_good", &law.b0[good]},
                             {"b1_good", &law.b1[good]}};
  };
  return {{"a law off by ten tolerances",
           [=](Equilibrium& e, Dice& dice) -> Told {
             const Name which = numbers(e.law)[dice.below(4)];
             *which.number += dice.sign() * 10 * problem.tolerance;
             return fmt::format("in the {} state", which.name.substr(3));
           }},
          {"a coefficient off by ten tolerances",
           [=](Equilibrium& e, Dice& dice) -> Told {
             std::vector<Name> all = numbers(e.estimated);
             all.push_back({"R2_bad", &e.R2[bad]});
             all.push_back({"R2_good", &e.R2[good]});
             const Name which = all[dice.below(all.size())];
             *which.number += dice.sign() * 1e-9;
             return fmt::format("a regression on the path of K gives {} =", which.name);
           }},
          {"the law of the other state",
           [](Equilibrium& e, Dice& dice) -> Told {
             const bool is_expected = dice.below(2) == 0;
             LawOfMotion& law = is_expected ? e.law : e.estimated;
             std::swap(law.b0[bad], law.b0[good]);
             std::swap(law.b1[bad], law.b1[good]);
             return is_expected ? "the law of motion is" : "a regression on the path of K";
           }},
          {"no number among the laws", [](Equilibrium& e, Dice& dice) -> Told {
             const auto [name, number] = dice.one_of<std::pair<const char*, double*>>(
                 {{"law[1]", &e.law.b1[bad]},
                  {"estimated[2]", &e.estimated.b0[good]},
                  {"R2[0]", &e.R2[bad]},
                  {"distance[0]", &e.distance}});
             *number = no_number(dice);
             return fmt::format("{} is", name);
           }}};
}

Mutations of_counts(const Problem& problem) {
  return {{"the wrong count of outer iterations",
           [=](Equilibrium& e, Dice& dice) -> Told {
             e.outer_iterations = dice.one_of({0, -1, 2 * problem.outer_cap + 1, 1 << 30});
             return fmt::format("{} outer iterations", e.outer_iterations);
           }},
          {"a tolerance relaxed by nobody",
           [](Equilibrium& e, Dice&) -> Told {
             e.relaxed = true;
             return fmt::format("{} outer iterations", e.outer_iterations);
           }},
          {"the wrong count of policy iterations",
           [](Equilibrium& e, Dice& dice) -> Told {
             if (dice.below(2) == 0) {
               e.policy_iterations = e.first_policy_iterations;
             } else {
               e.first_policy_iterations = dice.one_of({std::int64_t{0}, e.policy_iterations + 1});
             }
             return fmt::format("{} policy iterations", e.policy_iterations);
           }},
          {"a fifth path that is none",
           [=](Equilibrium& e, Dice& dice) -> Told {
             const std::size_t t = dice.below(e.K_fifth.size());
             e.K_fifth[t] = dice.one_of({problem.grids.K_min - 1e-9, problem.grids.K_max + 1e-9});
             return fmt::format("K_fifth[{}] is", t);
           }},
          {"no convergence", [](Equilibrium& e, Dice&) -> Told {
             e.converged = false;
             return "not converged";
           }}};
}

const std::vector<Array> panel_arrays = {{"K", &Equilibrium::K},
                                         {"K_fifth", &Equilibrium::K_fifth},
                                         {"first_wealth", &Equilibrium::first_wealth},
                                         {"last_wealth", &Equilibrium::last_wealth}};

void expect_mutations_told(const Problem& problem, const Equilibrium& right,
                           const Mutations& mutations, int trials = 24) {
  expect_all_told(right, mutations, trials,
                  [&](const Equilibrium& e) { return judge(problem, e, true); });
}

/// The whole economy, in the panel's precision.
void expect_mutations_of_an_equilibrium_told(bool single) {
  Problem problem = small_problem();
  problem.single = single;
  if (single) problem.tolerance = 1e-4;  // rounding leaves the law that much
  const Equilibrium right = plain_equilibrium(problem);
  ASSERT_GT(right.outer_iterations, 5);

  Problem other_seed = problem;
  ++other_seed.seed;
  Problem less_patient = problem;
  less_patient.calibration.beta -= 1e-4;
  const Equilibrium of_other_seed = plain_equilibrium(other_seed);
  const Equilibrium of_less_patient = plain_equilibrium(less_patient);

  std::vector<Array> arrays = panel_arrays;
  arrays.push_back({"policy", &Equilibrium::policy});
  Mutations all = of_arrays(arrays);
  add(all, of_policy(problem));
  add(all, of_panel(problem, right.kind, static_cast<std::size_t>(problem.burn_in)));
  add(all, of_laws(problem));
  add(all, of_counts(problem));
  add(all, {{"a panel that begins with one agent moved",
             [&](Equilibrium& e, Dice& dice) -> Told {
               const std::size_t n = dice.below(e.first_wealth.size());
               e.first_wealth[n] += 100 * far_in_panel(problem, e.kind).wealth * e.K[0];
               return fmt::format("{}: {:.12g} for agent {}",
                                  "the panel does not begin with the first cross-section",
                                  e.first_wealth[n], n);
             }},
            {"an equilibrium of another case", [&](Equilibrium& e, Dice& dice) -> Told {
               const bool is_seed = dice.below(2) == 0;
               e = is_seed ? of_other_seed : of_less_patient;
               return is_seed ? "a regression on the path of K" : euler;
             }}});
  expect_mutations_told(problem, right, all, 12);
}

TEST(KrusellSmithCertificate, TellsMutationsOfAnEquilibriumInDouble) {
  expect_mutations_of_an_equilibrium_told(false);
}

TEST(KrusellSmithCertificate, TellsMutationsOfAnEquilibriumInSingle) {
  expect_mutations_of_an_equilibrium_told(true);
}

TEST(KrusellSmithCertificate, TellsMutationsOfAPolicyAlone) {
  for (const PolicyInterpolation kind :
       {PolicyInterpolation::spline, PolicyInterpolation::linear}) {
    Problem problem = small_problem();
    problem.stage = Stage::policy;
    problem.policy_interpolation = kind;
    Problem other = problem;
    other.calibration.gamma += 1e-3;
    const Equilibrium of_other = plain_equilibrium(other);
    Mutations all = of_policy(problem);
    add(all, of_arrays({{"policy", &Equilibrium::policy}}));
    add(all, {{"another law",
               [](Equilibrium& e, Dice& dice) -> Told {
                 *dice.one_of({&e.law.b0[bad], &e.law.b0[good], &e.law.b1[bad], &e.law.b1[good]}) +=
                     1e-9;
                 return "not solved under the stored law";
               }},
              {"the wrong count of iterations",
               [](Equilibrium& e, Dice& dice) -> Told {
                 e.policy_iterations = dice.one_of<std::int64_t>({0, -1});
                 return fmt::format("{} policy iterations", e.policy_iterations);
               }},
              {"no convergence",
               [](Equilibrium& e, Dice&) -> Told {
                 e.converged = false;
                 return "not converged";
               }},
              {"the policy of another case", [&](Equilibrium& e, Dice&) -> Told {
                 e.policy = of_other.policy;
                 return euler;
               }}});
    expect_mutations_told(problem, plain_equilibrium(problem), all);
  }
}

void expect_mutations_of_a_panel_told(PanelKind kind, bool single) {
  Problem problem = small_problem();
  problem.stage = Stage::panel;
  problem.single = single;
  problem.histogram_points = 150;
  problem.grids.K_max = 80;  // the texture units' agents grow rich on a coarse grid
  if (kind == PanelKind::hardware) problem.grids.n_k = 100;
  Problem other_seed = problem;
  ++other_seed.seed;
  const Equilibrium of_other_seed = plain_equilibrium(other_seed, kind);
  Mutations all = of_arrays(panel_arrays);
  add(all, of_panel(problem, kind, static_cast<std::size_t>(problem.T)));
  add(all, {{"a panel that begins with one agent moved",
             [=](Equilibrium& e, Dice& dice) -> Told {
               const std::size_t n = dice.below(e.first_wealth.size());
               double& k = e.first_wealth[n];
               k += dice.sign() * (single ? 1e-5 : 1e-12) * std::max(1.0, k);
               return name_of_agent(problem, kind, n);
             }},
            {"another policy",
             [](Equilibrium& e, Dice& dice) -> Told {
               const std::size_t at = dice.below(e.policy.size());
               e.policy[at] += dice.one_of({1e-9, no_number(dice)});
               return fmt::format("not simulated under the stored policy, from policy[{}] on", at);
             }},
            {"another law",
             [](Equilibrium& e, Dice& dice) -> Told {
               *dice.one_of({&e.law.b0[bad], &e.law.b0[good], &e.law.b1[bad], &e.law.b1[good]}) +=
                   1e-9;
               return "the law is not the stored one";
             }},
            {"the wrong count of iterations",
             [](Equilibrium& e, Dice& dice) -> Told {
               e.outer_iterations = dice.one_of({0, 2});
               return fmt::format("{} iterations", e.outer_iterations);
             }},
            {"the panel of another case", [&](Equilibrium& e, Dice&) -> Told {
               e = of_other_seed;
               return "simulated again";
             }}});
  expect_mutations_told(problem, plain_equilibrium(problem, kind), all);
}

TEST(KrusellSmithCertificate, TellsMutationsOfAPanelInDouble) {
  expect_mutations_of_a_panel_told(PanelKind::agents, false);
}

TEST(KrusellSmithCertificate, TellsMutationsOfAPanelInSingle) {
  expect_mutations_of_a_panel_told(PanelKind::agents, true);
}

TEST(KrusellSmithCertificate, TellsMutationsOfAPanelOfTheTextureUnits) {
  expect_mutations_of_a_panel_told(PanelKind::hardware, true);
}

TEST(KrusellSmithCertificate, TellsMutationsOfAHistogram) {
  expect_mutations_of_a_panel_told(PanelKind::histogram, false);
}

}  // namespace
}  // namespace macrobench::krusell_smith
