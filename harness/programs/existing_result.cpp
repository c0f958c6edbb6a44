#include "harness/programs/existing_result.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "harness/files/npy.hpp"
#include "harness/files/whole_file.hpp"
#include "harness/programs/problem_data.hpp"
#include "harness/text/error.hpp"
#include "harness/text/format.hpp"
#include "harness/text/nearest.hpp"
#include "harness/text/number_text.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

bool is_in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string value_of(const std::string& name, const TemplateValues& values,
                     const fs::path& problem) {
  if (const auto found = values.find(name); found != values.end()) return found->second;
  std::error_code unknown;
  if (fs::exists(problem / (name + ".txt"), unknown)) {
    return std::string(trim(read_whole(problem / (name + ".txt"))));
  }
  if (fs::exists(problem / (name + ".bin"), unknown)) {
    throw Failure("{} is too long for a template: read {{problem}}/{}.bin", name, name);
  }
  std::vector<std::string> known;
  for (const auto& [one, value] : values) known.push_back(one);
  throw Failure(unknown_name("name", name, known));
}

/// A number of a text.
struct Printed {
  double value = 0;
  int digits = 0;   ///< of its mantissa, without leading zeros; 0 of a whole number: it is exact
  double unit = 0;  ///< of the last of these
};

std::optional<Printed> printed_number(std::string_view token) {
  const std::optional<double> value = written_number(token);
  if (!value) return std::nullopt;
  Printed made{.value = *value};
  const std::size_t exponent = token.find_first_of("eEdD+-", 1);
  int after_point = 0;
  bool is_after = false;
  for (const char c : token.substr(0, exponent)) {
    if (c == '.') is_after = true;
    if (c < '0' || c > '9') continue;
    if (is_after) ++after_point;
    if (made.digits > 0 || c != '0') ++made.digits;
  }
  double power = 0;
  if (exponent == std::string_view::npos) {
    if (!is_after) made.digits = 0;
  } else {
    const bool has_letter = token[exponent] != '+' && token[exponent] != '-';
    power = written_number(token.substr(exponent + (has_letter ? 1 : 0))).value_or(0);
  }
  made.unit = std::pow(10.0, power - after_point);
  return made;
}

/// Numbers as they were printed.
struct Numbers {
  std::vector<double> values;
  int digits = 0;       ///< the most that one has ...
  double rounding = 0;  ///< ... and half a unit of the last of those with so many
};

std::string size_in_words(const std::vector<std::size_t>& extents) {
  std::string words;
  for (const std::size_t extent : extents) {
    words += (words.empty() ? "" : " x ") + with_separators(static_cast<double>(extent));
  }
  return words;
}

/// Where the numbers are, in words for errors.
std::string where(const ResultPlace& place) {
  return place.file.empty() ? "its output" : place.file;
}

/// The same lines, each ending in a line feed.
std::string with_line_feeds(std::string_view text) {
  std::string made;
  made.reserve(text.size() + 1);
  TextBuffer buffer(text);
  for (Lines lines(buffer); lines.next();) made.append(lines.line()) += '\n';
  return made;
}

std::string read_left(const ResultPlace& place, const Left& left) {
  if (place.file.empty()) return with_line_feeds(left.printed);
  try {
    std::string text = read_whole(left.folder / place.file, std::uintmax_t{8} << 30);
    return place.format == "text" ? with_line_feeds(text) : text;
  } catch (const std::system_error& error) {
    throw Failure("{}: {}, where its result is expected", place.file, error.code().message());
  }
}

/// Where the numbers begin in the text.
std::size_t beginning(const ResultPlace& place, std::string_view text) {
  std::size_t at = 0;
  if (!place.after.empty()) {
    at = text.rfind(place.after);
    if (at == std::string_view::npos) {
      throw Failure("{} has no '{}', after which a number is expected", where(place),
                    shown(place.after));
    }
    at += place.after.size();
  }
  for (std::size_t line = 0; line < place.skip && at < text.size(); ++line) {
    at = std::min(text.find('\n', at), text.size() - 1) + 1;
  }
  return at;
}

int line_at(std::string_view text, std::size_t at) {
  return static_cast<int>(1 + std::ranges::count(text.substr(0, at), '\n'));
}

/// True for the unit of a time that is one of seconds, as people write it: "s", "Seconds.",
/// "(sec)".
bool is_seconds(std::string_view word) {
  if (word.ends_with('.')) word.remove_suffix(1);
  const bool is_in_brackets = (word.starts_with('(') && word.ends_with(')')) ||
                              (word.starts_with('[') && word.ends_with(']'));
  if (is_in_brackets) word = word.substr(1, word.size() - 2);
  constexpr std::string_view units[] = {"s", "sec", "secs", "second", "seconds"};
  return std::ranges::any_of(units, [&](std::string_view unit) {
    return std::ranges::equal(unit, word, {}, {}, [](unsigned char c) { return std::tolower(c); });
  });
}

