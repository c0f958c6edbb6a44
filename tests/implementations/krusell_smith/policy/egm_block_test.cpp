// What a block of a GPU does to find a policy, by threads of the host.

#include "implementations/krusell_smith/policy/egm_block.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <barrier>
#include <cmath>
#include <thread>
#include <utility>
#include <vector>

#include "implementations/krusell_smith/policy/policy.hpp"
#include "implementations/numerics/methods/linear_solve.hpp"

namespace macrobench::krusell_smith {
namespace {

constexpr LawOfMotion law{{0.123815, 0.137800}, {0.965565, 0.963238}};

/// What the threads of a block share.
struct Shared {
  explicit Shared(int its_count)
      : count(its_count), arrive(its_count), numbers(static_cast<std::size_t>(its_count)) {}

  int count;
  std::barrier<> arrive;
  std::vector<std::vector<double>> numbers;  ///< by thread
};

/// One of several threads.
class OneOfSeveral {
 public:
  OneOfSeveral(Shared& shared, int index) : shared_(shared), index_(index) {}

  [[nodiscard]] int index() const { return index_; }
  [[nodiscard]] int count() const { return shared_.count; }
  [[nodiscard]] static int lane() { return 0; }
  [[nodiscard]] static int lanes() { return 1; }
  void sync() { shared_.arrive.arrive_and_wait(); }

  double largest(double mine) {
    double of_all = 0;
    exchange({mine}, [&](const std::vector<double>& its) {
      if (!(its[0] <= of_all)) of_all = its[0];
    });
    return of_all;
  }
  template <int count>
  void add(double (&values)[count]) {
    std::vector<double> mine(values, values + count);
    std::fill(values, values + count, 0.0);
    exchange(std::move(mine), [&](const std::vector<double>& its) {
      for (std::size_t n = 0; n < count; ++n) values[n] += its[n];
    });
  }

 private:
  template <class See>
  void exchange(std::vector<double> mine, const See& see) {
    shared_.numbers[static_cast<std::size_t>(index_)] = std::move(mine);
    sync();
    for (const std::vector<double>& its : shared_.numbers) see(its);
    sync();
  }

