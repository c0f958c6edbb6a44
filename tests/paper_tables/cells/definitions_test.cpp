// The definitions that come with the project, and what is said of bad ones.

#include "paper_tables/cells/definitions.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>

#include "harness/programs/program_models.hpp"
#include "harness/text/error.hpp"
#include "paper_tables/cells/find.hpp"
#include "paper_tables/cells/lookup.hpp"
#include "paper_tables/cells/plan.hpp"
#include "paper_tables/cells/printed_number.hpp"
#include "paper_tables/cells/table.hpp"
#include "paper_tables/tables/render.hpp"
#include "tests/matchers.hpp"
#include "tests/paper_tables/complaints.hpp"
#include "tests/paper_tables/fixture.hpp"

namespace macrobench {
namespace {

using nlohmann::json;

TEST(Definitions, PassOverALinkThatLeadsNowhere) {
  const OneDefinition one(small_definition());
  std::filesystem::create_symlink("loop", one.folder.path() / "loop");
  EXPECT_EQ(Definitions(one.folder.path()).ids(), one.all->ids());
}

TEST(Definitions, AreAllFilesOfPapersButThoseWithNamesOfTheirOwn) {
  std::vector<std::string> ids;
  for (const auto& file : std::filesystem::recursive_directory_iterator(definitions_folder())) {
    const std::filesystem::path path = file.path().lexically_relative(definitions_folder());
    const bool is_of_a_paper = path.has_parent_path() && path.extension() == ".json";
    const std::string name = path.stem().string();
    const bool is_no_table = name == "claims" || name == "figures" || name == "originals";
    if (!is_of_a_paper || is_no_table) continue;
    ids.push_back((path.parent_path() / path.stem()).string());
  }
  std::ranges::sort(ids);
  EXPECT_FALSE(ids.empty());
  EXPECT_EQ(Definitions(definitions_folder()).ids(), ids);
}

TEST(Definitions, AllLoad) {
  Definitions definitions(definitions_folder());
  for (const Definition* definition : definitions.get_all({})) {
    SCOPED_TRACE(definition->id());
    EXPECT_FALSE(definition->caption.empty());
    for (const GroupDefinition& group : definition->groups) {
      for (const RowDefinition& row : group.rows) {
        EXPECT_EQ(row.published.size(), definition->columns.size()) << row.label;
      }
    }
  }
}

/// A paper's own Matlab program may be in a figure or a listing alone. A frontier may have a row
/// beyond the paper.
TEST(Definitions, HaveARowOfEveryProgramThatIsPublished) {
  std::set<std::string> with_row;
  std::set<std::string> in_print;
  Definitions definitions(definitions_folder());
  for (const Definition* definition : definitions.get_all({})) {
    for (const RowDefinition& row : rows_of(*definition)) {
      with_row.insert(definition->model + "/" + row.implementation);
      if (!row.extra) in_print.insert(definition->model + "/" + row.implementation);
    }
  }
  for (const Manifest& program : found_programs().programs) {
    const auto is_in = [&](const std::set<std::string>& rows) {
      return rows.contains(program.id()) || rows.contains(program.id() + "_gpu");
    };
    const std::string origin = to_string(program.origin.value());
    if (program.of_a_paper || is_in(in_print)) {
      EXPECT_EQ(origin, "published") << program.id() << " is in print";
    } else if (!is_in(with_row)) {
      EXPECT_EQ(origin, "frontier")
          << program.id()
          << " has no row of a table: write \"origin\": \"frontier\" in its program.json";
    }
  }
}

/// Claims and figures quote the label of a row, and of its group if it has one; docs/precision.md
/// names both, and has keys in single precision, beside which it shows the same case in double.
TEST(Definitions, HaveNoNeedThatNothingNames) {
  Definitions definitions(definitions_folder());
  std::set<const RowDefinition*> referred;
  for (const Definition* table : definitions.get_all({})) {
    for (const RowDefinition& row : rows_of(*table)) {
      for_each_reference(row, [&](const RowReference& reference) {
        referred.insert(find_row(reference, {.table = table}, definitions).value().row);
      });
    }
  }
  const std::filesystem::path folder = definitions_folder();
  const std::string page = content_of(source_dir() / "docs/precision.md");
  int needs = 0;
  for (const Definition* table : definitions.get_all({})) {
    std::string quoting = content_of(folder / "front.json");
    for (const std::string_view file : {claims_file, figures_file}) {
      const std::filesystem::path path = folder / table->paper / file;
      if (std::filesystem::exists(path)) quoting += content_of(path);
    }
    const auto is_quoted = [&](const std::string& label) {
      return quoting.find(json(label).dump()) != std::string::npos;
    };
    for (const GroupDefinition& group : table->groups) {
      if (group.is_printed) continue;
      for (const RowDefinition& row : group.rows) {
        ++needs;
        const auto is_on_page = [&](const ColumnDefinition& column) {
          if (row.implementation.empty()) return false;
          CellRequest request = request_of(*table, row, column);
          const Implementation* its = Registry::global().find(request.id());
          if (its == nullptr) return page.find(request.id() + " ") != std::string::npos;
          request.parameters.set("real", std::string("single"));
          try {
            return page.find(case_of(request, 1).value().key()) != std::string::npos;
          } catch (const UsageError&) {
            return false;  // it has double precision alone
          }
        };
        const bool is_beside = page.find(group.label + " :: " + row.label) != std::string::npos;
        EXPECT_TRUE(
            referred.contains(&row) || is_beside ||
            (is_quoted(row.label) && (group.label == extra_label || is_quoted(group.label))) ||
            std::ranges::any_of(table->columns, is_on_page))
            << table->id() << ": " << group.label << ": " << row.label;
      }
    }
  }
  EXPECT_GT(needs, 0);
}

/// True if the paper prints the serial code's solution times of the business-cycle model.
bool has_serial_times(const Definition& table) {
  return table.model == "rbc" &&
         std::ranges::any_of(table.groups.front().rows, [](const RowDefinition& row) {
           return row.implementation == "serial_checked" && row.quantity == Quantity::solution;
         });
}

TEST(Definitions, EveryTimeTableHasBothBaselines) {
  Definitions definitions(definitions_folder());
  std::size_t tables = 0;
  for (const Definition* its : definitions.get_all({})) {
    if (!has_serial_times(*its)) continue;
    ++tables;
    const Definition& definition = *its;
    SCOPED_TRACE(definition.id());
    std::set<std::string> implementations;
    for (const RowDefinition& row : rows_of(definition)) implementations.insert(row.implementation);
    for (const char* name : {"serial", "serial_probed", "frontier", "frontier_cuda"}) {
      EXPECT_TRUE(implementations.contains(name)) << name;
    }
  }
  EXPECT_GT(tables, 0U);
}

TEST(Definitions, OnlyTheFirstPapersCodeUsesMonotonicity) {
  Definitions definitions(definitions_folder());
  const auto monotone = [&](const char* table, const char* row) {
    return to_string(*definitions.get(table).find_row(row)->parameters.find("monotone"));
  };
  EXPECT_EQ(monotone("aldrich_2010/table_3", "CPU"), "on");
  EXPECT_EQ(monotone("aldrich_vfi_page/binary_search", "C++"), "on");
  EXPECT_EQ(monotone("aldrich_2014/table_2", "Serial CPP"), "off");
  EXPECT_EQ(monotone("aldrich_2010/table_3", "Probed CPU"), "off");
}

/// The transcriptions that some checkouts have beside them: what was printed, by seed and table.
class Transcriptions : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto path = source_dir().parent_path() / "shared/published/tables.json";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "no transcriptions beside this checkout";
    tables_ = json::parse(content_of(path));
  }

