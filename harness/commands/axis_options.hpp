#pragma once

#include <string>
#include <utility>
#include <vector>

#include "harness/model/registry.hpp"

namespace macrobench {

/// What a command line says about axes, which only the registry knows: "--nk 4096", "--nk=4096".
/// All words that are neither an option nor its value are in `names`.
struct AxisOptions {
  std::vector<std::string> names;
  std::vector<std::pair<std::string, std::string>> values;

  /// One value for each axis that is named. Throws UsageError.
  [[nodiscard]] Parameters parameters(const std::vector<Axis>& axes) const;
};

/// Throws UsageError if an option has no value or is given twice.
AxisOptions parse_axis_options(const std::vector<std::string>& arguments);

/// "rbc/serial", or all of the model "rbc". Throws UsageError.
std::vector<const Implementation*> implementations_of(const std::string& name);

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

/// If nothing is left of what the user asked for, throws a UsageError that says so.
void check_not_empty(const std::vector<Case>& cases);

}  // namespace macrobench
