#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/model/registry.hpp"
#include "harness/text/json_cursor.hpp"

namespace macrobench {

/// The file's path as a reader of an error would type it.
std::string display_path(const std::filesystem::path& file);

/// Reads a file of JSON, called `file` in errors. Throws UsageError, with the line at which it is
/// not JSON.
nlohmann::json read_json(const std::filesystem::path& path, const std::string& file);

/// A place in a file that a person wrote: every error names the file and the pointer.
using Place = JsonCursor;

/// Values of the model's axes, each of the axis's type and range; "all" cores stays a word.
Parameters parameters_at(const Place& place, const Model& model);

}  // namespace macrobench
