#include "harness/regress/commit_pair.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

constexpr std::string_view implementations = "implementations/";

/// What decides compilers, flags and libraries, as git's patterns. The digest has the flags of the
/// build alone, not those that a rule gives to a single source.
const std::vector<std::string> rules{"CMakeLists.txt",
                                     "CMakePresets.json",
                                     "cmake",
                                     "harness/CMakeLists.txt",
                                     ":(glob)implementations/**/CMakeLists.txt",
                                     "tools/build",
                                     "tools/cuda_toolkit"};

}  // namespace

CommitPair::CommitPair(const std::filesystem::path& repository, const std::string& base,
                       const std::string& head)
    : base_(commit_named(repository, base)),
      head_(head.empty() ? std::string(source_commit()) : commit_named(repository, head)),
      base_sources_(repository, base_),
      head_sources_(repository, head.empty() ? std::string() : head_),
      base_files_(base_sources_.files()),
      head_files_(head.empty() ? source_files() : head_sources_.files()) {
  std::vector<std::string> command{"--no-optional-locks", "diff", "--no-ext-diff",
                                   "--name-only",         "-z",   base_};
  if (!head.empty()) command.push_back(head_);
  command.emplace_back("--");
  command.insert(command.end(), rules.begin(), rules.end());
  const std::optional<std::string> changed = git(repository, command);
  if (!changed) {
    base_files_ = {};
    return;
  }
  for (const std::string_view path : split(*changed, '\0')) {
    if (!path.empty()) changed_rules_.emplace_back(path);
  }
}

bool CommitPair::has_same(const Implementation& implementation) const {
  return !base_files_.empty() && !head_files_.empty() && has_same_rules(implementation.model) &&
         digest_of(implementation.source, base_files_) ==
             digest_of(implementation.source, head_files_);
}

/// Another model's rules decide nothing here.
bool CommitPair::has_same_rules(const std::string& model) const {
  return std::ranges::all_of(changed_rules_, [&](std::string_view path) {
    if (!path.starts_with(implementations)) return false;
    const std::string_view rest = path.substr(implementations.size());
    const std::string_view folder = rest.substr(0, rest.find('/'));
    return folder != model && Registry::global().find_model(folder) != nullptr;
  });
}

}  // namespace macrobench
