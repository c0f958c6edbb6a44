// A folder in which every time is noisy, or throttled: it is shown with its mark and is in nothing
// else, and what is not a time is as if nothing had happened.

#include <nlohmann/json.hpp>
#include <string>

#include "harness/text/format.hpp"
#include "paper_tables/cells/machine_cells.hpp"
#include "paper_tables/cells/quantity.hpp"
#include "paper_tables/compare/comparison.hpp"
#include "paper_tables/tables/render.hpp"
#include "paper_tables/times/times.hpp"
#include "tests/matchers.hpp"
#include "tests/paper_tables/fixture.hpp"
#include "tests/sheet_rows.hpp"

namespace macrobench {
namespace {

class AllDoubted : public OfTheFixture, public ::testing::WithParamInterface<Status> {
 protected:
  AllDoubted() {
    for (Record& record : doubted_.records) {
      if (record.status != Status::measured) continue;
      record.status = GetParam();
      record.why = "others used the machine";
    }
  }

  Table table(const Definition& definition, const Results& results) {
    return make_table(definition, all_, lookup_in(results), "fixture", machine_);
  }

  /// Calls check(table's id, row of doubted times, the same row of believed ones) for every row.
  template <class Check>
  void for_each_row(Check check) {
    for (const Definition* definition : all_.get_all({})) {
      const Table believed = table(*definition, results_);
      const Table made = table(*definition, doubted_);
      auto rows_before = rows_of(believed);
      auto before = rows_before.begin();
      for (const TableRow& row : rows_of(made)) check(definition->id(), row, *before++);
    }
  }

  Results doubted_ = results_;
};

TEST_P(AllDoubted, ATimeIsShownWithItsMarkAndIsInNoOther) {
  int times = 0;
  for_each_row([&](const std::string& id, const TableRow& row, const TableRow& its) {
    const Quantity quantity = row.definition->quantity;
    EXPECT_TRUE(speed_ups_of(row).empty()) << id;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const Cell& cell = row.cells[i];
      SCOPED_TRACE(id + ": " + row.definition->label);
      EXPECT_FALSE(quantity == Quantity::ratio && cell.value);
      if (!is_time(quantity)) continue;
      EXPECT_TRUE(!cell.value || is_doubted(cell.status)) << to_string(cell.status);
      if (its.cells[i].kind != Kind::measured || is_doubted(its.cells[i].status)) continue;
      ++times;
      EXPECT_EQ(cell.value, its.cells[i].value);
      EXPECT_EQ(cell.status, GetParam());
      EXPECT_EQ(cell.why, "others used the machine");
    }
  });
  EXPECT_GT(times, 100);
}

TEST_P(AllDoubted, AValueStandsWithoutAMark) {
  int values = 0;
  for_each_row([&](const std::string& id, const TableRow& row, const TableRow& its) {
    const Quantity quantity = row.definition->quantity;
    if (is_time(quantity) || quantity == Quantity::ratio) return;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      SCOPED_TRACE(id + ": " + row.definition->label);
      EXPECT_EQ(row.cells[i].value, its.cells[i].value);
      EXPECT_EQ(row.cells[i].status, its.cells[i].status);
      EXPECT_EQ(row.cells[i].why, its.cells[i].why);
      const bool is_of_a_run = quantity == Quantity::iterations || quantity == Quantity::figure ||
                               quantity == Quantity::deviation;
      values += is_of_a_run && row.cells[i].value ? 1 : 0;
    }
  });
  EXPECT_GT(values, 50);
}

TEST_P(AllDoubted, EveryFormatHasTheTimeAndTheMark) {
  const Definition& definition = all_.get("aldrich_2010/table_3");
  const Table believed = table(definition, results_);
  const TableRow& first = *rows_of(believed).begin();
  ASSERT_EQ(first.cells[0].status, Status::measured);
  const std::string time = text_of(first.cells[0]);
  const Table made = table(definition, doubted_);
  const std::string mark = to_string(GetParam()) + ": others used the machine.";
  for (const char* format : {"text", "md", "tex"}) {
    EXPECT_THAT(render(made, format), AllOf(HasSubstr(time), HasSubstr(mark))) << format;
  }
  const nlohmann::json row = rows_of(sheets_of({made}), "cells")[0];
  EXPECT_EQ(row["here"], *first.cells[0].value);
  EXPECT_EQ(row["here_kind"], to_string(GetParam()));
  EXPECT_EQ(row["here_why"], "others used the machine");
  EXPECT_TRUE(row["speed_up"].is_null());
  EXPECT_THAT(render(made, "csv"), HasSubstr("," + to_string(GetParam()) + ","));
}

TEST_P(AllDoubted, ComparedTimesHaveTheirMarkAndNoRatio) {
  const Comparison comparison =
      compare({side_of("published/gtx280", all_),
               {.name = "here", .text = "a machine", .results = doubted_}},
              {&all_.get("aldrich_2010/table_3")});
  ASSERT_EQ(comparison.tables.size(), 1u);
  for (const MeanRatio& mean : comparison.tables[0].means) EXPECT_FALSE(mean.ratio.value);
  int doubted = 0;
  for (const ComparedCell& cell : comparison.tables[0].cells) {
    EXPECT_TRUE(cell.readings[1].faster.is_refused());
    EXPECT_FALSE(cell.readings[1].seconds());
    doubted += cell.readings[1].time.value ? 1 : 0;
  }
  EXPECT_GT(doubted, 10);
  EXPECT_THAT(to_text(document_of(comparison, true), 200),
              AllOf(HasSubstr(" s!"), HasSubstr("! " + to_string(GetParam()))));
  for (const nlohmann::json& row : rows_of(sheets_of(comparison), "compared")) {
    EXPECT_EQ(row["here_kind"] == to_string(GetParam()), row["here"].is_number()) << row;
  }
}

TEST_P(AllDoubted, TimesListsTheCasesAndMakesNothingOfThem) {
  const Times before = times_of(results_);
  const Times times = times_of(doubted_);
  ASSERT_EQ(times.cases.size(), before.cases.size());
  for (std::size_t i = 0; i < times.cases.size(); ++i) {
    // Some of the fixture's times no machine can have.
    const bool is_forged = before.cases[i].first.status == Status::implausible;
    EXPECT_EQ(times.cases[i].first.status, is_forged ? Status::implausible : GetParam());
    EXPECT_EQ(times.cases[i].first.value.has_value(), before.cases[i].first.value.has_value());
  }
  EXPECT_TRUE(times.programs.empty());
  EXPECT_THAT(to_text(document_of(times, "a machine", true), 200),
              AllOf(HasSubstr(" s!"), HasSubstr("! " + to_string(GetParam()))));
  EXPECT_THAT(to_csv(sheets_of(times).front()), HasSubstr("," + to_string(GetParam()) + ","));
}

INSTANTIATE_TEST_SUITE_P(Status, AllDoubted, ::testing::Values(Status::noisy, Status::throttled),
                         [](const auto& status) { return to_string(status.param); });

}  // namespace
}  // namespace macrobench
