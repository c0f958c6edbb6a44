// How near published implementations are to their originals: the definitions, the rule, the view.

#include "paper_tables/fidelity/fidelity.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "harness/files/temporary_folder.hpp"
#include "harness/text/each.hpp"
#include "harness/text/error.hpp"
#include "harness/text/json_values.hpp"
#include "harness/text/strings.hpp"
#include "paper_tables/fidelity/originals.hpp"
#include "tests/executable.hpp"
#include "tests/json_schema.hpp"
#include "tests/matchers.hpp"
#include "tests/paper_tables/fixture.hpp"
#include "tests/sheet_rows.hpp"
#include "tests/stranger.hpp"

namespace macrobench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;

/// By hand, as a person lays it out, and with nothing measured.
constexpr const char* by_hand = R"({
  "$schema": "../../fidelity/originals.schema.json",
  "schema": 1,
  "paper": "paper",
  "document":   "A Paper",
  "originals": [
    {"name": "theirs", "summary": "their C++", "source": "https://example.org/theirs",
     "commit": "0123456789", "model": "rbc", "program": "rbc/stranger",
     "counterpart": {"implementation": "serial_first_decline"},
     "parameters": {"nz": 4, "maximizer": "first_decline", "start": "zero", "tolerance": 1e-7},
     "cases": [{"nk": 32}, {"nk": 64}], "arrays": ["V", "policy"],
     "differences": [
       {"name": "the bound", "says": "ours says \"measured\": nothing",
        "variant": {"implementation": "serial", "parameters": {"maximizer": "bisection"}}},
       {"name": "the rest", "says": "another"}],
     "fingerprints": [
       {"printed": "-19.38", "where": "p. 3", "figure": "V_first", "parameters": {"nk": 32}},
       {"printed": "3.5", "where": "p. 4", "figure": "no_such", "parameters": {"nk": 48}}]},
    {"name": "hidden", "summary": "never shown", "source": null, "model": "rbc",
     "counterpart": {"implementation": "thrust_omp"}}
  ]
}
)";

