#include "harness/regress/commit_program.hpp"

#include <system_error>
#include <vector>

#include "harness/system/process.hpp"

namespace macrobench {

namespace fs = std::filesystem;

namespace {

constexpr double longest_build = 12 * 3600;  // seconds

fs::path build_script() {
  std::vector<fs::path> folders{this_program().parent_path().parent_path()};
  for (fs::path folder = fs::current_path(); folders.back() != folder;
       folder = folder.parent_path()) {
    folders.push_back(folder);
  }
  for (const fs::path& folder : folders) {
    if (fs::exists(folder / "tools/commit_build")) return folder / "tools/commit_build";
  }
  throw UsageError(
      "there is no repository around this program or this folder to build a commit in: name a "
      "program with --base-program");
}

}  // namespace

SourceState source_of(const Machine& machine) {
  using Json = nlohmann::ordered_json;
  const Json source = machine.block.value("source", Json());
  const Json commit = source.is_object() ? source.value("commit", Json()) : Json();
  return {.commit = commit.is_string() ? commit.get<std::string>() : "",
          .dirty = source.is_object() && source.value("dirty", Json()) == true};
}

fs::path this_program() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored);
}

fs::path program_of_commit(const std::string& ref, bool with_cuda) {
  const std::string script = build_script().string();
  ProcessResult built = run_process({.executable = script,
                                     .command = {script, ref, with_cuda ? "CUDA=on" : "CUDA=off"},
                                     .deadline = longest_build,
                                     .shares_error = true});
  std::string& program = built.output;
  program.erase(program.find_last_not_of('\n') + 1);
  const bool exited = built.end == ProcessResult::End::exited;
  if (exited && built.code == 0 && fs::exists(program)) return program;
  const bool is_usage = exited && built.code == static_cast<int>(ExitCode::usage);
  throw NotBuilt{is_usage ? ExitCode::usage : ExitCode::failed};
}

}  // namespace macrobench
