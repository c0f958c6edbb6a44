#include "harness/programs/result_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <regex>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>

#include "harness/files/npy.hpp"
#include "harness/files/whole_file.hpp"
#include "harness/text/number_text.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;
using Shape = std::vector<std::size_t>;

constexpr std::size_t most_per_number = 64;   // bytes of a number in text
constexpr std::size_t most_beside = 1 << 16;  // of headers and of result.txt

std::string in_words(const Shape& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

std::size_t count_of(const Shape& shape) {
  std::size_t count = 1;
  for (const std::size_t n : shape) count *= n;
  return count;
}

/// Elements as they are in a file.
struct Elements {
  std::string type;  ///< "<f8"; empty: text
  std::string_view bytes;
  bool first_runs_fastest = false;  ///< Fortran's order, as R, Julia and NumPy's transposed arrays
};

/// Puts values in Fortran's order into the order in which the last index runs fastest.
template <class T>
std::vector<T> reordered(const std::vector<T>& values, const Shape& shape) {
  std::vector<T> result(values.size());
  Shape at(shape.size(), 0);  // the indices of a place in the file
  for (const T& value : values) {
    std::size_t place = 0;
    for (std::size_t i = 0; i < shape.size(); ++i) place = place * shape[i] + at[i];
    result[place] = value;
    for (std::size_t i = 0; i < shape.size() && ++at[i] == shape[i]; ++i) at[i] = 0;
  }
  return result;
}

/// What follows NumPy's header, whose type and shape must be as asked for.
Elements after_header(const std::string& file, std::string_view text, const Shape& shape) {
  NpyArray array;
  try {
    array = npy_array(file, text);
  } catch (const UsageError& error) {
    throw NotAResult("{}", error.what());
  }
  const std::string header(array.header);
  static const std::regex descr(R"('descr'\s*:\s*'([^']{1,8})')");
  static const std::regex order(R"('fortran_order'\s*:\s*(True|False))");
  static const std::regex its_shape(R"('shape'\s*:\s*\(([0-9, ]*)\))");
  std::smatch type;
  std::smatch fortran;
  std::smatch extents;
  if (!std::regex_search(header, type, descr) || !std::regex_search(header, fortran, order) ||
      !std::regex_search(header, extents, its_shape)) {
    throw NotAResult("{} has a header that cannot be read: {}", file, shown(header));
  }
  Shape found;
  for (const std::string_view piece : split(extents[1].str(), ',')) {
    const std::optional<double> extent = finite_number(trim(piece));
    if (!extent) continue;  // what follows the last comma
    constexpr double most = 1e15;
    found.push_back(static_cast<std::size_t>(std::clamp(*extent, 0.0, most)));
  }
  if (found != shape) {
    throw NotAResult("{} has the shape {}, but {} is required", file, in_words(found),
                     in_words(shape));
  }
  if (type[1].str().starts_with(">")) {
    throw NotAResult("{} has the byte order of another machine ({}): little-endian is required",
                     file, type[1].str());
  }
  return {type[1], array.data, fortran[1] == "True" && shape.size() > 1};
}

/// The type of raw elements of so many bytes.
template <class T>
std::string raw_type(const std::string& file, std::size_t bytes, std::size_t count) {
  const auto fits = [&](std::size_t size) { return bytes == count * size; };
  if (std::is_floating_point_v<T>) {
    if (fits(sizeof(T))) return sizeof(T) == sizeof(double) ? "<f8" : "<f4";
  } else {
    if (fits(4)) return "<i4";
    if (fits(8)) return "<i8";
    if (fits(1)) return "|u1";
  }
  throw NotAResult("{} has {} bytes, but {} numbers of {} bytes are required", file, bytes, count,
                   std::is_floating_point_v<T> ? sizeof(T) : 4);
}

template <class T, class Stored>
void convert(const std::string& file, std::string_view bytes, std::vector<T>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    Stored stored{};
    std::memcpy(&stored, bytes.data() + i * sizeof stored, sizeof stored);
    if constexpr (std::is_floating_point_v<T>) {
      values[i] = static_cast<T>(stored);
    } else {
      const auto number = static_cast<double>(stored);
      const bool is_held = number >= static_cast<double>(std::numeric_limits<T>::lowest()) &&
                           number <= static_cast<double>(std::numeric_limits<T>::max()) &&
                           number == std::floor(number);
      if (!is_held) {
        throw NotAResult("{} has {} at place {}, but a whole number is required", file, number, i);
      }
      values[i] = static_cast<T>(stored);
    }
  }
}

template <class T, class Stored>
bool is_type(const std::string& type, std::string_view name) {
  return type == name && (std::is_floating_point_v<T> ? std::is_same_v<T, Stored> : true);
}

template <class T>
void convert(const std::string& file, const Elements& elements, std::vector<T>& values) {
  bool is_known = false;
  const auto as = [&]<class Stored>(std::string_view name, Stored) {
    if (is_known || !is_type<T, Stored>(elements.type, name)) return;
    is_known = true;
    if (elements.bytes.size() != values.size() * sizeof(Stored)) {
      throw NotAResult("{} has {} bytes of numbers, but {} are required", file,
                       elements.bytes.size(), values.size() * sizeof(Stored));
    }
    convert<T, Stored>(file, elements.bytes, values);
  };
  as("<f8", double{});
  as("<f4", float{});
  as("<i4", std::int32_t{});
  as("<i8", std::int64_t{});
  as("|u1", std::uint8_t{});
  as("<u4", std::uint32_t{});
  if (is_known) return;
  const char* asked = std::is_same_v<T, double>  ? "<f8, double precision"
                      : std::is_same_v<T, float> ? "<f4, single precision"
                                                 : "<i4, whole numbers";
  throw NotAResult("{} holds {}, but {} is required", file, elements.type, asked);
}

