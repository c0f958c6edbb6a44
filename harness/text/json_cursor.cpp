#include "harness/text/json_cursor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "harness/text/error.hpp"
#include "harness/text/nearest.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

using nlohmann::json;

void JsonCursor::fail(std::string_view what) const {
  constexpr std::size_t longest = 200;
  const std::string place = pointer_.empty() ? "/" : shortened(pointer_, longest);
  if (file_ != nullptr) throw UsageError("{} at {}: {}", *file_, place, what);
  throw std::invalid_argument(fmt::format("{}: {}", place, what));
}

void JsonCursor::check_object() const {
  if (!value_.is_object()) fail("it must be an object");
}

JsonCursor JsonCursor::member(const std::string& name, const json& value) const {
  JsonCursor its(value, pointer_ + "/" + name);
  its.file_ = file_;
  return its;
}

void JsonCursor::allow(const std::vector<std::string>& names) const {
  // With it a person's editor completes the file's fields.
  const bool has_schema = file_ != nullptr && pointer_.empty();
  each_member([&](const std::string& name, const JsonCursor&) {
    if (has_schema && name == "$schema") return;
    if (std::ranges::count(names, name) == 0) fail(unknown_name("field", name, names));
  });
}

void JsonCursor::check_schema(std::int64_t known) const {
  if (!is_whole(value_) || value_.get<std::int64_t>() < 1) {
    fail("it must be {}{}", known > 1 ? "from 1 to " : "", known);
  }
  if (value_.get<std::int64_t>() > known) {
    fail("schema {} comes from a later version of macrobench; this one reads {}",
         value_.get<std::int64_t>(), known);
  }
}

JsonCursor JsonCursor::at(const std::string& name) const {
  check_object();
  const auto found = value_.find(name);
  if (found == value_.end()) fail("the field '{}' is missing", name);
  return member(name, *found);
}

std::vector<JsonCursor> JsonCursor::items() const {
  if (!value_.is_array()) fail("it must be an array");
  std::vector<JsonCursor> all;
  all.reserve(value_.size());
  for (std::size_t i = 0; i < value_.size(); ++i) {
    all.push_back(member(std::to_string(i), value_[i]));
  }
  return all;
}

std::string JsonCursor::text() const {
  if (!value_.is_string()) fail("it must be a string");
  return value_.get<std::string>();
}

std::string JsonCursor::text_or_null() const {
  return is_null() ? std::string() : text();
}

std::string JsonCursor::text_or_empty(const std::string& name) const {
  return has(name) ? at(name).text() : std::string();
}

bool JsonCursor::truth() const {
  if (!value_.is_boolean()) fail("it must be true or false");
  return value_.get<bool>();
}

double JsonCursor::number() const {
  if (!value_.is_number()) fail("it must be a number");
  return value_.get<double>();
}

double JsonCursor::number_or_null() const {
  if (is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (!value_.is_number()) fail("it must be a number or null");
  return value_.get<double>();
}

double JsonCursor::number_within(double lowest, double highest) const {
  if (!value_.is_number() || !(value_ >= lowest && value_ <= highest)) {
    fail("it must be a number from {} to {}", lowest, highest);
  }
  return value_.get<double>();
}

std::int64_t JsonCursor::whole() const {
  if (!is_whole(value_)) fail("it must be a whole number");
  return value_.get<std::int64_t>();
}

std::int64_t JsonCursor::at_least_0() const {
  if (!is_whole(value_) || value_ < 0) fail("it must be a whole number, 0 or more");
  return value_.get<std::int64_t>();
}

std::size_t JsonCursor::count() const {
  const double value = number();
  if (!(value >= 1 && value <= 1e6 && value == std::floor(value))) {
    fail("it must be a whole number from 1 to a million");
  }
  return static_cast<std::size_t>(value);
}

bool is_whole(const json& value) {
  constexpr auto largest = std::uint64_t{std::numeric_limits<std::int64_t>::max()};
  return value.is_number_integer() &&
         (!value.is_number_unsigned() || value.get<std::uint64_t>() <= largest);
}

}  // namespace macrobench
