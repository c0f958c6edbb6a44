#pragma once

#include <string>
#include <vector>

namespace macrobench {

/// A line of CSV; fields with commas, quotes or line ends are quoted.
std::string csv_line(const std::vector<std::string>& fields);

}  // namespace macrobench
