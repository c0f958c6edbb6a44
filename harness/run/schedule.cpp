#include "harness/run/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <optional>
#include <ranges>
#include <set>
#include <utility>

#include "harness/records/record_facts.hpp"
#include "harness/records/source_digest.hpp"
#include "harness/run/prediction.hpp"
#include "harness/text/error.hpp"
#include "harness/text/format.hpp"

namespace macrobench {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// How far a case may exceed the budget that is left, so that one that almost fits is not lost.
constexpr double grace = 1;

/// The cases of a series that are left to run, and what is known about their times.
class Series {
 public:
  Series(const Implementation& implementation, Sampling sampling)
      : implementation_(&implementation), times_(implementation, sampling) {}

  void add_case(std::size_t index, double size) { waiting_.emplace(size, index); }
  void add_record(const Record& record, double size) { times_.add(record, size); }

  [[nodiscard]] bool is_done() const { return waiting_.empty(); }
  [[nodiscard]] double head_size() const { return waiting_.begin()->first; }
  [[nodiscard]] std::size_t head() const { return waiting_.begin()->second; }
  void drop_head() { waiting_.erase(waiting_.begin()); }
  [[nodiscard]] bool a_smaller_one_timed_out() const {
    return times_.a_smaller_one_timed_out(head_size());
  }
  [[nodiscard]] Prediction predict_head() const { return times_.predict(head_size()); }
  /// Seconds of the next case by this series, or else by the most favourable of the others of its
  /// implementation, or else by `hint`: good enough to put it in order, not to leave it out.
  [[nodiscard]] double rank_head(const std::vector<Series>& all, double hint) const {
    const double own = predict_head().whole;
    if (!std::isnan(own)) return own;
    double best = unknown;
    for (const Series& other : all) {
      if (other.implementation_ != implementation_) continue;
      best = std::fmin(best, other.times_.predict(head_size()).whole);  // a number beats NaN
    }
    return std::isnan(best) ? hint : best;
  }
  [[nodiscard]] double predict_rest() const {
    double sum = 0;
    for (const auto& [size, index] : waiting_) {
      const double whole = times_.predict(size).whole;
      if (!std::isnan(whole)) sum += whole;
    }
    return sum;
  }

 private:
  const Implementation* implementation_;
  std::multimap<double, std::size_t> waiting_;  ///< the places of cases, by size
  KnownTimes times_;
};

/// The machines, by id, whose times may be compared with this one's.
std::set<std::string> comparable_ids(const Results& results, const Machine& machine) {
  std::set<std::string> ids{machine.id()};
  const std::string comparable = machine.comparable_id();
  for (const auto& [id, other] : results.machines) {
    if (other.comparable_id() == comparable) ids.insert(id);
  }
  return ids;
}

/// The newest record of the case's key and source digest from one of these machines; null if there
/// is none.
const Record* newest_record(const Results& results, const Case& which,
                            const std::set<std::string>& machines) {
  const std::string key = which.key();
  for (const Record& record : results.records | std::views::reverse) {
    if (record.key == key && record.status != Status::not_run &&
        record.source == source_digest(*which.implementation) &&
        machines.contains(record.machine)) {
      return &record;
    }
  }
  return nullptr;
}

/// A failure may have been temporary, and a longer deadline may be long enough now.
bool is_to_be_tried_again(const Record& record, const RunOptions& options) {
  return record.status == Status::failed || record.status == Status::not_run ||
         (record.status == Status::timeout && record.seconds + grace < options.deadline);
}

/// One run of a plan.
class Schedule {
 public:
  Schedule(std::vector<Case> cases, RecordStore& store, const Machine& machine,
           const ScheduleOptions& options, const Progress& progress)
      : store_(store), machine_(machine), options_(options), progress_(progress) {
    std::set<std::string> keys;
    for (Case& which : cases) {
      if (keys.insert(which.key()).second) cases_.push_back({.which = std::move(which)});
    }
  }

  std::vector<ScheduledCase> run() {
    sort_into_series();
    while (Series* series = next_series()) {
      const Prediction prediction = series->predict_head();
      ScheduledCase& head = cases_[series->head()];
      head.predicted_seconds = prediction.whole;
      Reason why_not = reason_against(*series, prediction);
      if (why_not.empty()) {
        run_one(head, *series);
      } else {
        head.why_not = std::move(why_not);
      }
      series->drop_head();
      end(head);
    }
    return std::move(cases_);
  }

 private:
  void sort_into_series() {
    std::map<std::string, std::size_t> found;
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      ScheduledCase& scheduled = cases_[i];
      if (!reuse(scheduled)) scheduled.why_not = scheduled.which.unavailable();
      if (scheduled.record || !scheduled.why_not.empty()) {
        end(scheduled);
        continue;
      }
      const Implementation& implementation = *scheduled.which.implementation;
      const Parameters& parameters = scheduled.which.parameters;
      const auto [index, is_first] =
          found.try_emplace(series_of(implementation, parameters), series_.size());
      if (is_first) {
        series_.emplace_back(implementation, options_.run.sampling);
        learn(series_.back(), index->first, implementation);
      }
      const Model& model = Registry::global().model(implementation.model);
      series_[index->second].add_case(i, model.work_of(implementation.name, parameters));
    }
  }

