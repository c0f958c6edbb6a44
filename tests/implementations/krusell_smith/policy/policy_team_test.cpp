// What the blocks of a GPU do to find a policy, by threads of the host.

#include "implementations/krusell_smith/policy/policy_team.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <barrier>
#include <cmath>
#include <cstddef>
#include <deque>
#include <thread>
#include <utility>
#include <vector>

#include "implementations/krusell_smith/policy/policy.hpp"
#include "implementations/numerics/methods/linear_solve.hpp"

namespace macrobench::krusell_smith {
namespace {

constexpr LawOfMotion law{{0.123815, 0.137800}, {0.965565, 0.963238}};

/// What the threads of a block share.
struct SharedByBlock {
  explicit SharedByBlock(int its_count) : count(its_count), arrive(its_count) {}

  int count;
  std::barrier<> arrive;
};

/// One of several threads of one of several blocks.
class OneOfSeveral : public Alone {
 public:
  OneOfSeveral(SharedByBlock& shared, std::barrier<>& team, int index, int block, int blocks)
      : shared_(shared), team_(team), index_(index), block_(block), blocks_(blocks) {}

  [[nodiscard]] int index() const { return index_; }
  [[nodiscard]] int count() const { return shared_.count; }
  [[nodiscard]] int block() const { return block_; }
  [[nodiscard]] int blocks() const { return blocks_; }
  void sync() const { shared_.arrive.arrive_and_wait(); }
  void sync_team() const { team_.arrive_and_wait(); }

  static double largest_of_lanes(double mine) { return mine; }
  static double sum_of_lanes(double mine) { return mine; }
  template <int count, class Put>
  static void sums_of_lanes(const double (&mine)[count], const Put& put) {
    OneThread::sums_of_lanes(mine, put);
  }

 private:
  SharedByBlock& shared_;
  std::barrier<>& team_;
  int index_, block_, blocks_;
};

struct How {
  bool accelerated = true;
  int endogenous = endogenous_steps;
  double aim = 1e-10;
  int cap = 1'000;
  int blocks = 1;
  int threads = 1;  ///< of a block
  int room = 100;   ///< pairs, or all of a block if these are fewer
  bool copies = false;
  bool weights = false;    ///< of the K_j in a line, instead of second derivatives along K
  bool is_broken = false;  ///< the start is NaN at one node
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
  if (how.is_broken) found.policy.front() = NAN;
  const PolicyToFind task{.economy = economy,
                          .grids = problem.grids,
                          .splines = problem.policy_interpolation == PolicyInterpolation::spline,
                          .accelerated = how.accelerated,
                          .endogenous = how.endogenous,
                          .aim = how.aim,
                          .damping = problem.damping,
                          .cap = how.cap,
                          .number = 0};
  const int pairs = 2 * problem.grids.n_K;
  const int room = std::min(how.room, (pairs + how.blocks - 1) / how.blocks);
  std::vector<double> scratch(PolicyTeam<OneThread>::scratch(problem.grids), NAN);
  std::vector<double> in_lines(tomorrow.size() * static_cast<std::size_t>(problem.grids.n_K));
  put_weights_in_lines(tomorrow, bends_of_units(K), in_lines.data());
  std::vector<std::vector<double>> shared(static_cast<std::size_t>(how.blocks));
  const auto data_of = [&](int block) -> PolicyData {
    return {.in_k = in_k.data(),
            .in_K = in_K.data(),
            .reach_in_k = SplineView::reach_of(k),
            .reach_in_K = SplineView::reach_of(K),
            .tomorrow = tomorrow.data(),
            .today = today.data(),
            .in_lines = how.weights ? in_lines.data() : nullptr,
            .policy = found.policy.data(),
            .scratch = scratch.data(),
            .shared = shared[static_cast<std::size_t>(block)].data(),
            .room = room,
            .copies = how.copies};
  };
  for (std::vector<double>& its : shared) {
    its.assign(PolicyTeam<OneThread>::shared_numbers(problem.grids, room) +
                   PolicyTeam<OneThread>::copied_numbers(problem.grids, pairs),
               NAN);
  }
  if (how.threads * how.blocks == 1) {
    OneThread alone;
    found.iterations = PolicyTeam<OneThread>(task, data_of(0), alone).solve();
    return found;
  }
  std::barrier<> team(std::ptrdiff_t{how.threads} * how.blocks);
  std::deque<SharedByBlock> of_blocks;
  for (int block = 0; block < how.blocks; ++block) of_blocks.emplace_back(how.threads);
  std::vector<std::jthread> threads;
  for (int n = 0; n < how.threads * how.blocks; ++n) {
    threads.emplace_back([&, n] {
      const int block = n / how.threads;
      OneOfSeveral mine(of_blocks[static_cast<std::size_t>(block)], team, n % how.threads, block,
                        how.blocks);
      const int iterations = PolicyTeam<OneOfSeveral>(task, data_of(block), mine).solve();
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

TEST(PolicyTeam, TakesTheStepsOfTheEndogenousGrid) {
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
      const Found found = find(
          problem,
          {.endogenous = 7, .cap = 0, .blocks = 4 - threads, .threads = threads, .room = threads});
      EXPECT_LT(largest_change(policy, found.policy), 1e-10) << threads;
      EXPECT_EQ(found.iterations, 8) << "beyond the cap";
    }
  });
}

TEST(PolicyTeam, FindsThePolicyOfTheProcessorsMethod) {
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
      const Found found = find(problem, {.aim = aim,
                                         .blocks = threads,
                                         .threads = threads,
                                         .room = threads,
                                         .weights = threads > 1});
      std::vector<double> asked(policy.size());
      map.apply(found.policy, asked);
      EXPECT_LT(largest_change(found.policy, asked), 1.5 * aim) << threads;
      EXPECT_LT(largest_change(found.policy, policy), 1e-6) << threads;
      EXPECT_NEAR(found.iterations, iterations, 5 + 0.1 * iterations) << threads;
    }
  });
}

