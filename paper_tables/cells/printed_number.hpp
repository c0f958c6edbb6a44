#pragma once

#include <optional>
#include <string>

namespace macrobench {

/// "1,114.95" -> 1114.95; a time in seconds whatever its unit, "143.363 ms" -> 0.143363; none for
/// words.
std::optional<double> printed_number(const std::string& printed);

}  // namespace macrobench