/// A folder with such a file.
struct OnePaper {
  explicit OnePaper(const std::string& text = by_hand) {
    write(text);
    write_file(folder.path() / "paper/table.json", small_definition().dump());
  }
  void write(const std::string& text) const { write_file(file(), text); }
  [[nodiscard]] fs::path file() const { return folder.path() / "paper/originals.json"; }
  [[nodiscard]] std::string error() const {
    try {
      static_cast<void>(read_originals(folder.path()));
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  }

  TemporaryFolder folder;
};

MeasuredSide measured_side(std::vector<double> seconds, std::vector<double> solution = {}) {
  return {.key = "rbc/serial_first_decline nk=32",
          .status = Status::measured,
          .seconds = std::move(seconds),
          .solution = std::move(solution),
          .iterations = 1353,
          .residual = 1e-10,
          .allowed = 1e-10};
}

/// A case whose rounds have these ratios, of a solution of 2 s.
MeasuredCase measured_case(std::int64_t nk, const std::vector<double>& ratios) {
  std::vector<double> solution, ours;
  for (const double ratio : ratios) {
    solution.push_back(2 * ratio);
    ours.push_back(2);
  }
  return {.parameters = {{"nk", nk}},
          .original = measured_side(std::vector<double>(ratios.size(), 5), solution),
          .counterpart = measured_side(ours),
          .arrays = {{"V", 1e-10, -19.5, -19.5 + 1e-10, {}}, {"policy", 1, 30, 31, 1.0}}};
}

Measurement measurement_of(std::vector<MeasuredCase> cases) {
  return {.original = "theirs",
          .machine = "some_cpu_2_cores",
          .machine_id = "ab12",
          .machine_text = "Some CPU, 2 cores",
          .time = "2026-11-25T09:00:00Z",
          .rounds = 7,
          .theirs = {"0123456789abcdef", false},
          .ours = {"fedcba9876543210", false},
          .cases = std::move(cases)};
}

const std::vector<double> near(7, 1.02);

/// Theirs, in a paper in which these cases were measured.
JudgedOriginal judged(std::vector<MeasuredCase> cases) {
  const OnePaper paper;
  std::vector<PaperOriginals> papers = read_originals(paper.folder.path());
  papers.front().originals.front().cases = each(cases, &MeasuredCase::parameters);
  papers.front().measured.push_back(measurement_of(std::move(cases)));
  return judge_fidelity(papers).machines.front().originals.front();
}

// --- ratios in print ----------------------------------------------------------------------------

/// Two programs of a paper, the second slower by these factors, and a ratio of the two in print.
PaperOriginals with_ratio(double at_32, double at_64) {
  const OnePaper paper;
  PaperOriginals its = read_originals(paper.folder.path()).front();
  its.originals[1] = its.originals[0];
  its.originals[1].name = "others";
  its.measured = {measurement_of({measured_case(32, {1, 1, 1}), measured_case(64, {2, 2, 2})}),
                  measurement_of({measured_case(32, {at_32, at_32, at_32}),
                                  measured_case(64, {2 * at_64, 2 * at_64, 2 * at_64})})};
  its.measured[1].original = "others";
  its.ratios = {{.name = "Theirs over others",
                 .where = "Table 1",
                 .of = "paper/theirs",
                 .over = "paper/others",
                 .printed = {{32.0, 0.5}, {64.0, 0.25}, {128.0, 0.2}}}};
  return its;
}

TEST(PrintedRatios, AreReversedWhereTheOtherProgramIsTheFasterOneHere) {
  const JudgedRatio made = judge_fidelity({with_ratio(4, 0.8)}).machines.front().ratios.at(0);
  ASSERT_EQ(made.sizes.size(), 2) << "nothing was measured at 128";
  EXPECT_EQ(made.sizes[0].size, "nk=32");
  EXPECT_EQ(made.sizes[0].printed, 0.5);
  EXPECT_EQ(made.sizes[0].measured.value, 0.25);
  EXPECT_FALSE(made.sizes[0].is_reversed());
  EXPECT_EQ(made.sizes[1].measured.value, 1.25);
  EXPECT_TRUE(made.sizes[1].is_reversed());
  const Fidelity fidelity = judge_fidelity({with_ratio(4, 0.8)});
  EXPECT_THAT(to_text(document_of(fidelity), 100), HasSubstr("Theirs over others (Table 1)"));
  EXPECT_EQ(rows_of(sheets_of(fidelity), "ratios")[1]["is_reversed"], true);
}

TEST(PrintedRatios, AreOfTheSameProblemMeasuredOnOneMachine) {
  const auto sizes_of = [](const PaperOriginals& paper) {
    return judge_fidelity({paper}).machines.back().ratios.size();
  };
  EXPECT_EQ(sizes_of(with_ratio(4, 4)), 1);
  PaperOriginals another = with_ratio(4, 4);
  another.measured[1].machine = "another";
  EXPECT_EQ(sizes_of(another), 0);
  PaperOriginals wrong = with_ratio(4, 4);
  for (MeasuredCase& its : wrong.measured[1].cases) its.original.status = Status::invalid;
  EXPECT_EQ(sizes_of(wrong), 0);
  PaperOriginals problem = with_ratio(4, 4);
  for (std::size_t i = 0; i < 2; ++i) {
    problem.originals[1].cases[i].set("maximizer", std::string("bisection"));
    problem.measured[1].cases[i].parameters.set("maximizer", std::string("bisection"));
  }
  EXPECT_EQ(sizes_of(problem), 0) << "the other's maximizer is first_decline";
  PaperOriginals without = with_ratio(4, 4);
  without.originals.pop_back();
  without.measured.pop_back();
  EXPECT_EQ(sizes_of(without), 0) << "only the other was chosen";
}

TEST(PrintedRatios, AreOfTwoRowsOfATableAndKnownOriginals) {
  const TemporaryFolder folder;
  for (const char* paper : {"aldrich_2014", "aldrich_vfi_page"}) {
    fs::copy(definitions_folder() / paper, folder.path() / paper, fs::copy_options::recursive);
  }
  fs::copy(definitions_folder() / "hardware.json", folder.path() / "hardware.json");
  const auto page = read_originals(folder.path()).back();
  const auto thrust = std::ranges::find(page.ratios, "Thrust over CUDA C", &PrintedRatio::name);
  ASSERT_NE(thrust, page.ratios.end());
  EXPECT_EQ(to_string(thrust->printed.back().size), "65536");
  EXPECT_NEAR(thrust->printed.back().ratio, 17.21 / 29.27, 1e-12);
  const fs::path file = folder.path() / "aldrich_vfi_page/originals.json";
  const std::string right = content_of(file);
  for (const auto& [from, to, says] : std::vector<std::array<std::string, 3>>{
           {R"("row": "C++")", R"("row": "C+")", "/ratios/0/of"},
           {R"("of": {"original": "aldrich_vfi_page/vfi_cpp_2012")",
            R"("of": {"original": "aldrich_vfi_page/vfi_cpp_2013")", "vfi_cpp_2012"},
           {R"("table": "aldrich_vfi_page/binary_search", "row": "C++")",
            R"("table": "aldrich_2014/table_2", "row": "Serial CPP")", "one table"}}) {
    const std::size_t at = right.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    write_file(file, std::string(right).replace(at, from.size(), to));
    EXPECT_THAT([&] { static_cast<void>(read_originals(folder.path())); },
                ::testing::ThrowsMessage<UsageError>(HasSubstr(says)));
  }
}

// --- the rule ------------------------------------------------------------------------------------

TEST(Fidelity, IsDecidedByTheWholeIntervalOfTheRatio) {
  using enum FidelityVerdict;
  const auto verdict = [](double low, double high) {
    return verdict_on_times(ConfidenceInterval{low, high});
  };
  EXPECT_EQ(verdict(0.9, 1.1), stands);
  EXPECT_EQ(verdict(0.899, 1.0), undecided);
  EXPECT_EQ(verdict(1.0, 1.101), undecided);
  EXPECT_EQ(verdict(0.5, 2), undecided);
  EXPECT_EQ(verdict(1.1, 1.3), undecided);
  EXPECT_EQ(verdict(1.101, 1.3), other_time);
  EXPECT_EQ(verdict(0.7, 0.9), undecided);
  EXPECT_EQ(verdict(0.7, 0.899), other_time);
  EXPECT_EQ(verdict_on_times({}), undecided);
}

TEST(Fidelity, OfValuesIsToWhatBothCertificatesAllow) {
  MeasuredCase one = measured_case(32, near);
  EXPECT_EQ(has_same_values(one), true);
  one.arrays[0].largest = 1.99e-10;
  EXPECT_EQ(has_same_values(one), true);
  one.arrays[0].largest = 2.1e-10;
  EXPECT_EQ(has_same_values(one), false);
  one.arrays[0].largest = HUGE_VAL;
  EXPECT_EQ(has_same_values(one), false);
  one.arrays[0].largest = 0;
  one.arrays[1].points = 2;
  EXPECT_EQ(has_same_values(one), false);
  one.arrays.clear();
  EXPECT_EQ(has_same_values(one), std::nullopt);

  // Rounding alone, where a certificate allows nothing else.
  one = measured_case(32, near);
  one.original.allowed = one.counterpart.allowed = 0;
  one.arrays = {{"V", 1e-12, -19.5, -19.5, {}}};
  EXPECT_EQ(has_same_values(one), true);
  one.arrays[0].largest = 1e-11;
  EXPECT_EQ(has_same_values(one), false);
}

TEST(Fidelity, IsOfTheWorstSize) {
  using enum FidelityVerdict;
  const std::vector<double> slower(7, 1.3), wide{0.8, 0.9, 1, 1, 1.1, 1.2, 1.3};
  const std::vector<double> few(3, 1.0);
  MeasuredCase other = measured_case(128, near);
  other.arrays[0].largest = 1e-3;
  MeasuredCase refused = measured_case(128, near);
  refused.original.status = Status::invalid;
  refused.original.why = Reason("residual 9e-9", "print 17 digits");
  MeasuredCase too_large = measured_case(128, near);
  too_large.arrays.clear();
  too_large.not_compared = "a solution takes more than 64 MiB";
  const auto verdict = [](std::vector<MeasuredCase> cases) {
    return judged(std::move(cases)).verdict;
  };

  const MeasuredCase good = measured_case(32, near);
  EXPECT_EQ(verdict({good, good, good}), stands);
  EXPECT_EQ(verdict({good, measured_case(64, wide)}), undecided);
  EXPECT_EQ(verdict({good, measured_case(64, few)}), undecided);
  EXPECT_EQ(verdict({measured_case(32, slower), measured_case(64, wide)}), other_time);
  EXPECT_EQ(verdict({measured_case(32, slower), other}), other_values);
  EXPECT_EQ(verdict({good, too_large}), undecided);
  EXPECT_EQ(verdict({good, refused}), undecided) << "it was not measured at every size";
  EXPECT_EQ(verdict({refused}), not_measured);
  EXPECT_EQ(judged({refused}).why, "nk=128: the original: residual 9e-9 (print 17 digits)");
}

TEST(Fidelity, NeedsTheCommitThatIsMeantAndTheSizesInPrint) {
  const OnePaper paper;
  std::vector<PaperOriginals> papers = read_originals(paper.folder.path());
  papers.front().measured.push_back(
      measurement_of({measured_case(32, near), measured_case(64, near)}));
  const auto judged_now = [&] { return judge_fidelity(papers).machines.front().originals.front(); };
  EXPECT_EQ(judged_now().verdict, FidelityVerdict::stands);
  Checkout& theirs = papers.front().measured.front().theirs;
  for (const auto& [ran, says] : std::vector<std::pair<Checkout, const char*>>{
           {{"", false}, "nobody knows which commit of the original ran"},
           {{"fedcba98765432", false}, "the original ran at fedcba98, and 01234567 is meant"},
           {{"0123456789abcdef", true}, "ran at 01234567 with changes, and 01234567 is meant"}}) {
    theirs = ran;
    EXPECT_EQ(judged_now().verdict, FidelityVerdict::undecided);
    EXPECT_THAT(judged_now().why, HasSubstr(says));
  }
  theirs = {"0123456789abcdef", false};
  papers.front().largest_in_print = {{"rbc/serial_first_decline", 65536}};
  EXPECT_EQ(judged_now().verdict, FidelityVerdict::undecided);
  EXPECT_EQ(judged_now().why, "as it is up to nk=64, and the paper prints nk=65,536");
  papers.front().largest_in_print = {{"rbc/serial_first_decline", 64}, {"rbc/serial", 65536}};
  EXPECT_EQ(judged_now().verdict, FidelityVerdict::stands);
}

TEST(Fidelity, KnowsTheLargestSizesInPrint) {
  Definitions all(definitions_folder());
  std::vector<PaperOriginals> papers = read_originals(definitions_folder());
  add_largest_in_print(papers, all);
  const auto its = std::ranges::find(papers, "aldrich_2014", &PaperOriginals::paper);
  ASSERT_NE(its, papers.end());
  EXPECT_EQ(its->largest_in_print.at("rbc/thrust_cuda"), 65536);
}

TEST(Fidelity, IsOfWhatAPersonSaysNow) {
  MeasuredCase of_another = measured_case(32, near);
  of_another.counterpart.key = "rbc/serial nk=32";
  const JudgedOriginal outdated = judged({of_another});
  EXPECT_EQ(outdated.verdict, FidelityVerdict::not_measured);
  EXPECT_EQ(outdated.why, "nk=32: it was measured beside rbc/serial");

  const OnePaper paper;
  std::vector<PaperOriginals> papers = read_originals(paper.folder.path());
  papers.front().measured.push_back(
      measurement_of({measured_case(32, near), measured_case(128, near)}));
  const JudgedOriginal one = judge_fidelity(papers).machines.front().originals.front();
  EXPECT_EQ(one.verdict, FidelityVerdict::undecided);
  EXPECT_EQ(one.why, "nk=64: it was not among the cases");
  ASSERT_EQ(one.cases.size(), 2U) << "32 and 64";
}

TEST(Fidelity, ComparesTheirOwnClockIfTheyHaveOne) {
  const MeasuredCase one = measured_case(32, near);
  EXPECT_DOUBLE_EQ(judged({one}).cases[0].theirs.value(), 2.04);
  MeasuredCase silent = one;
  silent.original.solution.clear();
  EXPECT_DOUBLE_EQ(judged({silent}).cases[0].theirs.value(), 5);
}

TEST(FirstDifferingDigit, IsWhereTheyAreHalfAUnitApart) {
  EXPECT_EQ(first_differing_digit("0.14597", 0.14603), 4);
  EXPECT_EQ(first_differing_digit("0.14597", 0.145974), 0);
  EXPECT_EQ(first_differing_digit("0.14597", 0.145976), 5);
  EXPECT_EQ(first_differing_digit("0.14597", -0.14597), 1);
  EXPECT_EQ(first_differing_digit("-2.11761475", -2.11761594), 7);
  EXPECT_EQ(first_differing_digit("1.50e-3", 0.0015), 0);
  EXPECT_EQ(first_differing_digit("1.50e-3", 0.00151), 3);
  EXPECT_EQ(first_differing_digit("1353", 1352), 4);
  EXPECT_EQ(first_differing_digit("0", 0.4), 0);
  EXPECT_EQ(first_differing_digit("0.00", 0.01), 1);
  EXPECT_EQ(first_differing_digit("1.5", std::nan("")), 1);
}

// --- the file ------------------------------------------------------------------------------------

TEST(Originals, AreRefusedInASentence) {
  EXPECT_EQ(OnePaper().error(), "");
  const json good = json::parse(by_hand);
  const std::vector<Spoilt> all{
      {"", R"({"paper": "other"})", "/paper: it says other, and its place says paper"},
      {"", R"({"orignals": []})", " at /: unknown field 'orignals'"},
      {"/originals/0", R"({"model": "rcb"})", "/originals/0/model: unknown model 'rcb'"},
      {"/originals/0", R"({"program": "newton/x"})", "/originals/0/program: it must be rbc/NAME"},
      {"/originals/0", R"({"cases": []})", "/originals/0/cases: it must have a case"},
      {"/originals/0", R"({"cases": [{"nk": 1}]})", "/originals/0/cases/0/nk: "},
      {"/originals/0", R"({"cases": [{"nk": 8}, {"nk": 8}]})",
       "/originals/0/cases/1: it is there twice"},
      {"/originals/0", R"({"source": null})", "/originals/0: the field 'source' is missing"},
      {"/originals/1", R"({"cases": [{"nk": 8}]})", "/originals/1: unknown field 'cases'"},
      {"/originals/0", R"({"commit": null})", "/originals/0: the field 'commit' is missing"},
      {"/originals/1", R"({"name": "theirs"})", "/originals/1/name: there is another 'theirs'"},
      {"/originals/0/counterpart", R"({"implementation": "seriel"})",
       "/originals/0/counterpart/implementation: unknown implementation 'seriel'"},
      {"/originals/0/differences/0", R"({"variant": {"implementation": "serial_first_decline",
        "parameters": null}})",
       "/originals/0/differences/0/variant: it is the counterpart itself"},
      {"/originals/0/fingerprints/0", R"({"printed": "about 3"})",
       "/originals/0/fingerprints/0/printed: it must be a number's digits"}};
  for (const Spoilt& spoilt : all) {
    const OnePaper paper(spoilt.of(good).dump());
    EXPECT_THAT(paper.error(), AllOf(HasSubstr("paper/originals.json at "), HasSubstr(spoilt.says)))
        << spoilt.patch;
  }
}

