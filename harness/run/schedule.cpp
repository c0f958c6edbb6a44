#include "harness/run/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <utility>

#include "harness/process/elapsed.hpp"
#include "harness/records/doubt.hpp"
#include "harness/records/record_facts.hpp"
#include "harness/run/prediction.hpp"
#include "harness/sources/source_digest.hpp"
#include "harness/text/error.hpp"
#include "harness/text/format.hpp"

namespace macrobench {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// Seconds that a case may exceed the budget that is left, so that one that almost fits is not
/// lost.
constexpr double grace = 1;

/// Seconds. A longer case does not run in turn with its group, which it would put off: its time is
/// an average over much of what happens to the machine.
constexpr double longest_in_turn = 10;

/// Seconds of measuring within a budget that are for headline cases, and the share of them that one
/// case may take: about a program of a model on a processor.
constexpr double headline_seconds = 60;
constexpr double headline_share = 0.05;

/// The cases of a series that are left to run, and what is known about their times.
class Series {
 public:
  Series(const Implementation& implementation, Sampling sampling)
      : implementation_(&implementation), times_(implementation, sampling) {}

  void add_case(std::size_t index, double size, const CaseHint& hint) {
    waiting_.emplace(size, Waiting{index, hint.headline, hint.extra});
  }
  void add_record(const Record& record, double size) {
    times_.add(record, size);
    largest_ran_ = std::max(largest_ran_, size);
    if (times_.sizes() > 0) is_new_ = false;
  }

  [[nodiscard]] bool is_done() const { return waiting_.empty(); }
  /// True if none of its cases had its turn yet, and no time of it is known.
  [[nodiscard]] bool is_new() const { return is_new_; }
  /// The next case: the smallest, unless a headline was chosen.
  [[nodiscard]] double head_size() const { return at_head()->first; }
  [[nodiscard]] std::size_t head() const { return at_head()->second.index; }
  void drop_head() {
    waiting_.erase(at_head());
    chosen_.reset();
    is_new_ = false;
  }
  /// True if no published row waits for it.
  [[nodiscard]] bool is_ours() const {
    return std::ranges::all_of(waiting_, [](const auto& waits) { return waits.second.extra; });
  }
  /// Makes a headline the next case, and returns true if there is one. The first is the smallest;
  /// later ones are larger than all that ran. A published program leaps to the largest that is
  /// predicted to take at most `most` seconds. Ours, which are fast, take every size, so that both
  /// programs meet at one size.
  bool choose_headline(double most) {
    chosen_.reset();
    for (auto waits = waiting_.cbegin(); waits != waiting_.cend(); ++waits) {
      const auto& [size, what] = *waits;
      if (size <= largest_ran_ || !what.headline) continue;
      const double seconds = times_.predict(size).whole;
      const bool is_first = !chosen_ && (is_new_ || seconds <= 2 * most);
      if (is_first || (chosen_ && seconds <= most && !what.extra)) chosen_ = waits;
    }
    return chosen_.has_value();
  }
  void choose_smallest() { chosen_.reset(); }
  [[nodiscard]] bool a_smaller_one_timed_out() const {
    return times_.a_smaller_one_timed_out(head_size());
  }
  [[nodiscard]] Prediction predict_head() const { return times_.predict(head_size()); }
  /// Seconds of a case of the size by this series, or else by the most favorable of the others of
  /// its implementation, or else by `hint`: good enough to put it in order, not to leave it out.
  [[nodiscard]] double rank(double size, const std::vector<Series>& all, double hint) const {
    const double own = times_.predict(size).whole;
    if (!std::isnan(own)) return own;
    double best = unknown;
    for (const Series& other : all) {
      if (other.implementation_ != implementation_) continue;
      best = std::fmin(best, other.times_.predict(size).whole);  // a number beats NaN
    }
    return std::isnan(best) ? hint : best;
  }
  /// NaN if nothing is known about a case of it.
  [[nodiscard]] double predict_rest() const {
    double sum = 0;
    for (const auto& [size, what] : waiting_) sum += times_.predict(size).whole;
    return sum;
  }

 private:
  struct Waiting {
    std::size_t index;
    bool headline, extra;
  };
  using BySize = std::multimap<double, Waiting>;

  [[nodiscard]] BySize::const_iterator at_head() const {
    return chosen_.value_or(waiting_.begin());
  }