/// The one number of a place. Its line may go on with its unit, if it is a time, and then behind a
/// comma or a semicolon with a word: nothing else can be told from more of the number.
double one_number_in(const ResultPlace& place, std::string_view text, bool is_time) {
  const std::size_t begin = text.find_first_not_of(" \t\n", beginning(place, text));
  if (begin == std::string_view::npos) {
    throw Failure("{} has nothing {}, but a number is expected", where(place),
                  place.after.empty() ? "in it" : "after '" + shown(place.after) + "'");
  }
  const std::string_view line = trim(text.substr(begin, text.find('\n', begin) - begin));
  std::string_view rest = line;
  bool has_ended = false;
  // The next word, without a comma or a semicolon that ends it.
  const auto next = [&] {
    std::string_view word = rest.substr(0, rest.find_first_of(" \t"));
    rest = trim(rest.substr(word.size()));
    has_ended = word.ends_with(',') || word.ends_with(';');
    if (has_ended) word.remove_suffix(1);
    return word;
  };
  const std::optional<double> number = written_number(next());
  if (is_time && !has_ended && is_seconds(rest.substr(0, rest.find_first_of(" \t,;")))) next();
  const bool is_a_word =
      !rest.empty() && std::isalpha(static_cast<unsigned char>(rest.front())) != 0;
  if (number && (rest.empty() || (has_ended && is_a_word))) return *number;
  throw Failure("{} has '{}' at line {}, but one number is expected", where(place),
                printable(shown(line)), line_at(text, begin));
}

/// So many numbers of a text. Where it follows a text or is what was printed, lines that do not
/// begin with a number may follow.
Numbers numbers_in(const ResultPlace& place, std::string_view text, std::size_t wanted,
                   const std::string& needed) {
  std::size_t at = beginning(place, text);
  constexpr std::string_view separators = " \t\n,;";
  const bool may_go_on = place.file.empty() || !place.after.empty();
  Numbers made;
  made.values.reserve(wanted);
  std::size_t count = 0;
  while (true) {
    const std::size_t last = at;
    at = text.find_first_not_of(separators, at);
    if (at == std::string_view::npos) break;
    const bool is_below = text.substr(last, at - last).find('\n') != std::string_view::npos;
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    const std::string_view word = text.substr(at, end - at);
    const std::optional<Printed> number = printed_number(word);
    if (count >= wanted && may_go_on && is_below && !number) break;
    if (++count <= wanted) {
      if (!number) {
        throw Failure("{} has '{}' at line {}, but a number is expected", where(place),
                      printable(shown(word)), line_at(text, at));
      }
      made.values.push_back(number->value);
      if (number->digits > 0 && number->digits >= made.digits) {
        made.rounding =
            std::max(number->digits > made.digits ? 0 : made.rounding, number->unit / 2);
        made.digits = number->digits;
      }
    }
    at = end;
  }
  if (count != wanted) {
    throw Failure("{} has {} numbers, {} are needed", where(place),
                  with_separators(static_cast<double>(count)), needed);
  }
  return made;
}

template <class Stored>
void take(std::string_view bytes, std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    Stored stored{};
    std::memcpy(&stored, bytes.data() + i * sizeof stored, sizeof stored);
    values[i] = static_cast<double>(stored);
  }
}

std::vector<double> binary_numbers(const ResultPlace& place, std::string_view text,
                                   std::size_t wanted, const std::string& needed) {
  const std::size_t size = binary_formats().at(place.format);
  const std::string_view bytes = text.substr(std::min(place.skip, text.size()));
  if (bytes.size() != wanted * size) {
    throw Failure("{} has {} bytes after the first {}, {} numbers of {} are needed", place.file,
                  bytes.size(), place.skip, needed, size);
  }
  std::vector<double> values(wanted);
  if (place.format == "float64") take<double>(bytes, values);
  if (place.format == "float32") take<float>(bytes, values);
  if (place.format == "int64") take<std::int64_t>(bytes, values);
  if (place.format == "int32") take<std::int32_t>(bytes, values);
  if (place.format == "uint8") take<std::uint8_t>(bytes, values);
  return values;
}

std::size_t extent_of(const std::string& extent, const TemplateValues& values) {
  const auto named = values.find(extent);
  const std::optional<double> number =
      finite_number(named == values.end() ? extent : named->second);
  if (number && *number >= 1 && *number == std::floor(*number)) {
    return static_cast<std::size_t>(*number);
  }
  throw Failure("the shape has '{}', which is not a whole number of the problem", shown(extent));
}

/// From the file's order of indices to the model's.
std::vector<double> in_order(const std::vector<double>& values, const ResultPlace& place,
                             const std::vector<std::size_t>& extents) {
  if (place.order == place.shape) return values;
  const std::size_t rank = place.shape.size();
  std::vector<std::string> order = place.order;
  std::vector<std::size_t> stride(rank, 1);  // in the file, of each of the model's indices
  std::vector<std::size_t> place_of(rank);
  for (std::size_t a = 0; a < rank; ++a) {
    const auto found = std::ranges::find(order, place.shape[a]);
    place_of[a] = static_cast<std::size_t>(found - order.begin());
    found->clear();  // an extent that is there twice is taken once
  }
  for (std::size_t a = 0; a < rank; ++a) {
    for (std::size_t b = 0; b < rank; ++b) {
      if (place_of[b] > place_of[a]) stride[a] *= extents[b];
    }
  }
  std::vector<double> made;
  made.reserve(values.size());
  std::vector<std::size_t> index(rank, 0);
  while (made.size() < values.size()) {
    std::size_t from = 0;
    for (std::size_t a = 0; a < rank; ++a) from += index[a] * stride[a];
    made.push_back(values[from]);
    for (std::size_t a = rank; a-- > 0 && ++index[a] == extents[a];) index[a] = 0;
  }
  return made;
}

