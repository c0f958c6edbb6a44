#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace macrobench {

/// The beginning of an array in NumPy's format, version 1.0: its data begin at a multiple of 64
/// bytes, the last index runs fastest, and `type` is as NumPy writes it: "<f8".
std::string npy_header(const std::string& type, const std::vector<std::size_t>& shape);

/// Such a file in memory, of any version.
struct NpyArray {
  std::string_view header;  ///< of at most 1,024 bytes
  std::string_view data;
};

/// Throws UsageError, which begins with the name.
NpyArray npy_array(const std::string& name, std::string_view file);

}  // namespace macrobench