  const Implementation* implementation_;
  BySize waiting_;
  std::optional<BySize::const_iterator> chosen_ = {};  ///< a headline
  double largest_ran_ = 0;
  KnownTimes times_;
  bool is_new_ = true;  ///< no case of it ran, and no time is known from before
};

/// The ids of this machine's blocks whose times may be compared with those measured now.
std::set<std::string> comparable_ids(const Results& results, const Machine& machine) {
  std::set<std::string> ids{machine.id()};
  for (const auto& [id, other] : results.machines) {
    if (other.is_comparable_with(machine)) ids.insert(id);
  }
  return ids;
}

/// The newest record of the case's key and source digest from one of these machines; null if there
/// is none.
const Record* newest_record(const Results& results, const Case& which,
                            const std::set<std::string>& machines) {
  const std::string key = which.key();
  const Record* newest = nullptr;
  for (const Record& record : results.records) {
    if (record.key == key && record.status != Status::not_run &&
        record.source == source_digest(*which.implementation) &&
        machines.contains(record.machine) && (newest == nullptr || replaces(record, *newest))) {
      newest = &record;
    }
  }
  return newest;
}

/// The versions that a program names when it starts; empty if it does not start.
const std::string& versions_now(const Case& which) {
  static std::map<std::string, std::string> known;
  const auto [entry, is_new] = known.try_emplace(which.implementation->id());
  if (!is_new) return entry->second;
  try {
    const auto instance = which.implementation->instantiate(which.parameters);
    instance->start();
    entry->second = instance->surroundings().notes["versions"];
  } catch (const ReadableError&) {
    // It is run again, and its record says why it does not start.
  }
  return entry->second;
}

/// True if a program has the versions that the record names. Its libraries are in no digest.
bool has_its_versions(const Record& record, const Case& which) {
  if (!is_of_a_program(record) || !record.outcome) return true;
  const auto versions = record.outcome->notes.find("versions");
  return versions == record.outcome->notes.end() || versions->second == versions_now(which);
}

/// A failure may have been temporary, as noise is, and a longer deadline may be long enough now.
bool is_to_be_tried_again(const Record& record, const RunOptions& options) {
  return record.status == Status::failed || record.status == Status::not_run ||
         is_doubted(record.status) ||
         (record.status == Status::timeout && record.seconds + grace < options.deadline);
}

/// As the public one, from any of these machines.
const Record* reusable_record(const Results& results, const Case& which,
                              const std::set<std::string>& machines,
                              const ScheduleOptions& options) {
  if (options.fresh) return nullptr;
  const Record* record = newest_record(results, which, machines);
  if (record == nullptr || is_to_be_tried_again(*record, options.run)) return nullptr;
  const bool lacks_energy =
      options.run.energy && record->status == Status::measured && energy_of(*record) == nullptr;
  return lacks_energy || !has_its_versions(*record, which) ? nullptr : record;
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
    for (const ScheduledCase& scheduled : cases_) {
      const auto hint = options.hints.find(scheduled.which.key());
      places_.push_back({.hint = hint == options.hints.end() ? CaseHint{} : hint->second});
      if (const auto& group = places_.back().hint.group) {
        groups_[*group].push_back(places_.size() - 1);
      }
    }
  }

  std::vector<ScheduledCase> run() {
    for (std::size_t i = 0; i < cases_.size(); ++i) begin(i);
    say_what_will_run();
    while (Series* series = next_series()) {
      const Prediction prediction = series->predict_head();
      const std::size_t index = series->head();
      ScheduledCase& head = cases_[index];
      head.predicted_seconds = prediction.whole;
      Reason why_not = reason_against(*series, prediction);
      if (why_not.empty()) {
        run_one(index, *series);
      } else {
        head.why_not = std::move(why_not);
      }
      series->drop_head();
      places_[index].series.reset();
      end(index);
    }
    return std::move(cases_);
  }

 private:
  /// What decides the order of cases and of groups: about how long (within a factor of two),
  /// whether only our own rows need it, how long, and how large.
  struct Cost {
    int about;
    bool extra;
    double seconds;
    double size;
    auto operator<=>(const Cost&) const = default;
  };

  /// Where a case is in the schedule.
  struct Place {
    CaseHint hint;
    std::optional<std::size_t> series = {};  ///< in which it waits
    double size = 0;                         ///< in that series
    std::optional<Cost> cost = {};           ///< as long as nothing new is known about it
  };

  void begin(std::size_t index) {
    ScheduledCase& scheduled = cases_[index];
    if (reuse(scheduled)) return;
    scheduled.why_not = scheduled.which.unavailable();
    if (scheduled.why_not.empty()) {
      wait(index);
    } else {
      keep_reason(scheduled);
    }
  }

