#include <fmt/format.h>
#include <gtest/gtest.h>

#include <utility>

#include "implementations/roofline/certificate.hpp"
#include "tests/implementations/mutations.hpp"

namespace macrobench::roofline {
namespace {

template <class Real>
Solution<Real> solved(const Problem& problem) {
  Solution<Real> solution;
  for (std::size_t i = 0; i < problem.numbers(); ++i) {
    if (problem.ceiling == Ceiling::copy) {
      const auto moved = static_cast<std::size_t>(problem.passes) * stride;
      solution.numbers.push_back(copied_number<Real>((i + moved) % problem.numbers()));
      continue;
    }
    Real x = first_number<Real>(i);
    for (int step = 0; step < steps_a_pass * problem.passes; ++step) {
      x = static_cast<Real>(slope) * x + static_cast<Real>(intercept);
    }
    solution.numbers.push_back(x);
  }
  return solution;
}

template <class Real>
void expect_mutations_told(const Problem& problem) {
  using S = Solution<Real>;
  const double allowed = problem.ceiling == Ceiling::copy
                             ? 0.1
                             : 2048 * static_cast<double>(std::numeric_limits<Real>::epsilon());
  const std::vector<Mutation<S>> mutations = {
      {"a value off by ten tolerances",
       [&](S& s, Dice& dice) {
         const std::size_t i = dice.below(s.numbers.size());
         s.numbers[i] += static_cast<Real>(dice.sign() * 10 * allowed *
                                           (allowed < 0.1 ? static_cast<double>(s.numbers[i]) : 1));
         return fmt::format("number {} is", i);
       }},
      {"two numbers swapped",
       [](S& s, Dice& dice) {
         const std::size_t i = dice.below(s.numbers.size() - 500);
         std::swap(s.numbers[i], s.numbers[i + 1 + dice.below(499)]);
         return fmt::format("number {} is", i);
       }},
      {"no number",
       [](S& s, Dice& dice) {
         const std::size_t i = dice.below(s.numbers.size());
         s.numbers[i] = no_number<Real>(dice);
         return fmt::format("number {} is", i);
       }},
      {"a truncated array",
       [](S& s, Dice& dice) {
         s.numbers.resize(dice.below(s.numbers.size()));
         return fmt::format("{} numbers", s.numbers.size());
       }},
      {"the wrong count of passes",
       [&](S& s, Dice& dice) {
         Problem other = problem;
         other.passes += dice.one_of({-1, 1, 2});
         s = solved<Real>(other);
         return std::string("number 0 is");
       }},
  };
  expect_all_told(solved<Real>(problem), mutations, 60,
                  [&](const S& s) { return judge(problem, s, false); });
}

TEST(RooflineCertificate, TellsMutationsOfASolution) {
  for (const Ceiling ceiling : {Ceiling::copy, Ceiling::multiply_add}) {
    const Problem problem{.ceiling = ceiling, .n = 5 * stride, .passes = 4};
    expect_mutations_told<double>(problem);
    expect_mutations_told<float>(problem);
  }
}

}  // namespace
}  // namespace macrobench::roofline
