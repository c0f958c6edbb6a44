#include "harness/model/solution_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <nlohmann/json.hpp>
#include <system_error>

#include "harness/text/error.hpp"
#include "harness/text/json_values.hpp"

namespace macrobench {

namespace {

constexpr std::string_view what_it_is = "macrobench solution";
constexpr int schema = 1;

/// Cuts the first line off the text.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) throw UsageError("the stored solution breaks off");
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

}  // namespace

std::string key_of_stored(std::string_view text) {
  const auto header = parsed(take_line(text));
  if (!header.is_object() || header.value("what", nlohmann::json()) != what_it_is) {
    throw UsageError("it is not a solution that macrobench wrote");
  }
  if (header.value("schema", nlohmann::json()) != schema) {
    throw UsageError(
        "the stored solution is of another version of macrobench; this one reads schema {}",
        schema);
  }
  const auto key = header.value("key", nlohmann::json());
  if (!key.is_string()) throw UsageError("the stored solution names no case");
  return key;
}

std::vector<StoredArray> arrays_of_stored(std::string_view text) {
  static_cast<void>(key_of_stored(text));
  static_cast<void>(take_line(text));
  std::vector<StoredArray> arrays;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const std::size_t first = line.find(' ');
    const std::size_t last = line.rfind(' ');
    std::size_t count = 0;
    std::size_t size = 0;
    const auto read = [&](std::string_view digits, std::size_t& number) {
      const auto [end, error] = std::from_chars(digits.begin(), digits.end(), number);
      return error == std::errc() && end == digits.end();
    };
    if (first == last || !read(line.substr(first + 1, last - first - 1), count) ||
        !read(line.substr(last + 1), size) || size == 0 || count > text.size() / size) {
      throw UsageError("the stored solution breaks off");
    }
    arrays.push_back({line.substr(0, first), size, text.substr(0, count * size)});
    text.remove_prefix(count * size);
  }
  return arrays;
}

SolutionWriter::SolutionWriter(const std::string& key)
    : text_(to_line({{"what", what_it_is}, {"schema", schema}, {"key", key}})) {}

void SolutionWriter::add(std::string_view name, std::size_t size, std::string_view bytes) {
  text_ += fmt::format("{} {} {}\n", name, bytes.size() / size, size);
  text_ += bytes;
}

SolutionReader::SolutionReader(std::string_view text, const std::string& key) : rest_(text) {
  const std::string expected = SolutionWriter(key).text();
  if (rest_.starts_with(expected)) {
    rest_.remove_prefix(expected.size());
    return;
  }
  static_cast<void>(key_of_stored(text));
  throw UsageError("the stored solution is of another case");
}

std::string_view SolutionReader::next(std::string_view name, std::size_t size, std::size_t count) {
  const std::string_view line = take_line(rest_);
  const std::size_t available = rest_.size() / size;
  std::size_t stated = 0;
  const std::string prefix = fmt::format("{} ", name);
  const std::string suffix = fmt::format(" {}", size);
  const bool has_form = line.size() > prefix.size() + suffix.size() && line.starts_with(prefix) &&
                        line.ends_with(suffix);
  if (!has_form) throw UsageError("the stored solution lacks its {}", name);
  for (const char digit : line.substr(prefix.size(), line.size() - prefix.size() - suffix.size())) {
    if (digit < '0' || digit > '9' || stated > available) {
      throw UsageError("the stored solution breaks off in its {}", name);
    }
    stated = 10 * stated + static_cast<std::size_t>(digit - '0');
  }
  if (stated > available || (count != any && stated != count)) {
    throw UsageError("the stored solution breaks off in its {}", name);
  }
  const std::string_view bytes = rest_.substr(0, stated * size);
  rest_.remove_prefix(bytes.size());
  return bytes;
}

void SolutionReader::copy(std::string_view bytes, void* to, std::size_t size) {
  if (size > 0) std::memcpy(to, bytes.data(), size);
}

void SolutionReader::finish() const {
  if (!rest_.empty()) throw UsageError("the stored solution has more than its arrays");
}

}  // namespace macrobench
