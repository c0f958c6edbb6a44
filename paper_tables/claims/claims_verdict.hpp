#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/tables/sheet.hpp"
#include "harness/text/document.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/lookup.hpp"
#include "paper_tables/claims/claims.hpp"

namespace macrobench {

/// On a direction or a size, in the order in which they are counted and shown.
enum class ClaimVerdict {
  holds,
  does_not_hold,
  depends_on_the_baseline,
  undecided,  ///< some reading is open or has no evidence, and not one holds while another fails
  not_testable,
  fact,     ///< as the claim's kind; likewise
  erratum,  ///< likewise
  vacuous   ///< likewise
};
inline constexpr std::size_t counted_verdicts = 5;  ///< those on laws, which are counted

/// "holds", "does not hold", "depends on the baseline", "undecided", "not testable here", "a fact
/// of their machine", "an erratum of the paper", "nothing to test".
std::string to_string(ClaimVerdict verdict);

/// A reading's result: T, F, U and -.
enum class Decision {
  holds,
  fails,
  open,   ///< there is evidence, but a bound is within its interval
  absent  ///< there is none
};
/// How often each decision is among those of the readings, in their order.
using DecisionCounts = std::array<int, 4>;
DecisionCounts count_decisions(const std::vector<Decision>& decisions);

/// The verdict on a law. The first decision is on the reading as published: without evidence for it
/// the others do not judge the paper.
ClaimVerdict verdict_on(const std::vector<Decision>& decisions);

/// The result of a claim in one of its readings.
struct Answer {
  std::string called;                     ///< the reading
  std::optional<bool> holds = {};         ///< none if it cannot be decided
  bool is_within_noise = false;           ///< because a bound is within the numbers' intervals
  Evidence evidence = {};                 ///< what it rests on, or why it cannot be decided
  std::vector<SeriesPoint> figures = {};  ///< the numbers that were tested

  [[nodiscard]] Decision decision() const;
};

/// A direction or a size and the verdict on it. Measured and computed cells are evidence; invalid,
/// missing and extrapolated ones are not, nor is the result of a run with a relaxed tolerance.
struct JudgedTest {
  const ClaimTest* test = nullptr;
  ClaimVerdict verdict = ClaimVerdict::not_testable;
  std::vector<Answer> answers = {};  ///< one per reading; none if nothing can test it
  /// The same test of the paper's own printed numbers; none if it does not print them.
  std::optional<Answer> printed = {};
};

/// The verdict on a claim that is not a law, whatever is measured.
ClaimVerdict verdict_by(ClaimKind kind);

/// By reading; empty if it is not about a law or nothing can test it.
std::vector<Decision> decisions_of(const JudgedTest& judged);

struct JudgedClaim {
  const Claim* claim = nullptr;
  std::optional<JudgedTest> direction = {};
  std::optional<JudgedTest> size = {};
};

struct JudgedPaper {
  const PaperClaims* paper = nullptr;
  std::vector<JudgedClaim> claims;
};

/// The papers' claims and the verdicts on them on a machine.
struct ClaimReport {
  std::string machine;       ///< the name of its folder of results
  std::string machine_text;  ///< the same for a reader
  std::vector<JudgedPaper> papers;
};

/// "direction holds, size does not hold"; "a fact of their machine".
std::string verdict_of(const JudgedClaim& judged);

/// Refers to the claims. `machine` is the one whose records `lookup` finds.
std::vector<JudgedPaper> judge_claims(const std::vector<PaperClaims>& papers, Definitions& all,
                                      const Lookup& lookup, const Machine& machine);

/// The number of tests with each verdict.
using VerdictCounts = std::array<int, counted_verdicts>;
int total(const VerdictCounts& counts);

struct ClaimCounts {
  VerdictCounts directions = {};
  VerdictCounts sizes = {};
  std::array<int, claim_kinds.size()> kinds = {};  ///< claims of each kind
  int claims = 0;

  [[nodiscard]] int of(ClaimKind kind) const { return kinds.at(static_cast<std::size_t>(kind)); }
};
/// Of the papers' own claims, or of our readings.
ClaimCounts count_verdicts(const std::vector<JudgedPaper>& papers, bool ours = false);
/// "of 40 directions 20 hold, 9 do not, ...; of 20 sizes 3 hold, ...".
std::string counted(const ClaimCounts& counts);

/// The answer's evidence: "1.50 at 32, 2.00 at 64", "A at 64: invalid: not converged".
std::string evidence_text(const Answer& answer, const ClaimTest& test);
/// Why it is not testable here, or undecided: "1 holds, 1 is open". Empty if neither.
std::string why_not_text(const JudgedTest& judged);

/// "counts": the number of tests with each verdict, a row for each paper's directions and sizes,
/// for all papers together, and for our readings.
Sheet sheet_of_counts(const std::vector<JudgedPaper>& papers);
/// "claims" (a row for each direction and size, and one for a claim that has neither), "answers" by
/// reading, the "figures" that they rest on, "counts" and "machine".
std::vector<Sheet> sheets_of(const ClaimReport& report);
/// The verdicts and what they rest on, by paper; the summary counts them.
Document document_of(const ClaimReport& report);

}  // namespace macrobench
