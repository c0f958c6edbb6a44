// One case over the commits that were measured.

#include "harness/regress/history.hpp"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/harness/support.hpp"
#include "tests/matchers.hpp"

namespace macrobench {
namespace {

Machine at_commit(const std::string& commit, bool dirty = false) {
  Machine machine = a_machine();
  machine.block["source"] = {{"commit", commit}, {"dirty", dirty}};
  return machine;
}

Record at_time(const std::string& time, const Machine& machine, std::vector<double> solutions) {
  Record record = a_record();
  record.machine = machine.id();
  record.time = time;
  record.samples = {{0, solutions.front(), std::move(solutions), {}}};
  return record;
}

/// Three commits, the second slower, the third wrong; the lines in another order than the times.
Results three_commits() {
  const Machine first = at_commit("1111111111aaaa");
  const Machine second = at_commit("2222222222bbbb", true);
  const Machine third = at_commit("3333333333cccc");
  Results results;
  for (const Machine& machine : {first, second, third}) results.machines[machine.id()] = machine;
  results.records = {at_time("2026-11-02T10:00:00Z", second, {1.10, 1.11, 1.12, 1.13, 1.14}),
                     at_time("2026-11-01T10:00:00Z", first, {1.00, 1.01, 1.02, 1.01, 1.00}),
                     at_time("2026-11-03T10:00:00Z", third, {0.1})};
  results.records[2].status = Status::invalid;
  results.records[2].why = "not converged";
  results.records.push_back(results.records[0]);
  results.records.back().key = "fake/plain size=2";
  return results;
}

History of(const Results& results) {
  std::vector<History> histories;
  add_history(histories, results, "fake/plain size=1");
  EXPECT_THAT(histories, SizeIs(1));
  compare_steps(histories.at(0), {});
  return histories.at(0);
}

TEST(History, ComparesEachStepWithTheOneBefore) {
  const History history = of(three_commits());
  ASSERT_THAT(history.steps, SizeIs(3));
  EXPECT_EQ(history.steps[0].commit, "1111111111aaaa");
  EXPECT_FALSE(history.steps[0].verdict);
  EXPECT_EQ(history.steps[1].commit, "2222222222bbbb");
  EXPECT_TRUE(history.steps[1].dirty);
  EXPECT_NEAR(*history.steps[1].ratio, 1.12 / 1.01, 1e-12);
  EXPECT_EQ(history.steps[1].verdict, Verdict::slower);
  EXPECT_EQ(history.steps[2].status, Status::invalid);
  EXPECT_TRUE(history.steps[2].seconds.empty());
  EXPECT_FALSE(history.steps[2].ratio);
}

TEST(History, TheStepAfterAnInvalidOneIsComparedWithTheLastValidOne) {
  Results results = three_commits();
  results.records.push_back(
      at_time("2026-11-04T10:00:00Z", at_commit("1111111111aaaa"), {1.00, 1.01, 1.02}));
  const History history = of(results);
  EXPECT_NEAR(*history.steps.at(3).ratio, 1.01 / 1.12, 1e-12);
  EXPECT_FALSE(history.steps[3].verdict) << "three solutions are too few";
}

TEST(History, MachinesThatCannotBeComparedStandApart) {
  Results results = three_commits();
  const Machine other = a_machine(4);
  results.machines[other.id()] = other;
  results.records[1].machine = other.id();
  std::vector<History> histories;
  add_history(histories, results, "fake/plain size=1");
  EXPECT_THAT(histories, SizeIs(2));
}

std::string text_of(const History& history) {
  return to_text(document_of(std::vector<History>{history}), 200);
}

TEST(History, AsATableWithAPlot) {
  const std::string text = text_of(of(three_commits()));
  EXPECT_THAT(text, HasSubstr("2026-11-01T10:00:00Z  11111111 "));
  EXPECT_THAT(text, HasSubstr("22222222+"));
  EXPECT_THAT(text, HasSubstr("+10.9% slower"));
  EXPECT_THAT(text, HasSubstr("invalid: not converged\n"));
  EXPECT_THAT(text, HasSubstr("●"));
  EXPECT_THAT(text, Not(HasSubstr("100 ms"))) << "no time stands beside what is not valid";
}

TEST(History, AsCsvAndJson) {
  Results results = three_commits();
  results.records[2].why = "says \"no\", twice";
  const std::vector<History> histories{of(results)};
  const std::string csv = to_csv(histories);
  EXPECT_THAT(csv, HasSubstr(",2222222222bbbb,true,measured,,1.12,"));
  EXPECT_THAT(csv, HasSubstr(",invalid,\"says \"\"no\"\", twice\",,,0,,,,\n"));
  const auto json = nlohmann::json::parse(to_json(histories).dump());
  EXPECT_EQ(json["schema"], 1);
  const auto& steps = json["histories"][0]["steps"];
  EXPECT_EQ(steps[1]["verdict"], "slower");
  EXPECT_EQ(steps[1]["seconds"].size(), 5);
  EXPECT_EQ(steps[2]["median_seconds"], nullptr);
  EXPECT_EQ(steps[2]["why"], "says \"no\", twice");
}

TEST(History, TimesAtTheEndsOfWhatANumberHoldsFitThePlot) {
  Results results = three_commits();
  results.records[0].samples[0].solutions = {0, 0, 5e-324};
  results.records[1].samples[0].solutions = {1.7e308, 1.7e308};
  EXPECT_LT(text_of(of(results)).size(), 1000U);
}

// --- what regress measured -----------------------------------------------------------------------

/// A line of regressions.jsonl: head over base, of nine pairs.
nlohmann::json regression_of(const std::string& base, const std::string& head, double before,
                             double after, const std::string& time) {
  Regression regression{.base = {"main", base},
                        .head = {"this build", head},
                        .terms = {},
                        .machine = "here",
                        .time = time,
                        .seconds = 1,
                        .cases = {{.key = "fake/plain size=1",
                                   .base = std::vector<double>(9, before),
                                   .head = std::vector<double>(9, after)}}};
  for (std::size_t i = 0; i < 9; ++i) {
    regression.cases[0].base[i] *= 1 + 1e-3 * static_cast<double>(i);
    regression.cases[0].head[i] *= 1 + 1e-3 * static_cast<double>(i);
  }
  conclude(regression.cases[0], regression.terms);
  auto line = nlohmann::json::parse(to_json(regression, ExitCode::ok).dump());
  line["machine_id"] = a_machine().id();
  return line;
}

const std::string first_commit(40, '1'), second_commit(40, '2'), third_commit(40, '3');

/// The third commit was measured before the second; it is 20% slower.
Results two_regressions() {
  Results results;
  results.machines[a_machine().id()] = a_machine();
  results.regressions = {regression_of(second_commit, third_commit, 1, 1.2, "2026-11-05T10:00:00Z"),
                         regression_of(first_commit, second_commit, 1, 1, "2026-11-06T10:00:00Z")};
  return results;
}

Commits three_known() {
  return {{first_commit, {"2026-11-01T00:00:00Z", "Ada", "the first"}},
          {second_commit, {"2026-11-02T00:00:00Z", "Ada", "the second"}},
          {third_commit, {"2026-11-03T00:00:00Z", "Charles <c@d>", "the engine"}}};
}

TEST(History, TakesInWhatRegressMeasuredInTheOrderOfTheCommits) {
  std::vector<History> histories;
  EXPECT_TRUE(add_history(histories, two_regressions(), "fake/plain size=1").empty());
  ASSERT_THAT(histories, SizeIs(1));
  History& history = histories[0];
  compare_steps(history, {}, three_known());
  EXPECT_TRUE(history.by_regress);
  std::vector<std::string> commits;
  for (const HistoryStep& step : history.steps) commits.push_back(step.commit);
  EXPECT_EQ(commits,
            (std::vector<std::string>{first_commit, second_commit, second_commit, third_commit}));
  EXPECT_EQ(history.steps.back().verdict, Verdict::slower);
  EXPECT_EQ(history.steps.back().beside, second_commit);
  ASSERT_THAT(history.changes, SizeIs(1));
  EXPECT_EQ(history.changes[0].step, 3U);
  EXPECT_NEAR(history.changes[0].ratio(), 1.2, 0.01);
}

TEST(History, TakesInWhatRegressMeasuredUnderAnotherMeaningOfTheName) {
  Results results = two_regressions();
  results.regressions[0]["cases"][0]["key"] = "silent/marked size=1";
  EXPECT_EQ(keys_of(results),
            (std::set<std::string>{"fake/plain size=1", "silent/unmarked size=1"}));
  std::vector<History> histories;
  add_history(histories, results, "silent/unmarked size=1");
  EXPECT_THAT(histories, SizeIs(1));
  add_history(histories, results, "silent/marked size=1 kind=second");
  EXPECT_THAT(histories, SizeIs(1)) << "the present one has not been measured";
}

TEST(History, SaysWhoMadeItSlower) {
  std::vector<History> histories;
  add_history(histories, two_regressions(), "fake/plain size=1");
  compare_steps(histories.at(0), {}, three_known());
  for (const Document& document :
       {document_of(histories, three_known()), changes_of(histories, three_known())}) {
    EXPECT_THAT(to_text(document, 200),
                HasSubstr("33333333 (Charles <c@d>: the engine), after 22222222"));
    EXPECT_THAT(to_html_page(document), HasSubstr("Charles &lt;c@d&gt;: the engine"));
  }
  const auto json = nlohmann::json::parse(to_json(histories, three_known()).dump());
  const auto& change = json["histories"][0]["changes"][0];
  EXPECT_EQ(change["commit"], third_commit);
  EXPECT_EQ(change["author"], "Charles <c@d>");
  EXPECT_THAT(to_text(changes_of({}, {}), 100), HasSubstr("No case was measured at two commits"));
}

TEST(History, AWorkingTreeIsOneWhateverItIsCalled) {
  const auto last_is_dirty = [](const std::function<void(nlohmann::json&)>& change) {
    Results results = two_regressions();
    change(results.regressions[0]["head"]);
    std::vector<History> histories;
    add_history(histories, results, "fake/plain size=1");
    return std::ranges::any_of(histories.at(0).steps, &HistoryStep::dirty);
  };
  EXPECT_FALSE(last_is_dirty([](nlohmann::json&) {}));
  EXPECT_TRUE(last_is_dirty([](nlohmann::json& head) { head["dirty"] = true; }));
  EXPECT_FALSE(last_is_dirty([](nlohmann::json& head) { head["name"] = "the working tree"; }));
  EXPECT_TRUE(last_is_dirty([](nlohmann::json& head) {
    head["name"] = "the working tree, with changes to";
    head.erase("dirty");
  })) << "as earlier versions wrote it";
}

TEST(History, OfRecordsAndOfRegressStandApart) {
  Results results = two_regressions();
  results.records = {at_time("2026-11-02T10:00:00Z", a_machine(), {1.10})};
  std::vector<History> histories;
  add_history(histories, results, "fake/plain size=1");
  EXPECT_THAT(histories, SizeIs(2));
  EXPECT_EQ(keys_of(results), std::set<std::string>{"fake/plain size=1"});
}

TEST(History, RegressionsThatCannotBeUsedAreSkipped) {
  const nlohmann::json good = two_regressions().regressions[0];
  const std::vector<std::pair<const char*, nlohmann::json>> wrong{
      {"/cases", 1},
      {"/cases/0/key", 1},
      {"/cases/0/base", 7},
      {"/cases/0/base/samples/0", -1},
      {"/cases/0/head/samples", {"fast"}},
      {"/cases/0/ratio", "large"},
      {"/cases/0/interval", {1}},
      {"/base", nullptr},
      {"/machine_id", 5},
      {"/unit", 5}};
  for (const auto& [pointer, value] : wrong) {
    Results results = two_regressions();
    results.regressions[0][nlohmann::json::json_pointer(pointer)] = value;
    std::vector<History> histories;
    EXPECT_THAT(add_history(histories, results, "fake/plain size=1"), SizeIs(1)) << pointer;
    ASSERT_THAT(histories, SizeIs(1)) << pointer;
    EXPECT_THAT(histories[0].steps, SizeIs(2)) << pointer;
    EXPECT_LE(keys_of(results).size(), 1U);
  }
}

TEST(History, OfRecordsWithoutAMachine) {
  Results results = three_commits();
  results.machines.clear();
  std::vector<History> histories;
  add_history(histories, results, "fake/plain size=1");
  ASSERT_FALSE(histories.empty());
  for (History& history : histories) {
    compare_steps(history, {});
    EXPECT_THAT(text_of(history), HasSubstr("?"));
  }
}

}  // namespace
}  // namespace macrobench
