#include "harness/records/record_facts.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "harness/text/error.hpp"

namespace macrobench {

namespace {

bool is_file(const std::vector<Axis>& axes, std::string_view name) {
  const auto axis = std::ranges::find(axes, name, &Axis::name);
  return axis != axes.end() && axis->is_file;
}

/// Before schema 2 a file was recorded with its path.
void name_files(const std::vector<Axis>& axes, Record& record) {
  const Parameters named = recorded(axes, record.parameters);
  for (const auto& [name, value] : record.parameters) {
    const Value& now = *named.find(name);
    if (now == value) continue;
    const std::string before = key_field(name, to_string(value));
    const std::size_t at = record.key.find(before);
    if (at != std::string::npos) {
      record.key.replace(at, before.size(), key_field(name, to_string(now)));
    }
  }
  record.parameters = named;
}

/// Before programs were `yours`, `original` or ours, all of them were `published`.
std::string present_origin(const Record& record, const Renamed& now) {
  if (now.origin) return to_string(*now.origin);
  if (record.origin != to_string(Origin::published)) return record.origin;
  const Implementation* here = Registry::global().find(now.id);
  if (here != nullptr) return here->folder.empty() ? record.origin : to_string(here->origin);
  return is_of_a_program(record) ? to_string(Origin::yours) : record.origin;
}

/// The values of a key, as text: " nk=4096 capital='a b'".
Parameters parameters_in(std::string_view key) {
  Parameters given;
  std::size_t space = key.find(' ');
  while (space != std::string_view::npos) {
    key.remove_prefix(space + 1);
    const std::size_t equals = std::min(key.find('='), key.size());
    const std::string name(key.substr(0, equals));
    key.remove_prefix(std::min(equals + 1, key.size()));
    const bool quoted = key.starts_with('\'');
    const std::size_t end = std::min(quoted ? key.find('\'', 1) : key.find(' '), key.size());
    given.set(name, std::string(key.substr(quoted ? 1 : 0, end - (quoted ? 1 : 0))));
    space = key.find(' ', end);
  }
  return given;
}

/// Its key, too, has the present name and only the present axes.
std::string key_of(const Renamed& now, std::string_view id, const Parameters& before,
                   std::string key) {
  if (key.starts_with(id)) key.replace(0, id.size(), now.id);
  for (const auto& [name, value] : before) {
    const std::string field = key_field(name, to_string(value));
    const std::size_t at = now.given.find(name) == nullptr ? key.find(field) : std::string::npos;
    if (at != std::string::npos) key.erase(at, field.size());
  }
  return key;
}

/// Before the first change to what its line says.
void remember_line(Record& record) {
  if (record.formerly) return;
  record.formerly = {record.key, record.implementation, record.origin, record.parameters};
}

/// Where the key has the first of these axes that it names, or ends.
std::size_t place_of(std::span<const Axis> axes, const Record& record) {
  for (const Axis& axis : axes) {
    const Value* value = record.parameters.find(axis.name);
    if (value == nullptr) continue;
    const std::size_t at = record.key.find(key_field(axis.name, to_string(*value)));
    if (at != std::string::npos) return at;
  }
  return record.key.size();
}

/// An axis has another default now than what records older than it did: these have that value, and
/// keys name what is not the default now.
void use_present_defaults(const Model& model, Record& record) {
  const Implementation* here = Registry::global().find(record.id());
  if (here == nullptr && Registry::global().find_left_out(record.id()) == nullptr) return;
  const std::span<const Axis> axes = here == nullptr ? model.axes : here->axes;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Axis& axis = axes[i];
    if (!axis.lacking) continue;
    const Value* held = record.parameters.find(axis.name);
    const Value value = held == nullptr ? *axis.lacking : *held;
    const std::string field = key_field(axis.name, to_string(value));
    const std::size_t at = record.key.find(field);
    const bool is_named = at != std::string::npos;
    const bool is_default = value == axis.default_value;
    if (held != nullptr && is_named != is_default) continue;
    remember_line(record);
    record.parameters.set(axis.name, value);
    if (is_named && is_default) record.key.erase(at, field.size());
    if (!is_named && !is_default) record.key.insert(place_of(axes.subspan(i + 1), record), field);
  }
}

void use_present_name(Record& record) {
  const std::string id = record.id();
  const Renamed now = Registry::global().recorded(id, record.parameters);
  const std::string origin = present_origin(record, now);
  const bool is_same = now.id == id && now.given == record.parameters && origin == record.origin;
  if (is_same) return;
  remember_line(record);
  record.key = key_of(now, id, record.parameters, std::move(record.key));
  record.implementation = now.id.substr(record.model.size() + 1);
  record.origin = origin;
  record.parameters = now.given;
}

/// `is_there` says whether a GPU does a stage, or any of the solution if none is named.
template <class IsThere>
void add_processor(const IsThere& is_there, Record& record) {
  if (!record.on_gpu) record.on_gpu = is_there({});
  if (!*record.on_gpu || !record.gpu_stages.empty() || record.samples.empty()) return;
  for (const auto& [stage, seconds] : record.samples.front().stages) {
    if (is_there(stage)) record.gpu_stages.push_back(stage);
  }
}

void add_floor(Floor declared, Record& record) {
  if (!declared.is_known()) return;
  if (!record.floor) record.floor = declared;
  record.declared_floor = std::move(declared);
}

/// The work of an implementation that the build leaves out is not known here, and what one that no
/// build has runs on is not known at all.
void add_facts_left_out(const Model& model, const Parameters& given, Record& record) {
  if (Registry::global().find_left_out(record.id()) != nullptr) {
    add_processor(
        [&](std::string_view stage) {
          return model.is_on_gpu(record.implementation, stage, given);
        },
        record);
  }
  if (record.outcome) {
    add_floor(model.floor_of(record.implementation, given, *record.outcome), record);
  }
}

}  // namespace