  /// Every row that is printed in the table is in the definition, each cell as printed.
  void expect_equal(const std::string& seed, const std::string& table, const std::string& id,
                    const std::set<std::string>& printed_elsewhere = {}) {
    SCOPED_TRACE(id);
    Definitions definitions(definitions_folder());
    const Definition& definition = definitions.get(id);
    int compared = 0;
    for (const json& transcription : tables_) {
      if (!transcription["seed"].get<std::string>().starts_with(seed)) continue;
      if (transcription["table"] != table) continue;
      for (const json& row : transcription["rows"]) {
        if (printed_elsewhere.contains(row["label"])) continue;
        const RowDefinition* defined = definition.find_row(row["label"].get<std::string>());
        ASSERT_NE(defined, nullptr) << row["label"];
        json printed = row["printed"];
        ASSERT_LE(printed.size(), defined->published.size());
        printed.insert(printed.end(), defined->published.size() - printed.size(), "");  // ours
        std::vector<std::string> cells;
        for (const auto& cell : defined->published) cells.push_back(cell.value_or(""));
        EXPECT_EQ(json(cells), printed) << row["label"];
        ++compared;
      }
    }
    EXPECT_GT(compared, 0);
  }

  json tables_;
};

TEST_F(Transcriptions, AgreeWithThePublishedCells) {
  expect_equal("000", "unnumbered 1 (binary search)", "aldrich_vfi_page/binary_search");
  expect_equal("000", "unnumbered 2 (grid search + Howard 20)", "aldrich_vfi_page/grid_howard");
  for (const char* n : {"3", "4", "5"}) {
    expect_equal("003", std::string("Table ") + n, std::string("aldrich_2010/table_") + n);
  }
  expect_equal("003", "Table 6", "aldrich_2010/table_6",
               {"GPU Solution (Table 3)", "CPU (Table 5)", "GPU Total (Table 3)"});
  for (const char* n : {"2", "4"}) {
    expect_equal("004", std::string("Table ") + n, std::string("aldrich_2014/table_") + n);
  }
}

