// Records into cells: which record answers, what is extrapolated, what a ratio is.

#include "paper_tables/cells/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>

#include "harness/model/registry.hpp"
#include "harness/sources/source_digest.hpp"
#include "harness/text/error.hpp"
#include "harness/text/format.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/lookup.hpp"
#include "paper_tables/cells/machine_cells.hpp"
#include "paper_tables/cells/plan.hpp"
#include "paper_tables/cells/printed_number.hpp"
#include "paper_tables/cells/table_options.hpp"
#include "paper_tables/replicate/schedule_lookup.hpp"
#include "paper_tables/tables/render.hpp"
#include "tests/matchers.hpp"
#include "tests/paper_tables/fixture.hpp"

namespace macrobench {
namespace {

using nlohmann::json;
using ::testing::ThrowsMessage;

Parameters at(std::int64_t nk) {
  return {{"nk", nk}, {"nz", 4}, {"real", "double"}};
}

/// What `serial` would take, as its work grows: seconds.
double by_work(const Parameters& parameters) {
  return 1e-6 * Registry::global().model("rbc").work_of("serial", parameters);
}
double by_work(std::int64_t nk) {
  return by_work(at(nk));
}

TEST(Answers, EveryParameterOfTheRecordIsAsAskedForOrTheDefault) {
  const Record record = record_of("serial", at(64), {1});
  const auto asked = [&](Parameters parameters) {
    return answers(record, {"rbc", "serial", std::move(parameters)}, 1);
  };
  EXPECT_TRUE(asked({{"nk", 64}}));
  EXPECT_TRUE(asked({{"nk", 64.0}})) << "a number is a number, whatever its type";
  EXPECT_FALSE(asked({{"nk", 32}}));
  EXPECT_FALSE(asked({})) << "the default nk is another";
  EXPECT_FALSE(asked({{"nk", 64}, {"real", "single"}}));
  EXPECT_TRUE(asked({{"nk", 64}, {"block", 16}}))
      << "the record has no block: its implementation takes none";
  EXPECT_FALSE(answers(record, {"rbc", "serial_tuned", at(64)}, 1));
  EXPECT_FALSE(answers(record, {"newton", "serial", at(64)}, 1));
}

TEST(Answers, ARecordOlderThanAnAxisIsOfItsDefault) {
  const Record record = record_of("serial", at(64), {1});
  Parameters asked = at(64);
  asked.set("monotone", std::string("off"));
  EXPECT_TRUE(answers(record, {"rbc", "serial", asked}, 1));
  asked.set("monotone", std::string("on"));
  EXPECT_FALSE(answers(record, {"rbc", "serial", asked}, 1));
}

TEST(Answers, AnImplementationOutsideThisBuild) {
  const Record record = record_of("written_elsewhere", at(64), {1});
  EXPECT_TRUE(answers(record, {"rbc", "written_elsewhere", at(64)}, 1));
  Results results;
  results.records.push_back(record);
  EXPECT_EQ(lookup_in(results)({"rbc", "written_elsewhere", at(64)}).record, &results.records[0]);
}

/// A build without CUDA shows the tables of a GPU's folder as one with it does.
TEST(Answers, AnOldRecordOfAnImplementationOutsideThisBuildIsOfAnAxisDefault) {
  Parameters asked = at(64);
  asked.set("monotone", std::string("on"));
  Results results;
  results.records.push_back(record_of("written_elsewhere", at(64), {1}));
  const CellRequest request{"rbc", "written_elsewhere", asked};
  EXPECT_NE(lookup_in(results)(request).record, nullptr) << "it may have no such parameter";
  Parameters newer = at(32);
  newer.set("monotone", std::string("off"));
  results.records.push_back(record_of("written_elsewhere", newer, {2}));
  EXPECT_EQ(lookup_in(results)(request).record, nullptr) << "it has, and the first is older";
}

TEST(Answers, AllThreadsAreThoseOfTheRecordsMachine) {
  Results results;
  Parameters parameters = at(64);
  parameters.set("threads", std::int64_t{8});
  results.records.push_back(record_of("thrust_omp", parameters, {1}));
  parameters.set("threads", std::string("all"));
  const CellRequest request{"rbc", "thrust_omp", parameters};
  results.machines["machine"] = machine_of(8, false);
  EXPECT_NE(lookup_in(results)(request).record, nullptr);
  results.machines["machine"] = machine_of(4, false);
  EXPECT_EQ(lookup_in(results)(request).record, nullptr);
}

TEST(Lookup, TheNewestRecordStands) {
  Results results;
  results.records = {record_of("serial", at(64), {1}), record_of("serial", at(64), {2}),
                     record_of("serial", at(32), {3})};
  EXPECT_EQ(lookup_in(results)({"rbc", "serial", at(64)}).record, &results.records[1]);
}

TEST(Lookup, ARecordOfTheseSourcesStandsBeforeANewerOne) {
  Results results;
  results.records = {record_of("serial", at(64), {1}), record_of("serial", at(64), {2})};
  results.records[0].source = source_digest(Registry::global().implementation("rbc/serial"));
  EXPECT_EQ(lookup_in(results)({"rbc", "serial", at(64)}).record, &results.records[0]);
}

TEST(Lookup, WhatAnAxisWasBeforeItsDefaultStandsUntilThereIsANewerRecord) {
  const auto with = [](Parameters parameters) {
    Record record = record_of("cpu", std::move(parameters), {1});
    record.model = "krusell_smith";
    return record;
  };
  const CellRequest request{"krusell_smith", "cpu", {{"N", std::int64_t{100}}}};
  Parameters parameters{{"N", std::int64_t{100}}, {"moves", std::string("all_but_last")}};
  Results results;
  results.records.push_back(with(parameters));
  const Finding history = lookup_in(results)(request);
  EXPECT_EQ(history.record, &results.records[0]);
  EXPECT_EQ(history.as_before, "moves=all_but_last");
  EXPECT_EQ(lookup_in(results)({"krusell_smith", "cpu", parameters}).as_before, "")
      << "it is what is requested";
  parameters.set("moves", std::string("all"));
  EXPECT_EQ(lookup_in(results)({"krusell_smith", "cpu", parameters}).record, nullptr);
  results.records.insert(results.records.begin(), with(parameters));
  EXPECT_EQ(lookup_in(results)(request).record, &results.records[0]) << "though it is older";
  EXPECT_EQ(lookup_in(results)(request).as_before, "");
}

TEST(Lookup, AnImplementationThatLacksAnAxisHasNothingBefore) {
  Record record = record_of("histogram", {{"T", std::int64_t{200}}}, {1});
  record.model = "krusell_smith";
  Results results;
  results.records.push_back(record);
  const Finding found = lookup_in(results)({"krusell_smith", "histogram", record.parameters});
  EXPECT_EQ(found.record, &results.records[0]);
  EXPECT_EQ(found.as_before, "");
}

TEST(Lookup, SaysWhyThereIsNone) {
  Results results;
  results.records.push_back(record_of("serial", at(64), {1}));
  results.machines["machine"] = machine_of(2, false);
  EXPECT_EQ(lookup_in(results)({"rbc", "cuda_c", at(64)}).why_not, "no GPU here");
  EXPECT_EQ(lookup_in(results)({"rbc", "serial", at(32)}).why_not, "no record");
  results.machines["machine"] = machine_of(2, true);
  EXPECT_EQ(lookup_in(results)({"rbc", "cuda_c", at(64)}).why_not, "no record");
}

TEST(Lookup, AReasonIsRememberedUntilThereIsARecord) {
  Results results;
  results.records.push_back(record_of("serial", at(64), {}));
  results.records[0].status = Status::not_run;
  results.records[0].why = {"over the budget", "predicted 3 h"};
  const CellRequest request{"rbc", "serial", at(64)};
  EXPECT_EQ(lookup_in(results)(request).record, nullptr);
  EXPECT_EQ(lookup_in(results)(request).why_not, Reason("over the budget", "predicted 3 h"));
  results.records.insert(results.records.begin(), record_of("serial", at(64), {1}));
  EXPECT_EQ(lookup_in(results)(request).record, &results.records[0]);
}

TEST(Lookup, ARunsOwnReasonsStand) {
  std::vector<ScheduledCase> schedule(1);
  schedule[0].which = Registry::global().make_case("rbc/serial", {{"nk", 64}}, 1);
  schedule[0].why_not = {"over the budget", "predicted 3 h"};
  const Lookup lookup = lookup_in(schedule, machine_of(2, true));
  EXPECT_EQ(lookup({"rbc", "serial", {{"nk", 64}}}).why_not,
            Reason("over the budget", "predicted 3 h"));
  EXPECT_EQ(lookup({"rbc", "written_elsewhere", {}}).why_not, "not in this build");
  const Lookup without_gpu = lookup_in(schedule, machine_of(2, false));
  for (const LeftOut& missing : Registry::global().left_out()) {
    const std::size_t slash = missing.id.find('/');
    const CellRequest request{missing.id.substr(0, slash), missing.id.substr(slash + 1), {}};
    EXPECT_EQ(lookup(request).why_not, missing.why());
    EXPECT_EQ(without_gpu(request).why_not,
              missing.lacks == "CUDA" ? "no GPU here" : missing.why());
  }
  schedule[0].record = record_of("serial", at(64), {1});
  EXPECT_EQ(lookup({"rbc", "serial", {{"nk", 64}}}).record, &*schedule[0].record);
}

/// The small definition, changed by the test, and records.
class SmallTable : public ::testing::Test {
 protected:
  /// The definition as it is now; it stays while the test runs.
  OneDefinition& one() {
    std::unique_ptr<OneDefinition>& its = ones_[definition_];
    if (its == nullptr) its = std::make_unique<OneDefinition>(definition_);
    return *its;
  }
  Table table(const Machine& machine = {}) {
    return make_table(one().get(), *one().all, lookup_in(results_), "machine", machine);
  }
  Plan plan(int cores = 1, WithPrograms programs = WithPrograms::no) {
    return plan_of({&one().get()}, *one().all, cores, programs);
  }
  /// Of the first group, or else of the second.
  Cell cell(std::size_t row, std::size_t column) {
    const Table made = table();
    const std::size_t first = made.groups[0].rows.size();
    return row < first ? made.groups[0].rows[row].cells[column]
                       : made.groups[1].rows[row - first].cells[column];
  }
  Record& add(const char* implementation, std::int64_t nk, std::vector<double> seconds = {}) {
    return results_.records.emplace_back(record_of(implementation, at(nk), std::move(seconds)));
  }
  /// Seconds of the serial program that grow as its work does.
  void add_by_work(std::initializer_list<std::int64_t> sizes) {
    for (const std::int64_t nk : sizes) add("serial", nk, {by_work(nk)});
  }
  /// A series of the outcome.
  void add_path(const char* implementation, std::int64_t nk, std::vector<double> path) {
    add(implementation, nk, {1}).outcome.emplace().series["path"] = std::move(path);
  }
  std::string complaint() {
    return complaint_of([&] { return one().get().id(); });
  }

