#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "paper_tables/claims/claims.hpp"
#include "paper_tables/definitions/definitions.hpp"
#include "paper_tables/definitions/lookup.hpp"
#include "paper_tables/tables/table.hpp"

namespace macrobench {

enum class ClaimVerdict { reproduced, contradicted, depends_on_the_baseline, not_testable };

/// "reproduced", "contradicted", "depends on the baseline", "not testable here".
std::string to_string(ClaimVerdict verdict);

/// A number on which an answer is based.
struct ClaimFigure {
  std::string of;
  std::string column;
  double value = 0;
};

/// The result of a claim in one of its readings.
struct Answer {
  std::string called;         ///< the reading
  std::optional<bool> holds;  ///< none if it cannot be decided
  std::string found;          ///< the evidence, or why it cannot be decided
  std::vector<ClaimFigure> figures;
};

/// A claim and its verdict.
struct JudgedClaim {
  const Claim* claim = nullptr;
  ClaimVerdict verdict = ClaimVerdict::not_testable;
  std::string why_not;          ///< why it is not testable here
  std::vector<Answer> answers;  ///< one per reading
  /// The same test of the paper's own printed numbers; none if it does not print them.
  std::optional<Answer> printed;
};

/// The cells of a row, one per column of its table.
using CellsOf = std::function<std::vector<Cell>(const ClaimRow&)>;

/// This machine's cells.
CellsOf measured_cells(Definitions& all, const Lookup& lookup, const Machine& machine);
/// The paper's own, as printed; a ratio that is not printed is computed from its printed parts.
CellsOf printed_cells(Definitions& all);

/// Tests a reading. Measured and computed cells are evidence; extrapolated, invalid and
/// missing ones are not.
Answer answer(const ClaimTest& test, const Reading& reading, const CellsOf& cells);

/// The first reading decides whether the claim is reproduced or contradicted; if another reading
/// that can be tested has another result, it depends on the baseline. `cores` are the machine's.
JudgedClaim judge(const Claim& claim, const CellsOf& measured, const CellsOf& printed, int cores);

}  // namespace macrobench
