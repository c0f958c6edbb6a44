// Records into cells: which record answers, what is extrapolated, what a ratio is.

#include "paper_tables/cells/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <memory>
#include <regex>
#include <sstream>

#include "harness/model/registry.hpp"
#include "harness/sources/source_digest.hpp"
#include "harness/text/error.hpp"
#include "harness/text/format.hpp"
#include "harness/text/strings.hpp"
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
#include "tests/sheet_rows.hpp"

namespace macrobench {
namespace {

using nlohmann::json;
using ::testing::ThrowsMessage;

Parameters at(std::int64_t nk) {
  return {{"nk", nk}, {"nz", 4}, {"real", "double"}};
}

/// What an implementation would take, as its work grows: seconds.
double by_work(const Parameters& parameters, const std::string& implementation = "serial") {
  return 1e-6 * Registry::global().model("rbc").work_of(implementation, parameters);
}

TEST(Answers, EveryParameterOfTheRecordIsAsAskedForOrTheDefault) {
  struct Asked {
    const char* why;
    CellRequest request;
    bool answers;
    const char* by = "serial";
  };
  const auto monotone = [](const char* value) {
    Parameters asked = at(64);
    asked.set("monotone", std::string(value));
    return asked;
  };
  for (const Asked& asked : std::vector<Asked>{
           {"as asked for", {"rbc", "serial", {{"nk", 64}}}, true},
           {"a number is one, whatever its type", {"rbc", "serial", {{"nk", 64.0}}}, true},
           {"another size", {"rbc", "serial", {{"nk", 32}}}, false},
           {"the default nk is another", {"rbc", "serial", {}}, false},
           {"another precision", {"rbc", "serial", {{"nk", 64}, {"real", "single"}}}, false},
           {"it takes no block", {"rbc", "serial", {{"nk", 64}, {"block", 16}}}, true},
           {"another implementation", {"rbc", "serial_tuned", at(64)}, false},
           {"another model", {"newton", "serial", at(64)}, false},
           {"older than an axis is of its default", {"rbc", "serial", monotone("off")}, true},
           {"and of no other", {"rbc", "serial", monotone("on")}, false},
           {"outside this build",
            {"rbc", "written_elsewhere", at(64)},
            true,
            "written_elsewhere"}}) {
    SCOPED_TRACE(asked.why);
    Results results;
    results.records.push_back(record_of(asked.by, at(64), {1}));
    EXPECT_EQ(answers(results.records[0], asked.request, 1), asked.answers);
    EXPECT_EQ(lookup_in(results)(asked.request).record != nullptr, asked.answers);
  }
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

/// "measured 2.5" or "not_run: no record": all that decides about a cell.
std::string said(const Cell& cell) {
  std::string text = word_of(cell);
  if (cell.value) text += fmt::format(" {:.6g}", *cell.value);
  if (!cell.why.empty()) text += ": " + to_string(cell.why);
  return text;
}
std::string label_of(const TableRow& row) {
  return row.definition->label;
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
    return make_table(one().get(), *one().all, quiet_lookup_in(results_), "machine", machine);
  }
  Plan plan(int cores = 1) { return plan_of({&one().get()}, *one().all, cores); }
  Cell cell(const std::string& label, std::int64_t nk) {
    constexpr std::array<std::int64_t, 5> sizes{16, 32, 64, 128, 1024};
    for (const TableGroup& group : table().groups) {
      const auto row = std::ranges::find(group.rows, label, &label_of);
      if (row == group.rows.end()) continue;
      return row->cells.at(static_cast<std::size_t>(std::ranges::find(sizes, nk) - sizes.begin()));
    }
    return Cell{.why = "no such row"};
  }

  /// "serial 16,32: 3 1 2.5 {"why": "..."} | ...": records of these sizes, seconds, and what else
  /// they have; without seconds they grow as the implementation's work does.
  void give(const std::string& all) {
    static const std::regex form(R"( *(\w+) ([0-9,]+):([^{]*)(\{.*\})? *)");
    std::smatch its;
    for (const std::string_view one : split(all, '|')) {
      const std::string text(one);
      ASSERT_TRUE(std::regex_match(text, its, form)) << text;
      const json more = its[4].matched ? json::parse(its[4].str()) : json::object();
      std::istringstream numbers(its[3]);
      const std::vector<double> seconds{std::istream_iterator<double>(numbers), {}};
      const std::string sizes = its[2];
      for (const std::string_view size : split(sizes, ',')) {
        Parameters parameters = at(std::stoll(std::string(size)));
        parameters.set("real", more.value("real", "double"));
        parameters.set("nz", more.value("nz", std::int64_t{4}));
        Record& record = results_.records.emplace_back(
            record_of(its[1], parameters,
                      seconds.empty() ? std::vector{by_work(parameters, its[1])} : seconds,
                      more.value("start", 0.0)));
        record.status = status_from(more.value("status", "measured"));
        record.origin = more.value("origin", record.origin);
        record.why = reason_from(more.value("why", ""));
        record.samples[0].stages = more.value("stages", record.samples[0].stages);
        Outcome& outcome = record.outcome.emplace();
        outcome.figures = more.value("figures", outcome.figures);
        if (more.contains("path")) outcome.series["path"] = more["path"].get<std::vector<double>>();
        if (more.contains("iterations")) outcome.iterations = more["iterations"].get<int>();
      }
    }
  }

  /// Lines of cases: "# BEHAVIOR", "change POINTER PATCH" of the definition, "says COMPLAINT",
  /// "give RECORDS", and "ROW at SIZE = CELL | SIZE = CELL", as said() of it; "..." at its end
  /// stands for any, and {serial} for what serial would take by its work.
  void check(const char* cases) {
    const json definition = definition_;
    std::string behavior;
    std::istringstream lines(cases);
    for (std::string line; std::getline(lines, line);) {
      SCOPED_TRACE(behavior + ": " + line);
      const std::string rest = line.substr(std::min(line.find(' ') + 1, line.size()));
      if (line.starts_with("# ")) {
        behavior = rest;
        definition_ = definition;
        results_ = {};
      } else if (line.starts_with("change ")) {
        const std::string pointer = rest.substr(0, rest.find(' '));
        definition_[json::json_pointer(pointer)].merge_patch(
            json::parse(rest.substr(pointer.size())));
      } else if (line.starts_with("says ")) {
        EXPECT_THAT(complaint(), HasSubstr(rest));
      } else if (line.starts_with("give ")) {
        give(rest);
      } else if (const std::size_t row = line.find(" at "); row != std::string::npos) {
        for (const std::string_view one : split(std::string_view(line).substr(row + 4), '|')) {
          expect_cell(line.substr(0, row), std::string(one));
        }
      } else if (!line.empty()) {
        ADD_FAILURE() << "no such line";
      }
    }
  }
  void expect_cell(const std::string& row, const std::string& text) {
    static const std::regex form(R"( *([0-9]+) = (.*?)(\.\.\.)? *)");
    std::smatch its;
    ASSERT_TRUE(std::regex_match(text, its, form)) << text;
    const std::int64_t nk = std::stoll(its[1]);
    std::string expected = its[2];
    if (const std::size_t brace = expected.find('{'); brace != std::string::npos) {
      const std::string name = expected.substr(brace + 1, expected.find('}') - brace - 1);
      expected.replace(brace, name.size() + 2, fmt::format("{:.6g}", by_work(at(nk), name)));
    }
    const std::string found = said(cell(row, nk));
    EXPECT_EQ(its[3].matched ? found.substr(0, expected.size()) : found, expected) << found;
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

TEST_F(SmallTable, CellsShowWhatTheRecordsHold) {
  check(R"-(
# a time is the median of the warm solutions
give serial 16: 3 1 2.5
A at 16 = measured 2.5
# a total is start-up plus the first solution
give serial_tuned 16: 1 {"start": 0.25}
B at 16 = measured 2.25
# a ratio is as its cells are
give serial 16,32: 9 | serial_tuned 16: 2
A to B at 16 = computed 2.25 | 32 = not_run: no record
# no time stands beside an invalid outcome, nor in a ratio
give serial 16: 1 {"status": "invalid", "why": "not converged"}
A at 16 = invalid: not converged
A to B at 16 = invalid: not converged
# a numerator that is not believed goes into no ratio
give serial 16: 8 {"status": "noisy", "why": "others"} | serial_tuned 16: 4
A to B at 16 = noisy: others
# nor does such a baseline
give serial 16,32: 8 | serial_tuned 16: 4
give serial_tuned 32: 4 {"status": "noisy", "why": "others"}
A to B at 16 = computed 1 | 32 = noisy: others
# a time that is not believed is shown until the next one, and replaces none
give serial 16: 8 {"status": "implausible", "why": "others"}
A at 16 = implausible 8: others
give serial 16: 2
A at 16 = measured 2
give serial 16: 9 {"status": "noisy", "why": "others"}
A at 16 = measured 2
# the ends of what a number holds
give serial 16: 5e-324
A at 16 = measured 4.94066e-324
give serial 32: 1e308
A at 32 = measured 1e+308
# a stage is the median over the solutions
change /rows/0 {"implementation": "frontier", "quantity": "stage", "stage": "discrete"}
give frontier 16: 3 4 {"stages": {"discrete": [1, 0.5, 0.25]}} | frontier 32: 3
A at 16 = measured 0.5 | 32 = failed: the record holds no sample
# stages add up and may be over the iterations
change /rows/0 {"quantity": "stage", "stage": ["rounding", "discrete"], "per": "iteration"}
change /rows/0 {"implementation": "frontier"}
change /rows/1 {"implementation": "frontier", "quantity": "iterations"}
give frontier 16: 3 4 {"stages": {"rounding": [3, 2, 2], "discrete": [5, 6, 7]}, "iterations": 4}
give frontier 32: 3 {"stages": {"rounding": [3], "discrete": [5]}}
give frontier 64: 3 {"stages": {"rounding": [3]}}
A at 16 = measured 2 | 32 = failed: the record holds no iterations
A at 64 = failed: the record holds no sample
B at 16 = measured 4
# a column that a row leaves out is one of the table's
change /rows/0 {"left_out": {"columns": ["1024"], "why": "it does not go so far"}}
says at /rows/0/left_out/columns/0: unknown column '1024'
# a deviation is the largest of the series
change /rows/2 {"quantity": "deviation", "series": "path"}
give serial 16: 1 {"path": [2, 3.9, 8]} | serial_tuned 16: 1 {"path": [2, 4, 8.1]}
give serial 32,64: 1 {"path": [2, 4]} | serial_tuned 32: 1 {"path": [2, 4, 8]}
give serial_tuned 64: 1 | serial 128: 1 {"path": [2, 0]} | serial_tuned 128: 1 {"path": [2, 0]}
A to B at 16 = computed 2.5 | 32 = failed: the two series differ in length
A to B at 64 = failed: the record holds no series 'path'
A to B at 128 = failed: the series have values that are not finite | 1024 = not_run: no record
# a deviation is of one economy
change /rows/2 {"quantity": "deviation", "series": "path"}
change /rows/1 {"parameters": {"nz": 8}}
give serial 16: 1 {"path": [1, 2, 4]}
give serial_tuned 16: 1 {"path": [1, 2, 5], "nz": 8}
A to B at 16 = not_run: not divided (nz=4 and 8)
# a deviation may be from what stands in for its baseline
change /rows/2 {"quantity": "deviation", "series": "path"}
change /rows/2 {"otherwise": {"row": "C", "called": "the frontier"}}
change /extra/0 {"implementation": "frontier", "parameters": {"real": "double"}}
give frontier 16: 1 {"path": [2, 4]}
A to B at 16 = not_run: no record
give serial 16: 1 {"path": [2, 3]}
A to B at 16 = computed 25: to the frontier
give serial_tuned 16: 1 {"path": [2, 6]}
A to B at 16 = computed 50
# a figure is the outcome's and never extrapolated
change /rows/0 {"quantity": "figure", "figure": "V_first"}
give serial 16,32,64: 1 {"figures": {"V_first": -2.12087654}}
A at 16 = measured -2.12088 | 1024 = not_run: no record
)-");
}

TEST_F(SmallTable, LargerCellsAreExtrapolatedFromThreeOrMore) {
  check(R"-(
# two are not enough
give serial 16,32:
A at 128 = not_run: no record
give serial 64:
A at 128 = extrapolated {serial}: no record; a + bN from 3 measured cells...
# far beyond the last one its interval is too wide
give serial 16,32,64:
A at 1024 = not_run: no record
# between measured ones there is no law
give serial 16,32,128:
A at 64 = not_run: no record
# a law that is far off on its own cells is not shown
give serial 16,32: | serial 64: 0.0132096
A at 128 = not_run: no record
# no other prediction is repeated
give serial 16,32,64:
give serial 128: 1 {"status": "not_run", "why": "over the budget (predicted 26.2 h)"}
A at 128 = extrapolated {serial}: over the budget; a + bN...
# a row that comes out wrong has no law
give serial 16,32,64: | serial 1024: 1 {"status": "invalid"}
A at 128 = not_run: no record
# a time that is not believed predicts no other
give serial 16,32,64: | serial 1024: 1000 {"status": "noisy"}
A at 128 = extrapolated {serial}: no record; a + bN... | 1024 = noisy 1000
# nor is it one of three
give serial 16,32: | serial 64: {"status": "noisy"}
A at 128 = not_run: no record
# bisection in single precision is known to come out wrong
change /columns/1 {"parameters": {"nk": 128}}
change /columns/2 {"parameters": {"nk": 256}}
change /columns/3 {"parameters": {"nk": 512}}
give serial_tuned 128: 0.128 {"real": "single"} | serial_tuned 256: 0.256 {"real": "single"}
give serial_tuned 512: 0.512 {"real": "single"}
C at 128 = measured 0.512 | 1024 = not_run: no record
# a frontier takes another way at another size
change /rows/0 {"implementation": "frontier"}
give frontier 16,32,64: {"origin": "frontier"}
A at 64 = measured {frontier} | 128 = not_run: no record
# a ratio with an extrapolated cell is extrapolated
give serial 16,32,64: | serial_tuned 16,32,64,128:
A to B at 64 = computed 0.566667
A to B at 128 = extrapolated...
# a column that is left out is not extrapolated
change /rows/0 {"left_out": {"columns": ["128"], "why": "it does not go so far"}}
give serial 16,32,64:
A at 128 = not_run: it does not go so far
)-");
}

TEST_F(SmallTable, SaysOfWhatATimeIsTheMedian) {
  results_.records = {record_of("serial", at(16), {9}), record_of("serial", at(32), {}),
                      record_of("serial", at(64), {}), record_of("serial_tuned", at(16), {2}),
                      record_of("serial", at(128), {3, 1, 2.5})};
  EXPECT_EQ(cell("A", 128).samples, 3);
  EXPECT_EQ(cell("A", 128).spread, 0.2);
  results_.records[2].samples.push_back(results_.records[2].samples[0]);
  EXPECT_EQ(cell("A", 16).samples_of, "warm solutions");
  EXPECT_FALSE(cell("A", 16).is_cold);
  EXPECT_EQ(cell("A", 32).samples_of, "first solutions");
  EXPECT_TRUE(cell("A", 32).is_cold);
  EXPECT_EQ(cell("B", 16).samples_of, "processes");
  EXPECT_FALSE(cell("B", 16).is_cold) << "a total is cold by what it is";
  const std::string text = render(table(), "md");
  EXPECT_THAT(text, HasSubstr("° one sample; cold: the first solution of a process."));
  EXPECT_THAT(text, HasSubstr("medians of 1 to 3 samples"));
}

TEST_F(SmallTable, ARowOfTimesHasTheErrorsOfItsResultsOnce) {
  definition_["extra"] = {
      {{"label", "Start"}, {"implementation", "serial_tuned"}, {"quantity", "start"}}};
  give("serial 16,32: 9 | serial_tuned 16,32: 2 {\"start\": 1}");
  EXPECT_THAT(render(table(), "md"), Not(HasSubstr("rror"))) << "no result has one";
  const json without = rows_of(sheets_of({table()}), "cells")[0];
  EXPECT_TRUE(without["error"].is_null() && without["error_of"].is_null());

  const auto set_error = [&](std::size_t record, double logarithm) {
    results_.records.at(record).outcome->figures["euler_error_mean"] = logarithm;
  };
  set_error(0, -2);
  set_error(1, -4);
  for (const std::size_t of_b : {2U, 3U}) set_error(of_b, -2.3);
  const std::string text = render(table(), "md");
  EXPECT_THAT(text, HasSubstr("1,024 |  error, % |")) << text;
  EXPECT_THAT(text, HasSubstr("| 0.010–1.0 |"));
  EXPECT_THAT(text, HasSubstr("|      0.50 |")) << "the same in all columns";
  EXPECT_THAT(text, HasSubstr("in % of consumption (euler_error_mean)"));
  const std::string of_start = text.substr(text.find("| Beyond the paper"));
  EXPECT_THAT(of_start.substr(0, of_start.find("\n\n")), Not(HasSubstr("error")))
      << "it has solved nothing";
  const json with = rows_of(sheets_of({table()}), "cells")[0];
  EXPECT_EQ(with["error"], 0.01);
  EXPECT_EQ(with["error_of"], "consumption");

  const auto has_mark = [&](std::int64_t nk) {
    return cell("A to B", nk).marks.contains({Sign::unlike, "errors of 0.010% and 0.50%"});
  };
  EXPECT_TRUE(has_mark(32)) << "more than three times apart";
  EXPECT_THAT(cell("A to B", 16).marks, Not(Contains(::testing::Field(&Mark::sign, Sign::unlike))));
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
  give(R"(serial 16: 1 {"figures": {"V_first": 10, "V_last": 40}})");
  const Table made = table();
  const auto& rows = made.groups[0].rows;
  EXPECT_EQ(rows[0].cells[0].value, 10);
  EXPECT_EQ(rows[0].cells[1].value, 40);
  EXPECT_EQ(rows[1].cells[0].value, 40);
  EXPECT_EQ(rows[2].cells[0].value, 0.25);
  EXPECT_EQ(rows[2].cells[1].value, 1);
  EXPECT_THAT(render(made, "json"), HasSubstr(R"("of": "V_first")"));

  definition_["columns"][1]["figure"] = "policy_distance";
  EXPECT_THAT(complaint(), HasSubstr("at /rows/0: its figures are in 'units of utility' and in "
                                     "'grid steps': give each unit its own row"));
  definition_["columns"][1]["figure"] = "V_lst";
  EXPECT_THAT(complaint(), HasSubstr("at /columns/1/figure: unknown figure of rbc 'V_lst'; the "
                                     "nearest is 'V_last'"));
  definition_["columns"][1].erase("figure");
  EXPECT_THAT(complaint(), HasSubstr("at /rows/0: the field 'figure' is missing"));
}

TEST_F(SmallTable, AFigureHasItsUnitAndAStageNoHint) {
  definition_["rows"][0].update({{"quantity", "figure"}, {"figure", "V_first"}});
  give(R"(serial 16: 1 {"figures": {"V_first": -2.12087654}})");
  EXPECT_THAT(render(table(), "md"),
              AllOf(HasSubstr("-2.12088"), HasSubstr("Units: units of utility (A).")));
  EXPECT_THAT(render(table(), "json"), HasSubstr(R"("of": "V_first")"));
  definition_["rows"][2].update({{"quantity", "deviation"}, {"series", "path"}});
  EXPECT_EQ(table().groups[0].rows[2].definition->unit, "%");
  definition_["rows"][0].update({{"implementation", "frontier"},
                                 {"quantity", "stage"},
                                 {"stage", "discrete"},
                                 {"per", "iteration"}});
  definition_["rows"][0].erase("figure");
  definition_["rows"][1].update({{"implementation", "frontier"}, {"quantity", "iterations"}});
  for (const auto& [key, hint] : plan().hints) {
    EXPECT_EQ(hint.seconds, 0) << key << ": no time in print is that of a whole solution";
  }
}

TEST_F(SmallTable, ATimeThatIsNotBelievedIsNotComparedWithThePublishedOne) {
  give(R"(serial 16: 8 {"status": "implausible", "why": "others"})");
  EXPECT_THAT(to_text(document_of(table()), 100),
              AllOf(HasSubstr("implausible: others"), Not(HasSubstr("×"))));
}

TEST_F(SmallTable, AColumnThatARowLeavesOutIsNotPlanned) {
  definition_["rows"][0]["left_out"] = {{"columns", {"1,024"}}, {"why", "it does not go so far"}};
  for (const Case& planned : plan().cases) {
    EXPECT_FALSE(planned.implementation->name == "serial" &&
                 planned.parameters.integer("nk") == 1024);
  }
}

TEST_F(SmallTable, ANeedIsMeasuredAndFoundByItsNameAndIsInNoTable) {
  const std::size_t groups = table().groups.size();
  definition_["needs"] = {{{"label", "Asked for"},
                           {"implementation", "numpy"},
                           {"parameters", {{"maximizer", "bisection"}}},
                           {"quantity", "solution"},
                           {"note", "Nobody reads this."}}};
  definition_["extra"].push_back({{"label", "Over a need"},
                                  {"quantity", "ratio"},
                                  {"numerator", "A"},
                                  {"baseline", "Asked for"}});
  give("serial 64: 2 | numpy 64: 0.5");
  const Table made = table();
  EXPECT_EQ(made.groups.size(), groups);
  EXPECT_EQ(cell("Asked for", 64).why.clause, "no such row");
  EXPECT_EQ(cell("Over a need", 64).value, 4);
  EXPECT_TRUE(std::ranges::any_of(
      plan().cases, [](const Case& which) { return which.implementation->name == "numpy"; }));
  for (const std::string& format : table_formats()) {
    EXPECT_THAT(render(made, format), Not(HasSubstr("Nobody reads this"))) << format;
  }
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
    return std::array{its.printed,  its.measured,     its.ratios,
                      its.computed, its.extrapolated, its.without()};
  };
  EXPECT_EQ(counts(), (std::array{14, 0, 0, 0, 0, 14})) << "one cell is not printed, and C is ours";
  give("serial 16,32,64: ");
  EXPECT_EQ(counts(), (std::array{14, 3, 0, 0, 1, 10}));
  give("serial_tuned 32: 0.5");
  EXPECT_EQ(counts(), (std::array{14, 4, 1, 0, 1, 8}))
      << "a total and a ratio of what was measured";
  definition_["rows"][1]["otherwise"] = {{"times", 20}, {"of", {"A"}}};
  EXPECT_EQ(counts(), (std::array{14, 4, 1, 3, 3, 3})) << "64, with its ratio, and that of 16";
  EXPECT_THAT(render(table(), "md"),
              HasSubstr("Of 14 numbers in print: 4 measured, 1 ratio of these, 3 computed from "
                        "other cells, 3 extrapolated, 3 without a number\n"));
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
};

TEST_F(StandIn, IsMarkedAndSoIsARatioToIt) {
  give("thrust_omp 16: 3");
  give("serial_tuned 16: 1");
  EXPECT_EQ(cell("A to B", 16).value, 3.0 / 2);
  EXPECT_EQ(cell("A to B", 16).kind, Kind::computed);
  EXPECT_EQ(cell("A to B", 16).why, "A: the second part alone");
  const Table made = table();
  for (const std::string& text :
       {render(made, "md"), render(made, "tex"), to_text(document_of(made), 100)}) {
    EXPECT_THAT(text, HasSubstr("computed: the second part alone"));
  }
  EXPECT_THAT(render(made, "csv"), HasSubstr(",the second part alone,"));
  EXPECT_THAT(render(made, "json"), HasSubstr(R"("here_why": "the second part alone")"));
}

TEST_F(StandIn, IsTheFirstAlternativeThatHasANumber) {
  check(R"-(
# a number times a part
change /rows/0/otherwise {"times": 20, "of": ["B"]}
give serial_tuned 16: 0.5
B at 16 = measured 1
A at 16 = computed 20: 20×B
# one after the other
give thrust_omp 16: 3 {"iterations": 10}
A at 16 = computed 3: the second part alone
give frontier 16: 4 {"iterations": 10}
A at 16 = computed 3: the second part alone
give serial_tuned 16: 1 {"iterations": 10}
A at 16 = computed 70: Iterations×(First part + Second part) | 32 = not_run: no record
give serial 16: 60
A at 16 = measured 60
# of cells that are believed
give thrust_omp 16: 3 {"status": "noisy"}
A at 16 = not_run: no record
# too long is not wrong
give thrust_omp 16: 3 | serial 16: 1 {"status": "timeout"}
A at 16 = computed 3: the second part alone
# what came out wrong is not hidden
give thrust_omp 16: 3 | serial 16: 1 {"status": "invalid"}
A at 16 = invalid
# of measured cells it is before an extrapolation
give thrust_omp 16,32,64: | serial 16,32,64:
A at 128 = extrapolated {serial}: no record; a + bN...
give thrust_omp 128: 5
A at 128 = computed 5: the second part alone
# and that before one of extrapolated cells
give thrust_omp 16,32,64:
A at 128 = extrapolated {thrust_omp}: the second part alone...
# another may stand in for it, and says so
change /rows/4 {"otherwise": {"row": "Second part", "called": "as the second"}}
change /rows/0 {"otherwise": "First part"}
give thrust_omp 16: 3
A at 16 = computed 3: First part (as the second)
)-");
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

TEST(MachineOf, SaysOfHowManyMachinesTheRecordsAre) {
  Results results;
  for (const char* installation : {"a", "b"}) {
    Machine machine = machine_of(4, false);
    machine.block["identity"] = {
        {"installation", installation}, {"from", "machine-id"}, {"gpus", json::array()}};
    results.machines[installation] = machine;
    results.records.emplace_back().machine = installation;
    const std::string text = describe(machine_of(results));
    EXPECT_EQ(text.find(", records of 2 machines") != std::string::npos,
              results.records.size() == 2);
  }
  results.machines["c"] = machine_of(4, false);
  results.records.emplace_back().machine = "c";
  EXPECT_THAT(describe(machine_of(results)),
              HasSubstr(", records of at least 2 machines (1 of 3 do not say which)"));
  results.records.pop_back();
  // A block that no record names says nothing about the records.
  results.records.pop_back();
  EXPECT_EQ(machine_of(results).machines, 1u);
}

/// The project's tables, with these records.
class OfThePapers : public ::testing::Test {
 protected:
  Table table(const char* id) {
    return make_table(all_.get(id), all_, quiet_lookup_in(results_), "machine", Machine{});
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
  add("cpu", 500'000, 96, 4);
  const Definition& definition = all_.get("hatcher_scheffel_2014/table_3");
  const auto share = [&](const std::string& agents) {
    const RowDefinition* row =
        definition.find_row("Parallel share P", agents + " agents: Amdahl's law");
    return make_row(definition, *row, all_, quiet_lookup_in(results_), Machine{}).cells[0];
  };
  EXPECT_NEAR(share("10,000").value.value(), 0.6, 1e-9);
  EXPECT_NEAR(share("500,000").value.value(), 0.96, 1e-9);
  EXPECT_EQ(share("10,000,000").status, Status::not_run);
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
  EXPECT_EQ(cpu.cells[0].kind, Kind::extrapolated);
  EXPECT_NEAR(cpu.cells[0].value.value(), by_work(monotone_at(131'072)), 1e-6);
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
  const Definition& definition = all_.get("oswald_tutorial/timings");
  RowDefinition row = *definition.find_row("Serial, corrected");
  row.parameters.set("T", std::int64_t{20});
  row.continues.emplace().row = "Serial, corrected";
  const std::vector<Cell> cells =
      make_row(definition, row, all_, quiet_lookup_in(results_), Machine{}).cells;
  EXPECT_EQ(cells[0].status, Status::not_run) << "less work than what is measured";
  EXPECT_EQ(cells[2].kind, Kind::extrapolated);
  EXPECT_NEAR(cells[2].value.value(), 1e-8 * 2000 * 2000 * 25 * 25 * 20, 1);
}

TEST_F(OfThePapers, ConstantsMayBeDerived) {
  const Table times = table("hatcher_scheffel_2014/table_2");
  for (const TableRow& row : times.groups[0].rows) {
    const double printed = printed_number(row.definition->published[0].value()).value();
    for (const Cell& cell : row.cells) EXPECT_NEAR(cell.value.value() / printed, 1, 0.005);
  }
}

TEST_F(SmallTable, ATimeAtTheEndsOfWhatANumberHoldsIsShown) {
  for (const char* seconds : {"5e-324", "1e308"}) {
    give(fmt::format("serial 16: {}", seconds));
    for (const std::string& format : table_formats()) EXPECT_NE(render(table(), format), "");
  }
}

TEST(PrintedNumber, ReadsWhatPapersPrint) {
  using Read = std::pair<const char*, std::optional<double>>;
  for (const auto& [text, number] : {Read{"100,312,706.6", 100312706.6},
                                     {"0.4", 0.4},
                                     {"1.75753s", 1.75753},
                                     {"143.363 ms", 0.143363},
                                     {"70.178us", 70.178e-6},
                                     {"512ns", 512e-9},
                                     {"2.77 sec", 2.77},
                                     {"1.5 min", 90},
                                     {"2h", 7200},
                                     {"3%", {}},
                                     {"512 parsecs", {}},
                                     {"roughly 30", {}},
                                     {"", {}},
                                     {"inf", {}},
                                     {"nan", {}},
                                     {"-infinity", {}},
                                     {"1e999", {}}}) {
    EXPECT_EQ(printed_number(text), number) << text;
  }
  EXPECT_EQ(printed_number(".0065%", "1"), .0065e-2);
  EXPECT_EQ(printed_number(".0065%", "share of consumption"), .0065e-2);
  EXPECT_EQ(printed_number("140x", "1"), 140);
  EXPECT_EQ(printed_number("0.5", "%"), 0.5) << "in the row's unit";
  EXPECT_EQ(printed_number("90 min", "h"), 1.5);
  EXPECT_EQ(printed_number("3 s", "1"), std::nullopt);
  const auto rounding = rounding_of("1.5 min");
  ASSERT_TRUE(rounding);
  EXPECT_DOUBLE_EQ(rounding->low, 87);
}

}  // namespace
}  // namespace macrobench
