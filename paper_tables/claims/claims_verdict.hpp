#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/text/document.hpp"
#include "paper_tables/claims/claims.hpp"
#include "paper_tables/definitions/definitions.hpp"
#include "paper_tables/definitions/lookup.hpp"

namespace macrobench {

/// In the order in which they are counted and shown.
enum class ClaimVerdict { reproduced, contradicted, depends_on_the_baseline, not_testable };

/// "reproduced", "contradicted", "depends on the baseline", "not testable here".
std::string to_string(ClaimVerdict verdict);

/// The result of a claim in one of its readings.
struct Answer {
  std::string called;                     ///< the reading
  std::optional<bool> holds = {};         ///< none if it cannot be decided
  Evidence evidence = {};                 ///< what it rests on, or why it cannot be decided
  std::vector<SeriesPoint> figures = {};  ///< the numbers that were tested
};

/// A claim and its verdict. Measured and computed cells are evidence; extrapolated, invalid and
/// missing ones are not.
struct JudgedClaim {
  const Claim* claim = nullptr;
  /// The first reading decides whether the claim is reproduced or contradicted; if another reading
  /// that can be tested has another result, it depends on the baseline.
  ClaimVerdict verdict = ClaimVerdict::not_testable;
  std::vector<Answer> answers = {};  ///< one per reading
  /// The same test of the paper's own printed numbers; none if it does not print them.
  std::optional<Answer> printed = {};
};

struct JudgedPaper {
  const PaperClaims* paper = nullptr;
  std::vector<JudgedClaim> claims;
};

/// The papers' claims and the verdicts on them on a machine.
struct ClaimReport {
  static constexpr int schema = 1;

  std::string machine;       ///< the name of its folder of results
  std::string machine_text;  ///< the same for a reader
  std::vector<JudgedPaper> papers;
};

/// Refers to the claims. `machine` is the one whose records `lookup` finds.
std::vector<JudgedPaper> judge_claims(const std::vector<PaperClaims>& papers, Definitions& all,
                                      const Lookup& lookup, const Machine& machine);

/// The number of claims with each verdict.
using VerdictCounts = std::array<int, 4>;
VerdictCounts count_verdicts(const std::vector<JudgedPaper>& papers);
/// "20 reproduced, 9 contradicted, ...".
std::string counted(const VerdictCounts& counts);

/// The answer's evidence: "1.50 at 32, 2.00 at 64", "A at 64: invalid: not converged".
std::string evidence_text(const Answer& answer, const ClaimTest& test);
/// Why it is not testable here; empty if it is.
std::string why_not_text(const JudgedClaim& judged);

/// The report as JSON, schema 1: machine, counts, and the claims with their evidence.
nlohmann::ordered_json to_json(const ClaimReport& report);
/// One row per claim.
std::string to_csv(const ClaimReport& report);
/// The verdicts and what they rest on, by paper; the summary counts them.
Document document_of(const ClaimReport& report);

}  // namespace macrobench
