#pragma once

// A problem as a program in any language can read it: a name and a value per line, the same as
// JSON, and each array as .npy, as raw little-endian bytes, and as text if it is not too long.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/model/parameters.hpp"
#include "harness/model/solution_arrays.hpp"

namespace macrobench {

/// Numbers of the longest array that is also written as text.
inline constexpr std::size_t longest_text = 1 << 20;

class ProblemData {
 public:
  void add(const std::string& name, double value);
  void add(const std::string& name, std::int64_t value);
  void add(const std::string& name, int value) { add(name, std::int64_t{value}); }
  void add(const std::string& name, const std::string& word);
  /// Those of a problem's parameters that have these names.
  void add(const Parameters& all, std::initializer_list<std::string_view> names);
  /// All of these whose names nothing has yet.
  void add_others(const Parameters& all);
  /// An array, whose last index runs fastest: each index has its name.
  void add(const std::string& name, Shape shape, const std::vector<double>& values);
  void add(const std::string& name, Shape shape, const std::vector<std::int32_t>& values);
  void add(const std::string& name, Shape shape, const std::vector<std::uint8_t>& values);

  /// Writes the files into a folder that exists. Throws Failure.
  void write_to(const std::filesystem::path& folder) const;
  [[nodiscard]] std::vector<GivenArray> arrays() const;
  /// Bytes of the arrays.
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Item {
    std::string name;
    std::variant<double, std::int64_t, std::string> value;
  };
  struct Array {
    GivenArray given;
    std::optional<std::string> text;  ///< one number per line; none if that is too long
  };

  std::vector<Item> items_;
  std::vector<Array> arrays_;
};

}  // namespace macrobench