TEST(Originals, KeepWhatAPersonWroteWhenTheyAreMeasured) {
  const OnePaper paper;
  write_measured(paper.folder.path(), "paper",
                 {measurement_of({measured_case(32, near), measured_case(64, near)})});
  const std::string hand(
      trim(std::string_view(by_hand).substr(0, std::string(by_hand).rfind('}'))));
  EXPECT_THAT(content_of(paper.file()), StartsWith(hand));
  JsonSchema schema(
      json::parse(content_of(source_dir() / "paper_tables/fidelity/originals.schema.json")));
  EXPECT_TRUE(schema.accepts(json::parse(content_of(paper.file()))));

  Measurement elsewhere = measurement_of({measured_case(32, near)});
  elsewhere.machine = "other_cpu";
  write_measured(paper.folder.path(), "paper", {elsewhere});
  const std::string before = content_of(paper.file());
  write_measured(paper.folder.path(), "paper", {measurement_of({measured_case(64, near)})});
  EXPECT_THAT(content_of(paper.file()), StartsWith(hand));
  const std::vector<Measurement> all = read_originals(paper.folder.path()).front().measured;
  ASSERT_EQ(all.size(), 2U) << "one for each machine";
  EXPECT_EQ(to_json(all[0]), to_json(measurement_of({measured_case(64, near)})));
  EXPECT_EQ(to_json(all[1]), to_json(elsewhere));

  Measurement stranger = elsewhere;
  stranger.original = "nobody's";
  EXPECT_THROW(write_measured(paper.folder.path(), "paper", {stranger}), UsageError);
  EXPECT_NE(content_of(paper.file()), before);
  paper.write(R"({"measured": [], )" + std::string(by_hand).substr(1));
  EXPECT_THROW(write_measured(paper.folder.path(), "paper", {elsewhere}), Failure);
}

