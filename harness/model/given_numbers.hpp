#pragma once

// Numbers that a user gives in a file, instead of those that a model computes.

#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/model/input_file.hpp"

namespace macrobench {

/// Text: numbers between spaces, commas or line ends, in their order; # starts a comment.
class GivenNumbers {
 public:
  GivenNumbers(std::string axis, InputFile file) : axis_(std::move(axis)), file_(std::move(file)) {}

  [[nodiscard]] const InputFile& file() const { return file_; }

  /// Read when this is first called. Throws UsageError, with one sentence that names the axis, the
  /// file and the line, if the file cannot be read or has something else in it.
  [[nodiscard]] const std::vector<double>& values() const;

  /// Throws UsageError with this reason.
  [[noreturn]] void refuse(std::string_view why) const;

  static constexpr double most_bytes = 1e9;

 private:
  [[nodiscard]] std::vector<double> parsed(std::string_view text) const;

  std::string axis_;
  InputFile file_;
  mutable std::once_flag is_read_;
  mutable std::vector<double> values_;
};

/// Those of a file, null for none. They stay as long as the process runs, so that a problem that
/// points to them can be copied byte by byte.
const GivenNumbers* numbers_in(const std::string& axis, const InputFile& file);

}  // namespace macrobench
