#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/registry.hpp"

namespace macrobench {

/// The file's path as a reader of an error would type it.
std::string display_path(const std::filesystem::path& file);

/// Reads a file of JSON, called `file` in errors. Throws UsageError, with the line where it is not
/// JSON.
nlohmann::json read_json(const std::filesystem::path& path, const std::string& file);

/// A place in a file that a person wrote: a JSON value, with the file and the pointer that lead to
/// it. Refers to both; every error is a UsageError that names both.
class Place {
 public:
  Place(const std::string& file, const nlohmann::json& value, std::string pointer = {});

  [[noreturn]] void fail(std::string_view what) const;

  /// Refuses members that nothing reads: most are misspelt.
  void allow(const std::vector<std::string>& names) const;

  [[nodiscard]] bool has(const std::string& name) const { return value_.contains(name); }
  [[nodiscard]] Place at(const std::string& name) const;
  [[nodiscard]] std::vector<Place> items() const;

  [[nodiscard]] bool is_null() const { return value_.is_null(); }
  [[nodiscard]] bool is_text() const { return value_.is_string(); }
  [[nodiscard]] bool is_list() const { return value_.is_array(); }
  [[nodiscard]] bool is_number() const { return value_.is_number(); }
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string text_or_empty(const std::string& name) const;
  [[nodiscard]] double number() const;
  /// A whole number from 1 to a million.
  [[nodiscard]] std::size_t count() const;

  /// Values of the model's axes, each of the axis's type and range; "all" cores stays a word.
  [[nodiscard]] Parameters parameters(const Model& model) const;

  /// Refuses a schema later than the one given.
  void check_schema(std::int64_t known) const;

 private:
  const std::string& file_;
  const nlohmann::json& value_;
  std::string pointer_;
};

}  // namespace macrobench
