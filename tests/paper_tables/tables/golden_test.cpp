// Every table and every claim in a line of counts, and one small table in every format, against
// golden text. After a change that is meant:
//   MACROBENCH_UPDATE_GOLDEN=1 build/paper_tables_tests --gtest_filter='*Golden*'

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/table.hpp"
#include "paper_tables/claims/claims_verdict.hpp"
#include "paper_tables/tables/render.hpp"
#include "tests/matchers.hpp"
#include "tests/paper_tables/fixture.hpp"
#include "tests/sheet_rows.hpp"

namespace macrobench {
namespace {

using nlohmann::ordered_json;

/// What a table of the made-up machine has: a line of counts, and of each mark how often it is
/// said.
std::string counts_of(const Table& table) {
  const CellCounts counts = count_cells(table);
  int speed_ups = 0;
  std::map<std::string, int> marks;
  std::map<std::string, int> kinds;
  for (const TableRow& row : rows_of(table)) {
    for (const Cell& cell : row.cells) {
      ++kinds[word_of(cell)];
      for (const Mark& mark : cell.marks) ++marks[symbol_of(mark.sign)];
    }
    for (const Ratio& ratio : speed_ups_of(row)) speed_ups += ratio.is_refused() ? 0 : 1;
  }
  const auto listed = [](const std::map<std::string, int>& all) {
    std::string text;
    for (const auto& [name, count] : all) text += fmt::format(", {} {}", count, name);
    return text;
  };
  return fmt::format(
      "{}: {} in print: {} measured, {} ratios, {} computed, {} extrapolated, {} without; {} "
      "speed-ups; cells{}; marks{}\n",
      table.definition->id(), counts.printed, counts.measured, counts.ratios, counts.computed,
      counts.extrapolated, counts.without(), speed_ups, listed(kinds), listed(marks));
}

/// A line for each direction and size of the claims: its test, its verdict and how it was reached.
std::string counts_of(const ClaimReport& report) {
  std::string lines;
  for (const nlohmann::json& row : rows_of(sheets_of(report), "claims")) {
    const auto text = [&](const char* name) {
      return row[name].is_null() ? std::string() : row[name].get<std::string>();
    };
    lines += fmt::format("{:<21} | {:<36} | {:<9} | {:<16} | {:<23} |", text("paper"),
                         text("claim"), text("part"), text("test"), text("verdict"));
    for (const char* decision : {"holds", "fails", "open", "absent"}) {
      lines += " " + (row[decision].is_null() ? "-" : row[decision].dump());
    }
    lines += "\n";
  }
  return lines;
}

/// All that adding a paper changes in tests/.
TEST_F(OfTheFixture, GoldenCountsAreAsBefore) {
  std::string all;
  for (const std::string& id : all_.ids()) {
    all += counts_of(make_table(all_.get(id), all_, lookup_, "fixture", machine_));
  }
  const std::vector<PaperClaims> claims = read_claims(definitions_folder(), {}, all_);
  all +=
      counts_of(ClaimReport{"fixture", "a machine", judge_claims(claims, all_, lookup_, machine_)});
  expect_golden(source_dir() / "tests/paper_tables/golden/counts.txt", all);
  for (const char* word : {"measured", "computed", "extrapolated", "constant", "not_run", "invalid",
                           "failed", "timeout"}) {
    EXPECT_THAT(all, HasSubstr(word));
  }
}

/// Its text is what each format must escape.
Definition definition_of_every_kind() {
  return OneDefinition(nlohmann::json::parse(R"({
    "schema": 1, "paper": "paper", "table": "table", "title": "Table 9",
    "caption": "Every <kind> of *cell*.",
    "source": {"document": "Author & others (2020), \"A | Paper\"", "where": "p. 1"},
    "hardware": {"id": "old", "text": "an *old* machine"},
    "model": "rbc", "parameters": {"nz": 4, "maximizer": "bisection"}, "axis": "N_k",
    "columns": [{"label": "16", "parameters": {"nk": 16}},
                {"label": "32 | $x^2$", "parameters": {"nk": 32}},
                {"label": "64", "parameters": {"nk": 64}}],
    "groups": [
      {"label": "One <group>", "rows": [
        {"label": "CPU & <co>", "implementation": "serial", "quantity": "solution",
         "published": ["1.5", null, "1,024.50"], "note": "The *first* row's note."},
        {"label": "Stage", "implementation": "frontier", "quantity": "stage", "stage": "discrete",
         "per": "iteration", "published": [null, null, null]}]},
      {"label": "Another | group", "rows": [
        {"label": "Doubted", "implementation": "serial_tuned", "quantity": "total",
         "published": ["1", "2", "3"]},
        {"label": "Ended badly", "implementation": "serial_tuned", "quantity": "start",
         "published": ["1", "2", "3"]},
        {"label": "Not run", "implementation": "serial_tuned", "quantity": "first_solution",
         "published": ["1", "2", "3"]}]}],
    "extra": [
      {"label": "Ratio", "quantity": "ratio", "numerator": "Doubted", "baseline": "CPU & <co>"},
      {"label": "Value", "implementation": "serial", "quantity": "figure", "figure": "V_last",
       "unit": "units of utility", "published": ["39.1", null, null]},
      {"label": "Published only", "quantity": "constant", "unit": "% of <V>",
       "published": ["1", "2_000", "1 1/2"]}],
    "notes": ["Of the table: 100% <b>plain</b>."]
  })"))
      .get();
}

Cell cell_of(Status status, double value, int samples = 6, bool is_cold = false,
             const std::string& mark = "") {
  Cell cell{.value = value, .kind = Kind::measured, .status = status};
  cell.samples = samples;
  cell.spread = 0.0123456;
  cell.samples_of = is_cold ? "cold solutions" : "warm solutions";
  cell.is_cold = is_cold;
  if (!mark.empty()) cell.marks.insert({Sign::unlike, mark});
  if (is_cold || samples == 1) {
    cell.marks.insert(
        {Sign::one_sample, is_cold ? "cold: the first solution of a process" : "one sample"});
  }
  return cell;
}

/// Computed, extrapolated or constant.
Cell made_cell(Kind kind, double value, Reason why = {}) {
  Cell cell{.value = value, .kind = kind, .status = Status::measured, .why = std::move(why)};
  if (kind == Kind::extrapolated) cell.marks.insert({Sign::extrapolated, "by a law of growth"});
  if (!cell.why.empty()) cell.marks.insert({Sign::own, "computed: " + cell.why.clause});
  return cell;
}

Cell doubted_cell(Status status, const char* why) {
  Cell cell = cell_of(status, 2);
  cell.why = why;
  cell.marks.insert({Sign::own, fmt::format("{}: {}", to_string(status), why)});
  return cell;
}

Cell no_number(Status status, Reason why = {}) {
  return {.status = status, .why = std::move(why)};
}

Cell no_number(Kind kind, Reason why = {}) {
  return {.kind = kind, .why = std::move(why)};
}

/// The index-th of the rows.
auto& row_at(auto rows, std::ptrdiff_t index) {
  for (auto& row : rows) {
    if (index-- == 0) return row;
  }
  throw std::out_of_range("there is no such row");
}

/// A table with every kind of cell, mark, note and name.
class EveryKind {
 public:
  EveryKind() {
    using enum Status;
    using Kind::computed, Kind::constant, Kind::extrapolated;
    const std::string mark = "two compilers";
    const Cell not_divided =
        no_number(not_run, Reason(Reason::Kind::not_divided, "moves=all and all_but_last"));
    std::vector<std::vector<Cell>> cells{
        {cell_of(Status::measured, 0.44504), cell_of(Status::measured, 1.1249, 1),
         made_cell(extrapolated, 12345.6)},
        {cell_of(Status::measured, 5.2e-5, 1, true), cell_of(Status::measured, 0.092, 3, true),
         cell_of(Status::measured, 7, 6, false, mark)},
        {doubted_cell(noisy, "others used the cores"), doubted_cell(throttled, "the GPU was hot"),
         doubted_cell(implausible, "no machine can do it")},
        {no_number(invalid, "not converged: 3e-05 exceeds 1e-06"),
         no_number(failed, {"killed (signal 9) | <b>", "at K[0]"}),
         no_number(timeout, {"over its deadline", "15 min"})},
        {no_number(not_run, {"over the budget", "predicted 2 h"}),
         no_number(not_run, {"over the budget", "predicted 3 h"}), no_number(not_run, "no record")},
        {made_cell(computed, 0.0295123), made_cell(extrapolated, 0.0041234), not_divided},
        {made_cell(computed, 39.123456, "to B's value"), made_cell(constant, 2),
         no_number(constant, "GNU_12 & <co>")},
        std::vector<Cell>(3, no_number(constant))};
    cells[0][0].error = 2e-5;
    cells[0][1].error = 1e-3;
    cells[0][0].marks.insert({Sign::own, "measured when moves=all_but_last was the default"});
    auto its = cells.begin();
    for (const GroupDefinition& group : definition.groups) {
      TableGroup& made = table.groups.emplace_back(TableGroup{group.label});
      for (const RowDefinition& row : group.rows) {
        made.rows.push_back({&row, row.implementation, row.parameters, "", *its++});
      }
    }
    row(5).baseline = "CPU & <co>";
    row(5).implementation = "serial_tuned";
  }
  EveryKind(const EveryKind&) = delete;

