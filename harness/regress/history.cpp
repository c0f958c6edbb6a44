#include "harness/regress/history.hpp"

#include <algorithm>
#include <cstddef>
#include <map>

#include "harness/records/statistics.hpp"
#include "harness/regress/commit_program.hpp"

namespace macrobench {

namespace {

/// Fewer solutions say nothing about how much they vary.
constexpr std::size_t fewest_compared = 5;

HistoryStep step_of(const Record& record, const Machine* machine) {
  const SourceState source = machine == nullptr ? SourceState{} : source_of(*machine);
  return {.time = record.time,
          .commit = source.commit,
          .dirty = source.dirty,
          .status = record.status,
          .why = to_string(record.why),
          .seconds = record.status == Status::measured ? seconds_of(record, Phase::solution)
                                                       : std::vector<double>{}};
}

}  // namespace

void add_history(std::vector<History>& histories, const Results& results, const std::string& key) {
  std::map<std::string, std::size_t> places;  // by what makes two machines comparable
  for (const Record& record : results.records) {
    if (record.key != key || record.status == Status::not_run) continue;
    const auto machine = results.machines.find(record.machine);
    const bool known = machine != results.machines.end();
    const std::string comparable = known ? machine->second.comparable_id() : record.machine;
    const auto [place, is_new] = places.try_emplace(comparable, histories.size());
    if (is_new) {
      histories.push_back({key, known ? machine->second.slug() : "an unknown machine", {}});
    }
    histories[place->second].steps.push_back(step_of(record, known ? &machine->second : nullptr));
  }
}

void compare_steps(History& history, const RegressionTerms& terms) {
  std::ranges::stable_sort(history.steps, {}, &HistoryStep::time);
  const HistoryStep* before = nullptr;
  for (HistoryStep& step : history.steps) {
    if (step.seconds.empty()) continue;
    if (before != nullptr) {
      step.ratio = median(step.seconds) / median(before->seconds);
      if (step.seconds.size() >= fewest_compared && before->seconds.size() >= fewest_compared) {
        step.interval = bootstrap_ratio_of_medians(step.seconds, before->seconds, terms.confidence);
      }
      if (step.interval) step.verdict = verdict_of(*step.interval, terms.threshold);
      // A step says whether it is the same, and not only that it is no slower.
      if (step.verdict == Verdict::not_slower) step.verdict = Verdict::ambiguous;
    }
    before = &step;
  }
}

}  // namespace macrobench
