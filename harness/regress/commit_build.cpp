#include "harness/regress/commit_build.hpp"

#include "harness/process/process.hpp"

namespace macrobench {

namespace fs = std::filesystem;

namespace {

constexpr double longest_build = 12 * 3600;  // seconds

/// Of this build's own sources: a script of that name in a folder above could be anybody's.
fs::path build_script() {
  const fs::path source = MACROBENCH_SOURCE_DIR;
  if (fs::exists(source / "tools/commit_build")) return source / "tools/commit_build";
  throw UsageError(
      "{}: the repository that macrobench was built in is no longer there, so no commit can be "
      "built: name a build with --base-program",
      source.string());
}

}  // namespace

SourceState source_of(const Machine& machine) {
  return {.commit = machine.text_at("/source/commit"),
          .dirty = machine.at("/source/dirty") == true};
}

fs::path build_of_commit(const std::string& ref, bool with_cuda) {
  const std::string script = build_script().string();
  ProcessResult built = run_process({.executable = script,
                                     .command = {script, ref, with_cuda ? "CUDA=on" : "CUDA=off"},
                                     .deadline = longest_build,
                                     .shares_error = true});
  std::string& executable = built.output;
  executable.erase(executable.find_last_not_of('\n') + 1);
  if (built.succeeded() && fs::exists(executable)) return executable;
  const bool is_usage =
      built.end == ProcessResult::End::exited && built.code == static_cast<int>(ExitCode::usage);
  throw NotBuilt{is_usage ? ExitCode::usage : ExitCode::failed};
}

}  // namespace macrobench
