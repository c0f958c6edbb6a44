#include "implementations/roofline/certificate.hpp"

#include <cmath>
#include <limits>

#include "harness/model/registry.hpp"
#include "tests/matchers.hpp"

namespace macrobench::roofline {
namespace {

Problem small(Ceiling ceiling, int passes = 3) {
  return {.ceiling = ceiling, .n = 4 * stride, .passes = passes};
}

/// Step by step, as no solver does it.
template <class Real>
Solution<Real> right_solution(const Problem& problem) {
  Solution<Real> solution;
  for (std::size_t i = 0; i < problem.numbers(); ++i) {
    if (problem.ceiling == Ceiling::copy) {
      std::size_t from = i;
      for (int pass = 0; pass < problem.passes; ++pass) from = (from + stride) % problem.numbers();
      solution.numbers.push_back(copied_number<Real>(from));
      continue;
    }
    long double x = first_number<Real>(i);
    for (int step = 0; step < steps_a_pass * problem.passes; ++step) {
      x = x - (x - 1) / 1024;
    }
    solution.numbers.push_back(static_cast<Real>(x));
  }
  return solution;
}

TEST(RooflineCertificate, AcceptsWhatIsRight) {
  for (const Ceiling ceiling : {Ceiling::copy, Ceiling::multiply_add}) {
    const Problem problem = small(ceiling);
    const Outcome outcome = judge(problem, right_solution<double>(problem), false);
    EXPECT_TRUE(outcome.valid) << outcome.why;
    EXPECT_EQ(outcome.checked_states, problem.n);
    EXPECT_TRUE(judge(problem, right_solution<float>(problem), false).valid);
  }
}

TEST(RooflineCertificate, SeesAPassThatWasLeftOut) {
  for (const Ceiling ceiling : {Ceiling::copy, Ceiling::multiply_add}) {
    const Problem asked = small(ceiling, 3);
    const Outcome outcome = judge(asked, right_solution<float>(small(ceiling, 2)), false);
    EXPECT_FALSE(outcome.valid);
    EXPECT_THAT(outcome.why, HasSubstr("number 0 is"));
  }
}

TEST(RooflineCertificate, SeesOneNumberThatIsOff) {
  const Problem copied = small(Ceiling::copy);
  Solution<double> solution = right_solution<double>(copied);
  solution.numbers[4097] = std::nextafter(solution.numbers[4097], 1e9);
  EXPECT_THAT(judge(copied, solution, false).why, HasSubstr("number 4097"));

  const Problem computed = small(Ceiling::multiply_add);
  Solution<double> other = right_solution<double>(computed);
  other.numbers.back() *= 1 + 1e-11;
  EXPECT_FALSE(judge(computed, other, false).valid);
  other.numbers.back() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(judge(computed, other, false).valid);
  other.numbers.pop_back();
  EXPECT_THAT(judge(computed, other, false).why, HasSubstr("size"));
}

TEST(RooflineModel, DeclaresWhatItMovesAndComputes) {
  const Registry& registry = Registry::global();
  const Parameters copied =
      registry.make_case("roofline/cpu", {{"n", 8192}, {"passes", 3}, {"real", "single"}}, 1)
          .parameters;
  const Floor copy = registry.model("roofline").floor_of("cpu", copied, {});
  EXPECT_EQ(copy.bytes, 2.0 * 4 * 8192 * 3);
  EXPECT_EQ(copy.stages, std::vector<std::string>{"copy"});
  const Parameters computed =
      registry
          .make_case("roofline/cpu", {{"n", 8192}, {"passes", 3}, {"ceiling", "multiply_add"}}, 1)
          .parameters;
  EXPECT_EQ(registry.model("roofline").floor_of("cpu", computed, {}).operations,
            2.0 * 64 * 3 * 8192);
}

TEST(RooflineModel, RefusesASizeThatIsNoMultiple) {
  EXPECT_THAT(
      complaint_of([&] { return Registry::global().make_case("roofline/cpu", {{"n", 5000}}, 1); }),
      HasSubstr("multiple of 4096; the next is 8192"));
}

}  // namespace
}  // namespace macrobench::roofline
