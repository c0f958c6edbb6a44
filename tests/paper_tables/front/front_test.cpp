// The first thing that a machine shows: a row a model.

#include "paper_tables/front/front.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/records/record_store.hpp"
#include "harness/text/known_value.hpp"
#include "paper_tables/cells/plan.hpp"
#include "paper_tables/cells/table.hpp"
#include "tests/executable.hpp"
#include "tests/paper_tables/complaints.hpp"
#include "tests/paper_tables/fixture.hpp"
#include "tests/sheet_rows.hpp"

namespace macrobench {
namespace {

using nlohmann::json;

using OfTheFront = OfTheFixture;

/// The row of the table with this label whose cell in some column has this value.
bool has_cell(const Table& table, double value) {
  const auto has_it = [&](const TableGroup& group) {
    return std::ranges::any_of(group.rows, [&](const TableRow& row) {
      return std::ranges::any_of(row.cells, [&](const Cell& cell) { return cell.value == value; });
    });
  };
  return std::ranges::any_of(table.groups, has_it) || std::ranges::any_of(table.needs, has_it);
}

TEST_F(OfTheFront, IsARowAModelOfTheTablesOwnNumbers) {
  const Front front =
      make_front(read_front(all_, all_.get_all({})), all_, lookup_, results_, machine_);
  ASSERT_EQ(front.rows.size(), 4U);
  for (const FrontRow& row : front.rows) {
    const Definition& definition = all_.get(row.table);
    EXPECT_EQ(definition.model, row.model);
    const Table table = make_table(definition, all_, lookup_, "", machine_);
    EXPECT_GT(*row.published.value, 0);
    ASSERT_TRUE(row.best) << row.model;
    EXPECT_FALSE(row.fidelity.empty()) << row.model;
    if (is_of_a_run(row.here.cell)) {
      EXPECT_TRUE(has_cell(table, known_value(row.here.cell.value))) << row.model;
    }
    EXPECT_THAT(row.size, Not(HasSubstr("{"))) << row.model;
  }
}

/// Three sizes of a published program, one of today's, and the front that names them.
struct SmallFront {
  SmallFront() : one(small_definition()) {
    write_file(one.folder.path() / "front.json", front().dump());
  }

  static json front() {
    return json::parse(R"({"schema": 1, "rows": [{"model": "rbc", "title": "Growth", "problems": [
      {"table": "paper/table", "size": "{} points",
       "published": {"row": "A", "called": "C++"},
       "best": [{"row": "C", "called": "one core"}, "B"]}]}]})");
  }

  FrontRow row_of(const std::vector<Record>& records) {
    Results results;
    results.records = records;
    return make_front(read_front(*one.all, one.all->get_all({})), *one.all, lookup_in(results),
                      results, Machine{})
        .rows.at(0);
  }

  OneDefinition one;
};

Record of_program(std::int64_t nk, double seconds) {
  return record_of("serial", {{"nk", nk}, {"nz", 4}, {"maximizer", "bisection"}}, {seconds});
}

Record of_today(std::int64_t nk, double seconds) {
  return record_of("serial_tuned",
                   {{"nk", nk}, {"nz", 4}, {"maximizer", "bisection"}, {"real", "single"}},
                   {seconds});
}

TEST(Front, TakesTheFirstProblemThatHasBothTimes) {
  SmallFront small;
  const FrontRow nothing = small.row_of({});
  EXPECT_EQ(nothing.size, "1,024 points") << "the last column comes first";
  EXPECT_EQ(*nothing.published.value, 1024.5);
  EXPECT_FALSE(nothing.best);

  const FrontRow today = small.row_of({of_today(128, 0.25)});
  EXPECT_EQ(today.size, "128 points");
  ASSERT_TRUE(today.best);
  EXPECT_EQ(today.best->program, "one core");

  const FrontRow program = small.row_of({of_program(16, 0.5), of_today(128, 0.25)});
  EXPECT_EQ(program.size, "16 points") << "the published program comes before today's";

  const FrontRow both =
      small.row_of({of_program(16, 0.5), of_program(32, 0.5), of_today(32, 0.25)});
  EXPECT_EQ(both.size, "32 points");
  EXPECT_EQ(*both.published.value, 2);
  EXPECT_EQ(both.here.cell.value, 0.5);
  EXPECT_EQ(both.best.value().cell.value, 0.25);
}

