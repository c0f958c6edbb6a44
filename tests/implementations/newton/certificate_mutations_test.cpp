#include <fmt/format.h>
#include <gtest/gtest.h>

#include <utility>

#include "implementations/newton/certificate.hpp"
#include "tests/implementations/mutations.hpp"

namespace macrobench::newton {
namespace {

template <class Real>
Solution<Real> solved(const Problem& problem) {
  const MaxPoly<Real> maximum(problem);
  Solution<Real> solution;
  for (int i = 0; i < problem.n; ++i) {
    const auto [x, steps] = maximum(static_cast<Real>(problem.a_low + i * problem.spacing()));
    solution.argmax.push_back(x);
    solution.steps.push_back(steps);
  }
  return solution;
}

template <class Real>
void expect_mutations_told(const Problem& problem) {
  using S = Solution<Real>;
  const auto n = static_cast<std::size_t>(problem.n);
  const std::vector<Mutation<S>> mutations = {
      {"a value off by ten tolerances",
       [&](S& s, Dice& dice) {
         const std::size_t i = dice.below(n);
         const double a = problem.a_low + static_cast<double>(i) * problem.spacing();
         const double x = std::abs(problem.b / (2 * a));
         const double allowed = 4 * static_cast<double>(std::numeric_limits<Real>::epsilon()) *
                                (std::abs(problem.x0) + x + x * problem.a_low / a);
         s.argmax[i] += static_cast<Real>(dice.sign() * 10 * allowed);
         return fmt::format("a[{}]", i);
       }},
      {"the maximum of the next coefficient",
       [&](S& s, Dice& dice) {
         const std::size_t i = dice.below(n - 1);
         s.argmax[i] = s.argmax[i + 1];
         return fmt::format("a[{}]", i);
       }},
      {"no number",
       [&](S& s, Dice& dice) {
         const std::size_t i = dice.below(n);
         s.argmax[i] = no_number<Real>(dice);
         return fmt::format("a[{}]", i);
       }},
      {"the wrong count of steps",
       [&](S& s, Dice& dice) {
         const std::size_t i = dice.below(n);
         s.steps[i] = dice.one_of<std::uint8_t>({0, 1, 255});
         return fmt::format("a[{}]", i);
       }},
      {"a truncated array",
       [&](S& s, Dice& dice) {
         if (dice.below(2) == 0) {
           s.argmax.resize(dice.below(n));
           return std::string("argmax has");
         }
         s.steps.resize(dice.below(n));
         return std::string("steps has");
       }},
      {"a solution of another case",
       [&](S& s, Dice& dice) {
         Problem other = problem;
         *dice.one_of({&other.b, &other.a_low, &other.a_high}) *= 1.001;
         s = solved<Real>(other);
         return std::string("a[");
       }},
  };
  expect_all_told(solved<Real>(problem), mutations, 100,
                  [&](const S& s) { return judge(problem, s, false); });
}

TEST(NewtonCertificate, TellsMutationsOfASolution) {
  Problem problem;
  problem.n = 317;
  problem.tolerance = 1e-3;  // above what rounding leaves in single precision
  expect_mutations_told<double>(problem);
  expect_mutations_told<float>(problem);
  problem.b = -4;
  problem.x0 = -30;
  expect_mutations_told<double>(problem);
}

TEST(NewtonCertificate, AllowsTheStepsThatRoundingAsksFor) {
  Problem problem;
  problem.tolerance = 1e-9;  // below what rounding leaves in single precision
  EXPECT_TRUE(judge(problem, solved<double>(problem), false).valid);
  Solution<float> single = solved<float>(problem);
  for (std::size_t i = 0; i < single.steps.size(); ++i) {
    if (std::isnan(single.argmax[i])) {  // it never stood still
      single.argmax[i] = static_cast<float>(
          -problem.b / (2 * (problem.a_low + static_cast<double>(i) * problem.spacing())));
    }
  }
  EXPECT_TRUE(judge(problem, single, false).valid);
  problem.x0 = 1.3;
  problem.tolerance = 1;  // some begin within the tolerance, and take one step
  EXPECT_TRUE(judge(problem, solved<double>(problem), false).valid);
  EXPECT_TRUE(judge(problem, solved<float>(problem), false).valid);
}

}  // namespace
}  // namespace macrobench::newton
