// What the papers say in words: the list of it, each kind of test, and what becomes of a claim.

#include "paper_tables/claims/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <tuple>

#include "harness/records/results_folder.hpp"
#include "harness/text/each.hpp"
#include "harness/text/json_values.hpp"
#include "harness/text/known_value.hpp"
#include "harness/text/strings.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/lookup.hpp"
#include "paper_tables/cells/machine_cells.hpp"
#include "paper_tables/cells/table.hpp"
#include "paper_tables/claims/claims_verdict.hpp"
#include "tests/matchers.hpp"
#include "tests/paper_tables/complaints.hpp"
#include "tests/paper_tables/fixture.hpp"
#include "tests/sheet_rows.hpp"

namespace macrobench {
namespace {

using nlohmann::json;

/// All of its tables in one text.
std::string all_data_of(const ClaimReport& report) {
  return to_text(to_json("claims", sheets_of(report)));
}

/// The small definition's rows A and B, both solutions, and a claim about them that is right.
json small_claims() {
  return json::parse(R"({
    "schema": 3, "paper": "paper", "document": "A Paper",
    "claims": [
      {"claim": "a_is_slower", "where": "p. 1", "quote": "B is faster",
       "says": "A is slower than B.", "quantity": "A over B",
       "table": "paper/table", "of": {"numerator": "A", "baseline": "B"}, "columns": ["64"],
       "columns_why": "B is faster",
       "direction": {"kind": "within", "at_least": 1, "reason": "Slower is above 1."}}]
  })");
}

json claims_definition() {
  json definition = small_definition();
  definition["rows"][1]["quantity"] = "solution";
  return definition;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}
/// "A/B" is a ratio, "A,B" a list, {...} itself, and all else a row.
json subject_of(const std::string& text) {
  if (text.starts_with('{')) return json::parse(text);
  if (text[1] == '/') return {{"numerator", text.substr(0, 1)}, {"baseline", text.substr(2)}};
  if (text[1] == ',') return {text.substr(0, 1), text.substr(2)};
  return text;
}
json columns_of(const std::string& text) {
  if (text == "all") return words_of("16 32 64 128 1,024");
  return words_of(text == "four" ? "16 32 64 128" : text);
}

class Claims : public ::testing::Test {
 protected:
  Claims() { results_.machines["machine"] = machine_of(4, false); }

  /// A's and B's seconds at Nk = 16, 32, ...
  void measure(const std::string& implementation, const std::vector<double>& seconds) {
    std::int64_t nk = 8;
    for (const double value : seconds) {
      nk *= 2;
      const Parameters at{{"nk", nk}, {"nz", 4}, {"real", "double"}};
      results_.records.push_back(record_of(implementation, at, {value, value}));
    }
  }

  JudgedClaim judged_claim(const json& claims) {
    folder_ = std::make_unique<TemporaryFolder>();
    write_file(folder_->path() / "paper/table.json", definition_.dump());
    write_file(folder_->path() / "paper/claims.json", claims.dump());
    all_ = std::make_unique<Definitions>(folder_->path());
    claims_ = read_claims(folder_->path(), {}, *all_);
    return new_report().papers.at(0).claims.at(0);
  }

  /// Of the claims that were read last.
  ClaimReport new_report() {
    const Machine& machine = results_.machines.at("machine");
    return {"machine", "a machine",
            judge_claims(claims_, *all_, quiet_lookup_in(results_), machine)};
  }

  /// The direction's.
  JudgedTest judged(const json& claims) { return known_value(judged_claim(claims).direction); }

  /// The small claim with another direction.
  JudgedTest judged_by(const json& test, const json& like_for_like = {}) {
    json claims = small_claims();
    put(test, claims["claims"][0]);
    if (!like_for_like.is_null()) claims["claims"][0]["like_for_like"] = like_for_like;
    return judged(claims);
  }

  /// The test's subject belongs to the claim, the rest is its direction.
  static void put(json test, json& claim) {
    claim.erase("need");
    // The default for A, which is printed in each column, and a list of all is refused.
    if (test["columns"].size() == 5 && test["of"] == "A") {
      test.erase("columns");
      claim.erase("columns");
      claim.erase("columns_why");
    }
    for (const char* field : {"of", "columns", "need"}) {
      if (!test.contains(field)) continue;
      claim[field] = test[field];
      test.erase(field);
    }
    test["reason"] = "As the sentence says.";
    claim["direction"] = std::move(test);
  }

  ClaimVerdict verdict_by(const json& test) { return judged_by(test).verdict; }

  /// "4 1.9/2/2.2 - 8!noisy": seconds at Nk = 16, of three processes at 32, none, and a status.
  void measure_cells(const std::string& implementation, const std::string& cells) {
    std::int64_t nk = 8;
    for (const std::string& cell : words_of(cells)) {
      nk *= 2;
      if (cell == "-") continue;
      const std::size_t mark = cell.find('!');
      std::vector<double> seconds;
      for (const std::string_view one : split(std::string_view(cell).substr(0, mark), '/')) {
        if (!one.empty()) seconds.push_back(std::stod(std::string(one)));
      }
      const Parameters at{{"nk", nk}, {"nz", 4}, {"real", "double"}};
      Record& record = results_.records.emplace_back(record_of(implementation, at, {}));
      record.samples.clear();
      for (const double value : seconds) {
        Sample& sample = record.samples.emplace_back();
        sample.first_solution = 2 * value;
        sample.solutions = {value, value};
      }
      record.outcome.emplace().iterations = 1323;
      record.outcome->figures["V_last"] = -16.51;
      if (mark == std::string::npos) continue;
      record.status = status_from(cell.substr(mark + 1));
      record.why = {"for a reason", "with a detail that is left out"};
    }
  }

