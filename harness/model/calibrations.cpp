#include "harness/model/calibrations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "harness/files/whole_file.hpp"
#include "harness/text/error.hpp"
#include "harness/text/left_by_git.hpp"
#include "harness/text/nearest.hpp"
#include "harness/text/number_text.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

/// The fields of a line, without spaces and quotes around them.
std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields = split(line, ',');
  for (std::string_view& field : fields) {
    field = trim(field);
    if (field.size() >= 2 && field.front() == '"' && field.back() == '"') {
      field = field.substr(1, field.size() - 2);
    }
  }
  return fields;
}

/// A guess at what separates the fields instead of commas; empty if nothing seems to.
std::string other_separator(std::string_view line) {
  constexpr const char* required = "commas between fields and decimal points are required";
  if (line.find(';') != line.npos) return fmt::format("separated by semicolons? {}", required);
  if (line.find('\t') != line.npos) return fmt::format("separated by tabs? {}", required);
  if (line.find(',') != line.npos) return {};
  if (line.find('|') != line.npos) return fmt::format("separated by bars? {}", required);
  if (line.find(' ') != line.npos) return fmt::format("separated by spaces? {}", required);
  return {};
}

}  // namespace

std::string Calibrations::where(std::size_t economy) const {
  return fmt::format("{} = {}: line {}: ", axis, file_.path, read().lines[economy]);
}

void Calibrations::refuse(std::string_view why) const {
  throw UsageError(fmt::format("{} = {}: {}", axis, file_.path, printable(why)));
}

void Calibrations::refuse(int line, std::string_view why) const {
  refuse(fmt::format("line {}: {}", line, why));
}

const Calibrations::Table& Calibrations::read() const {
  std::call_once(is_read_, [&] {
    try {
      table_ = parsed(read_whole(file_.path, static_cast<std::uintmax_t>(most_bytes)));
    } catch (const std::system_error& error) {
      refuse(error.code().message());
    }
  });
  return table_;
}

Calibrations::Table Calibrations::parsed(std::string_view text) const {
  Table table;
  TextBuffer buffer(text);
  for (Lines lines(buffer); lines.next();) {
    const std::string_view line = trim(lines.line());
    const int number = lines.number();
    if (line.empty()) continue;
    const std::vector<std::string_view> fields = fields_of(line);
    if (const std::string_view hint = left_by_git(line); !hint.empty()) {
      refuse(number, fmt::format("it is not part of a table{}", hint));
    }
    if (table.names.empty()) {
      const std::string hint = other_separator(line);
      if (!hint.empty()) refuse(number, hint);
      if (fields.front().empty()) {
        refuse(number,
               "a name is missing in the header: its first column has no name: written "
               "with row names?");
      }
      for (const std::string_view field : fields) {
        if (field.empty()) refuse(number, "a name is missing in the header");
        if (std::ranges::count(table.names, field) > 0) {
          refuse(number, fmt::format("the header has {} twice", shown(field)));
        }
        table.names.emplace_back(field);
      }
      continue;
    }
    if (fields.size() != table.names.size()) {
      const bool has_more = fields.size() > table.names.size();
      refuse(number,
             fmt::format("it has {} values, where the header has {} names{}", fields.size(),
                         table.names.size(),
                         has_more ? ": written with row names, or with decimal commas?" : ""));
    }
    for (std::size_t column = 0; column < fields.size(); ++column) {
      const std::string& name = table.names[column];
      if (fields[column].empty()) refuse(number, fmt::format("{} is missing", shown(name)));
      const std::optional<double> value = written_number(fields[column]);
      if (!value) {
        const std::string hint = other_separator(fields[column]);
        refuse(number, fmt::format("{} = {}: it must be a number{}", shown(name),
                                   printable(shown(fields[column])),
                                   hint.empty() ? odd_character_in(fields[column]) : "; " + hint));
      }
      table.values.push_back(*value);
    }
    table.lines.push_back(number);
  }
  if (table.names.empty()) refuse("it is empty; its first line must name parameters");
  if (table.lines.empty()) refuse("nothing follows its header");
  return table;
}

/// True if the first column is 0, 1, 2, ... or 1, 2, 3, ...
bool Calibrations::counts_rows() const {
  const double first = value(0, 0);
  for (std::size_t economy = 0; economy < economies(); ++economy) {
    if (value(economy, 0) != first + static_cast<double>(economy)) return false;
  }
  return first == 0 || first == 1;
}

void Calibrations::check(int wanted, const std::vector<std::string>& allowed) const {
  for (const std::string& name : names()) {
    if (std::ranges::count(allowed, name) > 0) continue;
    const bool is_index = name == names().front() && counts_rows();
    refuse(unknown_name("parameter", name, allowed) +
           (is_index ? "; it counts the rows: written with row names?" : ""));
  }
  if (wanted == 1) {
    refuse(
        fmt::format("it has {} rows, for a batch; add --economies {}", economies(), economies()));
  }
  if (economies() < static_cast<std::size_t>(wanted)) {
    refuse(fmt::format("it has {} rows, where economies = {}", economies(), wanted));
  }
}

const Calibrations* calibrations_in(const InputFile& file) {
  if (file.empty()) return nullptr;
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<const Calibrations>> all;
  const std::scoped_lock lock(mutex);
  std::unique_ptr<const Calibrations>& one = all[to_string(file)];
  if (one == nullptr) one = std::make_unique<const Calibrations>(file);
  return one.get();
}

}  // namespace macrobench