  json definition_ = small_definition();
  Results results_;
  std::map<json, std::unique_ptr<OneDefinition>> ones_;
};

TEST_F(SmallTable, WithoutRecordsNoCellIsBlank) {
  const Table made = table();
  for (const TableGroup& group : made.groups) {
    for (const TableRow& row : group.rows) {
      for (const Cell& cell : row.cells) {
        EXPECT_EQ(cell.status, Status::not_run);
        EXPECT_EQ(cell.why, "no record");
        EXPECT_FALSE(cell.value);
      }
    }
  }
}

TEST_F(SmallTable, ATimeIsTheMedianOfTheWarmSolutions) {
  add("serial", 16, {3, 1, 2.5});
  const Cell found = cell(0, 0);
  EXPECT_EQ(found.status, Status::measured);
  EXPECT_EQ(found.value, 2.5);
  EXPECT_EQ(found.samples, 3);
  EXPECT_EQ(found.spread, 0.2);
}

TEST_F(SmallTable, ATotalIsStartUpPlusTheFirstSolution) {
  results_.records.push_back(record_of("serial_tuned", at(16), {1}, 0.25));
  const Cell found = cell(1, 0);
  EXPECT_EQ(found.status, Status::computed);
  EXPECT_EQ(found.value, 2.25);
}

TEST_F(SmallTable, ARatioNamesItsBaselineAndIsAsItsCellsAre) {
  results_.records = {record_of("serial", at(16), {9}), record_of("serial_tuned", at(16), {2}),
                      record_of("serial", at(32), {9})};
  EXPECT_EQ(table().groups[0].rows[2].baseline, "B");
  EXPECT_EQ(table().groups[0].rows[2].implementation, "serial");
  EXPECT_EQ(cell(2, 0).value, 9.0 / 4);
  EXPECT_EQ(cell(2, 0).status, Status::computed);
  EXPECT_EQ(cell(2, 1).status, Status::not_run);
  EXPECT_FALSE(cell(2, 1).value);
}

TEST_F(SmallTable, SaysOfWhatATimeIsTheMedian) {
  results_.records = {record_of("serial", at(16), {9}), record_of("serial", at(32), {}),
                      record_of("serial", at(64), {}), record_of("serial_tuned", at(16), {2})};
  results_.records[2].samples.push_back(results_.records[2].samples[0]);
  EXPECT_EQ(cell(0, 0).samples_of, "warm solutions");
  EXPECT_FALSE(cell(0, 0).is_cold);
  EXPECT_EQ(cell(0, 1).samples_of, "first solutions");
  EXPECT_TRUE(cell(0, 1).is_cold);
  EXPECT_EQ(cell(1, 0).samples_of, "processes");
  EXPECT_FALSE(cell(1, 0).is_cold) << "a total is cold by what it is";
  const std::string text = render(table(), "md");
  EXPECT_THAT(text, HasSubstr("one cold sample: the first solution of a process."));
  EXPECT_THAT(text, HasSubstr("cold samples: first solutions of processes."));
  EXPECT_THAT(text, HasSubstr("one sample."));
  EXPECT_THAT(text, HasSubstr("medians of 1 to 2 samples"));
}

TEST_F(SmallTable, ARatioOfTwoCampaignsIsMarked) {
  results_.records = {record_of("serial", at(16), {9}), record_of("serial_tuned", at(16), {2}),
                      record_of("serial", at(32), {9}), record_of("serial_tuned", at(32), {2})};
  for (std::size_t i = 0; i < 4; ++i) {
    results_.records[i].key = std::to_string(i);
    results_.records[i].campaign = i < 3 ? "one" : "two";
  }
  EXPECT_EQ(cell(2, 0).drift, "");
  EXPECT_THAT(cell(2, 1).drift, HasSubstr("joins two campaigns"));
  EXPECT_EQ(cell(0, 1).drift, "") << "a time is of one record";
  const json rows = to_json(table())["rows"];
  EXPECT_FALSE(rows[2]["measured"][0].contains("drift"));
  EXPECT_TRUE(rows[2]["measured"][1]["drift"].is_string());
  EXPECT_THAT(render(table(), "md"), HasSubstr("joins two campaigns; between them"));
  for (Record& record : results_.records) record.campaign.clear();
  EXPECT_THAT(cell(2, 0).drift, HasSubstr("older than campaigns"));
}

TEST_F(SmallTable, FarBeyondTheLastCellARatioIsItsTwoNumbers) {
  add_by_work({16, 32, 64});
  for (const std::int64_t nk : {16, 128, 1024}) {
    add("serial_tuned", nk, {1});
  }
  for (const std::int64_t nk : {128, 1024}) {
    add("serial", nk).status = Status::not_run;
    results_.records.back().why = "over the budget";
  }
  EXPECT_EQ(cell(2, 3).status, Status::extrapolated);
  EXPECT_EQ(cell(2, 3).text, "") << "twice as large as the last";
  EXPECT_EQ(cell(2, 4).text,
            fmt::format("{}† s over 2.00 s", format_number(cell(0, 4).value.value())));
  const Table made = table();
  const auto speed_ups = speed_ups_of(made.groups[0].rows[0]);
  ASSERT_EQ(speed_ups.size(), 5U);
  EXPECT_TRUE(speed_ups[3]);
  EXPECT_FALSE(speed_ups[4]);
  EXPECT_EQ(to_json(made)["rows"][0]["speed_up"][3], *speed_ups[3]);
}

TEST_F(SmallTable, NoTimeStandsBesideAnInvalidOutcome) {
  add("serial", 16, {1}).status = Status::invalid;
  results_.records.back().why = "not converged";
  EXPECT_EQ(cell(0, 0).status, Status::invalid);
  EXPECT_EQ(cell(0, 0).why, "not converged");
  EXPECT_FALSE(cell(0, 0).value);
  EXPECT_EQ(cell(2, 0).status, Status::invalid) << "nor in a ratio";
}

TEST_F(SmallTable, ATimeThatIsNotBelievedIsShownAndGoesIntoNoRatio) {
  results_.records = {record_of("serial", at(16), {8}), record_of("serial_tuned", at(16), {4})};
  EXPECT_EQ(cell(2, 0).status, Status::computed);
  for (Record& record : results_.records) {
    record.status = Status::noisy;
    record.why = "others used the cores that it needs";
    EXPECT_EQ(cell(2, 0).status, Status::noisy);
    EXPECT_FALSE(cell(2, 0).value);
    EXPECT_EQ(cell(2, 0).why, "others used the cores that it needs");
    record.status = Status::measured;
  }
  results_.records[0].status = Status::implausible;
  EXPECT_EQ(cell(0, 0).value, 8);
  EXPECT_EQ(cell(0, 0).status, Status::implausible);
  const std::string shown = to_text(document_of(table(), true), 100);
  EXPECT_THAT(shown, HasSubstr("implausible: others used the cores that it needs"));
  EXPECT_THAT(shown, Not(HasSubstr("×"))) << "nor is it compared with the published one";

  add("serial", 16, {2});
  EXPECT_EQ(cell(0, 0).value, 2) << "the next run replaces it";
  add("serial", 16, {9}).status = Status::noisy;
  EXPECT_EQ(cell(0, 0).value, 2) << "and is not replaced by a worse one";
}

TEST_F(SmallTable, AStageIsTheMedianOverTheSolutions) {
  definition_["rows"][0]["quantity"] = "stage";
  definition_["rows"][0]["stage"] = "panel";
  add("serial", 16, {3, 4}).samples[0].stages["panel"] = {1, 0.5, 0.25};
  add("serial", 32, {3});
  const Table made = table();
  const std::vector<Cell>& cells = made.groups[0].rows[0].cells;
  EXPECT_EQ(cells[0].value, 0.5);
  EXPECT_EQ(cells[0].samples, 3);
  EXPECT_EQ(cells[1].status, Status::failed) << "that record knows no such stage";
}

TEST_F(SmallTable, StagesAddUpAndMayBeOverTheIterations) {
  definition_["rows"][0]["quantity"] = "stage";
  definition_["rows"][0]["stage"] = {"policy", "panel"};
  definition_["rows"][0]["per"] = "iteration";
  definition_["rows"][1]["implementation"] = "serial";
  definition_["rows"][1]["quantity"] = "iterations";
  add("serial", 16, {3, 4}).samples[0].stages = {{"policy", {3, 2, 2}}, {"panel", {5, 6, 7}}};
  results_.records.back().outcome.emplace().iterations = 4;
  add("serial", 32, {3}).samples[0].stages = {{"policy", {3}}, {"panel", {5}}};
  add("serial", 64, {3}).samples[0].stages = {{"policy", {3}}};
  const Table made = table();
  const std::vector<Cell>& cells = made.groups[0].rows[0].cells;
  EXPECT_EQ(cells[0].value, 2);
  EXPECT_EQ(cells[0].status, Status::computed);
  EXPECT_EQ(cells[1].why, "the record holds no iterations");
  EXPECT_EQ(cells[2].why, "the record holds no sample") << "one of its stages is missing";
  EXPECT_EQ(made.groups[0].rows[1].cells[0].value, 4);
  for (const auto& [key, hint] : plan().hints) {
    EXPECT_EQ(hint.seconds, 0) << key << ": no time in print is that of a whole solution";
  }
}

TEST_F(SmallTable, ADeviationIsTheLargestOfTheSeries) {
  definition_["rows"][2]["quantity"] = "deviation";
  definition_["rows"][2]["series"] = "path";
  add_path("serial", 16, {2, 3.9, 8});
  add_path("serial_tuned", 16, {2, 4, 8.1});
  add_path("serial", 32, {2, 4});
  add_path("serial_tuned", 32, {2, 4, 8});
  add_path("serial", 64, {2, 4});
  add("serial_tuned", 64, {1});
  add_path("serial", 128, {2, 0});
  add_path("serial_tuned", 128, {2, 0});
  const Table made = table();
  const TableRow& row = made.groups[0].rows[2];
  EXPECT_EQ(row.definition->unit, "%");
  EXPECT_NEAR(row.cells[0].value.value(), 2.5, 1e-9);
  EXPECT_EQ(row.cells[0].status, Status::computed);
  EXPECT_EQ(row.cells[1].why, "the two series differ in length");
  EXPECT_EQ(row.cells[2].why, "the record holds no series 'path'");
  EXPECT_EQ(row.cells[3].why, "the series have values that are not finite");
  EXPECT_EQ(row.cells[4].status, Status::not_run);
}

TEST_F(SmallTable, ADeviationMayBeFromWhatStandsInForItsBaseline) {
  definition_["rows"][2]["quantity"] = "deviation";
  definition_["rows"][2]["series"] = "path";
  definition_["extra"][0]["implementation"] = "frontier";
  definition_["rows"][2]["otherwise"] = {{"row", "C"}, {"called", "the frontier"}};
  definition_["extra"][0]["parameters"] = {{"real", "double"}};
  add_path("frontier", 16, {2, 4});
  EXPECT_EQ(cell(2, 0).status, Status::not_run);
  add_path("serial", 16, {2, 3});
  EXPECT_NEAR(cell(2, 0).value.value(), 25, 1e-9);
  EXPECT_EQ(cell(2, 0).why, "to the frontier");
  add_path("serial_tuned", 16, {2, 6});
  EXPECT_NEAR(cell(2, 0).value.value(), 50, 1e-9);
  EXPECT_EQ(cell(2, 0).why, "");
}

TEST_F(SmallTable, AFigureIsTheOutcomesAndNeverExtrapolated) {
  definition_["rows"][0]["quantity"] = "figure";
  definition_["rows"][0]["figure"] = "V_first";
  for (const std::int64_t nk : {16, 32, 64}) {
    add("serial", nk, {1}).outcome.emplace().figures["V_first"] = -2.12087654;
  }
  const Table made = table();
  const TableRow& row = made.groups[0].rows[0];
  EXPECT_EQ(row.definition->unit, "units of utility");
  EXPECT_EQ(row.cells[0].value, -2.12087654);
  EXPECT_EQ(row.cells[4].status, Status::not_run);
  EXPECT_THAT(render(made, "md"),
              AllOf(HasSubstr("-2.12088"), HasSubstr("Units: units of utility (A).")));
}

TEST_F(SmallTable, AColumnMayNameTheFigure) {
  definition_["columns"] = {
      {{"label", "first"}, {"parameters", {{"nk", 16}}}, {"figure", "V_first"}},
      {{"label", "second"}, {"parameters", {{"nk", 16}}}, {"figure", "V_last"}}};
  definition_["rows"] = {{{"label", "A"},
                          {"implementation", "serial"},
                          {"quantity", "figure"},
                          {"published", {"1", "2"}}},
                         {{"label", "B"},
                          {"implementation", "serial"},
                          {"quantity", "figure"},
                          {"figure", "V_last"},
                          {"published", {nullptr, nullptr}}},
                         {{"label", "A to B"},
                          {"quantity", "ratio"},
                          {"numerator", "A"},
                          {"baseline", "B"},
                          {"published", nullptr}}};
  add("serial", 16, {1}).outcome.emplace().figures = {{"V_first", 10}, {"V_last", 40}};
  const Table made = table();
  const auto& rows = made.groups[0].rows;
  EXPECT_EQ(rows[0].cells[0].value, 10);
  EXPECT_EQ(rows[0].cells[1].value, 40);
  EXPECT_EQ(rows[1].cells[0].value, 40);
  EXPECT_EQ(rows[2].cells[0].value, 0.25);
  EXPECT_EQ(rows[2].cells[1].value, 1);
  EXPECT_THAT(render(made, "json"), HasSubstr(R"("figure":"V_first")"));

  definition_["columns"][1]["figure"] = "policy_distance";
  EXPECT_THAT(complaint(), HasSubstr("at /rows/0: its figures are in 'units of utility' and in "
                                     "'grid steps': give each unit a row of its own"));
  definition_["columns"][1]["figure"] = "V_lst";
  EXPECT_THAT(complaint(), HasSubstr("at /columns/1/figure: unknown figure of rbc 'V_lst'; the "
                                     "nearest is 'V_last'"));
  definition_["columns"][1].erase("figure");
  EXPECT_THAT(complaint(), HasSubstr("at /rows/0: the field 'figure' is missing"));
}

TEST_F(SmallTable, AColumnThatARowLeavesOutIsNeitherPlannedNorExtrapolated) {
  definition_["rows"][0]["left_out"] = {{"columns", {"1,024"}}, {"why", "it does not go so far"}};
  for (const std::int64_t nk : {16, 32, 64}) {
    add("serial", nk, {1e-3 * static_cast<double>(nk)});
  }
  const Table made = table();
  EXPECT_EQ(made.groups[0].rows[0].cells[3].status, Status::extrapolated);
  EXPECT_EQ(made.groups[0].rows[0].cells[4].status, Status::not_run);
  EXPECT_EQ(made.groups[0].rows[0].cells[4].why, "it does not go so far");
  for (const Case& planned : plan().cases) {
    EXPECT_FALSE(planned.implementation->name == "serial" &&
                 planned.parameters.integer("nk") == 1024);
  }
  definition_["rows"][0]["left_out"]["columns"] = {"1024"};
  EXPECT_THAT(complaint(), HasSubstr("at /rows/0/left_out/columns/0: unknown column '1024'"));
}

TEST_F(SmallTable, ProgramsOfTodayHaveARowWhereTheyRanAndAreRunOnRequest) {
  definition_["programs"] = {{"parameters", {{"maximizer", "bisection"}}}};
  const auto& groups = one().get().groups;
  ASSERT_TRUE(groups.back().of_programs);
  EXPECT_EQ(table(machine_of(4, false)).groups.size(), groups.size() - 1) << "none ran";
  add("numpy", 64, {0.5});
  const Table made = table(machine_of(4, false));
  ASSERT_EQ(made.groups.back().label, programs_label);
  ASSERT_EQ(made.groups.back().rows.size(), 1U);
  EXPECT_EQ(made.groups.back().rows[0].cells[2].value, 0.5);
  EXPECT_THAT(made.programs_without_record, AllOf(Contains("numba"), Not(Contains("octave"))))
      << "a paper's own program has its rows, and none of today";
  EXPECT_THAT(render(made, "md"), AllOf(HasSubstr("**Programs of today**"), HasSubstr("numba,")));
  const auto plans_one = [&](WithPrograms programs) {
    return std::ranges::any_of(plan(4, programs).cases, [](const Case& which) {
      return which.implementation->name == "numpy";
    });
  };
  EXPECT_FALSE(plans_one(WithPrograms::no));
  EXPECT_TRUE(plans_one(WithPrograms::yes));
}

TEST_F(SmallTable, AProgramWithAMethodOfItsOwnHasNoRowInATableOfAnother) {
  const auto has_mawk = [&](const char* maximizer) {
    definition_["programs"] = {{"parameters", {{"maximizer", maximizer}}}};
    return std::ranges::count(one().get().groups.back().rows, "mawk", &RowDefinition::label) > 0;
  };
  EXPECT_TRUE(has_mawk("bisection"));
  EXPECT_FALSE(has_mawk("grid_howard")) << "it does not name the axis, so it bisects";
}

TEST_F(SmallTable, ALargerCellIsExtrapolatedFromThreeMeasuredOnes) {
  add_by_work({16, 32});
  EXPECT_EQ(cell(0, 4).status, Status::not_run) << "two are not enough";
  add("serial", 64, {by_work(64)});
  const Cell found = cell(0, 4);
  EXPECT_EQ(found.status, Status::extrapolated);
  EXPECT_NEAR(found.value.value(), by_work(1024), 1e-9);
  EXPECT_THAT(to_string(found.why), HasSubstr("a + bN from 3 measured cells"));
  EXPECT_THAT(to_string(found.why), HasSubstr("no record"));
  EXPECT_FALSE(found.samples);
}

TEST_F(SmallTable, ACellBetweenMeasuredOnesIsNotExtrapolated) {
  add_by_work({16, 32, 128});
  EXPECT_EQ(cell(0, 2).status, Status::not_run);
  EXPECT_EQ(cell(0, 4).status, Status::extrapolated);
}

TEST_F(SmallTable, ALawThatIsFarOffOnItsOwnCellsIsNotShown) {
  for (const std::int64_t nk : {16, 32, 64, 128}) {
    const double off = nk == 128 ? 1.5 : 1;
    add("serial", nk, {off * by_work(nk)});
  }
  EXPECT_EQ(cell(0, 4).status, Status::not_run);
  EXPECT_FALSE(cell(0, 4).value);
}

TEST_F(SmallTable, AnExtrapolatedCellRepeatsNoOtherPrediction) {
  add_by_work({16, 32, 64});
  add("serial", 1024).status = Status::not_run;
  results_.records.back().why = {"over the budget", "predicted 26.2 h"};
  EXPECT_EQ(cell(0, 4).status, Status::extrapolated);
  EXPECT_THAT(to_string(cell(0, 4).why), StartsWith("over the budget; a + bN"));
}

TEST_F(SmallTable, ARowThatComesOutWrongIsNotExtrapolated) {
  for (const std::int64_t nk : {16, 32, 64}) {
    add("serial", nk, {1e-3 * static_cast<double>(nk)});
  }
  add("serial", 128, {1}).status = Status::invalid;
  EXPECT_EQ(cell(0, 4).status, Status::not_run);
}

TEST_F(SmallTable, ATimeThatIsNotBelievedPredictsNoOther) {
  add_by_work({16, 32, 64});
  const std::optional<double> believed = cell(0, 4).value;
  add("serial", 128, {1000}).status = Status::noisy;
  EXPECT_EQ(cell(0, 3).value, 1000);
  EXPECT_EQ(cell(0, 4).status, Status::extrapolated);
  EXPECT_EQ(cell(0, 4).value, believed);
  results_.records[2].status = Status::noisy;
  EXPECT_EQ(cell(0, 4).status, Status::not_run) << "two are not enough";
}

TEST_F(SmallTable, WhatIsKnownToComeOutWrongIsNotExtrapolated) {
  for (const std::int64_t nk : {16, 32, 64}) {
    Parameters parameters = at(nk);
    parameters.set("real", std::string("single"));
    results_.records.push_back(
        record_of("serial_tuned", parameters, {1e-3 * static_cast<double>(nk)}));
  }
  EXPECT_EQ(cell(3, 2).status, Status::measured);
  EXPECT_EQ(cell(3, 4).status, Status::not_run) << "bisection in single precision";
}

TEST_F(SmallTable, ARatioWithAnExtrapolatedCellIsExtrapolated) {
  for (const std::int64_t nk : {16, 32, 64, 128, 1024}) {
    const double seconds = 1e-3 * static_cast<double>(nk);
    add("serial_tuned", nk, {seconds});
    if (nk < 128) add("serial", nk, {seconds});
  }
  EXPECT_EQ(cell(2, 2).status, Status::computed);
  EXPECT_EQ(cell(2, 4).status, Status::extrapolated);
  EXPECT_EQ(cell(2, 4).why, "A is extrapolated");
}

TEST_F(SmallTable, ARatioMeansTheRowsBesideItUnlessItNamesAGroup) {
  json ratio = definition_["rows"][2];
  json other = definition_["rows"][1];
  ratio.erase("published");
  json named = ratio;
  named["label"] = "A to the other B";
  named["baseline"] = {{"group", "Two"}, {"row", "B"}, {"called", "B of two"}};
  other["implementation"] = "frontier";
  definition_.erase("rows");
  definition_["groups"] = {
      {{"label", "One"}, {"rows", {small_definition()["rows"][0], small_definition()["rows"][1]}}},
      {{"label", "Two"}, {"rows", {other}}}};
  definition_["extra"] = {
      {{"label", "Ours"}, {"rows", {small_definition()["rows"][1], ratio, named}}}};
  results_.records = {record_of("serial", at(16), {9}), record_of("serial_tuned", at(16), {2}),
                      record_of("frontier", at(16), {0.5})};
  const Table made = table();
  ASSERT_EQ(made.groups.size(), 3U);
  const std::vector<TableRow>& rows = made.groups[2].rows;
  EXPECT_EQ(rows[1].baseline, "B");
  EXPECT_EQ(rows[1].cells[0].value, 9.0 / 4);
  EXPECT_EQ(rows[2].baseline, "B of two");
  EXPECT_EQ(rows[2].cells[0].value, 9.0 / 1);
  EXPECT_TRUE(rows[0].definition->extra);
}

TEST_F(SmallTable, CountsHowItsNumbersInPrintWereComeBy) {
  const auto counts = [&] {
    const CellCounts its = count_cells(table());
    return std::array{its.printed, its.measured, its.computed, its.extrapolated, its.without()};
  };
  EXPECT_EQ(counts(), (std::array{14, 0, 0, 0, 14})) << "one cell is not printed, and C is ours";
  add_by_work({16, 32, 64});
  EXPECT_EQ(counts(), (std::array{14, 3, 0, 2, 9}));
  add("serial_tuned", 32, {0.5});
  EXPECT_EQ(counts(), (std::array{14, 5, 0, 2, 7})) << "a total and a ratio of what was measured";
  definition_["rows"][1]["otherwise"] = {{"times", 20}, {"of", {"A"}}};
  EXPECT_EQ(counts(), (std::array{14, 5, 3, 6, 0})) << "64, with its ratio, and that of 16";
  EXPECT_THAT(render(table(), "md"),
              HasSubstr("Of 14 numbers in print, here: 5 measured, 3 computed from other cells, 6 "
                        "extrapolated, 0 without a number\n"));
  results_.records.back().status = Status::noisy;
  EXPECT_EQ(counts()[1], 3) << "a time that is not believed is none";
}

/// A's cells may be made of those of the rows below it.
class StandIn : public SmallTable {
 protected:
  StandIn() {
    json& rows = definition_["rows"];
    for (const auto& [label, implementation, quantity] :
         {std::array{"Iterations", "serial_tuned", "iterations"},
          {"First part", "frontier", "solution"},
          {"Second part", "thrust_omp", "solution"}}) {
      rows.push_back({{"label", label},
                      {"implementation", implementation},
                      {"quantity", quantity},
                      {"published", nullptr}});
    }
    rows[0]["otherwise"] = {{{"iterations", "Iterations"}, {"of", {"First part", "Second part"}}},
                            {{"row", "Second part"}, {"called", "the second part alone"}}};
  }
  Record& add(const char* implementation, std::int64_t nk, double seconds) {
    Record& record = SmallTable::add(implementation, nk, {seconds});
    record.outcome.emplace().iterations = 10;
    return record;
  }
};

TEST_F(SmallTable, AStandInIsANumberTimesAPart) {
  definition_["rows"][0]["otherwise"] = {{"times", 20}, {"of", {"B"}}};
  add("serial_tuned", 16, {0.5});
  EXPECT_EQ(cell(0, 0).value.value(), 20 * cell(1, 0).value.value());
  EXPECT_EQ(cell(0, 0).status, Status::computed);
  EXPECT_EQ(cell(0, 0).why.clause, "20×B");
}

TEST_F(StandIn, IsTheFirstAlternativeThatHasANumber) {
  add("thrust_omp", 16, 3);
  EXPECT_EQ(cell(0, 0).value, 3);
  EXPECT_EQ(cell(0, 0).status, Status::computed);
  EXPECT_EQ(cell(0, 0).why, "the second part alone");
  add("frontier", 16, 4);
  EXPECT_EQ(cell(0, 0).value, 3) << "there are no iterations yet";
  add("serial_tuned", 16, 1);
  EXPECT_EQ(cell(0, 0).value, 70);
  EXPECT_EQ(cell(0, 0).status, Status::computed);
  EXPECT_EQ(cell(0, 0).why, "Iterations×(First part + Second part)");
  EXPECT_FALSE(cell(0, 0).samples);
  EXPECT_EQ(cell(0, 1).status, Status::not_run) << "of another size there is nothing";
  add("serial", 16, 60);
  EXPECT_EQ(cell(0, 0).value, 60);
  EXPECT_EQ(cell(0, 0).status, Status::measured);
}

TEST_F(StandIn, IsMarkedAndSoIsARatioToIt) {
  add("thrust_omp", 16, 3);
  add("serial_tuned", 16, 1);
  EXPECT_EQ(cell(2, 0).value, 3.0 / 2);
  EXPECT_EQ(cell(2, 0).status, Status::computed);
  EXPECT_EQ(cell(2, 0).why, "A: the second part alone");
  const Table made = table();
  for (const std::string& text :
       {render(made, "md"), render(made, "tex"), to_text(document_of(made, true), 100)}) {
    EXPECT_THAT(text, HasSubstr("computed: the second part alone."));
  }
  EXPECT_THAT(render(made, "csv"), HasSubstr(",computed,the second part alone,"));
  EXPECT_THAT(render(made, "json"), HasSubstr(R"("why":"the second part alone")"));
}

TEST_F(StandIn, IsNotOfCellsThatAreNotBelieved) {
  add("thrust_omp", 16, 3);
  EXPECT_EQ(cell(0, 0).status, Status::computed);
  results_.records.back().status = Status::noisy;
  EXPECT_NE(cell(0, 0).status, Status::computed);
  EXPECT_FALSE(cell(0, 0).value);
}

TEST_F(StandIn, DoesNotHideWhatCameOutWrong) {
  add("thrust_omp", 16, 3);
  add("serial", 16, 1);
  results_.records.back().status = Status::timeout;
  EXPECT_EQ(cell(0, 0).status, Status::computed) << "too long is not wrong";
  results_.records.back().status = Status::invalid;
  EXPECT_EQ(cell(0, 0).status, Status::invalid);
  EXPECT_FALSE(cell(0, 0).value);
}

TEST_F(StandIn, OfMeasuredCellsIsBeforeAnExtrapolationAndThatBeforeOneOfExtrapolatedCells) {
  const Model& model = Registry::global().model("rbc");
  for (const std::int64_t nk : {16, 32, 64}) {
    add("thrust_omp", nk, 1e-6 * model.work_of("thrust_omp", at(nk)));
    add("serial", nk, by_work(nk));
  }
  EXPECT_NEAR(cell(0, 4).value.value(), by_work(1024), 1e-9) << "the row's own law";
  EXPECT_EQ(cell(0, 4).status, Status::extrapolated);
  EXPECT_TRUE(table().groups[0].rows[0].law);
  add("thrust_omp", 1024, 5);
  EXPECT_EQ(cell(0, 4).value, 5);
  EXPECT_EQ(cell(0, 4).status, Status::computed);
  EXPECT_EQ(cell(0, 3).status, Status::extrapolated);

  results_.records.clear();
  for (const std::int64_t nk : {16, 32, 64}) {
    add("thrust_omp", nk, 1e-6 * model.work_of("thrust_omp", at(nk)));
  }
  EXPECT_NEAR(cell(0, 4).value.value(), 1e-6 * model.work_of("thrust_omp", at(1024)), 1e-9);
  EXPECT_EQ(cell(0, 4).status, Status::extrapolated);
  EXPECT_EQ(cell(0, 4).why.clause.find("the second part alone"), 0U);
  EXPECT_FALSE(table().groups[0].rows[0].law) << "it is another row's";
}

TEST_F(StandIn, MayStandInForAnotherAndSaysSo) {
  definition_["rows"][4]["otherwise"] = {{"row", "Second part"}, {"called", "as the second"}};
  definition_["rows"][0]["otherwise"] = "First part";
  add("thrust_omp", 16, 3);
  EXPECT_EQ(cell(0, 0).value, 3);
  EXPECT_EQ(cell(0, 0).why, Reason("First part", "as the second"));
}

TEST_F(StandIn, IsPlannedInOtherTablesToo) {
  json other = small_definition();
  other["table"] = "other";
  other["rows"] = {other["rows"][0]};
  other.erase("extra");
  other["rows"][0]["otherwise"] = {{"table", "paper/table"}, {"row", "A"}};
  write_file(one().folder.path() / "paper/other.json", other.dump());
  Definitions all(one().folder.path());
  std::vector<std::string> planned;
  for (const Case& which : plan_of({&all.get("paper/other")}, all, 1).cases) {
    if (which.parameters.integer("nk") == 16) planned.push_back(which.implementation->name);
  }
  EXPECT_THAT(planned, ElementsAre("serial", "serial_tuned", "frontier", "thrust_omp"));
}

Machine machine_with_gpu(const char* capability, int multiprocessors, int mhz) {
  Machine machine = machine_of(4, true);
  machine.block["cpu"].update({{"architecture", "x86_64"}, {"flags", {"avx", "avx2"}}});
  machine.block["gpu"] = {{"name", "Some GPU"},
                          {"compute_capability", capability},
                          {"multiprocessors", multiprocessors},
                          {"highest_sm_mhz", mhz},
                          {"memory_mib", 12288}};
  return machine;
}

TEST(MachineCell, OfTheK40IsAsPrinted) {
  const Machine k40 = machine_with_gpu("3.5", 15, 745);
  EXPECT_EQ(machine_cell(k40, "gpu_generation").text, "Kepler 3.5");
  EXPECT_EQ(machine_cell(k40, "gpu_cores").value, 2880);
  EXPECT_NEAR(machine_cell(k40, "gpu_ghz").value.value(), 0.75, 1e-9);
  EXPECT_NEAR(machine_cell(k40, "gpu_single_gflops").value.value(), 4290, 2);
  EXPECT_NEAR(machine_cell(k40, "gpu_double_gflops").value.value(), 1430, 1);
  EXPECT_EQ(machine_cell(k40, "gpu_memory_gib").value, 12);
  EXPECT_EQ(machine_cell(k40, "gpu_cores").status, Status::computed);
  EXPECT_EQ(machine_cell(k40, "gpu_memory_gib").status, Status::constant);
}

TEST(MachineOf, SaysOfHowManyMachinesTheRecordsAre) {
  Results results;
  for (const char* installation : {"a", "b"}) {
    Machine machine = machine_of(4, false);
    machine.block["identity"] = {
        {"installation", installation}, {"from", "machine-id"}, {"gpus", json::array()}};
    results.machines[installation] = machine;
    results.records.emplace_back().machine = installation;
    EXPECT_EQ(describe(machine_of(results)).ends_with(", records of 2 machines"),
              results.records.size() == 2);
  }
  // A block that no record names says nothing about the records.
  results.records.pop_back();
  EXPECT_EQ(machine_of(results).machines, 1u);
}

TEST(MachineCell, SaysWhyThereIsNone) {
  for (const std::string& field : machine_fields()) {
    for (const Machine& machine : {Machine{}, machine_of(2, false), machine_of(2, true),
                                   machine_with_gpu("99.0", 15, 745)}) {
      const Cell cell = machine_cell(machine, field);
      EXPECT_FALSE(cell.why.empty()) << field;
      EXPECT_FALSE(cell.value && !cell.text.empty()) << field;
    }
  }
  EXPECT_EQ(machine_cell(machine_of(2, false), "gpu_cores").why, "no GPU here");
  EXPECT_EQ(machine_cell(machine_of(2, true), "gpu_cores").why, "not recorded for the machine");
  EXPECT_EQ(machine_cell(machine_with_gpu("99.0", 1, 1), "gpu_cores").why,
            "the lanes of compute capability 99.0 are not known");
  EXPECT_EQ(machine_cell(machine_of(2, false), "cpu_ghz").why, "not recorded for the machine");
  EXPECT_THROW(machine_cell(Machine{}, "gpu_core"), UsageError);
}

TEST_F(SmallTable, AMachineCellIsAWordOrANumber) {
  definition_["extra"] = {
      {{"label", "GPU"},
       {"quantity", "machine"},
       {"fields", {"gpu_generation", "gpu_cores", "cpu_generation", "cpu_cores", "cpu_ghz"}}}};
  const Table made = table(machine_with_gpu("9.0", 132, 1980));
  EXPECT_EQ(made.groups[1].rows[0].cells[1].value, 16896);
  EXPECT_THAT(render(made, "md"), AllOf(HasSubstr("| Hopper 9.0 |"), HasSubstr("| x86_64 AVX2 |"),
                                        HasSubstr(" not recorded for the machine."),
                                        HasSubstr(" computed: multiprocessors × lanes.")));
  EXPECT_THAT(render(made, "json"), HasSubstr(R"("value":"Hopper 9.0")"));
  EXPECT_THAT(render(made, "csv"), HasSubstr("Hopper 9.0,constant,"));
  EXPECT_THAT(render(made, "tex"), HasSubstr("x86\\_64 AVX2"));
}

/// The project's tables, with these records.
class OfThePapers : public ::testing::Test {
 protected:
  Table table(const char* id) {
    return make_table(all_.get(id), all_, lookup_in(results_), "machine", Machine{});
  }

