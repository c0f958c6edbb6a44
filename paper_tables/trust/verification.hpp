#pragma once

#include <string>
#include <vector>

#include "harness/model/registry.hpp"
#include "harness/records/record_store.hpp"
#include "harness/text/error.hpp"
#include "paper_tables/trust/source_history.hpp"

namespace macrobench {

/// What the results of a stranger are worth.
enum class Trust {
  verified,      ///< consistent, and its solutions certify again or its cases were run again
  consistent,    ///< from sources that are known, and nothing in it contradicts itself
  self_reported  ///< anything else: believe it as far as you believe its author
};

std::string to_string(Trust trust);

/// One thing that was looked at.
struct Check {
  enum class Result { passed, unknown, failed };

  std::string name;   ///< "keys"
  std::string about;  ///< what it compares, in a few words
  Result result = Result::passed;
  std::string detail = {};               ///< how many, or why nothing is known
  std::string more = {};                 ///< what follows it: "; WHY: COUNT; WHY: COUNT"
  std::vector<std::string> faults = {};  ///< one sentence each; none unless it failed

  void fail(std::string fault);
};

struct Verification {
  std::string name;           ///< of the folder
  std::vector<Check> checks;  ///< always the same, in the same order

  [[nodiscard]] Trust verdict() const;
  /// One clause: why the verdict is not a better one. Empty if it is verified.
  [[nodiscard]] std::string why() const;
  /// ok, or invalid if a check failed.
  [[nodiscard]] ExitCode code() const;
};

inline constexpr const char* sources_check = "sources";
inline constexpr const char* solutions_check = "solutions";
inline constexpr const char* reruns_check = "reruns";

/// What can be seen from a folder's lines alone: lines, keys, machines, campaigns, sources, floors,
/// times, outcomes, residuals. Nothing is opened.
std::vector<Check> check_lines(const Results& results, const SourceHistory& history);

/// The verdict by these alone, which is never `verified`: for a word beside a folder's name.
Verification verify_lines(const std::string& name, const Results& results,
                          const SourceHistory& history);

}  // namespace macrobench
