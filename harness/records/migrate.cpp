#include "harness/records/migrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "harness/files/output_folder.hpp"
#include "harness/files/whole_file.hpp"
#include "harness/model/registry.hpp"
#include "harness/records/record_facts.hpp"
#include "harness/records/record_json.hpp"
#include "harness/records/record_store.hpp"
#include "harness/text/error.hpp"
#include "harness/text/json_values.hpp"

namespace macrobench {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// The JSON pointer of something in the old line that is not in the new one; empty if there is
/// nothing. What a case is called is for lost_of_case().
std::string lost_between(const json& before, const json& after, const std::string& pointer = {}) {
  if (before.is_null()) return "";  // what was not known then may be known now
  if (!before.is_object()) return before == after ? "" : pointer;
  for (const auto& [name, value] : before.items()) {
    std::string its = fmt::format("{}/{}", pointer, name);
    const bool is_reason = its == "/why" && before.at("schema") == 1;
    if (is_reason || its == "/schema" || its == "/key" || its == "/case/parameters" ||
        its == "/case/implementation" || its == "/case/origin" || its == "/solution") {
      continue;
    }
    if (!after.contains(name)) return its;
    if (std::string lost = lost_between(value, after.at(name), its); !lost.empty()) return lost;
  }
  return "";
}

/// A reason has another form, a file no folder, and a case under a former name the present one;
/// every value of its parameters is still there, but for those of an axis that went with the name.
std::string lost_of_case(const Record& before, const Record& after) {
  if (to_string(before.why) != to_string(after.why)) return "/why";
  const Model* model = Registry::global().find_model(before.model);
  const Parameters expected =
      model == nullptr ? before.parameters : recorded(model->axes, before.parameters);
  for (const auto& [name, value] : expected) {
    const Value* now = after.parameters.find(name);
    const bool is_default = model != nullptr && value == find_axis(model->axes, name).default_value;
    const bool is_dropped =
        now == nullptr && (is_default || before.implementation != after.implementation);
    if (!is_dropped && (now == nullptr || *now != value)) return "/case/parameters/" + name;
  }
  return "";
}

/// Every axis of its implementation has its value; what an axis held that the implementation has no
/// longer stays.
void complete_axes(Record& record) {
  const Implementation* here = Registry::global().find(record.id());
  if (here == nullptr) return;
  try {
    Parameters whole = complete_recorded(here->axes, only_taken(*here, record.parameters));
    for (const auto& [name, value] : record.parameters) whole.set(name, value);
    record.parameters = std::move(whole);
  } catch (const UsageError&) {
    // Values that no longer exist stay as they are.
  }
}

/// The line of the present schema, as it is if it says the same already. Throws
/// std::invalid_argument if the line is not a record.
std::string migrated(std::string_view line, const std::string& place, Migration& migration) {
  const json before = parsed(line);
  if (!before.is_object()) throw std::invalid_argument("it is not a JSON object");
  const Record read = record_from_json(before);
  Record record = read;
  add_facts(record);
  complete_axes(record);
  // Its stored solution has the key that it had.
  if (record.key != read.key) record.solution.clear();
  std::string text = to_line(to_json(record));
  text.pop_back();
  const json after = json::parse(text);
  std::string lost = lost_between(before, after);
  if (lost.empty()) lost = lost_of_case(read, record_from_json(after));
  if (!lost.empty()) {
    throw Failure("{}: {} would be lost; nothing was written (please report this line)", place,
                  lost);
  }
  const std::string id = record.id();
  if (!record.work && Registry::global().find_left_out(id) != nullptr) {
    ++migration.without_facts[id];
  }
  return after == before ? std::string(line) : text;
}

}  // namespace

Migration migrate(const fs::path& folder) {
  Migration migration;
  const RecordStore store(folder);  // no other run can write meanwhile; a torn last line is dropped
  migration.warnings = store.results().warnings;
  const fs::path path = folder / "records.jsonl";
  const std::string content = read_whole(path);
  std::string text;
  text.reserve(content.size() + content.size() / 4);
  std::string_view rest = content;
  for (int number = 1; !rest.empty(); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    try {
      const std::string now =
          migrated(line, fmt::format("{}, line {}", path.string(), number), migration);
      ++(now == line ? migration.unchanged : migration.rewritten);
      text += now;
    } catch (const std::invalid_argument&) {
      ++migration.passed_over;
      text += line;
    }
    text += '\n';
  }
  if (migration.rewritten > 0) {
    OutputFolder(folder).write(path.filename().string(), text, Durable::yes);
  }
  return migration;
}

}  // namespace macrobench