TEST(Front, TakesTheFastestRightResultOfTheProblemAsItsBest) {
  SmallFront small;
  const auto best_with = [&](const std::function<void(Record&)>& change) {
    Record other = record_of("frontier", {{"nk", 32}, {"nz", 4}, {"threads", 1}}, {0.125});
    change(other);
    return known_value(small.row_of({of_program(32, 0.5), of_today(32, 0.25), other}).best);
  };
  const ProgramTime best = best_with([](Record&) {});
  EXPECT_EQ(best.program, "frontier, one core") << "though front.json does not name it";
  EXPECT_EQ(best.cell.value, 0.125);
  const std::map<std::string, std::function<void(Record&)>> unfit{
      {"another economy", [](Record& its) { its.parameters.set("nz", std::int64_t{8}); }},
      {"another size", [](Record& its) { its.parameters.set("nk", std::int64_t{64}); }},
      {"another precision", [](Record& its) { its.parameters.set("real", std::string("single")); }},
      {"less exact", [](Record& its) { its.parameters.set("tolerance", 1e-3); }},
      {"relaxed", [](Record& its) { its.outcome.emplace().figures["relaxed"] = 1; }},
      {"wrong", [](Record& its) { its.status = Status::invalid; }},
      {"noisy", [](Record& its) { its.status = Status::noisy; }}};
  for (const auto& [what, change] : unfit) {
    EXPECT_EQ(best_with(change).cell.value, 0.25) << what;
  }
}

TEST(Front, HasOurVersionOfAMendedProblemAndOtherLanguagesBeside) {
  SmallFront small;
  json front = SmallFront::front();
  json& problem = front["rows"][0]["problems"][0];
  problem["mended"] = {{"row", "C"}, {"called", "C++, mended"}};
  problem["beside"] = {{{"row", "C"}, {"called", "JAX"}}};
  write_file(small.one.folder.path() / "front.json", front.dump());
  const FrontRow row = small.row_of({of_program(32, 0.5), of_today(32, 0.25)});
  EXPECT_EQ(*row.published.value, 2) << "in print";
  EXPECT_EQ(row.here.cell.value, 0.25) << "of the mended row";
  ASSERT_TRUE(row.beside);
  EXPECT_EQ(row.beside->program, "JAX");
  EXPECT_EQ(row.beside->cell.value, 0.25);
  const std::string text =
      to_text(document_of(Front{.machine = "m", .machine_text = "a machine", .rows = {row}}), 200);
  EXPECT_THAT(text, HasSubstr("250 ms"));
  EXPECT_THAT(text, HasSubstr(", JAX"));
  EXPECT_THAT(text, HasSubstr("±"));
}

TEST(Front, HasTheErrorOfTheBestProgramsOwnSolution) {
  SmallFront small;
  Record program = of_program(32, 0.5);
  program.outcome.emplace().figures["euler_error_mean"] = -2;
  Record other = record_of("frontier", {{"nk", 32}, {"nz", 4}, {"threads", 1}}, {0.125});
  other.outcome.emplace().figures["euler_error_mean"] = -3;
  const FrontRow row = small.row_of({program, other});
  EXPECT_NEAR(known_value(row.best.value().cell.error), 1e-3, 1e-12) << "of a logarithm";
  const std::string text =
      to_text(document_of(Front{.machine = "m", .machine_text = "a machine", .rows = {row}}), 200);
  EXPECT_THAT(text, HasSubstr("error: 0.10% of consumption"));
}

TEST(Front, ShowsNeitherAWrongResultNorAnExtrapolatedTime) {
  SmallFront small;
  Record wrong = of_program(1024, 0.5);
  wrong.status = Status::invalid;
  wrong.why = {"not converged", "9 of 8"};
  std::vector<Record> records{wrong, of_today(1024, 0.25)};
  for (const std::int64_t nk : {16, 32, 64}) records.push_back(of_program(nk, 0.01));
  const FrontRow row = small.row_of(records);
  EXPECT_EQ(row.size, "64 points") << "1,024 is invalid, and 128 would be extrapolated";

  const FrontRow alone = small.row_of({wrong, of_today(64, 0.25), of_today(1024, 0.25)});
  EXPECT_EQ(alone.size, "1,024 points");
  EXPECT_FALSE(is_of_a_run(alone.here.cell));
  const std::string text = to_text(
      document_of(Front{.machine = "m", .machine_text = "a machine", .rows = {alone}}), 100);
  EXPECT_THAT(text, AllOf(HasSubstr("invalid"), HasSubstr("not converged"), HasSubstr("250 ms")));
}

