#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "implementations/roofline/certificate.hpp"
#include "tests/certificates/mutants.hpp"

namespace macrobench::roofline {
namespace {

/// Step by step, as no certificate does it.
template <class Real>
Solution<Real> solution_of(const Problem& problem) {
  Solution<Real> solution;
  for (std::size_t i = 0; i < problem.numbers(); ++i) {
    if (problem.ceiling == Ceiling::copy) {
      std::size_t from = i;
      for (int pass = 0; pass < problem.passes; ++pass) from = (from + stride) % problem.numbers();
      solution.numbers.push_back(copied_number<Real>(from));
      continue;
    }
    long double x = first_number<Real>(i);
    for (int step = 0; step < steps_a_pass * problem.passes; ++step) x = x - (x - 1) / 1024;
    solution.numbers.push_back(static_cast<Real>(x));
  }
  return solution;
}

template <class Real>
void see_refused_of(const std::string& name, const Problem& problem, Mutants& mutants) {
  using S = Solution<Real>;
  const S right = solution_of<Real>(problem);
  const auto place = [](std::size_t i) { return fmt::format("number {} is", i); };
  std::vector<Refused<S>> all;
  add_spoiled(all, "numbers", &S::numbers, problem.numbers(), place);
  const Real off = 20'000 * std::numeric_limits<Real>::epsilon();
  for (const std::size_t i : places_of(problem.numbers())) {
    const Real x = right.numbers[i];
    const bool is_copied = problem.ceiling == Ceiling::copy;
    for (const Real wrong : {is_copied ? std::nextafter(x, x + 1) : x + x * off,
                             is_copied ? std::nextafter(x, x - 1) : x - x * off}) {
      all.push_back({"one number off", [=](S& s) { s.numbers[i] = wrong; }, place(i)});
    }
    const std::size_t first = std::min(i, problem.numbers() - 500);
    all.push_back({"two numbers swapped",
                   [=](S& s) { std::swap(s.numbers[first], s.numbers[first + 499]); },
                   place(first)});
  }
  for (const int passes : {-1, 1, 2}) {
    Problem other = problem;
    other.passes += passes;
    all.push_back({fmt::format("{} passes", other.passes),
                   [=](S& s) { s = solution_of<Real>(other); }, place(0)});
  }
  EXPECT_EQ(judge(problem, right, false).checked_states, problem.n);
  mutants.see_refused(name, right, all, [&](const S& s) { return judge(problem, s, false); });
}

TEST(Mutants, OfRoofline) {
  Mutants mutants("roofline");
  for (const Ceiling ceiling : {Ceiling::copy, Ceiling::multiply_add}) {
    const Problem problem{.ceiling = ceiling, .n = 5 * stride, .passes = 4};
    see_refused_of<double>("double", problem, mutants);
    see_refused_of<float>("single", problem, mutants);
  }
  expect_in_evidence(mutants.row());
}

}  // namespace
}  // namespace macrobench::roofline
