// Every implementation in the registry, compared with brute force and with what the tutorial
// prints: a new one is tested as soon as it is registered. `processes` starts others, and has its
// own test.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "implementations/lifecycle/certificate.hpp"
#include "tests/implementations/every_implementation.hpp"
#include "tests/implementations/lifecycle/brute_force.hpp"
#include "tests/implementations/program_problem.hpp"
#include "tests/matchers.hpp"

namespace macrobench::lifecycle {
namespace {

Parameters sized(std::int64_t nx, std::int64_t ne, std::int64_t T, const char* recursion) {
  return {{"nx", nx}, {"ne", ne}, {"T", T}, {"recursion", recursion}};
}

/// V at age 1 at the lowest savings and the first three shocks, as Julia prints numbers.
std::vector<std::string> printed(const Outcome& outcome) {
  std::vector<std::string> all;
  for (const char* name : {"V_1_1", "V_1_2", "V_1_3"}) {
    all.push_back(fmt::format("{:.6g}", outcome.figures.at(name)));
  }
  return all;
}

class EveryLifecycle : public EveryImplementation {
 protected:
  EveryLifecycle() : EveryImplementation("lifecycle") {}

  [[nodiscard]] bool takes(const std::string& recursion) const {
    return std::ranges::count(choices(*implementation_, "recursion"), recursion) > 0;
  }