// --- the view ------------------------------------------------------------------------------------

TEST(FidelityView, IsGolden) {
  const OnePaper paper;
  std::vector<MeasuredCase> cases{measured_case(32, near),
                                  measured_case(64, {1.0, 1.01, 1.02, 1.02, 1.03, 1.04, 1.15})};
  cases[1].counterpart.iterations = 1352;
  for (MeasuredCase& one : cases) {
    one.variants = {{"the bound", measured_side(std::vector<double>(7, 2.5))}};
  }
  Measurement measurement = measurement_of(cases);
  measurement.figures = {{"V_first", {{"nk", std::int64_t{32}}}, -19.3756, ""},
                         {"no_such", {{"nk", std::int64_t{48}}}, {}, "there is no such figure"}};
  write_measured(paper.folder.path(), "paper", {measurement});
  const std::string options = "fidelity --definitions '" + paper.folder.path().string() + "'";
  const fs::path golden = source_dir() / "tests/paper_tables/golden";
  Fidelity fidelity = judge_fidelity(read_originals(paper.folder.path()), "some_cpu");
  fidelity.unnamed = {"rbc/octave"};
  expect_golden(golden / "fidelity.txt", to_text(document_of(fidelity), 100));
  expect_golden(golden / "fidelity.md", to_markdown(document_of(fidelity)));
  expect_golden(golden / "fidelity.csv", to_csv(sheets_of(fidelity).front()));

  EXPECT_THAT(macrobench(options), Answers(0, HasSubstr("1 of 1 stands for the original on Some "
                                                        "CPU, 2 cores")));
  EXPECT_THAT(macrobench(options + " --machine h100"),
              Answers(2, HasSubstr("unknown machine 'h100'")));
  EXPECT_THAT(
      macrobench(options + " paper/their"),
      Answers(2, HasSubstr("unknown original 'paper/their'; the nearest is 'paper/theirs'")));
}

