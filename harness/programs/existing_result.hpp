#pragma once

// From the problem to the files of a program that exists already, and from its files to a result.

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "harness/programs/existing_program.hpp"

namespace macrobench {

/// What {NAME} in a template may be: the numbers and words of problem.txt, and more.
using TemplateValues = std::map<std::string, std::string>;

/// The template with each {NAME} replaced: by a value, or by an array of the problem's folder, a
/// number per line. {{ is a brace. Throws Failure, with `name` and the line, for what is unknown.
std::string filled(const std::string& name, std::string_view text, const TemplateValues& values,
                   const std::filesystem::path& problem);

/// What a program left behind.
struct Left {
  std::filesystem::path folder;   ///< that it ran in
  std::string printed;            ///< its output
  std::filesystem::path problem;  ///< the folder of the problem
  TemplateValues values;
};

/// Writes a result as the contract has it into a folder: its numbers and arrays, the latter in the
/// precision `real`; and for the harness alone, in result.txt,
///   their_solution_seconds, their_set_up_seconds: its own times;
///   digits, rounding: of the real array that was printed with the fewest, how many and what is
///     half a unit of the last;
///   assumed: what program.json says instead of the program.
/// Throws Failure for a file that is missing or has other numbers.
void write_result(const ExistingProgram& program, const Left& left, const std::string& real,
                  const std::filesystem::path& folder);

}  // namespace macrobench