  /// Where that is not all.
  void say_what_will_run() const {
    const auto kept = static_cast<int>(std::ranges::count_if(cases_, &ScheduledCase::reused));
    const int all = static_cast<int>(cases_.size()) + options_.others;
    const int cannot = all - total_ - kept;
    std::string rest;
    if (kept > 0) rest += fmt::format(", {} kept from before", with_separators(kept));
    if (cannot > 0) rest += fmt::format(", {} that cannot run", with_separators(cannot));
    if (rest.empty()) return;
    progress_.says(fmt::format("{}: {} to run{}.", counted(static_cast<std::size_t>(all), "case"),
                               with_separators(total_), rest));
  }

  /// Puts the case into its series.
  void wait(std::size_t index) {
    const Case& which = cases_[index].which;
    const Implementation& implementation = *which.implementation;
    const auto [found, is_first] =
        by_name_.try_emplace(series_of(implementation, which.parameters), series_.size());
    if (is_first) {
      series_.emplace_back(implementation, options_.run.sampling);
      learn(series_.back(), found->first, implementation);
    }
    Place& place = places_[index];
    place.size = which.work();
    place.series = found->second;
    series_[found->second].add_case(index, place.size, place.hint);
    ++total_;
  }

  bool reuse(ScheduledCase& scheduled) {
    const Record* record =
        reusable_record(store_.results(), scheduled.which, comparable_, options_);
    if (record == nullptr) return false;
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

  /// Of a case that waits: it has one.
  Series& series_of_waiting(const Place& place) { return series_[place.series.value_or(0)]; }

  /// Of a waiting case, by what is known now.
  const Cost& cost_of(std::size_t index) {
    Place& place = places_[index];
    if (!place.cost) {
      const double seconds = series_of_waiting(place).rank(place.size, series_, place.hint.seconds);
      place.cost = Cost{std::ilogb(seconds), place.hint.extra, seconds, place.size};
    }
    return *place.cost;
  }

  [[nodiscard]] bool has_budget() const { return std::isfinite(options_.budget); }

  /// The longest case that is run in turn with others.
  [[nodiscard]] double longest_turn() const { return std::min(budget_left(), longest_in_turn); }

  /// The waiting cases of a group that are run in turn and fit the budget that is left, the
  /// cheapest one first.
  [[nodiscard]] std::vector<std::pair<Cost, std::size_t>> to_run(
      const std::optional<std::string>& group) {
    std::vector<std::pair<Cost, std::size_t>> members;
    if (!group) return members;
    const double longest = longest_turn();
    for (const std::size_t index : groups_.at(*group)) {
      if (!places_[index].series) continue;
      const Cost& cost = cost_of(index);
      if (cost.seconds <= longest) members.emplace_back(cost, index);
    }
    std::ranges::sort(members);
    return members;
  }

  /// Whose turn it is: headlines, then the published rows, then ours; and then the cheapest. Each
  /// program's first headline comes before any program's second one, and ours before the published
  /// programs' first ones. Without a budget all is a question of cost.
  struct Turn {
    bool later = true;
    bool again = true;  ///< of a headline
    bool second = false;
    Cost cost = {};
    auto operator<=>(const Turn&) const = default;
  };

  /// Makes the case that the series would run its next one.
  Turn turn_of(Series& series) {
    const double most = headline_share * std::min(headline_seconds, options_.budget);
    const bool is_begin = has_budget() && elapsed() <= headline_seconds;
    if (is_begin && series.choose_headline(most)) {
      const bool is_published = !places_[series.head()].hint.extra;
      return {.later = false,
              .again = !series.is_new(),
              .second = series.is_new() && is_published,
              .cost = cost_of(series.head())};
    }
    series.choose_smallest();
    Turn turn{.second = has_budget() && series.is_ours(), .cost = cost_of(series.head())};
    if (turn.cost.seconds > longest_turn()) return turn;
    for (const auto& [cost, index] : to_run(places_[series.head()].hint.group)) {
      turn.cost.about = std::max(turn.cost.about, cost.about);
      turn.cost.extra = turn.cost.extra && cost.extra;
      turn.cost.seconds = std::max(turn.cost.seconds, cost.seconds);
    }
    return turn;
  }

  /// The series whose next case is to be run; null at the end. A group that was begun comes first:
  /// its cheapest case, after the smaller ones of that case's series.
  Series* next_series() {
    if (const auto members = to_run(group_); !members.empty()) {
      return &series_of_waiting(places_[members.front().second]);
    }
    Series* best = nullptr;
    Turn first{};
    for (Series& series : series_) {
      if (series.is_done()) continue;
      const Turn turn = turn_of(series);
      if (best != nullptr && turn >= first) continue;
      best = &series;
      first = turn;
    }
    group_ = best == nullptr || !first.later ? std::nullopt : places_[best->head()].hint.group;
    return best;
  }

  [[nodiscard]] double elapsed() const { return seconds_since(begin_); }
  [[nodiscard]] double budget_left() const { return options_.budget - elapsed(); }

  /// Larger cases of the series meet the same reason, or a stronger one, when their turn comes.
  [[nodiscard]] Reason reason_against(const Series& series, const Prediction& prediction) const {
    const double left = budget_left();
    if (series.a_smaller_one_timed_out()) return "a smaller size already timed out";
    if (prediction.whole > left) {
      return Reason(Reason::Kind::over_budget, "predicted " + format_duration(prediction.whole));
    }
    if (left <= 0) return Reason(Reason::Kind::over_budget, "nothing was left of it");
    if (prediction.by_law && prediction.solution > options_.run.deadline) {
      return {"over the deadline of " + format_duration(options_.run.deadline),
              "predicted " + format_duration(prediction.solution)};
    }
    return "";
  }

  void run_one(std::size_t index, Series& series) {
    ScheduledCase& scheduled = cases_[index];
    const double eta_at_begin = eta();
    progress_.begins(scheduled.which, done_, total_, eta_at_begin);
    RunOptions run = options_.run;
    const double left = budget_left();
    run.deadline = std::min(run.deadline, left + grace);
    run.ticks = [&, begun = elapsed()](const std::string& at) {
      // What the case takes beyond its prediction is not taken off the others' time.
      const double predicted =
          std::isnan(scheduled.predicted_seconds) ? 0.0 : scheduled.predicted_seconds;
      const double spent = std::min(elapsed() - begun, predicted);
      const double to_end = std::min(eta_at_begin - spent, std::max(0.0, budget_left()));
      progress_.moves(scheduled.which, done_, total_,
                      {.elapsed = elapsed(), .eta = std::max(0.0, to_end), .at = at});
    };
    Record record = run_case(scheduled.which, machine_, run);
    if (record.status == Status::timeout && run.deadline < options_.run.deadline) {
      // The budget stopped it, not its deadline: that says nothing about the case itself.
      scheduled.why_not = Reason(Reason::Kind::over_budget,
                                 fmt::format("unfinished in the {} left", format_duration(left)));
      return;
    }
    for (Record& noisy : made_noisy_by(record, store_.results().records)) {
      if (noisy.key == record.key) {
        record = std::move(noisy);
      } else {
        store_.append(noisy, machine_);
      }
    }
    store_.append(record, machine_);
    series.add_record(record, places_[index].size);
    scheduled.record = std::move(record);
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      if (cases_[i].which.implementation == scheduled.which.implementation) places_[i].cost.reset();
    }
  }