// --- measuring -----------------------------------------------------------------------------------

TEST(FidelityMeasure, RunsAProgramBesideItsCounterpart) {
  const OnePaper paper;
  const TemporaryFolder results;
  Stranger theirs("good", json::object(), {{"origin", "original"}, {"uses", {"checkout"}}});
  const std::string checkout = theirs.folder() + "/checkout";
  fs::create_directories(checkout);
  const Answer commit =
      by_shell("cd '" + checkout +
               "' && git init -q && git -c user.name=a -c user.email=a@b commit -q --allow-empty "
               "-m a && git rev-parse HEAD");
  ASSERT_EQ(commit.code, 0) << commit.output;
  static_cast<void>(theirs.command("programs --setup rbc/stranger"));
  const Answer answer = theirs.command("fidelity --measure --rounds 6 --definitions '" +
                                       paper.folder.path().string() + "' --results '" +
                                       results.path().string() + "'");
  ASSERT_EQ(answer.code, 0) << answer.output;
  EXPECT_THAT(answer.output, HasSubstr("paper/theirs beside rbc/serial_first_decline"));

  const Measurement made = read_originals(paper.folder.path()).front().measured.at(0);
  EXPECT_EQ(made.theirs.commit, trim(commit.output));
  EXPECT_FALSE(made.theirs.changed);
  ASSERT_EQ(made.cases.size(), 2U);
  for (const MeasuredCase& one : made.cases) {
    EXPECT_EQ(one.original.status, Status::measured) << one.original.why;
    EXPECT_EQ(one.original.seconds.size(), 6U);
    EXPECT_EQ(one.original.solution.size(), 6U);
    EXPECT_LT(one.original.solution[0], one.original.seconds[0]);
    EXPECT_EQ(one.counterpart.seconds.size(), 6U);
    EXPECT_TRUE(one.counterpart.solution.empty());
    EXPECT_EQ(one.variants.at(0).side.seconds.size(), 6U);
    EXPECT_GT(one.original.iterations.value(), 100);
    EXPECT_EQ(has_same_values(one), true) << one.not_compared;
    ASSERT_EQ(one.arrays.size(), 2U);
    EXPECT_FALSE(one.arrays[0].points) << "V's numbers are no choices";
    EXPECT_TRUE(one.arrays[1].points);
  }
  EXPECT_NEAR(made.figures.at(0).value.value(), -19.4, 20);
  EXPECT_THAT(made.figures.at(1).why, HasSubstr("no figure 'no_such'"));

  const fs::path folder = fs::directory_iterator(results.path())->path();
  const Results kept = read_results(folder);
  int of_original = 0;
  for (const Record& record : kept.records) {
    EXPECT_NE(record.status, Status::failed);
    if (record.origin != "original") continue;
    ++of_original;
    EXPECT_EQ(record.samples.size(), 6U) << "one record with all rounds";
  }
  EXPECT_EQ(of_original, 2);
}