  /// Lines of cases: "# BEHAVIOR", "A CELLS", "B CELLS" of rows A and B, and
  /// "KIND OF at COLUMNS with MEMBERS: VERDICT; WHAT IS SAID", of which "..." leaves out the rest.
  void check(const std::string& cases) {
    static const std::regex form(
        R"((\w+) (.*?) at ([0-9, ]+|four|all)(?: with (.*?))?: ([^;:]*)(?:; (.*))?)");
    std::istringstream lines(cases);
    std::smatch its;
    for (std::string line; std::getline(lines, line);) {
      SCOPED_TRACE(line);
      if (line.starts_with("# ")) {
        results_.records.clear();
      } else if (line.starts_with("A ") || line.starts_with("B ")) {
        measure_cells(line[0] == 'A' ? "serial" : "serial_tuned", line.substr(2));
      } else if (!line.empty()) {
        ASSERT_TRUE(std::regex_match(line, its, form));
        json test{
            {"kind", its[1].str()}, {"of", subject_of(its[2])}, {"columns", columns_of(its[3])}};
        for (const std::string& member : words_of(its[4])) {
          const std::size_t equals = member.find('=');
          json& value = test[member.substr(0, equals)] = json::parse(member.substr(equals + 1));
          // A bound that a number is on would be within its noise.
          const double sign = member.starts_with("at_most") ? 1 : -1;
          const bool is_bound =
              value.is_number() && !member.starts_with("slack") && !member.starts_with("need");
          if (is_bound) value = value.get<double>() + sign * 0.03 * std::abs(value.get<double>());
        }
        const JudgedTest judged = judged_by(test);
        EXPECT_EQ(to_string(judged.verdict), its[5].str());
        if (judged.verdict == ClaimVerdict::undecided && judged.test->kind == TestKind::within) {
          EXPECT_TRUE(judged.answers[0].is_within_noise);
        }
        const std::string expected = its[6];
        const std::string said = judged.verdict == ClaimVerdict::not_testable
                                     ? why_not_text(judged)
                                     : evidence_text(judged.answers[0], *judged.test);
        if (expected.ends_with("...")) {
          EXPECT_THAT(said, HasSubstr(expected.substr(0, expected.size() - 3)));
        } else if (its[6].matched) {
          EXPECT_EQ(said, expected);
        }
      }
    }
  }

