#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/registry.hpp"
#include "harness/text/error.hpp"
#include "harness/text/json_cursor.hpp"

namespace macrobench {

/// The file's path as a reader of an error would type it.
std::string display_path(const std::filesystem::path& file);

/// A place in a file that a person wrote: every error names the file and the pointer.
using Place = JsonCursor;

/// Visits each member of the list NAME in a file of JSON, {"schema", NAME}; none if there is no
/// such file. Throws UsageError.
void for_each_in(const std::filesystem::path& path, const std::string& name,
                 const std::function<void(const Place&)>& visit);

/// What the function returns; its UsageError becomes one at this place.
template <class Find>
decltype(auto) found_at(const Place& place, Find find) {
  try {
    return find();
  } catch (const UsageError& error) {
    place.fail(error.what());
  }
}

/// The items of a list; what is not a list is the only item.
std::vector<Place> one_or_several(const Place& place);

/// The text, which must be one of the names; `kind` is what they are of. Returns its place among
/// them.
std::size_t find_name(const Place& place, std::string_view kind,
                      const std::vector<std::string>& names);
/// The name itself.
std::string name_at(const Place& place, std::string_view kind,
                    const std::vector<std::string>& names);

/// Values of the model's axes, each of the axis's type and range; "all" cores stays a word.
Parameters parameters_at(const Place& place, const Model& model);

}  // namespace macrobench