/// Krusell-Smith's tables print three blocks of three columns side by side, which stand in groups.
const std::map<std::string, std::string> agents_of_prefix = {{"10.000", "10,000 agents"},
                                                             {"500.000", "500,000 agents"},
                                                             {"10.000.000", "10,000,000 agents"}};
const std::map<std::string, std::vector<std::string>> blocks_of_table = {
    {"table_2", {"1 thread", "2 threads", "4 threads"}},
    {"table_3",
     {"hardware, single precision", "software, single precision", "software, double precision"}}};

/// What the definition has for a cell of Table 2 or 3, by how the paper addresses it.
std::string defined_cell(const Definition& definition, const std::string& agents,
                         const std::string& row, int column) {
  const std::string group =
      agents_of_prefix.at(agents) + ", " +
      blocks_of_table.at(definition.table).at(static_cast<unsigned>(column) / 3);
  const RowDefinition* defined = definition.find_row(row, group);
  if (defined == nullptr) return "no row " + row + " in " + group;
  return defined->published.at(static_cast<unsigned>(column) % 3).value_or("");
}

TEST_F(Transcriptions, OfKrusellSmithAgreeWithThePublishedCells) {
  Definitions definitions(definitions_folder());
  int compared = 0;
  for (const json& transcription : tables_) {
    if (!transcription["seed"].get<std::string>().starts_with("002")) continue;
    const std::string table = transcription["table"];
    if (table != "Table 2" && table != "Table 3") continue;
    const Definition& definition =
        definitions.get("hatcher_scheffel_2014/table_" + table.substr(6));
    for (const json& row : transcription["rows"]) {
      const std::string label = row["label"];
      const std::size_t space = label.find(' ');
      for (std::size_t i = 0; i < row["printed"].size(); ++i) {
        const json& printed = row["printed"][i];
        EXPECT_EQ(defined_cell(definition, label.substr(0, space), label.substr(space + 1),
                               static_cast<int>(i)),
                  printed.is_null() ? "N/A" : printed.get<std::string>())
            << table << ", " << label << ", " << transcription["columns"][i];
        ++compared;
      }
    }
  }
  EXPECT_EQ(compared, 12 * 9 + 18 * 9);
}

/// The tutorial prints its times between its code, some of them with their units.
TEST_F(Transcriptions, OfTheTutorialHasNoTimeThatItsTableHasNot) {
  Definitions definitions(definitions_folder());
  std::multiset<double> seconds;
  for (const GroupDefinition& group : definitions.get("oswald_tutorial/timings").groups) {
    for (const RowDefinition& row : group.rows) {
      for (const auto& printed : row.published) {
        if (!printed) continue;
        ASSERT_TRUE(printed_number(*printed)) << row.label << ": " << *printed;
        seconds.insert(*printed_number(*printed));
      }
    }
  }
  int compared = 0;
  for (const json& transcription : tables_) {
    if (!transcription["seed"].get<std::string>().starts_with("001")) continue;
    for (const json& row : transcription["rows"]) {
      const auto found = seconds.find(row["values"][0].get<double>());
      ASSERT_NE(found, seconds.end()) << row["label"];
      seconds.erase(found);
      ++compared;
    }
  }
  EXPECT_EQ(compared, 20);
  EXPECT_EQ(seconds.size(), 18U) << "the profiles' other eight launches, and their ten copies";
}

