#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace macrobench {

/// A line of comma-separated values. A field is printable(), so that it is on one line; one with
/// commas or quotes is quoted, and one that a spreadsheet would compute has an apostrophe before
/// it.
std::string csv_line(const std::vector<std::string>& fields);

/// Comma-separated values: a header, then one line per row, a JSON object, with the members of
/// these names, as csv_line() writes them. What a row lacks, or is null, is empty.
std::string to_csv(const std::vector<std::string>& columns, const nlohmann::ordered_json& rows);

}  // namespace macrobench
