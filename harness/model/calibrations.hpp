#pragma once

// A user's calibrations for a batch of economies, instead of drawn ones.

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/model/input_file.hpp"

namespace macrobench {

/// Comma-separated values: a header of parameter names, then a row of numbers for each economy.
class Calibrations {
 public:
  explicit Calibrations(InputFile file) : file_(std::move(file)) {}

  [[nodiscard]] const InputFile& file() const { return file_; }

  // The file is read when one of these is first called. They throw UsageError, with one sentence
  // that names the axis, the file and the line, if it cannot be read or has a name twice, a row of
  // another length, something that is not a number, or no row at all.

  [[nodiscard]] const std::vector<std::string>& names() const { return read().names; }
  [[nodiscard]] std::size_t economies() const { return read().lines.size(); }
  /// Of an economy, from 0 on, the parameter names()[column].
  [[nodiscard]] double value(std::size_t economy, std::size_t column) const {
    return read().values[economy * names().size() + column];
  }
  /// "calibrations = FILE: line 7: ", to begin a sentence about it.
  [[nodiscard]] std::string where(std::size_t economy) const;

  /// Throws UsageError if there are fewer than so many, or names other than these.
  void check(int economies, const std::vector<std::string>& allowed) const;

  static constexpr std::string_view axis = "calibrations";
  static constexpr double most_bytes = 2.5e8;

 private:
  /// Throws UsageError with this reason.
  [[noreturn]] void refuse(std::string_view why) const;
  [[noreturn]] void refuse(int line, std::string_view why) const;

  struct Table {
    std::vector<std::string> names;
    std::vector<double> values;  ///< economies x names
    std::vector<int> lines;      ///< of each economy
  };
  const Table& read() const;
  [[nodiscard]] bool counts_rows() const;
  [[nodiscard]] Table parsed(std::string_view text) const;

  InputFile file_;
  mutable std::once_flag is_read_;
  mutable Table table_;
};

/// Those of a file, null for none. They stay as long as the process runs, so that a problem that
/// points to them can be copied byte by byte.
const Calibrations* calibrations_in(const InputFile& file);

}  // namespace macrobench
