#pragma once

// A program that exists already and knows nothing of the contract, as the member `existing` of its
// program.json describes it: what it reads, how it runs, and where its result is. docs/programs.md
// has each field.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/text/json_cursor.hpp"

namespace macrobench {

/// Where a number or an array of its result is.
struct ResultPlace {
  std::optional<double> constant = {};  ///< it says none: this is assumed
  std::string file = {};                ///< in the folder that it runs in; empty: what it printed
  std::string after = {};               ///< it follows the last place of this text; empty: any
  std::string format = "text";          ///< or one of binary_formats()
  std::size_t skip = 0;                 ///< lines of a text, bytes of another format, before it
  // Of an array. An extent is a whole number, or the name of one in problem.txt.
  std::vector<std::string> shape = {};     ///< as the model has it; empty: it is a number
  std::vector<std::string> order = {};     ///< the same as the file has it; the last runs fastest
  std::optional<std::int64_t> first = {};  ///< of indices: that of a grid's first point
  std::string among = {};                  ///< its numbers are points of this grid: their indices
};

/// Bytes of a number in a file, by the name of its format: "float64".
const std::map<std::string, std::size_t>& binary_formats();

struct ExistingProgram {
  /// A template for each file that it reads, by the file's name from the folder that it runs in.
  std::map<std::string, std::string> parameters;
  std::vector<std::string> run;               ///< argv, templates too
  std::map<std::string, ResultPlace> result;  ///< by the names that the model's result has
  std::map<std::string, ResultPlace> times;   ///< its own seconds: "solution", "set_up"
};

/// The word after macrobench's own name that makes it answer for such a program; the program's
/// folder and that of its set-up follow, which its own environment no longer tells.
inline constexpr const char* existing_program_command = "existing-program";

/// Answers for the program in this folder on standard input and output; returns the exit code.
int existing_program_main(const std::filesystem::path& folder, const std::string& build);

/// Reads the member of the program's folder. Throws UsageError.
ExistingProgram existing_program_at(const JsonCursor& cursor, const std::filesystem::path& folder);

}  // namespace macrobench
