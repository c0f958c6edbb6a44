#include "harness/sources/source_digest.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/files/digest.hpp"
#include "harness/model/registry.hpp"

namespace macrobench {

namespace {

constexpr std::string_view implementations = "implementations/";
/// What runs other processes decides only the results of who includes it.
bool runs_others(std::string_view path) {
  return path.starts_with("harness/programs/") || path.starts_with("harness/process/");
}

std::string_view without_extension(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  const bool in_name =
      dot != std::string_view::npos && path.find('/', dot) == std::string_view::npos;
  return in_name ? path.substr(0, dot) : path;
}

bool is_header(std::string_view path) {
  return path.ends_with(".hpp") || path.ends_with(".cuh") || path.ends_with(".h");
}

/// The folder that belongs to a file with this stem: solve/ for solve.cpp, policy/ for policy.hpp
/// and for policy/policy.hpp.
std::string folder_of(std::string_view path) {
  const std::string_view stem = without_extension(path);
  const std::string_view folder = stem.substr(0, stem.rfind('/'));
  // NAME.cpp in a model's own folder, implementations/MODEL/, speaks for itself alone.
  const bool is_deep = path.starts_with(implementations) && std::ranges::count(folder, '/') > 1;
  const bool is_of_folder =
      is_deep && is_header(path) && folder.ends_with(stem.substr(folder.size()));
  return std::string(is_of_folder ? folder : stem) + '/';
}

/// The code that draws a model's curves decides no result.
bool is_plot(std::string_view path) {
  return without_extension(path).ends_with("/figures");
}

/// The compiler may get different paths; the part from the repository's root is the same.
std::string_view from_the_root(std::string_view path) {
  const std::size_t at = path.rfind(implementations);
  return at == std::string_view::npos ? path : path.substr(at);
}

class Closure {
 public:
  explicit Closure(std::span<const SourceFile> files) {
    for (const SourceFile& file : files) files_[file.path] = &file;
  }

  void add(std::string_view path) {
    const auto found = files_.find(path);
    if (found == files_.end() || is_plot(path) || !paths_.insert(found->first).second) return;
    const SourceFile& file = *found->second;
    const std::string folder(path.substr(0, path.rfind('/') + 1));
    for (const std::string_view include : file.includes) {
      add(include);
      add(folder + std::string(include));
    }
    const std::string its_folder = folder_of(path);
    for (const auto& [other, ignored] : files_) {
      const bool defines_it = is_header(path) && !is_header(other) &&
                              without_extension(other) == without_extension(path);
      // Files that register themselves with a header's registry: no include names them.
      if (defines_it || other.starts_with(its_folder)) add(other);
    }
  }

  /// In a model's folder: what makes a problem from parameters, and what judges its solution.
  void add_model(std::string_view folder) {
    const std::string_view model = folder.substr(folder.rfind('/') + 1);
    for (const auto& [path, file] : files_) {
      if (!path.starts_with(folder) || path.substr(folder.size(), 1) != "/") continue;
      const std::string_view stem = without_extension(path.substr(folder.size() + 1));
      const bool decides = stem == model || stem == "model" || stem == "parameters" ||
                           stem == "certificate" || stem.starts_with("certificate/");
      if (decides) add(path);
    }
  }

  void add_harness() {
    for (const auto& [path, file] : files_) {
      if (!path.starts_with(implementations) && !runs_others(path)) paths_.insert(path);
    }
  }

  [[nodiscard]] bool has_cuda() const {
    return std::ranges::any_of(paths_, [](std::string_view path) {
      return path.ends_with(".cu") || path.ends_with(".cuh");
    });
  }

  [[nodiscard]] std::string text() const {
    std::string all;
    for (const std::string_view path : paths_) {
      all += std::string(path) + " " + std::string(files_.at(path)->sha256) + "\n";
    }
    return all;
  }

 private:
  std::map<std::string_view, const SourceFile*> files_;
  std::set<std::string_view> paths_;
};

}  // namespace

std::string digest_of(std::string_view file, std::span<const SourceFile> files, const Compiler& cpp,
                      const Compiler& cuda) {
  const std::string_view path = from_the_root(file);
  Closure closure(files);
  closure.add(path);
  const std::size_t end = path.find('/', implementations.size());
  if (path.starts_with(implementations) && end != std::string_view::npos) {
    closure.add_model(path.substr(0, end));
  }
  closure.add_harness();
  std::string text = std::string(path) + "\n" + closure.text();
  text += cpp.name + " " + cpp.flags + "\n";
  if (closure.has_cuda()) text += cuda.name + " " + cuda.flags + "\n";
  return sha256(text);
}

// The build defines these names for this file.
Compiler cpp_compiler() {
  return {MACROBENCH_COMPILER, MACROBENCH_FLAGS};
}
Compiler cuda_compiler() {
  return {MACROBENCH_CUDA_COMPILER, MACROBENCH_CUDA_FLAGS};
}

std::string build_rules(const std::string& model) {
  std::string text(source_rules());
  for (const SourceFile& file : source_files()) {
    if (!file.path.starts_with(implementations) || !file.path.ends_with("CMakeLists.txt")) continue;
    const std::string_view rest = file.path.substr(implementations.size());
    const std::string_view folder = rest.substr(0, rest.find('/'));
    const bool is_other_model = folder != model && Registry::global().find_model(folder) != nullptr;
    if (!is_other_model) text += std::string(file.path) + " " + std::string(file.sha256) + "\n";
  }
  return sha256(text);
}

std::string digest_with_folder(const std::string& digest, const std::string& of_folder) {
  return of_folder.empty() ? digest : sha256(digest + "\n" + of_folder + "\n");
}

std::string source_digest(const Implementation& implementation) {
  static std::map<std::string, std::string> known;
  const auto [entry, is_new] = known.try_emplace(implementation.source);
  if (is_new) entry->second = digest_of(implementation.source, source_files());
  return digest_with_folder(entry->second, implementation.folder_digest);
}

}  // namespace macrobench