TEST(FidelityMeasure, SaysWhatIsMissingOrRefusedAndGoesOn) {
  json file = json::parse(by_hand);
  file["originals"][1] = file["originals"][0];
  file["originals"][1]["name"] = "absent";
  file["originals"][1]["program"] = "rbc/absent";
  file["originals"][2] = file["originals"][0];
  file["originals"][2]["name"] = "searches";
  for (json& its : file["originals"]) {
    its["cases"] = {{{"nk", 32}}};
    its["parameters"]["tolerance"] = 1.6e-10;
    its.erase("fingerprints");
  }
  file["originals"][2]["cases"] = {{{"nk", 32}, {"maximizer", "bisection"}}};
  const OnePaper paper(file.dump(2));
  const TemporaryFolder results;
  Stranger theirs("ten", json::object(), {{"origin", "original"}});
  static_cast<void>(theirs.command("programs --setup rbc/stranger"));
  const Answer answer = theirs.command("fidelity --measure --rounds 2 --definitions '" +
                                       paper.folder.path().string() + "' --results '" +
                                       results.path().string() + "'");
  EXPECT_EQ(answer.code, 3) << answer.output;
  const Fidelity found = judge_fidelity(read_originals(paper.folder.path()));
  const std::vector<JudgedOriginal>& all = found.machines.at(0).originals;
  ASSERT_EQ(all.size(), 3U);
  EXPECT_THAT(all[2].why, HasSubstr("rbc/stranger does not take maximizer, by which the cases"));
  EXPECT_EQ(all[0].verdict, FidelityVerdict::not_measured);
  EXPECT_THAT(all[0].why, HasSubstr("10 digits leave a residual of"));
  EXPECT_EQ(all[1].verdict, FidelityVerdict::not_measured);
  EXPECT_THAT(all[1].why, HasSubstr("there is no program rbc/absent here"));
}

