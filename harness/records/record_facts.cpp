#include "harness/records/record_facts.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "harness/model/registry.hpp"
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

void use_present_name(Record& record) {
  const std::string id = record.model + "/" + record.implementation;
  const Renamed now = Registry::global().renamed(id, record.parameters);
  const std::string origin = now.origin ? to_string(*now.origin) : record.origin;
  const bool is_same = now.id == id && now.given == record.parameters && origin == record.origin;
  if (is_same) return;
  record.formerly = {record.key, record.implementation, record.origin, record.parameters};
  if (record.key.starts_with(id)) record.key.replace(0, id.size(), now.id);
  for (const auto& [name, value] : record.parameters) {
    const std::string field = key_field(name, to_string(value));
    const std::size_t at =
        now.given.find(name) == nullptr ? record.key.find(field) : std::string::npos;
    if (at != std::string::npos) record.key.erase(at, field.size());
  }
  record.implementation = now.id.substr(record.model.size() + 1);
  record.origin = origin;
  record.parameters = now.given;
}

std::optional<Floor> floor_of(const Model& model, const Parameters& given, const Record& record) {
  if (!record.outcome) return std::nullopt;
  Floor floor = model.floor_of(record.implementation, given, *record.outcome);
  return floor.is_known() ? std::optional(std::move(floor)) : std::nullopt;
}

/// The work of an implementation that the build leaves out is not known here.
void add_work_and_floor(const Model& model, const Parameters& given, Record& record) {
  const bool is_here =
      Registry::global().find(record.model + "/" + record.implementation) != nullptr;
  if (!record.work && is_here) record.work = model.work_of(record.implementation, given);
  if (!record.floor) record.floor = floor_of(model, given, record);
}

/// What an unknown implementation runs on is not known.
void add_processor(const Model& model, const Parameters& given, Record& record) {
  const std::string id = record.model + "/" + record.implementation;
  const Registry& registry = Registry::global();
  if (registry.find(id) == nullptr && registry.find_left_out(id) == nullptr) return;
  const auto is_there = [&](std::string_view stage) {
    return model.is_on_gpu(record.implementation, stage, given);
  };
  if (!record.on_gpu) record.on_gpu = is_there({});
  if (!*record.on_gpu || !record.gpu_stages.empty() || record.samples.empty()) return;
  for (const auto& [stage, seconds] : record.samples.front().stages) {
    if (is_there(stage)) record.gpu_stages.push_back(stage);
  }
}

}  // namespace

void add_facts(Record& record) {
  const Model* model = Registry::global().find_model(record.model);
  if (model == nullptr) return;
  name_files(model->axes, record);
  use_present_name(record);
  try {
    const Parameters given = complete_recorded(model->axes, record.parameters);
    add_work_and_floor(*model, given, record);
    add_processor(*model, given, record);
  } catch (const UsageError&) {
    // A record of axes or values that no longer exist: nothing is known about it.
  }
}

std::optional<Floor> declared_floor(const Record& record) {
  const Model* model = Registry::global().find_model(record.model);
  if (model == nullptr) return std::nullopt;
  try {
    return floor_of(*model, complete_recorded(model->axes, record.parameters), record);
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

bool has_its_own_way(const Record& record) {
  const Model* model = Registry::global().find_model(record.model);
  return record.origin == to_string(Origin::frontier) &&
         (model == nullptr ||
          std::ranges::count(model->formerly, record.implementation, &FormerName::now) == 0);
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
  for (const auto& [name, value] : files) whole.set(name, value);
  return whole;
}

}  // namespace macrobench
