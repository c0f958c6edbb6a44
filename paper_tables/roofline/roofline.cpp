#include "paper_tables/roofline/roofline.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "harness/model/parameters.hpp"
#include "harness/model/registry.hpp"
#include "harness/records/doubt.hpp"
#include "harness/records/statistics.hpp"

namespace macrobench {

namespace {

constexpr const char* ceilings_model = "roofline";

bool is_measured(const Record& record) {
  return record.status == Status::measured && record.outcome && record.outcome->valid;
}

/// Null if this program lacks the record's model.
const Model* model_of(const Record& record) {
  const auto& models = Registry::global().models();
  const auto found = std::ranges::find(models, record.model, &Model::name);
  return found == models.end() ? nullptr : &*found;
}

/// The median over solutions of the stages together; of the whole solution if none is named.
double seconds_of(const Record& record, const Floor& floor) {
  if (floor.stages.empty()) return median(seconds_of(record, Phase::solution));
  double sum = 0;
  for (const std::string& stage : floor.stages) {
    const std::vector<double> seconds = seconds_of_stage(record, stage);
    if (seconds.empty()) return 0;
    sum += median(seconds);
  }
  return sum;
}

std::string size_of(const Record& record) {
  const Model* model = model_of(record);
  if (model == nullptr) return "";
  const Value* size = record.parameters.find(model->size_axis);
  return size == nullptr ? "" : model->size_axis + "=" + to_string(*size);
}

/// The ceiling of what the record computes, by its precision.
std::optional<double> ProcessorCeilings::* operations_of(const Record& record) {
  return is_single(record.parameters) ? &ProcessorCeilings::single_operations_a_second
                                      : &ProcessorCeilings::double_operations_a_second;
}

ProcessorCeilings& processor_in(std::vector<ProcessorCeilings>& all, const Record& record,
                                const Floor& floor) {
  const bool is_gpu = is_on_gpu(record, floor.stages);
  const int threads = is_gpu ? 1 : threads_of(record.parameters);
  const auto found = std::ranges::find_if(all, [&](const ProcessorCeilings& one) {
    return one.is_gpu == is_gpu && one.threads == threads;
  });
  if (found != all.end()) return *found;
  return all.emplace_back(ProcessorCeilings{.is_gpu = is_gpu, .threads = threads});
}

/// By key, the last valid one: records are in the order of time.
std::map<std::string, const Record*> newest_measured(const Results& results) {
  std::map<std::string, const Record*> newest;
  for (const Record& record : results.records) {
    if (is_measured(record)) newest[record.key] = &record;
  }
  return newest;
}

}  // namespace

std::vector<ProcessorCeilings> ceilings_of(const Results& results) {
  std::vector<ProcessorCeilings> all;
  for (const auto& [key, record] : newest_measured(results)) {
    if (record->model != ceilings_model) continue;
    if (!record->floor || record->floor->stages.empty()) continue;
    const Floor& floor = *record->floor;
    const double seconds = seconds_of(*record, floor);
    if (!(seconds > 0)) continue;
    ProcessorCeilings& processor = processor_in(all, *record, floor);
    const bool is_copy = floor.stages.front() == "copy";
    const bool is_exchange = floor.exchanged > 0;
    std::optional<double>& ceiling =
        processor.*(is_exchange ? &ProcessorCeilings::exchanged_bytes_a_second
                    : is_copy   ? &ProcessorCeilings::bytes_a_second
                                : operations_of(*record));
    const double amount = is_exchange ? floor.exchanged : is_copy ? floor.bytes : floor.operations;
    ceiling = std::max(ceiling.value_or(0), amount / seconds);
  }
  std::ranges::sort(
      all, {}, [](const ProcessorCeilings& one) { return std::pair(!one.is_gpu, one.threads); });
  return all;
}

std::optional<FloorShare> share_of(const Record& record,
                                   const std::vector<ProcessorCeilings>& ceilings) {
  if (!is_measured(record) || record.model == ceilings_model || !record.floor) return std::nullopt;
  FloorShare one{.key = record.key,
                 .implementation = record.model + "/" + record.implementation,
                 .size = size_of(record),
                 .is_gpu = is_on_gpu(record, record.floor->stages),
                 .floor = *record.floor};
  const auto processor = std::ranges::find_if(ceilings, [&](const ProcessorCeilings& its) {
    return its.is_gpu == one.is_gpu && (one.is_gpu || its.threads == threads_of(record.parameters));
  });
  if (processor == ceilings.end()) return std::nullopt;
  const std::optional<double> bytes = processor->bytes_a_second;
  const std::optional<double> operations = (*processor).*operations_of(record);
  one.seconds = seconds_of(record, one.floor);
  if (!bytes || !operations || !(one.seconds > 0)) return std::nullopt;
  const int gpus = one.is_gpu ? gpus_of(record.parameters) : 1;  // a ceiling belongs to one GPU
  const double moving = one.floor.bytes / *bytes / gpus;
  const double computing = one.floor.operations / *operations / gpus;
  one.floor_seconds = std::max(moving, computing);
  one.is_memory_bound = moving > computing;
  const bool is_bound = one.floor_seconds > 0 && std::isfinite(one.floor_seconds);
  return is_bound ? std::optional(one) : std::nullopt;
}

Roofline roofline_of(const Results& results) {
  Roofline roofline{.ceilings = ceilings_of(results), .cases = {}};
  for (const auto& [key, record] : newest_measured(results)) {
    if (std::optional<FloorShare> share = share_of(*record, roofline.ceilings)) {
      roofline.cases.push_back(std::move(*share));
    }
  }
  return roofline;
}

}  // namespace macrobench