/// tools/readme writes it.
TEST(FidelityPage, IsInStep) {
  EXPECT_EQ(macrobench("fidelity --format md").output,
            content_of(source_dir() / "paper_tables/FIDELITY.md"));
}

// --- and the READMEs -----------------------------------------------------------------------------

/// As its words are read: without marks, and its spaces as one.
std::string plain(std::string text) {
  replace_all(text, "`", "");
  return std::regex_replace(text, std::regex("\\s+"), " ");
}

struct Deviation {
  std::set<std::string> named;  ///< published implementations with an original
  std::string says;
};

/// The rows of the table of deviations in a model's README.
std::vector<Deviation> deviations_of(const std::string& model, const std::set<std::string>& ours) {
  const std::string text = content_of(source_dir() / "implementations" / model / "README.md");
  const std::size_t begin = text.find("## Deviations, by name");
  std::vector<Deviation> all;
  for (const std::string_view line :
       split(std::string_view(text).substr(begin,
                                           text.find("\n\n", text.find("| --- |", begin)) - begin),
             '\n')) {
    const std::vector<std::string_view> cells = split(line, '|');
    if (cells.size() < 4) continue;
    Deviation& row = all.emplace_back();
    row.says =
        plain(std::string(line.substr(static_cast<std::size_t>(cells[2].data() - line.data()))));
    const std::string where(cells[1]);
    static const std::regex quoted("`([^`]*)`");
    for (std::sregex_iterator name(where.begin(), where.end(), quoted), none; name != none;
         ++name) {
      std::string pattern = (*name)[1];
      replace_all(pattern, "*", "[a-z_]*");
      for (const std::string& id : ours) {
        if (std::regex_match(id, std::regex(pattern))) row.named.insert(id);
      }
    }
  }
  return all;
}

