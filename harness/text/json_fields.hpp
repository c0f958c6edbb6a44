#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/text/json_cursor.hpp"

namespace macrobench {

// One description of a struct, from which its JSON is written and read, its values are held within
// their bounds, and its JSON Schema follows.

/// How a value is written, read and described. Writing throws std::invalid_argument for a number
/// outside of its bounds; reading throws what JsonCursor does.
template <class T>
struct JsonType {
  std::function<nlohmann::ordered_json(const T&)> write;
  std::function<T(const JsonCursor&)> read;
  nlohmann::ordered_json schema;
};

/// The types that fields are written as.
namespace as {

JsonType<bool> truth();
JsonType<std::string> text();
JsonType<std::string> name();          ///< a text that is not empty
JsonType<std::string> text_or_null();  ///< empty if it is null
JsonType<std::string> hexadecimal(std::size_t digits);
JsonType<std::string> hexadecimal_or_null(std::size_t digits);  ///< empty if it is null
JsonType<std::string> utc_time();                               ///< "2026-11-20T10:00:00Z"
JsonType<std::string> one_of(const std::vector<std::string>& words);

JsonType<double> number();          ///< any; what is not finite is written as null
JsonType<double> number_or_null();  ///< the same, and null is read as not a number
JsonType<double> number_within(double lowest, double highest);
JsonType<double> number_above_0();
/// Up to thirty thousand years: sums of larger numbers might overflow.
JsonType<double> seconds();
/// Written with the digits that mean something.
JsonType<double> nine_digits(JsonType<double> type);

/// The whole numbers from `lowest` to `highest`.
JsonType<std::int64_t> whole_within(std::int64_t lowest, std::int64_t highest);
template <class Whole>
JsonType<Whole> whole(std::int64_t lowest, std::int64_t highest) {
  const JsonType<std::int64_t> type = whole_within(lowest, highest);
  return {[write = type.write](const Whole& value) { return write(std::int64_t(value)); },
          [read = type.read](const JsonCursor& cursor) { return static_cast<Whole>(read(cursor)); },
          type.schema};
}
/// From 1 to a million.
template <class Whole>
JsonType<Whole> count() {
  return whole<Whole>(1, 1'000'000);
}
/// From 0 to the largest int, or to the largest std::int64_t if the type holds that.
template <class Whole>
JsonType<Whole> at_least_0() {
  return whole<Whole>(0, sizeof(Whole) < sizeof(std::int64_t)
                             ? std::numeric_limits<int>::max()
                             : std::numeric_limits<std::int64_t>::max());
}
JsonType<std::uint64_t> unsigned_64();

nlohmann::ordered_json nullable(nlohmann::ordered_json schema);
nlohmann::ordered_json list_schema(nlohmann::ordered_json items);
nlohmann::ordered_json map_schema(nlohmann::ordered_json values);

/// None if it is null.
template <class T>
JsonType<std::optional<T>> or_null(JsonType<T> type) {
  return {[write = type.write](const std::optional<T>& value) {
            return value ? write(*value) : nlohmann::ordered_json(nullptr);
          },
          [read = type.read](const JsonCursor& cursor) {
            return cursor.is_null() ? std::nullopt : std::optional<T>(read(cursor));
          },
          nullable(std::move(type.schema))};
}

template <class T>
JsonType<std::vector<T>> list(JsonType<T> type) {
  return {[write = type.write](const std::vector<T>& values) {
            nlohmann::ordered_json array = nlohmann::ordered_json::array();
            for (const T& value : values) array.push_back(write(value));
            return array;
          },
          [read = type.read](const JsonCursor& cursor) { return cursor.list_of(read); },
          list_schema(std::move(type.schema))};
}

template <class T>
JsonType<std::map<std::string, T>> map(JsonType<T> type) {
  return {[write = type.write](const std::map<std::string, T>& values) {
            nlohmann::ordered_json object = nlohmann::ordered_json::object();
            for (const auto& [name, value] : values) object[name] = write(value);
            return object;
          },
          [read = type.read](const JsonCursor& cursor) { return cursor.map_of(read); },
          map_schema(std::move(type.schema))};
}

}  // namespace as

/// The schema of an object without members; describe() adds one.
nlohmann::ordered_json object_schema(std::string_view description);
void describe(nlohmann::ordered_json& object, const std::string& name,
              nlohmann::ordered_json schema, std::string_view description, bool is_required);
void check_version(const JsonCursor& cursor, int number);
/// Null, false, 0, or empty.
bool says_nothing(const nlohmann::ordered_json& value);

/// The condition for a member to be in the JSON of its struct.
enum class Presence {
  always,
  later,      ///< always; what another commit's build writes may lack it
  if_filled,  ///< unless it is empty, false or 0
  if_any      ///< unless there is none
};

/// The fields of a struct's JSON, in the order in which they are written. A member that no field
/// reads is passed over: a later version may have written it.
template <class Struct>
class JsonFields {
 public:
  using Json = nlohmann::ordered_json;
  using Rule = std::function<void(const Struct&, const JsonCursor&)>;

