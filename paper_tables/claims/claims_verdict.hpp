#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/text/document.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/lookup.hpp"
#include "paper_tables/claims/claims.hpp"
#include "paper_tables/floors/scaling.hpp"

namespace macrobench {

/// In the order in which they are counted and shown.
enum class ClaimVerdict {
  reproduced,
  contradicted,
  depends_on_the_baseline,
  undecided,  ///< a bound is within the noise
  fact,       ///< about the authors' own machine, which no other can contradict
  not_testable
};

/// "reproduced", "contradicted", "depends on the baseline", "undecided", "a fact of their machine",
/// "not testable here".
std::string to_string(ClaimVerdict verdict);

/// The result of a claim in one of its readings.
struct Answer {
  std::string called;                     ///< the reading
  std::optional<bool> holds = {};         ///< none if it cannot be decided
  bool is_within_noise = false;           ///< because a bound is within the numbers' intervals
  Evidence evidence = {};                 ///< what it rests on, or why it cannot be decided
  std::vector<SeriesPoint> figures = {};  ///< the numbers that were tested
  std::string drift = {};                 ///< what their records do not share, as drift_of() says
};

/// A claim and its verdict. Measured and computed cells are evidence; invalid and missing ones are
/// not, nor are extrapolated ones, unless the claim admits them and their reach is small enough.
struct JudgedClaim {
  const Claim* claim = nullptr;
  /// The first reading decides whether the claim is reproduced or contradicted; if another reading
  /// that can be tested has another result, it depends on the baseline.
  ClaimVerdict verdict = ClaimVerdict::not_testable;
  bool is_by_model = false;  ///< it rests on what a model says of more GPUs than were measured
  std::vector<Answer> answers = {};  ///< one per reading
  /// The same test of the paper's own printed numbers; none if it does not print them.
  std::optional<Answer> printed = {};
  /// Of several machines: the one whose evidence this is, and what the others' comes to.
  std::string machine = {};
  std::vector<std::pair<std::string, ClaimVerdict>> others = {};
};

struct JudgedPaper {
  const PaperClaims* paper = nullptr;
  std::vector<JudgedClaim> claims;
};

/// The papers' claims and the verdicts on them on a machine.
struct ClaimReport {
  static constexpr int schema = 1;

  std::string machine;       ///< the name of its folder of results; of several, all names
  std::string machine_text;  ///< the same for a reader
  std::vector<JudgedPaper> papers;
};

/// The reports of several machines on the same claims as one: each claim with the verdict of the
/// machine with the best evidence, which is the one that decides it, or else has the most numbers;
/// measured ones count for more than extrapolated ones. There must be at least one report.
ClaimReport best_of(const std::vector<ClaimReport>& reports);

/// "contradicted", "contradicted, by a model".
std::string verdict_of(const JudgedClaim& judged);

/// Refers to the claims. `machine` is the one whose records `lookup` finds, and `scaling` is what
/// they say of several GPUs.
std::vector<JudgedPaper> judge_claims(const std::vector<PaperClaims>& papers, Definitions& all,
                                      const Lookup& lookup, const Machine& machine,
                                      const Scaling& scaling = {});

/// The number of claims with each verdict.
using VerdictCounts = std::array<int, 6>;
/// Of the papers' own claims, or of our readings.
VerdictCounts count_verdicts(const std::vector<JudgedPaper>& papers, bool ours = false);
/// "20 reproduced, 9 contradicted, ...".
std::string counted(const VerdictCounts& counts);

/// The answer's evidence: "1.50 at 32, 2.00 at 64", "A at 64: invalid: not converged".
std::string evidence_text(const Answer& answer, const ClaimTest& test);
/// Why it is not testable here; empty if it is.
std::string why_not_text(const JudgedClaim& judged);

/// The report as JSON, schema 1: machine, counts (our readings apart), and the claims with their
/// evidence.
nlohmann::ordered_json to_json(const ClaimReport& report);
/// One row per claim.
std::string to_csv(const ClaimReport& report);
/// The verdicts and what they rest on, by paper; the summary counts them.
Document document_of(const ClaimReport& report);

}  // namespace macrobench