/// The notes print the times of two machines, each in its own table.
TEST_F(Transcriptions, OfTheNotesOnTheLifeCycleAgreeWithThePublishedCells) {
  const auto path =
      source_dir().parent_path() / "shared/published/papers/yanagimoto_lifecycle.json";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no transcription beside this checkout";
  Definitions definitions(definitions_folder());
  std::map<std::string, std::string> defined;
  for (const Definition* table : definitions.get_all({"yanagimoto_2022"})) {
    for (const GroupDefinition& group : table->groups) {
      for (const RowDefinition& row : group.rows) {
        if (row.published.at(0)) defined[row.label] = *row.published.at(0);
      }
    }
  }
  std::map<std::string, std::string> printed;
  const json transcription = json::parse(content_of(path));
  for (const json& row : transcription["rows"]) {
    printed[row["label"]] = row["published"][0];
  }
  EXPECT_EQ(defined, printed);
}

/// Cells that do not follow from their own inputs, as the notes of the two tables say.
class DerivedCells : public ::testing::Test {
 protected:
  double number(const Definition& definition, const std::string& agents, const std::string& row,
                int column) {
    std::string text = defined_cell(definition, agents, row, column);
    if (text.ends_with("†")) text.erase(text.find("†"));
    const std::optional<double> value = printed_number(text);
    EXPECT_TRUE(value) << agents << " " << row << ": " << text;
    return value.value_or(0);
  }
  double total(const Definition& definition, const std::string& agents, int column) {
    return number(definition, agents, "Iterations", column) *
           (number(definition, agents, "Panel Time", column) +
            number(definition, agents, "Polf. Time", column));
  }

  Definitions definitions_{definitions_folder()};
  const Definition& table_2_ = definitions_.get("hatcher_scheffel_2014/table_2");
  const Definition& table_3_ = definitions_.get("hatcher_scheffel_2014/table_3");
};

TEST_F(DerivedCells, TotalsFollowFromTheirTermsButForOne) {
  std::vector<std::string> wrong;
  for (const auto& [agents, ignored] : agents_of_prefix) {
    for (int i = 0; i < 9; ++i) {
      const double printed = number(table_2_, agents, "Total Time", i);
      if (std::abs(total(table_2_, agents, i) / printed - 1) > 1e-3) {
        wrong.push_back(agents + " " + std::to_string(i));
      }
    }
  }
  EXPECT_THAT(wrong, ElementsAre("500.000 1"));
  EXPECT_NEAR(total(table_2_, "500.000", 1), 25373.5, 0.05);
}

TEST_F(DerivedCells, SevenTotalSpeedupsAreOffByATwentieth) {
  std::vector<std::string> wrong;
  for (const auto& [agents, ignored] : agents_of_prefix) {
    for (int i = 0; i < 9; ++i) {
      const double panels =
          number(table_2_, agents, "Panel Time", i % 3) / number(table_3_, agents, "Panel Time", i);
      EXPECT_NEAR(panels / number(table_3_, agents, "Panel Speedup", i), 1, 2e-3);
      const double totals =
          number(table_2_, agents, "Total Time", i % 3) / total(table_3_, agents, i);
      if (std::abs(totals / number(table_3_, agents, "Total Speedup", i) - 1) > 0.05) {
        wrong.push_back(agents + " " + std::to_string(i));
      }
    }
  }
  EXPECT_THAT(wrong, ElementsAre("10.000 0", "10.000 3", "10.000 5", "10.000.000 0", "10.000.000 5",
                                 "10.000.000 8", "500.000 3"));
}

/// The plan of these tables on a machine with this many cores.
Plan plan_for(const std::vector<std::string>& tables, int cores = 4) {
  Definitions definitions(definitions_folder());
  return plan_of(definitions.get_all(tables), definitions, cores);
}

