#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace macrobench {

/// The beginning of an array in NumPy's format, version 1.0: its data begin at a multiple of 64
/// bytes, the last index runs fastest, and `type` is as NumPy writes it: "<f8".
std::string npy_header(const std::string& type, const std::vector<std::size_t>& shape);

/// The data behind such a header of a file in memory. Throws UsageError if it has none.
std::string_view npy_data(std::string_view file);

}  // namespace macrobench
