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
  std::vector<std::string> command_options = {};  ///< which a wrong name may have been meant for

  /// Throws UsageError, with the nearest name, if one is given that is not among these axes'.
  void check_names(const std::vector<std::string>& axes) const;
  /// One value for each axis that is named. Throws UsageError.
  [[nodiscard]] Parameters parameters(const std::vector<Axis>& axes) const;
};

/// Throws UsageError if an option has no value or is given twice.
AxisOptions parse_axis_options(const std::vector<std::string>& arguments,
                               std::vector<std::string> command_options = {});

/// "rbc/serial", or all of the model "rbc". Throws UsageError.
std::vector<const Implementation*> implementations_of(const std::string& name);

/// What an axis is if the user does not name it: its default, or, for the size of a model, the
/// first that its implementations solve quickly.
enum class Unnamed { by_default, quick };

/// Every combination of the values that the options name (lists and ranges), in their order, for
/// each implementation; each case once. A value that an implementation does not allow is skipped
/// for it, and so is an axis that it lacks. Throws UsageError, also if nothing is left or an
/// implementation has more than 10,000 cases.
std::vector<Case> cases_of(const std::vector<const Implementation*>& implementations,
                           const AxisOptions& options, Unnamed unnamed);

}  // namespace macrobench
