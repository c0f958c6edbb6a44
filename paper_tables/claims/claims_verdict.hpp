#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "paper_tables/claims/claims.hpp"
#include "paper_tables/definitions/lookup.hpp"
#include "paper_tables/tables/table.hpp"

namespace macrobench {

enum class ClaimVerdict { reproduced, contradicted, depends_on_the_baseline, not_testable };

/// "reproduced", "contradicted", "depends on the baseline", "not testable here".
std::string to_string(ClaimVerdict verdict);

/// A number that an answer rests on.
struct ClaimFigure {
  std::string of;
  std::string column;
  double value = 0;
};

/// What a claim comes to in one of its readings.
struct Answer {
  std::string called;         ///< the reading
  std::optional<bool> holds;  ///< none where there is no telling
  std::string found;          ///< what there is, or why there is no telling
  std::vector<ClaimFigure> figures;
};

/// A claim and what became of it.
struct JudgedClaim {
  const Claim* claim = nullptr;
  ClaimVerdict verdict = ClaimVerdict::not_testable;
  std::string why_not;          ///< of what is not testable here
  std::vector<Answer> answers;  ///< one a reading
  /// The same test of the paper's own printed numbers; none where it prints them not.
  std::optional<Answer> printed;
};

/// The cells of a row, one a column of its table.
using CellsOf = std::function<std::vector<Cell>(const ClaimRow&)>;

/// This machine's cells.
CellsOf measured_cells(Definitions& all, const Lookup& lookup, const Machine& machine);
/// The paper's own, as printed; a ratio that is not printed is of its printed parts.
CellsOf printed_cells(Definitions& all);

/// Puts a reading to the test. Measured and computed cells are evidence; extrapolated, invalid and
/// missing ones are not.
Answer answer(const ClaimTest& test, const Reading& reading, const CellsOf& cells);

/// The first reading decides whether the claim is reproduced or contradicted; where another that
/// can be tested comes out differently, it depends on the baseline. `cores` are the machine's.
JudgedClaim judge(const Claim& claim, const CellsOf& measured, const CellsOf& printed, int cores);

}  // namespace macrobench
