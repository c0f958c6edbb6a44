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

const std::vector<Axis>* axes_of(const std::string& model) {
  const auto& models = Registry::global().models();
  const auto found = std::ranges::find(models, model, &Model::name);
  return found == models.end() ? nullptr : &found->axes;
}

/// Until schema 2 a file stood with its path.
void name_files(Record& record) {
  const std::vector<Axis>* axes = axes_of(record.model);
  if (axes == nullptr) return;
  const Parameters named = recorded(*axes, record.parameters);
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

void add_facts_of(const Implementation& implementation, Record& record) {
  const Parameters& given = record.parameters;
  if (!record.work) record.work = work_of(implementation, given);
  if (!record.on_gpu) {
    record.on_gpu = is_on_gpu(implementation, {}, given);
    record.gpu_stages.clear();
  }
  if (!record.floor && record.outcome) {
    Floor floor = floor_of(implementation, given, *record.outcome);
    if (floor.is_known()) record.floor = std::move(floor);
  }
  if (!*record.on_gpu || !record.gpu_stages.empty() || record.samples.empty()) return;
  for (const auto& [stage, seconds] : record.samples.front().stages) {
    if (is_on_gpu(implementation, stage, given)) record.gpu_stages.push_back(stage);
  }
}

}  // namespace

void add_facts(Record& record) {
  name_files(record);
  const std::string id = record.model + "/" + record.implementation;
  const Registry& registry = Registry::global();
  if (const Implementation* implementation = registry.find(id)) {
    try {
      add_facts_of(*implementation, record);
    } catch (const UsageError&) {
      // A record of axes or values that are no more: nothing is known of it.
    }
  } else if (const LeftOut* missing = registry.find_left_out(id)) {
    if (!record.on_gpu && missing->lacks == "CUDA") record.on_gpu = true;
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