  TableRow& row(std::ptrdiff_t index) { return row_at(rows_of(table), index); }
  Cell& cell(std::ptrdiff_t index, std::size_t column) { return row(index).cells[column]; }
  RowDefinition& named(std::ptrdiff_t index) { return row_at(rows_of(definition), index); }

  Definition definition = definition_of_every_kind();
  Table table{&definition, "a_machine", "A <machine>, 4 cores", {}};
};

TEST(EveryKindOfCell, GoldenIsAsBeforeInEveryFormat) {
  const EveryKind all;
  const std::filesystem::path path = source_dir() / "tests/paper_tables/golden/every_kind";
  for (const char* format : {"csv", "md", "tex"}) {
    expect_golden(path.string() + "." + format, render(all.table, format));
  }
  expect_golden(path.string() + ".txt", to_text(document_of(all.table), 100));
  expect_golden(path.string() + ".html", to_html(document_of(all.table), 2));
  const std::string csv = render(all.table, "csv");
  for (int status = 0; status <= static_cast<int>(Status::timeout); ++status) {
    EXPECT_THAT(csv, HasSubstr("," + to_string(static_cast<Status>(status)) + ","));
  }
  for (const Kind kind : {Kind::computed, Kind::extrapolated, Kind::constant}) {
    EXPECT_THAT(csv, HasSubstr("," + to_string(kind) + ","));
  }
}

}  // namespace
}  // namespace macrobench
