// What the papers plot: figures are data, read, checked and drawn.

#include <algorithm>
#include <set>
#include <sstream>

#include "harness/text/strings.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/printed_number.hpp"
#include "paper_tables/cells/table.hpp"
#include "paper_tables/figures/paper_figures.hpp"
#include "tests/matchers.hpp"
#include "tests/paper_tables/fixture.hpp"

namespace macrobench {
namespace {

using nlohmann::json;

/// The papers' figures with the fixture's numbers.
class Figures : public OfTheFixture {
 protected:
  Plot plot(const std::string& name) {
    for (Plot& one : paper_plots(all_, lookup_, machine_)) {
      if (one.name == name) return std::move(one);
    }
    ADD_FAILURE() << "no figure " << name;
    return {};
  }

  /// What stands in the data in the column of that name; none where the data has no such column.
  static std::vector<std::optional<double>> column(const Plot& plot, const std::string& name) {
    const auto found = std::ranges::find(plot.data.columns, name);
    if (found == plot.data.columns.end()) return {};
    std::vector<std::optional<double>> numbers;
    for (const auto& row : plot.data.rows) {
      numbers.push_back(row[static_cast<std::size_t>(found - plot.data.columns.begin())]);
    }
    return numbers;
  }
};

TEST_F(Figures, EveryLineIsOfNumbersThatTheDataHas) {
  const std::vector<Plot> plots = paper_plots(all_, lookup_, machine_);
  EXPECT_FALSE(plots.empty());
  std::set<std::string> names;
  for (const Plot& plot : plots) {
    SCOPED_TRACE(plot.name);
    EXPECT_TRUE(names.insert(plot.name).second);
    ASSERT_FALSE(plot.data.rows.empty());
    for (const auto& row : plot.data.rows) ASSERT_EQ(row.size(), plot.data.columns.size());
    for (const PlotPanel& panel : plot.panels) {
      std::size_t points = 0;
      for (const PlotLine& line : panel.lines) {
        ASSERT_LT(line.y, plot.data.columns.size());
        for (const auto& row : plot.data.rows) points += row[line.y].has_value() ? 1 : 0;
      }
      EXPECT_GT(points, 0U) << panel.title << ": the fixture has records of what tables need";
    }
  }
}

/// Each number is recomputed from the table as anyone prints it.
TEST_F(Figures, SquareRootsOfTimesAreThoseOfTheTable) {
  const Plot figure = plot("aldrich_2014_figure_4");
  const Definition& definition = all_.get("aldrich_2014/table_2");
  const Table table = make_table(definition, all_, lookup_, "", machine_);
  std::size_t measured = 0;
  for (const TableRow& row : table.groups.front().rows) {
    const std::string& label = row.definition->label;
    const auto in_print = column(figure, label + ", published");
    const auto here = column(figure, label + ", measured");
    ASSERT_EQ(in_print.size(), definition.columns.size()) << label;
    for (std::size_t i = 0; i < in_print.size(); ++i) {
      const auto printed = printed_number(row.definition->published[i].value_or(""));
      ASSERT_EQ(in_print[i].has_value(), printed.has_value()) << label;
      if (printed) {
        EXPECT_DOUBLE_EQ(*in_print[i] * *in_print[i], *printed) << label;
      }
      const Cell& cell = row.cells[i];
      const bool is_evidence = cell.kind == Kind::measured || cell.kind == Kind::computed;
      ASSERT_EQ(here[i].has_value(), is_evidence) << label;
      if (!is_evidence) continue;
      ++measured;
      EXPECT_NEAR(*here[i] * *here[i] / *cell.value, 1, 1e-12) << label;
    }
  }
  EXPECT_GT(measured, 0U);
}

TEST_F(Figures, OverGroupsOfATableAreTheCellsOfOneColumn) {
  const Plot figure = plot("hatcher_scheffel_2014_figure_1");
  EXPECT_EQ(column(figure, "agents"),
            (std::vector<std::optional<double>>{10'000, 500'000, 10'000'000}));
  const Definition& table = all_.get("hatcher_scheffel_2014/table_3");
  const auto printed = column(figure, "Whole algorithm, 250(50), published");
  ASSERT_EQ(printed.size(), 3U);
  const RowDefinition& most =
      *table.find_row("Total Speedup", "10,000,000 agents, software, double precision");
  EXPECT_EQ(printed[2], printed_number(most.published[1].value()));
}

TEST_F(Figures, OfAModelAreItsCurves) {
  const Plot figure = plot("aldrich_2014_figure_3");
  const auto x = column(figure, "x");
  const auto y = column(figure, "a=-0.5");
  ASSERT_EQ(x.size(), y.size());
  ASSERT_GT(x.size(), 100U);
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(*y[i], -0.5 * *x[i] * *x[i] + 2.3 * *x[i] + 5.4, 1e-9) << *x[i];
  }
}

TEST(Figure, WhatIsExtrapolatedHasAColumnOfItsOwn) {
  json definition = small_definition();
  for (json& row : definition["rows"]) row["published"] = json::array_t(5, nullptr);
  const OneDefinition one(definition);
  write_file(one.folder.path() / "paper/figures.json", R"({"schema": 1, "figures": [
    {"figure": "times", "title": "T", "caption": "C", "table": "paper/table",
     "x": {"called": "Nk", "axis": "nk"},
     "panels": [{"x_label": "Nk", "y_label": "s", "lines": [{"row": "A", "colour": "blue"}]}]}]})");
  Results results;
  for (const std::int64_t nk : {16, 32, 64}) {
    results.records.push_back(record_of(
        "serial", {{"nk", nk}, {"nz", 4}, {"maximizer", "bisection"}}, {static_cast<double>(nk)}));
  }
  const std::vector<Plot> plots = paper_plots(*one.all, quiet_lookup_in(results), Machine{});
  ASSERT_EQ(plots.size(), 1U);
  const auto& rows = plots.front().data.rows;
  ASSERT_EQ(rows.size(), 5U);
  EXPECT_EQ(rows[2], (std::vector<std::optional<double>>{64, {}, 64, {}}));
  ASSERT_TRUE(rows[3][3]);
  EXPECT_GT(*rows[3][3], 64);
  EXPECT_FALSE(rows[3][2]);
}

