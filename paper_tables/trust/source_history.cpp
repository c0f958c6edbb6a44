#include "paper_tables/trust/source_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "harness/files/temporary_folder.hpp"
#include "harness/model/registry.hpp"
#include "harness/process/process.hpp"
#include "harness/programs/manifest.hpp"
#include "harness/sources/commit_sources.hpp"
#include "harness/sources/source_digest.hpp"
#include "harness/text/error.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view build_script = "cmake/source_state.cmake";
/// Where the rule for digests has been since it is the present one.
constexpr const char* digest_rules[] = {"harness/sources/source_digest.cpp",
                                        "harness/records/source_digest.cpp"};

/// The digest of every source file of the model, as this build computes digests.
std::set<std::string> digests_of(const std::string& model, std::span<const SourceFile> files,
                                 const Machine& machine) {
  const Compiler cpp{machine.text_at("/compiler/name"), machine.text_at("/compiler/flags")};
  const Compiler cuda{machine.text_at("/cuda_compiler/name"),
                      machine.text_at("/cuda_compiler/flags")};
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

/// Adds the digests of the programs from outside that solve the model, as they are in the commit:
/// each is of one of these sources and of the program's folder.
void add_programs(const std::string& model, const fs::path& repository, const std::string& commit,
                  std::set<std::string>& digests) {
  const auto archive = git(repository, {"archive", "--format=tar", commit, "--", "programs"});
  if (!archive) return;  // it has none
  const TemporaryFolder folder;
  run_process({.executable = "tar",
               .command = {"tar", "-x", "-C", folder.path()},
               .input = *archive,
               .deadline = 60});
  const std::set<std::string> sources = digests;
  for (const fs::path& program : program_folders(folder.path() / "programs")) {
    try {
      const Manifest manifest = read_manifest(program);
      if (manifest.model != model) continue;
      for (const std::string& source : sources) {
        digests.insert(digest_with_folder(source, manifest.digest));
      }
    } catch (const UsageError&) {
      continue;  // this build's rules for a manifest are not that commit's
    }
  }
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
  // The implementation that this build has knows its own file.
  const Implementation* here = Registry::global().find(record.id());
  if (here != nullptr && source_digest(*here) == record.source) return {};
  const Digests& digests = digests_of(record.model, machine);
  if (digests.known.contains(record.source)) return {};
  if (!digests.why_none.empty()) return digests.why_none;
  return fmt::format("the sources of commit {} have another digest",
                     machine.text_at("/source/commit").substr(0, 12));
}

const SourceHistory::Digests& SourceHistory::digests_of(const std::string& model,
                                                        const Machine& machine) const {
  const auto [entry, is_new] = cache_.try_emplace({machine.id(), model});
  Digests& digests = entry->second;
  if (!is_new) return digests;
  digests.known = macrobench::digests_of(model, source_files(), machine);
  const std::string commit = machine.text_at("/source/commit");
  if (repository_.empty()) {
    digests.why_none = "there is no repository here whose history could be asked";
    return digests;
  }
  // What a block says goes to git only if it can be nothing but a commit.
  if (!is_commit_hash(commit)) {
    digests.why_none = "the machine's block names no commit";
    return digests;
  }
  if (!git(repository_, {"merge-base", "--is-ancestor", commit, "HEAD"})) {
    digests.why_none =
        fmt::format("commit {} is not in the history of this repository", commit.substr(0, 12));
    return digests;
  }
  if (std::ranges::none_of(digest_rules, [&](const char* rule) {
        return git(repository_, {"cat-file", "-e", commit + ":" + rule}).has_value();
      })) {
    digests.why_none =
        fmt::format("commit {} made digests by an earlier rule", commit.substr(0, 12));
    return digests;
  }
  const CommitSources sources(repository_, commit);
  std::set<std::string> of_commit = macrobench::digests_of(model, sources.files(), machine);
  add_programs(model, repository_, commit, of_commit);
  digests.known.merge(of_commit);
  return digests;
}

}  // namespace macrobench
