// The commands that make tables, as a user meets them.

#include <algorithm>
#include <random>
#include <regex>
#include <sstream>

#include "harness/text/strings.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/tables/render.hpp"
#include "tests/executable.hpp"
#include "tests/harness/fake_counters.hpp"
#include "tests/matchers.hpp"
#include "tests/paper_tables/fixture.hpp"

namespace macrobench {
namespace {

using nlohmann::json;

std::string quoted(const std::filesystem::path& path) {
  return "'" + path.string() + "'";
}

/// The fixture's results in a folder that a test may damage.
void copy_fixture(const std::filesystem::path& folder) {
  for (const char* name : {"records.jsonl", "machines.jsonl", "campaigns.jsonl"}) {
    std::filesystem::copy(fixture_folder() / name, folder / name);
  }
}

/// Every command that reads a machine's results, up to the folder's name.
const std::vector<std::string> reading_commands{
    "tables aldrich_2010/table_3 --format md --results ", "claims --results ", "times --results ",
    "report --results ", "compare published/c2075 "};

TEST(MachineFolder, IsFoundByAShorterNameByAllThatReadIt) {
  const TemporaryFolder folder;
  for (const char* name : {"xeon_h100_80gb", "xeon_h200"}) {
    std::filesystem::create_directory(folder.path() / name);
    copy_fixture(folder.path() / name);
  }
  // What leads nowhere is passed over.
  std::filesystem::create_symlink("loop", folder.path() / "loop");
  for (const std::string& command : reading_commands) {
    // A report takes seconds to draw.
    if (!command.starts_with("report")) {
      const Answer answer = macrobench(command + quoted(folder.path() / "h100"));
      EXPECT_EQ(answer.code, 0) << command << answer.output;
    }
    for (const auto& [name, says] : std::vector<std::pair<std::string, std::string>>{
             {"xeon",
              "more than one machine's name contains that; there are xeon_h100_80gb, xeon_h200"},
             {"k40", "there are no records; beside it there are xeon_h100_80gb, xeon_h200"}}) {
      EXPECT_THAT(macrobench(command + quoted(folder.path() / name)), Answers(2, HasSubstr(says)))
          << command;
    }
  }
}

TEST(MachineFolder, WithoutARecordIsRefusedByAllThatReadIt) {
  const TemporaryFolder folder;
  write_file(folder.path() / "records.jsonl", "");
  for (const std::string& command : reading_commands) {
    expect_usage_error(command + quoted(folder.path()), "");
  }
}

TEST(MachineFolder, HereIsThisMachinesInResults) {
  const TemporaryFolder empty;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(empty.path());
  const Answer answer = macrobench("compare published/c2075 here");
  std::filesystem::current_path(before);
  EXPECT_THAT(answer, Answers(2, HasSubstr("there are no records of this machine")));
}

TEST(MachineFolder, PrintsNothingThatATerminalWouldObey) {
  const TemporaryFolder scratch;
  const std::filesystem::path folder = scratch.path() / "a\x1b]0;title\x07 \u009b31m \xff";
  std::filesystem::create_directory(folder);
  copy_fixture(folder);
  std::ofstream(folder / "records.jsonl", std::ios::app) << "\x1b[31m\n{}\n";
  for (std::string command : reading_commands) {
    if (command.starts_with("report")) continue;
    const Answer answer = macrobench(command + quoted(folder));
    EXPECT_EQ(answer.code, 0) << command << answer.output;
    EXPECT_THAT(answer.output, HasSubstr("warning: ")) << command;
    EXPECT_EQ(printable(answer.output, "\n"), answer.output) << command;
  }
  for (const char* command : {"verify ", "tables --results ", "times --write --results "}) {
    const Answer answer = macrobench(command + quoted(folder));
    EXPECT_EQ(printable(answer.output, "\n"), answer.output) << command;
  }
}

TEST(FolderOfSeveralCampaigns, OfAnEarlierVersionShowsTheNewestRecordOfACase) {
  const std::filesystem::path folder = source_folder() + "/tests/data/several_campaigns";
  EXPECT_THAT(macrobench("verify " + quoted(folder)), Answers(0, HasSubstr("4 records")));
  const Answer answer = macrobench("times --json --results " + quoted(folder));
  ASSERT_EQ(answer.code, 0) << answer.output;
  const auto rows = nlohmann::json::parse(answer.output)["tables"]["cases"]["rows"];
  ASSERT_EQ(rows.size(), 1U) << "of four records in three campaigns";
  const Results results = read_results(folder);
  EXPECT_NEAR(rows[0]["first"].get<double>(),
              median(seconds_of(results.records.back(), Phase::first_solution)), 1e-9);
}

TEST(TablesCommand, PrintsATableFromRecordsOfAnotherMachine) {
  const Answer answer =
      macrobench("tables aldrich_2010/table_3 --format md --results " + quoted(fixture_folder()));
  EXPECT_EQ(answer.code, 0);
  Definitions all(definitions_folder());
  const Results results = read_results(fixture_folder());
  EXPECT_EQ(answer.output,
            render(make_table(all.get("aldrich_2010/table_3"), all, lookup_in(results),
                              fixture_folder().filename(), machine_of(results)),
                   "md"));
}

TEST(TablesCommand, PrintsWhatIsNamedAndWritesNothing) {
  const TemporaryFolder folder;
  copy_fixture(folder.path());
  EXPECT_THAT(macrobench("tables aldrich_2010/table_3 --results " + quoted(folder.path())),
              Answers(0, AllOf(HasSubstr("Table 3: Time to solve"), HasSubstr("measured "),
                               Not(HasSubstr("\x1b")))));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "tables"));
}

