#include "implementations/lifecycle/certificate.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "harness/run/stage_clock.hpp"
#include "implementations/numerics/methods/drawn_places.hpp"
#include "tests/implementations/lifecycle/brute_force.hpp"
#include "tests/matchers.hpp"

namespace macrobench::lifecycle {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

template <class Real>
Solution<Real> as_solution(const std::vector<double>& V) {
  Solution<Real> solution;
  for (const double value : V) solution.V.push_back(static_cast<Real>(value));
  return solution;
}

TEST(ReferenceValues, AreThoseOfBruteForce) {
  for (const Parameters& economy : economies()) {
    for (const Recursion recursion : {Recursion::corrected, Recursion::as_published}) {
      Problem problem = problem_of(economy);
      problem.recursion = recursion;
      const std::vector<double> V = reference_values(problem);
      const std::vector<double> truth = brute_force(problem);
      ASSERT_EQ(V.size(), truth.size());
      for (std::size_t s = 0; s < V.size(); ++s) {
        ASSERT_NEAR(V[s], truth[s], 1e-12 * std::max(1.0, std::abs(truth[s]))) << s;
      }
      const Outcome outcome = judge(problem, as_solution<double>(truth), true);
      EXPECT_TRUE(outcome.valid) << outcome.why;
    }
  }
}

/// A solution that is right, to be spoilt.
class SpoiltSolution : public ::testing::Test {
 protected:
  static Problem small() {
    Problem problem;
    problem.nx = 40;
    problem.ne = 4;
    problem.T = 6;
    return problem;
  }

  template <class Real = double, class Spoil>  // spoil(std::vector<Real>&)
  [[nodiscard]] Outcome judged(Spoil spoil) const {
    Solution<Real> solution = as_solution<Real>(right_);
    spoil(solution.V);
    return judge(problem_, solution, thorough_);
  }

