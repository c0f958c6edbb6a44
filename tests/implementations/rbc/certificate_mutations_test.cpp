#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "implementations/rbc/bellman.hpp"
#include "implementations/rbc/certificate.hpp"
#include "tests/implementations/mutations.hpp"

namespace macrobench::rbc {
namespace {

template <class Real>
Solution<Real> as_precise_as(const Solution<double>& from) {
  Solution<Real> solution;
  solution.V.assign(from.V.begin(), from.V.end());
  solution.policy = from.policy;
  solution.iterations = from.iterations;
  solution.difference = from.difference;
  solution.converged = from.converged;
  return solution;
}

std::string place(const Problem& problem, std::size_t state) {
  const auto nk = static_cast<std::size_t>(problem.nk);
  return fmt::format("K[{}], Z[{}]", state % nk, state / nk);
}

template <class Real>
std::vector<Mutation<Solution<Real>>> mutations_of(const Problem& problem, double allowed) {
  using S = Solution<Real>;
  const auto nk = static_cast<std::size_t>(problem.nk);
  // In double, of the solution that is spoilt: what a choice costs.
  const auto loss = [problem](const S& solution, std::size_t state, std::int32_t choice) {
    Bellman bellman(problem);
    bellman.set_value({solution.V.begin(), solution.V.end()});
    const auto i = static_cast<int>(state) % problem.nk;
    const auto j = static_cast<int>(state) / problem.nk;
    return bellman.maximise(i, j, choice).value - bellman.value(i, j, choice);
  };
  return {
      {"a value off by ten tolerances",
       [=](S& s, Dice& dice) {
         // What |V - TV| allows, V may be off by over 1 - beta. The largest residual may be at a
         // state from which one goes to this one.
         const std::size_t at = dice.below(s.V.size());
         const double tolerance = allowed / (1 - problem.calibration.beta);
         s.V[at] += static_cast<Real>(dice.sign() * 10 * tolerance);
         return std::string("residual");
       }},
      {"a policy off by one node",
       [=](S& s, Dice& dice) -> std::optional<std::string> {
         const std::size_t at = dice.below(s.policy.size());
         s.policy[at] += dice.sign() > 0 ? 1 : -1;
         const Bellman bellman(problem);
         const auto i = static_cast<int>(at) % problem.nk;
         const auto j = static_cast<int>(at) / problem.nk;
         if (s.policy[at] >= 0 && s.policy[at] <= bellman.last_feasible(i, j) &&
             loss(s, at, s.policy[at]) <= 2 * allowed) {
           return std::nullopt;
         }
         return "the policy at " + place(problem, at);
       }},
      {"a policy that is not feasible",
       [=](S& s, Dice& dice) {
         const std::size_t at = dice.below(s.policy.size());
         s.policy[at] = dice.one_of({-1, 1 << 30, -(1 << 30)});
         return "the policy at " + place(problem, at);
       }},
      {"V of another productivity",
       [=](S& s, Dice& dice) {
         const std::size_t j = dice.below(static_cast<std::size_t>(problem.nz));
         const std::size_t other = (j + 1 + dice.below(static_cast<std::size_t>(problem.nz) - 1)) %
                                   static_cast<std::size_t>(problem.nz);
         std::copy_n(s.V.begin() + static_cast<std::ptrdiff_t>(other * nk), nk,
                     s.V.begin() + static_cast<std::ptrdiff_t>(j * nk));
         return std::string("residual");
       }},
      {"V one node on",
       [=](S& s, Dice& dice) {
         const std::size_t at = dice.below(s.V.size() - 1);
         std::swap(s.V[at], s.V[at + 1]);
         return std::string("residual");
       }},
      {"no number in V",
       [=](S& s, Dice& dice) {
         const std::size_t at = dice.below(s.V.size());
         s.V[at] = no_number<Real>(dice);
         return "at " + place(problem, at);
       }},
      {"a truncated array",
       [](S& s, Dice& dice) {
         const bool of_V = dice.below(2) == 0;
         if (of_V) {
           s.V.resize(dice.below(s.V.size()));
         } else {
           s.policy.resize(dice.below(s.policy.size()));
         }
         return std::string(of_V ? "V has" : "policy has");
       }},
      {"the wrong iteration count",
       [=](S& s, Dice& dice) {
         s.iterations = dice.one_of({0, -1, problem.iteration_cap + 1});
         return fmt::format("{} iterations", s.iterations);
       }},
      {"a solution of another case",
       [=](S& s, Dice& dice) {
         Problem other = problem;
         Calibration& c = other.calibration;
         double& parameter =
             *dice.one_of({&c.beta, &c.gamma, &c.alpha, &c.delta, &c.rho, &c.sigma});
         parameter *= 1 - 1e-3;
         s = as_precise_as<Real>(reference_solution(other));
         return std::string("at K[");
       }},
  };
}

template <class Real>
void expect_mutations_told(const Problem& problem, int trials) {
  const Solution<Real> right = as_precise_as<Real>(reference_solution(problem));
  const Outcome outcome = judge(problem, right, true);
  expect_all_told(right, mutations_of<Real>(problem, outcome.allowed), trials,
                  [&](const Solution<Real>& s) { return judge(problem, s, true); });
}

Problem small(Maximizer maximizer) {
  Problem problem;
  problem.nk = 48;
  problem.maximizer = maximizer;
  problem.future_points = 40;
  return problem;
}

TEST(RbcCertificate, TellsMutationsOfASolutionInDouble) {
  for (const Maximizer maximizer :
       {Maximizer::bisection, Maximizer::grid_howard, Maximizer::interpolated}) {
    expect_mutations_told<double>(small(maximizer), 24);
  }
}

TEST(RbcCertificate, TellsMutationsOfASolutionInSingle) {
  for (const Maximizer maximizer : {Maximizer::bisection, Maximizer::interpolated}) {
    Problem problem = small(maximizer);
    // Far enough apart for a node to matter in single precision.
    problem.calibration.grid_low = 0.5;
    problem.calibration.grid_high = 2;
    problem.tolerance = 1e-6;
    expect_mutations_told<float>(problem, 24);
  }
}

}  // namespace
}  // namespace macrobench::rbc
