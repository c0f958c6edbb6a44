// What the papers on this model print wrongly, in words
// (paper_tables/papers/errata_by_reading.json).

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "implementations/rbc/model.hpp"
#include "implementations/rbc/published/serial.hpp"

namespace macrobench::rbc {
namespace {

/// The algorithm that the papers print, step by step, on a small grid.
class PrintedAlgorithm {
 public:
  explicit PrintedAlgorithm(double discount) : discount_(discount) {
    problem_.nk = 16;
    grids_ = make_grids<double>(problem_);
    V_.resize(problem_.states());
    policy_.resize(V_.size());
    last_.resize(V_.size());
    for (int j = 0; j < problem_.nz; ++j) {
      for (int i = 0; i < problem_.nk; ++i) V0_.push_back(grids_.V0[index(j)]);
    }
  }

  /// V from V0; max |V - V0|.
  double iterate() {
    double difference = 0;
    for (int j = 0; j < problem_.nz; ++j) {
      for (int i = 0; i < problem_.nk; ++i) {
        const std::size_t state = index(j * problem_.nk + i);
        V_[state] = maximum(i, j, policy_[state], last_[state]);
        difference = std::max(difference, std::abs(V_[state] - V0_[state]));
      }
    }
    return difference;
  }

  /// |V - V0| of the element after the largest, productivity fastest.
  [[nodiscard]] double difference_after_the_largest() const {
    std::vector<double> all;
    for (int i = 0; i < problem_.nk; ++i) {
      for (int j = 0; j < problem_.nz; ++j) {
        const std::size_t state = index(j * problem_.nk + i);
        all.push_back(std::abs(V_[state] - V0_[state]));
      }
    }
    const auto largest = std::ranges::max_element(all);
    return *largest == all.back() ? 0 : *(largest + 1);
  }

  /// The choices that a search which begins at the policy one point below looks at, over all
  /// states; `lower_bound` may drop that bound, given the last feasible choice too.
  template <class LowerBound>
  [[nodiscard]] int choices(LowerBound lower_bound) const {
    int count = 0;
    for (int j = 0; j < problem_.nz; ++j) {
      for (int i = 0; i < problem_.nk; ++i) {
        const std::size_t state = index(j * problem_.nk + i);
        const int first = i > 0 ? lower_bound(policy_[state - 1], last_[state]) : 0;
        EXPECT_LE(first, policy_[state]) << "the policy rises with capital";
        count += last_[state] - first + 1;
      }
    }
    return count;
  }

  void set_V0_to_V() { V0_ = V_; }
  void set_V_to_V0() { V_ = V0_; }
  [[nodiscard]] double tolerance() const { return problem_.tolerance; }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  double maximum(int i, int j, int& policy, int& last) const {
    const Calibration& c = problem_.calibration;
    const double K = grids_.K[index(i)];
    const double resources = grids_.Z[index(j)] * std::pow(K, c.alpha) + (1 - c.delta) * K;
    double best = -std::numeric_limits<double>::infinity();
    for (int next = 0; next < problem_.nk; ++next) {
      const double C = resources - grids_.K[index(next)];
      if (C <= 0) break;
      double expected = 0;
      for (int l = 0; l < problem_.nz; ++l) {
        expected += grids_.P[index(j * problem_.nz + l)] * V0_[index(l * problem_.nk + next)];
      }
      const double value = utility(C, c.gamma) + discount_ * expected;
      if (value > best) policy = next;
      best = std::max(best, value);
      last = next;
    }
    return best;
  }