  json definition_ = claims_definition();
  Results results_;
  std::unique_ptr<TemporaryFolder> folder_;
  std::unique_ptr<Definitions> all_;
  std::vector<PaperClaims> claims_;
};

json test_of(const char* kind, const json& of, const json& columns, const json& more) {
  json test{{"kind", kind}, {"of", of}, {"columns", columns}};
  test.update(more);
  return test;
}

/// What is said of one of its readings.
std::string found(const JudgedTest& judged, std::size_t reading = 0) {
  return evidence_text(judged.answers.at(reading), *judged.test);
}

const json a_over_b{{"numerator", "A"}, {"baseline", "B"}};
const json four{"16", "32", "64", "128"};
constexpr ClaimVerdict holds = ClaimVerdict::holds;
constexpr ClaimVerdict fails = ClaimVerdict::does_not_hold;
constexpr ClaimVerdict not_testable = ClaimVerdict::not_testable;

TEST_F(Claims, AreJudgedByTheirKindOfTest) {
  check(R"(
# within looks at every column
A 4 8 16 30
B 2 4 8 10
within A/B at 16 64 with at_least=1.5 at_most=2.5: holds
within A/B at four with at_least=1.5 at_most=2.5: does not hold; 2.00 at 16 to 3.00 at 128, in...
within A/B at 1,024 with at_least=1: not testable here
# so many columns, beyond the noise; a step within it turns nothing round
A 3/4/5 8 16 30
B 2 4 8 10
within A/B at four with at_least=2 need=3: undecided
within A/B at four with at_least=2 need=4: undecided
rising A at four: holds
# rising and falling: along the columns; 1,024 is extrapolated
A 1 2 1.9 8
rising A at four with slack=0.1: holds
rising A at four: does not hold; 2.00 s at 32, then 1.90 s at 64
falling A at four with slack=0.1: does not hold
falling A at 32 64 with slack=0.1: holds
rising A at all with need=4 slack=0.1: holds
rising A at all with slack=0.1: not testable here
rising B at four with slack=0.1: not testable here
# or so many times
A 1 2 3 4
B 4 3 2 1
rising A at four with times=4: holds
rising A at four with times=5: does not hold
falling B at four with times=4: holds
falling B at four with times=5: does not hold
# or down a list
A 1 2 3 4
B 2 3 2 5
rising A,B at 16 32: holds
rising A,B at four: does not hold; at 64: A 3.00 s, then B 2.00 s
rising A,C at four: not testable here
rising A,B at 32 1,024 with need=1: holds
rising A,B at 32 1,024: not testable here
# which is open if a column is, however many hold
A 1 2 3 4
B 2 1.7/2.3/2.9 6 8
rising A,B at four with need=3: undecided
# growth: a power of the size, or of the work, which grows faster; one size has none
A 1 4 16 64
growth A at four with over="nk" at_least=1.99 at_most=2.01: holds; exponent 2.00: 1.00 s at 16...
growth A at four with over="work" at_least=1.4 at_most=1.6: holds
growth A at four with over="nk" at_least=0.8 at_most=1.2: does not hold
growth A at all with over="nk" at_least=1: not testable here
growth A at 16 with over="nk" at_least=1: not testable here
# what is fixed has the power 0 in its interval, however small the power
A 0.8/1/1.2 0.8/1/1.2 0.8/1/1.2 0.8/1/1.2
B 1 1.07 1.14 1.23
growth A at four with over="nk" at_least=-1 at_most=1: holds
growth A at four with over="nk" at_least=-0.01 at_most=0.01: undecided
growth B at four with over="nk" at_least=-1 at_most=1: undecided
growth B at four with over="nk" at_least=-0.01 at_most=0.01: does not hold
# within the noise, with the interval: by how much three processes differ
A - - 1.9/2/2.2
B - - 1
within A/B at 64 with at_least=2: undecided;  (...
within A/B at 64 with at_least=1.7: holds
within A/B at 64 with at_least=2.5: does not hold
within A/B at 64 with at_least=1.7 at_most=2.5: holds
within A/B at 64 with at_most=2: undecided
# every kind may be undecided
A 0.6/1/1.4 1.2/2/2.8 2.4/4/5.6 4.8/8/11.2
B 0.6/1/1.4 0.6/1/1.4 0.6/1/1.4 0.6/1/1.4
within A at four with at_least=1: undecided;  (...
rising B at four: undecided;  (...
falling B at four: undecided;  (...
rising B,A at four: undecided;  (...
growth A at four with over="nk" at_least=1: undecided;  (...
# extrapolated cells are no evidence
A 0.538 1.38 3.48
within A at 128 with at_least=0: not testable here; A at 128: extrapolated
within B at four with at_least=0: not testable here; B at 16: no record, and 3 more cells
# nor are invalid ones
A 1 2 4!invalid 8
within A at 32 64 with at_least=0: not testable here; A at 64: invalid: for a reason
# nor is a time that is not believed
A 1 2 4!noisy 8
B 1 2 4 8
within A at 64 with at_least=0: not testable here; A at 64: noisy: for a reason
within A/B at 64 with at_least=0: not testable here
within A/B at 32 with at_least=0: holds
# a ratio to nothing is no number
A 1 2 4 8
B 0 0 0 0
within A/B at 64 with at_least=0: not testable here; A over B at 64: failed: the baseline took no time
growth B at four with over="nk" at_most=1: not testable here
# another number of the same cases
A 1 2 4 8
within {"row": "A", "quantity": "iterations"} at four with at_least=1323: holds
within {"row": "A", "figure": "V_last"} at four with at_most=-16.5: holds
within {"row": "A", "figure": "V_last"} at four with at_most=-17.6: does not hold
within {"row":"A","figure":"V_last"} at 16 with at_most=-17.6: does not hold; -16.5 units of ...
within {"row":"A","figure":"V_first"} at 16 with at_most=0: not testable here; no figure 'V_first'...
)");
}

TEST_F(Claims, GrowthIsOverTheWorkThatTheRecordsSay) {
  measure("serial", {1, 4, 16, 64});
  for (Record& record : results_.records) {
    record.work = static_cast<double>(std::get<std::int64_t>(*record.parameters.find("nk")));
  }
  const json in_work{{"over", "work"}, {"at_least", 1.9}, {"at_most", 2.1}};
  EXPECT_EQ(verdict_by(test_of("growth", "A", four, in_work)), holds);
}

TEST_F(Claims, TwoBaselinesMayDisagree) {
  measure("serial", {4, 8, 16, 30});
  measure("serial_tuned", {2, 4, 8, 10});
  const json test = test_of("within", a_over_b, {"64"}, {{"at_least", 1}});
  const auto other = [](const json& of) { return json{{{"called", "the other"}, {"of", of}}}; };
  EXPECT_EQ(judged_by(test, other(a_over_b)).verdict, holds);
  const JudgedTest judged = judged_by(test, other({{"numerator", "B"}, {"baseline", "A"}}));
  EXPECT_EQ(judged.verdict, ClaimVerdict::depends_on_the_baseline);
  EXPECT_EQ(found(judged), "2.00 at 64");
  EXPECT_EQ(judged.answers[1].called, "the other");
  EXPECT_EQ(found(judged, 1), "0.500 at 64");
}

/// The authors' programs relax their tolerance and then say so in a figure.
TEST_F(Claims, OfConvergenceDoNotRestOnARelaxedTolerance) {
  measure_cells("serial", "1 2 4 8");
  const json iterations{{"row", "A"}, {"quantity", "iterations"}};
  const json figure{{"row", "A"}, {"figure", "V_last"}};
  const auto verdict_of = [&](const json& of) {
    return judged_by(test_of("within", of, {"64"}, {{"at_most", 2000}}));
  };
  for (const double relaxed : {0, 1}) {
    results_.records[2].outcome->figures["relaxed"] = relaxed;
    for (const json& of : {iterations, figure}) {
      EXPECT_EQ(verdict_of(of).verdict, relaxed > 0 ? not_testable : holds);
    }
    EXPECT_EQ(verdict_of("A").verdict, holds) << "a time is a time";
  }
  EXPECT_EQ(why_not_text(verdict_of(figure)), "A at 64: met only a relaxed tolerance");
}

TEST_F(Claims, AboutTheirMachineAreFactsWhateverIsMeasuredHere) {
  json claims = small_claims();
  claims["claims"][0]["kind"] = "fact";
  EXPECT_EQ(judged(claims).verdict, ClaimVerdict::fact);
  measure("serial", {1, 1, 1, 1});
  measure("serial_tuned", {2, 2, 2, 2});
  const JudgedTest judged_claim = judged(claims);
  EXPECT_EQ(judged_claim.verdict, ClaimVerdict::fact);
  EXPECT_FALSE(judged_claim.answers[0].holds);
  EXPECT_EQ(found(judged_claim), "0.500 at 64") << "our number is beside it";
}

TEST_F(Claims, InNoPapersWordsAreCountedApart) {
  measure("serial", {4, 4, 4, 4});
  measure("serial_tuned", {2, 2, 2, 2});
  json claims = small_claims();
  json& ours = claims["claims"].emplace_back(claims["claims"][0]);
  ours.erase("quote");
  ours.update({{"claim", "ours"}, {"reading", "ours"}, {"columns_why", "slower"}});
  judged(claims);
  const ClaimReport report = new_report();
  for (const bool is_ours : {false, true}) {
    const ClaimCounts counts = count_verdicts(report.papers, is_ours);
    EXPECT_EQ(counts.claims, 1);
    EXPECT_THAT(counts.directions, ElementsAre(1, 0, 0, 0, 0));
    EXPECT_EQ(total(counts.sizes), 0);
  }
  const json made = rows_of(sheets_of(report), "claims");
  ASSERT_EQ(made.size(), 2U);
  EXPECT_EQ(made[0]["quote"], "B is faster");
  EXPECT_TRUE(made[1]["quote"].is_null());
  EXPECT_THAT(to_text(document_of(report), 500),
              AllOf(HasSubstr("(“B is faster”, p. 1)"), HasSubstr("Besides, 1 readings")));
}

TEST_F(Claims, HaveADirectionAndASizeEachWithItsVerdict) {
  measure("serial", {4, 8, 564, 30});
  measure("serial_tuned", {1, 1, 1, 1});
  json claims = small_claims();
  claims["claims"][0]["size"] = {
      {"kind", "within"}, {"at_least", 24}, {"at_most", 36}, {"reason", "Roughly 30."}};
  const JudgedClaim roughly_30 = judged_claim(claims);
  EXPECT_EQ(known_value(roughly_30.direction).verdict, holds);
  EXPECT_EQ(known_value(roughly_30.size).verdict, fails) << "564 are not roughly 30";
  EXPECT_EQ(verdict_of(roughly_30), "direction holds, size does not hold");
  claims["claims"][0]["columns"] = {"128"};
  EXPECT_EQ(verdict_of(judged_claim(claims)), "direction holds, size holds");
  claims["claims"][0].erase("direction");
  EXPECT_EQ(verdict_of(judged_claim(claims)), "size holds");
}

TEST_F(Claims, OfOneSideSayInWhoseWords) {
  measure("serial", {4, 8, 564, 30});
  measure("serial_tuned", {1, 1, 1, 1});
  json claims = small_claims();
  claims["claims"][0]["size"] = {{"kind", "within"},
                                 {"at_least", 30},
                                 {"one_sided", {{"words", "more than 30"}, {"where", "p. 1"}}},
                                 {"reason", "As the sentence says."}};
  EXPECT_EQ(verdict_of(judged_claim(claims)), "direction holds, size holds");
  const ClaimReport report = new_report();
  EXPECT_THAT(to_text(document_of(report), 200),
              HasSubstr("One-sided by its words: “more than 30” (p. 1)."));
}

TEST_F(Claims, ThatNothingCouldTurnAreCountedApart) {
  json claims = small_claims();
  json& claim = claims["claims"][0];
  for (const char* field : {"direction", "table", "of", "columns", "columns_why"}) {
    claim.erase(field);
  }
  claim.update({{"kind", "vacuous"}, {"reason", "Faster has no number."}});
  const JudgedClaim vacuous = judged_claim(claims);
  EXPECT_FALSE(vacuous.direction || vacuous.size);
  EXPECT_EQ(verdict_of(vacuous), "nothing to test");
  const ClaimReport report{"machine", "a machine", {{claims_.data(), {vacuous}}}};
  const ClaimCounts counts = count_verdicts(report.papers);
  EXPECT_EQ(counts.of(ClaimKind::vacuous), 1);
  EXPECT_EQ(total(counts.directions) + total(counts.sizes), 0);
  EXPECT_THAT(to_text(document_of(report), 120), HasSubstr("Faster has no number."));
  EXPECT_THAT(to_csv(sheets_of(report).front()), HasSubstr("nothing to test"));
}

TEST_F(Claims, AreUndecidedIfAReadingIsOpenAndNoneDisagree) {
  const json test = test_of("within", "A", {"16", "32"}, {{"at_least", 1.5}});
  const json other{{{"called", "the other"}, {"of", "B"}}};
  measure_cells("serial", "1/1.5/2 1/1.5/2");
  measure("serial_tuned", {2, 2});
  const JudgedTest judged = judged_by(test, other);
  EXPECT_EQ(judged.verdict, ClaimVerdict::undecided);
  EXPECT_THAT(decisions_of(judged), ElementsAre(Decision::open, Decision::holds));
  EXPECT_EQ(why_not_text(judged), "1 hold, 1 open");
  const ClaimReport report = new_report();
  EXPECT_THAT(to_text(document_of(report), 200),
              AllOf(HasSubstr("direction undecided (1 hold, 1 open)"),
                    HasSubstr("Readings: U as published; T the other.")));
  const json made = rows_of(sheets_of(report), "claims")[0];
  EXPECT_EQ(json({made["holds"], made["fails"], made["open"], made["absent"]}), (json{1, 0, 1, 0}));
}

TEST_F(Claims, OfWhatARowShowsMayBeOfItsOwnCasesAlone) {
  measure("serial_tuned", {1, 2, 4, 8});
  definition_["rows"][0]["otherwise"] = {{"row", "B"}, {"called", "B's time"}};
  definition_["rows"][0]["published"][0] = "3";
  const auto judged_of = [&](const json& of) {
    return judged_by(test_of("within", of, {"16"}, {{"at_most", 4}}));
  };
  EXPECT_EQ(judged_of("A").verdict, holds);
  const JudgedTest own = judged_of({{"row", "A"}, {"quantity", "solution"}});
  EXPECT_EQ(own.verdict, not_testable);
  EXPECT_TRUE(own.printed) << "the number in print is the same";
}

TEST_F(Claims, OfSoManyCoresAreOfNoOtherMachine) {
  measure("serial", {1, 2, 4, 8});
  json claims = small_claims();
  put(test_of("within", "A", {"64"}, {{"at_least", 1}}), claims["claims"][0]);
  claims["claims"][0]["cores"] = 4;
  EXPECT_EQ(judged(claims).verdict, holds);
  claims["claims"][0]["cores"] = 8;
  EXPECT_EQ(judged(claims).verdict, not_testable);
  EXPECT_EQ(why_not_text(judged(claims)), "4 cores");
}

TEST_F(Claims, ThatNothingCanTestSayWhy) {
  json claims = small_claims();
  claims["claims"][0].erase("columns");
  claims["claims"][0].erase("columns_why");
  claims["claims"][0]["direction"] = {{"kind", "untestable"}, {"reason", "It needs eight GPUs."}};
  const JudgedTest judged_claim = judged(claims);
  EXPECT_EQ(judged_claim.verdict, not_testable);
  EXPECT_EQ(why_not_text(judged_claim), "It needs eight GPUs.");
}

TEST_F(Claims, AreAlsoPutToThePapersOwnNumbers) {
  measure("serial", {4, 4, 4, 4});
  measure("serial_tuned", {2, 2, 2, 2});
  const JudgedTest judged = judged_by(test_of("within", a_over_b, {"64"}, {{"at_most", 1.5}}));
  EXPECT_EQ(judged.verdict, fails);
  ASSERT_TRUE(judged.printed);
  EXPECT_EQ(judged.printed->holds, true);
  EXPECT_EQ(evidence_text(*judged.printed, *judged.test), "1.00 at 64");
  const JudgedTest near = judged_by(test_of("within", a_over_b, {"64"}, {{"at_most", 1}}));
  ASSERT_TRUE(near.printed);
  EXPECT_EQ(evidence_text(*near.printed, *near.test), "1.00 (0.778 to 1.29) at 64")
      << "4 over 4 is all that rounds to it";
  EXPECT_FALSE(judged_by(test_of("within", a_over_b, {"16"}, {{"at_most", 1}})).printed)
      << "B is not printed there";
}

TEST_F(Claims, ArePutToWhatThePaperMeasuredAlone) {
  const json test = test_of("within", "A", {"64"}, {{"at_least", 3.5}, {"at_most", 4.5}});
  const JudgedTest measured = judged_by(test);
  ASSERT_TRUE(measured.printed);
  EXPECT_EQ(measured.printed->holds, true) << "3.5 to 4.5 rounds to 4, but for the very ends";
  EXPECT_FALSE(judged_by(test_of("within", "A", {"64"}, {{"at_least", 3.6}})).printed->holds);
  const json ratio = test_of("within", {{"row", "A to B"}}, {"64"}, {{"at_least", 0.1}});
  EXPECT_TRUE(judged_by(ratio).printed);
  definition_["rows"][0]["published_by"] = "extrapolation";
  EXPECT_FALSE(judged_by(test).printed);
  EXPECT_FALSE(judged_by(ratio).printed) << "a ratio to an extrapolation is one";
  definition_["rows"][0].erase("published_by");
  definition_["rows"][0]["published"][2] = "4†";
  EXPECT_FALSE(judged_by(test).printed);
}

TEST_F(Claims, CountInAllColumnsWhereThePaperPrintsTheirSubject) {
  json claims = small_claims();
  json& claim = claims["claims"][0];
  for (const char* field : {"columns", "columns_why"}) claim.erase(field);
  const auto columns_with = [&](const json& of) {
    claim["of"] = of;
    return judged(claims).test->columns;
  };
  EXPECT_THAT(columns_with("A"), ElementsAre("16", "32", "64", "128", "1,024"));
  EXPECT_THAT(columns_with(a_over_b), ElementsAre("32", "64", "128", "1,024"))
      << "B is not printed at 16";
  EXPECT_THAT(columns_with({{"row", "B"}, {"figure", "V_last"}}),
              ElementsAre("32", "64", "128", "1,024"))
      << "the row is printed there, whatever number of it is asked for";
  EXPECT_THAT(columns_with("C"), ElementsAre("16", "32", "64", "128", "1,024"))
      << "one of ours is printed nowhere";
  definition_["rows"][2]["published"] = {nullptr, nullptr, nullptr, nullptr, nullptr};
  EXPECT_THAT(columns_with("A to B"), ElementsAre("32", "64", "128", "1,024"))
      << "both of what it is of";
}

/// A letter a reading, the first one as published.
TEST(Verdicts, FollowTheirTable) {
  std::istringstream lines(R"(T: holds
TT: holds
T-: undecided
-T: undecided
-TT: undecided
F: does not hold
FF: does not hold
F-: undecided
-F: undecided
TF: depends on the baseline
FT: depends on the baseline
TFU: depends on the baseline
FT-: depends on the baseline
-TF: undecided
U: undecided
TU: undecided
UF: undecided
-: not testable here
--: not testable here)");
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':');
    std::vector<Decision> decisions;
    for (const char letter : line.substr(0, colon)) {
      decisions.push_back(static_cast<Decision>(std::string("TFU-").find(letter)));
    }
    EXPECT_EQ(to_string(verdict_on(decisions)), line.substr(colon + 2)) << line;
  }
  EXPECT_EQ(verdict_on({}), not_testable);
}

/// What is wrong with a file of claims.
std::string complaint(const std::string& claims) {
  const OneDefinition one(claims_definition());
  write_file(one.folder.path() / "paper/claims.json", claims);
  return complaint_of([&] { return read_claims(one.folder.path(), {}, *one.all); });
}

TEST(BadClaims, AreNamedWithTheirFileTheirPointerAndTheNearest) {
  expect_complaints(
      "paper/claims.json", small_claims(),
      [](const json& claims) { return complaint(claims.dump()); }, R"(
/schema 4 => : schema 4 comes from a later version of macrobench; this one reads 3
/paper "papers" => : it says papers, and its place says paper
/claims 3 => : it must be an array
/claims/0 "it is faster" => : it must be an object
/claims/0 {"quote": null} => : it needs the field 'quote' with the paper's words, or else
 "reading": "ours"
/claims/0 {"reading": "ours"} => : it needs the field 'quote' with the paper's words, or else
 "reading": "ours"
/claims/0 {"kind": "fad"} => /kind: unknown kind 'fad'; the nearest is 'law' (all of them: law,
 fact, erratum, vacuous)
/claims/0 {"says": null} => : the field 'says' is missing
/claims/0/direction {"reason": ""} => /reason: it must say something
/claims/0 {"reason": "So it is."} => /reason: only of a vacuous claim: the direction and the size
 have their own
/claims/0 {"kind": "vacuous"} => : the field 'reason' is missing
/claims/0 {"direction": null} => : it needs the field 'direction' or the field 'size'
/claims/0 {"size": {"kind": "within", "at_least": 450, "reason": "Roughly 500."}} => /size: a size
 has two bounds, or the field 'one_sided' with the paper's words for one
/claims/0 {"size": {"kind": "within", "at_least": 4, "at_most": 5, "reason": "4.", "one_sided":
 {"words": "more than", "where": "p. 1"}}} => /size/one_sided: the range has two sides
/claims/0 {"size": {"kind": "within", "at_most": 126, "reason": "Up to 126.", "one_sided":
 {"words": "up to 126", "where": "p. 1"}}} => /size: a size that is only at most so large needs
 'at_least' too
/claims/0 {"size": {"kind": "rising", "reason": "It rises."}} => /size/kind: a size is in a range
/claims/0 {"cores": 0.5} => /cores: it must be a whole number from 1 to a million
/claims/0 {"of": null} => : the field 'of' is missing
/claims/0/of ["A"] => : a list must hold two quantities or more
/claims/0/of ["A", "B"] => : only tests of kind rising or falling take a list
/claims/0/of 3 => : it must be an object
/claims/0 {"of": {"numerator": null, "baseline": null, "row": "A to B", "figure": "V"}} => /of: the
 row 'A to B' is not one that runs anything
/claims/0 {"of": {"numerator": null, "baseline": null, "row": "A", "figure": "V_lost"}} =>
 /of/figure: unknown figure of rbc 'V_lost'; the nearest is 'V_last' (all of them: V_first, V_last,
 economies, economies_in_full, euler_error_max, euler_error_mean, policy_distance,
 policy_loss_share, residual_share, states, value_error, worst_economy)
/claims/0/direction {"at_least": null} => : a range needs the field 'at_least' or the field
 'at_most'
/claims/0/direction {"at_most": 0.5} => : 'at_least' is above 'at_most'
/claims/0/direction {"at_least": "one"} => /at_least: it must be a number
/claims/0 {"columns": []} => /columns: it must name a column
/claims/0 {"columns_why": null} => /columns: it needs the field 'columns_why' with the paper's words
 that limit it; without such words leave it out, and all columns count
/claims/0 {"columns_why": ""} => /columns_why: it must say something
/claims/0 {"columns": ["32", "64", "128", "1,024"]} => /columns: it lists all columns that count
 anyway; leave it out
/claims/0 {"columns": null} => /columns_why: it goes with the field 'columns'
/claims/0 {"quote": null, "reading": "ours"} => /columns_why: it must be words of the field 'says'
/claims/0 {"columns": "all"} => /columns: it must be an array
/claims/0 {"need": 2} => /need: there are 1 columns
/claims/0 {"need": -1} => /need: it must be a whole number from 1 to a million
/claims/0/direction {"kind": "rising", "at_least": null, "slack": -1} => /slack: it must not be
 negative
/claims/0/direction {"kind": "rising", "at_least": null, "times": 0.5} => /times: it must not be
 below one
/claims/0/direction {"kind": "growth", "over": "nz"} => /over: 'nz' is neither "work" nor an axis
 of column '16'
/claims/0 {"like_for_like": [], "direction": {"at_least": null, "kind": "untestable"}} =>
 /like_for_like: nothing of a table is tested
/claims/0 {"sayz": "x"} => : unknown field 'sayz'; the nearest is 'says'...
/claims/0 {"table": "paper/tabel"} => /table: unknown table 'paper/tabel'; the nearest is
 'paper/table'...
/claims/0/direction {"kind": "raising"} => /kind: unknown kind of test 'raising'; the nearest is
 'rising'...
/claims/0/direction {"slack": 1} => : unknown field 'slack'...
/claims/0 {"columns": ["65"]} => /columns/0: unknown column '65'; the nearest is '64'...
/claims/0/of {"baseline": "b"} => /baseline: unknown row 'b'; the nearest is...
/claims/0/of {"baseline": {"row": "C", "group": "Beyond the papers"}} => /baseline/group: unknown
 group 'Beyond the papers'; the nearest is 'Beyond the paper'...
/claims/0/of {"numerator": null, "baseline": null, "row": "A", "quantity": "iteration"} =>
 /quantity: unknown quantity 'iteration'; the nearest is 'iterations'...
)");
  json twice = small_claims();
  twice["claims"].push_back(twice["claims"][0]);
  EXPECT_THAT(
      complaint(twice.dump()),
      EndsWith("paper/claims.json at /claims/1/claim: there is another claim 'a_is_slower'"));
}

TEST(BadClaims, ThatAreNoJsonAreNamed) {
  for (const auto& [text, says] : std::vector<std::pair<std::string, std::string>>{
           {"{\n\"schema\": 1,\n oops\n}\n", "it is not JSON from line 3 on"},
           {"", "it is not JSON from line 1 on"},
           {R"({"schema": 1e999})", "a number in it is too large"},
           {"[]", " at /: it must be an object"}}) {
    EXPECT_THAT(complaint(text), EndsWith(says));
  }
}

TEST(BadClaims, AFolderWithoutAnyIsAnError) {
  const OneDefinition one(claims_definition());
  EXPECT_THROW(read_claims(one.folder.path(), {}, *one.all), UsageError);
}

/// The claims that come with the project.
class PublishedClaims : public OfTheFixture {
 protected:
  std::vector<JudgedPaper> judged() { return judge_claims(papers_, all_, lookup_, machine_); }
  ClaimReport new_report() { return {"machine", "a machine", judged()}; }

  std::vector<PaperClaims> papers_ = read_claims(definitions_folder(), {}, all_);
};

TEST_F(PublishedClaims, HaveEveryKindOfTestAndManyBaselines) {
  std::set<TestKind> kinds;
  std::size_t readings = 0;
  for (const PaperClaims& paper : papers_) {
    EXPECT_FALSE(paper.claims.empty()) << paper.paper;
    for (const Claim& claim : paper.claims) {
      readings += claim.readings.size() > 1 ? 1 : 0;
      EXPECT_THAT(claim.says, EndsWith(".")) << claim.name;
      EXPECT_EQ(claim.kind == ClaimKind::vacuous, claim.reason.ends_with(".")) << claim.name;
      EXPECT_LE(words_of(claim.quote).size(), 25U) << claim.name;
      for (const auto& test : {claim.direction, claim.size}) {
        if (!test) continue;
        kinds.insert(test->kind);
        EXPECT_THAT(test->reason, EndsWith(".")) << claim.name;
      }
      // A direction that says of a size only who is ahead is no reading of the sentence.
      if (!claim.size || !claim.direction) continue;
      const Range& range = claim.direction->range;
      EXPECT_FALSE(range.at_least == 1. || range.at_most == 1.) << claim.name;
    }
  }
  EXPECT_EQ(kinds.size(), test_descriptions().size());
  EXPECT_GE(readings, 20U);
}

/// A sentence that its own table fails is an erratum; the tests of all others pass their tables.
TEST_F(PublishedClaims, CountNoneThatItsOwnTableFails) {
  int holding = 0;
  std::vector<std::string> errata;
  for (const JudgedPaper& paper : judged()) {
    for (const JudgedClaim& judged : paper.claims) {
      for (const auto& test : {judged.direction, judged.size}) {
        if (!test || !test->printed) continue;
        const bool is_erratum = judged.claim->kind == ClaimKind::erratum;
        EXPECT_EQ(test->printed->holds == false, is_erratum) << judged.claim->name;
        if (is_erratum) errata.push_back(judged.claim->name);
        holding += test->printed->holds == true ? 1 : 0;
      }
    }
  }
  EXPECT_THAT(errata, ::testing::IsSupersetOf({"gpu_time_linear", "cpu_time_exponential",
                                               "howard_gain_3", "threads_far_from_linear"}));
  EXPECT_GE(holding, 50);
}

/// A seed's text, or what is quoted of it, as one line: without the breaks, hyphens at line ends,
/// marks of footnotes and letters that were lost in ligatures which the file has and the page not.
std::string normal(std::string text) {
  for (const auto& [from, to] : std::vector<std::pair<const char*, const char*>>{{"</?[a-z]+>", ""},
                                                                                 {"\xC2\xA0", " "},
                                                                                 {"-\\s*\n", ""},
                                                                                 {"¢ ", "ffi"},
                                                                                 {"¤", "ff"},
                                                                                 {"…", "fi"},
                                                                                 {"\\s+", " "}}) {
    text = std::regex_replace(text, std::regex(from), to);
  }
  return text;
}

/// The papers themselves are not part of the project; where they are at hand, every quote is in its
/// own.
TEST_F(PublishedClaims, QuoteThePapersWordForWord) {
  const auto folder = source_dir().parent_path() / "shared/seeds";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "the papers' texts are not here";
  const std::map<std::string, std::string> numbers{{"aldrich_vfi_page", "000"},
                                                   {"oswald_tutorial", "001"},
                                                   {"hatcher_scheffel_2014", "002"},
                                                   {"aldrich_2010", "003"},
                                                   {"aldrich_2014", "004"}};
  std::size_t at_hand = 0;
  for (const PaperClaims& paper : papers_) {
    std::string text;
    const auto number = numbers.find(paper.paper);
    if (number == numbers.end()) {  // no seed; its quoted sentences were transcribed
      text =
          normal(content_of(folder.parent_path() / "published/papers" / (paper.paper + ".json")));
    } else {
      for (const auto& file : std::filesystem::directory_iterator(folder)) {
        if (file.path().filename().string().starts_with(number->second)) {
          text = normal(content_of(file.path()));
        }
      }
    }
    if (text.empty()) continue;
    ++at_hand;
    for (const Claim& claim : paper.claims) {
      EXPECT_THAT(text, HasSubstr(normal(claim.quote))) << claim.name;
      for (const auto& test : {claim.direction, claim.size}) {
        if (!test || claim.is_ours()) continue;
        EXPECT_THAT(text, HasSubstr(normal(test->columns_why))) << claim.name;
      }
      if (!claim.size || !claim.size->one_sided) continue;
      EXPECT_THAT(text, HasSubstr(normal(claim.size->one_sided->words))) << claim.name;
    }
  }
  EXPECT_GT(at_hand, numbers.size()) << "these, and one that was transcribed";
}

/// The quotations in a text, between “ and ”.
std::vector<std::string> quoted_in(const std::string& text) {
  static const std::regex form("“(.*?)”");
  return {std::sregex_token_iterator(text.begin(), text.end(), form, 1),
          std::sregex_token_iterator()};
}

/// The errata's quotations, by paper.
std::multimap<std::string, std::string> quotations_of_errata() {
  std::multimap<std::string, std::string> quotations;
  const auto add = [&](const json& erratum, const json& paper) {
    for (const char* field : {"printed", "what"}) {
      if (!erratum.contains(field) || !erratum[field].is_string()) continue;
      for (std::string& one : quoted_in(erratum[field].get<std::string>())) {
        quotations.emplace(paper.get<std::string>(), std::move(one));
      }
    }
  };
  for (const auto& [file, list] :
       {std::pair{"errata_by_reading.json", "errata"}, std::pair{"errata_rules.json", "rules"}}) {
    const json all = json::parse(content_of(definitions_folder() / file));
    for (const json& erratum : all[list]) {
      if (!erratum.contains("paper")) continue;
      add(erratum, erratum["paper"]);
      if (erratum.contains("also")) add(erratum, erratum["also"]["paper"]);
    }
  }
  return quotations;
}

/// A sentence is not wrong on one page and tested on another.
TEST_F(PublishedClaims, AreErrataIfTheErrataQuoteThem) {
  const std::multimap<std::string, std::string> errata = quotations_of_errata();
  std::set<std::string> wrong;  // quotes of claims that are errata
  for (const bool is_erratum : {true, false}) {
    for (const PaperClaims& paper : papers_) {
      const auto [first, last] = errata.equal_range(paper.paper);
      for (const Claim& claim : paper.claims) {
        if (claim.is_ours() || (claim.kind == ClaimKind::erratum) != is_erratum) continue;
        if (is_erratum) wrong.insert(claim.quote);
        if (!is_erratum && wrong.contains(claim.quote)) continue;  // of another number in it
        const std::string quote = normal(claim.quote);
        const bool is_quoted = std::any_of(first, last, [&](const auto& erratum) {
          const std::string text = normal(erratum.second);
          return quote.find(text) != std::string::npos || text.find(quote) != std::string::npos;
        });
        EXPECT_EQ(is_quoted, is_erratum) << claim.name;
      }
    }
  }
}

/// What a referee found wrong, by value, on each reference machine.
TEST_F(PublishedClaims, AreDecidedOnTheReferenceMachinesBySureEvidenceAlone) {
  std::map<std::string, std::set<std::string>> verdicts;  // by claim
  for (const auto& folder : machine_folders_in(source_dir() / "results/reference")) {
    const MachineResults its = read_machine_results(folder.string());
    for (const JudgedPaper& paper :
         judge_claims(papers_, all_, lookup_in(its.results), its.machine)) {
      for (const JudgedClaim& judged : paper.claims) {
        verdicts[judged.claim->name].insert(verdict_of(judged));
        for (const auto& test : {judged.direction, judged.size}) {
          if (!test) continue;
          const bool is_sure = test->verdict == holds || test->verdict == fails;
          for (const Answer& answer : test->answers) {
            const Decision wanted = test->verdict == holds ? Decision::holds : Decision::fails;
            EXPECT_TRUE(!is_sure || answer.decision() == wanted) << judged.claim->name;
            EXPECT_TRUE(std::ranges::none_of(answer.figures, [](const SeriesPoint& point) {
              return point.cell.kind == Kind::extrapolated;
            })) << judged.claim->name;
          }
        }
      }
    }
  }
  const auto none_of = [&](const char* claim, const char* verdict) {
    EXPECT_THAT(verdicts.at(claim), Not(Contains(HasSubstr(verdict)))) << claim;
  };
  none_of("single_core_thrust_125", "size holds");
  none_of("startup_is_fixed", "does not hold");
  none_of("unconverged_runs_have_the_largest_errors", " holds");
  EXPECT_THAT(verdicts.at("howard_gain_3"), ElementsAre("an erratum of the paper"));
  EXPECT_THAT(verdicts.at("binary_search_500"), Not(Contains(HasSubstr("direction"))));
}

TEST_F(PublishedClaims, TheFixturesRestOnTheirFigures) {
  const std::vector<JudgedPaper> papers = judged();
  std::set<ClaimVerdict> verdicts;
  for (const JudgedPaper& paper : papers) {
    for (const JudgedClaim& judged : paper.claims) {
      for (const auto& test : {judged.direction, judged.size}) {
        if (!test) continue;
        verdicts.insert(test->verdict);
        EXPECT_EQ(test->verdict == not_testable || test->verdict == ClaimVerdict::undecided,
                  !why_not_text(*test).empty())
            << judged.claim->name;
        for (const Answer& answer : test->answers) {
          EXPECT_FALSE(answer.evidence.empty()) << judged.claim->name;
          EXPECT_FALSE(answer.holds && answer.figures.empty()) << judged.claim->name;
          EXPECT_FALSE(answer.holds && answer.is_within_noise) << judged.claim->name;
        }
      }
    }
  }
  EXPECT_GE(verdicts.size(), 3U);
  std::size_t claims = 0;
  int counted = 0;
  for (const PaperClaims& paper : papers_) claims += paper.claims.size();
  for (const bool ours : {false, true}) counted += count_verdicts(papers, ours).claims;
  EXPECT_EQ(static_cast<std::size_t>(counted), claims);
}

/// Two papers' first claims of each verdict and of each kind of test.
std::vector<JudgedPaper> telling(std::vector<JudgedPaper> papers) {
  std::erase_if(papers, [](const JudgedPaper& paper) {
    return paper.paper->paper != "aldrich_2010" && paper.paper->paper != "aldrich_2014";
  });
  std::set<ClaimVerdict> verdicts;
  std::set<TestKind> kinds;
  for (JudgedPaper& paper : papers) {
    std::erase_if(paper.claims, [&](const JudgedClaim& judged) {
      bool is_new = false;
      for (const auto& test : {judged.direction, judged.size}) {
        if (!test) continue;
        is_new = verdicts.insert(test->verdict).second || is_new;
        is_new = kinds.insert(test->test->kind).second || is_new;
      }
      return !is_new;
    });
  }
  return papers;
}

TEST_F(PublishedClaims, GoldenIsAsBefore) {
  const ClaimReport report{"machine", "a machine", telling(judged())};
  expect_golden(source_dir() / "tests/paper_tables/golden/claims.md",
                to_markdown(document_of(report)));
}

TEST_F(PublishedClaims, DataChangeWithWhateverChanges) {
  const ClaimReport report = new_report();
  const auto is_decided = [](const JudgedClaim& claim) {
    return claim.direction && claim.direction->printed &&
           !claim.direction->answers[0].figures.empty();
  };
  const auto its = std::ranges::find_if(report.papers[0].claims, is_decided);
  ASSERT_NE(its, report.papers[0].claims.end());
  using Change = std::function<void(JudgedTest&)>;
  for (const auto& [what, change] : std::vector<std::pair<const char*, Change>>{
           {"a verdict", [](auto& it) { it.verdict = ClaimVerdict::not_testable; }},
           {"a figure", [](auto& it) { it.answers[0].figures[0].value *= 1.001; }},
           {"an interval", [](auto& it) { it.answers[0].figures[0].interval.high *= 2; }},
           {"a unit", [](auto& it) { it.answers[0].figures[0].cell.unit = "J"; }},
           {"a column", [](auto& it) { it.answers[0].figures[0].column = "17"; }},
           {"a row", [](auto& it) { it.answers[0].figures[0].of = "GPU"; }},
           {"a reason", [](auto& it) { it.answers[0].figures[0].why = "extrapolated"; }},
           {"a baseline", [](auto& it) { it.answers[0].called = "as published, nearly"; }},
           {"a result", [](auto& it) { it.answers[0].holds = {}; }},
           {"noise", [](auto& it) { it.answers[0].is_within_noise = true; }},
           {"evidence", [](auto& it) { it.answers[0].evidence = {"nothing"}; }},
           {"a reading", [](auto& it) { it.answers.pop_back(); }},
           {"a printed figure", [](auto& it) { it.printed->figures[0].value *= 1.001; }},
           {"nothing printed", [](auto& it) { it.printed = {}; }}}) {
    ClaimReport changed = report;
    const auto place = static_cast<std::size_t>(its - report.papers[0].claims.begin());
    change(*changed.papers[0].claims[place].direction);
    EXPECT_NE(all_data_of(changed), all_data_of(report)) << what;
  }
}

TEST_F(PublishedClaims, DataHaveTheWordsOfTheirFile) {
  const ClaimReport report = new_report();
  std::map<std::pair<std::string, std::string>, json> parts;  // by paper and claim
  for (const json& row : rows_of(sheets_of(report), "claims")) {
    parts[{row["paper"], row["claim"]}].push_back(row);
  }
  std::size_t claims = 0;
  for (const PaperClaims& paper : papers_) {
    const json file = json::parse(content_of(definitions_folder() / paper.paper / "claims.json"));
    for (const json& claim : file["claims"]) {
      ++claims;
      const json& rows = parts[{paper.paper, claim["claim"]}];
      const std::size_t tests = claim.count("direction") + claim.count("size");
      ASSERT_EQ(rows.size(), std::max<std::size_t>(tests, 1)) << claim["claim"];
      for (const char* field : {"where", "quote", "says", "quantity"}) {
        EXPECT_EQ(rows[0][field], claim.value(field, json())) << claim["claim"];
      }
    }
  }
  EXPECT_EQ(parts.size(), claims);
}

TEST_F(PublishedClaims, TextKeepsToTheTerminalsWidth) {
  const ClaimReport report = new_report();
  for (const std::size_t width : {80U, 120U}) {
    std::istringstream lines(to_text(document_of(report), width));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), width);
  }
  EXPECT_NO_THROW(to_text(document_of(report), 1));
}

TEST_F(PublishedClaims, HostileTextIsNoMarkup) {
  std::vector<PaperClaims> papers{{"a|b", "<b>Bold</b>", {papers_[0].claims[0]}}};
  papers[0].claims[0].says = "<script>alert(1)</script> | *x* _y_\n# A heading";
  const ClaimReport report{"machine", "<i>|machine",
                           judge_claims(papers, all_, lookup_, machine_of(1, false))};
  const std::string text = to_markdown(document_of(report));
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
    EXPECT_EQ(text[at - 1], '\\') << text.substr(at, 20);
  }
  EXPECT_THAT(text, Not(HasSubstr("\n# A heading")));
}

TEST(ReadClaims, AnUnknownPaperHasTheNearestName) {
  Definitions all(definitions_folder());
  EXPECT_THAT(
      complaint_of([&] { return read_claims(definitions_folder(), {"aldrich_2011"}, all); }),
      HasSubstr("unknown paper 'aldrich_2011'; the nearest is 'aldrich_201"));
  EXPECT_EQ(read_claims(definitions_folder(), {"aldrich_2014"}, all).size(), 1U);
  EXPECT_THAT(complaint_of([&] { read_claims(definitions_folder(), {"cheela_2024"}, all); }),
              HasSubstr("cheela_2024: the paper has tables and no claims (claims.json)"));
}

}  // namespace
}  // namespace macrobench
