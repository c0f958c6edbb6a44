// Every implementation in the registry, compared with the reference: a new one is tested at once.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "tests/implementations/every_implementation.hpp"
#include "tests/implementations/program_problem.hpp"
#include "tests/matchers.hpp"

namespace macrobench {
namespace {

class EveryRbc : public EveryImplementation {
 protected:
  EveryRbc() : EveryImplementation("rbc") {}

  /// Its maximizers; one empty name if it has no such axis.
  [[nodiscard]] std::vector<Parameters> variants(const Parameters& base) const {
    std::vector<std::string> maximizers = choices(*implementation_, "maximizer");
    if (maximizers.empty()) maximizers.emplace_back("bisection");
    std::vector<Parameters> all;
    for (const std::string& real : choices(*implementation_, "real")) {
      for (const std::string& maximizer : maximizers) {
        Parameters one = base;
        one.set("real", real);
        one.set("maximizer", maximizer);
        all.push_back(one);
      }
    }
    return all;
  }

  /// A frontier, unless all that it adds to the published algorithm is several devices or a
  /// language.
  [[nodiscard]] bool has_its_own_way() const {
    return implementation_->origin == Origin::frontier && !has(*implementation_, "gpus") &&
           implementation_->folder.empty();
  }

  /// An interpreter takes a minute for what a compiler does in a blink.
  [[nodiscard]] static bool is_interpreted() {
    const std::string name = GetParam();
    return name == "octave" || name == "cpython" || name == "r";
  }
  /// O(Nk^2) per iteration.
  [[nodiscard]] static bool forms_every_expectation() {
    const std::string name = GetParam();
    return name == "serial" || name == "serial_checked" || name == "serial_2012";
  }
  /// Its fixed point is another.
  [[nodiscard]] static bool interpolates() {
    return std::string(GetParam()).ends_with("_interpolated");
  }
  /// And a program from outside starts in a second.
  [[nodiscard]] bool slow() const { return is_interpreted() || !implementation_->folder.empty(); }
};

TEST_P(EveryRbc, IsValidOnSmallGrids) {
  for (const std::int64_t nk : {2, 3, 4, 5, 17, 100, 128}) {
    if (slow() && nk != 2 && nk != 17) continue;
    for (const Parameters& variant : variants({{"nk", nk}, {"future_points", 50}})) {
      const Case which = make(*implementation_, variant);
      if (!which.known_invalid().empty()) continue;
      const Outcome outcome = solve(which);
      EXPECT_TRUE(outcome.valid) << which.key() << ": " << outcome.why;
      const bool single = variant.name("real") == "single";
      // An error of one ulp per iteration adds up to 1 / (1 - beta) ulps.
      EXPECT_LT(outcome.figures.at("value_error"), single ? 5e-4 : 1.1e-8) << which.key();
      EXPECT_LE(outcome.figures.at("policy_distance"), single ? 2 : 1) << which.key();
    }
  }
}

TEST_P(EveryRbc, HasTheFingerprints) {
  if (is_interpreted()) GTEST_SKIP() << "128 points take an interpreter minutes";
  // At tolerance 1e-10. Whoever stops there is within tolerance / (1 - beta) of the fixed point,
  // the fingerprints too; by bisection the iterates themselves are the same.
  const std::vector<std::pair<std::int64_t, std::array<double, 2>>> fingerprints{
      {128, {-19.3778835674, -16.5125214727}}, {1024, {-19.3756498092, -16.5110101985}}};
  const bool plain = !has_its_own_way();
  for (const auto& [nk, V] : fingerprints) {
    if ((forms_every_expectation() || slow()) && nk > 128) continue;
    for (const std::string maximizer : {"bisection", "grid_howard"}) {
      const std::vector<std::string> its = choices(*implementation_, "maximizer");
      if (!its.empty() && std::ranges::count(its, maximizer) == 0) continue;
      const Case which =
          make(*implementation_, {{"nk", nk}, {"tolerance", 1e-10}, {"maximizer", maximizer}});
      const Outcome outcome = solve(which);
      const bool exact = plain && maximizer == "bisection";
      const double within = exact ? 1e-10 : 2 * 1e-10 / (1 - 0.984);
      EXPECT_NEAR(outcome.figures.at("V_first"), V[0], within) << which.key();
      EXPECT_NEAR(outcome.figures.at("V_last"), V[1], within) << which.key();
      if (exact) {
        EXPECT_EQ(outcome.iterations, 1353) << which.key();
      }
    }
  }
}

TEST_P(EveryRbc, IsValidAtTheFirstToleranceAdvised) {
  if (slow()) GTEST_SKIP() << "thousands of iterations";
  for (const double gamma : {20.0, 60.0, 100.0}) {
    const Case first = make(*implementation_, {{"nk", 128}, {"gamma", gamma}});
    const std::string why = solve(first).why;
    const std::size_t at = why.rfind("--tolerance ");
    if (at == std::string::npos) {
      EXPECT_EQ(why, "") << gamma;
      continue;
    }
    const double advised = std::stod(why.substr(at + std::string_view("--tolerance ").size()));
    const Outcome outcome =
        solve(make(*implementation_, {{"nk", 128}, {"gamma", gamma}, {"tolerance", advised}}));
    EXPECT_TRUE(outcome.valid) << gamma << ", " << why << ", and then " << outcome.why;
  }
}

TEST_P(EveryRbc, TakesTheIterationsOfTheAuthorsCode) {
  if (has_its_own_way()) GTEST_SKIP() << "takes its own way";
  if (interpolates()) GTEST_SKIP() << "the authors' code for it is not public";
  EXPECT_EQ(solve(make(*implementation_, {{"nk", 16}})).iterations, 1324);
  if (is_interpreted()) return;
  EXPECT_EQ(solve(make(*implementation_, {{"nk", 128}})).iterations, 1323);
}

TEST_P(EveryRbc, HoldsForOtherCalibrations) {
  const std::int64_t nk = slow() ? 9 : 60;
  const std::vector<Parameters> calibrations{
      {{"gamma", 1.0}}, {{"gamma", 0.5}},
      {{"gamma", 5.0}}, {{"beta", 0.9}, {"delta", 0.1}},
      {{"nz", 2}},      {{"nz", 7}},
      {{"rho", 0.5}},   {{"grid_low", 0.6}, {"grid_high", 1.6}, {"delta", 0.6}}};
  for (std::size_t n = 0; n < calibrations.size(); ++n) {
    if (slow() && n % 2 == 1) continue;
    Parameters base = calibrations[n];
    base.set("nk", nk);
    for (const Parameters& variant : variants(base)) {
      // Single precision must meet its tolerance at the papers' calibration; see the certificate.
      if (variant.name("real") == "single" && !has_its_own_way()) continue;
      const Case which = make(*implementation_, variant);
      const Outcome outcome = solve(which);
      EXPECT_TRUE(outcome.valid) << which.key() << ": " << outcome.why;
    }
  }
}

TEST_P(EveryRbc, StopsAtTheIterationCap) {
  for (const Parameters& variant : variants({{"nk", 33}, {"iteration_cap", 2}})) {
    if (variant.name("real") == "single") continue;
    const Outcome outcome = solve(make(*implementation_, variant));
    if (has_its_own_way() && outcome.valid) continue;  // two were enough
    EXPECT_FALSE(outcome.valid);
    EXPECT_THAT(outcome.why, HasSubstr("not converged"));
    EXPECT_LE(outcome.iterations, 2);
  }
}

TEST_P(EveryRbc, GivesTheSameBitsTwice) {
  for (const Parameters& variant : variants({{"nk", std::int64_t{slow() ? 5 : 100}}})) {
    std::string first;
    std::string second;
    solve(make(*implementation_, variant), &first);
    solve(make(*implementation_, variant), &second);
    EXPECT_EQ(first, second);
  }
}

TEST_P(EveryRbc, GivesTheSameBitsAtAnyThreadCount) {
  if (!has(*implementation_, "threads")) GTEST_SKIP() << "takes no threads";
  std::string one;
  std::string three;
  solve(make(*implementation_, {{"nk", 500}}), &one);
  solve(make(*implementation_, {{"nk", 500}, {"threads", 3}}), &three);
  EXPECT_EQ(one, three);
}

TEST_P(EveryRbc, GivesTheSameBitsDividedAmongDevices) {
  for (const std::int64_t gpus : {2, 4}) {
    if (const std::string why = no_gpus_for(*implementation_, gpus); !why.empty()) {
      if (gpus == 2) GTEST_SKIP() << why;
      break;
    }
    for (const char* maximizer : {"bisection", "grid_howard"}) {
      for (const std::int64_t nk : {2, 3, 64, 1'001}) {
        const Parameters one{{"nk", nk}, {"maximizer", maximizer}};
        const Case divided = make(*implementation_, with(one, "gpus", gpus));
        std::string expected;
        std::string found;
        const Outcome alone = solve(make(*implementation_, one), &expected);
        const Outcome outcome = solve(divided, &found);
        EXPECT_EQ(outcome.why, alone.why) << divided.key();
        EXPECT_EQ(outcome.iterations, alone.iterations) << divided.key();
        EXPECT_EQ(found, expected) << divided.key();
      }
    }
  }
}

TEST_P(EveryRbc, GivesTheBitsOfTheProgramThatItDivides) {
  if (!std::string(GetParam()).ends_with("_gpus")) GTEST_SKIP() << "divides none";
  const Implementation& of_one = on_one_gpu(*implementation_);
  for (const Parameters& variant : variants({{"nk", 1'001}})) {
    std::string expected;
    std::string found;
    solve(make(of_one, variant), &expected);
    solve(make(*implementation_, variant), &found);
    EXPECT_EQ(found, expected) << make(*implementation_, variant).key();
  }
}

TEST_P(EveryRbc, GivesTheBitsOfThePublishedProgramWhoseSetUpItMends) {
  const std::string name = GetParam();
  if (!name.ends_with("_filled")) GTEST_SKIP() << "mends no set-up";
  const Implementation& published =
      Registry::global().implementation("rbc/" + name.substr(0, name.size() - 7));
  for (const Parameters& variant : variants({{"nk", 100}})) {
    if (variant.name("real") == "single") continue;  // theirs starts from a rounded Z
    std::string expected;
    std::string found;
    std::vector<std::string> stages;
    solve(make(published, variant), &expected, &stages);
    solve(make(*implementation_, variant), &found);
    EXPECT_EQ(found, expected) << make(*implementation_, variant).key();
    EXPECT_THAT(stages, ElementsAre("set_up", "iteration"));
  }
}

TEST_P(EveryRbc, SinglePrecisionBisectionIsReportedInvalid) {
  // In double precision 1,353 iterations are enough.
  Parameters base{
      {"nk", 1024}, {"real", "single"}, {"maximizer", "bisection"}, {"iteration_cap", 2000}};
  const std::vector<std::string> reals = choices(*implementation_, "real");
  if (std::count(reals.begin(), reals.end(), "single") == 0 || forms_every_expectation()) {
    GTEST_SKIP() << "no single precision, or the same search as serial_probed's at O(Nk^2)";
  }
  if (interpolates()) GTEST_SKIP() << "bisects nothing";
  const Case which = make(*implementation_, base);
  const Outcome outcome = solve(which);
  if (has_its_own_way()) {
    EXPECT_TRUE(outcome.valid) << outcome.why;
    EXPECT_EQ(which.known_invalid(), "");
  } else {
    EXPECT_FALSE(outcome.valid);
    EXPECT_NE(which.known_invalid(), "");
  }
}

FOR_EVERY_IMPLEMENTATION(EveryRbc, names_of, "rbc");

TEST(RbcOfPrograms, EveryParameterIsInTheProblem) {
  expect_every_parameter_in_problem("rbc", {{"monotone", "0"}});
}

}  // namespace
}  // namespace macrobench
