#include "harness/sources/commit_sources.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <regex>
#include <utility>

#include "harness/files/digest.hpp"
#include "harness/process/process.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view build_script = "cmake/source_state.cmake";

/// What stands in quotes behind #include, line by line, as the build reads it.
std::vector<std::string> includes_in(std::string_view content) {
  std::vector<std::string> includes;
  for (std::string_view line : split(content, '\n')) {
    line = trim(line);
    if (!line.starts_with('#')) continue;
    line = trim(line.substr(1));
    if (!line.starts_with("include")) continue;
    const std::size_t open = line.find('"');
    const std::size_t close = line.find('"', open + 1);
    if (open == std::string_view::npos || close == std::string_view::npos) continue;
    includes.emplace_back(line.substr(open + 1, close - open - 1));
  }
  return includes;
}

/// The files of the harness that the commit's own build counts among the sources: names, and
/// patterns as of a shell.
std::vector<std::string> harness_files_in(const std::string& script) {
  std::vector<std::string> files;
  for (const char* command : {"list(APPEND files", "file(GLOB programs"}) {
    for (std::size_t begin = script.find(command); begin != std::string::npos;
         begin = script.find(command, begin + 1)) {
      const std::string list = script.substr(begin, script.find(')', begin) - begin);
      const std::regex file("harness/[^ \n)\"]+");
      for (std::sregex_iterator at(list.begin(), list.end(), file), none; at != none; ++at) {
        files.push_back(at->str());
      }
    }
  }
  return files;
}

}  // namespace

std::optional<std::string> git(const fs::path& repository,
                               const std::vector<std::string>& arguments,
                               const std::string& input) {
  std::vector<std::string> command{"git",
                                   "-c",
                                   "safe.directory=*",
                                   "-c",
                                   "protocol.allow=never",
                                   "--no-replace-objects",
                                   "-C",
                                   repository.string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  ProcessResult result = run_process({.executable = "git",
                                      .command = std::move(command),
                                      .input = input,
                                      .deadline = 60,
                                      .answers_on = 1});
  const bool is_whole = result.succeeded() && !result.answer_cut;
  return is_whole ? std::optional(std::move(result.answer)) : std::nullopt;
}

bool is_commit_hash(std::string_view text) {
  return text.size() >= 7 && text.size() <= 64 &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string commit_named(const fs::path& repository, const std::string& ref) {
  const std::optional<std::string> said =
      git(repository, {"rev-parse", "--verify", "--quiet", "--end-of-options", ref + "^{commit}"});
  return said ? std::string(trim(*said)) : std::string();
}

CommitSources::CommitSources(const fs::path& repository, const std::string& commit)
    : owned_(read(repository, commit)) {
  for (const File& file : owned_) {
    files_.push_back({file.path, file.sha256, {file.includes.begin(), file.includes.end()}});
  }
}

std::vector<CommitSources::File> CommitSources::read(const fs::path& repository,
                                                     const std::string& commit) {
  if (commit.empty()) return {};  // ":PATH" would be what is staged
  const std::optional<std::string> script =
      git(repository, {"cat-file", "blob", commit + ":" + std::string(build_script)});
  const std::optional<std::string> tree =
      git(repository, {"ls-tree", "-r", "-z", commit, "--", "implementations", "harness"});
  if (!script || !tree) return {};
  const std::vector<std::string> of_harness = harness_files_in(*script);
  std::vector<File> files;
  std::string wanted;
  for (const std::string_view entry : split(*tree, '\0')) {
    // "MODE blob ID<tab>PATH"
    const std::vector<std::string_view> fields = split(entry.substr(0, entry.find('\t')), ' ');
    if (fields.size() != 3 || fields[1] != "blob") continue;
    std::string path(entry.substr(entry.find('\t') + 1));
    const bool counts = path.starts_with("implementations/") ||
                        std::ranges::any_of(of_harness, [&](const std::string& pattern) {
                          return ::fnmatch(pattern.c_str(), path.c_str(), FNM_PATHNAME) == 0;
                        });
    if (!counts || path.ends_with(".md")) continue;
    wanted += std::string(fields[2]) + "\n";
    files.push_back({.path = std::move(path), .sha256 = {}, .includes = {}});
  }
  const std::optional<std::string> blobs = git(repository, {"cat-file", "--batch"}, wanted);
  if (!blobs) return {};
  std::string_view rest = *blobs;
  for (File& file : files) {
    // "ID blob SIZE\n", the content, "\n"
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) return {};
    const std::optional<double> size =
        finite_number(rest.substr(0, end).substr(rest.substr(0, end).rfind(' ') + 1));
    if (!size || *size < 0 || *size > static_cast<double>(rest.size() - end - 1)) return {};
    const auto length = static_cast<std::size_t>(*size);
    const std::string_view content = rest.substr(end + 1, length);
    file.sha256 = sha256(content);
    file.includes = includes_in(content);
    rest.remove_prefix(std::min(rest.size(), end + 1 + length + 1));
  }
  std::ranges::sort(files, {}, &File::path);
  return files;
}

}  // namespace macrobench
