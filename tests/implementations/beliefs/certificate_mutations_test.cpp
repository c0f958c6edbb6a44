#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "implementations/beliefs/certificate.hpp"
#include "tests/implementations/beliefs/plain_equilibrium.hpp"
#include "tests/implementations/mutations.hpp"

namespace macrobench::beliefs {
namespace {

using Mutations = std::vector<Mutation<Equilibrium>>;

Mutations mutations_of(const Problem& problem, const Equilibrium& right) {
  constexpr double ten_tolerances = 1e-9;
  const Calibration c = problem.calibration;
  const std::size_t periods = right.wealth.size();
  const std::size_t samples = right.sampled.size();
  return {
      {"sums off by ten tolerances",
       [=](Equilibrium& e, Dice& dice) {
         const std::size_t t = dice.below(periods);
         (dice.below(2) == 0 ? e.wealth : e.spending)[t] *= 1 + dice.sign() * ten_tolerances;
         return fmt::format("the sums of period {} are", t);
       }},
      {"sums of another period",
       [=](Equilibrium& e, Dice& dice) {
         const std::size_t t = dice.below(periods - 1);
         std::vector<double>& sums = dice.below(2) == 0 ? e.wealth : e.spending;
         std::swap(sums[t], sums[t + 1]);
         return std::string("the sums of period");
       }},
      {"consumption off by ten tolerances",
       [=](Equilibrium& e, Dice& dice) {
         const std::size_t i = dice.below(samples);
         auto& [c1, c2] = e.sampled[i];
         const double by = dice.sign() * 10 * ten_tolerances;
         if (dice.below(2) == 0) {
           (dice.below(2) == 0 ? c1 : c2) *= 1 + by;
         } else {  // along the resource constraint
           c1 += c.mu_2 * by * std::min(c1, c2);
           c2 -= c.mu_1 * by * std::min(c1, c2);
         }
         return fmt::format("at sampled history {}", i);
       }},
      {"consumption of another history",
       [=](Equilibrium& e, Dice& dice) {
         const std::size_t i = dice.below(samples);
         e.sampled[i] = e.sampled[(i + 1 + dice.below(samples - 1)) % samples];
         if (e.sampled[i].c1 == right.sampled[i].c1) return std::optional<std::string>();
         return std::optional(fmt::format("at sampled history {}", i));
       }},
      {"consumption at s_0 off by ten tolerances",
       [=](Equilibrium& e, Dice& dice) {
         const double by = dice.sign() * ten_tolerances;
         switch (dice.below(3)) {
           case 0:
             e.at_s0.c1 *= 1 + by;
             return std::string("at s_0");
           case 1:
             e.at_s0.c2 *= 1 + 10 * by;
             return std::string("at s_0");
           default:  // along the resource constraint
             e.at_s0.c1 += c.mu_2 * 10 * by;
             e.at_s0.c2 -= c.mu_1 * 10 * by;
             return std::string("by");
         }
       }},
      {"no number",
       [=](Equilibrium& e, Dice& dice) {
         const double none = no_number(dice);
         const std::size_t t = dice.below(periods);
         const std::size_t i = dice.below(samples);
         switch (dice.below(5)) {
           case 0:
             e.wealth[t] = none;
             return fmt::format("wealth[{}] is", t);
           case 1:
             e.spending[t] = none;
             return fmt::format("spending[{}] is", t);
           case 2:
             e.sampled[i].c1 = none;
             return fmt::format("sampled[{}] is", i);
           case 3:
             e.sampled[i].c2 = none;
             return fmt::format("sampled[{}] is", i);
           default:
             (dice.below(2) == 0 ? e.at_s0.c1 : e.at_s0.c2) = none;
             return std::string("at_s0 is");
         }
       }},
      {"a truncated array",
       [=](Equilibrium& e, Dice& dice) {
         switch (dice.below(3)) {
           case 0:
             e.wealth.resize(dice.below(periods));
             return std::string("wealth has");
           case 1:
             e.spending.resize(dice.below(periods));
             return std::string("spending has");
           default:
             e.sampled.resize(dice.below(samples));
             return std::string("sampled has");
         }
       }},
      {"the wrong counts",
       [=](Equilibrium& e, Dice& dice) {
         switch (dice.below(3)) {
           case 0:
             e.passes = dice.one_of({0, -1, problem.pass_cap + 1});
             return fmt::format("{} passes", e.passes);
           case 1:
             e.nodes += dice.one_of<std::int64_t>({-1, 1, -e.nodes});
             return fmt::format("{} equations", e.nodes);
           default:
             e.newton_iterations = -1;
             return std::string("-1 Newton steps");
         }
       }},
      {"a budget that is not met",
       [=](Equilibrium& e, Dice&) {
         Problem rough = problem;
         rough.broyden_tolerance = 1e-3;
         e = plain_equilibrium(rough);
         return std::string("type 2's budget is off by");
       }},
      {"a solution of another case",
       [=](Equilibrium& e, Dice& dice) {
         Problem other = problem;
         Calibration& d = other.calibration;
         *dice.one_of({&d.gamma_1, &d.gamma_2, &d.beta_1, &d.beta_2, &d.alpha_h, &d.alpha_l,
                       &d.pi_hh, &d.pi_ll, &d.believed_pi_hh, &d.believed_pi_ll, &d.C0}) *= 0.999;
         e = plain_equilibrium(other);
         return std::string(" by ");
       }},
  };
}

TEST(BeliefsCertificate, TellsMutationsOfAnEquilibrium) {
  for (const bool starts_low : {false, true}) {
    Problem problem;
    problem.T = 12;
    problem.calibration.gamma_2 = 3;
    problem.calibration.starts_low = starts_low;
    const Equilibrium right = plain_equilibrium(problem);
    expect_all_told(right, mutations_of(problem, right), 60,
                    [&](const Equilibrium& e) { return judge(problem, e, true); });
  }
}

}  // namespace
}  // namespace macrobench::beliefs
