#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace macrobench {

/// A line of comma-separated values; fields with commas, quotes or line ends are quoted.
std::string csv_line(const std::vector<std::string>& fields);

/// Comma-separated values: a header, then one line per row, a JSON object, with the members of
/// these names. What a row lacks, or is null, is empty; a field with commas, quotes or line ends is
/// quoted.
std::string to_csv(const std::vector<std::string>& columns, const nlohmann::ordered_json& rows);

}  // namespace macrobench
