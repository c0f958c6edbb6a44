#pragma once

// The models that programs from outside can solve, and the programs that are found: in programs/,
// in the folders that the environment's MACROBENCH_PROGRAMS names (separated by colons), and in
// those of --programs.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "harness/model/parameters.hpp"
#include "harness/model/registry.hpp"
#include "harness/programs/manifest.hpp"
#include "harness/programs/problem_data.hpp"

namespace macrobench {

/// How a model takes a program.
struct ProgramModel {
  std::string model;
  /// Adds the program to the registry, as MODEL/NAME, and MODEL/NAME_gpu if it runs on a GPU too.
  /// Throws UsageError if the model lacks what it names.
  std::function<void(const Manifest&)> add;
  /// The problem of a case's parameters as a program gets it.
  std::function<ProblemData(const Parameters&)> data;
  /// Its arrays, as they go beside a solution.
  Registry::GivenArrays given;
};

/// At namespace scope of a model's programs.cpp.
struct RegisterProgramModel {
  explicit RegisterProgramModel(ProgramModel model);
};

/// Throws UsageError if programs cannot solve it.
const ProgramModel& find_program_model(const std::string& model);

/// The programs that were added, and what is wrong with the folders that were not.
struct FoundPrograms {
  std::vector<Manifest> programs;
  std::vector<std::string> warnings;
};

/// Those that this process has added.
const FoundPrograms& found_programs();

/// Adds the program to the registry. Throws UsageError.
void add_program(const std::filesystem::path& folder);

/// Adds the programs in these folders to the registry. What is wrong with one is a warning.
void add_programs(const std::vector<std::filesystem::path>& folders);

/// programs/, and the folders of MACROBENCH_PROGRAMS. Case processes inherit that variable.
std::vector<std::filesystem::path> usual_program_folders();
inline constexpr const char* program_folders_variable = "MACROBENCH_PROGRAMS";

}  // namespace macrobench
