#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "harness/text/document.hpp"
#include "paper_tables/claims/claims_verdict.hpp"
#include "paper_tables/definitions/definitions.hpp"

namespace macrobench {

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

/// In the order in which they are counted and shown.
inline constexpr std::array<ClaimVerdict, 4> claim_verdicts{
    ClaimVerdict::reproduced, ClaimVerdict::contradicted, ClaimVerdict::depends_on_the_baseline,
    ClaimVerdict::not_testable};

/// The number of claims with each verdict, in the order of `claim_verdicts`.
std::array<int, 4> count_verdicts(const std::vector<JudgedPaper>& papers);

/// "20 reproduced, 9 contradicted, ...", of counts in the order of `claim_verdicts`.
std::string counted(const std::array<int, 4>& counts);

/// The report as JSON, schema 1: machine, counts, and the claims with their evidence.
nlohmann::ordered_json to_json(const ClaimReport& report);
/// One row per claim.
std::string to_csv(const ClaimReport& report);
/// The verdicts and what they rest on, by paper; the summary counts them.
Document document_of(const ClaimReport& report);

}  // namespace macrobench
