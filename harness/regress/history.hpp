#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/records/record_store.hpp"
#include "harness/records/statistics.hpp"
#include "harness/regress/change_points.hpp"
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
  /// The commit that `regress` measured it beside; empty if it was measured alone.
  std::string beside = {};
  /// What `regress` found, or else against the last step with times before it: the ratio of the
  /// medians, if there is one; its interval and the verdict, if both have at least five solutions.
  std::optional<double> ratio = {};
  std::optional<ConfidenceInterval> interval = {};
  std::optional<Verdict> verdict = {};
};

/// A case on machines whose times may be compared, in the order of time.
struct History {
  std::string key;
  std::string machine;      ///< the name of its own folder, or of its kind if that is all we know
  bool by_regress = false;  ///< whether the steps are what `regress` measured, or records
  std::vector<HistoryStep> steps;
  std::vector<ChangePoint> changes = {};  ///< of the steps' times
};

/// What git says about a commit.
struct CommitFacts {
  std::string time;  ///< when it was committed, UTC, ISO 8601
  std::string author;
  std::string subject;
};
using Commits = std::map<std::string, CommitFacts>;  ///< by SHA-1

/// Those of the steps' commits that the repository has.
Commits commits_of(const std::vector<History>& histories, const std::filesystem::path& repository);

/// Adds a folder's records of the case, and what `regress` measured of it. A block of another
/// machine, or one that differs in compiler or flags, starts a separate history. Returns one
/// sentence for each regression that cannot be used.
std::vector<std::string> add_history(std::vector<History>& histories, const Results& results,
                                     const std::string& key);

/// Sorts the steps by their commits' times (by their own if a commit is not known), compares each
/// with the one before, and finds where the times change.
void compare_steps(History& history, const RegressionTerms& terms, const Commits& commits = {});

/// The keys of everything that was measured, in records or by `regress`.
std::set<std::string> keys_of(const Results& results);

/// A table with one row per step of each history and, beside it, where its times lie: the middle
/// half of them as a line, their median as a point; and below it where the times change, and who
/// changed them.
Document document_of(const std::vector<History>& histories, const Commits& commits = {});
/// One row for each change of every history, the largest slowdown first; and how many do not
/// change.
Document changes_of(const std::vector<History>& histories, const Commits& commits);
/// One row per step of every history; seconds.
std::string to_csv(const std::vector<History>& histories);
/// Schema 1: histories, each with its steps and its changes.
nlohmann::ordered_json to_json(const std::vector<History>& histories, const Commits& commits = {});

}  // namespace macrobench
