#include "paper_tables/cells/place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "harness/files/json_file.hpp"
#include "harness/records/record.hpp"
#include "harness/records/record_json.hpp"
#include "harness/text/error.hpp"
#include "harness/text/nearest.hpp"

namespace macrobench {

namespace fs = std::filesystem;
using nlohmann::json;

/// Bytes; ours have less than a thousandth of it.

std::string display_path(const fs::path& file) {
  std::error_code ignored;
  const fs::path near = file.lexically_proximate(fs::current_path(ignored));
  return near.empty() || *near.begin() == ".." ? file.string() : near.string();
}

void for_each_in(const fs::path& path, const std::string& name,
                 const std::function<void(const Place&)>& visit) {
  if (!fs::exists(path)) return;
  const std::string file = display_path(path);
  const json document = read_json(path, file);
  const Place top(file, document);
  top.allow({"schema", name});
  top.at("schema").check_schema(1);
  for (const Place& place : top.at(name).items()) visit(place);
}

std::vector<Place> one_or_several(const Place& place) {
  return place.is_list() ? place.items() : std::vector<Place>{place};
}

std::size_t find_name(const Place& place, std::string_view kind,
                      const std::vector<std::string>& names) {
  const std::string name = place.text();
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) place.fail(unknown_name(kind, name, names));
  return static_cast<std::size_t>(found - names.begin());
}

std::string name_at(const Place& place, std::string_view kind,
                    const std::vector<std::string>& names) {
  return names[find_name(place, kind, names)];
}

Parameters parameters_at(const Place& place, const Model& model) {
  Parameters result;
  place.each_member([&](const std::string& name, const Place& field) {
    const std::optional<Value> given = value_from_json(field.value());
    if (!given) field.fail("it must be a number or a string");
    result.set(name, found_at(field, [&] {
                 const Axis& axis = find_axis(model.axes, name);
                 const bool all_cores = axis.counts_cores && *given == Value(std::string("all"));
                 return all_cores ? *given : check_value(axis, *given, 1);
               }));
  });
  return result;
}

}  // namespace macrobench
