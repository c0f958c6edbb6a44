#pragma once

#include <string>
#include <vector>

#include "harness/model/registry.hpp"

namespace macrobench {

/// One axis and the values it takes in a grid of cases.
struct Direction {
  std::string name;
  std::vector<Value> values;
};

/// Every combination of the directions' values, in their order, for each implementation; each case
/// once. A value that an implementation does not allow is skipped for it, and so is an axis that it
/// lacks. Throws UsageError.
std::vector<Case> all_cases(const std::vector<const Implementation*>& implementations,
                            const std::vector<Direction>& directions);

}  // namespace macrobench