template <class T>
void from_text(const std::string& file, std::string_view text, std::vector<T>& values) {
  std::vector<double> numbers;
  numbers.reserve(values.size());
  text = trim(text);
  TextBuffer buffer(text);
  for (Lines lines(buffer); lines.next();) {
    const std::string_view word = trim(lines.line());
    const std::optional<double> number = written_number(word);
    if (!number) {
      throw NotAResult("{} has '{}' in line {}, but a number is required{}", file,
                       printable(shown(word)), lines.number(), odd_character_in(word));
    }
    numbers.push_back(*number);
  }
  if (numbers.size() != values.size()) {
    throw NotAResult("{} has {} lines, but {} numbers are required", file, numbers.size(),
                     values.size());
  }
  if constexpr (std::is_floating_point_v<T>) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(numbers[i]);
  } else {
    const std::string_view bytes(reinterpret_cast<const char*>(numbers.data()),
                                 numbers.size() * sizeof(double));
    convert<T, double>(file, bytes, values);
  }
}

/// The content of a regular file; none if there is none.
std::optional<std::string> content_of(const fs::path& path, std::size_t most) {
  std::error_code unknown;
  const fs::file_status status = fs::symlink_status(path, unknown);
  if (status.type() == fs::file_type::not_found) return std::nullopt;
  const std::string name = path.filename();
  if (status.type() != fs::file_type::regular) throw NotAResult("{} is not a regular file", name);
  try {
    return read_whole(path, most);
  } catch (const Failure&) {
    throw NotAResult("{} has more than the {} bytes that its numbers can take", name, most);
  } catch (const std::system_error& error) {
    throw NotAResult("{} cannot be read: {}", name, error.code().message());
  }
}

template <class T>
void read_array(const fs::path& folder, const std::string& name, const Shape& shape,
                std::vector<T>& values) {
  const std::size_t count = count_of(shape);
  values.resize(count);
  for (const char* extension : {".npy", ".bin", ".txt"}) {
    const std::string file = name + extension;
    const std::optional<std::string> text =
        content_of(folder / file, count * most_per_number + most_beside);
    if (!text) continue;
    if (file.ends_with(".npy")) {
      const Elements elements = after_header(file, *text, shape);
      convert<T>(file, elements, values);
      if (elements.first_runs_fastest) values = reordered(values, shape);
    } else if (file.ends_with(".bin")) {
      convert<T>(file, Elements{raw_type<T>(file, text->size(), count), *text}, values);
    } else {
      from_text(file, *text, values);
    }
    return;
  }
  throw NotAResult("it did not write {}: {}.npy, {}.bin or {}.txt is required", name, name, name,
                   name);
}

}  // namespace

std::map<std::string, std::string> named_values(std::string_view text) {
  std::map<std::string, std::string> values;
  TextBuffer buffer(text);
  for (Lines lines(buffer); lines.next();) {
    const std::string_view words = trim(lines.line());
    const std::size_t space = words.find_first_of(" \t");
    if (space == std::string_view::npos) continue;
    values.emplace(words.substr(0, space), trim(words.substr(space)));
  }
  return values;
}

ResultFolder::ResultFolder(fs::path folder) : folder_(std::move(folder)) {
  const std::optional<std::string> text = content_of(folder_ / "result.txt", most_beside);
  if (text) values_ = named_values(*text);
}

std::string ResultFolder::words(const std::string& name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? "" : found->second;
}

double ResultFolder::number(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) {
    throw NotAResult("result.txt has no line '{} VALUE'", name);
  }
  const std::optional<double> number = written_number(found->second);
  if (!number) {
    throw NotAResult("result.txt has '{}' for {}, but a number is required{}",
                     printable(shown(found->second)), name, odd_character_in(found->second));
  }
  return *number;
}

std::int64_t ResultFolder::whole(const std::string& name, std::int64_t lowest,
                                 std::int64_t highest) const {
  const double found = number(name);
  const bool is_allowed = found == std::floor(found) && found >= static_cast<double>(lowest) &&
                          found <= static_cast<double>(highest);
  if (is_allowed) return static_cast<std::int64_t>(found);
  throw NotAResult("result.txt has {} for {}, but a whole number from {} to {} is required", found,
                   name, lowest, highest);
}

void ResultFolder::array(const std::string& name, const Shape& shape,
                         std::vector<double>& values) const {
  read_array(folder_, name, shape, values);
}
void ResultFolder::array(const std::string& name, const Shape& shape,
                         std::vector<float>& values) const {
  read_array(folder_, name, shape, values);
}
void ResultFolder::array(const std::string& name, const Shape& shape,
                         std::vector<std::int32_t>& values) const {
  read_array(folder_, name, shape, values);
}
void ResultFolder::array(const std::string& name, const Shape& shape,
                         std::vector<std::uint8_t>& values) const {
  read_array(folder_, name, shape, values);
}

}  // namespace macrobench
