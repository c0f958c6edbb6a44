#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/model/case_hint.hpp"
#include "harness/model/registry.hpp"

namespace macrobench {

/// One of the parts of a plan that is spread over a cluster: "3/8" is the third of eight.
struct Part {
  int number = 1;  ///< from 1
  int count = 1;

  bool operator==(const Part&) const = default;
};

/// No plan is dealt out to more parts.
inline constexpr int most_parts = 10'000;

/// Throws UsageError if the text is not one, as in "9/8".
Part part_from(const std::string& text);
std::string to_string(const Part& part);
/// The name of the folder of its records: "3_of_8".
std::string folder_of(const Part& part);

/// The plan's cases that belong to the part, in the plan's order: a part is a hash of the name of a
/// case's group, or of its key if it has none. So cases that are compared are in one part, and
/// parts of one plan (the same tables, options and build) agree without knowing of each other.
std::vector<Case> cases_of_part(std::vector<Case> cases,
                                const std::map<std::string, CaseHint>& hints, const Part& part);

}  // namespace macrobench