/// The index of the point of an ascending grid that is nearest to each.
void find_among(const std::string& grid, const fs::path& problem, std::vector<double>& values) {
  std::error_code unknown;
  const fs::path file = problem / (grid + ".bin");
  if (!fs::exists(file, unknown)) throw Failure("the problem has no grid {}", shown(grid));
  const std::string bytes = read_whole(file);
  std::vector<double> points(bytes.size() / sizeof(double));
  take<double>(bytes, points);
  for (double& value : values) {
    const auto above = std::ranges::lower_bound(points, value);
    const bool is_below =
        above != points.begin() && (above == points.end() || value - *(above - 1) < *above - value);
    value = static_cast<double>(above - points.begin() - (is_below ? 1 : 0));
  }
}

template <class Stored>
void write_array(const fs::path& file, const std::string& type,
                 const std::vector<std::size_t>& extents, const std::vector<double>& values) {
  std::string bytes = npy_header(type, extents);
  for (const double value : values) {
    const auto stored = static_cast<Stored>(value);
    bytes.append(reinterpret_cast<const char*>(&stored), sizeof stored);
  }
  write_whole(file, bytes);
}

double number_at(const ResultPlace& place, const Left& left, bool is_time = false) {
  if (place.constant) return *place.constant;
  const std::string text = read_left(place, left);
  if (place.format != "text") return binary_numbers(place, text, 1, "1").front();
  return one_number_in(place, text, is_time);
}

}  // namespace

std::string filled(const std::string& name, std::string_view text, const TemplateValues& values,
                   const fs::path& problem) {
  std::string made;
  int line = 1;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\n') ++line;
    if (text[at] != '{') {
      made += text[at];
      continue;
    }
    if (text.substr(at, 2) == "{{") {
      made += '{';
      ++at;
      continue;
    }
    std::size_t end = at + 1;
    while (end < text.size() && is_in_name(text[end])) ++end;
    if (end == at + 1 || end == text.size() || text[end] != '}') {
      throw Failure("{} at line {}: write {{{{ for a brace, or a name in braces", name, line);
    }
    try {
      made += value_of(std::string(text.substr(at + 1, end - at - 1)), values, problem);
    } catch (const Failure& error) {
      throw Failure("{} at line {}: {}", name, line, error.what());
    }
    at = end;
  }
  return made;
}

void write_result(const ExistingProgram& program, const Left& left, const std::string& real,
                  const fs::path& folder) {
  std::string lines;
  std::vector<std::string> assumed;
  int digits = 0;
  double rounding = 0;
  for (const auto& [name, place] : program.result) {
    if (place.constant) assumed.push_back(fmt::format("{} {:.17g}", name, *place.constant));
    if (place.shape.empty()) {
      const double number = number_at(place, left) - static_cast<double>(place.first.value_or(0));
      lines += fmt::format("{} {:.17g}\n", name, number);
      continue;
    }
    std::vector<std::size_t> extents;
    std::size_t count = 1;
    for (const std::string& extent : place.shape) {
      extents.push_back(extent_of(extent, left.values));
      count *= extents.back();
    }
    const bool is_index = place.first.has_value() || !place.among.empty();
    const std::string text = read_left(place, left);
    Numbers numbers;
    if (place.format == "text") {
      numbers = numbers_in(place, text, count, size_in_words(extents));
      if (!is_index && numbers.rounding > rounding) {
        rounding = numbers.rounding;
        digits = numbers.digits;
      }
    } else {
      numbers.values = binary_numbers(place, text, count, size_in_words(extents));
    }
    std::vector<double> values = in_order(numbers.values, place, extents);
    if (!place.among.empty()) find_among(place.among, left.problem, values);
    for (double& value : values) value -= static_cast<double>(place.first.value_or(0));
    const fs::path file = folder / (name + ".npy");
    if (real == "single" && !is_index) {
      write_array<float>(file, "<f4", extents, values);
    } else {
      write_array<double>(file, "<f8", extents, values);
    }
  }
  for (const auto& [name, place] : program.times) {
    const double seconds = number_at(place, left, true);
    if (!(seconds >= 0) || std::isinf(seconds)) {
      throw Failure("{} has {} as the seconds of its {}", where(place), seconds, name);
    }
    lines += fmt::format("their_{}_seconds {:.17g}\n", name, seconds);
  }
  if (digits > 0) lines += fmt::format("digits {}\nrounding {:.17g}\n", digits, rounding);
  if (!assumed.empty()) lines += fmt::format("assumed {}\n", fmt::join(assumed, ", "));
  write_whole(folder / "result.txt", lines);
}

}  // namespace macrobench
