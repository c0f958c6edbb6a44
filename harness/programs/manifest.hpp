#pragma once

// A solver from outside: a folder with program.json. docs/programs.md describes each field.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/model/solver.hpp"
#include "harness/programs/existing_program.hpp"

namespace macrobench {

inline constexpr const char* program_contract = "macrobench-program/1";
inline constexpr const char* manifest_name = "program.json";

/// A problem of check-program that makes no sense, which a program may decline by its name: every
/// array is cut off, as on a full disk.
inline constexpr const char* truncated_arrays = "truncated_arrays";

struct Manifest {
  std::filesystem::path folder;  ///< absolute
  std::string model;
  std::string name;
  std::string summary;
  std::vector<std::string> authors;
  std::optional<Origin> origin;      ///< as it says; add_program() decides
  bool of_a_paper = false;           ///< whether it is a paper's own, which tables name themselves
  std::vector<std::string> command;  ///< argv; of one that exists already, macrobench's own
  std::optional<ExistingProgram> existing;         ///< what it starts; none: it knows the contract
  std::vector<std::vector<std::string>> setup;     ///< what makes it ready, each an argv
  std::vector<std::string> setup_files;            ///< that the set-up reads; none: all
  std::vector<std::string> real{"double"};         ///< precisions
  std::vector<std::string> devices{"cpu"};         ///< "cpu", "gpu"
  std::vector<TakenAxis> parameters;               ///< that it takes, and how much of them
  int batch = 1;                                   ///< problems that it takes at a time
  std::map<std::string, std::string> environment;  ///< added to its clean one
  std::string untried;                             ///< why nobody ran it; empty if somebody did
  std::string missing;            ///< what to say where its command is not on the PATH
  std::string work;               ///< the law that its time follows; empty: its model's
  std::vector<std::string> uses;  ///< other folders that it reads, from its own
  std::string digest;             ///< SHA-256 of its files, and of these folders'
  /// Problems of check-program that it does not withstand, by name.
  std::vector<std::string> declines;

  [[nodiscard]] std::string id() const { return model + "/" + name; }

  /// The folder for what its set-up makes, the same for the same set-up of the same files.
  [[nodiscard]] std::filesystem::path build_folder() const;
  /// With {here} and {build} replaced by the two folders.
  [[nodiscard]] std::string expanded(std::string text) const;
  [[nodiscard]] std::vector<std::string> expanded(std::vector<std::string> words) const;

  /// Empty if it can be started here, else the reason.
  [[nodiscard]] std::string unavailable() const;
};

/// Reads a program's folder. Throws UsageError that names the file and the JSON pointer.
Manifest read_manifest(const std::filesystem::path& folder);

/// The programs' folders in this one, which may be one itself, or have them up to two levels below;
/// sorted.
std::vector<std::filesystem::path> program_folders(const std::filesystem::path& folder);

/// Runs its set-up, if it has one that has not run yet. Throws Failure with the command's last
/// words.
void set_up(const Manifest& manifest);

}  // namespace macrobench