void add_facts(const Case& which, Record& record) {
  if (!record.work) record.work = which.work();
  add_processor([&](std::string_view stage) { return which.is_on_gpu(stage); }, record);
  if (record.outcome) add_floor(which.floor(*record.outcome), record);
}

void add_facts(Record& record) {
  const Registry& registry = Registry::global();
  const Model* model = registry.find_model(record.model);
  if (model == nullptr) return;
  name_files(model->axes, record);
  use_present_name(record);
  use_present_defaults(*model, record);
  try {
    const Parameters given = complete_recorded(model->axes, record.parameters);
    const Implementation* here = registry.find(record.id());
    if (here != nullptr) {
      add_facts(Case{here, only_taken(*here, given)}, record);
    } else {
      add_facts_left_out(*model, given, record);
    }
  } catch (const UsageError&) {
    // A record of axes or values that no longer exist: nothing is known about it.
  }
}

std::string present_key(const std::string& key) {
  const std::string id = key.substr(0, key.find(' '));
  const Parameters given = parameters_in(key);
  return key_of(Registry::global().recorded(id, given), id, given, key);
}

bool has_its_own_way(const Record& record) {
  const Model* model = Registry::global().find_model(record.model);
  return record.origin == to_string(Origin::frontier) && !is_of_a_program(record) &&
         (model == nullptr ||
          std::ranges::count(model->formerly, record.implementation, &FormerName::now) == 0);
}

bool is_of_a_program(const Record& record) {
  return !record.samples.empty() && record.samples.front().around.contains("process");
}

Parameters recorded(const std::vector<Axis>& axes, const Parameters& parameters) {
  Parameters named = parameters;
  for (const auto& [name, value] : parameters) {
    const auto* text = std::get_if<std::string>(&value);
    if (text != nullptr && is_file(axes, name)) named.set(name, without_folders(*text));
  }
  return named;
}

Parameters complete_recorded(const std::vector<Axis>& axes, const Parameters& parameters) {
  Parameters rest, files;
  for (const auto& [name, value] : parameters)
    (is_file(axes, name) ? files : rest).set(name, value);
  Parameters whole = complete(axes, rest, 1);
  for (const Axis& axis : axes) {
    if (axis.lacking && rest.find(axis.name) == nullptr) whole.set(axis.name, *axis.lacking);
  }
  for (const auto& [name, value] : files) whole.set(name, value);
  return whole;
}

}  // namespace macrobench
