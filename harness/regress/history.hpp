#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/records/record_store.hpp"
#include "harness/records/statistics.hpp"
#include "harness/regress/regression.hpp"
#include "harness/text/document.hpp"

namespace macrobench {

/// A record of a case, and how it compares with the previous one.
struct HistoryStep {
  std::string time;    ///< UTC, ISO 8601
  std::string commit;  ///< SHA-1; empty if it is not known
  bool dirty = false;  ///< whether files differed from the commit
  Status status = Status::failed;
  std::string why;
  std::vector<double> seconds;  ///< of the solutions; empty if the result is not valid
  /// Against the last step with times before it: the ratio of the medians, if there is one;
  /// its interval and the verdict, if both have at least five solutions.
  std::optional<double> ratio = {};
  std::optional<ConfidenceInterval> interval = {};
  std::optional<Verdict> verdict = {};
};

/// A case's records on machines whose times may be compared, in the order of time.
struct History {
  std::string key;
  std::string machine;  ///< its folder name
  std::vector<HistoryStep> steps;
};

/// Adds a folder's records of the case. A machine's block that differs in hardware, compiler or
/// flags starts a separate history.
void add_history(std::vector<History>& histories, const Results& results, const std::string& key);

/// Sorts the steps by time and compares each with the one before.
void compare_steps(History& history, const RegressionTerms& terms);

/// A table with one row per step of each history and, beside it, where its times lie: the middle
/// half of them as a line, their median as a point.
Document document_of(const std::vector<History>& histories);
/// One row per step of every history; seconds.
std::string to_csv(const std::vector<History>& histories);
/// Schema 1: histories, each with its steps.
nlohmann::ordered_json to_json(const std::vector<History>& histories);

}  // namespace macrobench
