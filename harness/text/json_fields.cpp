#include "harness/text/json_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "harness/text/format.hpp"
#include "harness/text/json_values.hpp"

namespace macrobench {

using nlohmann::ordered_json;

namespace as {

namespace {

ordered_json finite_or_null(const double& number) {
  return std::isfinite(number) ? ordered_json(number) : ordered_json(nullptr);
}

/// A text that `is_right`, else `what` says what it must be.
JsonType<std::string> text_that(std::function<bool(std::string_view)> is_right, std::string what,
                                ordered_json schema) {
  return {[](const std::string& value) { return ordered_json(value); },
          [is_right = std::move(is_right), what = std::move(what)](const JsonCursor& cursor) {
            std::string value = cursor.text();
            if (!is_right(value)) cursor.fail(std::string_view(what));
            return value;
          },
          std::move(schema)};
}

/// True if it is the pattern, with any digit for a 0.
bool has_shape(std::string_view text, std::string_view pattern) {
  return std::ranges::equal(text, pattern, [](char its, char wanted) {
    return wanted == '0' ? its >= '0' && its <= '9' : its == wanted;
  });
}

}  // namespace

JsonType<bool> truth() {
  return {[](const bool& value) { return ordered_json(value); },
          &JsonCursor::truth,
          {{"type", "boolean"}}};
}

JsonType<std::string> text() {
  return {[](const std::string& value) { return ordered_json(value); },
          &JsonCursor::text,
          {{"type", "string"}}};
}

JsonType<std::string> name() {
  return text_that([](std::string_view text) { return !text.empty(); }, "it must not be empty",
                   {{"type", "string"}, {"minLength", 1}});
}

namespace {

/// Empty if it is null.
JsonType<std::string> empty_or(const JsonType<std::string>& type) {
  return {[](const std::string& value) { return macrobench::or_null(value); },
          [read = type.read](const JsonCursor& cursor) {
            return cursor.is_null() ? std::string() : read(cursor);
          },
          nullable(type.schema)};
}

}  // namespace

JsonType<std::string> text_or_null() {
  return empty_or(name());
}

JsonType<std::string> hexadecimal_or_null(std::size_t digits) {
  return empty_or(hexadecimal(digits));
}

JsonType<std::string> hexadecimal(std::size_t digits) {
  return text_that(
      [digits](std::string_view text) {
        return text.size() == digits &&
               text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
      },
      fmt::format("it must be {} hexadecimal digits", digits),
      {{"type", "string"}, {"pattern", fmt::format("^[0-9a-f]{{{}}}$", digits)}});
}

JsonType<std::string> utc_time() {
  return text_that([](std::string_view text) { return has_shape(text, "0000-00-00T00:00:00Z"); },
                   "it must be a time such as 2026-11-20T10:00:00Z",
                   {{"type", "string"},
                    {"pattern", "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"}});
}

JsonType<std::string> one_of(const std::vector<std::string>& words) {
  return text_that([words](std::string_view text) { return std::ranges::count(words, text) > 0; },
                   fmt::format("it must be one of {}", fmt::join(words, ", ")), {{"enum", words}});
}

JsonType<double> number() {
  return {finite_or_null, &JsonCursor::number, {{"type", "number"}}};
}

JsonType<double> number_or_null() {
  return {finite_or_null, &JsonCursor::number_or_null, nullable({{"type", "number"}})};
}

JsonType<double> number_within(double lowest, double highest) {
  return {
      [lowest, highest](const double& value) {
        if (!(value >= lowest && value <= highest)) {
          throw std::invalid_argument(
              fmt::format("{} is not a number from {} to {}", value, lowest, highest));
        }
        return ordered_json(value);
      },
      [lowest, highest](const JsonCursor& cursor) { return cursor.number_within(lowest, highest); },
      {{"type", "number"}, {"minimum", lowest}, {"maximum", highest}}};
}

JsonType<double> number_above_0() {
  return {finite_or_null,
          [](const JsonCursor& cursor) {
            if (!(cursor.number() > 0)) cursor.fail("it must be above 0");
            return cursor.number();
          },
          {{"type", "number"}, {"exclusiveMinimum", 0}}};
}

JsonType<double> seconds() {
  return number_within(0, 1e12);
}

JsonType<double> nine_digits(JsonType<double> type) {
  type.write = [write = type.write](const double& value) {
    return write(macrobench::to_nine_digits(value));
  };
  return type;
}

JsonType<std::int64_t> whole_within(std::int64_t lowest, std::int64_t highest) {
  const bool is_open = highest == std::numeric_limits<std::int64_t>::max();
  ordered_json schema{{"type", "integer"}, {"minimum", lowest}};
  if (!is_open) schema["maximum"] = highest;
  const std::string what =
      is_open ? fmt::format("it must be a whole number, {} or more", lowest)
              : fmt::format("it must be a whole number from {} to {}", lowest,
                            highest == 1'000'000 ? "a million" : std::to_string(highest));
  return {[](const std::int64_t& value) { return ordered_json(value); },
          [lowest, highest, what](const JsonCursor& cursor) {
            if (!is_whole(cursor.value()) || cursor.value() < lowest || cursor.value() > highest) {
              cursor.fail(std::string_view(what));
            }
            return cursor.value().get<std::int64_t>();
          },
          std::move(schema)};
}

JsonType<std::uint64_t> unsigned_64() {
  return {[](const std::uint64_t& value) { return ordered_json(value); },
          [](const JsonCursor& cursor) {
            if (!cursor.value().is_number_unsigned()) {
              cursor.fail("it must be a whole number, 0 or more");
            }
            return cursor.value().get<std::uint64_t>();
          },
          {{"type", "integer"}, {"minimum", 0}}};
}

ordered_json nullable(ordered_json schema) {
  const auto type = schema.find("type");
  if (type == schema.end()) return {{"oneOf", {{{"type", "null"}}, std::move(schema)}}};
  *type = {*type, "null"};
  return schema;
}

ordered_json list_schema(ordered_json items) {
  return {{"type", "array"}, {"items", std::move(items)}};
}

ordered_json map_schema(ordered_json values) {
  return {{"type", "object"}, {"additionalProperties", std::move(values)}};
}

}  // namespace as

ordered_json object_schema(std::string_view description) {
  ordered_json schema{{"type", "object"}};
  if (!description.empty()) schema["description"] = description;
  schema["required"] = ordered_json::array();
  schema["additionalProperties"] = false;
  schema["properties"] = ordered_json::object();
  return schema;
}

void describe(ordered_json& object, const std::string& name, ordered_json schema,
              std::string_view description, bool is_required) {
  if (is_required) object["required"].push_back(name);
  ordered_json& its = object["properties"][name] = std::move(schema);
  if (!description.empty()) its["description"] = description;
}

void check_version(const JsonCursor& cursor, int number) {
  if (cursor.whole() != number) cursor.fail("it must be {}", number);
}

bool says_nothing(const ordered_json& value) {
  return value.is_structured() || value.is_string()
             ? value.empty() || value == ""
             : value.is_null() || value == false || value == 0;
}

}  // namespace macrobench