/// The rows of one table of a view that was printed as JSON.
json rows_in(const json& printed, const char* table) {
  return printed.at("tables").at(table).at("rows");
}

TEST(TablesCommand, SeveralAsJsonAreOneListOfCells) {
  const Answer answer =
      macrobench("tables aldrich_2014 --format json --results " + quoted(fixture_folder()));
  Definitions all(definitions_folder());
  EXPECT_EQ(rows_in(json::parse(answer.output), "numbers").size(),
            all.get_all({"aldrich_2014"}).size());
}

TEST(TablesCommand, WritesAllBesideTheRecords) {
  const TemporaryFolder folder;
  copy_fixture(folder.path());
  const Answer answer = macrobench("tables --results " + quoted(folder.path()));
  EXPECT_EQ(answer.code, 0) << answer.output;
  const std::size_t tables = Definitions(definitions_folder()).ids().size();
  EXPECT_THAT(answer.output, HasSubstr(std::to_string(tables) + " tables written to"));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "tables/aldrich_vfi_page/grid_howard.tex"));
}

TEST(TablesCommand, BadRequestsAreOneSentenceAndCodeTwo) {
  const std::string results = " --results " + quoted(fixture_folder());
  const TemporaryFolder folder;
  for (const auto& [arguments, says] : std::vector<std::pair<std::string, std::string>>{
           {"tables aldrich_2010/tabel_3" + results, "the nearest is 'aldrich_2010/table_3'"},
           {"tables aldrich2014" + results, "the nearest is 'aldrich_2014'"},
           {"tables table_2" + results,
            "'table_2' is not a table's whole name: write aldrich_2014/table_2 or "
            "hatcher_scheffel_2014/table_2"},
           {"compare published/c2075 " + quoted(fixture_folder()) + " --tables table_2",
            "write aldrich_2014/table_2 or"},
           {"replicate table_2 --results " + quoted(folder.path()), "write aldrich_2014/table_2"},
           {"tables --format pdf" + results, "pdf"},
           {"tables --results " + quoted(folder.path()), "there are no records"},
           {"tables --definitions " + quoted(folder.path()) + results, "no definition"},
           {"replicate nothing --results " + quoted(folder.path()), "unknown table 'nothing'"},
           {"replicate --budget soon --results " + quoted(folder.path()),
            "--budget soon: write"}}) {
    expect_usage_error(arguments, says);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "nothing is half-written";
}

TEST(TablesCommand, SaysWhichLinesItPassesOver) {
  const TemporaryFolder folder;
  copy_fixture(folder.path());
  const std::filesystem::path records = folder.path() / "records.jsonl";
  const std::string arguments =
      "tables aldrich_2010/table_3 --format md --results " + quoted(folder.path());
  const std::string table = macrobench(arguments).output;

  const std::string whole = content_of(records);
  write_file(records, whole.substr(0, whole.size() - 1));
  EXPECT_EQ(macrobench(arguments).output, table) << "the last line only lacks its end";

  write_file(records, "garbage\n" + whole + "{\"schema\": 1, \"key");
  EXPECT_THAT(macrobench(arguments),
              Answers(0, AllOf(HasSubstr("records.jsonl, line 1: skipped"),
                               HasSubstr("the last line is torn"),
                               HasSubstr("this folder fails verify: lines (2)"),
                               HasSubstr(table.substr(table.find("\n| Nk"))))));
}

TEST(TablesCommand, SaysWhichFileItCannotRead) {
  const TemporaryFolder folder;
  const std::string arguments =
      "tables aldrich_2010/table_3 --format csv --results " + quoted(folder.path());
  write_file(folder.path() / "records.jsonl", "");
  std::filesystem::create_directory(folder.path() / "machines.jsonl");
  expect_usage_error(arguments, "machines.jsonl: cannot be read: Is a directory", 4);

  std::filesystem::remove(folder.path() / "machines.jsonl");
  std::filesystem::create_symlink("machines.jsonl", folder.path() / "machines.jsonl");
  EXPECT_THAT(macrobench(arguments),
              Answers(4, HasSubstr("machines.jsonl: cannot be read: Too many levels")));
}

TEST(TablesCommand, SaysWhichDefinitionItCannotRead) {
  const TemporaryFolder folder;
  const std::string arguments = "tables paper/table --definitions " + quoted(folder.path()) +
                                " --results " + quoted(fixture_folder());
  const std::filesystem::path table = folder.path() / "paper/table.json";
  std::filesystem::create_directories(table);
  EXPECT_THAT(macrobench(arguments).output,
              HasSubstr("table.json: it cannot be read (Is a directory)"));
  std::filesystem::remove(table);
  write_file(table, std::string(200'000, '['));
  EXPECT_THAT(macrobench(arguments), Answers(2, HasSubstr("table.json: it nests deeper than")));
}

TEST(TablesCommand, ABadDefinitionIsNamed) {
  json definition = small_definition();
  definition["rows"][2].erase("baseline");
  const OneDefinition one(definition);
  EXPECT_THAT(
      macrobench("tables --definitions " + quoted(one.folder.path()) + " --results " +
                 quoted(fixture_folder())),
      Answers(2, HasSubstr("paper/table.json at /rows/2: the field 'baseline' is missing")));
}

/// Two papers, of which one has a table, claims and originals that are wrong, and the other
/// figures.
class WithAWrongPaper : public ::testing::Test {
 protected:
  WithAWrongPaper() {
    write("right/table.json", small_definition());
    json wrong = small_definition();
    wrong["rows"][0]["stage"] = "policy";
    wrong["rows"][0]["quantity"] = "stage";
    write("wrong/table.json", wrong);
    write("wrong/claims.json", {{"schema", 0}});
    write("wrong/originals.json", {{"schema", 0}});
    write("right/figures.json", {{"schema", 0}});
  }
  void write(const std::string& name, json file) {
    if (file.contains("paper")) file["paper"] = name.substr(0, name.find('/'));
    write_file(folder_.path() / name, file.dump());
  }
  Answer command(const std::string& arguments) {
    return macrobench(arguments, "2>&1", "MACROBENCH_DEFINITIONS=" + quoted(folder_.path()) + " ");
  }

  static constexpr const char* reason =
      "wrong/table.json at /rows/0/stage: unknown stage of rbc/serial 'policy'; the nearest is "
      "'set_up' (all of them: iteration, set_up)";
  TemporaryFolder folder_;
  TemporaryFolder out_;
  const std::string results_ = " --results " + quoted(fixture_folder());
};

TEST_F(WithAWrongPaper, OtherPapersGoOnWithAWarning) {
  const std::string warning = std::string("wrong/table is left out: ");
  for (const std::string& arguments :
       {std::string("list tables"), "tables right/table" + results_,
        "replicate right --dry-run --results " + quoted(out_.path()),
        "replicate --dry-run --results " + quoted(out_.path()), "summary" + results_,
        "fidelity" + results_, "report --out " + quoted(out_.path()) + results_}) {
    EXPECT_THAT(command(arguments), Answers(0, AllOf(HasSubstr(warning), HasSubstr(reason))))
        << arguments;
  }
  EXPECT_THAT(command("list tables").output, HasSubstr("\nright/table "));
  EXPECT_THAT(
      command("report --out " + quoted(out_.path()) + results_).output,
      AllOf(HasSubstr("wrong/claims is left out: "), HasSubstr("right/figures is left out: "),
            HasSubstr("wrong/originals is left out: ")));
}

TEST_F(WithAWrongPaper, ACommandThatNamesItEndsWithTheReason) {
  for (const std::string& arguments :
       {"tables wrong/table" + results_, "tables wrong" + results_,
        "replicate wrong --dry-run --results " + quoted(out_.path()), "claims wrong" + results_}) {
    EXPECT_THAT(command(arguments),
                Answers(2, AllOf(HasSubstr(reason), Not(HasSubstr("is left out")))))
        << arguments;
  }
  write("wrong/table.json", small_definition());
  const std::string of_claims = "wrong/claims.json at /schema: ";
  EXPECT_THAT(command("claims wrong" + results_), Answers(2, HasSubstr(of_claims)));
  EXPECT_THAT(command("replicate wrong --dry-run --results " + quoted(out_.path())),
              Answers(2, HasSubstr(of_claims)))
      << "before anything is measured";
}

void shuffle_lines(const std::filesystem::path& file) {
  std::istringstream text(content_of(file));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  std::ranges::shuffle(lines, std::mt19937(7));
  std::string shuffled;
  for (const std::string& line : lines) shuffled += line + "\n";
  ASSERT_NE(shuffled, content_of(file));
  write_file(file, shuffled);
}

TEST(Views, AreTheSameInWhateverOrderTheRecordsCome) {
  const TemporaryFolder folder;
  const std::filesystem::path shuffled = folder.path() / fixture_folder().filename();
  std::filesystem::copy(fixture_folder(), shuffled, std::filesystem::copy_options::recursive);
  shuffle_lines(shuffled / "records.jsonl");
  for (const char* view : {"tables", "claims", "times", "summary"}) {
    const auto made = [&](const std::filesystem::path& results) {
      return macrobench(std::string(view) + " --format json --results " + quoted(results),
                        "2>/dev/null")
          .output;
    };
    EXPECT_TRUE(made(shuffled) == made(fixture_folder())) << view;
  }
}

TEST(CompareCommand, NeedsTwoSides) {
  EXPECT_EQ(macrobench("compare published/c2075").code, 2);
  EXPECT_EQ(macrobench("compare " + quoted(fixture_folder())).code, 2);
}

TEST(ReplicateCommand, ADryRunRunsNothing) {
  const TemporaryFolder folder;
  EXPECT_THAT(
      macrobench("replicate aldrich_2010/table_3 --dry-run --results " + quoted(folder.path())),
      Answers(0, AllOf(HasSubstr("rbc/serial nk=16 "), HasSubstr("cases: "))));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

/// A run of a table of small sizes: what it leaves, and that a second run has nothing to do.
TEST(ReplicateCommand, RunsPrintsWritesAndReuses) {
  json definition = small_definition();
  definition["columns"][4]["parameters"]["nk"] = 100;
  const OneDefinition one(definition);
  const TemporaryFolder folder;
  const std::string arguments = "replicate --budget 1m --max-samples 3 --json --definitions " +
                                quoted(one.folder.path()) + " --results " + quoted(folder.path());
  const Answer first = macrobench(arguments, "2>/dev/null");
  ASSERT_EQ(first.code, 0);
  const json made = json::parse(first.output);
  const json cells = rows_in(made, "cells");
  EXPECT_EQ(cells.size(), 4U * 5);
  EXPECT_EQ(cells[0]["here_kind"], "measured");
  const std::filesystem::path results = rows_in(made, "run")[0]["folder"].get<std::string>();
  EXPECT_EQ(rows_in(json::parse(content_of(results / "tables/paper/table.json")), "cells"), cells);

  const json again = json_of(arguments, "2>/dev/null");
  for (const json& which : rows_in(again, "cases")) {
    EXPECT_EQ(which["is_kept"], which["status"] != "not_run") << which;
  }
  EXPECT_EQ(rows_in(again, "cells"), cells);

  const Answer dry = macrobench(arguments + " --dry-run", "2>/dev/null");
  EXPECT_THAT(dry.output, AllOf(HasSubstr("reuse"), Not(HasSubstr("\"run\""))));
}

/// One row, of the small definition's.
void add_front(const std::filesystem::path& definitions) {
  write_file(definitions / "front.json",
             R"({"schema": 1, "rows": [{"model": "rbc", "title": "Growth", "problems": [
                  {"table": "paper/table", "size": "{} points",
                   "published": "A", "best": ["B"]}]}]})");
}

TEST(ReplicateCommand, EndsWithOneScreenAndPrintsTablesWhenAsked) {
  const EnvironmentScope unmeasured = without_speeds();
  json definition = small_definition();
  definition["columns"][4]["parameters"]["nk"] = 100;
  const OneDefinition one(definition);
  add_front(one.folder.path());
  const TemporaryFolder folder;
  const std::string arguments = "replicate paper --budget 1m --max-samples 3 --definitions " +
                                quoted(one.folder.path()) + " --results " + quoted(folder.path());
  const Answer answer = macrobench(arguments, "2>/dev/null");
  ASSERT_EQ(answer.code, 0) << answer.output;
  EXPECT_LE(std::count(answer.output.begin(), answer.output.end(), '\n'), 24) << answer.output;
  EXPECT_THAT(
      answer.output,
      AllOf(HasSubstr("\nGrowth, 1,024 points\n  17 min 5 s, A, old "), HasSubstr("Solved: "),
            HasSubstr("macrobench report --open --results "), HasSubstr("/report.html\n"),
            Not(HasSubstr("Not written")), Not(HasSubstr("Table 9"))));
  EXPECT_THAT(macrobench(arguments + " --tables", "2>/dev/null").output,
              AllOf(HasSubstr("Table 9: Times"), HasSubstr("17 min 5 s, A, old")));
  const json made = json_of(arguments + " --json", "2>/dev/null");
  const std::string report = rows_in(made, "run")[0]["report"];
  EXPECT_THAT(content_of(report), HasSubstr("<title>"));
  EXPECT_THAT(rows_in(made, "not_written"), IsEmpty());
}

TEST(ReplicateCommand, ItsResultStandsWhereTheReportCannotBeWritten) {
  const EnvironmentScope unmeasured = without_speeds();
  const OneDefinition one(small_definition());
  const TemporaryFolder folder;
  const std::string arguments = "replicate --budget 0s --definitions " + quoted(one.folder.path()) +
                                " --results " + quoted(folder.path());
  const json made = json_of(arguments + " --json", "2>/dev/null");
  const std::filesystem::path report = rows_in(made, "run")[0]["report"].get<std::string>();
  const std::filesystem::path tables = report.parent_path() / "tables";
  for (const std::filesystem::path& place : {report, tables}) {
    std::filesystem::remove_all(place);
    std::filesystem::create_directories(place / "in the way");
  }
  std::filesystem::remove_all(tables);
  write_file(tables, "in the way too");
  EXPECT_THAT(macrobench(arguments, "2>/dev/null"),
              Answers(0, AllOf(HasSubstr("Solved: "), Not(HasSubstr("Report: ")),
                               Not(HasSubstr("Tables: ")), HasSubstr("Not written: the report"),
                               HasSubstr("Not written: the tables"))));
  const json again = json_of(arguments + " --json", "2>/dev/null");
  EXPECT_TRUE(rows_in(again, "run")[0]["report"].is_null());
  EXPECT_EQ(rows_in(again, "not_written").size(), 2U);
}

TEST(ReplicateCommand, SaysOnceForEachReasonWhatWasNotRun) {
  const OneDefinition one(small_definition());
  const TemporaryFolder folder;
  const std::string arguments = "replicate --budget 0s --definitions " + quoted(one.folder.path()) +
                                " --results " + quoted(folder.path());
  const auto times = [](const std::string& text, const std::string& what) {
    std::size_t count = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
      ++count;
    }
    return count;
  };
  const std::string screen = macrobench(arguments, "2>/dev/null").output;
  EXPECT_EQ(times(screen, "Not run: "), 1U) << screen;
  EXPECT_EQ(times(macrobench(arguments + " --json", "2>&1 >/dev/null").output, "not run: "), 1U);
}

