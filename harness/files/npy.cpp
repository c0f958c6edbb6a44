#include "harness/files/npy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>

#include "harness/text/error.hpp"

namespace macrobench {

namespace {

constexpr std::string_view magic("\x93NUMPY\x01\x00", 8);
constexpr std::size_t before = magic.size() + 2;  // and the header's length

}  // namespace

std::string npy_header(const std::string& type, const std::vector<std::size_t>& shape) {
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}",
                                 type, fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  constexpr std::size_t block = 64;
  text.resize((before + text.size() + 1 + block - 1) / block * block - before - 1, ' ');
  text += '\n';
  const auto size = static_cast<std::uint16_t>(text.size());
  return std::string(magic) + static_cast<char>(size & 0xff) + static_cast<char>(size >> 8) + text;
}

std::string_view npy_data(std::string_view file) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(file[at]); };
  if (!file.starts_with(magic) || file.size() < before) {
    throw UsageError("it is not an array in NumPy's format, version 1.0");
  }
  const std::size_t length = byte(before - 2) + 256U * byte(before - 1);
  if (file.size() < before + length) throw UsageError("its header breaks off");
  return file.substr(before + length);
}

}  // namespace macrobench
