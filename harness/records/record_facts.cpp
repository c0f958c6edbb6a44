#include "harness/records/record_facts.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "harness/records/statistics.hpp"
#include "harness/sources/source_digest.hpp"
#include "harness/text/error.hpp"

namespace macrobench {

namespace {

bool is_file(const std::vector<Axis>& axes, std::string_view name) {
  const auto axis = std::ranges::find(axes, name, &Axis::name);
  return axis != axes.end() && axis->is_file;
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

bool is_of_this_build(const Record& record) {
  const Implementation* here = Registry::global().find(record.id());
  return here != nullptr && source_digest(*here) == record.source;
}

bool reads_file(const Case& which) {
  return std::ranges::any_of(which.implementation->axes, [&](const Axis& axis) {
    const Value* value = axis.is_file ? which.parameters.find(axis.name) : nullptr;
    return value != nullptr && *value != axis.default_value;
  });
}

std::optional<BestRate> best_rate_of(const Record& record) {
  if (record.model != ceilings_model || !record.floor) return std::nullopt;
  const Floor& floor = *record.floor;
  if (floor.stages.empty() || floor.exchanged > 0) return std::nullopt;
  const std::vector<double> seconds = seconds_of_stage(record, floor.stages.front());
  if (seconds.empty() || !(median(seconds) > 0)) return std::nullopt;
  const bool is_copy = floor.stages.front() == "copy";
  return BestRate{is_copy, (is_copy ? floor.bytes : floor.operations) / median(seconds)};
}

bool has_its_own_way(const Record& record) {
  // "cuda_c_gpus" is cuda_c on several.
  return record.origin == to_string(Origin::frontier) && !is_of_a_program(record) &&
         !record.implementation.ends_with("_gpus");
}

bool is_of_a_program(const Record& record) {
  return !record.samples.empty() && record.samples.front().around.contains("process");
}

bool met_relaxed_tolerance(const Record& record) {
  if (!record.outcome) return false;
  const auto relaxed = record.outcome->figures.find("relaxed");
  return relaxed != record.outcome->figures.end() && relaxed->second > 0;
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
  // The record is older than the axis, and so than a default of its implementation's own.
  for (const Axis& axis : axes) {
    if (rest.find(axis.name) == nullptr) whole.set(axis.name, axis.if_lacking());
  }
  for (const auto& [name, value] : files) whole.set(name, value);
  return whole;
}

}  // namespace macrobench
