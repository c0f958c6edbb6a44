// A folder in which every record is forged: it is all shown, and nothing is believed.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "harness/text/json_values.hpp"
#include "paper_tables/cells/machine_cells.hpp"
#include "paper_tables/cells/table.hpp"
#include "paper_tables/claims/claims_verdict.hpp"
#include "paper_tables/compare/comparison.hpp"
#include "paper_tables/floors/ceilings.hpp"
#include "paper_tables/times/times.hpp"
#include "tests/paper_tables/fixture.hpp"

namespace macrobench {
namespace {

/// The fixture's folder, with a residual in each valid outcome that is above what is allowed.
class AllForged : public ::testing::Test {
 protected:
  AllForged() {
    std::istringstream lines(content_of(fixture_folder() / "records.jsonl"));
    std::string forged;
    for (std::string line; std::getline(lines, line);) {
      nlohmann::ordered_json record = nlohmann::ordered_json::parse(line);
      if (record["status"] == "measured") record["outcome"]["residual"] = 1;
      forged += to_line(record);
    }
    write_file(folder() / "records.jsonl", forged);
    for (const char* name : {"machines.jsonl", "campaigns.jsonl"}) {
      write_file(folder() / name, content_of(fixture_folder() / name));
    }
    results_ = read_results(folder());
  }
  [[nodiscard]] std::filesystem::path folder() const { return scratch_.path() / "forged"; }

  TemporaryFolder scratch_;
  Definitions all_{definitions_folder()};
  Results results_;
};

TEST_F(AllForged, NoRecordIsMeasured) {
  ASSERT_FALSE(results_.records.empty());
  std::size_t implausible = 0;
  for (const Record& record : results_.records) {
    EXPECT_NE(record.status, Status::measured) << record.key;
    implausible += record.status == Status::implausible ? 1 : 0;
  }
  EXPECT_GT(implausible, 100U);
}

TEST_F(AllForged, NoCellIsMeasuredComputedOrExtrapolated) {
  std::size_t marked = 0;
  for (const Definition* definition : all_.get_all({})) {
    const Table table =
        make_table(*definition, all_, lookup_in(results_), "forged", machine_of(results_));
    for (const TableGroup& group : table.groups) {
      for (const TableRow& row : group.rows) {
        const Quantity quantity = row.definition->quantity;
        if (quantity == Quantity::constant) continue;
        for (const Cell& cell : row.cells) {
          EXPECT_TRUE(!cell.value || cell.status == Status::implausible)
              << definition->id() << ": " << row.definition->label << " is "
              << to_string(cell.status);
          marked += cell.value ? 1 : 0;
        }
        for (const auto& speed_up : speed_ups_of(row)) EXPECT_TRUE(speed_up.is_refused());
      }
    }
  }
  EXPECT_GT(marked, 100U) << "shown with their mark";
}

TEST_F(AllForged, NoClaimIsJudgedByIt) {
  const std::vector<PaperClaims> claims = read_claims(definitions_folder(), {}, all_);
  const auto counted_over = [&](const Results& results) {
    return counted(
        count_verdicts(judge_claims(claims, all_, lookup_in(results), machine_of(results_))));
  };
  EXPECT_EQ(counted_over(results_), counted_over({})) << "as if there were no record";
}

TEST_F(AllForged, NothingIsComparedWithIt) {
  const auto published = published_machines(all_);
  const Comparison comparison =
      compare({side_of("published/" + published.front(), all_), side_of(folder().string(), all_)},
              all_.get_all({}));
  for (const ComparedTable& table : comparison.tables) {
    for (const MeanRatio& mean : table.means) EXPECT_FALSE(mean.ratio.value) << table.id;
  }
}

TEST_F(AllForged, NoCeilingTimeOrFigureComesFromIt) {
  EXPECT_TRUE(ceilings_of(results_).empty());
  const Times times = times_of(results_);
  for (const CaseTimes& one : times.cases) {
    EXPECT_TRUE(is_doubted(one.first.status)) << one.key;
  }
}

}  // namespace
}  // namespace macrobench