TEST(Deviations, AreTheSameInTheReadmesAndOfOriginals) {
  std::map<std::string, std::set<std::string>> ours;  // by model
  std::map<std::string, std::string> said;            // of a counterpart's originals
  const std::vector<PaperOriginals> papers = read_originals(definitions_folder());
  for (const PaperOriginals& paper : papers) {
    for (const Original& its : paper.originals) {
      ours[its.model].insert(its.counterpart.implementation);
    }
  }
  int checked = 0;
  for (const PaperOriginals& paper : papers) {
    for (const Original& its : paper.originals) {
      for (const KnownDifference& difference : its.differences) {
        const std::string says = plain(difference.says);
        said[its.counterpart_id()] += says + "\n";
        bool is_there = false;
        for (const Deviation& row : deviations_of(its.model, ours[its.model])) {
          const bool is_its =
              row.named.empty() || row.named.contains(its.counterpart.implementation);
          is_there = is_there || (is_its && row.says.find(says) != std::string::npos);
        }
        EXPECT_TRUE(is_there) << "implementations/" << its.model
                              << "/README.md has no deviation of " << its.counterpart.implementation
                              << " that says: " << says;
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 15);
  for (const auto& [model, names] : ours) {
    for (const Deviation& row : deviations_of(model, names)) {
      for (const std::string& name : row.named) {
        bool is_said = false;
        for (const std::string_view says : split(said[model + "/" + name], '\n')) {
          is_said = is_said || (!says.empty() && row.says.find(says) != std::string::npos);
        }
        EXPECT_TRUE(is_said) << "no original of " << model << "/" << name
                             << " names this deviation: " << row.says;
      }
    }
  }
}

}  // namespace
}  // namespace macrobench