  /// One of so many states that a sample of them is checked.
  void take_a_large_problem() {
    problem_ = Problem{.calibration = {}, .nx = 65'536, .ne = 2, .T = 3};
    right_ = reference_values(problem_);
  }

  Problem problem_ = small();
  std::vector<double> right_ = reference_values(problem_);
  bool thorough_ = false;
};

TEST_F(SpoiltSolution, AcceptsWhatIsRight) {
  const Outcome outcome = judged([](auto&) {});
  EXPECT_TRUE(outcome.valid) << outcome.why;
  EXPECT_TRUE(outcome.exhaustive);
  EXPECT_EQ(outcome.checked_states, 40 * 4 * 6);
  EXPECT_EQ(outcome.iterations, 6);
  EXPECT_EQ(outcome.figures.at("states"), 160);
  for (int ie = 0; ie < 3; ++ie) {
    EXPECT_EQ(outcome.figures.at(fmt::format("V_1_{}", ie + 1)),
              right_[static_cast<std::size_t>(40 * ie)]);
  }
  EXPECT_EQ(outcome.figures.count("V_1_4"), 0U);
}

TEST_F(SpoiltSolution, IsSeenWhereOnlySomeStatesAreSolved) {
  // A program that knew the sample could solve no other states.
  take_a_large_problem();
  EXPECT_TRUE(judged([](auto&) {}).valid);
  EXPECT_FALSE(judged([](auto&) {}).exhaustive);
  const Outcome outcome = judged([](std::vector<double>& V) {
    for (std::size_t s = 0; s < V.size(); s += 16) {
      for (std::size_t other = s + 1; other < std::min(s + 16, V.size()); ++other) V[other] = V[s];
    }
  });
  EXPECT_THAT(outcome.why, HasSubstr("where the best choice gives"));
}

TEST_F(SpoiltSolution, IsSeenAtAStateThatNobodyLooksAt) {
  take_a_large_problem();
  for (const double outlier : {-1e300, -1e3, 1e300}) {
    const Outcome outcome = judged([&](std::vector<double>& V) { V[777] = outlier; });
    // The sample may have this state too.
    EXPECT_THAT(outcome.why, StartsWith("V is ")) << outlier;
    EXPECT_THAT(outcome.why, HasSubstr("at age 1, x[777], e[0], where ")) << outlier;
  }
}

TEST_F(SpoiltSolution, IsBelievedByNobodyWhereRoundingIsMoreThanAChoice) {
  problem_.calibration.sigma = 1.00000000000001;
  right_ = reference_values(problem_);
  EXPECT_THAT(judged([](auto&) {}).why, StartsWith("ill-conditioned: rounding alone is worth"));
}

TEST_F(SpoiltSolution, HoldsSinglePrecisionToItsOwnRounding) {
  // Each age from the rounded values of the next, as a solver in single precision has them.
  Problem one_age = problem_;
  one_age.T = 1;
  const std::vector<double> V = reference_values(one_age);
  EXPECT_TRUE(judge(one_age, as_solution<float>(V), true).valid);
  Solution<float> spoilt = as_solution<float>(V);
  spoilt.V[17] *= 1 + 1e-5F;
  EXPECT_THAT(judge(one_age, spoilt, true).why, HasSubstr("at age 1, x[17], e[0]"));
}

TEST_F(SpoiltSolution, TellsAChoiceBeyondReach) {
  // Consumption below 0 makes -1/c a large number.
  const Calibration& c = problem_.calibration;
  problem_.calibration.xmax = 20;
  right_ = reference_values(problem_);
  const Grids<float> grids = make_grids<float>(problem_);
  std::size_t beyond = 0;
  while (double{grids.x[beyond]} < resources(grids.x[0], grids.e[0], c.r, c.w)) ++beyond;
  const double spent = resources(grids.x[0], grids.e[0], c.r, c.w) - double{grids.x[beyond]};
  ASSERT_LE(spent, 0);
  EXPECT_FALSE(judged([&](auto& V) { V[0] = -1 / spent + c.beta * V[160 + beyond]; }).valid);
  EXPECT_FALSE(judged([](auto& V) { V[0] = -infinity; }).valid);
  EXPECT_FALSE(judged([](auto& V) { V[0] = infinity; }).valid);
  EXPECT_FALSE(judged([](auto& V) { V[3] = -1e6; }).valid);
}

TEST_F(SpoiltSolution, TellsTheOtherRecursionsAnswer) {
  problem_.recursion = Recursion::as_published;
  const Outcome corrected = judged([](auto&) {});
  EXPECT_FALSE(corrected.valid);
  EXPECT_THAT(corrected.why, HasSubstr("where the best choice gives"));

  right_ = reference_values(problem_);
  EXPECT_TRUE(judged([](auto&) {}).valid);
  EXPECT_TRUE(judged<float>([](auto&) {}).valid);
  problem_.recursion = Recursion::corrected;
  const Outcome published = judged([](auto&) {});
  EXPECT_FALSE(published.valid);
  EXPECT_THAT(published.why, HasSubstr("at age 5"));
  EXPECT_FALSE(judged<float>([](auto&) {}).valid);
}

TEST_F(SpoiltSolution, IsNotExcusedByTheRoundingOfManySums) {
  // Near log utility V is a large number, and a sum of 300 expectations rounds by more of it than a
  // millionth of consumption, which is nearly 1 here in units of V.
  problem_ = Problem{.calibration = {}, .nx = 20, .ne = 300, .T = 10};
  problem_.calibration.sigma = 1 + 2e-8;
  right_ = reference_values(problem_);
  const auto off_by = [&](double shares) {
    return judged([&](auto& V) {
      for (std::size_t s = 0; s < problem_.states(); ++s) V[s] += shares;
    });
  };
  EXPECT_TRUE(off_by(0).valid) << off_by(0).why;
  EXPECT_FALSE(off_by(2e-6).valid);
  EXPECT_FALSE(off_by(-2e-6).valid);
}

TEST_F(SpoiltSolution, IsNotWhatARowThatAddsUpToMoreThanOneGives) {
  problem_ = Problem{.calibration = {}, .nx = 20, .ne = 100, .T = 2};
  problem_.calibration.sigma = 1 + 1e-6;
  right_ = reference_values(problem_);
  const Outcome outcome = judged([](auto&) {});
  EXPECT_TRUE(outcome.valid) << outcome.why;
}

TEST_F(SpoiltSolution, IsNothingWhereUtilityIsBelowTheLeastNumber) {
  // c^-99 is 0 at every state, and so is a V that nobody solved.
  problem_.calibration.sigma = 100;
  problem_.calibration.w = 1e4;
  for (const Recursion recursion : {Recursion::corrected, Recursion::as_published}) {
    problem_.recursion = recursion;
    EXPECT_THAT(judged([](auto& V) { std::ranges::fill(V, 0); }).why,
                StartsWith("ill-conditioned"));
  }
}

TEST_F(SpoiltSolution, IsSeenWhateverItsShape) {
  // .1% of the states, or .3% in a row, of few ages and many savings: each draw must see them.
  for (const auto& [nx, T] : {std::pair{262'144, 1}, {65'536, 3}, {2'000, 70}}) {
    problem_ = Problem{.calibration = {}, .nx = nx, .ne = 2, .T = T};
    right_ = reference_values(problem_);
    const double unit = 0.1 * std::abs(right_.back());
    for (const std::size_t in_a_row : {std::size_t{1}, right_.size() / 333}) {
      Solution<double> spoilt = as_solution<double>(right_);
      const std::size_t first = right_.size() / 3;
      const std::size_t step = in_a_row == 1 ? 997 : 1;
      const std::size_t wrong = in_a_row == 1 ? right_.size() / 1'000 : in_a_row;
      for (std::size_t n = 0; n < wrong; ++n) spoilt.V[(first + n * step) % right_.size()] -= unit;
      for (const char* draw : {"1", "2", "3", "4", "5", "6"}) {
        EXPECT_FALSE(judge(problem_, spoilt, Scrutiny(false, draw)).valid) << nx << " " << in_a_row;
      }
    }
  }
}

TEST_F(SpoiltSolution, SamplesTheStatesOfALargeProblemAndSaysSo) {
  problem_ = Problem{.calibration = {}, .nx = 2'500, .ne = 6, .T = 20};
  right_ = reference_values(problem_);
  const Outcome outcome = judged([](auto&) {});
  EXPECT_TRUE(outcome.valid) << outcome.why;
  EXPECT_FALSE(outcome.exhaustive);
  EXPECT_LT(outcome.checked_states, 2'500 * 6 * 20);
  EXPECT_GE(outcome.checked_states, static_cast<std::int64_t>(numerics::drawn_places));

  // Poison is told wherever it is left, sampled or not; so is a stretch of wrong values.
  for (std::size_t s = 0; s < right_.size(); s += 40'007) {
    EXPECT_THAT(judged([&](auto& V) { V[s] = nan; }).why, HasSubstr("V is nan")) << s;
    EXPECT_THAT(judged([&](auto& V) { V[s] = -infinity; }).why, HasSubstr("V is -inf")) << s;
  }
  for (std::size_t first = 0; first + 100 < right_.size(); first += 29'973) {
    const Outcome wrong = judged([&](auto& V) {
      for (std::size_t s = first; s < first + 100; ++s) V[s] *= 1 + 1e-9;
    });
    EXPECT_FALSE(wrong.valid) << first;
  }
  problem_.recursion = Recursion::as_published;
  EXPECT_FALSE(judged([](auto&) {}).valid);

  problem_.recursion = Recursion::corrected;
  thorough_ = true;
  EXPECT_TRUE(judged([](auto&) {}).exhaustive);
}

}  // namespace
}  // namespace macrobench::lifecycle
