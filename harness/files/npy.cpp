#include "harness/files/npy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>

#include "harness/text/error.hpp"

namespace macrobench {

namespace {

constexpr std::string_view magic("\x93NUMPY", 6);
constexpr std::string_view version_1("\x01\x00", 2);
constexpr std::size_t before = magic.size() + version_1.size() + 2;  // and the header's length
constexpr std::size_t longest_header = 1024;  // a regular expression may read it

}  // namespace

std::string npy_header(const std::string& type, const std::vector<std::size_t>& shape) {
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}",
                                 type, fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  constexpr std::size_t block = 64;
  text.resize((before + text.size() + 1 + block - 1) / block * block - before - 1, ' ');
  text += '\n';
  const auto size = static_cast<std::uint16_t>(text.size());
  return std::string(magic) + std::string(version_1) + static_cast<char>(size & 0xff) +
         static_cast<char>(size >> 8) + text;
}

NpyArray npy_array(const std::string& name, std::string_view file) {
  constexpr std::size_t before_of_version_2 = before + 2;
  if (!file.starts_with(magic) || file.size() < before_of_version_2) {
    throw UsageError("{} is not in NumPy's format", name);
  }
  const auto byte = [&](std::size_t at) {
    return std::size_t{static_cast<unsigned char>(file[at])};
  };
  const bool is_first = byte(magic.size()) == 1;
  const std::size_t begin = is_first ? before : before_of_version_2;
  std::size_t size = byte(8) + (byte(9) << 8);
  if (!is_first) size += (byte(10) << 16) + (byte(11) << 24);
  if (size > longest_header || begin + size > file.size()) {
    throw UsageError("{} breaks off in its header", name);
  }
  return {file.substr(begin, size), file.substr(begin + size)};
}

}  // namespace macrobench