  explicit JsonFields(std::string_view description = {}) : schema_(object_schema(description)) {}

  template <class T>
  JsonFields& field(const std::string& name, T Struct::* member, const JsonType<T>& type,
                    std::string_view description = {}, Presence presence = Presence::always) {
    return add(
        {name, presence,
         [member, write = type.write](const Struct& from) { return write(from.*member); },
         [member, read = type.read](const JsonCursor& at, Struct& to) { to.*member = read(at); }},
        type.schema, description);
  }

  template <class T>
  JsonFields& optional_field(const std::string& name, T Struct::* member, const JsonType<T>& type,
                             std::string_view description = {}) {
    return field(name, member, type, description, Presence::if_filled);
  }
  template <class T>
  JsonFields& optional_field(const std::string& name, std::optional<T> Struct::* member,
                             const JsonType<T>& type, std::string_view description = {}) {
    return field<std::optional<T>>(name, member, {as::or_null(type).write, type.read, type.schema},
                                   description, Presence::if_any);
  }

  /// Members that form a nested object in JSON.
  JsonFields& group(const std::string& name, const JsonFields& its) {
    return add({name, Presence::always, [its](const Struct& from) { return its.write(from); },
                [its](const JsonCursor& at, Struct& to) { its.read_into(at, to); }},
               its.schema_, {});
  }

  /// The version that is written, which alone is read.
  JsonFields& version(int number) {
    return add({"schema", Presence::always, [number](const Struct&) { return Json(number); },
                [number](const JsonCursor& at, Struct&) { check_version(at, number); }},
               {{"const", number}}, {});
  }

  /// A rule for several fields together, checked after they are read; throws. `schema` has its
  /// words in JSON Schema, if there are any.
  JsonFields& rule(Rule check, const Json& schema = Json::object()) {
    rules_.push_back(std::move(check));
    schema_.update(schema);
    return *this;
  }

  [[nodiscard]] Json write(const Struct& from) const {
    Json object = Json::object();
    for (const Field& field : fields_) {
      Json value = field.value_of(from);
      if (field.presence == Presence::if_filled && says_nothing(value)) continue;
      if (field.presence == Presence::if_any && value.is_null()) continue;
      object[field.name] = std::move(value);
    }
    return object;
  }
  [[nodiscard]] Struct read(const JsonCursor& cursor) const {
    Struct to;
    read_into(cursor, to);
    return to;
  }
  /// A JSON Schema, draft 7.
  [[nodiscard]] const Json& schema() const { return schema_; }

  [[nodiscard]] JsonType<Struct> type() const {
    return {[its = *this](const Struct& from) { return its.write(from); },
            [its = *this](const JsonCursor& cursor) { return its.read(cursor); }, schema_};
  }

 private:
  struct Field {
    std::string name;
    Presence presence;
    std::function<Json(const Struct&)> value_of;
    std::function<void(const JsonCursor&, Struct&)> read;
  };

  JsonFields& add(Field field, const Json& schema, std::string_view description) {
    describe(schema_, field.name, schema, description, field.presence == Presence::always);
    fields_.push_back(std::move(field));
    return *this;
  }

  void read_into(const JsonCursor& cursor, Struct& to) const {
    for (const Field& field : fields_) {
      if (field.presence != Presence::always && !cursor.has(field.name)) continue;
      field.read(cursor.at(field.name), to);
    }
    for (const Rule& rule : rules_) rule(to, cursor);
  }

  std::vector<Field> fields_;
  std::vector<Rule> rules_;
  Json schema_;
};

}  // namespace macrobench