  /// An economy's brute force, on the grids that the implementation has in double by default, made
  /// once for all.
  [[nodiscard]] const std::vector<double>& truth(std::size_t economy, Recursion recursion) const {
    static std::map<std::tuple<std::size_t, Recursion, bool>, std::vector<double>> known;
    const bool grids_in_real =
        choices(*implementation_, "grids") == std::vector<std::string>{"in_real"};
    std::vector<double>& V = known[{economy, recursion, grids_in_real}];
    if (V.empty()) {
      Problem problem = problem_of(economies()[economy]);
      problem.recursion = recursion;
      problem.grids_in_real = grids_in_real;
      V = brute_force(problem);
    }
    return V;
  }
};

TEST_P(EveryLifecycle, IsWhatBruteForceIs) {
  const std::vector<Parameters> all = economies();
  // A program may compile itself in each process: it solves one economy in four.
  const std::size_t step = implementation_->folder.empty() ? 1 : 4;
  for (std::size_t i = 0; i < all.size(); i += step) {
    for (const Recursion recursion : {Recursion::corrected, Recursion::as_published}) {
      const bool corrected = recursion == Recursion::corrected;
      if (!takes(corrected ? "corrected" : "as_published")) continue;
      for (const std::string& real : choices(*implementation_, "real")) {
        Parameters given =
            with(with(all[i], "recursion", corrected ? "corrected" : "as_published"), "real", real);
        if (has(*implementation_, "constants")) {
          given.set("constants", "read");
          if (problem_of(given).calibration.sigma == 1) {
            EXPECT_THROW(make(*implementation_, given), UsageError);
            continue;
          }
        }
        const Case which = make(*implementation_, given);
        SCOPED_TRACE(which.key());
        const Outcome outcome = solve(which);
        if (!which.known_invalid().empty()) {
          EXPECT_FALSE(outcome.valid);
          continue;
        }
        ASSERT_TRUE(outcome.valid) << outcome.why;
        EXPECT_TRUE(outcome.exhaustive);
        if (real == "single") continue;
        const std::vector<double>& V = truth(i, recursion);
        const auto nx = static_cast<std::size_t>(which.parameters.integer("nx"));
        const auto ne = static_cast<std::size_t>(which.parameters.integer("ne"));
        for (std::size_t ie = 0; ie < std::min<std::size_t>(3, ne); ++ie) {
          EXPECT_NEAR(outcome.figures.at(fmt::format("V_1_{}", ie + 1)), V[ie * nx],
                      1e-12 * std::max(1.0, std::abs(V[ie * nx])));
        }
      }
    }
  }
}

TEST_P(EveryLifecycle, HasItsGridsInThePrecisionOfVIfAsked) {
  if (std::ranges::count(choices(*implementation_, "grids"), "in_real") == 0) {
    GTEST_SKIP() << "its grids are the tutorial's";
  }
  for (const std::string& real : choices(*implementation_, "real")) {
    const Parameters given =
        with(with(sized(150, 5, 10, "corrected"), "grids", "in_real"), "real", real);
    const Outcome outcome = solve(make(*implementation_, given));
    ASSERT_TRUE(outcome.valid) << outcome.why;
    if (real == "single") continue;
    Problem problem;
    problem.nx = 150;
    problem.ne = 5;
    problem.grids_in_real = true;
    static const std::vector<double> exact = brute_force(problem);
    problem.grids_in_real = false;
    static const std::vector<double> rounded = brute_force(problem);
    for (std::size_t ie = 0; ie < 3; ++ie) {
      const double V = outcome.figures.at(fmt::format("V_1_{}", ie + 1));
      EXPECT_NEAR(V, exact[ie * 150], 1e-12);
      EXPECT_GT(std::abs(V - rounded[ie * 150]), 1e-9)
          << "double throughout, it is another problem";
    }
  }
}

/// The published loops compute it again for each state.
TEST_P(EveryLifecycle, IsTheSameWhereverItComputesTheExpectation) {
  if (choices(*implementation_, "expectation").empty()) GTEST_SKIP() << "it has one way only";
  const Parameters problem = sized(150, 5, 10, "corrected");
  for (const std::string& way : choices(*implementation_, "expectation")) {
    for (const std::string& real : choices(*implementation_, "real")) {
      const Outcome outcome =
          solve(make(*implementation_, with(with(problem, "expectation", way), "real", real)));
      EXPECT_TRUE(outcome.valid) << outcome.why;
      EXPECT_THAT(printed(outcome), ElementsAre("-2.1641", "-1.94366", "-1.74344"))
          << way << ' ' << real;
    }
  }
}

TEST_P(EveryLifecycle, PrintsWhatTheTutorialPrints) {
  for (const std::string& real : choices(*implementation_, "real")) {
    if (takes("as_published")) {
      const Outcome published =
          solve(make(*implementation_, with(sized(150, 5, 10, "as_published"), "real", real)));
      EXPECT_TRUE(published.valid) << published.why;
      EXPECT_THAT(printed(published), ElementsAre("-2.16987", "-1.94911", "-1.7484")) << real;
    }
    const Outcome corrected =
        solve(make(*implementation_, with(sized(150, 5, 10, "corrected"), "real", real)));
    EXPECT_TRUE(corrected.valid) << corrected.why;
    EXPECT_THAT(printed(corrected), ElementsAre("-2.1641", "-1.94366", "-1.74344")) << real;
  }
}

TEST_P(EveryLifecycle, GivesTheSameBitsTwiceAndOnAnyNumberOfThreads) {
  for (const std::string& real : choices(*implementation_, "real")) {
    for (const char* recursion : {"corrected", "as_published"}) {
      if (!takes(recursion)) continue;
      std::string first;
      const Parameters problem = with(sized(70, 7, 5, recursion), "real", real);
      solve(make(*implementation_, problem), &first);
      for (const std::int64_t threads : {1, 2, 3, 5, 16}) {
        if (threads > 1 && !has(*implementation_, "threads")) continue;
        const Case which = make(*implementation_, with(problem, "threads", threads));
        std::string again;
        EXPECT_TRUE(solve(which, &again).valid) << which.key();
        EXPECT_EQ(again, first) << which.key();
      }
    }
  }
}

TEST_P(EveryLifecycle, SaysWhichAgeItIsAt) {
  if (!implementation_->folder.empty()) GTEST_SKIP() << "a program from outside says no stages";
  std::vector<std::string> stages;
  solve(make(*implementation_, sized(20, 3, 4, "corrected")), nullptr, &stages);
  if (GetParam() == "frontier") {
    EXPECT_THAT(stages, IsEmpty()) << "its threads meet the ages together";
  } else if (GetParam() == "frontier_cuda") {
    EXPECT_THAT(stages, ElementsAre("grids", "ages", "copy"));
  } else if (GetParam().starts_with("zarruk")) {
    EXPECT_THAT(stages, ElementsAre("last_age", "other_ages", "age_2"))
        << "their time has nothing else";
  } else {
    EXPECT_THAT(stages, ::testing::IsSupersetOf({"last_age", "other_ages", "age_2"}));
    if (GetParam().ends_with("cuda") || GetParam() == "cuda_c") {
      EXPECT_THAT(stages, ::testing::IsSupersetOf({"arrays", "copy"}));
    }
    if (GetParam() == "cuda_c") {
      EXPECT_THAT(stages, ::testing::IsSupersetOf(
                              {"V_to_device", "x_to_device", "e_to_device", "P_to_device"}));
    }
  }
}

FOR_EVERY_IMPLEMENTATION(EveryLifecycle, names_of, "lifecycle");

/// The tutorial's three sizes, and what it prints for them.
struct Size {
  std::int64_t nx, ne;
  std::vector<std::string> printed, corrected;
};

const std::vector<Size>& sizes() {
  static const std::vector<Size> all{
      {150, 5, {"-2.16987", "-1.94911", "-1.7484"}, {"-2.1641", "-1.94366", "-1.74344"}},
      {1500, 15, {"-2.12087", "-2.08143", "-2.02839"}, {"-2.11762", "-2.07729", "-2.02366"}},
      {2000, 25, {"-2.12024", "-2.10028", "-2.07342"}, {"-2.11698", "-2.09648", "-2.06913"}}};
  return all;
}

/// Of the case, without the certificate's time.
Outcome printed_by(const char* id, const Parameters& given) {
  const Case which = make(Registry::global().implementation(id), given);
  const std::unique_ptr<Instance> instance = which.implementation->instantiate(which.parameters);
  instance->start();
  instance->poison();
  StageClock clock;
  instance->solve(clock);
  return instance->check(false);
}

TEST(LifecycleFrontier, PrintsAllNineNumbersOfTheTutorial) {
  for (const Size& size : sizes()) {
    const Outcome published =
        printed_by("lifecycle/frontier", sized(size.nx, size.ne, 10, "as_published"));
    EXPECT_TRUE(published.valid) << published.why;
    EXPECT_EQ(printed(published), size.printed);
    const Outcome corrected =
        printed_by("lifecycle/frontier", sized(size.nx, size.ne, 10, "corrected"));
    EXPECT_TRUE(corrected.valid) << corrected.why;
    EXPECT_EQ(printed(corrected), size.corrected);
  }
}

TEST(LifecycleFrontier, KnowsWhatAHundredAgesWouldHaveGiven) {
  const Outcome outcome = printed_by("lifecycle/frontier", sized(2000, 25, 100, "corrected"));
  EXPECT_TRUE(outcome.valid) << outcome.why;
  std::vector<std::string> values;
  for (const char* name : {"V_1_1", "V_1_2", "V_1_3"}) {
    values.push_back(fmt::format("{:.5f}", outcome.figures.at(name)));
  }
  EXPECT_THAT(values, ElementsAre("-7.12600", "-7.08747", "-7.03229"));
}

TEST(LifecycleOfZarruk, HasTheValuesOfTheirProgram) {
  for (const char* constants : {"compiled", "read"}) {
    const Outcome outcome = printed_by(
        "lifecycle/zarruk", with(sized(1500, 15, 10, "corrected"), "constants", constants));
    EXPECT_TRUE(outcome.valid) << outcome.why;
    EXPECT_EQ(static_cast<float>(outcome.figures.at("V_1_1")), -2.11761475F) << constants;
    EXPECT_EQ(static_cast<float>(outcome.figures.at("V_1_2")), -2.07728434F) << constants;
    EXPECT_EQ(static_cast<float>(outcome.figures.at("V_1_3")), -2.02365589F) << constants;
  }
}

TEST(LifecycleOfZarruk, HasOnlyTheirSigmaCompiledIn) {
  const Implementation& zarruk = Registry::global().implementation("lifecycle/zarruk");
  EXPECT_THROW(make(zarruk, {{"sigma", 3.0}}), UsageError);
  EXPECT_TRUE(solve(make(zarruk, {{"nx", 60}, {"sigma", 3.0}, {"constants", "read"}})).valid);
}

/// Asks no device.
TEST(LifecycleOfZarruk, SaysWhatTheirCudaCannotDo) {
  const Implementation* zarruk = Registry::global().find("lifecycle/zarruk_cuda");
  if (zarruk == nullptr) GTEST_SKIP() << "this build has no CUDA";
  EXPECT_THAT([&] { make(*zarruk, {{"ne", std::int64_t{35}}}); },
              ::testing::ThrowsMessage<UsageError>(HasSubstr("CUDA allows 1024 threads")));
  EXPECT_EQ(make(*zarruk, {{"ne", std::int64_t{34}}}).known_invalid(), "");
  EXPECT_THAT(make(*zarruk, {{"sigma", 1.0}}).known_invalid(), HasSubstr("divided by 0"));
}

/// All of a last block's states, however few, and blocks as full as CUDA allows.
TEST(LifecycleOfZarruk, HasEveryStateOfTheirCudaInDouble) {
  const Implementation* zarruk = Registry::global().find("lifecycle/zarruk_cuda");
  if (zarruk == nullptr) GTEST_SKIP() << "this build has no CUDA";
  if (const std::string why = zarruk->unavailable(); !why.empty()) GTEST_SKIP() << why;
  for (const std::int64_t nx : {29, 30, 31, 61}) {
    const Outcome outcome = solve(make(*zarruk, sized(nx, 34, 3, "corrected")));
    EXPECT_TRUE(outcome.valid) << nx << ": " << outcome.why;
  }
  const Parameters theirs = with(sized(1500, 15, 10, "corrected"), "grids", "in_real");
  const Outcome found = printed_by("lifecycle/zarruk_cuda", theirs);
  EXPECT_TRUE(found.valid) << found.why;
  EXPECT_NEAR(found.figures.at("V_1_1"),
              printed_by("lifecycle/frontier", theirs).figures.at("V_1_1"), 1e-13);
}

/// The tutorial's launch shape, and smaller ones.
class GpuLifecycleLaunch : public ::testing::Test {
 protected:
  void SetUp() override {
    implementation_ = Registry::global().find("lifecycle/cuda_c");
    if (implementation_ == nullptr) GTEST_SKIP() << "this build has no CUDA";
    if (const std::string why = implementation_->unavailable(); !why.empty()) GTEST_SKIP() << why;
  }