TEST(Plan, HoldsEachCaseOnceAndThoseOfTheTablesReferredTo) {
  const Plan plan = plan_for({"aldrich_2010/table_6"});
  std::set<std::string> keys;
  for (const Case& which : plan.cases) {
    EXPECT_TRUE(keys.insert(which.key()).second) << which.key();
  }
  EXPECT_TRUE(keys.contains(
      "rbc/serial nk=65536 nz=4 maximizer=grid_howard real=double tolerance=1.6e-10 monotone=on"));
  EXPECT_TRUE(keys.contains("rbc/frontier nk=16 nz=4 real=double tolerance=1.6e-10"));
}

TEST(Plan, AllThreadsAreTheMachines) {
  const Plan plan = plan_for({"aldrich_2010", "aldrich_2014"}, 7);
  std::set<std::string> threads;
  for (const Case& which : plan.cases) {
    const Value* const its = which.parameters.find("threads");
    if (its != nullptr) threads.insert(to_string(*its));
  }
  EXPECT_THAT(threads, ElementsAre("1", "4", "7")) << "the paper's four, and all of the machine's";
}

TEST(Plan, KnowsWhatThePapersTookForACase) {
  const Plan plan = plan_for({});
  const auto seconds = [&](const std::string& key) { return plan.hints.at(key).seconds; };
  EXPECT_EQ(seconds("rbc/octave nk=65536 nz=4 maximizer=bisection real=double tolerance=1.6e-10"),
            546360);
  // In print twice, 0.5 s in 2010 and 0.547 s on the web page.
  EXPECT_EQ(
      seconds("rbc/serial_2012 nk=128 nz=4 maximizer=bisection real=double tolerance=1.6e-10"),
      0.5);
  EXPECT_EQ(seconds("rbc/frontier nk=128 nz=4 real=double tolerance=1.6e-10"), 0.0607)
      << "not printed: the shortest of its columns, of the web page's grid search";
}

TEST(Plan, GroupsTheTwoSidesOfARatioInAColumn) {
  const Plan plan = plan_for({});
  const auto hint = [&](const std::string& implementation, int nk, const std::string& more = "") {
    return plan.hints.at(
        fmt::format("rbc/{} nk={} nz=4{} real=double tolerance=1.6e-10{}", implementation, nk,
                    implementation == "frontier" ? "" : " maximizer=bisection", more));
  };
  ASSERT_TRUE(hint("serial_checked", 1024).group);
  EXPECT_EQ(plan.hints.at(*hint("serial_checked", 1024).group).group,
            hint("serial_checked", 1024).group)
      << "it is named by a key of its own";
  EXPECT_EQ(hint("serial_checked", 1024).group,
            hint("thrust_omp", 1024, " threads=4 set_up=elements").group);
  EXPECT_EQ(hint("serial_checked", 1024).group, hint("frontier", 1024).group);
  EXPECT_EQ(hint("serial_checked", 1024).group, hint("serial_probed", 1024).group);
  EXPECT_NE(hint("serial_checked", 1024).group, hint("serial_checked", 2048).group);
  EXPECT_FALSE(hint("serial_checked", 1024).extra);
  EXPECT_TRUE(hint("frontier", 1024).extra);
}

TEST(Plan, ACaseOfSeveralColumnsJoinsNoneOfThem) {
  const Plan plan = plan_for({});
  std::map<std::string, int> sizes;
  for (const auto& [key, hint] : plan.hints) {
    if (hint.group) ++sizes[*hint.group];
  }
  EXPECT_GT(sizes.size(), 30U);
  for (const auto& [group, size] : sizes) {
    EXPECT_GT(size, 1);
    EXPECT_LT(size, 80) << "more than the cases of one column";
  }
}

std::string complaint(const json& definition) {
  OneDefinition one(definition);
  return complaint_of([&] { return one.get().id(); });
}

