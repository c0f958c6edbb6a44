// Machines and printed tables against each other: which cells, what is refused, what is said.

#include "paper_tables/compare/comparison.hpp"

#include "harness/records/record_facts.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/lookup.hpp"
#include "tests/matchers.hpp"
#include "tests/paper_tables/fixture.hpp"
#include "tests/sheet_rows.hpp"

namespace macrobench {
namespace {

Parameters at(std::int64_t nk, const char* real = "double") {
  return {{"nk", nk}, {"nz", 4}, {"real", std::string(real)}};
}

Record valid(Record record, double residual) {
  record.outcome = Outcome{};
  record.outcome->valid = true;
  record.outcome->residual = residual;
  record.outcome->allowed = 1e-9;
  return record;
}

class ComparisonOfOneTable : public ::testing::Test {
 protected:
  static ComparedSide side(const std::string& name, std::vector<Record> records) {
    ComparedSide side{.name = name, .text = "a machine"};
    side.results.records = std::move(records);
    return side;
  }
  ComparedSide printed() { return side_of("published/old", *table_.all); }

  Comparison compare_with(std::vector<ComparedSide> sides) {
    return compare(std::move(sides), {&table_.get()});
  }

  static const ComparedCell* find(const Comparison& comparison, const std::string& row,
                                  const std::string& column) {
    for (const ComparedTable& table : comparison.tables) {
      for (const ComparedCell& cell : table.cells) {
        if (cell.row == row && cell.column == column) return &cell;
      }
    }
    return nullptr;
  }