  const Implementation* implementation_ = nullptr;
};

TEST_F(GpuLifecycleLaunch, PrintsAllNineNumbersOfTheTutorial) {
  for (const Size& size : sizes()) {
    for (const char* arrays : {"inside", "beforehand"}) {
      const Outcome outcome =
          printed_by("lifecycle/cuda_c",
                     with(with(sized(size.nx, size.ne, 10, "as_published"), "real", "single"),
                          "arrays", arrays));
      EXPECT_TRUE(outcome.valid) << outcome.why;
      EXPECT_EQ(printed(outcome), size.printed) << arrays;
    }
  }
}

TEST_F(GpuLifecycleLaunch, WithFewerThreadsThanStatesIsKnownToAddUpAcrossThem) {
  for (const auto& [blocks, block] : {std::pair<std::int64_t, std::int64_t>{1, 32}, {7, 16}}) {
    const Parameters few =
        with(with(sized(60, 4, 5, "as_published"), "blocks", blocks), "block", block);
    const Case published = make(*implementation_, few);
    EXPECT_THAT(published.known_invalid(), HasSubstr("fewer threads than states"));
    const Outcome outcome = solve(published);
    EXPECT_FALSE(outcome.valid);
    EXPECT_THAT(outcome.why, HasSubstr("where the best choice gives"));

    const Case corrected = make(*implementation_, with(few, "recursion", "corrected"));
    EXPECT_EQ(corrected.known_invalid(), "");
    EXPECT_TRUE(solve(corrected).valid) << "set back at every choice, it does not matter";
  }
  const Parameters enough = with(with(sized(60, 4, 5, "as_published"), "blocks", std::int64_t{8}),
                                 "block", std::int64_t{30});
  EXPECT_EQ(make(*implementation_, enough).known_invalid(), "");
  EXPECT_TRUE(solve(make(*implementation_, enough)).valid);
}

/// Asks no device: what is known of a launch is known anywhere the code is built.
TEST(LifecycleLaunch, TooSmallOnesAreAKnownFinding) {
  const Implementation* cuda_c = Registry::global().find("lifecycle/cuda_c");
  if (cuda_c == nullptr) GTEST_SKIP() << "this build has no CUDA";
  const auto known = [&](std::int64_t blocks, std::int64_t block, const char* recursion) {
    const Parameters given =
        with(with(sized(60, 4, 5, recursion), "blocks", blocks), "block", block);
    return !make(*cuda_c, given).known_invalid().empty();
  };
  EXPECT_TRUE(known(1, 239, "as_published"));
  EXPECT_FALSE(known(1, 240, "as_published"));
  EXPECT_FALSE(known(256, 0, "as_published")) << "the tutorial's own";
  EXPECT_FALSE(known(1, 32, "corrected"));
}

TEST(LifecycleOfPrograms, EveryParameterIsInTheProblem) {
  expect_every_parameter_in_problem("lifecycle", {});
}

}  // namespace
}  // namespace macrobench::lifecycle