TEST(Definitions, ARowHasWhatItsGroupHasUnlessItHasItsOwn) {
  json definition = small_definition();
  json group{{"label", "All"},
             {"implementation", "serial"},
             {"parameters", {{"maximizer", "grid_howard"}, {"real", "single"}}},
             {"left_out", {{"columns", {"16"}}, {"why", "too small"}}},
             {"rows", definition["rows"]}};
  group["rows"][0].erase("implementation");
  group["rows"][0]["parameters"] = {{"real", "double"}};
  definition.erase("rows");
  definition["groups"] = {group};
  OneDefinition one(definition);
  const Definition& read = one.get();
  const RowDefinition& a = *read.find_row("A");
  const RowDefinition& b = *read.find_row("B");
  EXPECT_EQ(a.implementation, "serial");
  EXPECT_EQ(b.implementation, "serial_tuned");
  EXPECT_EQ(to_string(*a.parameters.find("maximizer")), "grid_howard");
  EXPECT_EQ(to_string(*a.parameters.find("real")), "double");
  EXPECT_EQ(to_string(*b.parameters.find("real")), "single");
  EXPECT_EQ(a.left_out, b.left_out);
  EXPECT_EQ(a.left_out.front(), "too small");

  definition["groups"][0]["parameters"]["real"] = "half";
  EXPECT_THAT(complaint(definition), HasSubstr(" at /groups/0/parameters/real: real = half"));
}

