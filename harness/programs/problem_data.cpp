#include "harness/programs/problem_data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "harness/files/npy.hpp"
#include "harness/files/whole_file.hpp"
#include "harness/text/json_values.hpp"

namespace macrobench {

namespace {

static_assert(std::endian::native == std::endian::little);

/// 17 digits, which read back as the same bits.
std::string digits(double value) {
  return fmt::format("{:.17g}", value);
}

std::string digits(std::int64_t value) {
  return fmt::format("{}", value);
}

template <class T>
std::optional<std::string> lines_of(const std::vector<T>& values) {
  if (values.size() > longest_text) return std::nullopt;
  std::string text;
  for (const T value : values) {
    if constexpr (std::is_floating_point_v<T>) {
      text += digits(double{value}) + "\n";
    } else {
      text += digits(std::int64_t{value}) + "\n";
    }
  }
  return text;
}

}  // namespace

void ProblemData::add(const std::string& name, double value) {
  items_.push_back({name, value});
}

void ProblemData::add(const std::string& name, std::int64_t value) {
  items_.push_back({name, value});
}

void ProblemData::add(const std::string& name, const std::string& word) {
  items_.push_back({name, word});
}

void ProblemData::add(const Parameters& all, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    std::visit([&](const auto& value) { add(std::string(name), value); }, *all.find(name));
  }
}

void ProblemData::add_others(const Parameters& all) {
  for (const auto& [name, value] : all) {
    if (std::ranges::count(items_, name, &Item::name) > 0) continue;
    std::visit([&](const auto& one) { add(name, one); }, value);
  }
}

void ProblemData::add(const std::string& name, Shape shape, const std::vector<double>& values) {
  arrays_.push_back(
      {{name, std::move(shape), "<f8", std::string(bytes_of(values))}, lines_of(values)});
}

void ProblemData::add(const std::string& name, Shape shape,
                      const std::vector<std::int32_t>& values) {
  arrays_.push_back(
      {{name, std::move(shape), "<i4", std::string(bytes_of(values))}, lines_of(values)});
}

void ProblemData::add(const std::string& name, Shape shape,
                      const std::vector<std::uint8_t>& values) {
  arrays_.push_back(
      {{name, std::move(shape), "|u1", std::string(bytes_of(values))}, lines_of(values)});
}

std::vector<GivenArray> ProblemData::arrays() const {
  std::vector<GivenArray> all;
  for (const Array& array : arrays_) all.push_back(array.given);
  return all;
}

std::size_t ProblemData::bytes() const {
  std::size_t sum = 0;
  for (const Array& array : arrays_) sum += array.given.bytes.size();
  return sum;
}

void ProblemData::write_to(const std::filesystem::path& folder) const {
  std::string text;
  nlohmann::ordered_json json;
  for (const auto& [name, value] : items_) {
    if (const auto* real = std::get_if<double>(&value)) {
      text += fmt::format("{} {}\n", name, digits(*real));
      json[name] = *real;
    } else if (const auto* whole = std::get_if<std::int64_t>(&value)) {
      text += fmt::format("{} {}\n", name, *whole);
      json[name] = *whole;
    } else {
      text += fmt::format("{} {}\n", name, std::get<std::string>(value));
      json[name] = std::get<std::string>(value);
    }
  }
  for (const auto& [array, lines] : arrays_) {
    // Every array's shape is in both, for who reads raw bytes or text.
    const std::vector<std::size_t> counts = counts_of(array.shape);
    text += fmt::format("shape_{} {}\n", array.name, fmt::join(counts, " "));
    json["shape_" + array.name] = counts;
    write_whole(folder / (array.name + ".npy"), npy_header(array.type, counts) + array.bytes);
    write_whole(folder / (array.name + ".bin"), array.bytes);
    if (lines) write_whole(folder / (array.name + ".txt"), *lines);
  }
  write_whole(folder / "problem.txt", text);
  write_whole(folder / "problem.json", to_text(json));
}

}  // namespace macrobench