  void end(std::size_t index) {
    const ScheduledCase& scheduled = cases_[index];
    if (!scheduled.record) keep_reason(scheduled);
    ++done_;
    progress_.ended(scheduled, done_, total_);
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

  [[nodiscard]] double eta() const {
    double sum = 0;
    for (const Series& series : series_) {
      const double rest = series.predict_rest();
      // What nobody knows may take all that is left.
      sum += !std::isnan(rest) ? rest : has_budget() ? options_.budget : 0.0;
    }
    return std::min(sum, std::max(0.0, budget_left()));
  }

  RecordStore& store_;
  const Machine& machine_;
  const ScheduleOptions& options_;
  const Progress& progress_;
  Clock::time_point begin_ = Clock::now();
  std::vector<ScheduledCase> cases_;
  std::vector<Place> places_;  ///< of the cases
  std::map<std::string, std::vector<std::size_t>> groups_;
  std::optional<std::string> group_;  ///< that was begun
  std::vector<Series> series_;
  std::map<std::string, std::size_t> by_name_;
  std::set<std::string> comparable_ = comparable_ids(store_.results(), machine_);
  int done_ = 0;   ///< of those that were to run
  int total_ = 0;  ///< that are to run, as far as is known
};

}  // namespace

std::vector<ScheduledCase> run_schedule(std::vector<Case> cases, RecordStore& store,
                                        const Machine& machine, const ScheduleOptions& options,
                                        const Progress& progress) {
  return Schedule(std::move(cases), store, machine, options, progress).run();
}

const Record* reusable_record(const Results& results, const Case& which, const Machine& machine,
                              const ScheduleOptions& options) {
  return reusable_record(results, which, comparable_ids(results, machine), options);
}

}  // namespace macrobench