TEST(BadDefinition, IsNamedWithItsFileItsPointerAndTheNearest) {
  expect_complaints("paper/table.json", small_definition(), complaint, R"(
. {"caption": null} => /: the field 'caption' is missing
/rows/1 {"published": null} => : the field 'published' is missing
/rows/0/published ["1", "2", "4", "8", "9", "9"] => : 6 cells for 5 columns
/rows/0/published/2 4 => : it must be a string
/rows "all" => : it must be an array
/rows [] => : it must have a row
/columns [] => : it must have a column
. {"needs": []} => /needs: it must have a row
/extra [{"label": "1", "quantity": "constant"}, {"label": "2", "quantity": "constant"}, {"label": "3", "quantity": "constant"}, {"label": "4", "quantity": "constant"}, {"label": "5", "quantity": "constant"}, {"label": "6", "quantity": "constant"}] => : it has 6 rows, but a table prints at most 5 beyond the
 paper: the others are "needs"
. {"rows": null} => /: a table has either the field 'rows' or the field 'groups'
/schema 2 => : schema 2 comes from a later version of macrobench; this one reads 1
/schema "one" => : it must be 1
/table "tabel" => : it says paper/tabel, and its place says paper/table
/rows/1/label "A" => : there is another row 'A'
/rows/2/baseline "A to B" => : the row 'A to B' is not one that runs anything
/extra [{"label": "", "rows": [{"label": "C", "implementation": "serial_tuned", "parameters":
 {"real": "single"}, "quantity": "solution"}]}] => /0/rows: there is another group ''
/rows/0 {"quantity": "iterations", "per": "iteration"} => /per: the row does not show times
/rows/0 {"per": "agent"} => /per: it must be "iteration"
/rows/0 {"series": "K"} => /series: only a deviation has one
/rows/0 {"numerator": "B"} => /numerator: only a ratio or a deviation has one
/rows/0 {"rule": "stated"} => /rule: only a ratio has one
/rows/0 {"published_by": "guess"} => /published_by: it must be "extrapolation"
/rows/2 {"published_by": "extrapolation"} => /published_by: the row does not show times
/parameters/nz 1 => : nz = 1: it must be from 2 to 256
/rows/0 {"otherwise": "A"} => /otherwise: it leads back to this row
/rows [{"label": "A", "implementation": "serial", "quantity": "solution", "published": null,
 "otherwise": ["B"]}, {"label": "B", "quantity": "solution", "implementation": "serial",
 "published": null, "otherwise": {"of": ["C", "A"]}}] => /0/otherwise: it leads back to this row
/rows/0 {"otherwise": ["B", "b"]} => /otherwise/1: unknown row 'b'; the nearest is 'B' (all of
 them: A, B, A to B, C)
/rows/0 {"otherwise": {"of": ["B", "b"]}} => /otherwise/of/1: unknown row 'b'; the nearest is 'B'
 (all of them: A, B, A to B, C)
/rows/0 {"otherwise": {"of": []}} => /otherwise/of: it must name a row
/rows/0 {"otherwise": {"iterations": "B", "of": ["C"]}} => /otherwise/iterations: the row 'B' does
 not show iterations
/rows/0 {"quantity": "iterations", "otherwise": "B"} => /otherwise: the row 'B' is in 's', and this
 one in '1'
/rows/0 {"unit": "ms"} => /unit: its numbers are in 's'
/rows/0 {"quantity": "figure", "figure": "residual_share", "unit": "s"} => /unit: its numbers are
 in 'share of consumption'
/rows/0/published/2 "2 parsecs" => : '2 parsecs' is not a number in 's'; units that are read: h,
 min, s, ms, us, ns, %, x
/rows/0/published/2 "3%" => : '3%' is not a number in 's'; units...
/rows/0/published/2 "roughly 30" => : 'roughly 30' is not a number in 's'; units...
/rows/0 {"otherwise": {"times": 1, "of": ["B"]}} => /otherwise/times: it must be more than 1
/rows/0 {"otherwise": {"times": 2, "of": ["B", "B"]}} => /otherwise: "times" goes with one row
 alone
/rows/2 {"otherwise": "A"} => /otherwise: only a row that runs something, or a deviation, has one
/rows/2 {"quantity": "deviation", "series": "path", "otherwise": {"of": ["A", "B"]}} => /otherwise:
 a deviation has a single row
/rows/0 {"quantity": "stage", "stage": "panel"} => /stage: unknown stage of rbc/serial 'panel'; the
 nearest is 'set_up' (all of them: iteration, set_up)
/rows/0 {"quantity": "stage", "stage": ["iteration", "setup"], "implementation": "thrust_omp"} =>
 /stage/1: unknown stage of rbc/thrust_omp 'setup'; the nearest is 'set_up' (all of them:
 iteration, set_up)
/rows/0 {"quantity": "stage", "stage": "discrete", "implementation": "numpy"} => /stage: unknown
 stage of rbc/numpy 'discrete'; there are none
/rows/0 {"quantity": "figure", "figure": "V_frist"} => /figure: unknown figure of rbc 'V_frist';
 the nearest is 'V_first'...
/rows/0 {"implementation": "seriel"} => /implementation: unknown implementation 'seriel'; the
 nearest is 'serial'...
/extra/0 {"implementation": "lean"} => /implementation: unknown implementation 'lean'...
/model "rbd" => : unknown model 'rbd'...
/columns/3 {"parameters": {"nk": null, "nq": 3}} => /parameters/nq: unknown parameter 'nq'; the
 nearest is 'nk'...
/parameters {"maximizer": "bisect"} => /maximizer: maximizer = bisect: it must be one of...
. {"model": null} => /columns/0/parameters/nk: unknown parameter 'nk'; there are none
. {"model": null, "parameters": null, "columns": [{"label": "1"}]} => /rows/0/quantity: a table
 without a model has constants alone: add "model"
/rows/0 {"quantity": "totals"} => /quantity: unknown quantity 'totals'; the nearest is 'total'...
/rows/2 {"baseline": "b"} => /baseline: unknown row 'b'; the nearest is...
/rows/2 {"baseline": {"group": "Beyond the papers", "row": "C"}} => /baseline/group: unknown group
 'Beyond the papers'; the nearest is 'Beyond the paper'...
. {"rows": null, "groups": [ {"label": "One", "rows": [{"label": "C", "implementation": "serial",
 "quantity": "solution", "published": null}]}, {"label": "Two", "rows": [{"label": "C",
 "implementation": "serial", "quantity": "solution", "published": null}]}, {"label": "Ratios",
 "rows": [{"label": "C to C", "quantity": "ratio", "numerator": "C", "baseline": "C", "published":
 null}]}], "extra": null} => /groups/2/rows/0/numerator: the row 'C' is in 2 groups: name one...
/rows/0 {"quantity": "constant", "derived": "shocks"} => /derived: unknown derived number
 'shocks'...
/rows/2 {"baseline": {"table": "paper/tables", "row": "B"}} => /baseline/table: unknown table
 'paper/tables'; the nearest is 'paper/table'...
/rows/2 {"basline": "B"} => : unknown field 'basline'; the nearest is 'baseline'...
/rows/1 {"parameters": {"maximizer": "interpolated"}} => : column '16': maximizer = interpolated:
 it must be one of...
)");
  json definition = small_definition();
  definition["rows"] = json::array_t(500, definition["rows"][0]);
  EXPECT_THAT(complaint(definition),
              EndsWith("paper/table.json at /: it has 501 rows, but may have only 500"));
}

