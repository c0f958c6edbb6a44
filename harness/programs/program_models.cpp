#include "harness/programs/program_models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "harness/files/executable.hpp"
#include "harness/model/registry.hpp"
#include "harness/text/error.hpp"
#include "harness/text/nearest.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

std::vector<ProgramModel>& models() {
  static std::vector<ProgramModel> all;
  return all;
}

FoundPrograms& found() {
  static FoundPrograms all;
  return all;
}

bool is_ours(const std::filesystem::path& folder) {
  std::error_code unknown;
  const auto ours =
      std::filesystem::weakly_canonical(data_folder("programs", MACROBENCH_PROGRAMS_DIR), unknown);
  return std::ranges::mismatch(ours, folder).in1 == ours.end();
}

/// In programs/, a paper's own unless it says that it is ours; elsewhere, the user's unless it says
/// that it is the authors'.
Origin origin_of(const Manifest& manifest) {
  if (is_ours(manifest.folder)) {
    const Origin origin = manifest.origin.value_or(Origin::published);
    if (origin != Origin::yours && origin != Origin::original) return origin;
    throw UsageError("{} at /origin: in programs/ it is 'published', 'corrected' or 'frontier'",
                     (manifest.folder / manifest_name).string());
  }
  const Origin origin = manifest.origin.value_or(Origin::yours);
  if (!manifest.of_a_paper && (origin == Origin::yours || origin == Origin::original)) {
    return origin;
  }
  throw UsageError(
      "{} at /{}: a program from outside the repository is 'yours', or 'original' if it is a "
      "paper's authors' own: write \"origin\": \"original\", or nothing",
      (manifest.folder / manifest_name).string(), manifest.of_a_paper ? "of_a_paper" : "origin");
}

}  // namespace

RegisterProgramModel::RegisterProgramModel(ProgramModel model) {
  Registry::global().add_given(model.model, model.given);
  models().push_back(std::move(model));
}

const FoundPrograms& found_programs() {
  return found();
}

const ProgramModel& find_program_model(const std::string& name) {
  const auto its = std::ranges::find(models(), name, &ProgramModel::model);
  if (its != models().end()) return *its;
  std::vector<std::string> known;
  for (const ProgramModel& model : models()) known.push_back(model.model);
  throw UsageError(unknown_name("model", name, known));
}

void add_program(const std::filesystem::path& folder) {
  Manifest manifest = read_manifest(folder);
  manifest.origin = origin_of(manifest);
  for (const Manifest& other : found().programs) {
    if (other.folder == manifest.folder) return;
  }
  if (Registry::global().find(manifest.id()) != nullptr) {
    throw UsageError("{}: there is another {}; choose another name", folder.string(),
                     manifest.id());
  }
  find_program_model(manifest.model).add(manifest);
  found().programs.push_back(manifest);
}

void add_programs(const std::vector<std::filesystem::path>& folders) {
  for (const std::filesystem::path& folder : folders) {
    for (const std::filesystem::path& one : program_folders(folder)) {
      try {
        add_program(one);
      } catch (const UsageError& error) {
        found().warnings.emplace_back(error.what());
      }
    }
  }
}

std::vector<std::filesystem::path> usual_program_folders() {
  std::vector<std::filesystem::path> folders{data_folder("programs", MACROBENCH_PROGRAMS_DIR)};
  const char* set = std::getenv(program_folders_variable);
  for (const std::string_view folder : split(set == nullptr ? "" : set, ':')) {
    if (!folder.empty()) folders.emplace_back(folder);
  }
  return folders;
}

}  // namespace macrobench
