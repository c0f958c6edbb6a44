#pragma once

#include <map>
#include <optional>
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
/// The part whose folder has that name; none if none has.
std::optional<Part> part_of_folder(const std::string& name);

/// What a deal must know about a case.
struct DealtCase {
  std::string key;
  double seconds = 0;             ///< about how long it takes
  std::optional<int> group = {};  ///< cases of one group stay together
};

/// The part, from 1, of each of these cases: the group that takes longest goes to the part that has
/// least so far, and so on; a case without a group is a group by itself. Whatever the order of the
/// cases, each gets the same part, and no two parts differ by more than the longest group takes.
std::vector<int> deal(const std::vector<DealtCase>& cases, int parts);

/// The plan's cases that belong to the part, in the plan's order. It depends on the plan alone, so
/// that parts which start at different times, on different nodes, agree. A case is taken to last as
/// long as its hint says; without one, as its model's work says, by the time that this model's
/// other cases take for theirs.
std::vector<Case> cases_of_part(const std::vector<Case>& cases,
                                const std::map<std::string, CaseHint>& hints, const Part& part);

}  // namespace macrobench
