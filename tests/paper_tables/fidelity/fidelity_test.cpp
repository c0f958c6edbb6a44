// How near published implementations are to their originals: the definitions, the rule, the view.

#include "paper_tables/fidelity/fidelity.hpp"

#include <fmt/format.h>
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

/// As a person lays it out.
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
  return {.original = "paper/theirs",
          .machine = "some_cpu_2_cores",
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
  return judge_fidelity(papers, std::vector{measurement_of(std::move(cases))})
      .machines.front()
      .originals.front();
}

// --- ratios in print ----------------------------------------------------------------------------

Cell printed_ratio(double value) {
  return {.value = value, .kind = Kind::computed, .status = Status::measured};
}

/// Two programs of a paper, the second slower by these factors, and a ratio of the two in print.
struct TwoPrograms {
  TwoPrograms(double at_32, double at_64) {
    const OnePaper file;
    paper = read_originals(file.folder.path()).front();
    paper.originals[1] = paper.originals[0];
    paper.originals[1].name = "others";
    measured = {measurement_of({measured_case(32, {1, 1, 1}), measured_case(64, {2, 2, 2})}),
                measurement_of({measured_case(32, {at_32, at_32, at_32}),
                                measured_case(64, {2 * at_64, 2 * at_64, 2 * at_64})})};
    measured[1].original = "paper/others";
    paper.ratios = {{.name = "Theirs over others",
                     .where = "Table 1",
                     .of = "paper/theirs",
                     .over = "paper/others",
                     .printed = {{32.0, printed_ratio(0.5)},
                                 {64.0, printed_ratio(0.25)},
                                 {128.0, printed_ratio(0.2)}}}};
  }
  [[nodiscard]] Fidelity judged() const { return judge_fidelity({paper}, measured); }

  PaperOriginals paper;
  std::vector<Measurement> measured;
};

TEST(PrintedRatios, AreReversedWhereTheOtherProgramIsTheFasterOneHere) {
  const Fidelity fidelity = TwoPrograms(4, 0.25).judged();
  const JudgedRatio made = fidelity.machines.front().ratios.at(0);
  ASSERT_EQ(made.sizes.size(), 2) << "nothing was measured at 128";
  EXPECT_EQ(made.sizes[0].size, "nk=32");
  EXPECT_EQ(made.sizes[0].printed.value, 0.5);
  EXPECT_EQ(made.sizes[0].measured.value, 0.25);
  EXPECT_FALSE(made.sizes[0].is_reversed());
  EXPECT_EQ(made.sizes[1].measured.value, 4);
  EXPECT_TRUE(made.sizes[1].is_reversed());
  EXPECT_FALSE(TwoPrograms(4, 0.9).judged().machines.front().ratios.at(0).sizes[1].is_reversed())
      << "1.11 may be below 1 in another campaign";
  EXPECT_THAT(to_text(document_of(fidelity), 100), HasSubstr("Theirs over others (Table 1)"));
  EXPECT_EQ(rows_of(sheets_of(fidelity), "ratios")[1]["is_reversed"], true);
}

TEST(PrintedRatios, AreAsUncertainAsAnotherCampaignWouldMakeThem) {
  const JudgedRatio made = TwoPrograms(4, 0.8).judged().machines.front().ratios.at(0);
  const ConfidenceInterval where = known_value(made.sizes[0].measured.interval);
  const double half = std::log(where.high / where.low) / 2;
  const Noise& noise = noise_of(false, TimedPart::cold, 4);
  EXPECT_NEAR(half, student_t(2 * noise.degrees) * std::sqrt(2 * noise.variance), 0.01)
      << "three equal rounds say nothing of another campaign";
}