  double discount_;
  Problem problem_;
  Grids<double> grids_;
  std::vector<double> V0_;
  std::vector<double> V_;
  std::vector<int> policy_, last_;  ///< at each state: the choice, and the last feasible one
};

TEST(RbcErrata, WithoutBetaTheIterationDoesNotEnd) {
  PrintedAlgorithm as_printed(1);
  PrintedAlgorithm with_beta(Calibration{}.beta);
  int iterations = 0;
  double difference = 1;
  while (difference > with_beta.tolerance() && iterations < 2000) {
    difference = with_beta.iterate();
    with_beta.set_V0_to_V();
    ++iterations;
    EXPECT_GT(as_printed.iterate(), 0.2) << "a period's utility is added for ever";
    as_printed.set_V0_to_V();
  }
  EXPECT_EQ(iterations, 1324) << "as the authors' code takes";
}

/// Their CUDA C counts from 0 where the library that finds the maximum counts from 1.
TEST(RbcErrata, TheElementAfterTheLargestStopsTooEarly) {
  PrintedAlgorithm right(Calibration{}.beta);
  PrintedAlgorithm one_too_far(Calibration{}.beta);
  const auto iterations = [](PrintedAlgorithm& its, auto difference_of) {
    for (int count = 1;; ++count) {
      const double largest = its.iterate();
      const double difference = difference_of(largest);
      its.set_V0_to_V();
      if (difference <= its.tolerance()) return count;
    }
  };
  const int of_largest = iterations(right, [](double largest) { return largest; });
  const int of_next =
      iterations(one_too_far, [&](double) { return one_too_far.difference_after_the_largest(); });
  EXPECT_LT(of_next, of_largest);
  EXPECT_GE(of_next, of_largest - 2);
}

/// The C++ of 2012 takes the bound only if it is below the last feasible choice. With the papers'
/// calibration it always is, in every iteration.
TEST(RbcErrata, TheBoundOf2012IsNeverDropped) {
  PrintedAlgorithm algorithm(Calibration{}.beta);
  double difference = 1;
  while (difference > algorithm.tolerance()) {
    difference = algorithm.iterate();
    const int bounded = algorithm.choices([](int below, int /*last*/) { return below; });
    const int dropped =
        algorithm.choices([](int below, int last) { return below < last ? below : 0; });
    ASSERT_EQ(dropped, bounded);
    algorithm.set_V0_to_V();
  }
}

/// A concave objective with two best choices, at every place: the search ends with either.
TEST(RbcErrata, OfTwoBestChoicesTheSearchTakesEither) {
  constexpr int points = 32;
  int lower = 0;
  int higher = 0;
  for (int best = 0; best + 1 < points; ++best) {
    const auto objective = [&](int i) -> double { return i <= best ? i : 2 * best + 1 - i; };
    const auto found = serial_solver::bisection(objective, points - 1);
    EXPECT_EQ(found.value, best);
    (found.choice == best ? lower : higher) += 1;
  }
  EXPECT_GT(lower, 0);
  EXPECT_GT(higher, 0);
}

/// Rounding turns a rise into a tie: the search then goes down, away from the best choice.
TEST(RbcErrata, AtATieOnTheWayUpTheSearchTurnsBack) {
  constexpr int points = 32;
  const auto concave = [](int i) {
    return static_cast<float>(1e4 - 1.1e-5 * (points - 1 - i) * (points - 1 - i));
  };
  EXPECT_EQ(concave(15), concave(16)) << "rounded to the same number";
  const auto found = serial_solver::bisection(concave, points - 1);
  EXPECT_LT(found.value, concave(points - 1));
}

TEST(RbcErrata, WithTheAssignmentTurnedRoundNothingChanges) {
  PrintedAlgorithm algorithm(Calibration{}.beta);
  const double first = algorithm.iterate();
  EXPECT_GT(first, algorithm.tolerance());
  for (int iteration = 0; iteration < 10; ++iteration) {
    algorithm.set_V_to_V0();
    EXPECT_EQ(algorithm.iterate(), first);
  }
}

TEST(RbcErrata, ConsumptionOfAllOutputRunsCapitalDown) {
  const Calibration c;
  const double Kss = steady_state_capital(c, 1);
  const auto next = [&](double K, double C) {
    return std::pow(K, c.alpha) + (1 - c.delta) * K - C;
  };
  EXPECT_NEAR(next(Kss, std::pow(Kss, c.alpha) - c.delta * Kss), Kss, 1e-12) << "C + I = Y";
  double K = Kss;
  for (int quarter = 0; quarter < 400; ++quarter) K = next(K, std::pow(K, c.alpha));
  EXPECT_LT(K, 0.02 * Kss) << "C = Y";
}

}  // namespace
}  // namespace macrobench::rbc