TEST(PolicyTeam, HasTheSameBitsInAnyRoomAndByAnyBlocks) {
  const Problem problem = problem_with(33, 7, 1, PolicyInterpolation::spline);
  const Found reference = find(problem, {});
  for (const int room : {1, 3, 13}) {
    for (const int blocks : {1, 3, 14}) {
      const Found found =
          find(problem, {.blocks = blocks, .room = room, .copies = blocks + room > 4});
      EXPECT_EQ(found.policy, reference.policy) << room << ", " << blocks;
      EXPECT_EQ(found.iterations, reference.iterations);
    }
  }
}

TEST(PolicyTeam, IteratesOnTheEulerEquation) {
  for_each_problem([](const Problem& problem) {
    EulerMap map(problem);
    map.set_law(law);
    std::vector<double> policy = first_policy(problem.grids);
    std::vector<double> asked(policy.size());
    for (int n = 0; n < 30; ++n) {
      map.apply(policy, asked);
      for (std::size_t i = 0; i < policy.size(); ++i) {
        policy[i] = problem.damping * asked[i] + (1 - problem.damping) * policy[i];
      }
    }
    const Found found =
        find(problem, {.accelerated = false, .endogenous = 0, .cap = 30, .blocks = 2});
    EXPECT_LT(largest_change(policy, found.policy), 1e-9);
    EXPECT_EQ(found.iterations, 31) << "beyond the cap";
  });
}

TEST(PolicyTeam, GivesUpAndSaysSo) {
  const Problem problem = problem_with(20, 4, 1, PolicyInterpolation::spline);
  EXPECT_EQ(find(problem, {.endogenous = 0, .cap = 3}).iterations, 4);
}

TEST(PolicyTeam, NeverSaysThatItHasFoundAPolicyWithNaN) {
  const Problem problem = problem_with(20, 4, 1, PolicyInterpolation::linear);
  const How how{.accelerated = false, .endogenous = 0, .aim = 1e6, .cap = 3};
  EXPECT_EQ(find(problem, how).iterations, 1);
  How broken = how;
  broken.is_broken = true;
  EXPECT_EQ(find(problem, broken).iterations, 4) << "beyond the cap";
}

TEST(PolicyTeam, SolvesSmallSystems) {
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

/// One of a warp's lanes, which the host's threads are here.
class OneLane {
 public:
  struct Warp {
    explicit Warp(int lanes) : arrive(lanes), numbers(static_cast<std::size_t>(lanes)) {}

    std::barrier<> arrive;
    std::vector<double> numbers;
  };

  OneLane(Warp& warp, int lane) : warp_(warp), lane_(lane) {}

  [[nodiscard]] int lane() const { return lane_; }
  [[nodiscard]] int lanes() const { return static_cast<int>(warp_.numbers.size()); }
  void sync_lanes() const { warp_.arrive.arrive_and_wait(); }
  [[nodiscard]] double of_lane_before(double mine) const { return of(lane_ - 1, mine); }
  [[nodiscard]] double of_lane_after(double mine) const { return of(lane_ + 1, mine); }

 private:
  [[nodiscard]] double of(int other, double mine) const {
    warp_.numbers[static_cast<std::size_t>(lane_)] = mine;
    sync_lanes();
    const bool is_one = other >= 0 && other < lanes();
    const double its = is_one ? warp_.numbers[static_cast<std::size_t>(other)] : 0;
    sync_lanes();
    return its;
  }

  Warp& warp_;
  int lane_;
};

TEST(SplineView, HasTheSecondDerivativesOfTheSplineOnTheProcessor) {
  for (const double theta : {1.0, 7.0}) {
    for (const int n : {4, 5, 6, 7, 40, 100, 501}) {
      Grids grids = Problem().grids;
      grids.n_k = n;
      grids.theta = theta;
      const numerics::NotAKnotSpline spline(k_points(grids));
      const std::vector<double> constants = SplineView::constants_of(spline);
      EXPECT_EQ(static_cast<std::ptrdiff_t>(constants.size()), SplineView::constants(n));
      const SplineView view(constants.data(), n, SplineView::reach_of(spline));
      EXPECT_LE(view.reach, std::min(n, 40));
      constexpr int apart = 3;
      std::vector<double> y(static_cast<std::size_t>(n) * apart);
      for (std::size_t at = 0; at < y.size(); ++at) {
        const double k = spline.points()[at / apart];
        y[at] = std::sqrt(k + 1 + static_cast<double>(at % apart));
      }
      std::vector<double> expected(y.size());
      spline.curvature(y.data(), apart, expected.data());
      double largest = 0;
      for (const double value : expected) largest = std::max(largest, std::abs(value));
      for (const int lanes : {1, 2, 7, 32}) {
        std::vector<double> m(y.size(), NAN);
        for (int line = 0; line < apart; ++line) {
          OneLane::Warp warp(lanes);
          std::vector<std::jthread> threads;
          for (int lane = 0; lane < lanes; ++lane) {
            threads.emplace_back([&, lane] {
              if (lanes == 1)
                return view.curvature(Alone(), y.data() + line, m.data() + line, apart);
              view.curvature(OneLane(warp, lane), y.data() + line, m.data() + line, apart);
            });
          }
        }
        for (std::size_t at = 0; at < y.size(); ++at) {
          EXPECT_NEAR(m[at], expected[at], 1e-11 * largest)
              << n << ", " << theta << ", " << at << ", " << lanes;
        }
      }
    }
  }
}

}  // namespace
}  // namespace macrobench::krusell_smith
