#include "paper_tables/verify/source_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "harness/model/registry.hpp"
#include "harness/records/source_digest.hpp"
#include "harness/system/digest.hpp"
#include "harness/system/process.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view build_script = "cmake/source_state.cmake";
/// Where the rule for digests has been since it is the present one.
constexpr std::string_view digest_rule = "harness/records/source_digest.cpp";

/// What git prints; none if it fails. Its options: the folder may belong to another user, an object
/// is the one that its name says, and nothing is fetched.
std::optional<std::string> git(const fs::path& repository, std::vector<std::string> arguments,
                               const std::string& input = {}) {
  // Standard output is kept only in part; what is written to descriptor 3 is kept whole.
  std::vector<std::string> command{"sh",
                                   "-c",
                                   "exec git \"$@\" >&3",
                                   "git",
                                   "-c",
                                   "safe.directory=*",
                                   "-c",
                                   "protocol.allow=never",
                                   "--no-replace-objects",
                                   "-C",
                                   repository.string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  ProcessResult result = run_process(
      {.executable = "sh", .command = std::move(command), .input = input, .deadline = 60});
  const bool is_whole =
      result.end == ProcessResult::End::exited && result.code == 0 && !result.answer_cut;
  return is_whole ? std::optional(std::move(result.answer)) : std::nullopt;
}

/// A file as it was in a commit.
struct OldFile {
  std::string path;
  std::string sha256;
  std::vector<std::string> includes;
};

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

/// The files of the harness that the commit's own build counts among the sources.
std::set<std::string> harness_files_in(const std::string& script) {
  std::set<std::string> files;
  const std::size_t begin = script.find("list(APPEND files");
  if (begin == std::string::npos) return files;
  const std::size_t end = script.find(')', begin);
  const std::string list = script.substr(begin, end - begin);
  const std::regex file("harness/[^ \n)]+");
  for (std::sregex_iterator at(list.begin(), list.end(), file), none; at != none; ++at) {
    files.insert(at->str());
  }
  return files;
}

/// The commit's files that decide results; empty if they cannot be read.
std::vector<OldFile> files_of(const fs::path& repository, const std::string& commit) {
  const std::optional<std::string> script =
      git(repository, {"cat-file", "blob", commit + ":" + std::string(build_script)});
  const std::optional<std::string> tree =
      git(repository, {"ls-tree", "-r", "-z", commit, "--", "implementations", "harness"});
  if (!script || !tree) return {};
  const std::set<std::string> of_harness = harness_files_in(*script);
  std::vector<OldFile> files;
  std::string wanted;
  for (const std::string_view entry : split(*tree, '\0')) {
    // "MODE blob ID<tab>PATH"
    const std::vector<std::string_view> parts = split(entry.substr(0, entry.find('\t')), ' ');
    if (parts.size() != 3 || parts[1] != "blob") continue;
    std::string path(entry.substr(entry.find('\t') + 1));
    const bool counts = path.starts_with("implementations/") || of_harness.contains(path);
    if (!counts || path.ends_with(".md")) continue;
    wanted += std::string(parts[2]) + "\n";
    files.push_back({.path = std::move(path), .sha256 = {}, .includes = {}});
  }
  const std::optional<std::string> blobs = git(repository, {"cat-file", "--batch"}, wanted);
  if (!blobs) return {};
  std::string_view rest = *blobs;
  for (OldFile& file : files) {
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
  std::ranges::sort(files, {}, &OldFile::path);
  return files;
}

std::string text_at(const Machine& machine, const char* pointer) {
  const auto value =
      machine.block.value(nlohmann::ordered_json::json_pointer(pointer), nlohmann::ordered_json());
  return value.is_string() ? value.get<std::string>() : std::string();
}

bool is_commit(const std::string& text) {
  return text.size() >= 7 && text.size() <= 64 &&
         text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// The digest of every source file of the model, as this program computes digests.
std::set<std::string> digests_of(const std::string& model, std::span<const SourceFile> files,
                                 const Machine& machine) {
  const Compiler cpp{text_at(machine, "/compiler/name"), text_at(machine, "/compiler/flags")};
  const Compiler cuda{text_at(machine, "/cuda_compiler/name"),
                      text_at(machine, "/cuda_compiler/flags")};
  std::set<std::string> digests;
  const std::string folder = "implementations/" + model + "/";
  for (const SourceFile& file : files) {
    const bool is_source = file.path.ends_with(".cpp") || file.path.ends_with(".cu");
    if (is_source && file.path.starts_with(folder)) {
      digests.insert(digest_of(file.path, files, cpp, cuda));
    }
  }
  return digests;
}

}  // namespace

SourceHistory::SourceHistory(fs::path repository) : repository_(std::move(repository)) {}

fs::path SourceHistory::repository_here() {
  std::error_code ignored;
  for (fs::path folder :
       {fs::read_symlink("/proc/self/exe", ignored).parent_path(), fs::current_path(ignored)}) {
    for (; !folder.empty(); folder = folder.parent_path()) {
      if (fs::exists(folder / ".git") && fs::exists(folder / build_script)) return folder;
      if (folder == folder.parent_path()) break;
    }
  }
  return {};
}

std::string SourceHistory::why_unknown(const Record& record, const Machine& machine) const {
  // The implementation that this program has knows its own file.
  const Implementation* here = Registry::global().find(record.model + "/" + record.implementation);
  if (here != nullptr && source_digest(*here) == record.source) return {};
  const Digests& digests = digests_of(record.model, machine);
  if (digests.known.contains(record.source)) return {};
  if (!digests.why_none.empty()) return digests.why_none;
  return fmt::format("the sources of commit {} have another digest",
                     text_at(machine, "/source/commit").substr(0, 12));
}

const SourceHistory::Digests& SourceHistory::digests_of(const std::string& model,
                                                        const Machine& machine) const {
  const auto [entry, is_new] = cache_.try_emplace({machine.id(), model});
  Digests& digests = entry->second;
  if (!is_new) return digests;
  digests.known = macrobench::digests_of(model, source_files(), machine);
  const std::string commit = text_at(machine, "/source/commit");
  if (repository_.empty()) {
    digests.why_none = "there is no repository here whose history could be asked";
    return digests;
  }
  // What a block says goes to git only if it can be nothing but a commit.
  if (!is_commit(commit)) {
    digests.why_none = "the machine's block names no commit";
    return digests;
  }
  if (!git(repository_, {"merge-base", "--is-ancestor", commit, "HEAD"})) {
    digests.why_none =
        fmt::format("commit {} is not in the history of this repository", commit.substr(0, 12));
    return digests;
  }
  if (!git(repository_, {"cat-file", "-e", commit + ":" + std::string(digest_rule)})) {
    digests.why_none =
        fmt::format("commit {} made digests by an earlier rule", commit.substr(0, 12));
    return digests;
  }
  const std::vector<OldFile> old = files_of(repository_, commit);
  std::vector<SourceFile> files;
  for (const OldFile& file : old) {
    files.push_back({file.path, file.sha256, {file.includes.begin(), file.includes.end()}});
  }
  digests.known.merge(macrobench::digests_of(model, files, machine));
  return digests;
}

}  // namespace macrobench