TEST(BadFigure, IsNamedWithItsFileItsPointerAndTheNearest) {
  Definitions all(definitions_folder());
  const auto complaint = [&](const std::string& paper, const Spoilt& spoilt) {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / paper / "figures.json";
    write_file(
        path,
        spoilt.of(json::parse(content_of(definitions_folder() / paper / "figures.json"))).dump());
    return complaint_of([&] {
      check_figures(path, all);
      return true;
    });
  };
  EXPECT_EQ(complaint("aldrich_2014", {"", "{}", ""}), "");
  constexpr const char* line = "/figures/1/panels/0/lines/0";
  for (const Spoilt& spoilt : std::vector<Spoilt>{
           {line, R"({"row": "Serial C++"})",
            "aldrich_2014/figures.json at /figures/1/panels/0/lines/0/row: unknown row 'Serial "
            "C++'; the nearest is 'Serial CPP'"},
           {"/figures/1", R"({"table": "aldrich_2014/table_22"})",
            " at /figures/1/table: unknown table 'aldrich_2014/table_22'; the nearest is "
            "'aldrich_2014/table_2'"},
           {"/figures/1/x", R"({"axis": "nz"})",
            " at /figures/1/x/axis: column '128' has no size 'nz'"},
           {line, R"({"colour": "grren"})",
            "/lines/0/colour: unknown colour 'grren'; the nearest is 'green'"},
           {line, R"({"colour": "#12345'"})", "/colour: unknown colour '#12345''"},
           {line, R"({"marker": 5})", "/lines/0/marker: it must be from 0 to 4"},
           {line, R"({"rwo": "A"})", "/lines/0: unknown field 'rwo'; the nearest is 'row'"},
           {line, R"({"row": null})", "/lines/0: it has neither a row nor curves"},
           {"/figures/1/panels", "[]", "/panels: it must have a panel"},
           {"/figures/1/panels/1/lines", "[]", "/panels/1/lines: it must have a line"},
           {line, R"({"table": "aldrich_2014/table_4"})",
            "/lines/0/table: the figure is not over groups"},
           {"/figures/1", R"({"figure": "../figure"})",
            "/figure: it must have only small letters, digits and underscores"},
           {"/figures/0", R"({"curves": "aldrich_2014/figure_33"})",
            " at /figures/0/curves: unknown figure of a model 'aldrich_2014/figure_33'; the "
            "nearest is 'aldrich_2014/figure_3'"}}) {
    EXPECT_THAT(complaint("aldrich_2014", spoilt), HasSubstr(spoilt.says));
  }
  EXPECT_THAT(complaint("hatcher_scheffel_2014",
                        {"/figures/0/panels/0/lines/0", R"x({"column": "100(40)"})x", ""}),
              HasSubstr("/lines/0/column: unknown column '100(40)'; the nearest is '100(4)'"));
  EXPECT_THAT(complaint("hatcher_scheffel_2014",
                        {"/figures/0/x/groups/0", R"({"group": "ten agents"})", ""}),
              HasSubstr("unknown group 'ten agents'"));
}

TEST(Figure, OfACurveThatTheModelDoesNotHaveIsRefused) {
  const OneDefinition one(small_definition());
  write_file(one.folder.path() / "paper/figures.json", R"({"schema": 1, "figures": [
    {"figure": "parabolas", "title": "T", "caption": "C", "curves": "aldrich_2014/figure_3",
     "panels": [{"x_label": "x", "y_label": "y",
                 "lines": [{"column": "a=-0.55", "colour": "black"}]}]}]})");
  const Results nothing;
  EXPECT_THAT(complaint_of([&] { return paper_plots(*one.all, lookup_in(nothing), Machine{}); }),
              HasSubstr("paper/figures.json at /figures/0/panels/0/lines/0: unknown column "
                        "'a=-0.55'"));
}

}  // namespace
}  // namespace macrobench
