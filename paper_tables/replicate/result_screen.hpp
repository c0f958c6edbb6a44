#pragma once

#include <string>
#include <vector>

#include "harness/run/schedule.hpp"
#include "harness/tables/sheet.hpp"
#include "harness/text/document.hpp"
#include "paper_tables/cells/lookup.hpp"
#include "paper_tables/claims/claims_verdict.hpp"
#include "paper_tables/front/front.hpp"

namespace macrobench {

/// What a replication came to.
struct Replication {
  std::string machine_text;        ///< "AMD EPYC, 2 cores, no GPU, GNU 12.2.0"
  std::string folder = {};         ///< of the results
  std::string tables_folder = {};  ///< where the tables were written; empty: they were not
  std::string report = {};         ///< the report's file; empty: it was not written
  std::vector<std::string> not_written = {};  ///< why something was not, one sentence each
  Front front = {};                           ///< a row a model
  std::vector<JudgedPaper> claims;            ///< of the tables' papers
  std::vector<ScheduledCase> cases;           ///< those that this build has, run or not
  std::vector<Reason> left_out = {};          ///< why each of the others has no case
  std::size_t best_rates = 0;                 ///< cases of the machine at its best, run or not
  double budget = 0;                          ///< seconds that it was given
  /// The words after `macrobench replicate` that name the tables and the folder of results, and
  /// those after another command that name this machine's folder; each empty, or with a space
  /// before it.
  std::string replicate_arguments = {}, view_arguments = {};
};

/// One screen of at most 24 lines: a row for each model, the claims, how many cases were solved and
/// not, what to do next, and where the report is.
Document document_of(const Replication& replication);

/// "cases": what became of each.
Sheet sheet_of(const std::vector<ScheduledCase>& cases);
/// "run" (where what was written lies), "not_written", "cases", "front" and "counts" of claims.
std::vector<Sheet> sheets_of(const Replication& replication);

}  // namespace macrobench
