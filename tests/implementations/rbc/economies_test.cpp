// A batch of economies: each is the problem of one calibration, judged as such.

#include "implementations/rbc/economies.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <span>
#include <string>

#include "implementations/numerics/methods/drawn_places.hpp"
#include "implementations/rbc/certificate.hpp"
#include "implementations/rbc/frontier/cpu.hpp"
#include "implementations/rbc/parameters.hpp"
#include "tests/harness/support.hpp"
#include "tests/implementations/every_implementation.hpp"
#include "tests/matchers.hpp"

namespace macrobench::rbc {
namespace {

Problem batch_of(int economies, int nk = 200) {
  Problem problem;
  problem.nk = nk;
  problem.economies = economies;
  return problem;
}

template <class Real>
Solution<Real> solved(const Problem& problem) {
  Solution<Real> solution;
  fill_with_poison(problem, solution);
  NoStages none;
  if (problem.economies == 1) {
    solve_frontier(problem, none, solution);
    return solution;
  }
  for (int e = 0; e < problem.economies; ++e) {
    keep(problem, e, solved<Real>(economy_of(problem, e)), solution);
  }
  conclude(solution);
  return solution;
}

TEST(RbcEconomies, TheFirstIsThePapersOwnAndTheOthersAreAroundIt) {
  const Problem batch = batch_of(500);
  const Calibration own;
  EXPECT_EQ(words_of(economy_of(batch, 0).calibration), words_of(own));
  std::set<double> betas;
  double least_alpha = 1;
  double most_alpha = 0;
  for (int e = 1; e < batch.economies; ++e) {
    const Calibration c = economy_of(batch, e).calibration;
    EXPECT_NEAR((1 - c.beta) / (1 - own.beta), 1, .25);
    EXPECT_NEAR(c.gamma / own.gamma, 1, .5);
    EXPECT_NEAR(c.alpha / own.alpha, 1, .1);
    EXPECT_NEAR(c.delta / own.delta, 1, .25);
    EXPECT_NEAR((1 - c.rho) / (1 - own.rho), 1, .3);
    EXPECT_NEAR(c.sigma / own.sigma, 1, .3);
    betas.insert(c.beta);
    least_alpha = std::min(least_alpha, c.alpha);
    most_alpha = std::max(most_alpha, c.alpha);
  }
  EXPECT_EQ(betas.size(), 499U);
  EXPECT_LT(least_alpha, .905 * own.alpha);
  EXPECT_GT(most_alpha, 1.095 * own.alpha);
}

TEST(RbcEconomies, ALargerBatchBeginsWithTheSmallerAndAnotherDrawIsAnother) {
  Problem other = batch_of(10);
  other.draw = 2;
  for (int e = 1; e < 10; ++e) {
    const std::string words = words_of(economy_of(batch_of(10), e).calibration);
    EXPECT_EQ(words, words_of(economy_of(batch_of(100'000), e).calibration));
    EXPECT_NE(words, words_of(economy_of(other, e).calibration));
  }
}

TEST(RbcEconomies, ThoseInFullAreDifferentAndFound) {
  for (const int nk : {1 << 10, 1 << 16, 1 << 20}) {
    for (const int economies : {2, 7, 513, 10'000}) {
      const Problem batch = batch_of(economies, nk);
      const numerics::KeptInFull kept = kept_in_full(batch);
      const int full = kept.count;
      EXPECT_EQ(full, std::min(economies, std::max(1, (1 << 19) / nk)));
      int last = -1;
      for (int n = 0; n < full; ++n) {
        const int economy = kept.economy(n);
        EXPECT_GT(economy, last);
        EXPECT_LT(economy, economies);
        EXPECT_EQ(kept.place(economy), n);
        last = economy;
      }
      int found = 0;
      for (int e = 0; e < economies; ++e) found += kept.place(e) >= 0 ? 1 : 0;
      EXPECT_EQ(found, full);
    }
  }
}

/// Of an implementation that solves batches.
class BatchOfRbc : public EveryImplementation {
 protected:
  BatchOfRbc() : EveryImplementation("rbc") {}

  /// V and the policy of each economy, alone, are those that the batch has in full, to the bit.
  template <class Real>
  void expect_each_as_alone(const Parameters& given) {
    const Case which = make(*implementation_, given);
    const Problem batch = axes().problem_of(which.parameters);
    const auto together = solution_of<Solution<Real>>(axes(), which);
    const numerics::KeptInFull kept = kept_in_full(batch);
    for (int n = 0; n < kept.count; ++n) {
      const Problem one = economy_of(batch, kept.economy(n));
      const auto alone =
          solution_of<Solution<Real>>(axes(), make(*implementation_, axes().parameters_of(one)));
      const auto equal = [&](const auto& its, const auto& all) {
        const std::size_t first = static_cast<std::size_t>(n) * one.states();
        return std::ranges::equal(its, std::span(all).subspan(first, one.states()));
      };
      EXPECT_TRUE(equal(alone.V, together.V)) << words_of(one.calibration);
      EXPECT_TRUE(equal(alone.policy, together.policy)) << words_of(one.calibration);
    }
  }
};

TEST_P(BatchOfRbc, IsValid) {
  for (const std::int64_t nk : {20, 300, 2'000}) {
    const Parameters given{{"nk", nk}, {"economies", 9}};
    const Outcome outcome = macrobench::solve(make(*implementation_, given));
    EXPECT_TRUE(outcome.valid) << outcome.why;
    EXPECT_TRUE(outcome.exhaustive);
    EXPECT_EQ(outcome.figures.at("economies"), 9);
  }
}

TEST_P(BatchOfRbc, HasEachAsItIsAlone) {
  // Coarse grids take several passes each, the finest often one.
  for (const std::int64_t nk : {20, 300, 4'096, 65'536}) {
    const Parameters given{{"nk", nk}, {"economies", 9}};
    expect_each_as_alone<double>(given);
    expect_each_as_alone<float>(with(given, "real", "single"));
  }
}

TEST_P(BatchOfRbc, HasEconomiesWithoutAContinuousSolutionToo) {
  // The policy reaches an edge of the grid in some and in none of the others.
  for (const double rho : {.9, .8}) {
    const Parameters given{{"nk", 400}, {"rho", rho}, {"economies", 12}};
    const Outcome outcome = macrobench::solve(make(*implementation_, given));
    EXPECT_TRUE(outcome.valid) << outcome.why;
    EXPECT_NE(outcome.notes.at("way"), "12 continuous");
    expect_each_as_alone<double>(given);
  }
}

TEST_P(BatchOfRbc, GivesTheSameBitsOnAnyNumberOfThreads) {
  for (const std::string real : {"double", "single"}) {
    std::string first;
    for (const std::int64_t threads : {1, 2, 5}) {
      std::string bits;
      const Outcome outcome = macrobench::solve(
          make(*implementation_,
               {{"nk", 150}, {"real", real}, {"threads", threads}, {"economies", 33}, {"draw", 7}}),
          &bits);
      EXPECT_TRUE(outcome.valid) << outcome.why;
      if (threads == 1) first = bits;
      EXPECT_EQ(bits, first) << threads;
    }
  }
}

TEST_P(BatchOfRbc, TakesItsCalibrationsFromAFile) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "estimates.csv").string();
  write_file(path, "\"gamma\", beta\r\n1, .98\r\n3.5,.985\r\n2,0.984\r\n1,.97\r\n");
  const Parameters given{{"nk", 300}, {"economies", 3}, {"calibrations", path}};
  const Outcome outcome = macrobench::solve(make(*implementation_, given));
  EXPECT_TRUE(outcome.valid) << outcome.why;
  const auto together = solution_of<Solution<double>>(axes(), make(*implementation_, given));
  const auto alone = solution_of<Solution<double>>(
      axes(), make(*implementation_, {{"nk", 300}, {"gamma", 3.5}, {"beta", .985}}));
  EXPECT_TRUE(
      std::ranges::equal(alone.V, std::span(together.V).subspan(alone.V.size(), alone.V.size())));
}

FOR_EVERY_IMPLEMENTATION(BatchOfRbc, names_with_economies, "rbc");

TEST(RbcEconomies, ABatchTooLargeToBeKeptIsJudgedBySamples) {
  const Problem batch = batch_of(70, 8192);
  const Solution<double> solution = solved<double>(batch);
  EXPECT_EQ(solution.V.size(), 64 * batch.states());
  const Outcome outcome = judge(batch, solution, false);
  EXPECT_TRUE(outcome.valid) << outcome.why;
  EXPECT_FALSE(outcome.exhaustive);
  EXPECT_EQ(outcome.figures.at("economies_in_full"), 64);
  // Those in full share what a single one of their size together would get.
  EXPECT_NEAR(static_cast<double>(outcome.checked_states),
              1.6 * static_cast<double>(numerics::drawn_places) + 70 * states_per_sample, 1'000);
}

TEST(RbcEconomies, ASampleThatAddsUpIsNotASolution) {
  // Nothing is solved: V' is 0, the least is saved, and V is utility today.
  const Problem batch = batch_of(12);
  Solution<double> lazy = solved<double>(batch);
  std::ranges::fill(lazy.sample, 0);
  std::ranges::fill(lazy.sample_policy, 0);
  for (int e = 0; e < batch.economies; ++e) {
    const Problem economy = economy_of(batch, e);
    const Calibration& c = economy.calibration;
    const Grids<double> grids = make_grids<double>(economy);
    for (int n = 0; n < states_per_sample; ++n) {
      const State state = sampled_state(batch, e, n);
      const double available =
          resources(grids.K[static_cast<std::size_t>(state.i)],
                    grids.Z[static_cast<std::size_t>(state.j)], c.alpha, c.delta);
      lazy.sample[static_cast<std::size_t>(e * states_per_sample + n) * sample_size(batch)] =
          utility(available - grids.K.front(), c.gamma);
    }
  }
  EXPECT_THAT(judge(batch, lazy, true).why, HasSubstr("where no policy is worth more than"));
}

TEST(RbcEconomies, TheCertificateNamesTheEconomyThatIsWrong) {
  const Problem batch = batch_of(12);
  const Solution<double> right = solved<double>(batch);
  EXPECT_TRUE(judge(batch, right, false).valid);
  const auto why = [&](const std::function<void(Solution<double>&)>& spoil) {
    Solution<double> wrong = right;
    spoil(wrong);
    const Outcome outcome = judge(batch, wrong, false);
    EXPECT_FALSE(outcome.valid);
    return outcome.why;
  };
  const std::size_t size = sample_size(batch);
  const auto sample = [&](int economy, int n) {
    return static_cast<std::size_t>(economy * states_per_sample + n);
  };
  EXPECT_THAT(why([&](auto& s) { s.sample[sample(5, 3) * size] += 1e-6; }),
              HasSubstr("economy 5 (beta = "));
  EXPECT_THAT(why([&](auto& s) { s.sample[sample(5, 3) * size] = std::nan(""); }),
              HasSubstr("economy 5 ("));
  EXPECT_THAT(why([&](auto& s) { s.sample[sample(11, 0) * size + 1 + 4] -= 1e-4; }),
              HasSubstr("economy 11 ("));
  EXPECT_THAT(why([&](auto& s) { s.sample_policy[sample(2, 7)] = -1; }), HasSubstr("economy 2 ("));
  EXPECT_THAT(why([&](auto& s) { s.sample_policy[sample(2, 7)] += 3; }), HasSubstr("economy 2 ("));
  EXPECT_THAT(why([&](auto& s) { s.endings[9].converged = 0; }), HasSubstr("economy 9 (beta = "));
  EXPECT_THAT(why([&](auto& s) { s.endings[9].iterations = 0; }), HasSubstr("0 iterations"));
  // Far from any sampled state.
  EXPECT_THAT(why([&](auto& s) { s.V[7 * batch.states() + 321] += 1e-6; }),
              HasSubstr("economy 7 ("));
  EXPECT_THAT(why([&](auto& s) { s.policy[3 * batch.states() + 400] += 1; }),
              HasSubstr("economy 3 ("));
  EXPECT_THAT(why([&](auto& s) {
                std::swap_ranges(
                    s.sample.begin(),
                    s.sample.begin() + static_cast<std::ptrdiff_t>(states_per_sample * size),
                    s.sample.begin() + static_cast<std::ptrdiff_t>(4 * states_per_sample * size));
              }),
              HasSubstr("economy 0 ("));
  EXPECT_THAT(why([&](auto& s) { s.sample.pop_back(); }), HasSubstr("sample has"));
  EXPECT_THAT(why([&](auto& s) { s.V.pop_back(); }), HasSubstr("V has"));
}

TEST(RbcEconomies, ADrawThatTheModelDoesNotAllowIsRefused) {
  const auto refusal = [](const Parameters& given) -> std::string {
    return complaint_of([&] { return Registry::global().make_case("rbc/frontier", given, 1); });
  };
  const std::int64_t many = 200;
  EXPECT_EQ(refusal({{"economies", many}}), "");
  EXPECT_THAT(refusal({{"economies", many}, {"alpha", .95}}), HasSubstr("alpha = "));
  EXPECT_THAT(refusal({{"economies", many}, {"rho", -.9}}), HasSubstr("rho = -"));
  EXPECT_THAT(refusal({{"economies", 1'000'000}, {"nz", 256}}), HasSubstr("take fewer"));
}

}  // namespace
}  // namespace macrobench::rbc
