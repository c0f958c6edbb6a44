#pragma once

#include <string>
#include <vector>

#include "harness/records/record_store.hpp"
#include "harness/text/error.hpp"

namespace macrobench {

/// One thing that was looked at.
struct Check {
  enum class Result { passed, unknown, failed };

  std::string name;   ///< "records"
  std::string about;  ///< what it compares, in a few words
  Result result = Result::passed;
  std::string detail = {};               ///< how many, or why nothing is known
  std::vector<std::string> faults = {};  ///< one sentence each; none unless it failed
  std::vector<std::string> notes = {};   ///< for every reader, even if it passed

  void fail(std::string fault);
};

/// What a folder of results is worth.
struct Verification {
  std::string name;           ///< of the folder
  std::vector<Check> checks;  ///< always the same, in the same order

  /// The names of the checks that failed: "records, solutions". Empty if none did.
  [[nodiscard]] std::string failed() const;
  /// "certified": each result's stored solution certifies again; "not stored" if not all are;
  /// "not certified" if a check failed.
  [[nodiscard]] std::string results() const;
  /// "rerun": every case was run again and came out the same; else "self-reported".
  [[nodiscard]] std::string times() const;
  /// ok, or invalid if a check failed.
  [[nodiscard]] ExitCode code() const;
};

inline constexpr const char* solutions_check = "solutions";
inline constexpr const char* reruns_check = "reruns";

/// True if every line is one that the schemas allow.
Check check_lines(const Results& results);

/// Whether no record contradicts itself, its machine or its campaign: by the checks that reading
/// uses for all that is shown.
Check check_records(const Results& results);

}  // namespace macrobench
