#pragma once

#include <string>
#include <utility>
#include <vector>

namespace macrobench {

/// What a command line says of axes, which only the registry knows: "--nk 4096", "--nk=4096". What
/// is no option and no option's value stands in `names`.
struct AxisOptions {
  std::vector<std::string> names;
  std::vector<std::pair<std::string, std::string>> values;
};

/// Throws UsageError where an option has no value or is given twice.
AxisOptions parse_axis_options(const std::vector<std::string>& arguments);

}  // namespace macrobench
