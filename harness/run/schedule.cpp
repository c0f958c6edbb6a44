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

#include "harness/model/growth_law.hpp"
#include "harness/records/record_facts.hpp"
#include "harness/records/source_digest.hpp"
#include "harness/records/statistics.hpp"
#include "harness/text/error.hpp"
#include "harness/text/format.hpp"

namespace macrobench {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// How far a case may exceed the budget that is left, so that one that almost fits is not lost.
constexpr double grace = 1;

/// The growth of a solution's time that is assumed if fewer than three sizes are known: that of the
/// work, if the model gives it, else the worst published one.
double assumed_growth(const Implementation& implementation, double ratio) {
  return implementation.sizes() == Sizes::of_work ? ratio : ratio * ratio;
}

/// What the scheduler must know about a measured case to predict a larger one.
struct Measured {
  double solution = 0;   ///< median seconds
  double start = 0;      ///< seconds, of one process
  double solutions = 0;  ///< taken in the first process, the first included
  double overhead = 0;   ///< what the case took beyond its samples: checks, processes
};

Measured measured(const Record& record) {
  const Sample& first = record.samples.front();
  Measured known{.solution = median(seconds_of(record, Phase::solution)),
                 .start = first.start,
                 .solutions = 1 + static_cast<double>(first.solutions.size()),
                 .overhead = record.seconds};
  for (const Sample& sample : record.samples) {
    known.overhead -= sample.start + sample.first_solution;
    for (const double seconds : sample.solutions) known.overhead -= seconds;
  }
  known.overhead = std::max(0.0, known.overhead);
  return known;
}

struct Prediction {
  double solution = unknown;  ///< seconds of one
  double whole = unknown;     ///< seconds of the case
  bool by_law = false;        ///< fitted to three sizes or more, not assumed
};

/// Cases that differ only in how much they must do, and what is known about their times.
class Series {
 public:
  Series(const Implementation& implementation, Sampling sampling)
      : implementation_(&implementation),
        processes_(implementation.has_start ? std::max(1, sampling.processes) : 1),
        sampling_(sampling) {}

  void add_case(std::size_t index, double size) { waiting_.emplace(size, index); }

  void add_record(const Record& record, double size) {
    if (record.status == Status::timeout) smallest_timeout_ = std::min(smallest_timeout_, size);
    if (!record.samples.empty()) known_[size] = measured(record);
  }

  [[nodiscard]] bool is_done() const { return waiting_.empty(); }
  [[nodiscard]] double head_size() const { return waiting_.begin()->first; }
  [[nodiscard]] std::size_t head() const { return waiting_.begin()->second; }
  void drop_head() { waiting_.erase(waiting_.begin()); }
  [[nodiscard]] bool a_smaller_one_timed_out() const { return smallest_timeout_ < head_size(); }
  [[nodiscard]] Prediction predict_head() const { return predict(head_size()); }
  /// Seconds of the next case by this series, or else by the most favourable of the others of its
  /// implementation, or else by `hint`: good enough to put it in order, not to leave it out.
  [[nodiscard]] double rank_head(const std::vector<Series>& all, double hint) const {
    const double own = predict_head().whole;
    if (!std::isnan(own)) return own;
    double best = unknown;
    for (const Series& other : all) {
      if (other.implementation_ != implementation_) continue;
      best = std::fmin(best, other.predict(head_size()).whole);  // a number beats NaN
    }
    return std::isnan(best) ? hint : best;
  }
  [[nodiscard]] double predict_rest() const {
    double sum = 0;
    for (const auto& [size, index] : waiting_) {
      const double whole = predict(size).whole;
      if (!std::isnan(whole)) sum += whole;
    }
    return sum;
  }

 private:
  [[nodiscard]] Prediction predict(double size) const {
    if (known_.empty()) return {};
    // The nearest smaller size that is known, or else the smallest of all.
    const auto above = known_.upper_bound(size);
    const auto& [last_size, last] = above == known_.begin() ? *above : *std::prev(above);
    const double growth = assumed_growth(*implementation_, std::max(1.0, size / last_size));

    Prediction prediction{.solution = last.solution * growth};
    std::vector<Point> points;
    for (const auto& [at, known] : known_) points.push_back({at, known.solution});
    if (const std::optional<GrowthLaw> law = fit_growth_law(points, implementation_->sizes())) {
      const double predicted = law->at(size);
      if (std::isfinite(predicted) && predicted > 0) {
        prediction.solution = predicted;
        prediction.by_law = true;
      }
    }
    const double first_process = last.start + prediction.solution * solutions(last, prediction);
    const double other_process = last.start + prediction.solution;
    prediction.whole =
        first_process + (processes_ - 1) * other_process + last.overhead * std::sqrt(growth);
    return prediction;
  }

  /// The number that the first process will take: as many as at the last size, while there is time.
  [[nodiscard]] double solutions(const Measured& last, const Prediction& prediction) const {
    if (prediction.solution > sampling_.seconds) return 1;
    const double in_time = std::ceil(sampling_.seconds / prediction.solution);
    return std::max<double>(sampling_.minimum, std::min(last.solutions, in_time));
  }

  const Implementation* implementation_;
  std::multimap<double, std::size_t> waiting_;  ///< the places of cases, by size
  std::map<double, Measured> known_;            ///< by size
  double smallest_timeout_ = std::numeric_limits<double>::infinity();
  int processes_;
  Sampling sampling_;
};

/// The case's key without everything that its work accounts for.
std::string series_of(const Implementation& implementation, const Parameters& parameters) {
  const Model& model = Registry::global().model(implementation.model);
  std::string key = implementation.id();
  for (const auto& [name, value] : recorded(implementation.axes, parameters)) {
    if (!model.grows_along(name)) key += key_part(name, to_string(value));
  }
  return key;
}

/// The machines, by id, whose times may be compared with this one's.
std::set<std::string> comparable_ids(const Results& results, const Machine& machine) {
  std::set<std::string> ids{machine.id()};
  const std::string comparable = machine.comparable_id();
  for (const auto& [id, other] : results.machines) {
    if (other.comparable_id() == comparable) ids.insert(id);
  }
  return ids;
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
    const Record* record = reusable_record(store_.results(), scheduled.which, machine_);
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
  const std::string key = which.key();
  for (const Record& record : results.records | std::views::reverse) {
    if (record.key == key && record.status != Status::not_run &&
        record.source == source_digest(*which.implementation) &&
        comparable_ids(results, machine).contains(record.machine)) {
      return &record;
    }
  }
  return nullptr;
}

}  // namespace macrobench
