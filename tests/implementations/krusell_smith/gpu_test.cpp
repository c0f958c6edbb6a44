// The panels and the policy on a GPU, compared with those on the CPU.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "harness/machine/machine.hpp"
#include "harness/model/registry.hpp"
#include "harness/run/stage_clock.hpp"
#include "implementations/krusell_smith/policy/euler_map.hpp"
#include "implementations/krusell_smith/policy/policy.hpp"
#include "tests/matchers.hpp"

namespace macrobench::krusell_smith {
namespace {

constexpr const char* published = "cuda_software";
constexpr const char* hardware = "cuda_hardware";
constexpr const char* best = "frontier_cuda";

LawOfMotion published_law() {
  return {{0.123815, 0.137800}, {0.965565, 0.963238}};
}

/// Skips if there is no GPU.
class GpuKrusellSmith : public ::testing::Test {
 protected:
  void SetUp() override {
    const Implementation* implementation = Registry::global().find("krusell_smith/frontier_cuda");
    if (implementation == nullptr) GTEST_SKIP() << "a build without CUDA";
    if (const std::string why = implementation->unavailable(); !why.empty()) GTEST_SKIP() << why;
  }
};

/// What an outcome says of an equilibrium, after hardly more than one outer iteration.
struct Panel {
  double K_mean, wealth_mean, wealth_sd, clips_k, path_error;
  std::string fingerprint;
};

Panel one_panel(const std::string& name, Parameters given) {
  const Implementation& implementation = Registry::global().implementation("krusell_smith/" + name);
  for (const auto& [axis, value] :
       std::initializer_list<std::pair<const char*, Value>>{{"T", 60},
                                                            {"burn_in", 0},
                                                            {"policy", "euler"},
                                                            {"law_update", "relaxation"},
                                                            {"reuse_tolerance", 1e-6},
                                                            {"policy_tolerance", 1e-7},
                                                            {"tolerance", 1.0},
                                                            {"accuracy_periods", 0}}) {
    if (given.find(axis) == nullptr) given.set(axis, value);
  }
  const Case which = Registry::global().make_case(
      implementation.id(), only_taken(implementation, given), available_cores());
  const std::unique_ptr<Instance> instance = which.implementation->instantiate(which.parameters);
  instance->start();
  instance->poison();
  StageClock clock;
  instance->solve(clock);
  const Outcome outcome = instance->check(true);
  // A panel is all that is asked for, not a law.
  EXPECT_THAT(outcome.why, AnyOf(IsEmpty(), HasSubstr("--tolerance"))) << which.key();
  EXPECT_LE(outcome.iterations, 6) << which.key();
  const auto figure = [&](const char* of) {
    const auto found = outcome.figures.find(of);
    return found == outcome.figures.end() ? NAN : found->second;
  };
  return {figure("K_mean"),  figure("wealth_mean"), figure("wealth_sd"),
          figure("clips_k"), figure("path_error"),  instance->fingerprint()};
}

double relative(double one, double other) {
  return std::abs(one / other - 1);
}

TEST_F(GpuKrusellSmith, HasTheCpusPanelInDouble) {
  // Fewer agents than a warp, and than a block; not a multiple of anything; what a cluster's
  // registers hold once and four times; and more, which the whole chip goes through.
  for (const std::int64_t N : {1, 31, 517, 10'000, 30'011, 70'003}) {
    Parameters given = {{"N", N}};
    if (N < 500) {  // their mean goes far
      given.set("K_min", 5.0);
      given.set("K_max", 300.0);
    }
    const Panel cpu = one_panel("cpu", given);
    for (const char* name : {published, best}) {
      const Panel gpu = one_panel(name, given);
      EXPECT_LT(gpu.path_error, 1e-10) << name << ", " << N;
      EXPECT_LT(relative(gpu.K_mean, cpu.K_mean), 1e-10) << name << ", " << N;
      EXPECT_LT(relative(gpu.wealth_mean, cpu.wealth_mean), 1e-10) << name << ", " << N;
      EXPECT_NEAR(gpu.clips_k, cpu.clips_k, 2 + 1e-3 * cpu.clips_k) << name << ", " << N;
    }
  }
}

TEST_F(GpuKrusellSmith, HasTheCpusPanelOnOtherGrids) {
  for (const Parameters& grid : std::vector<Parameters>{{{"nk", 20}, {"nK", 4}},
                                                        {{"nk", 333}, {"nK", 9}},
                                                        {{"theta", 4.0}, {"k_max", 400.0}},
                                                        {{"policy_interpolation", "linear"}}}) {
    for (const std::int64_t N : {3'001, 70'003}) {
      Parameters given = grid;
      given.set("N", N);
      const Panel cpu = one_panel("cpu", given);
      for (const char* name : {published, best}) {
        const Panel gpu = one_panel(name, given);
        EXPECT_LT(relative(gpu.K_mean, cpu.K_mean), 1e-10)
            << name << ", " << to_string(grid.begin()->second);
        EXPECT_LT(relative(gpu.wealth_sd, cpu.wealth_sd), 1e-9) << name;
      }
    }
  }
}

TEST_F(GpuKrusellSmith, InterpolatesInKItselfAsTheCpuDoes) {
  for (const char* interpolation : {"linear", "spline"}) {
    for (const Parameters& grid :
         std::vector<Parameters>{{}, {{"nk", 33}, {"nK", 7}}, {{"theta", 3.0}}}) {
      for (const std::int64_t N : {517, 3'001, 20'000, 70'003}) {
        Parameters given = grid;
        given.set("N", N);
        given.set("panel_interpolation", interpolation);
        const Panel cpu = one_panel("frontier", given);
        const Panel gpu = one_panel(best, given);
        EXPECT_LT(gpu.path_error, 1e-10) << interpolation << ", " << N;
        EXPECT_LT(relative(gpu.K_mean, cpu.K_mean), 1e-10) << interpolation << ", " << N;
        EXPECT_NEAR(gpu.clips_k, cpu.clips_k, 2 + 1e-3 * cpu.clips_k) << interpolation << ", " << N;
      }
    }
  }
}

TEST_F(GpuKrusellSmith, IsNearInSinglePrecisionAndFartherByTheTextureUnits) {
  const Parameters given = {{"N", 10'000}};
  Parameters in_single = given;
  in_single.set("real", "single");
  const double K = one_panel("cpu", given).K_mean;
  const double software = relative(one_panel(published, in_single).K_mean, K);
  EXPECT_GT(software, 0);
  EXPECT_LT(software, 1e-5);
  EXPECT_LT(relative(one_panel(best, in_single).K_mean, K), 1e-5);
  EXPECT_LT(relative(one_panel(best, {{"N", 70'003}, {"real", "single"}}).K_mean,
                     one_panel("cpu", {{"N", 70'003}}).K_mean),
            1e-5);

  // Bilinear interpolation errs with the distance of the nodes.
  const auto hardware_error = [&](std::int64_t n_k, std::int64_t n_K) {
    Parameters on_grid = given;
    on_grid.set("nk", n_k);
    on_grid.set("nK", n_K);
    const double by_cpu = one_panel("cpu", on_grid).K_mean;
    on_grid.set("real", "single");
    return relative(one_panel(hardware, on_grid).K_mean, by_cpu);
  };
  const double coarse = hardware_error(100, 4);
  const double dense = hardware_error(250, 10);
  EXPECT_LT(coarse, 0.02);
  EXPECT_GT(coarse, 10 * software);
  EXPECT_LT(dense, coarse);
}

TEST_F(GpuKrusellSmith, HasTheSameBitsTwice) {
  for (const char* name : {published, hardware, best}) {
    for (const char* real : {"double", "single"}) {
      if (name == hardware && real == std::string("double")) continue;
      for (const std::int64_t N : {10'000, 70'003}) {
        const Parameters given = {{"N", N}, {"real", real}};
        EXPECT_EQ(one_panel(name, given).fingerprint, one_panel(name, given).fingerprint)
            << name << ", " << real << ", " << N;
      }
    }
  }
}

TEST_F(GpuKrusellSmith, HasTheSameBitsInBlocksOfAnySize) {
  Parameters given = {{"N", 3'001}};
  given.set("block", std::int64_t{32});
  const std::string reference = one_panel(published, given).fingerprint;
  for (const std::int64_t block : {64, 512, 1024}) {
    given.set("block", block);
    EXPECT_EQ(one_panel(published, given).fingerprint, reference) << block;
  }
}

TEST_F(GpuKrusellSmith, IsTheSamePanelOnTwoGpus) {
  const Implementation& implementation =
      Registry::global().implementation("krusell_smith/frontier_cuda");
  const Case on_two =
      Registry::global().make_case(implementation.id(), {{"gpus", 2}}, available_cores());
  if (const std::string why = on_two.unavailable(); !why.empty()) GTEST_SKIP() << why;
  for (const char* real : {"double", "single"}) {
    for (const std::int64_t N : {100, 517, 70'003, 1'000'000}) {
      Parameters given = {{"N", N}, {"real", real}};
      if (N < 500) {  // their mean goes far
        given.set("K_min", 5.0);
        given.set("K_max", 300.0);
      }
      const Panel one = one_panel(best, given);
      given.set("gpus", std::int64_t{2});
      const Panel two = one_panel(best, given);
      EXPECT_LT(relative(two.K_mean, one.K_mean), real == std::string("double") ? 1e-10 : 1e-5)
          << real << ", " << N;
      EXPECT_EQ(one_panel(best, given).fingerprint, two.fingerprint) << real << ", " << N;
    }
  }
}

TEST_F(GpuKrusellSmith, CertifiesASampleOfMoreAgentsThanItKeeps) {
  const Panel all = one_panel(best, {{"N", 70'003}});
  const Panel many = one_panel(best, {{"N", 100'000'131}});
  EXPECT_LT(relative(many.K_mean, all.K_mean), 5e-3);
  EXPECT_LT(many.path_error, 6e-3);
}

// Its first panel draws them, and the later ones find them in memory.
TEST_F(GpuKrusellSmith, HasTheCpusEmploymentInLaterPanelsOfManyAgents) {
  const Parameters several = {{"N", 70'003}, {"law_update", "quasi_newton"}, {"tolerance", 1e-2}};
  const Panel cpu = one_panel("frontier", several);
  const Panel gpu = one_panel(best, several);
  EXPECT_LT(relative(gpu.K_mean, cpu.K_mean), 1e-11);
  EXPECT_LT(relative(gpu.wealth_sd, cpu.wealth_sd), 1e-11);
  EXPECT_LT(gpu.path_error, 1e-10);
}

TEST_F(GpuKrusellSmith, FindsThePolicyByTheEndogenousGrid) {
  for (const double gamma : {1.0, 3.0}) {
    for (const auto interpolation : {PolicyInterpolation::spline, PolicyInterpolation::linear}) {
      for (const auto& [n_k, n_K] : {std::pair{20, 4}, std::pair{100, 4}, std::pair{61, 50}}) {
        Problem problem;
        problem.grids.n_k = n_k;
        problem.grids.n_K = n_K;
        problem.calibration.gamma = gamma;
        problem.policy_interpolation = interpolation;
        problem.policy = "egm";
        const SolvedPolicy cpu =
            solve_policy(problem, published_law(), *make_policy_method(problem));
        problem.policy = "egm_cuda";
        const SolvedPolicy gpu =
            solve_policy(problem, published_law(), *make_policy_method(problem));
        ASSERT_TRUE(cpu.converged);
        ASSERT_TRUE(gpu.converged);
        EXPECT_LT(largest_change(cpu.policy, gpu.policy), 1e-5) << n_k << "(" << n_K << ")";
        EXPECT_NEAR(static_cast<double>(gpu.iterations), static_cast<double>(cpu.iterations),
                    5 + 0.2 * static_cast<double>(cpu.iterations));
        const SolvedPolicy again =
            solve_policy(problem, published_law(), *make_policy_method(problem));
        EXPECT_EQ(again.policy, gpu.policy) << "the same bits";
      }
    }
  }
}

class GpuEulerIteration : public GpuKrusellSmith {
 protected:
  struct Solved {
    std::vector<double> policy;
    int iterations;
  };

  static Solved solve(Problem problem, const char* method) {
    problem.policy = method;
    Solved solved{first_policy(problem.grids), 0};
    solved.iterations = make_policy_method(problem)->improve(published_law(), solved.policy);
    return solved;
  }
};

TEST_F(GpuEulerIteration, IsTheCpus) {
  for (const double gamma : {1.0, 3.0}) {
    for (const auto interpolation : {PolicyInterpolation::spline, PolicyInterpolation::linear}) {
      for (const auto& [n_k, n_K] : {std::pair{4, 4}, std::pair{20, 4}, std::pair{61, 9}}) {
        Problem problem;
        problem.grids.n_k = n_k;
        problem.grids.n_K = n_K;
        problem.calibration.gamma = gamma;
        problem.policy_interpolation = interpolation;
        const Solved cpu = solve(problem, "euler");
        const Solved gpu = solve(problem, "euler_cuda");
        EXPECT_EQ(gpu.iterations, cpu.iterations) << n_k << "(" << n_K << "), " << gamma;
        if (cpu.iterations > problem.policy_cap) continue;  // neither settles
        EXPECT_LT(largest_change(cpu.policy, gpu.policy), 1e-9)
            << n_k << "(" << n_K << "), " << gamma;
      }
    }
  }
}

TEST_F(GpuEulerIteration, IsTheCpusOnDenseGridsAndWhereItGivesUp) {
  for (const auto& [n_k, n_K] : {std::pair{500, 50}, std::pair{1'024, 64}, std::pair{40, 300}}) {
    Problem problem;
    problem.grids.n_k = n_k;
    problem.grids.n_K = n_K;
    for (const int cap : {15, 16}) {
      problem.policy_cap = cap;
      const Solved cpu = solve(problem, "euler");
      const Solved gpu = solve(problem, "euler_cuda");
      EXPECT_EQ(cpu.iterations, cap + 1);
      EXPECT_EQ(gpu.iterations, cap + 1);
      EXPECT_LT(largest_change(cpu.policy, gpu.policy), 1e-9) << n_k << "(" << n_K << ")";
    }
  }
}

TEST_F(GpuEulerIteration, GoesOnFromWhereItIs) {
  Problem problem;
  problem.policy = "euler_cuda";
  const std::unique_ptr<PolicyMethod> method = make_policy_method(problem);
  std::vector<double> policy = first_policy(problem.grids);
  const int first = method->improve(published_law(), policy);
  EXPECT_LE(first, problem.policy_cap);
  const std::vector<double> before = policy;
  EXPECT_LE(method->improve(published_law(), policy), 2);
  EXPECT_LT(largest_change(before, policy), 2 * problem.policy_tolerance);

  std::vector<double> again = first_policy(problem.grids);
  EXPECT_EQ(method->improve(published_law(), again), first);
  EXPECT_EQ(again, before) << "the same bits";
}

TEST_F(GpuEulerIteration, SolvesTheEconomyWithAnyPanel) {
  for (const char* name : {"frontier", best}) {
    const Panel by_gpu = one_panel(name, {{"N", 1'000}, {"policy", "euler_cuda"}});
    const Panel by_cpu = one_panel(name, {{"N", 1'000}});
    EXPECT_LT(relative(by_gpu.K_mean, by_cpu.K_mean), 1e-10) << name;
  }
}

TEST(PolicyOfACase, SaysWhyItCannotRunWhereItCannot) {
  const Case which = Registry::global().make_case("krusell_smith/cpu", {{"policy", "euler_cuda"}},
                                                  available_cores());
  const std::string why = which.unavailable();
  EXPECT_EQ(why, why_no_policy("euler_cuda"));
  const bool is_built = Registry::global().find("krusell_smith/frontier_cuda") != nullptr;
  if (!is_built) {
    EXPECT_NE(why.find("has no CUDA: make build CUDA=on"), std::string::npos) << why;
  }
  EXPECT_EQ(Registry::global()
                .make_case("krusell_smith/cpu", {{"policy", "euler"}}, available_cores())
                .unavailable(),
            "");
}

}  // namespace
}  // namespace macrobench::krusell_smith