TEST(ReplicateCommand, OnABusyMachineItSaysSoAndHowToGoOn) {
  const EnvironmentScope unmeasured = without_speeds();
  json definition = small_definition();
  definition["columns"] = json::array({definition["columns"][2]});
  for (json& row : definition["rows"]) row["published"] = json::array({row["published"][2]});
  const OneDefinition one(definition);
  add_front(one.folder.path());
  const TemporaryFolder folder;
  const std::string replicate =
      "replicate --budget none --max-samples 3 --deadline 2s --definitions " +
      quoted(one.folder.path()) + " --results " + quoted(folder.path());
  const FakeCounters counters;
  const std::string busy = "MACROBENCH_PROC='" + counters.folder() + "' ";
  const Answer answer = macrobench(replicate + " --tables", "2>&1", busy);
  EXPECT_EQ(answer.code, 0);
  EXPECT_THAT(answer.output,
              AllOf(HasSubstr("this machine is busy: "), HasSubstr("Solved: 3 cases"),
                    HasSubstr("noisy: others used the cores that it needs"), Not(HasSubstr("×"))));
  EXPECT_THAT(answer.output,
              AllOf(HasSubstr("\nGrowth, 64 points\n  4 s, A, old "), HasSubstr("  noisy"),
                    HasSubstr("Not believed: 3 cases (the first is "),
                    HasSubstr("macrobench replicate --budget none ")));
  const Answer strict = macrobench(replicate + " --strict --json", "2>/dev/null", busy);
  EXPECT_EQ(strict.code, 4);
  for (const json& which : rows_in(json::parse(strict.output), "cases")) {
    EXPECT_EQ(which["status"], "noisy");
  }
  EXPECT_THAT(macrobench(replicate + " --strict", "2>/dev/null"),
              Answers(0, AllOf(HasSubstr("×"), Not(HasSubstr("noisy")))));
}