TEST(Definitions, ATableOfConstantsNeedsNoModel) {
  json definition = small_definition();
  for (const char* field : {"model", "parameters", "rows", "extra"}) definition.erase(field);
  for (json& column : definition["columns"]) column.erase("parameters");
  definition["rows"] = {{{"label", "R2"},
                         {"quantity", "constant"},
                         {"published", {"0.9999", "0.9998", "0.99", "1", nullptr}}}};
  const OneDefinition one(definition);
  const Definition& read = one.all->get("paper/table");
  const Table table = make_table(read, *one.all, lookup_in(Results{}), "", {});
  for (const std::string& format : table_formats()) {
    EXPECT_THAT(render(table, format), HasSubstr("0.9999")) << format;
  }
  EXPECT_TRUE(plan_of({&read}, *one.all, 1).cases.empty());
}

TEST(Definitions, RowsMayStandInForEachOtherAllTheWayDown) {
  json definition = small_definition();
  const int last = 490;
  for (int i = 0; i <= last; ++i) {
    json row = definition["rows"][0];
    row["label"] = fmt::format("row {}", i);
    if (i < last) row["otherwise"] = fmt::format("row {}", i + 1);
    definition["rows"].push_back(std::move(row));
  }
  const OneDefinition one(definition);
  const Results nothing;
  const Table table = make_table(one.all->get("paper/table"), *one.all, lookup_in(nothing), "", {});
  EXPECT_EQ(table.groups[0].rows.size(), 3U + last + 1);
}

TEST(BadDefinition, ThatIsNoJsonIsNamedWithItsLine) {
  TemporaryFolder folder;
  write_file(folder.path() / "paper/table.json", "{\n\"schema\": 1,\n oops\n}\n");
  Definitions definitions(folder.path());
  EXPECT_THAT(complaint_of([&] { return definitions.get("paper/table").id(); }),
              EndsWith("paper/table.json: it is not JSON from line 3 on"));
}

json of_paper(const std::string& paper) {
  json definition = small_definition();
  definition["paper"] = paper;
  return definition;
}

TEST(Definitions, LeaveOutWhatIsWrongAndWhatRefersToIt) {
  const TemporaryFolder folder;
  json wrong = of_paper("wrong");
  wrong["rows"][0]["quantity"] = "totals";
  json refers = of_paper("a_reader");
  refers["rows"][2]["baseline"] = {{"table", "wrong/table"}, {"row", "B"}};
  for (const json& definition : {of_paper("paper"), wrong, refers}) {
    const std::string paper = definition["paper"];
    write_file(folder.path() / paper / "table.json", definition.dump());
  }
  std::map<std::string, std::string> left_out;
  Definitions all(folder.path(), [&](const std::string& name, const std::string& reason) {
    left_out[name] = reason;
  });
  EXPECT_THAT(all.ids(), ElementsAre("paper/table"));
  EXPECT_EQ(left_out.size(), 2U);
  for (const char* name : {"wrong/table", "a_reader/table"}) {
    EXPECT_THAT(left_out[name], HasSubstr("wrong/table.json at /rows/0/quantity: unknown quantity"))
        << name;
  }
  EXPECT_THAT(complaint_of([&] { return all.get("wrong/table").id(); }),
              EndsWith(left_out["wrong/table"]));
}

TEST(Definitions, UnknownTableHasTheNearestName) {
  Definitions definitions(definitions_folder());
  EXPECT_THAT(complaint_of([&] { return definitions.get_all({"aldrich_2010/tabel_3"}); }),
              AllOf(HasSubstr("unknown table 'aldrich_2010/tabel_3'"),
                    HasSubstr("the nearest is 'aldrich_2010/table_3'")));
}

TEST(Definitions, APaperIsAllOfItsTables) {
  Definitions definitions(definitions_folder());
  const std::vector<const Definition*> all = definitions.get_all({"aldrich_2014"});
  EXPECT_GT(all.size(), 1U);
  for (const Definition* definition : all) EXPECT_EQ(definition->paper, "aldrich_2014");
  EXPECT_EQ(definitions.get_all({"aldrich_2014", "aldrich_2014/table_2"}).size(), all.size());
}

TEST(Definitions, AFolderWithoutAnyIsAnError) {
  const TemporaryFolder folder;
  EXPECT_THROW(Definitions(folder.path()), UsageError);
  EXPECT_THROW(Definitions(folder.path() / "missing"), UsageError);
}

}  // namespace
}  // namespace macrobench
