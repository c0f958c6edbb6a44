#pragma once

// A solution as a folder for everybody: each array in NumPy's format, and solution.json, which says
// what they are, of which case, and what its certificate says. It holds every bit of the solution,
// so that it can be certified again.

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/files/output_folder.hpp"
#include "harness/model/array_view.hpp"
#include "harness/model/registry.hpp"
#include "harness/model/solution_arrays.hpp"

namespace macrobench {

inline constexpr const char* solution_name = "solution.json";

/// The content of a folder.
struct SolutionContent {
  std::string_view stored;        ///< as stored_text() wrote it
  std::vector<ArrayView> arrays;  ///< the same, with their shapes
  std::vector<GivenArray> given;  ///< of the problem: problem_K.npy
  ArrayUnits units;
};

/// Writes the arrays, and then solution.json, in which `about` comes after the key. Throws Failure.
void write_solution(const OutputFolder& folder, const SolutionContent& parts,
                    const nlohmann::ordered_json& about);

/// The solution as stored_text() writes it: from a folder, from its solution.json, or from the one
/// file that older versions wrote. Throws UsageError in one sentence, std::system_error, or Failure
/// if a file has more than so many bytes.
std::string read_solution(const std::filesystem::path& path,
                          std::uintmax_t most = std::uintmax_t{1} << 33);

/// The names of the files in a solution's folder, solution.json the last.
std::vector<std::string> files_of_solution(const std::filesystem::path& folder);

}  // namespace macrobench
