#include <limits>
#include <string>

#include "harness/model/registry.hpp"
#include "implementations/newton/certificate.hpp"
#include "tests/matchers.hpp"

namespace macrobench::newton {
namespace {

/// The closed form, rounded to Real.
template <class Real>
Solution<Real> right_solution(const Problem& problem) {
  Solution<Real> solution;
  for (int i = 0; i < problem.n; ++i) {
    const double a = problem.a_low + i * problem.spacing();
    solution.argmax.push_back(static_cast<Real>(-problem.b / (2 * a)));
    solution.steps.push_back(2);
  }
  return solution;
}

TEST(NewtonCertificate, AcceptsTheClosedForm) {
  const Problem problem;
  const Outcome outcome = judge(problem, right_solution<double>(problem), false);
  EXPECT_TRUE(outcome.valid) << outcome.why;
  EXPECT_EQ(outcome.iterations, 2);
  EXPECT_LE(outcome.residual, 1e-14);
  EXPECT_TRUE(judge(problem, right_solution<float>(problem), false).valid);
}

TEST(NewtonCertificate, SeesOneAnswerThatIsOff) {
  const Problem problem;
  for (const std::size_t i : {0U, 500U, 999U}) {
    // What the tolerance of the iteration would let pass, rounding does not explain.
    Solution<double> solution = right_solution<double>(problem);
    solution.argmax[i] += 1e-11;
    const Outcome outcome = judge(problem, solution, false);
    EXPECT_FALSE(outcome.valid);
    EXPECT_GT(outcome.residual, outcome.allowed);
    EXPECT_THAT(outcome.why, HasSubstr("a[" + std::to_string(i) + "]"));

    Solution<float> single = right_solution<float>(problem);
    single.argmax[i] += 1e-3F;
    EXPECT_FALSE(judge(problem, single, false).valid);
  }
}

TEST(NewtonCertificate, SeesTheSpacingOfOneCoefficientMore) {
  const Problem problem;
  Problem denser = problem;
  denser.a_high += denser.spacing() / problem.n;  // as if the range were divided by n, not n - 1
  EXPECT_FALSE(judge(problem, right_solution<double>(denser), false).valid);
}

TEST(NewtonCertificate, SeesWhatWasNeverWritten) {
  const Problem problem;
  for (const double unwritten :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 0.0}) {
    Solution<double> solution = right_solution<double>(problem);
    solution.argmax[7] = unwritten;
    solution.steps[7] = 0;
    const Outcome outcome = judge(problem, solution, false);
    EXPECT_FALSE(outcome.valid);
    EXPECT_THAT(outcome.why, HasSubstr("at a[7]"));
  }
}

TEST(NewtonCertificate, SeesTheWrongSize) {
  const Problem problem;
  Solution<double> solution = right_solution<double>(problem);
  solution.argmax.pop_back();
  EXPECT_THAT(judge(problem, solution, false).why, HasSubstr("wrong size"));
}

TEST(NewtonStep, StopsByTheDifferenceAndNotByTheGradient) {
  Problem problem;
  problem.x0 = 2.3 / 1.8;  // on the maximum of a = -0.9: one step is enough to notice
  EXPECT_EQ(MaxPoly<double>(problem)(-0.9).steps, 1);
  EXPECT_EQ(MaxPoly<double>(problem)(-0.5).steps, 2);
}

std::string refusal(const Parameters& given) {
  return complaint_of([&] { return Registry::global().make_case("newton/serial", given, 1); });
}

TEST(NewtonInput, IsRefusedByTheAxissName) {
  EXPECT_THAT(refusal({{"n", 0}}), HasSubstr("n = 0"));
  EXPECT_THAT(refusal({{"n", std::int64_t{1} << 29}}), HasSubstr("n = 536870912"));
  EXPECT_THAT(refusal({{"a_high", 0.0}}), HasSubstr("a_high = 0"));
  EXPECT_THAT(refusal({{"a_high", 0.1}}), HasSubstr("a_high = 0.1"));
  EXPECT_THAT(refusal({{"a_low", 0.5}}), HasSubstr("a_low = 0.5"));
  EXPECT_THAT(refusal({{"a_low", -0.1}, {"a_high", -0.9}}), HasSubstr("a_low must be the lower"));
  EXPECT_THAT(refusal({{"tolerance", 0.0}}), HasSubstr("tolerance = 0"));
  EXPECT_THAT(refusal({{"iteration_cap", 256}}), HasSubstr("iteration_cap = 256"));
  EXPECT_THAT(refusal({{"threads", 2}}), HasSubstr("no parameter 'threads'"));
  EXPECT_EQ(refusal({{"n", 1}}), "");
}

TEST(NewtonFigure3, HasNineParabolasWhoseMaximaAreInSight) {
  const Model& model = Registry::global().model("newton");
  ASSERT_EQ(model.figures.size(), 1U);
  EXPECT_EQ(model.figures[0].name, "aldrich_2014/figure_3");
  const Curves curves = model.figures[0].curves(complete(model.axes, {}, 1));
  ASSERT_EQ(curves.columns.size(), 10U);
  EXPECT_EQ(curves.columns.front(), "x");
  EXPECT_EQ(curves.columns[1], "a=-0.9");
  EXPECT_EQ(curves.columns[5], "a=-0.5");
  EXPECT_EQ(curves.columns.back(), "a=-0.1");
  EXPECT_LT(curves.rows.front()[0], 2.3 / 1.8);
  EXPECT_GT(curves.rows.back()[0], 11.5);
  for (const std::vector<double>& row : curves.rows) {
    ASSERT_EQ(row.size(), 10U);
    EXPECT_NEAR(row[5], -0.5 * row[0] * row[0] + 2.3 * row[0] + 5.4, 1e-11);
  }
  // -0.1 x^2 + 2.3 x + 5.4 is 0 at both ends, and 18.625 at its highest point in the middle.
  EXPECT_NEAR(curves.rows.front()[9], 0, 1e-12);
  EXPECT_NEAR(curves.rows.back()[9], 0, 1e-12);
  EXPECT_NEAR(curves.rows[100][9], 18.625, 1e-12);
}

}  // namespace
}  // namespace macrobench::newton