  OneDefinition table_{small_definition()};
};

TEST_F(ComparisonOfOneTable, SetsAPrintedNumberAgainstAMeasuredOne) {
  const Comparison comparison = compare_with(
      {printed(), side("new", {valid(record_of("serial", at(16), {0.11, 0.1, 0.09}), 2e-10),
                               valid(record_of("serial", at(32), {0.1, 0.1, 0.1}), 1e-10)})});
  const ComparedCell* cell = find(comparison, "A", "16");
  ASSERT_NE(cell, nullptr);
  EXPECT_NEAR(*cell->readings[1].faster.cell().value, 10, 1e-12) << "1 s in print";
  ASSERT_TRUE(cell->readings[1].faster.cell().interval);
  EXPECT_LT(cell->readings[1].faster.cell().interval->low, 10);
  EXPECT_GT(cell->readings[1].faster.cell().interval->high, 10);
  EXPECT_EQ(*cell->readings[1].residual, 2e-10);
  EXPECT_EQ(find(comparison, "A", "64")->readings[1].time.why, Reason("not measured here"));
  EXPECT_EQ(find(comparison, "A to B", "16"), nullptr) << "no time";
  ASSERT_EQ(comparison.tables.size(), 1U);
  ASSERT_EQ(comparison.tables[0].means.size(), 1U);
  EXPECT_NEAR(comparison.tables[0].means[0].ratio.value.value(), std::sqrt(10.0 * 20), 1e-9);
  EXPECT_FALSE(comparison.tables[0].means[0].is_gpu);
}

TEST_F(ComparisonOfOneTable, SaysWhatIsNotMeasuredWhateverLiesNear) {
  const std::vector<ComparedSide> sides = {
      printed(), side("new", {valid(record_of("serial", at(16, "single"), {0.1, 0.1}), 1e-5),
                              valid(record_of("serial", at(32), {0.1, 0.1}), 1e-10)})};
  const Comparison plain = compare_with(sides);
  const ComparedCell* cell = find(plain, "A", "16");
  ASSERT_NE(cell, nullptr);
  EXPECT_FALSE(cell->readings[1].seconds());
  EXPECT_EQ(cell->readings[1].time.why, Reason("not measured here"));
  EXPECT_EQ(plain.tables[0].means[0].cells, 1);
  EXPECT_EQ(plain.tables[0].means[0].unequal, 0);
  EXPECT_THAT(to_text(document_of(plain, true), 200),
              AllOf(HasSubstr("not measured here"), Not(HasSubstr("real is single"))));
  const nlohmann::json its = rows_of(sheets_of(plain), "compared")[0];
  EXPECT_EQ(its["here_kind"], "not_run");
  EXPECT_EQ(its["here_why"], "not measured here");
  EXPECT_EQ(its["here_is_unequal"], false);
}

TEST_F(ComparisonOfOneTable, GivesARecordsOwnReasonBeforeAnotherCase) {
  Record left_out = record_of("serial", at(16), {});
  left_out.status = Status::not_run;
  left_out.why = "over the budget";
  const Comparison comparison = compare_with(
      {printed(), side("new", {left_out, valid(record_of("serial", at(16, "single"), {0.1}), 1e-5),
                               valid(record_of("serial", at(32), {0.1, 0.1}), 1e-10)})});
  EXPECT_EQ(find(comparison, "A", "16")->readings[1].time.why, Reason("over the budget"));
}

TEST_F(ComparisonOfOneTable, SaysWhatIsNotPrinted) {
  nlohmann::json definition = small_definition();
  definition["rows"][0]["published"][1] = nullptr;
  OneDefinition one(definition);
  const Comparison comparison =
      compare({side("new", {valid(record_of("serial", at(16), {0.1, 0.1}), 1e-10),
                            valid(record_of("serial", at(32), {0.1, 0.1}), 1e-10)}),
               side_of("published/old", *one.all)},
              {&one.get()});
  EXPECT_TRUE(find(comparison, "A", "16")->readings[1].faster.cell().value);
  EXPECT_EQ(find(comparison, "A", "32")->readings[1].time.why, Reason("not printed"));
}

TEST_F(ComparisonOfOneTable, RefusesATimeInPrintThatItsPaperExtrapolated) {
  nlohmann::json definition = small_definition();
  definition["rows"][0]["published_by"] = "extrapolation";
  OneDefinition one(definition);
  const std::vector<ComparedSide> sides = {
      side_of("published/old", *one.all),
      side("new", {valid(record_of("serial", at(16), {0.1, 0.1}), 1e-10)})};
  const Comparison refused = compare(sides, {&one.get()});
  EXPECT_FALSE(find(refused, "A", "16")->readings[0].seconds());
  EXPECT_FALSE(find(refused, "A", "16")->readings[1].faster.cell().value);
  EXPECT_EQ(refused.tables[0].means[0].unequal, 1);
  EXPECT_EQ(find(refused, "A", "32")->readings[1].time.why, Reason("not measured here"));
  const char* why = "1's: the published time is the paper's own extrapolation";
  EXPECT_THAT(to_text(document_of(refused, true), 200), HasSubstr(why));
}

TEST_F(ComparisonOfOneTable, TakesNoTimeThatIsNotBelieved) {
  Record noisy = valid(record_of("serial", at(16), {0.1}), 1e-10);
  noisy.status = Status::noisy;
  noisy.why = "others used the cores that it needs";
  const std::vector<ComparedSide> sides = {
      printed(), side("new", {noisy, valid(record_of("serial", at(32), {0.1}), 1e-10)})};
  const Comparison comparison = compare_with(sides);
  const ComparedCell* cell = find(comparison, "A", "16");
  ASSERT_NE(cell, nullptr);
  EXPECT_FALSE(cell->readings[1].faster.cell().value);
  EXPECT_EQ(comparison.tables[0].means[0].cells, 1);
  EXPECT_THAT(to_text(document_of(comparison, true), 200), HasSubstr(" 100 ms°! "));
}

TEST_F(ComparisonOfOneTable, SaysWhatIsInvalidAndWhyAndTakesNoTimeOfIt) {
  Record wrong = valid(record_of("serial", at(16), {0.1}), 1);
  wrong.status = Status::invalid;
  wrong.why = "not converged";
  const std::vector<ComparedSide> sides = {
      printed(), side("new", {wrong, valid(record_of("serial", at(32), {0.1}), 1e-10)})};
  const Comparison comparison = compare_with(sides);
  const ComparedCell* cell = find(comparison, "A", "16");
  ASSERT_NE(cell, nullptr);
  EXPECT_FALSE(cell->readings[1].seconds());
  EXPECT_FALSE(cell->readings[1].faster.cell().value);
  EXPECT_EQ(*cell->readings[1].residual, 1) << "validity beside speed";
  const MeanRatio& mean = comparison.tables[0].means[0];
  EXPECT_EQ(mean.cells, 1);
  EXPECT_NEAR(mean.ratio.value.value(), 20, 1e-9);
  EXPECT_EQ(mean.invalid, 1);
  for (const std::string& text :
       {to_text(document_of(comparison, true), 200), to_markdown(document_of(comparison, true))}) {
    EXPECT_THAT(text, HasSubstr(" invalid "));
    EXPECT_THAT(text, HasSubstr(" not converged"));
  }
  const nlohmann::json its = rows_of(sheets_of(comparison), "compared")[0];
  EXPECT_EQ(its["first_kind"], "printed");
  EXPECT_EQ(its["here_kind"], "invalid");
  EXPECT_EQ(its["here_why"], "not converged");
  EXPECT_EQ(rows_of(sheets_of(comparison), "means")[0]["invalid"], 1);

  const Comparison turned = compare_with({sides[1], sides[0]});
  EXPECT_EQ(turned.tables[0].means[0].invalid, 1) << "on the first side as well";
  EXPECT_THAT(to_text(document_of(turned, true), 200), HasSubstr("1's: not converged"));
}

TEST_F(ComparisonOfOneTable, HasAMeanOfNothingWhereAllIsInvalid) {
  Record wrong = valid(record_of("serial", at(16), {0.1}), 1);
  wrong.status = Status::invalid;
  const Comparison comparison = compare_with({printed(), side("new", {wrong})});
  ASSERT_EQ(comparison.tables.size(), 1U);
  EXPECT_EQ(comparison.tables[0].means[0].cells, 0);
  EXPECT_TRUE(rows_of(sheets_of(comparison), "means")[0]["ratio"].is_null());
}

TEST_F(ComparisonOfOneTable, CountsWhatIsDoubtedWhereNothingElseIs) {
  Record doubted = valid(record_of("serial", at(16), {0.1}), 1e-10);
  doubted.status = Status::implausible;
  const Comparison comparison = compare_with({printed(), side("new", {doubted})});
  ASSERT_EQ(comparison.tables.size(), 1U);
  EXPECT_EQ(rows_of(sheets_of(comparison), "means")[0]["doubted"], 1);
  const std::string text = to_text(document_of(comparison, false), 200);
  EXPECT_THAT(text, AllOf(HasSubstr("Nothing can be compared: 1 time implausible (new)."),
                          Not(HasSubstr("lowest"))));
}

TEST_F(ComparisonOfOneTable, SaysWhyNothingCanBeCompared) {
  std::vector<Record> records;
  for (const std::int64_t nk : {16, 32, 64}) {
    records.push_back(valid(record_of("serial", at(nk), {0.1}), 1e-10));
    records.back().status = nk == 16 ? Status::invalid : Status::implausible;
    records.back().why = nk == 16 ? "not converged" : "less than its floor";
  }
  const std::string text =
      to_text(document_of(compare_with({printed(), side("new", records)}), false), 200);
  EXPECT_THAT(text, HasSubstr("Nothing can be compared: 2 times implausible: less than its floor "
                              "(new); 1 time invalid: not converged (new)."));
}

TEST_F(ComparisonOfOneTable, ExplainsItsColumnsAboveThem) {
  const std::string text = to_text(
      document_of(compare_with(
                      {printed(), side("new", {valid(record_of("serial", at(16), {0.1}), 1e-10)})}),
                  false),
      200);
  for (const char* word : {"A cell is", "faster:", "lowest, highest:", "geometric mean"}) {
    EXPECT_LT(text.find(word), text.find("side  cells")) << word;
  }
}

TEST_F(ComparisonOfOneTable, NeverTakesAnotherSizesTime) {
  const Comparison comparison =
      compare_with({printed(), side("new", {valid(record_of("serial", at(33), {0.1}), 1e-10)})});
  EXPECT_TRUE(comparison.tables.empty());
}

TEST_F(ComparisonOfOneTable, ComparesMachinesAndKnowsOneRunNoBetterThanACampaign) {
  const Comparison comparison =
      compare_with({side("a", {valid(record_of("serial", at(16), {4, 4.1, 3.9}), 1e-10),
                               valid(record_of("serial", at(32), {4}), 1e-10)}),
                    side("b", {valid(record_of("serial", at(16), {2, 2, 2.1}), 3e-10),
                               valid(record_of("serial", at(32), {8, 8, 8}), 1e-10)})});
  EXPECT_NEAR(*find(comparison, "A", "16")->readings[1].faster.cell().value, 2, 0.1);
  EXPECT_TRUE(find(comparison, "A", "16")->readings[1].faster.cell().interval);
  EXPECT_NEAR(*find(comparison, "A", "32")->readings[1].faster.cell().value, 0.5, 1e-12);
  EXPECT_GT(find(comparison, "A", "32")->readings[1].faster.cell().interval->high, 0.5 * 1.3);
  const std::string text = to_text(document_of(comparison, true), 200);
  EXPECT_THAT(text, HasSubstr("1.0e-10 of 1.0e-09"));
  EXPECT_THAT(text, HasSubstr("3.0e-10 of 1.0e-09"));
  const nlohmann::json rows = rows_of(sheets_of(comparison), "compared");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_NEAR(rows[1]["ratio"].get<double>(), 0.5, 1e-12);
  EXPECT_GT(rows[1]["ratio_high"].get<double>(), 0.5 * 1.3);
}

TEST_F(ComparisonOfOneTable, EscapesWhatARecordSaysInMarkdown) {
  Comparison comparison =
      compare_with({printed(), side("new|<b>", {valid(record_of("serial", at(16), {1, 1}), 0)})});
  const std::string text = to_markdown(document_of(comparison, true));
  EXPECT_THAT(text, Not(HasSubstr("new|<b>")));
  EXPECT_THAT(text, HasSubstr("new\\|\\<b>"));
}

/// The GPU's panel takes a tenth of a second an iteration; the policy, on one core, 2.
Record panel_on_a_gpu(const Parameters& more = {}) {
  Record record = valid(record_of("cuda_software",
                                  {{"N", 10'000},
                                   {"T", 1'000},
                                   {"moves", "all"},
                                   {"nk", 100},
                                   {"nK", 4},
                                   {"policy", "euler"},
                                   {"real", "single"},
                                   {"threads", 1},
                                   {"tolerance", 1e-7}},
                                  {}),
                        0);
  record.model = "krusell_smith";
  for (const auto& [name, value] : more) record.parameters.set(name, value);
  record.outcome->iterations = 10;
  record.samples.front().solutions = {21, 21};
  record.samples.front().stages = {{"panel", {1, 1, 1}}, {"policy", {20, 20, 20}}};
  add_facts(record);
  return record;
}

class ComparisonWithTheK40 : public ::testing::Test {
 protected:
  ComparedTable compare_with(std::vector<Record> records) {
    ComparedSide k40 = side_of("published/k40", all_);
    ComparedSide side{.name = "new", .text = "a machine"};
    side.results.records = std::move(records);
    return compare({k40, side}, {&all_.get("hatcher_scheffel_2014/table_3")}).tables.at(0);
  }

  Definitions all_{definitions_folder()};
};

TEST_F(ComparisonWithTheK40, CountsWhatTheCpuDoesForAGpusProgramAmongTheCpusRows) {
  const ComparedTable table = compare_with({panel_on_a_gpu()});
  ASSERT_EQ(table.means.size(), 2U);
  EXPECT_TRUE(table.means[0].is_gpu);
  EXPECT_EQ(table.means[0].cells, 1);
  EXPECT_NEAR(table.means[0].ratio.value.value(), 0.19 / 0.1, 1e-9) << "the panel";
  EXPECT_EQ(table.means[1].cells, 1);
  EXPECT_NEAR(table.means[1].ratio.value.value(), 7.70 / 2, 1e-9) << "the policy";
}

TEST(ComparisonWithTheGtx280, KnowsThatTable4IsExtrapolated) {
  Definitions all(definitions_folder());
  for (const GroupDefinition& group : all.get("aldrich_2010/table_4").groups) {
    for (const RowDefinition& row : group.rows) {
      const bool is_printed_time = is_time(row.quantity) && row.published.front();
      EXPECT_EQ(row.published_by_extrapolation, is_printed_time) << row.label;
    }
  }
}

TEST(RunsOnGpu, GoesByTheStageAndByThePolicysMethod) {
  const auto is_on_gpu = [](const char* implementation, const char* policy, const char* stage,
                            const std::vector<std::string>& stages) {
    return runs_on_gpu({"krusell_smith", implementation, {{"policy", policy}, {"stage", stage}}},
                       stages);
  };
  EXPECT_FALSE(is_on_gpu("cuda_software", "euler", "all", {"policy"}));
  EXPECT_TRUE(is_on_gpu("cuda_software", "euler", "all", {"panel"}));
  EXPECT_TRUE(is_on_gpu("cuda_software", "euler", "all", {"policy", "panel"})) << "stages of it";
  EXPECT_TRUE(is_on_gpu("cuda_software", "euler", "all", {})) << "a whole solution";
  EXPECT_TRUE(is_on_gpu("cuda_software", "euler_cuda", "all", {"policy"}));
  EXPECT_FALSE(is_on_gpu("frontier_cuda", "egm", "all", {"policy"}));
  EXPECT_FALSE(is_on_gpu("cuda_software", "euler", "policy", {})) << "one policy alone";
  EXPECT_TRUE(is_on_gpu("cuda_software", "euler_cuda", "policy", {}));
  EXPECT_FALSE(is_on_gpu("cpu", "euler", "all", {}));
  EXPECT_TRUE(is_on_gpu("cpu", "euler_cuda", "all", {"policy"}));
  EXPECT_TRUE(runs_on_gpu({"rbc", "cuda_c", {}}, {})) << "a model that says nothing";
}

TEST(SideOf, RefusesUnknownNames) {
  Definitions all(definitions_folder());
  EXPECT_THAT(complaint_of([&] { return side_of("published/c2074", all); }),
              AllOf(HasSubstr("published/c2075"), Not(HasSubstr("vendors"))));
  EXPECT_THROW(side_of("no/such/folder", all), UsageError);
  EXPECT_THAT(complaint_of([&] { return side_of("c2075", all); }),
              HasSubstr("write published/c2075"));
}

TEST(SideOf, FindsAFolderByAPartOfItsName) {
  Definitions all(definitions_folder());
  const auto folder = fixture_folder();
  EXPECT_EQ(side_of((folder.parent_path() / "fixture_gpu").string(), all).name,
            folder.filename().string());
  EXPECT_THROW(side_of((folder.parent_path() / "fixture_tpu").string(), all), UsageError);
}

}  // namespace
}  // namespace macrobench