TEST(PrintedRatios, AreOfTheSameProblemMeasuredOnOneMachine) {
  const auto sizes_of = [](const TwoPrograms& two) {
    return two.judged().machines.back().ratios.size();
  };
  EXPECT_EQ(sizes_of(TwoPrograms(4, 4)), 1);
  TwoPrograms another(4, 4);
  another.measured[1].machine = "another";
  EXPECT_EQ(sizes_of(another), 0);
  TwoPrograms wrong(4, 4);
  for (MeasuredCase& its : wrong.measured[1].cases) its.original.status = Status::invalid;
  EXPECT_EQ(sizes_of(wrong), 0);
  TwoPrograms problem(4, 4);
  for (std::size_t i = 0; i < 2; ++i) {
    problem.paper.originals[1].cases[i].set("maximizer", std::string("bisection"));
    problem.measured[1].cases[i].parameters.set("maximizer", std::string("bisection"));
  }
  EXPECT_EQ(sizes_of(problem), 0) << "the other's maximizer is first_decline";
  TwoPrograms without(4, 4);
  without.paper.originals.pop_back();
  EXPECT_EQ(sizes_of(without), 0) << "only the other was chosen";
}

TEST(PrintedRatios, AreOfTwoRowsOfATableAndKnownOriginals) {
  const TemporaryFolder folder;
  for (const char* paper : {"aldrich_2014", "aldrich_vfi_page"}) {
    fs::copy(definitions_folder() / paper, folder.path() / paper, fs::copy_options::recursive);
  }
  const auto page = read_originals(folder.path()).back();
  const auto thrust = std::ranges::find(page.ratios, "Thrust over CUDA C", &PrintedRatio::name);
  ASSERT_NE(thrust, page.ratios.end());
  EXPECT_EQ(to_string(thrust->printed.back().size), "65536");
  const Cell& ratio = thrust->printed.back().ratio;
  EXPECT_NEAR(*ratio.value, 17.21 / 29.27, 1e-12);
  EXPECT_NEAR(ratio.interval->high, 17.215 / 29.265, 1e-12) << "both are rounded";
  EXPECT_EQ(ratio.kind, Kind::computed);
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
  std::vector measured{measurement_of({measured_case(32, near), measured_case(64, near)})};
  const auto judged_now = [&] {
    return judge_fidelity(papers, measured).machines.front().originals.front();
  };
  EXPECT_EQ(judged_now().verdict, FidelityVerdict::stands);
  Checkout& theirs = measured.front().theirs;
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

TEST(Fidelity, ComparesTheArraysThatAreMeantAndNoOthers) {
  const MeasuredCase good = measured_case(32, near);
  EXPECT_EQ(judged({good}).verdict, FidelityVerdict::stands);
  MeasuredCase others = good;
  others.arrays = {{"a", 0, 1, 1, {}}, {"b", 0, 1, 1, {}}};
  MeasuredCase more = good;
  more.arrays.push_back(good.arrays.front());
  MeasuredCase unknown = good;
  unknown.arrays[0].largest = std::nan("");
  MeasuredCase nothing = good;
  nothing.arrays[1].points = -1;
  for (const MeasuredCase& one : {others, more, unknown, nothing}) {
    EXPECT_EQ(judged({one}).verdict, FidelityVerdict::undecided);
  }
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
  const JudgedOriginal one =
      judge_fidelity(
          read_originals(paper.folder.path()),
          std::vector{measurement_of({measured_case(32, near), measured_case(128, near)})})
          .machines.front()
          .originals.front();
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

// --- the records ---------------------------------------------------------------------------------

TEST(ShippedOriginals, AreRecordsThatAnswerForWhatIsMeant) {
  const fs::path folder = source_dir() / "results/originals";
  const std::vector<PaperOriginals> papers = read_originals(definitions_folder());
  int measured = 0;
  for (const auto& machine : fs::directory_iterator(folder)) {
    const Results results = read_results(machine.path());
    EXPECT_THAT(results.warnings, IsEmpty());
    EXPECT_THAT(results.contradictions, IsEmpty());
    EXPECT_TRUE(results.records.empty()) << "no table reads these";
    EXPECT_THAT(macrobench("verify '" + machine.path().string() + "'"),
                Answers(0, HasSubstr(fmt::format("{} records", results.turns.size()))));
    std::set<std::string> ours;
    for (const PaperOriginals& paper : papers) {
      for (const Original& its : paper.originals) ours.insert(its.counterpart_id());
    }
    for (const Record& record : results.turns) {
      EXPECT_TRUE(results.machines.contains(record.machine)) << record.key;
      if (record.turns->role != turns_of_original) continue;
      EXPECT_FALSE(ours.contains(record.id())) << "it is compared with itself";
    }
    for (const Measurement& one : measurements_in(results, papers)) {
      EXPECT_EQ(one.machine, machine.path().filename().string()) << one.original;
      EXPECT_FALSE(one.cases.empty()) << one.original;
      ++measured;
    }
  }
  EXPECT_EQ(measured, static_cast<int>(measured_originals(papers, nullptr).size()));
  EXPECT_GT(measured, 20);
}

TEST(Measurements, AreOfTheNewestSitting) {
  const OnePaper paper;
  const std::vector<PaperOriginals> papers = read_originals(paper.folder.path());
  const auto record_of = [](const std::string& campaign, const char* role, double seconds) {
    Record record;
    record.key = "rbc/stranger nk=32";
    record.model = "rbc";
    record.status = Status::measured;
    record.parameters = {{"nk", std::int64_t{32}}};
    record.campaign = campaign;
    record.turns = Turns{.of = "paper/theirs", .role = role};
    record.samples.push_back({.first_solution = seconds, .solutions = {}, .stages = {}});
    return record;
  };
  Results results;
  results.turns = {record_of("one", "original", 1), record_of("one", "counterpart", 2),
                   record_of("two", "original", 3), record_of("two", "the bound", 4),
                   record_of("three", "no such role", 5)};
  const Measurement made = measurements_in(results, papers).at(0);
  ASSERT_EQ(made.cases.size(), 1U);
  EXPECT_EQ(made.cases[0].original.seconds, std::vector{3.0});
  EXPECT_TRUE(made.cases[0].counterpart.seconds.empty()) << "one's is of another sitting";
  EXPECT_EQ(made.cases[0].variants.at(0).side.seconds, std::vector{4.0});

  results.turns = {record_of("", "original", 1), record_of("", "counterpart", 2)};
  results.turns[1].time = "2026-11-26T00:00:00Z";
  EXPECT_TRUE(measurements_in(results, papers).at(0).cases[0].original.seconds.empty())
      << "without a campaign, another time is another sitting";
  results.turns = {record_of("one", "original", 1), record_of("one", "counterpart", 2)};
  results.turns[0].machine = "another";
  EXPECT_TRUE(measurements_in(results, papers).at(0).cases[0].original.seconds.empty());
}

TEST(Measurements, KnowNoCommitWhereTwoRan) {
  const OnePaper paper;
  Results results;
  for (const auto& [nk, commit] : {std::pair(32, "a"), {64, "b"}}) {
    Record& record = results.turns.emplace_back();
    record.parameters = {{"nk", std::int64_t{nk}}};
    record.turns = Turns{.of = "paper/theirs", .role = turns_of_original, .commit = commit};
  }
  const Measurement made = measurements_in(results, read_originals(paper.folder.path())).at(0);
  EXPECT_EQ(made.theirs.commit, "");
  EXPECT_TRUE(made.theirs.changed);
}

TEST(MeasuredSides, WithoutATimeOfARoundAreNone) {
  Record record;
  record.status = Status::measured;
  record.samples.resize(2);
  record.samples[1].around["their_solution"] = {1};
  EXPECT_EQ(side_of(record).status, Status::failed) << "the rounds would no longer be pairs";
}

// --- the view ------------------------------------------------------------------------------------

TEST(FidelityView, IsGolden) {
  const OnePaper paper;
  std::vector<MeasuredCase> cases{measured_case(32, near),
                                  measured_case(64, {1.0, 1.01, 1.02, 1.02, 1.03, 1.04, 1.09})};
  cases[1].counterpart.iterations = 1352;
  for (MeasuredCase& one : cases) {
    one.variants = {{"the bound", measured_side(std::vector<double>(7, 2.5))}};
  }
  Measurement measurement = measurement_of(cases);
  measurement.figures = {{"V_first", {{"nk", std::int64_t{32}}}, -19.3756, ""},
                         {"no_such", {{"nk", std::int64_t{48}}}, {}, "there is no such figure"}};
  const std::string options = "fidelity --definitions '" + paper.folder.path().string() + "'";
  const fs::path golden = source_dir() / "tests/paper_tables/golden";
  Fidelity fidelity =
      judge_fidelity(read_originals(paper.folder.path()), std::vector{measurement}, "some_cpu");
  fidelity.unnamed = {"rbc/octave"};
  expect_golden(golden / "fidelity.txt", to_text(document_of(fidelity), 100));
  expect_golden(golden / "fidelity.md", to_markdown(document_of(fidelity)));
  expect_golden(golden / "fidelity.csv", to_csv(sheets_of(fidelity).front()));

  EXPECT_THAT(to_text(document_of(fidelity), 200),
              HasSubstr("1 of 1 stands for the original on Some CPU, 2 cores"));
  EXPECT_THAT(macrobench(options), Answers(0, HasSubstr("No original was measured anywhere yet")));
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
  static_cast<void>(theirs.command("list programs --setup rbc/stranger"));
  const Answer answer = theirs.command("fidelity --measure --rounds 6 --definitions '" +
                                       paper.folder.path().string() + "' --results '" +
                                       results.path().string() + "'");
  ASSERT_EQ(answer.code, 0) << answer.output;
  EXPECT_THAT(answer.output, HasSubstr("paper/theirs beside rbc/serial_first_decline"));

  const fs::path folder = fs::directory_iterator(results.path())->path();
  const Results kept = read_results(folder);
  const Measurement made = measurements_in(kept, read_originals(paper.folder.path())).at(0);
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

  int of_original = 0;
  EXPECT_TRUE(kept.records.empty()) << "tables do not count these";
  for (const Record& record : kept.turns) {
    EXPECT_NE(record.status, Status::failed);
    if (record.origin != "original") continue;
    ++of_original;
    EXPECT_EQ(record.samples.size(), 6U) << "one record with all rounds";
  }
  EXPECT_EQ(of_original, 2);
  EXPECT_EQ(read_originals(paper.folder.path()).size(), 1U);
  EXPECT_EQ(content_of(paper.file()), by_hand) << "what a person wrote is theirs";
  EXPECT_THAT(macrobench("fidelity paper/theirs --definitions '" + paper.folder.path().string() +
                         "' --results '" + folder.string() + "'"),
              Answers(0, HasSubstr("paper/theirs beside rbc/serial_first_decline")));
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
  static_cast<void>(theirs.command("list programs --setup rbc/stranger"));
  const Answer answer = theirs.command("fidelity --measure --rounds 2 --definitions '" +
                                       paper.folder.path().string() + "' --results '" +
                                       results.path().string() + "'");
  EXPECT_EQ(answer.code, 3) << answer.output;
  EXPECT_THAT(answer.output,
              AllOf(HasSubstr("rbc/stranger does not take maximizer, by which the cases"),
                    HasSubstr("there is no program rbc/absent here"),
                    HasSubstr("10 digits leave a residual of")));
  const Results kept = read_results(fs::directory_iterator(results.path())->path());
  const Fidelity found = judge_fidelity(read_originals(paper.folder.path()),
                                        measurements_in(kept, read_originals(paper.folder.path())));
  const std::vector<JudgedOriginal>& all = found.machines.at(0).originals;
  ASSERT_EQ(all.size(), 3U);
  for (const JudgedOriginal& one : all) EXPECT_EQ(one.verdict, FidelityVerdict::not_measured);
  EXPECT_THAT(all[0].why, HasSubstr("10 digits leave a residual of")) << "its record says so";
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
