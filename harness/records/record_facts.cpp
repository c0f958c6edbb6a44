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
    const std::string before = key_part(name, to_string(value));
    const std::size_t at = record.key.find(before);
    if (at != std::string::npos) {
      record.key.replace(at, before.size(), key_part(name, to_string(now)));
    }
  }
  record.parameters = named;
}

/// None if there is no such model.
const Model* model_of(const Record& record) {
  const auto& models = Registry::global().models();
  const auto found = std::ranges::find(models, record.model, &Model::name);
  return found == models.end() ? nullptr : &*found;
}

/// Complete except for files, on which none of this depends.
Parameters without_files(const std::vector<Axis>& axes, const Parameters& given) {
  Parameters rest;
  for (const auto& [name, value] : given) {
    if (!is_file(axes, name)) rest.set(name, value);
  }
  return complete(axes, rest, 1);
}

/// The work of an implementation that the build leaves out is not known here.
void add_work_and_floor(const Model& model, Record& record) {
  const Parameters given = without_files(model.axes, record.parameters);
  const bool is_here =
      Registry::global().find(record.model + "/" + record.implementation) != nullptr;
  if (!record.work && is_here) record.work = model.work_of(record.implementation, given);
  if (record.floor || !record.outcome) return;
  Floor floor = model.floor_of(record.implementation, given, *record.outcome);
  if (floor.is_known()) record.floor = std::move(floor);
}

/// Of an implementation that the build leaves out, its model still knows the stages that go by the
/// parameters and not by the implementation.
void add_processor(const Model& model, Record& record) {
  const std::string id = record.model + "/" + record.implementation;
  const Implementation* known = Registry::global().find(id);
  const LeftOut* missing = Registry::global().find_left_out(id);
  const auto is_there = [&](std::string_view stage) {
    if (known != nullptr) return is_on_gpu(*known, stage, record.parameters);
    const bool by_implementation = missing->lacks == "CUDA";
    if (!model.on_gpu) return by_implementation;
    return model.on_gpu(stage, without_files(model.axes, record.parameters))
        .value_or(by_implementation);
  };
  if (known == nullptr && missing == nullptr) return;
  if (!record.on_gpu) record.on_gpu = is_there({});
  if (!*record.on_gpu || !record.gpu_stages.empty() || record.samples.empty()) return;
  for (const auto& [stage, seconds] : record.samples.front().stages) {
    if (is_there(stage)) record.gpu_stages.push_back(stage);
  }
}

}  // namespace

void add_facts(Record& record) {
  const Model* model = model_of(record);
  if (model == nullptr) return;
  name_files(model->axes, record);
  try {
    add_work_and_floor(*model, record);
    add_processor(*model, record);
  } catch (const UsageError&) {
    // A record of axes or values that no longer exist: nothing is known about it.
  }
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
