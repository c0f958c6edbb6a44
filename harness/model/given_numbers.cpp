#include "harness/model/given_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <system_error>

#include "harness/files/whole_file.hpp"
#include "harness/text/error.hpp"
#include "harness/text/left_by_git.hpp"
#include "harness/text/number_text.hpp"

namespace macrobench {

void GivenNumbers::refuse(std::string_view why) const {
  throw UsageError(fmt::format("{} = {}: {}", axis_, file_.path, why));
}

const std::vector<double>& GivenNumbers::values() const {
  std::call_once(is_read_, [&] {
    try {
      values_ = parsed(read_whole(file_.path, static_cast<std::uintmax_t>(most_bytes)));
    } catch (const std::system_error& error) {
      refuse(error.code().message());
    }
  });
  return values_;
}

std::vector<double> GivenNumbers::parsed(std::string_view text) const {
  constexpr std::string_view between = " \t,";
  std::vector<double> values;
  TextBuffer buffer(text);
  for (Lines lines(buffer); lines.next();) {
    std::string_view line = lines.line().substr(0, lines.line().find('#'));
    while (true) {
      line.remove_prefix(std::min(line.find_first_not_of(between), line.size()));
      if (line.empty()) break;
      const std::string_view word = line.substr(0, line.find_first_of(between));
      line.remove_prefix(word.size());
      const std::optional<double> value = written_number(word);
      if (!value) {
        refuse(fmt::format("line {}: {}{}", lines.number(), not_a_number(word),
                           word.find(';') != word.npos ? "; separated by semicolons?"
                                                       : left_by_git(lines.line())));
      }
      values.push_back(*value);
    }
  }
  return values;
}

const GivenNumbers* numbers_in(const std::string& axis, const InputFile& file) {
  if (file.empty()) return nullptr;
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<const GivenNumbers>> all;
  const std::scoped_lock lock(mutex);
  std::unique_ptr<const GivenNumbers>& one = all[axis + " " + to_string(file)];
  if (one == nullptr) one = std::make_unique<const GivenNumbers>(axis, file);
  return one.get();
}

}  // namespace macrobench