  bool reuse(ScheduledCase& scheduled) {
    if (options_.fresh) return false;
    const Record* record = newest_record(store_.results(), scheduled.which, comparable_);
    if (record == nullptr || is_to_be_tried_again(*record, options_.run)) return false;
    scheduled.record = *record;
    scheduled.reused = true;
    return true;
  }

  /// From what is already known about the series.
  void learn(Series& series, const std::string& name, const Implementation& implementation) {
    for (const Record& record : store_.results().records) {
      if (record.model != implementation.model || record.implementation != implementation.name ||
          record.source != source_digest(implementation) || !comparable_.contains(record.machine) ||
          is_to_be_tried_again(record, options_.run)) {
        continue;
      }
      try {
        const Parameters parameters = complete_recorded(implementation.axes, record.parameters);
        if (series_of(implementation, parameters) != name) continue;
        if (record.work) series.add_record(record, *record.work);
      } catch (const UsageError&) {
        // A record of axes that no longer exist: nothing to learn.
      }
    }
  }

  /// The one whose next case ranks cheapest; null at the end.
  Series* next_series() {
    Series* best = nullptr;
    std::pair<double, double> lowest;
    for (Series& series : series_) {
      if (series.is_done()) continue;
      const std::pair cost{series.rank_head(series_, hint(series.head())), series.head_size()};
      if (best != nullptr && cost >= lowest) continue;
      best = &series;
      lowest = cost;
    }
    return best;
  }

  /// 0 if there is none.
  [[nodiscard]] double hint(std::size_t index) const {
    const auto found = options_.hints.find(cases_[index].which.key());
    return found == options_.hints.end() ? 0 : found->second;
  }

  [[nodiscard]] double budget_left() const {
    return options_.budget - std::chrono::duration<double>(Clock::now() - begin_).count();
  }

  /// Larger cases of the series meet the same reason, or a stronger one, when their turn comes.
  [[nodiscard]] Reason reason_against(const Series& series, const Prediction& prediction) const {
    const double left = budget_left();
    if (series.a_smaller_one_timed_out()) return "a smaller size already timed out";
    if (prediction.whole > left) {
      return {"over the budget", "predicted " + format_duration(prediction.whole)};
    }
    if (left <= 0) return {"over the budget", "nothing was left of it"};
    if (prediction.by_law && prediction.solution > options_.run.deadline) {
      return {"over the deadline of " + format_duration(options_.run.deadline),
              "predicted " + format_duration(prediction.solution)};
    }
    return "";
  }

  void run_one(ScheduledCase& scheduled, Series& series) {
    progress_.begins(scheduled.which, done_, total(), eta());
    RunOptions run = options_.run;
    const double left = budget_left();
    run.deadline = std::min(run.deadline, left + grace);
    Record record = run_case(scheduled.which, machine_, run);
    if (record.status == Status::timeout && run.deadline < options_.run.deadline) {
      // The budget stopped it, not its deadline: that says nothing about the case itself.
      scheduled.why_not = {"over the budget",
                           fmt::format("unfinished in the {} left", format_duration(left))};
      return;
    }
    store_.append(record, machine_);
    series.add_record(record, series.head_size());
    scheduled.record = std::move(record);
  }

  void end(const ScheduledCase& scheduled) {
    if (!scheduled.record) keep_reason(scheduled);
    ++done_;
    progress_.ended(scheduled, done_, total());
  }

  /// So that the tables can be made again from the records alone. Another
  /// detail, such as a prediction, is not a new reason.
  void keep_reason(const ScheduledCase& scheduled) {
    Record record = record_of(scheduled.which, machine_, options_.run.campaign);
    const auto newest_first = store_.results().records | std::views::reverse;
    const auto known = std::ranges::find(newest_first, record.key, &Record::key);
    if (known != newest_first.end() && known->status == Status::not_run &&
        known->why.clause == scheduled.why_not.clause) {
      return;
    }
    record.status = Status::not_run;
    record.why = scheduled.why_not;
    store_.append(record, machine_);
  }

  [[nodiscard]] int total() const { return static_cast<int>(cases_.size()); }

  [[nodiscard]] double eta() const {
    double sum = 0;
    for (const Series& series : series_) sum += series.predict_rest();
    return std::min(sum, std::max(0.0, budget_left()));
  }

  RecordStore& store_;
  const Machine& machine_;
  const ScheduleOptions& options_;
  const Progress& progress_;
  Clock::time_point begin_ = Clock::now();
  std::vector<ScheduledCase> cases_;
  std::vector<Series> series_;
  std::set<std::string> comparable_ = comparable_ids(store_.results(), machine_);
  int done_ = 0;
};

}  // namespace

std::vector<ScheduledCase> run_schedule(std::vector<Case> cases, RecordStore& store,
                                        const Machine& machine, const ScheduleOptions& options,
                                        const Progress& progress) {
  return Schedule(std::move(cases), store, machine, options, progress).run();
}

const Record* reusable_record(const Results& results, const Case& which, const Machine& machine) {
  return newest_record(results, which, comparable_ids(results, machine));
}

}  // namespace macrobench