  Definitions all_{definitions_folder()};
  Results results_;
};

TEST_F(OfThePapers, AmdahlsLawIsOfThePanelsShareOnTheCpu) {
  const auto add = [&](const char* implementation, std::int64_t N, double panel, double policy) {
    Record record = record_of(
        implementation,
        {{"N", N}, {"nk", 100}, {"nK", 4}, {"policy", "euler"}, {"real", "double"}, {"threads", 1}},
        {panel + policy});
    record.model = "krusell_smith";
    record.samples[0].stages = {{"panel", {panel, panel}}, {"policy", {policy, policy}}};
    record.outcome.emplace().iterations = 30;
    results_.records.push_back(std::move(record));
  };
  add("cpu", 10'000, 6, 4);
  add("cuda_software", 10'000, 1, 4);
  add("cpu", 500'000, 96, 4);
  const Table made = table("hatcher_scheffel_2014/table_3");
  const auto cell = [&](const std::string& agents, const std::string& label) {
    for (const TableGroup& group : made.groups) {
      if (group.label != agents + " agents: Amdahl's law") continue;
      for (const TableRow& row : group.rows) {
        if (row.definition->label == label) return row.cells[0];
      }
    }
    return Cell{.why = "no such row"};
  };
  EXPECT_NEAR(cell("10,000", "Parallel share P").value.value(), 0.6, 1e-9);
  EXPECT_NEAR(cell("10,000", "Bound 1 / (1 - P)").value.value(), 2.5, 1e-9);
  EXPECT_NEAR(cell("10,000", "Reached, software, double precision").value.value(), 2, 1e-9);
  EXPECT_NEAR(cell("500,000", "Bound 1 / (1 - P)").value.value(), 25, 1e-9);
  EXPECT_EQ(cell("500,000", "Reached, software, double precision").status, Status::not_run);
}

TEST_F(OfThePapers, AContinuationUsesTheCellsOfTheOtherTable) {
  const auto monotone_at = [](std::int64_t nk) {
    Parameters parameters = at(nk);
    parameters.set("monotone", std::string("on"));
    return parameters;
  };
  for (const std::int64_t nk : {16384, 32768, 65536}) {
    const Parameters parameters = monotone_at(nk);
    results_.records.push_back(record_of("serial_2012", parameters, {by_work(parameters)}));
  }
  const Table made = table("aldrich_2010/table_4");
  const TableRow& cpu = made.groups[0].rows[1];
  EXPECT_EQ(cpu.cells[0].status, Status::extrapolated);
  EXPECT_NEAR(cpu.cells[0].value.value(), by_work(monotone_at(131'072)), 1e-6);
  EXPECT_EQ(cpu.law.value().cells, 3);
}

TEST_F(OfThePapers, AContinuationGoesAlongEveryAxisThatTheWorkAccountsFor) {
  // As the tutorial's sizes at T = 10, 1e-8 s for each term of an expectation.
  for (const auto& [nx, ne] : std::initializer_list<std::pair<std::int64_t, std::int64_t>>{
           {150, 5}, {1500, 15}, {2000, 25}}) {
    const auto terms = static_cast<double>(nx * nx * ne * ne * 10);
    Record record = record_of("serial", {{"nx", nx}, {"ne", ne}, {"T", 10}}, {1e-8 * terms});
    record.model = "lifecycle";
    results_.records.push_back(record);
  }
  const Table made = table("oswald_tutorial/timings");
  for (const TableRow& row : made.groups.back().rows) {
    if (row.definition->label != "Serial, corrected, T = 100") continue;
    EXPECT_EQ(row.cells[0].status, Status::not_run) << "less work than what is measured";
    EXPECT_EQ(row.cells[2].status, Status::extrapolated);
    EXPECT_NEAR(row.cells[2].value.value(), 1e-8 * 2000 * 2000 * 25 * 25 * 100, 1);
    return;
  }
  FAIL() << "no such row";
}

TEST_F(OfThePapers, ConstantsShowTheModelsDefaults) {
  const Table made = table("aldrich_2014/table_1");
  const TableRow& row = made.groups[0].rows[0];
  std::vector<double> values;
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    EXPECT_EQ(row.cells[i].status, Status::constant);
    values.push_back(row.cells[i].value.value());
    EXPECT_EQ(row.cells[i].value, printed_number(*row.definition->published[i]));
  }
  EXPECT_THAT(values, ElementsAre(0.984, 2, 0.35, 0.01, 0.95, 0.005));
}

TEST_F(OfThePapers, ConstantsMayBeOfAnAxisEachOrDerived) {
  const Table transitions = table("hatcher_scheffel_2014/table_b1_transitions");
  for (const TableRow& row : transitions.groups[0].rows) {
    double sum = 0;
    for (const Cell& cell : row.cells) sum += cell.value.value();
    EXPECT_NEAR(sum, 1, 1e-8) << row.definition->label;
  }
  const Table times = table("hatcher_scheffel_2014/table_2");
  for (const TableRow& row : times.groups[0].rows) {
    const double printed = printed_number(row.definition->published[0].value()).value();
    for (const Cell& cell : row.cells) EXPECT_NEAR(cell.value.value() / printed, 1, 0.005);
  }
}

TEST_F(SmallTable, ATimeAtTheEndsOfWhatANumberHoldsIsShown) {
  for (const double seconds : {5e-324, 1e308}) {
    add("serial", 16, {seconds});
    EXPECT_EQ(cell(0, 0).value, seconds);
    for (const std::string& format : table_formats()) EXPECT_NE(render(table(), format), "");
  }
}

TEST(PrintedNumber, ReadsWhatPapersPrint) {
  EXPECT_EQ(printed_number("100,312,706.6"), 100312706.6);
  EXPECT_EQ(printed_number("0.4"), 0.4);
  EXPECT_EQ(printed_number("1.75753s"), 1.75753);
  EXPECT_EQ(printed_number("143.363 ms"), 0.143363);
  EXPECT_EQ(printed_number("70.178us"), 70.178e-6);
  EXPECT_EQ(printed_number("512ns"), 512e-9);
  EXPECT_EQ(printed_number("512 parsecs"), std::nullopt);
  EXPECT_EQ(printed_number("roughly 30"), std::nullopt);
  EXPECT_EQ(printed_number(""), std::nullopt);
  for (const char* word : {"inf", "nan", "-infinity", "1e999"}) {
    EXPECT_EQ(printed_number(word), std::nullopt) << word;
  }
}

}  // namespace
}  // namespace macrobench
