#pragma once

// What macrobench was built from: sources and compilers. cmake/source_state.cmake writes the
// definitions of the sources' state at every build.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace macrobench {

struct Implementation;

/// A compiler that macrobench was built with, and the flags of all its files.
struct Compiler {
  std::string name;  ///< "GNU 12.2.0"; empty if there was none
  std::string flags;
};

Compiler cpp_compiler();
Compiler cuda_compiler();

/// A file that decides results.
struct SourceFile {
  std::string_view path;                   ///< from the repository's root
  std::string_view sha256;                 ///< of its content
  std::vector<std::string_view> includes;  ///< what it includes in quotes, as written
};

/// The git commit; empty if there is no repository.
std::string_view source_commit();
/// Whether files differed from the commit (except results/); none if that is not known.
std::optional<bool> source_dirty();
/// Every file below implementations/, and those of the harness that decide every result (the list
/// is in cmake/source_state.cmake); sorted by path.
std::span<const SourceFile> source_files();

/// SHA-256 of the rules that decide how all sources are compiled, beside the flags of all files.
std::string_view source_rules();

/// SHA-256 of these and of what the model's own folder has, and folders that are no model's.
std::string build_rules(const std::string& model);

/// SHA-256 over all that decides the results of an implementation in this file, which may be an
/// absolute path: the files of the harness; its model's parameters, certificate and economics; its
/// own file; everything behind these (what they include, the source files of the same name beside
/// an included header, and folders of these files' names); and the compilers of their languages. A
/// file that is not among them counts only with its name.
std::string digest_of(std::string_view file, std::span<const SourceFile> files,
                      const Compiler& cpp = cpp_compiler(), const Compiler& cuda = cuda_compiler());

/// That of a program from outside: of its model's file and of its folder. The first of these where
/// there is no folder.
std::string digest_with_folder(const std::string& digest, const std::string& of_folder);

/// The same for an implementation, as it was when macrobench was built; of a program from outside
/// together with its folder, as it is now.
std::string source_digest(const Implementation& implementation);

}  // namespace macrobench