TEST(Front, SaysHowOftenFasterOfWhatItShows) {
  FrontRow row{.model = "rbc",
               .title = "Growth",
               .size = "64 points",
               .table = "paper/table",
               .hardware = "C2075",
               .published = constant(20, "s"),
               .here = {"CUDA C", constant(0.4, "s")},
               .best = ProgramTime{"one core", constant(0.002, "s")},
               .error = constant(0.0412, "%"),
               .error_of = "K"};
  row.here.cell.kind = row.error->kind = Kind::measured;
  row.best->cell.kind = Kind::computed;
  row.best->cell.marks.insert({Sign::own, "computed: one panel alone"});
  for (Cell* cell : {&row.here.cell, &row.best->cell}) {
    Provenance origin;
    origin.compiler = cell == &row.here.cell ? "GNU 12" : "GNU 13";
    cell->from = {origin};
  }
  row.faster = Ratio(row.published, row.here.cell, of_machines());
  row.faster_again = Ratio(row.here.cell, row.best->cell, of_programs());
  row.faster_in_all = Ratio(row.published, row.best->cell, of_machines());
  const Front front{.machine = "H100", .machine_text = "a machine with an H100", .rows = {row}};
  const std::string text = to_markdown(document_of(front));
  EXPECT_THAT(text, HasSubstr("a machine with an H100"));
  for (const char* cell :
       {"Growth, 64 points", "20 s, CUDA C, C2075", "400 ms", "50.0×", "2 ms!, one core", "200×≠!",
        "K off by 0.041%", "! computed: one panel alone.", "≠ two compilers."}) {
    EXPECT_THAT(text, HasSubstr(cell));
  }
  const json its = rows_of(sheets_of(front), "front")[0];
  EXPECT_EQ(its["published"], 20);
  EXPECT_EQ(its["here_kind"], "measured");
  EXPECT_EQ(its["faster"], 50);
  EXPECT_EQ(its["best_kind"], "computed");
  EXPECT_EQ(rows_of(sheets_of(front), "machine")[0]["machine"], "H100");
  EXPECT_THAT(to_csv(sheet_of(front)), HasSubstr("\nrbc,64 points,"));

  const std::string svg = picture_of(front);
  EXPECT_THAT(svg, AllOf(HasSubstr(">Growth, 64 points</text>"), HasSubstr(">10,000×</text>"),
                         HasSubstr(">400 ms</text>")));
  row.best.reset();
  EXPECT_EQ(picture_of({.machine = "H100", .machine_text = "", .rows = {row}}), "");
}

TEST(Front, WhatItNamesIsMeasuredFirst) {
  SmallFront small;
  const std::vector<const Definition*> tables = small.one.all->get_all({});
  const Plan plan =
      plan_of(tables, *small.one.all, 1, cells_of(read_front(*small.one.all, tables)));
  int first = 0;
  for (const auto& [key, hint] : plan.hints) first += hint.headline ? 1 : 0;
  EXPECT_GT(first, 0);
  EXPECT_TRUE(read_front(*small.one.all, {}).empty()) << "of tables that are not wanted";
}

TEST(Front, SaysWhatIsWrongWithItsFile) {
  expect_complaints(
      "front.json", SmallFront::front(),
      [](const json& file) -> std::string {
        const OneDefinition one(small_definition());
        write_file(one.folder.path() / "front.json", file.dump());
        try {
          read_front(*one.all, one.all->get_all({}));
        } catch (const UsageError& error) {
          return error.what();
        }
        return "";
      },
      R"(/rows/0 {"modle": "rbc"} => : unknown field 'modle'; the nearest is 'model'...
/rows/0/problems/0 {"table": "paper/tabel"} => /table: unknown table 'paper/tabel'; the nearest is
 'paper/table'...
/rows/0 {"model": "newton"} => /problems/0/table: it is a table of rbc
/rows/0/problems/0 {"published": "D"} => /published: unknown row 'D'...
/rows/0/problems/0 {"published": "C"} => /published: it has no published time
/rows/0/problems/0 {"columns": ["17"]} => /columns/0: unknown column '17'...
/rows/0/problems/0 {"size": 3} => /size: it must be a string)");
}

TEST_F(OfTheFront, TheCommandPrintsItAndDrawsIt) {
  const TemporaryFolder folder;
  const std::filesystem::path link = folder.path() / "link.svg";
  std::filesystem::create_symlink("where_it_leads.svg", link);
  EXPECT_EQ(macrobench("summary --results '" + fixture_folder().string() + "' --picture '" +
                       link.string() + "'")
                .code,
            0);
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_THAT(content_of(folder.path() / "where_it_leads.svg"), HasSubstr(">Growth, "));
}

}  // namespace
}  // namespace macrobench
