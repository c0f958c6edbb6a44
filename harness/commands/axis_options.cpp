#include "harness/commands/axis_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/text/error.hpp"

namespace macrobench {

AxisOptions parse_axis_options(const std::vector<std::string>& arguments) {
  AxisOptions options;
  for (auto argument = arguments.begin(); argument != arguments.end(); ++argument) {
    if (!argument->starts_with("--")) {
      options.names.push_back(*argument);
      continue;
    }
    const std::size_t equals = argument->find('=');
    // The parameter is iteration_cap; shell users also type iteration-cap.
    std::string name = argument->substr(2, equals == std::string::npos ? equals : equals - 2);
    std::replace(name.begin(), name.end(), '-', '_');
    std::string value;
    if (equals != std::string::npos) {
      value = argument->substr(equals + 1);
    } else {
      if (argument + 1 == arguments.end()) {
        throw UsageError(fmt::format("--{} needs a value", name));
      }
      value = *++argument;
    }
    const bool given = std::any_of(options.values.begin(), options.values.end(),
                                   [&](const auto& known) { return known.first == name; });
    if (given) throw UsageError(fmt::format("--{} is given twice", name));
    options.values.emplace_back(std::move(name), std::move(value));
  }
  return options;
}

}  // namespace macrobench
