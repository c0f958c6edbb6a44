#pragma once

// What a program wrote as its result: result.txt, a name and a value per line, and arrays as
// NAME.npy, NAME.bin (raw, little-endian) or NAME.txt (one number per line). Nothing in it is
// believed: shapes, types and sizes must be those of the problem.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/text/error.hpp"

namespace macrobench {

/// What was written is no result of this problem; one sentence.
struct NotAResult : ReadableError {
  using ReadableError::ReadableError;
};

/// A name and its value per line.
std::map<std::string, std::string> named_values(std::string_view text);

class ResultFolder {
 public:
  /// Reads result.txt, if there is one. Throws NotAResult.
  explicit ResultFolder(std::filesystem::path folder);

  /// The value of a line of result.txt; empty if there is none.
  [[nodiscard]] std::string words(const std::string& name) const;

  // All below throw NotAResult.

  [[nodiscard]] double number(const std::string& name) const;
  [[nodiscard]] std::int64_t whole(const std::string& name, std::int64_t lowest,
                                   std::int64_t highest) const;

  /// An array of this shape, whose last index runs fastest, into a vector of its size.
  void array(const std::string& name, const std::vector<std::size_t>& shape,
             std::vector<double>& values) const;
  void array(const std::string& name, const std::vector<std::size_t>& shape,
             std::vector<float>& values) const;
  void array(const std::string& name, const std::vector<std::size_t>& shape,
             std::vector<std::int32_t>& values) const;
  void array(const std::string& name, const std::vector<std::size_t>& shape,
             std::vector<std::uint8_t>& values) const;

 private:
  std::filesystem::path folder_;
  std::map<std::string, std::string> values_;
};

}  // namespace macrobench
