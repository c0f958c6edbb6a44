// Two builds measured in turn: fakes that compute, with a slowdown or a wrong answer planted in
// one of them.

#include "harness/regress/regression_run.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/text/error.hpp"
#include "tests/harness/fake_model.hpp"
#include "tests/harness/support.hpp"
#include "tests/matchers.hpp"
#include "tests/paths.hpp"

namespace macrobench {
namespace {

Contender fake_contender(const std::string& name,
                         const std::vector<std::string>& environment = {}) {
  std::vector<std::string> child = test_child({"child"});
  if (!environment.empty()) {
    child.insert(child.begin(), environment.begin(), environment.end());
    child.insert(child.begin(), "env");
  }
  Contender contender{.side = {name, ""}, .child = child, .axes = {}};
  for (const char* implementation : {"fake/plain", "fake/spinner", "fake/absent"}) {
    contender.axes[implementation] = {"size", "rounds", "pace", "behaviour"};
  }
  return contender;
}

RegressionPlan plan_of(std::vector<Case> cases, int pairs = 9) {
  return {.cases = std::move(cases),
          .terms = {.pairs = pairs},
          .deadline = 20,
          .process_seconds = 0.01};
}

Case spinner(std::int64_t size = 2) {
  return fake_case("spinner", {{"size", size}});
}

Regression run(const RegressionPlan& plan, const std::vector<std::string>& head_environment = {}) {
  return run_regression(plan, fake_contender("before"), fake_contender("after", head_environment),
                        a_machine(), {});
}

// Generous, for machines where much else runs: the fine differences are the business of
// regression_acceptance, which takes minutes.
TEST(RegressionRun, CatchesAPlantedSlowdown) {
  RegressionPlan plan = plan_of({spinner()}, 25);
  plan.process_seconds = 0.02;
  const Regression regression = run(plan, {"MACROBENCH_TEST_SLOWDOWN=2"});
  ASSERT_THAT(regression.cases, SizeIs(1));
  const RegressionCase& one = regression.cases[0];
  EXPECT_EQ(one.verdict, Verdict::slower);
  EXPECT_THAT(one.base, SizeIs(25));
  EXPECT_THAT(one.head, SizeIs(25));
  ASSERT_TRUE(one.ratio && one.interval);
  EXPECT_GT(*one.ratio, 1.5);
  EXPECT_LT(*one.ratio, 2.7);
  ASSERT_TRUE(one.alarm) << "it was measured twice";
  EXPECT_THAT(one.alarm->base, SizeIs(25));
  EXPECT_GT(one.alarm->interval.low, 1.03);
  EXPECT_EQ(exit_code_of(regression, {}), ExitCode::slower);
}

TEST(RegressionRun, AnAlarmThatIsNotConfirmedIsNoSlowdown) {
  RegressionPlan plan = plan_of({spinner()}, 25);
  plan.process_seconds = 0.02;
  plan.terms.threshold = 1.5;
  const TemporaryFolder scratch;
  std::vector<std::string> messages;
  Progress progress;
  progress.says = [&](const std::string& message) { messages.push_back(message); };
  const Regression regression = run_regression(
      plan, fake_contender("before"),
      fake_contender("after", {"MACROBENCH_TEST_SLOWDOWN=5", "MACROBENCH_TEST_SLOW_PROCESSES=26",
                               "MACROBENCH_TEST_COUNTER=" + (scratch.path() / "n").string()}),
      a_machine(), progress);
  const RegressionCase& one = regression.cases.at(0);
  ASSERT_TRUE(one.alarm);
  EXPECT_GT(one.alarm->interval.low, 1.5);
  EXPECT_NE(one.verdict, Verdict::slower);
  ASSERT_TRUE(one.ratio);
  EXPECT_LT(*one.ratio, 1.5) << "its numbers are those of the second measurement";
  EXPECT_THAT(one.head, SizeIs(25));
  EXPECT_NE(exit_code_of(regression, {}), ExitCode::slower);
  EXPECT_THAT(messages, Contains(HasSubstr("1 case came out slower and is measured again: 25")));
}

TEST(RegressionRun, AWrongAnswerIsInvalidHoweverFast) {
  const Regression regression =
      run(plan_of({spinner()}), {"MACROBENCH_TEST_SLOWDOWN=0.1", "MACROBENCH_TEST_WRONG=1"});
  const RegressionCase& one = regression.cases.at(0);
  EXPECT_EQ(one.verdict, Verdict::invalid);
  EXPECT_EQ(one.why, "13 is not right");
  EXPECT_FALSE(one.ratio);
  EXPECT_THAT(one.head, IsEmpty());
  EXPECT_EQ(exit_code_of(regression, {}), ExitCode::invalid);
}

TEST(RegressionRun, AWrongAnswerThatIsMendedIsNew) {
  const RegressionPlan plan = plan_of({spinner()});
  const Regression regression =
      run_regression(plan, fake_contender("before", {"MACROBENCH_TEST_WRONG=1"}),
                     fake_contender("after"), a_machine(), {});
  EXPECT_EQ(regression.cases.at(0).verdict, Verdict::is_new);
  EXPECT_EQ(regression.cases.at(0).why, "the base's is invalid: 13 is not right");
  EXPECT_EQ(exit_code_of(regression, {}), ExitCode::ok);
}

TEST(RegressionRun, NamesCrashesAndDeadlines) {
  RegressionPlan plan = plan_of(
      {fake_case("plain", {{"behaviour", "crash"}}), fake_case("plain", {{"behaviour", "hang"}})});
  plan.deadline = 1;
  Contender base = fake_contender("before");
  base.axes.clear();
  const Regression regression =
      run_regression(plan, base, fake_contender("after"), a_machine(), {});
  EXPECT_EQ(regression.cases.at(0).verdict, Verdict::failed);
  EXPECT_THAT(regression.cases.at(0).why, HasSubstr("signal 11"));
  EXPECT_EQ(regression.cases.at(1).verdict, Verdict::failed);
  EXPECT_THAT(regression.cases.at(1).why, HasSubstr("ended at its deadline of 1 s"));
  EXPECT_EQ(exit_code_of(regression, {}), ExitCode::failed);
}

TEST(RegressionRun, ABaseThatCannotRunIsSaidAndIsNoPass) {
  const RegressionPlan plan = plan_of({spinner()});
  Contender base = fake_contender("before");
  base.child = test_child({"exits-7"});
  const Regression regression =
      run_regression(plan, base, fake_contender("after"), a_machine(), {});
  EXPECT_EQ(regression.cases.at(0).verdict, Verdict::is_new);
  EXPECT_THAT(regression.cases.at(0).why, HasSubstr("exited with code 7"));
  EXPECT_EQ(exit_code_of(regression, {}), ExitCode::failed);
}

TEST(RegressionRun, WhatTheBaseHasNotIsNew) {
  const RegressionPlan plan = plan_of({spinner(), fake_case("plain", {{"rounds", 2}})});
  Contender base = fake_contender("before");
  base.axes.erase("fake/spinner");
  base.axes["fake/plain"].erase("rounds");
  const Regression regression =
      run_regression(plan, base, fake_contender("after"), a_machine(), {});
  EXPECT_EQ(regression.cases.at(0).verdict, Verdict::is_new);
  EXPECT_EQ(regression.cases.at(0).why, "there is no fake/spinner in the base");
  EXPECT_EQ(regression.cases.at(1).verdict, Verdict::is_new);
  EXPECT_EQ(regression.cases.at(1).why, "there is no parameter rounds in the base");
  EXPECT_EQ(exit_code_of(regression, {}), ExitCode::ok);
}

TEST(RegressionRun, WhatIsNewMustBeRightAllTheSame) {
  const RegressionPlan plan = plan_of({spinner()});
  Contender base = fake_contender("before");
  base.axes.clear();
  const Regression regression = run_regression(
      plan, base, fake_contender("after", {"MACROBENCH_TEST_WRONG=1"}), a_machine(), {});
  EXPECT_EQ(regression.cases.at(0).verdict, Verdict::invalid);
}

TEST(RegressionRun, ANewAxisAtItsDefaultHidesNoCase) {
  const RegressionPlan plan = plan_of({spinner()});
  Contender base = fake_contender("before");
  base.axes["fake/spinner"].erase("rounds");
  const Regression regression =
      run_regression(plan, base, fake_contender("after"), a_machine(), {});
  EXPECT_TRUE(regression.cases.at(0).ratio) << regression.cases.at(0).why;
}

TEST(RegressionRun, LeavesOutWhatCannotRunHereOrTakesTooLong) {
  RegressionPlan plan = plan_of({fake_case("absent", {}), fake_case("plain", {{"pace", 0.3}}),
                                 fake_case("plain", {{"behaviour", "invalid"}, {"size", 13}})});
  plan.longest = 0.2;
  const Regression regression = run(plan);
  EXPECT_EQ(regression.cases.at(0).verdict, Verdict::left_out);
  EXPECT_EQ(regression.cases.at(0).why, "no such device here");
  EXPECT_EQ(regression.cases.at(1).verdict, Verdict::left_out);
  EXPECT_THAT(regression.cases.at(1).why, HasSubstr("more than 200 ms in the base"));
  EXPECT_EQ(regression.cases.at(2).verdict, Verdict::left_out);
  EXPECT_THAT(regression.cases.at(2).why, HasSubstr("known to give a wrong result"));
}

TEST(RegressionRun, ACaseThatIsTooLongIsRunByASmallerOne) {
  const Case usual = Registry::global().make_case("fake/plain", {{"size", std::int64_t{8}}}, 1);
  const std::optional<Case> smaller = smaller_case(usual);
  ASSERT_TRUE(smaller);
  EXPECT_EQ(smaller->parameters.integer("size"), 2);
  EXPECT_FALSE(smaller_case(fake_case("plain", {{"size", std::int64_t{1}}})));
}

TEST(RegressionRun, TellsHowFarItIs) {
  std::vector<std::pair<int, int>> places;
  std::vector<std::string> messages;
  Progress progress;
  progress.begins = [&](const Case&, int done, int total, double) {
    places.emplace_back(done, total);
  };
  progress.says = [&](const std::string& message) { messages.push_back(message); };
  RegressionPlan plan = plan_of({spinner(), fake_case("absent", {})});
  plan.terms.threshold = 100;  // an alarm would be measured again
  run_regression(plan, fake_contender("before"), fake_contender("after"), a_machine(), progress);
  ASSERT_THAT(places, SizeIs(2 + 9));
  EXPECT_EQ(places[1], std::pair(1, 2));
  EXPECT_EQ(places[2], std::pair(0, 9));
  EXPECT_EQ(places.back(), std::pair(8, 9));
  EXPECT_THAT(messages, ElementsAre(HasSubstr("1 of 2 cases can be compared: 9 pairs of each")));
}

TEST(RegressionRun, KnowsWhatABuildHas) {
  const Contender contender = contender_at(executable_path(), {"it", ""});
  ASSERT_TRUE(contender.axes.contains("rbc/serial"));
  EXPECT_THAT(contender.axes.at("rbc/serial"), Contains("nk"));
  EXPECT_THAT(contender.sources.at("rbc/serial"), SizeIs(64 + 1 + 64));
  EXPECT_THAT(contender.child, ElementsAre(executable_path(), "child"));
  EXPECT_THROW(contender_at("/bin/true", {"it", ""}), UsageError);
  EXPECT_THROW(contender_at("/nowhere/macrobench", {"it", ""}), UsageError);
}

TEST(RegressionRun, SourcesAreTheSameIfBothBuildsReportTheSame) {
  Contender base = fake_contender("before");
  Contender head = fake_contender("after");
  EXPECT_FALSE(has_same_source(base, head, "fake/plain")) << "neither says anything";
  base.sources["fake/plain"] = "1";
  EXPECT_FALSE(has_same_source(base, head, "fake/plain"));
  head.sources["fake/plain"] = "1";
  EXPECT_TRUE(has_same_source(base, head, "fake/plain"));
  EXPECT_FALSE(has_same_source(base, head, "fake/spinner"));
  head.sources["fake/plain"] = "2";
  EXPECT_FALSE(has_same_source(base, head, "fake/plain"));
}

TEST(RegressionRun, ABuildsDigestsAreThoseOfSourcesAndRules) {
  const TemporaryFolder folder;
  const std::filesystem::path build = folder.path() / "macrobench";
  const auto sources_with = [&](const std::string& rules) {
    write_file(build,
               "#!/bin/sh\necho '{\"models\":[{\"name\":\"fake\",\"implementations\":"
               "[{\"name\":\"plain\",\"axes\":[],\"source\":\"s\"" +
                   rules + "}]}]}'\n");
    std::filesystem::permissions(build, std::filesystem::perms::owner_all);
    return contender_at(build, {"build", ""}).sources;
  };
  const auto known = sources_with(",\"rules\":\"r\"");
  EXPECT_EQ(known.size(), 1u);
  EXPECT_NE(known, sources_with(",\"rules\":\"other\""));
  EXPECT_THAT(sources_with(""), IsEmpty()) << "a build from before the rules had a digest";
}

}  // namespace
}  // namespace macrobench
