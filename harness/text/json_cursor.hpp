#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace macrobench {

/// A value in a JSON document, and the pointer that leads to it, so that every error can name it.
/// Refers to the value, and to the name of the file where there is one. An error of a file, which a
/// person wrote, is a UsageError: "FILE at POINTER: what is wrong"; any other is a
/// std::invalid_argument: "POINTER: what is wrong".
class JsonCursor {
 public:
  explicit JsonCursor(const nlohmann::json& value, std::string pointer = {})
      : value_(value), pointer_(std::move(pointer)) {}
  JsonCursor(const std::string& file, const nlohmann::json& value, std::string pointer = {})
      : file_(&file), value_(value), pointer_(std::move(pointer)) {}

  [[noreturn]] void fail(std::string_view what) const;
  template <class First, class... Rest>
  [[noreturn]] void fail(fmt::format_string<First, Rest...> text, First&& first,
                         Rest&&... rest) const {
    fail(std::string_view(
        fmt::format(text, std::forward<First>(first), std::forward<Rest>(rest)...)));
  }

  /// Refuses members that nothing reads: most are misspelt. A file may say its "$schema".
  void allow(const std::vector<std::string>& names) const;
  /// Refuses a schema later than the one given, and what is no schema.
  void check_schema(std::int64_t known) const;

  [[nodiscard]] bool has(const std::string& name) const { return value_.contains(name); }
  [[nodiscard]] JsonCursor at(const std::string& name) const;
  [[nodiscard]] std::vector<JsonCursor> items() const;  ///< of an array
  template <class Visit>
  void each_member(Visit visit) const {  ///< of an object: visit(name, cursor)
    check_object();
    for (const auto& [name, value] : value_.items()) visit(name, member(name, value));
  }

  /// What `read` makes of each item of an array.
  template <class Read>
  [[nodiscard]] auto list_of(Read read) const {
    std::vector<std::decay_t<std::invoke_result_t<Read, const JsonCursor&>>> all;
    for (const JsonCursor& item : items()) all.push_back(std::invoke(read, item));
    return all;
  }
  /// What `read` makes of each member of an object, by name.
  template <class Read>
  [[nodiscard]] auto map_of(Read read) const {
    std::map<std::string, std::decay_t<std::invoke_result_t<Read, const JsonCursor&>>> all;
    each_member([&](const std::string& name, const JsonCursor& value) {
      all.emplace(name, std::invoke(read, value));
    });
    return all;
  }

  [[nodiscard]] bool is_null() const { return value_.is_null(); }
  [[nodiscard]] bool is_text() const { return value_.is_string(); }
  [[nodiscard]] bool is_list() const { return value_.is_array(); }
  [[nodiscard]] bool is_number() const { return value_.is_number(); }

  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string text_or_null() const;  ///< empty where it is null
  [[nodiscard]] std::string text_or_empty(const std::string& name) const;  ///< of a member
  [[nodiscard]] bool truth() const;
  [[nodiscard]] double number() const;
  [[nodiscard]] double number_or_null() const;  ///< not a number where it is null
  [[nodiscard]] double number_within(double lowest, double highest) const;
  [[nodiscard]] std::int64_t whole() const;       ///< that std::int64_t holds
  [[nodiscard]] std::int64_t at_least_0() const;  ///< the same
  /// A whole number from 1 to a million.
  [[nodiscard]] std::size_t count() const;

  [[nodiscard]] const nlohmann::json& value() const { return value_; }
  [[nodiscard]] const std::string& pointer() const { return pointer_; }

 private:
  [[nodiscard]] JsonCursor member(const std::string& name, const nlohmann::json& value) const;
  void check_object() const;

  const std::string* file_ = nullptr;
  const nlohmann::json& value_;
  std::string pointer_;
};

/// Whether it is a whole number that std::int64_t holds; nlohmann::json would turn a larger one
/// over.
bool is_whole(const nlohmann::json& value);

}  // namespace macrobench
