#include "paper_tables/times/times.hpp"

#include <functional>

#include "harness/numbers/folder_times.hpp"
#include "harness/records/record_facts.hpp"
#include "harness/text/each.hpp"

namespace macrobench {

CaseTimes times_of(const Record& record, const FolderTimes& times) {
  const auto time = [&](Phase phase) {
    return times.time_of(record, phase, {}, seconds_by_process(record, phase));
  };
  CaseTimes made{.key = record.key,
                 .is_gpu = record.on_gpu.value_or(false),
                 .start = time(Phase::start),
                 .first = time(Phase::first_solution),
                 .warm = time(Phase::solution),
                 .total = time(Phase::total),
                 .memory = memory_of(record)};
  if (made.warm.is_cold) made.warm = {.why = "no warm solution", .unit = "s"};
  return made;
}

Times times_of(const Results& results) {
  const FolderTimes folder(results);
  const auto cases_where = [&](const std::function<bool(const Record&)>& is_chosen) {
    return shown_records(results, [&](const Record& record) {
      return record.model != ceilings_model && is_chosen(record);
    });
  };
  const auto is_right = [](const Record& record) { return has_right_result(record.status); };
  const std::vector<ProcessorCeilings> ceilings = ceilings_of(results);
  return {.cases = each(cases_where(is_right),
                        [&](const Record* record) {
                          CaseTimes made = times_of(*record, folder);
                          made.floor = share_of(*record, folder, ceilings);
                          return made;
                        }),
          .programs = program_times_of(cases_where(is_right), folder)};
}

}  // namespace macrobench