  Shared& shared_;
  int index_;
};

struct How {
  int endogenous = endogenous_steps;
  double aim = 1e-10;
  int cap = 1'000;
  int threads = 1;
  int room = 100;  ///< pairs, or all if these are fewer
};

struct Found {
  std::vector<double> policy;
  int iterations = 0;
};

Found find(const Problem& problem, const How& how) {
  const Economy economy(problem.calibration);
  const numerics::NotAKnotSpline k(k_points(problem.grids));
  const numerics::NotAKnotSpline K(K_points(problem.grids));
  const std::vector<double> in_k = SplineView::constants_of(k);
  const std::vector<double> in_K = SplineView::constants_of(K);
  const auto tomorrow = EulerMap::tomorrow_under(law, economy, problem.grids, K);
  const auto today = EulerMap::today_of(economy, problem.grids);
  Found found{.policy = first_policy(problem.grids)};
  const PolicyToFind task{.economy = economy,
                          .grids = problem.grids,
                          .splines = problem.policy_interpolation == PolicyInterpolation::spline,
                          .endogenous = how.endogenous,
                          .aim = how.aim,
                          .damping = problem.damping,
                          .cap = how.cap,
                          .number = 0};
  const int room = std::min(how.room, 2 * problem.grids.n_K);
  std::vector<double> scratch(EgmBlock<OneThread>::scratch(problem.grids.size()), NAN);
  std::vector<double> lines(
      static_cast<std::size_t>(room) * EgmBlock<OneThread>::shared_of_pair(problem.grids.n_k), NAN);
  const PolicyData data{.in_k = in_k.data(),
                        .in_K = in_K.data(),
                        .tomorrow = tomorrow.data(),
                        .today = today.data(),
                        .policy = found.policy.data(),
                        .scratch = scratch.data(),
                        .lines = lines.data(),
                        .room = room};
  if (how.threads == 1) {
    OneThread alone;
    found.iterations = EgmBlock<OneThread>(task, data, alone).solve();
    return found;
  }
  Shared shared(how.threads);
  std::vector<std::jthread> threads;
  for (int n = 0; n < how.threads; ++n) {
    threads.emplace_back([&, n] {
      OneOfSeveral mine(shared, n);
      const int iterations = EgmBlock<OneOfSeveral>(task, data, mine).solve();
      if (n == 0) found.iterations = iterations;
    });
  }
  threads.clear();
  return found;
}

Problem problem_with(int n_k, int n_K, double gamma, PolicyInterpolation interpolation) {
  Problem problem;
  problem.grids.n_k = n_k;
  problem.grids.n_K = n_K;
  problem.calibration.gamma = gamma;
  problem.policy_interpolation = interpolation;
  return problem;
}

template <class Check>
void for_each_problem(const Check& check) {
  for (const double gamma : {1.0, 3.0}) {
    for (const auto interpolation : {PolicyInterpolation::spline, PolicyInterpolation::linear}) {
      for (const auto& [n_k, n_K] : {std::pair{4, 4}, std::pair{20, 4}, std::pair{33, 7}}) {
        SCOPED_TRACE(testing::Message() << gamma << ", " << n_k << "(" << n_K << "), "
                                        << (interpolation == PolicyInterpolation::spline));
        check(problem_with(n_k, n_K, gamma, interpolation));
      }
    }
  }
}

TEST(EgmBlock, TakesTheStepsOfTheEndogenousGrid) {
  for_each_problem([](const Problem& problem) {
    EulerMap map(problem);
    map.set_law(law);
    std::vector<double> policy = first_policy(problem.grids);
    std::vector<double> next(policy.size());
    for (int n = 0; n < 7; ++n) {
      map.apply_endogenous(policy, next);
      policy.swap(next);
    }
    for (const int threads : {1, 3}) {
      const Found found =
          find(problem, {.endogenous = 7, .cap = 0, .threads = threads, .room = threads});
      EXPECT_LT(largest_change(policy, found.policy), 1e-10) << threads;
      EXPECT_EQ(found.iterations, 8) << "beyond the cap";
    }
  });
}

TEST(EgmBlock, FindsThePolicyOfTheProcessorsMethod) {
  for_each_problem([](Problem problem) {
    constexpr double aim = 1e-10;
    problem.policy = "egm";
    problem.policy_tolerance = aim;
    const std::unique_ptr<PolicyMethod> egm = make_policy_method(problem);
    egm->settle_for(aim);
    std::vector<double> policy = first_policy(problem.grids);
    const int iterations = egm->improve(law, policy);
    if (iterations > problem.policy_cap) return;  // the coarsest splines do not settle

    EulerMap map(problem);
    map.set_law(law);
    for (const int threads : {1, 3}) {
      const Found found = find(problem, {.aim = aim, .threads = threads, .room = threads});
      std::vector<double> asked(policy.size());
      map.apply(found.policy, asked);
      EXPECT_LT(largest_change(found.policy, asked), 1.5 * aim) << threads;
      EXPECT_LT(largest_change(found.policy, policy), 1e-6) << threads;
      EXPECT_NEAR(found.iterations, iterations, 5 + 0.1 * iterations) << threads;
    }
  });
}

TEST(EgmBlock, HasTheSameBitsInAnyRoom) {
  const Problem problem = problem_with(33, 7, 1, PolicyInterpolation::spline);
  const Found reference = find(problem, {});
  for (const int room : {1, 3, 13}) {
    const Found found = find(problem, {.room = room});
    EXPECT_EQ(found.policy, reference.policy) << room;
    EXPECT_EQ(found.iterations, reference.iterations);
  }
}

TEST(EgmBlock, GivesUpAndSaysSo) {
  const Problem problem = problem_with(20, 4, 1, PolicyInterpolation::spline);
  EXPECT_EQ(find(problem, {.endogenous = 0, .cap = 3}).iterations, 4);
}

TEST(EgmBlock, SolvesSmallSystems) {
  double A[3][3] = {{1, 0.4, -0.2}, {0.4, 1, 0.3}, {-0.2, 0.3, 1}};
  double b[3] = {1, -2, 0.5};
  std::vector<double> dense;
  for (const auto& row : A) dense.insert(dense.end(), row, row + 3);
  std::vector<double> x(b, b + 3);
  ASSERT_TRUE(numerics::solve_linear(dense, x));
  ASSERT_TRUE(solve_positive_definite(A, b));
  for (std::size_t n = 0; n < 3; ++n) EXPECT_NEAR(b[n], x[n], 1e-15);
  double indefinite[2][2] = {{1, 2}, {2, 1}};
  double right[2] = {1, 1};
  EXPECT_FALSE(solve_positive_definite(indefinite, right));
}

}  // namespace
}  // namespace macrobench::krusell_smith
