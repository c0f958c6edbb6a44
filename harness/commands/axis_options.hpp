#pragma once

#include <string>
#include <utility>
#include <vector>

namespace macrobench {

/// What a command line says about axes, which only the registry knows: "--nk 4096", "--nk=4096".
/// All words that are neither an option nor its value are in `names`.
struct AxisOptions {
  std::vector<std::string> names;
  std::vector<std::pair<std::string, std::string>> values;
};

/// Throws UsageError if an option has no value or is given twice.
AxisOptions parse_axis_options(const std::vector<std::string>& arguments);

}  // namespace macrobench
