#include "paper_tables/definitions/place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "harness/records/record.hpp"
#include "harness/system/whole_file.hpp"
#include "harness/text/error.hpp"
#include "harness/text/nearest.hpp"
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

Place::Place(const std::string& file, const json& value, std::string pointer)
    : file_(file), value_(value), pointer_(std::move(pointer)) {}

void Place::fail(std::string_view what) const {
  throw UsageError(fmt::format("{} at {}: {}", file_, pointer_.empty() ? "/" : pointer_, what));
}

void Place::allow(const std::vector<std::string>& names) const {
  if (!value_.is_object()) fail("it must be an object");
  for (const auto& [name, ignored] : value_.items()) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      fail(unknown_name("field", name, names));
    }
  }
}

Place Place::at(const std::string& name) const {
  if (!value_.is_object()) fail("it must be an object");
  const auto found = value_.find(name);
  if (found == value_.end()) fail(fmt::format("the field '{}' is missing", name));
  return {file_, *found, pointer_ + "/" + name};
}

std::vector<Place> Place::items() const {
  if (!value_.is_array()) fail("it must be an array");
  std::vector<Place> places;
  for (std::size_t i = 0; i < value_.size(); ++i) {
    places.emplace_back(file_, value_[i], fmt::format("{}/{}", pointer_, i));
  }
  return places;
}

std::string Place::text() const {
  if (!value_.is_string()) fail("it must be a string");
  return value_.get<std::string>();
}

std::string Place::text_or_empty(const std::string& name) const {
  return has(name) ? at(name).text() : std::string();
}

double Place::number() const {
  if (!value_.is_number()) fail("it must be a number");
  return value_.get<double>();
}

std::size_t Place::count() const {
  const double value = number();
  if (!(value >= 1 && value <= 1e6 && value == std::floor(value))) {
    fail("it must be a whole number from 1 to a million");
  }
  return static_cast<std::size_t>(value);
}

Parameters Place::parameters(const Model& model) const {
  if (!value_.is_object()) fail("it must be an object");
  Parameters result;
  for (const auto& [name, value] : value_.items()) {
    const Place place(file_, value, pointer_ + "/" + name);
    try {
      const Axis& axis = find_axis(model.axes, name);
      const std::optional<Value> said = value_from_json(value);
      if (!said) place.fail("it must be a number or a string");
      const Value& given = *said;
      const bool all_cores = axis.counts_cores && given == Value(std::string("all"));
      result.set(name, all_cores ? given : check_value(axis, given, 1));
    } catch (const UsageError& error) {
      if (std::string_view(error.what()).starts_with(file_)) throw;
      place.fail(error.what());
    }
  }
  return result;
}

void Place::check_schema(std::int64_t known) const {
  if (!value_.is_number_integer() || value_.get<std::int64_t>() < 1) {
    fail(fmt::format("it must be {}", known));
  }
  if (value_.get<std::int64_t>() > known) {
    fail(fmt::format("schema {} comes from a later version of macrobench; this one reads {}",
                     value_.get<std::int64_t>(), known));
  }
}

}  // namespace macrobench