TEST(ReplicateCommand, StrictCountsWhatWasNotRun) {
  const EnvironmentScope unmeasured = without_speeds();
  const OneDefinition one(small_definition());
  const TemporaryFolder folder;
  const std::string arguments = "replicate --budget 0s --definitions " + quoted(one.folder.path()) +
                                " --results " + quoted(folder.path());
  EXPECT_EQ(macrobench(arguments).code, 0);
  EXPECT_EQ(macrobench(arguments + " --strict").code, 4);
}

TEST(ClaimsCommand, PrintsTextMarkdownOrJson) {
  const std::string arguments = "claims aldrich_2010 --results " + quoted(fixture_folder());
  const Answer text = macrobench(arguments, "2>/dev/null");
  EXPECT_EQ(text.code, 0) << "whatever the verdicts are";
  EXPECT_THAT(text.output, AllOf(HasSubstr("some 509 times"), HasSubstr("claims: ")));
  EXPECT_LT(text.output.find("claims: "), text.output.find("some 509 times")) << "totals first";
  const Answer totals = macrobench("claims --results " + quoted(fixture_folder()), "2>/dev/null");
  const std::string page = claims_page_of_the_fixture();
  std::smatch count;
  ASSERT_TRUE(std::regex_search(page, count, std::regex("[0-9]+ claims: ")));
  EXPECT_THAT(totals.output, AllOf(HasSubstr(count.str()), HasSubstr("macrobench claims PAPER"),
                                   Not(HasSubstr("some 509 times"))));
  EXPECT_THAT(macrobench(arguments + " --format md").output, HasSubstr("# The papers' claims"));
  const json made = json_of(arguments + " --format json", "2>/dev/null");
  for (const json& claim : rows_in(made, "claims")) EXPECT_EQ(claim["paper"], "aldrich_2010");
}

TEST(ClaimsCommand, WritesBesideTheRecords) {
  const TemporaryFolder folder;
  copy_fixture(folder.path());
  EXPECT_EQ(macrobench("claims --write --results " + quoted(folder.path())).code, 0);
  EXPECT_EQ(content_of(folder.path() / "claims.md"), claims_page_of_the_fixture());
  EXPECT_GE(rows_in(json::parse(content_of(folder.path() / "claims.json")), "claims").size(), 40U);
}

TEST(ClaimsCommand, BadRequestsAreOneSentenceAndCodeTwo) {
  const std::string results = " --results " + quoted(fixture_folder());
  const OneDefinition one(small_definition());
  for (const auto& [arguments, says] : std::vector<std::pair<std::string, std::string>>{
           {"claims --paper aldrich_2011" + results, "the nearest is 'aldrich_201"},
           {"claims --format tex" + results, "tex"},
           {"claims --write --paper aldrich_2010" + results, "--paper"},
           {"claims --results " + quoted(one.folder.path()), "there are no records"},
           {"claims --definitions " + quoted(one.folder.path()) + results, "no claims.json"}}) {
    expect_usage_error(arguments, says);
  }
}

}  // namespace
}  // namespace macrobench
