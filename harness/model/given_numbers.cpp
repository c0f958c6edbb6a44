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
#include "harness/text/strings.hpp"

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
  constexpr std::string_view between = " \t\r,";
  std::vector<double> values;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line = line.substr(0, line.find('#'));
    while (true) {
      line.remove_prefix(std::min(line.find_first_not_of(between), line.size()));
      if (line.empty()) break;
      const std::string_view word = line.substr(0, line.find_first_of(between));
      line.remove_prefix(word.size());
      const std::optional<double> value = finite_number(word);
      if (!value) refuse(fmt::format("line {}: '{}' is not a number", number, shown(word)));
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
