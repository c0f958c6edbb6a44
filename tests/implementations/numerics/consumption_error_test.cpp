#include "implementations/numerics/methods/consumption_error.hpp"

#include "tests/matchers.hpp"

namespace macrobench::numerics {
namespace {

constexpr StateValue ordinary{
    .value = -60, .utility = -1, .expected = 59, .consumption = 1, .available = 30};

TEST(ErrorBound, IsTheToleranceOrAMillionthOfConsumption) {
  EXPECT_NEAR(error_bound<double>(2, 1e-10, ordinary).allowed, 1e-10, 1e-12);
  EXPECT_NEAR(error_bound<double>(2, 1, ordinary).allowed, 1e-6, 1e-12);
}

TEST(ErrorBound, IsTheSameShareInAnyUnits) {
  // Consumption in cents: u(c) is 1/100 of what it was at gamma = 2, and so is V.
  const StateValue in_cents{
      .value = -0.6, .utility = -0.01, .expected = 0.59, .consumption = 100, .available = 3000};
  const ErrorBound bound = error_bound<double>(2, 1, ordinary);
  const ErrorBound bound_in_cents = error_bound<double>(2, 1, in_cents);
  EXPECT_NEAR(bound_in_cents.share(bound_in_cents.allowed), bound.share(bound.allowed), 1e-20);
}

TEST(ErrorBound, AllowsNothingWhereThereIsNoNumber) {
  StateValue state = ordinary;
  state.consumption = 0;
  EXPECT_EQ(error_bound<double>(2, 1, state).allowed, 0);
  state = ordinary;
  state.value = std::numeric_limits<double>::infinity();
  EXPECT_EQ(error_bound<double>(2, 1, state).allowed, 0);
  state.value = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(error_bound<double>(2, 1, state).allowed, 0);
}

TEST(ErrorBound, SaysWhereRoundingIsMoreThanAChoice) {
  EXPECT_FALSE(is_ill_conditioned<double>(error_bound<double>(2, 1, ordinary)));
  EXPECT_FALSE(is_ill_conditioned<float>(error_bound<float>(2, 1, ordinary)));
  StateValue near_log = ordinary;
  near_log.value = -1e14;
  const ErrorBound of_near_log = error_bound<double>(1 + 1e-14, 1, near_log);
  EXPECT_TRUE(is_ill_conditioned<double>(of_near_log));
  EXPECT_THAT(ill_conditioned<double>(of_near_log, "here"),
              StartsWith("ill-conditioned: rounding alone is worth"));
  // Utility is below the least number: everything is 0, and 0 is no answer.
  const StateValue nothing{
      .value = 0, .utility = 0, .expected = 0, .consumption = 1e4, .available = 1e5};
  EXPECT_TRUE(is_ill_conditioned<double>(error_bound<double>(100, 1, nothing)));
}

TEST(ErrorBound, IsOfAllThatIsEverConsumedWithoutAversionToRisk) {
  StateValue state = ordinary;
  state.value = 500;
  state.consumption = 0;
  state.lasting = 1'000;
  EXPECT_EQ(error_bound<double>(0, 1, state).unit, 0.5);
  EXPECT_NEAR(error_bound<double>(0, 1, state).allowed, 0.5e-6, 1e-12);
}

TEST(ErrorBound, SaysWhatRoundingMayHide) {
  EXPECT_EQ(hidden_by_rounding(9e-5), "");
  EXPECT_EQ(hidden_by_rounding(6e-3),
            "errors up to 0.6% of a period's consumption are within its rounding");
  const StateValue tiny{
      .value = 0, .utility = 0, .expected = 0, .consumption = 10, .available = 1e2};
  EXPECT_TRUE(has_no_number<float>(error_bound<float>(100, 1, tiny)));
  EXPECT_FALSE(has_no_number<double>(error_bound<double>(100, 1, tiny)));
  EXPECT_FALSE(has_no_number<float>(error_bound<float>(2, 1, ordinary)));
}

TEST(ErrorBound, NamesTheToleranceThatWouldDo) {
  EXPECT_EQ(tolerance_that_would_do(1.6e-10, 5.3e-9),
            "; here 1.6e-10 is 3% of consumption: --tolerance 5e-15");
  EXPECT_EQ(tolerance_that_would_do(1.6e-10, 1e-13),
            "; here 1.6e-10 is 1.6e+03 times consumption: --tolerance 1e-19");
  EXPECT_EQ(tolerance_that_would_do(1.6e-10, 1), "");
  for (const double almost_1 : {std::nextafter(1, 0), 1., std::nextafter(1, 2)}) {
    const std::string advice = tolerance_that_would_do(0.01, almost_1);
    EXPECT_THAT(advice, AnyOf(HasSubstr("--tolerance 1e-06"), HasSubstr("--tolerance 9e-07")));
    const double followed = std::stod(advice.substr(advice.rfind(' ')));
    EXPECT_EQ(tolerance_that_would_do(followed, almost_1), "") << "the first advice does";
  }
  EXPECT_EQ(tolerance_that_would_do(1.6e-10, 0), "");
}

}  // namespace
}  // namespace macrobench::numerics
