// A batch of economies: each is the problem of one calibration, judged as such.

#include "implementations/lifecycle/economies.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "implementations/lifecycle/certificate.hpp"
#include "implementations/lifecycle/parameters.hpp"
#include "tests/harness/support.hpp"
#include "tests/implementations/every_implementation.hpp"
#include "tests/matchers.hpp"

namespace macrobench::lifecycle {
namespace {

Problem batch_of(int economies) {
  Problem problem;
  problem.nx = 60;
  problem.ne = 5;
  problem.economies = economies;
  return problem;
}

Parameters parameters_of(std::int64_t economies, std::int64_t nx = 60) {
  return {{"nx", nx}, {"ne", 5}, {"economies", economies}};
}

/// By the certificate's own exhaustive operator.
Solution<double> solved(const Problem& problem) {
  Solution<double> solution;
  fill_with_poison(problem, solution);
  for (int e = 0; e < problem.economies; ++e) {
    Solution<double> one;
    one.V = reference_values(economy_of(problem, e));
    keep(problem, e, one, solution);
  }
  return solution;
}

TEST(LifecycleEconomies, TheFirstIsThePapersOwnAndTheOthersAreAroundIt) {
  const Problem batch = batch_of(300);
  const Calibration own;
  EXPECT_EQ(words_of(economy_of(batch, 0).calibration), words_of(own));
  for (int e = 1; e < batch.economies; ++e) {
    const Calibration c = economy_of(batch, e).calibration;
    EXPECT_NEAR(c.sigma / own.sigma, 1, .5);
    EXPECT_NEAR((1 - c.beta) / (1 - own.beta), 1, .25);
    EXPECT_NEAR(c.r / own.r, 1, .25);
    EXPECT_NEAR(c.w / own.w, 1, .1);
    EXPECT_NEAR(c.sigma_eps / own.sigma_eps, 1, .3);
    EXPECT_NEAR((1 - c.lambda_eps) / (1 - own.lambda_eps), 1, .3);
    EXPECT_NE(c.sigma, own.sigma);
  }
}

/// Of an implementation that solves batches.
class BatchOfLifecycle : public EveryImplementation {
 protected:
  BatchOfLifecycle() : EveryImplementation("lifecycle") {}

  /// V of each economy, alone, is what the batch has in full: to the bit on a CPU. On a GPU a batch
  /// looks at other choices, and which of two is taken that only rounding tells apart may differ.
  template <class Real>
  void expect_each_as_alone(const Parameters& given) {
    const Case which = make(*implementation_, given);
    const Problem batch = axes().problem_of(which.parameters);
    const auto together = solution_of<Solution<Real>>(axes(), which);
    const numerics::KeptInFull kept = kept_in_full(batch);
    const Real allowed = implementation_->runs_on == RunsOn::gpu
                             ? 16 * std::numeric_limits<Real>::epsilon()
                             : Real(0);
    for (int n = 0; n < kept.count; ++n) {
      const Problem one = economy_of(batch, kept.economy(n));
      const auto alone =
          solution_of<Solution<Real>>(axes(), make(*implementation_, axes().parameters_of(one)));
      const std::size_t first = static_cast<std::size_t>(n) * alone.V.size();
      Real furthest = 0;
      for (std::size_t s = 0; s < alone.V.size(); ++s) {
        const Real difference = std::abs(together.V[first + s] - alone.V[s]);
        furthest = std::max(furthest, difference / std::abs(alone.V[s]));
      }
      EXPECT_LE(furthest, allowed) << words_of(one.calibration);
    }
  }
};

TEST_P(BatchOfLifecycle, IsValidAndEachIsWhatItIsAlone) {
  for (const std::int64_t nx : {2, 3, 31, 60, 500}) {
    const Parameters given = parameters_of(7, nx);
    const Outcome outcome = macrobench::solve(make(*implementation_, given));
    EXPECT_TRUE(outcome.valid) << outcome.why;
    EXPECT_TRUE(outcome.exhaustive);
    expect_each_as_alone<double>(given);
    expect_each_as_alone<float>(with(given, "real", "single"));
  }
  // More shocks than a block has warps, and one age.
  const Parameters given =
      with(with(parameters_of(4), "ne", std::int64_t{21}), "T", std::int64_t{1});
  EXPECT_TRUE(macrobench::solve(make(*implementation_, given)).valid);
}

TEST_P(BatchOfLifecycle, GivesTheSameBitsOnAnyNumberOfThreads) {
  for (const std::string real : {"double", "single"}) {
    std::string first;
    for (const std::int64_t threads : {1, 2, 5}) {
      std::string bits;
      const Outcome outcome = macrobench::solve(
          make(*implementation_, with(with(parameters_of(21), "threads", threads), "real", real)),
          &bits);
      EXPECT_TRUE(outcome.valid) << outcome.why;
      if (threads == 1) first = bits;
      EXPECT_EQ(bits, first) << threads;
    }
  }
}

TEST_P(BatchOfLifecycle, TakesItsCalibrationsFromAFile) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "estimates.csv").string();
  write_file(path, "sigma,lambda_eps\n2,.99\n1.5,.97\n3,.9\n");
  const Parameters given = with(parameters_of(3), "calibrations", path);
  const Outcome outcome = macrobench::solve(make(*implementation_, given));
  EXPECT_TRUE(outcome.valid) << outcome.why;
  expect_each_as_alone<double>(given);
  const Problem batch = axes().problem_of(make(*implementation_, given).parameters);
  EXPECT_EQ(economy_of(batch, 1).calibration.sigma, 1.5);
  EXPECT_EQ(economy_of(batch, 2).calibration.lambda_eps, .9);
  EXPECT_EQ(economy_of(batch, 2).calibration.beta, Calibration().beta);
}

