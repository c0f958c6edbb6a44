#include "paper_tables/definitions/place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "harness/records/record.hpp"
#include "harness/records/record_json.hpp"
#include "harness/system/whole_file.hpp"
#include "harness/text/error.hpp"
#include "harness/text/nesting.hpp"

namespace macrobench {

namespace fs = std::filesystem;
using nlohmann::json;

std::string display_path(const fs::path& file) {
  std::error_code ignored;
  const fs::path near = file.lexically_proximate(fs::current_path(ignored));
  return near.empty() || *near.begin() == ".." ? file.string() : near.string();
}

json read_json(const fs::path& path, const std::string& file) {
  std::string text;
  try {
    text = read_whole(path);
    check_nesting(text);
    return json::parse(text);
  } catch (const std::system_error& error) {
    throw UsageError(fmt::format("{}: it cannot be read ({})", file, error.code().message()));
  } catch (const std::invalid_argument& error) {
    throw UsageError(fmt::format("{}: {}", file, error.what()));
  } catch (const json::parse_error& error) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
    throw UsageError(fmt::format("{}: it is not JSON from line {} on", file,
                                 1 + std::count(text.begin(), end, '\n')));
  } catch (const json::out_of_range&) {
    throw UsageError(fmt::format("{}: a number in it is too large", file));
  }
}

Parameters parameters_at(const Place& place, const Model& model) {
  Parameters result;
  place.each_member([&](const std::string& name, const Place& field) {
    const std::optional<Value> given = value_from_json(field.value());
    if (!given) field.fail("it must be a number or a string");
    try {
      const Axis& axis = find_axis(model.axes, name);
      const bool all_cores = axis.counts_cores && *given == Value(std::string("all"));
      result.set(name, all_cores ? *given : check_value(axis, *given, 1));
    } catch (const UsageError& error) {
      field.fail(error.what());
    }
  });
  return result;
}

}  // namespace macrobench
