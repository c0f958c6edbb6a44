#include "implementations/krusell_smith/input/user_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "harness/text/error.hpp"
#include "harness/text/number_text.hpp"
#include "harness/text/strings.hpp"

namespace macrobench::krusell_smith {

namespace {

constexpr std::string_view space = " \t";
constexpr std::string_view histogram_header = "k unemployed employed";
constexpr std::size_t longest_line = 4096;
constexpr std::size_t most_points = 1'000'000;  ///< of a histogram

std::string joined(const std::vector<std::string_view>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

/// A file that one of a case's parameters names.
class Source {
 public:
  Source(const char* axis, const InputFile& file) : axis_(axis), path_(file.path) {}

  [[noreturn]] void refuse(std::string_view why) const {
    throw UsageError(fmt::format("{} = {}: {}", axis_, path_, printable(why)));
  }
  [[noreturn]] void refuse(int line, std::string_view why) const {
    refuse(fmt::format("line {}: {}", line, why));
  }

  [[nodiscard]] std::ifstream open() const {
    std::ifstream stream(path_, std::ios::binary);
    if (!stream) refuse("it cannot be read");
    return stream;
  }

  [[nodiscard]] std::uintmax_t size() const {
    std::error_code failed;
    const std::uintmax_t bytes = std::filesystem::file_size(path_, failed);
    if (failed) refuse(failed.message());
    return bytes;
  }

  /// Calls use(line number, words) for every line that is not empty; # starts a comment.
  template <class Use>
  void for_each_line(const Use& use) const {
    std::ifstream stream = open();
    std::vector<std::string_view> words;
    Lines lines(*stream.rdbuf(), longest_line);
    const auto has_another = [&] {
      try {
        return lines.next();
      } catch (const std::ios_base::failure&) {
        refuse("it cannot be read to its end");
      }
    };
    while (has_another()) {
      if (lines.is_too_long()) {
        refuse(lines.number(), fmt::format("it has more than {} characters", longest_line));
      }
      std::string_view rest = lines.line().substr(0, lines.line().find('#'));
      words.clear();
      while (true) {
        rest.remove_prefix(std::min(rest.find_first_not_of(space), rest.size()));
        if (rest.empty()) break;
        const std::size_t end = std::min(rest.find_first_of(space), rest.size());
        words.push_back(rest.substr(0, end));
        rest.remove_prefix(end);
      }
      if (!words.empty()) use(lines.number(), words);
    }
  }

  [[nodiscard]] double number(int line, std::string_view word) const {
    const std::optional<double> value = written_number(word);
    if (!value) refuse(line, not_a_number(word));
    return *value;
  }

  [[nodiscard]] double wealth(int line, std::string_view word, double k_max) const {
    const double k = number(line, word);
    if (k < 0 || k > k_max) {
      refuse(line,
             fmt::format("wealth of {} is outside the grid of k, 0 to {}", shown(word), k_max));
    }
    return k;
  }

 private:
  const char* axis_;
  std::string path_;
};

constexpr std::uint32_t word_bits = 32;

std::uintmax_t bytes_of_row(int N) {
  return (static_cast<std::uintmax_t>(N) + word_bits - 1) / word_bits * (word_bits / 8);
}

std::uintmax_t whole_bytes_of_row(int N) {
  return (static_cast<std::uintmax_t>(N) + 7) / 8;
}

/// Of the problem's file, which has the size of rows of the one or of the other.
std::uintmax_t bytes_of_row(const Problem& problem, const Source& source) {
  const std::uintmax_t whole = whole_bytes_of_row(problem.N);
  return source.size() == whole * static_cast<std::uintmax_t>(problem.T) ? whole
                                                                         : bytes_of_row(problem.N);
}

/// With its lowest bit first.
std::uint8_t reversed(std::uint8_t byte) {
  std::uint8_t result = 0;
  for (int bit = 0; bit < 8; ++bit)
    result = static_cast<std::uint8_t>(result << 1 | (byte >> bit & 1));
  return result;
}

/// A row of the problem's shocks, the most significant bit of a byte first.
void read_row(const Problem& problem, std::ifstream& stream, std::span<std::uint8_t> row) {
  stream.read(reinterpret_cast<char*>(row.data()), static_cast<std::streamsize>(row.size()));
  if (!problem.lowest_bit_first) return;
  for (std::uint8_t& byte : row) byte = reversed(byte);
}

/// "; it would fit T = 500, or N = 4993 to 5024", or nothing.
std::string what_would_fit(std::uintmax_t bytes, int N, int T) {
  std::string fits;
  if (bytes > 0 && bytes % bytes_of_row(N) == 0) {
    fits = fmt::format("; it would fit T = {}", bytes / bytes_of_row(N));
  }
  const std::uintmax_t column = static_cast<std::uintmax_t>(T) * (word_bits / 8);
  if (bytes > 0 && bytes % column == 0) {
    const std::uintmax_t most = bytes / column * word_bits;
    fits += fmt::format("{} N = {} to {}", fits.empty() ? "; it would fit" : ", or",
                        most - word_bits + 1, most);
  }
  return fits;
}

/// The rows of a histogram, after its header.
GivenWealth histogram_of(const Source& source, double k_max,
                         const std::vector<std::pair<int, std::vector<double>>>& rows) {
  // The columns of the suite's own histogram add up to .999875 and .999997.
  constexpr double rounding = 1e-3;
  GivenWealth wealth;
  for (const auto& [line, row] : rows) {
    if (row[0] < 0 || row[0] > k_max) {
      source.refuse(line, fmt::format("k = {} is outside the grid of k, 0 to {}", row[0], k_max));
    }
    if (!wealth.k.empty() && !(row[0] > wealth.k.back())) {
      source.refuse(line,
                    fmt::format("k = {} is not above the {} before it", row[0], wealth.k.back()));
    }
    wealth.k.push_back(row[0]);
    for (const int e : {unemployed, employed}) {
      const double mass = row[static_cast<std::size_t>(1 + e)];
      if (mass < 0) source.refuse(line, fmt::format("a mass of {} is negative", mass));
      wealth.share[e].push_back(mass);
    }
  }
  if (wealth.k.empty()) source.refuse("nothing follows its header");
  for (const int e : {unemployed, employed}) {
    double sum = 0;
    for (const double mass : wealth.share[e]) sum += mass;
    if (!(std::abs(sum - 1) <= rounding)) {
      source.refuse(rows.back().first,
                    fmt::format("the masses of the {} add up to {:.9g} there, {:+.3g} from 1",
                                e == unemployed ? "unemployed" : "employed", sum, sum - 1));
    }
    for (double& mass : wealth.share[e]) mass /= sum;
    wealth.sum_in_file[e] = sum;
  }
  return wealth;
}

}  // namespace

void check_shocks(const Problem& problem) {
  const Source source("shocks", problem.shocks);
  const std::uintmax_t row_bytes = bytes_of_row(problem, source);
  const std::uintmax_t bytes = source.size();
  const std::uintmax_t expected = row_bytes * static_cast<std::uintmax_t>(problem.T);
  if (bytes != expected) {
    source.refuse(fmt::format(
        "its {} bytes are {} {} the {} of T = {} rows of N = {} bits in whole words of {}{}", bytes,
        std::max(bytes, expected) - std::min(bytes, expected),
        bytes < expected ? "short of" : "more than", expected, problem.T, problem.N, word_bits,
        what_would_fit(bytes, problem.N, problem.T)));
  }

  // The rest of the last word or byte.
  const std::uintmax_t whole = static_cast<std::uintmax_t>(problem.N) / 8;
  std::vector<std::uint8_t> rest(row_bytes - whole);
  if (rest.empty()) return;
  std::ifstream stream = source.open();
  for (int t = 0; t < problem.T; ++t) {
    stream.seekg(static_cast<std::streamoff>(row_bytes * static_cast<std::uintmax_t>(t) + whole));
    read_row(problem, stream, rest);
    if (!stream) source.refuse(fmt::format("it cannot be read in row {}", t + 1));
    rest.front() = static_cast<std::uint8_t>(rest.front() << problem.N % 8);
    if (std::ranges::all_of(rest, [](std::uint8_t byte) { return byte == 0; })) continue;
    source.refuse(fmt::format(
        "row {} has bits beyond those of N = {} agents; the rest of its last word must be 0", t + 1,
        problem.N));
  }
}

std::vector<std::uint8_t> read_shocks(const Problem& problem, std::size_t stride) {
  check_shocks(problem);
  const Source source("shocks", problem.shocks);
  const auto row_bytes = static_cast<std::size_t>(bytes_of_row(problem, source));
  std::vector<std::uint8_t> bits(stride * static_cast<std::size_t>(problem.T), 0);
  std::ifstream stream = source.open();
  for (std::size_t row = 0; row < bits.size(); row += stride) {
    read_row(problem, stream, {bits.data() + row, row_bytes});
  }
  if (!stream) source.refuse("it cannot be read to its end");
  return bits;
}

std::vector<std::uint8_t> read_aggregate(const Problem& problem) {
  const Source source("aggregate", problem.aggregate);
  const Economy economy(problem.calibration);
  const std::map<std::string, char, std::less<>> known{
      {"bad", 'b'}, {"good", 'g'}, {"0", '0'}, {"1", '1'}, {"2", '2'}};
  std::vector<std::pair<int, char>> read;
  source.for_each_line([&](int line, const std::vector<std::string_view>& words) {
    // A number may be written in any way, as in the other files.
    const std::optional<double> number = written_number(words.front());
    const auto word = known.find(number ? fmt::format("{:g}", *number) : words.front());
    if (words.size() > 1 || word == known.end()) {
      source.refuse(line, fmt::format("'{}' is not bad, good, 0, 1 or 2{}", shown(joined(words)),
                                      odd_character_in(words.front())));
    }
    read.emplace_back(line, word->second);
  });
  // The two numbers are 0 and 1, unless there is a 2.
  const bool begins_at_1 = std::ranges::count(read, '2', &std::pair<int, char>::second) > 0;
  std::vector<std::uint8_t> a;
  for (const auto& [line, word] : read) {
    if (begins_at_1 && word == '0') source.refuse(line, "a 0, where other lines have a 2");
    const bool is_lower = word == (begins_at_1 ? '1' : '0');
    const bool is_word = word == 'b' || word == 'g';
    const int now = (is_word ? word == 'g' : is_lower == problem.lower_is_good) ? good : bad;
    if (!a.empty() && !(economy.chance(a.back(), now) > 0)) {
      source.refuse(line, "a change of state that the transition matrix rules out");
    }
    a.push_back(static_cast<std::uint8_t>(now));
  }
  if (a.size() != static_cast<std::size_t>(problem.T)) {
    source.refuse(fmt::format("it has {} states, but T = {}", a.size(), problem.T));
  }
  return a;
}

GivenWealth read_wealth(const Problem& problem) {
  const Source source("wealth", problem.wealth);
  const double k_max = problem.grids.k_max;
  bool is_histogram = false;
  std::vector<double> agents;
  std::vector<std::pair<int, std::vector<double>>> rows;
  source.for_each_line([&](int line, const std::vector<std::string_view>& words) {
    if (agents.empty() && !is_histogram && joined(words) == histogram_header) {
      is_histogram = true;
    } else if (is_histogram) {
      if (words.size() != 3) {
        source.refuse(
            line, fmt::format("{} numbers under the header '{}'", words.size(), histogram_header));
      }
      if (rows.size() == most_points) {
        source.refuse(line, fmt::format("there are more than {} points", most_points));
      }
      std::vector<double> row;
      for (const std::string_view word : words) row.push_back(source.number(line, word));
      rows.emplace_back(line, std::move(row));
    } else {
      if (words.size() != 1) {
        source.refuse(line, fmt::format("'{}' is neither one agent's wealth nor the header of a "
                                        "histogram, '{}'",
                                        shown(joined(words)), histogram_header));
      }
      if (agents.size() == most_agents) {
        source.refuse(line, fmt::format("there are more than {} agents", most_agents));
      }
      agents.push_back(source.wealth(line, words.front(), k_max));
    }
  });
  if (is_histogram) return histogram_of(source, k_max, rows);
  if (agents.empty()) source.refuse("it is empty");
  GivenWealth wealth;
  wealth.agents = std::move(agents);
  return wealth;
}

void check_for_agents(const Problem& problem, const GivenWealth& wealth) {
  const std::size_t agents = wealth.agents.size();
  if (agents == 0 || agents == static_cast<std::size_t>(problem.N)) return;
  Source("wealth", problem.wealth)
      .refuse(fmt::format("it has the wealth of {} agents, but N = {}", agents, problem.N));
}

void check_for_histogram(const Problem& problem, const GivenWealth& wealth) {
  if (!wealth.k.empty()) return;
  Source("wealth", problem.wealth)
      .refuse(fmt::format("it holds agents, but this implementation needs a histogram, under "
                          "the header '{}'",
                          histogram_header));
}

}  // namespace macrobench::krusell_smith