TEST_P(BatchOfLifecycle, TooLargeToBeKeptIsJudgedBySamples) {
  Parameters given = parameters_of(6, 20);
  given.set("T", std::int64_t{10'000});
  const Outcome outcome = macrobench::solve(make(*implementation_, given));
  EXPECT_TRUE(outcome.valid) << outcome.why;
  EXPECT_FALSE(outcome.exhaustive);
  EXPECT_EQ(outcome.figures.at("economies_in_full"), 4);
}

FOR_EVERY_IMPLEMENTATION(BatchOfLifecycle, names_with_economies, "lifecycle");

TEST(LifecycleEconomies, ASampleThatAddsUpIsNotASolution) {
  // Nothing is solved: V' is 0, the least is saved, and V is utility today.
  const Problem batch = batch_of(300);
  Solution<double> lazy = solved(batch);
  std::ranges::fill(lazy.sample, 0);
  std::ranges::fill(lazy.sample_choice, 0);
  for (int e = 0; e < batch.economies; ++e) {
    const Problem economy = economy_of(batch, e);
    const Grids<double> grids = grids_in_double(economy);
    for (int n = 0; n < states_per_sample; ++n) {
      const State state = sampled_state(batch, e, n);
      const double available = resources_of(economy, grids.x[static_cast<std::size_t>(state.ix)],
                                            grids.e[static_cast<std::size_t>(state.ie)]);
      const double sigma = economy.calibration.sigma;
      const double consumed = available - grids.x.front();
      lazy.sample[static_cast<std::size_t>(e * states_per_sample + n) * sample_size(batch)] =
          sigma == 1 ? std::log(consumed) : std::pow(consumed, 1 - sigma) / (1 - sigma);
    }
  }
  EXPECT_THAT(judge(batch, lazy, true).why, HasSubstr("where it must be from"));
}

TEST(LifecycleEconomies, TheCertificateNamesTheEconomyThatIsWrong) {
  const Problem batch = batch_of(12);
  const Solution<double> right = solved(batch);
  const Outcome outcome = judge(batch, right, false);
  EXPECT_TRUE(outcome.valid) << outcome.why;
  const auto why = [&](const std::function<void(Solution<double>&)>& spoil) {
    Solution<double> wrong = right;
    spoil(wrong);
    const Outcome judged = judge(batch, wrong, false);
    EXPECT_FALSE(judged.valid);
    return judged.why;
  };
  const std::size_t size = sample_size(batch);
  const auto sample = [](int economy, int n) {
    return static_cast<std::size_t>(economy * states_per_sample + n);
  };
  EXPECT_THAT(why([&](auto& s) { s.sample[sample(5, 3) * size] *= 1 + 1e-12; }),
              HasSubstr("economy 5 (sigma = "));
  EXPECT_THAT(why([&](auto& s) { s.sample[sample(11, 0) * size] = std::nan(""); }),
              HasSubstr("economy 11 ("));
  EXPECT_THAT(why([&](auto& s) { s.sample_choice[sample(2, 1)] = 60; }), HasSubstr("economy 2 ("));
  EXPECT_THAT(why([&](auto& s) { s.sample_choice[sample(2, 1)] = -1; }), HasSubstr("economy 2 ("));
  // A state that no sample has.
  EXPECT_THAT(why([&](auto& s) { s.V[7 * batch.states() * 10 + 321] *= 1 + 1e-9; }),
              HasSubstr("economy 7 ("));
  EXPECT_THAT(why([&](auto& s) { s.sample.pop_back(); }), HasSubstr("sample has"));
  EXPECT_THAT(why([&](auto& s) { s.sample_choice.clear(); }), HasSubstr("sample_choice has"));
  EXPECT_THAT(why([&](auto& s) { s.V.pop_back(); }), HasSubstr("V has"));
}

TEST(LifecycleEconomies, WhatABatchCannotBeIsRefused) {
  const auto refusal = [](const Parameters& given) -> std::string {
    return complaint_of(
        [&] { return Registry::global().make_case("lifecycle/frontier", given, 1); });
  };
  EXPECT_EQ(refusal(parameters_of(200)), "");
  EXPECT_THAT(refusal(with(parameters_of(200), "recursion", "as_published")),
              HasSubstr("recursion = corrected"));
  EXPECT_THAT(refusal(with(parameters_of(200), "lambda_eps", -.9)), HasSubstr("lambda_eps = -"));
}

}  // namespace
}  // namespace macrobench::lifecycle
