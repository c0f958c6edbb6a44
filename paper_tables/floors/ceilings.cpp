#include "paper_tables/floors/ceilings.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "harness/model/parameters.hpp"
#include "harness/model/registry.hpp"
#include "harness/records/doubt.hpp"
#include "harness/records/record_facts.hpp"
#include "harness/records/statistics.hpp"

namespace macrobench {

namespace {

bool is_measured(const Record& record) {
  return record.status == Status::measured && record.outcome && record.outcome->valid;
}

/// The time of the stages to which the floor applies; of the whole solution if it names none.
Cell time_under(const Floor& floor, const Record& record, const FolderTimes& times) {
  if (floor.stages.empty()) {
    return times.time_of(record, Phase::solution, {}, seconds_by_process(record, Phase::solution));
  }
  std::optional<Cell> total;
  for (const std::string& stage : floor.stages) {
    const Cell of_stage =
        times.time_of(record, Phase::solution, {stage}, seconds_by_process(record, stage));
    if (!of_stage.value) return of_stage;
    total = total ? sum(*total, of_stage) : of_stage;
  }
  total->stage = name_of_stages(floor.stages);
  return *total;
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

}  // namespace

std::vector<ProcessorCeilings> ceilings_of(const Results& results) {
  std::vector<ProcessorCeilings> all;
  // A ceiling is the best that any record found.
  for (const Record& record : results.records) {
    const std::optional<BestRate> best = best_rate_of(record);
    if (!best || !is_measured(record)) continue;
    ProcessorCeilings& processor = processor_in(all, record, *record.floor);
    std::optional<double>& ceiling =
        processor.*(best->is_copy ? &ProcessorCeilings::bytes_a_second : operations_of(record));
    ceiling = std::max(ceiling.value_or(0), best->per_second);
  }
  std::ranges::sort(
      all, {}, [](const ProcessorCeilings& one) { return std::pair(!one.is_gpu, one.threads); });
  return all;
}

std::optional<FloorShare> share_of(const Record& record, const FolderTimes& times,
                                   const std::vector<ProcessorCeilings>& ceilings) {
  if (!is_measured(record) || record.model == ceilings_model || !record.floor) return std::nullopt;
  const Floor& floor = *record.floor;
  FloorShare one{.is_gpu = is_on_gpu(record, floor.stages)};
  const auto processor = std::ranges::find_if(ceilings, [&](const ProcessorCeilings& its) {
    return its.is_gpu == one.is_gpu && (one.is_gpu || its.threads == threads_of(record.parameters));
  });
  if (processor == ceilings.end()) return std::nullopt;
  const std::optional<double> bytes = processor->bytes_a_second;
  const std::optional<double> operations = (*processor).*operations_of(record);
  if (!bytes || !operations) return std::nullopt;
  const int gpus = one.is_gpu ? gpus_of(record.parameters) : 1;  // a ceiling belongs to one GPU
  const double moving = floor.bytes / *bytes / gpus;
  const double computing = floor.operations / *operations / gpus;
  const double seconds = std::max(moving, computing);
  one.is_memory_bound = moving > computing;
  if (!(seconds > 0) || !std::isfinite(seconds)) return std::nullopt;

  one.time = time_under(floor, record, times);
  one.floor_time = {.value = seconds,
                    .kind = Kind::computed,
                    .status = Status::measured,
                    .unit = "s",
                    .scope = one.time.scope,
                    .stage = one.time.stage,
                    .problem = one.time.problem};
  one.share = Ratio(one.floor_time, one.time, {});
  return one.share.is_refused() ? std::nullopt : std::optional(one);
}

}  // namespace macrobench
