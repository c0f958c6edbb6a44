#include "implementations/newton/certificate.hpp"

#include <fmt/format.h>

#include <limits>
#include <type_traits>

#include "tests/matchers.hpp"

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

/// Odd cases, some of which no program solves well.
std::vector<Problem> odd_cases() {
  std::vector<Problem> cases(13);
  cases[1].x0 = 1e17;
  cases[2].x0 = 1e8;
  cases[3].x0 = -1e100;
  cases[4].b = 1e-20;
  cases[5].b = 1e-40;
  cases[6].b = -1e-40;
  cases[6].tolerance = 1e-35;
  cases[7].b = 1e-9;
  cases[7].x0 = 0.9;
  cases[7].tolerance = 1;
  cases[8].a_low = -1e15;
  cases[9].a_low = -1e6;
  cases[10].b = 1e10;
  cases[11].b = 1e-310;
  cases[12].b = 1e-20;
  cases[12].tolerance = 1e-16;
  for (Problem& problem : cases) problem.n = 101;
  return cases;
}

template <class Real>
void expect_wrong_answers_refused(Problem problem) {
  problem.single = std::is_same_v<Real, float>;
  const double smallest = std::abs(problem.b / (2 * problem.a_low));
  for (const int steps : {1, 2, 3, 100}) {
    for (const double x : {0.0, problem.x0, 1e-6, 1e-16, 3 * smallest}) {
      Solution<Real> wrong;
      wrong.argmax.assign(static_cast<std::size_t>(problem.n), static_cast<Real>(x));
      wrong.steps.assign(wrong.argmax.size(), static_cast<std::uint8_t>(steps));
      EXPECT_FALSE(judge(problem, wrong, true).valid)
          << fmt::format("all {} after {} steps: x0 {} b {} a_low {}", x, steps, problem.x0,
                         problem.b, problem.a_low);
    }
  }
}

TEST(NewtonCertificate, RefusesWrongAnswersWhateverTheStartAndTheUnits) {
  for (const Problem& problem : odd_cases()) {
    expect_wrong_answers_refused<double>(problem);
    expect_wrong_answers_refused<float>(problem);
  }
}

/// Expects that the program's answers are valid, or invalid because they are off, and that a
/// refusal names an option.
template <class Real>
void expect_right_or_named(Problem problem) {
  problem.single = std::is_same_v<Real, float>;
  const Solution<Real> solution = solved<Real>(problem);
  double worst = 0;
  for (int i = 0; i < problem.n; ++i) {
    const double share = static_cast<double>(i) / (problem.n - 1);
    const double x = -problem.b / (2 * ((1 - share) * problem.a_low + share * problem.a_high));
    const auto found = static_cast<double>(solution.argmax[static_cast<std::size_t>(i)]);
    const double error = std::abs(found / x - 1);
    worst = std::isnan(error) ? std::numeric_limits<double>::infinity() : std::max(worst, error);
  }
  const Outcome outcome = judge(problem, solution, true);
  const double most = problem.single ? 1e-2 : 1e-6;
  EXPECT_EQ(outcome.valid, worst <= most)
      << outcome.why
      << fmt::format("x0 {} b {} a_low {}: {}", problem.x0, problem.b, problem.a_low, worst);
  EXPECT_THAT(outcome.why, outcome.valid ? HasSubstr("") : HasSubstr(": --"));
}

TEST(NewtonCertificate, NamesTheOptionThatWouldDoWhereRoundingSpoilsTheAnswer) {
  for (const Problem& problem : odd_cases()) {
    expect_right_or_named<double>(problem);
    expect_right_or_named<float>(problem);
  }

  Problem problem;
  problem.b = 1e-40;
  const Outcome refused = judge(problem, solved<double>(problem), true);
  EXPECT_FALSE(refused.valid);
  EXPECT_THAT(refused.why, HasSubstr("--tolerance 2e-32, or --x0 nearer to"));
  problem.tolerance = 2e-32;
  EXPECT_TRUE(judge(problem, solved<double>(problem), true).valid);
  problem.tolerance = Problem{}.tolerance;
  problem.x0 = 1e-40;
  EXPECT_TRUE(judge(problem, solved<double>(problem), true).valid);
}

TEST(NewtonCertificate, SeesAWhereTheSpacingLosesItsDigits) {
  Problem problem;
  problem.a_low = -1e15;
  const Outcome outcome = judge(problem, solved<double>(problem), true);
  EXPECT_FALSE(outcome.valid);
  EXPECT_THAT(outcome.why, HasSubstr("--a_low nearer to -0.1"));
}

TEST(NewtonCertificate, TellsNoNumberFromAMethodThatWasCutShort) {
  const Problem problem{.n = 2};
  Solution<double> solution = solved<double>(problem);
  solution.argmax[1] = std::numeric_limits<double>::quiet_NaN();
  const Outcome no_number = judge(problem, solution, true);
  EXPECT_TRUE(no_number.gave_up);
  EXPECT_THAT(no_number.why, StartsWith("not converged: no number after 2 steps at a[1]"));
  solution.steps[1] = static_cast<std::uint8_t>(problem.iteration_cap);
  const Outcome cut_short = judge(problem, solution, true);
  EXPECT_TRUE(cut_short.gave_up);
  EXPECT_THAT(cut_short.why, StartsWith("not converged within iteration_cap = 100 at a[1]"));
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
