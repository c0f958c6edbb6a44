// The noise of a machine by a build against itself, and the thresholds that follow.

#include "harness/regress/noise.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "harness/files/output_folder.hpp"
#include "harness/text/error.hpp"
#include "harness/text/format.hpp"
#include "harness/text/json_values.hpp"
#include "tests/harness/support.hpp"
#include "tests/matchers.hpp"

namespace macrobench {
namespace {

/// Pairs whose log ratios are normal around log(ratio), with this standard deviation.
RegressionCase drawn(std::mt19937& engine, int pairs, double ratio, double noise) {
  const auto uniform = [&] { return (static_cast<double>(engine()) + 0.5) / 0x1p32; };
  RegressionCase one{.key = "fake/plain size=1"};
  for (int i = 0; i < pairs; ++i) {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    const double normal = radius * std::cos(6.283185307179586 * uniform());
    one.base.push_back(0.001);
    one.head.push_back(0.001 * ratio * std::exp(noise * normal));
  }
  return one;
}

Verdict verdict_on(RegressionCase one) {
  RegressionTerms terms;
  terms.threshold = 1;
  conclude(one, terms);
  return one.verdict;
}

/// The share of slowdowns of this ratio that both measurements call slower.
double share_found(double ratio, int pairs, double noise) {
  constexpr int tries = 150;
  std::mt19937 engine(5);
  int found = 0;
  for (int i = 0; i < tries; ++i) {
    const bool first = verdict_on(drawn(engine, pairs, ratio, noise)) == Verdict::slower;
    const bool second = verdict_on(drawn(engine, pairs, ratio, noise)) == Verdict::slower;
    found += first && second ? 1 : 0;
  }
  return static_cast<double>(found) / tries;
}

TEST(Noise, IsTheStandardDeviationThatWasPlanted) {
  std::mt19937 engine(1);
  RegressionCase one = drawn(engine, 2000, 1.0, 0.04);
  EXPECT_NEAR(noise_of(one.base, one.head), 0.04, 0.003);
  for (std::size_t i = 0; i < 40; ++i) one.head[50 * i] *= 10;
  EXPECT_NEAR(noise_of(one.base, one.head), 0.04, 0.004) << "a few spoilt pairs";
  EXPECT_EQ(noise_of({1, 1, 1}, {1, 1, 1}), 0);
}

TEST(Noise, TheSmallestDifferenceSeenIsFoundFourTimesOfFive) {
  for (const int pairs : {11, 21}) {
    const double smallest = smallest_seen(0.05, pairs, 0.995).value();
    EXPECT_NEAR(share_found(smallest, pairs, 0.05), 0.8, 0.1) << pairs;
    EXPECT_LT(share_found(1 + (smallest - 1) / 2, pairs, 0.05), 0.5) << pairs;
  }
}

TEST(Noise, MorePairsSeeLess) {
  EXPECT_FALSE(smallest_seen(0.05, 5, 0.995));
  double before = 100;
  for (const int pairs : {10, 20, 40, 80}) {
    const double smallest = smallest_seen(0.05, pairs, 0.995).value();
    EXPECT_GT(smallest, 1);
    EXPECT_LT(smallest, before) << pairs;
    before = smallest;
  }
  EXPECT_EQ(smallest_seen(0, 20, 0.995), 1);
  EXPECT_LT(smallest_seen(0.01, 20, 0.995).value(), smallest_seen(0.02, 20, 0.995).value());
}

TEST(Noise, ABuildAgainstItselfIsAsRarelySlowerAsTheConfidenceSays) {
  std::mt19937 engine(7);
  Regression regression;
  for (int i = 0; i < 20; ++i) regression.cases.push_back(drawn(engine, 210, 1, 0.1));
  for (RegressionCase& one : regression.cases) conclude(one, {});
  MachineNoise noise = noise_in(regression, a_machine(), 21);
  EXPECT_EQ(noise.checks, 20 * 10);
  EXPECT_LE(noise.expected / noise.checks, 1 - 0.995);
  EXPECT_GT(noise.expected, 0);
  EXPECT_LE(noise.alarms, noise.expected + 4);
  for (RegressionCase& one : regression.cases) {
    for (double& head : one.head) head *= 1.5;
  }
  noise = noise_in(regression, a_machine(), 21);
  EXPECT_GT(noise.alarms, 190) << "a true difference is seen";
}

MachineNoise example() {
  return {.machine = identified("one"),
          .time = utc_now(),
          .confidence = 0.995,
          .cases = {{"fake/plain size=1", 40, 0.05}, {"fake/spinner size=1", 40, 0.0001}},
          .checks = 8,
          .alarms = 0,
          .missing = "Nothing is left out."};
}

TEST(Noise, AThresholdIsWhatCanBeSeenAndNeverBelowTheFloor) {
  const RegressionTerms terms;
  const auto thresholds = thresholds_of(example(), terms);
  EXPECT_EQ(thresholds.at("fake/plain size=1"), smallest_seen(0.05, terms.pairs, 0.995));
  EXPECT_EQ(thresholds.at("fake/spinner size=1"), least_threshold);
  RegressionCase one{.key = "a",
                     .base = std::vector<double>(21, 2),
                     .head = std::vector<double>(21, 2.1),
                     .threshold = 1.06};
  conclude(one, terms);
  EXPECT_EQ(one.verdict, Verdict::same) << "the case's threshold, not that of the terms";
  one.threshold.reset();
  conclude(one, terms);
  EXPECT_EQ(one.verdict, Verdict::slower);
}

TEST(Noise, TheTableBeginsWithTheNoisiestAndEndsWithTheAnswer) {
  const std::string text = to_text(document_of(example(), 21), 120);
  EXPECT_THAT(text, StartsWith("Nothing is left out.\n"));
  EXPECT_LT(text.find("fake/plain"), text.find("fake/spinner"));
  EXPECT_THAT(text, HasSubstr("too few"));
  EXPECT_THAT(text, HasSubstr("With 21 pairs regress sees"));
  MachineNoise nothing = example();
  nothing.cases.clear();
  EXPECT_THAT(to_text(document_of(nothing, 21), 120), HasSubstr("take a longer --budget"));
}

class NoiseFile : public testing::Test {
 protected:
  void write(const std::string& text) const {
    const auto file = noise_file(folder.path(), machine);
    OutputFolder(file.parent_path()).write(file.filename().string(), text);
  }
  [[nodiscard]] std::string refusal(double confidence = 0.995) const {
    try {
      static_cast<void>(read_noise(folder.path(), machine, confidence));
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  }
  TemporaryFolder folder;
  Machine machine = identified("one");
};

TEST_F(NoiseFile, IsReadBack) {
  write(to_text(to_json(example())));
  const MachineNoise noise = read_noise(folder.path(), machine, 0.995);
  ASSERT_THAT(noise.cases, SizeIs(2));
  EXPECT_EQ(noise.cases[0].key, "fake/plain size=1");
  EXPECT_EQ(noise.cases[0].noise, 0.05);
  EXPECT_EQ(why_old(noise), "");
}

TEST_F(NoiseFile, NamesTheCommandIfThereIsNone) {
  EXPECT_THAT(refusal(), AllOf(HasSubstr("--threshold auto needs a calibration of this machine"),
                               HasSubstr("macrobench regress --calibrate")));
}

TEST_F(NoiseFile, RefusesATornOne) {
  const std::string whole = to_text(to_json(example()));
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, whole.size() / 2}) {
    write(whole.substr(0, size));
    EXPECT_THAT(refusal(), HasSubstr("macrobench regress --calibrate")) << size;
  }
  for (const char* const member : {"schema", "time", "machine", "confidence", "cases"}) {
    auto json = to_json(example());
    json.erase(member);
    write(to_text(json));
    EXPECT_THAT(refusal(), HasSubstr("macrobench regress --calibrate")) << member;
  }
  auto json = to_json(example());
  json["cases"][0]["noise"] = -1;
  write(to_text(json));
  EXPECT_THAT(refusal(), HasSubstr("/cases/0/noise"));
}

TEST_F(NoiseFile, RefusesAnotherMachinesAndAnotherConfidence) {
  MachineNoise others = example();
  others.machine = identified("two");
  write(to_text(to_json(others)));
  EXPECT_THAT(refusal(), HasSubstr("another machine"));
  write(to_text(to_json(example())));
  EXPECT_THAT(refusal(0.95), HasSubstr("--confidence"));
}

TEST_F(NoiseFile, AnotherCompilerIsTheSameMachine) {
  MachineNoise noise = example();
  noise.machine.block["compiler"] = "another 1.0";
  write(to_text(to_json(noise)));
  EXPECT_EQ(refusal(), "");
}

TEST(Noise, AnOldCalibrationIsReported) {
  MachineNoise noise = example();
  noise.time = utc_now(89 * 24 * 3600);
  EXPECT_EQ(why_old(noise), "");
  noise.time = utc_now(91 * 24 * 3600);
  EXPECT_THAT(why_old(noise), HasSubstr("more than 90 days ago"));
}

}  // namespace
}  // namespace macrobench
