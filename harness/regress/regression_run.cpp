#include "harness/regress/regression_run.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <variant>

#include "harness/process/elapsed.hpp"
#include "harness/process/process.hpp"
#include "harness/regress/commit_build.hpp"
#include "harness/text/format.hpp"
#include "harness/text/json_values.hpp"

namespace macrobench {

namespace {

using Clock = std::chrono::steady_clock;

/// What the build lacks for the case. A missing axis does not matter if the case has its default,
/// because the default is the behavior from before the axis existed.
struct Missing {
  std::string what;  ///< one clause; empty if nothing important is missing
  std::vector<std::string> axes;
};

Missing missing_in(const Contender& build, const Case& which) {
  const std::string id = which.implementation->id();
  const auto known = build.axes.find(id);
  if (known == build.axes.end()) return {fmt::format("there is no {} in the base", id), {}};
  Missing missing;
  for (const Axis& axis : which.implementation->axes) {
    if (known->second.contains(axis.name)) continue;
    missing.axes.push_back(axis.name);
    if (*which.parameters.find(axis.name) != axis.if_lacking()) {
      missing.what = fmt::format("there is no parameter {} in the base", axis.name);
    }
  }
  return missing;
}

/// Where callgrind writes its counts: a file in memory, so that nothing remains however this
/// process ends.
class CallgrindOutput {
 public:
  CallgrindOutput() : file_(::memfd_create("callgrind.out", MFD_CLOEXEC)) {}
  ~CallgrindOutput() { ::close(file_); }
  CallgrindOutput(const CallgrindOutput&) = delete;
  CallgrindOutput& operator=(const CallgrindOutput&) = delete;

  /// The path under which this user's other processes open it.
  [[nodiscard]] std::string path() const {
    return fmt::format("/proc/{}/fd/{}", ::getpid(), file_);
  }
  void clear() const { static_cast<void>(!::ftruncate(file_, 0)); }

  /// The total count; NaN if it cannot be found.
  [[nodiscard]] double counted_instructions() const {
    std::ifstream file(path());
    double counted = std::numeric_limits<double>::quiet_NaN();
    for (std::string line; std::getline(file, line);) {
      constexpr std::string_view totals = "totals: ";
      if (line.starts_with(totals)) counted = std::stod(line.substr(totals.size()));
    }
    return counted;
  }

 private:
  int file_;
};

/// How one case is measured, and the result.
struct Contest {
  Case which;
  std::vector<std::string> unknown_axes = {};  ///< to the base
  int solutions = 1;                           ///< in each process
  double pair_seconds = 0;                     ///< that its last pair took
  bool open = false;                           ///< whether there are pairs to come
  bool too_long = false;                       ///< for a case that nobody named
  RegressionCase result = {};

  void close(Verdict verdict, std::string why) {
    open = false;
    result.verdict = verdict;
    result.why = std::move(why);
    // A wrong result has no number.
    result.base.clear();
    result.head.clear();
  }
};

class RegressionRun {
 public:
  RegressionRun(const RegressionPlan& plan, const Contender& base, const Contender& head,
                const Machine& machine, const Progress& progress)
      : plan_(plan), base_(base), head_(head), machine_(machine), progress_(progress) {
    for (const Case& which : plan.cases) {
      contests_.push_back({.which = which});
      contests_.back().result.key = which.key();
      contests_.back().result.same_source = has_same_source(base, head, which.implementation->id());
    }
  }

  Regression run() {
    const auto begin = Clock::now();
    total_ = static_cast<int>(contests_.size());
    for (Contest& contest : contests_) {
      constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
      progress_.begins(contest.which, done_++, total_, unknown);
      warm_up(contest);
      if (contest.too_long) try_smaller(contest);
    }
    measure(fmt::format("{} of {} cases can be compared",
                        std::ranges::count(contests_, true, &Contest::open), contests_.size()));
    confirm();
    Regression regression{.base = base_.side,
                          .head = head_.side,
                          .terms = plan_.terms,
                          .machine = machine_.slug(),
                          .time = utc_now(),
                          .seconds = seconds_since(begin),
                          .cases = {}};
    for (Contest& contest : contests_) {
      regression.cases.push_back(std::move(contest.result));
    }
    return regression;
  }

 private:
  /// Runs a side once. Returns the measurement, or none if the contest is over for it.
  std::optional<double> run_side(Contest& contest, bool is_head, const Sampling& sampling,
                                 double deadline) {
    RunOptions options;
    options.sampling = sampling;
    options.sampling.processes = 1;
    options.deadline = deadline;
    options.thorough = plan_.thorough;
    options.judges_time = false;
    options.child_command = (is_head ? head_ : base_).child;
    if (!is_head) options.unknown_axes = contest.unknown_axes;
    if (plan_.terms.instructions) {
      counts_.clear();
      const std::vector<std::string> valgrind{"valgrind", "--quiet", "--tool=callgrind",
                                              fmt::format("--toggle-collect={}*", counted_function),
                                              "--callgrind-out-file=" + counts_.path()};
      options.child_command.insert(options.child_command.begin(), valgrind.begin(), valgrind.end());
    }
    const Record record = run_case(contest.which, machine_, options);
    if (record.status != Status::measured) {
      give_up(contest, is_head, record);
      return std::nullopt;
    }
    return plan_.terms.instructions ? counts_.counted_instructions() : least_disturbed(record);
  }

  static void give_up(Contest& contest, bool is_head, const Record& record) {
    if (record.status == Status::invalid && record.expected_invalid) {
      contest.close(Verdict::left_out, "known to give a wrong result: " + to_string(record.why));
    } else if (is_head) {
      contest.close(record.status == Status::invalid ? Verdict::invalid : Verdict::failed,
                    to_string(record.why));
    } else {
      contest.result.base_failed = record.status != Status::invalid;
      contest.close(Verdict::is_new,
                    fmt::format("the base's is {}: {}", to_string(record.status), record.why));
    }
  }

  void warm_up(Contest& contest) {
    std::string why_not = contest.which.unavailable();
    if (why_not.empty() && plan_.terms.instructions) why_not = uncountable(contest.which);
    if (!why_not.empty()) return contest.close(Verdict::left_out, why_not);
    const auto begin = Clock::now();
    Sampling sampling{
        .relative_spread = 0, .minimum = 1, .maximum = 20, .seconds = plan_.process_seconds};
    if (plan_.terms.instructions) sampling.maximum = 1;
    const Missing missing = missing_in(base_, contest.which);
    contest.unknown_axes = missing.axes;
    std::optional<double> before;
    if (!missing.what.empty()) {
      contest.close(Verdict::is_new, missing.what);
    } else {
      // It may just show that the case takes too long.
      before = run_side(contest, false, sampling, std::min(plan_.deadline, 2 * plan_.longest));
      if (seconds_since(begin) > plan_.longest) {
        contest.result.base_failed = false;
        contest.too_long = true;
        return contest.close(Verdict::left_out,
                             fmt::format("a process takes more than {} in the base: name the case "
                                         "to measure it",
                                         format_duration(plan_.longest)));
      }
    }
    // What the base lacks or cannot do is not measured, but it must still be right.
    const auto begin_head = Clock::now();
    const std::optional<double> now = run_side(contest, true, sampling, plan_.deadline);
    if (!before || !now) return;
    contest.open = true;
    // The first process may have had to read its executable from the disk.
    contest.pair_seconds = 2 * seconds_since(begin_head);
    if (plan_.terms.instructions) {
      contest.result.base.push_back(*before);
      contest.result.head.push_back(*now);
    } else {
      contest.solutions = solutions_for(std::max(*before, *now));
    }
  }

  /// A model is not left out because its usual case is too long.
  void try_smaller(Contest& contest) {
    const std::optional<Case> smaller = smaller_case(contest.which);
    if (!smaller || taken_keys().contains(smaller->key())) return;
    Contest another{.which = *smaller};
    another.result.key = smaller->key();
    another.result.usual = contest.result.key;
    another.result.same_source = contest.result.same_source;
    warm_up(another);
    if (another.result.verdict == Verdict::left_out && !another.open) return;
    contest = std::move(another);
  }

  [[nodiscard]] std::set<std::string> taken_keys() const {
    std::set<std::string> keys;
    for (const Contest& contest : contests_) keys.insert(contest.result.key);
    return keys;
  }

  /// As many as fill the time, the same for both sides: the smallest of more solutions is smaller.
  [[nodiscard]] int solutions_for(double seconds) const {
    constexpr double most = 200;
    if (seconds > plan_.process_seconds) return 1;
    return static_cast<int>(std::min(most, 1 + std::ceil(plan_.process_seconds / seconds)));
  }

  /// Measures the open cases in pairs, and concludes.
  void measure(const std::string& says) {
    if (!plan_.terms.instructions) measure_pairs(says);
    for (Contest& contest : contests_) {
      if (contest.open) conclude(contest.result, plan_.terms);
    }
  }

  /// Of many cases that are the same, some come out slower by chance or in a bad minute: those are
  /// measured again. A count needs no second one.
  void confirm() {
    int alarms = 0;
    for (Contest& contest : contests_) {
      contest.open = contest.open && contest.result.verdict == Verdict::slower;
      if (plan_.terms.instructions || !contest.open) continue;
      doubt(contest.result);
      ++alarms;
    }
    if (alarms == 0) return;
    measure(fmt::format("{} case{} came out slower and {} measured again", alarms,
                        alarms == 1 ? "" : "s", alarms == 1 ? "is" : "are"));
  }

  void measure_pairs(const std::string& says) {
    const int pairs = plan_.terms.pairs;
    total_ = pairs * static_cast<int>(std::ranges::count(contests_, true, &Contest::open));
    done_ = 0;
    progress_.says(fmt::format("{}: {} pairs of each, about {}.", says, pairs,
                               format_duration(seconds_left(0))));
    for (int pair = 0; pair < pairs; ++pair) {
      bool head_first = pair % 2 == 1;
      for (Contest& contest : contests_) {
        if (contest.open) measure_pair(contest, pair, head_first);
        head_first = !head_first;
      }
    }
  }

  void measure_pair(Contest& contest, int pair, bool head_first) {
    progress_.begins(contest.which, done_++, total_, seconds_left(pair));
    const auto begin = Clock::now();
    const Sampling sampling{.relative_spread = 0,
                            .minimum = contest.solutions,
                            .maximum = contest.solutions,
                            .seconds = 1e9};
    for (const bool is_head : {head_first, !head_first}) {
      const std::optional<double> taken = run_side(contest, is_head, sampling, plan_.deadline);
      if (taken) (is_head ? contest.result.head : contest.result.base).push_back(*taken);
      if (!contest.open) break;
    }
    contest.pair_seconds = seconds_since(begin);
    // It ran before, so the case is not missing.
    if (contest.result.verdict == Verdict::is_new) contest.result.verdict = Verdict::failed;
  }

  /// The time of the rounds from this one on, from the time of each case's last pair.
  [[nodiscard]] double seconds_left(int pair) const {
    double round = 0;
    for (const Contest& contest : contests_) round += contest.open ? contest.pair_seconds : 0;
    return round * (plan_.terms.pairs - pair);
  }

  const RegressionPlan& plan_;
  const Contender& base_;
  const Contender& head_;
  const Machine& machine_;
  const Progress& progress_;
  CallgrindOutput counts_;
  std::vector<Contest> contests_;
  int done_ = 0;
  int total_ = 0;
};

}  // namespace

Contender contender_at(const std::filesystem::path& executable, RegressionSide side) {
  const ProcessResult result = run_process({.executable = executable.string(),
                                            .command = {executable.string(), "list", "--json"},
                                            .deadline = 60,
                                            .answers_on = 1});
  const auto list = parsed(result.answer);
  Contender contender{.side = std::move(side), .child = {executable.string(), "child"}, .axes = {}};
  try {
    for (const auto& model : list.at("models")) {
      for (const auto& one : model.value("implementations", nlohmann::json::array())) {
        const std::string id =
            model.at("name").get<std::string>() + "/" + one.at("name").get<std::string>();
        contender.axes[id] = one.at("axes").get<std::set<std::string>>();
        if (one.contains("source") && one.contains("rules")) {
          contender.sources[id] =
              one.at("source").get<std::string>() + " " + one.at("rules").get<std::string>();
        }
      }
    }
  } catch (const nlohmann::json::exception&) {
    throw UsageError("{}: it is not macrobench, or one from before `list --json`",
                     executable.string());
  }
  return contender;
}

Contender contender_of(const std::string& ref, const Machine& machine) {
  const bool with_cuda = !machine.at("/cuda_compiler").is_null();
  const std::filesystem::path built = build_of_commit(ref, with_cuda);
  // build/commits/<sha>/build/macrobench
  return contender_at(built, {ref, built.parent_path().parent_path().filename().string()});
}

bool has_same_source(const Contender& base, const Contender& head, const std::string& id) {
  const auto its = base.sources.find(id);
  const auto now = head.sources.find(id);
  return its != base.sources.end() && now != head.sources.end() && its->second == now->second;
}

std::optional<Case> smaller_case(const Case& which) {
  constexpr int times_smaller = 4;
  // The check of a short solution may take longer than the solution: this axis sets how long.
  constexpr std::string_view axis_of_the_check = "accuracy_periods";
  const Model& model = which.model();
  Parameters parameters = which.parameters;
  for (const Axis& axis : which.implementation->axes) {
    const bool is_work = axis.name == model.size_axis ||
                         std::ranges::count(model.work_axes, axis.name) > 0 ||
                         axis.name == axis_of_the_check;
    if (!is_work) continue;
    const auto* whole = std::get_if<std::int64_t>(parameters.find(axis.name));
    if (whole == nullptr) continue;
    const Value less = *whole / times_smaller;
    if (allows(axis, less)) parameters.set(axis.name, less);
  }
  if (parameters == which.parameters) return std::nullopt;
  try {
    return Registry::global().make_case(which.implementation->id(), parameters, available_cores());
  } catch (const UsageError&) {
    return std::nullopt;  // values that are each allowed may not work together
  }
}

std::string uncountable(const Case& which) {
  switch (which.implementation->runs_on) {
    case RunsOn::gpu:
      return "a GPU's instructions are not counted";
    case RunsOn::other_processes:
      return "other processes do the work, and their instructions are not counted";
    case RunsOn::cpu:
      break;
  }
  for (const Axis& axis : which.implementation->axes) {
    if (axis.counts_cores && which.parameters.integer(axis.name) > 1) {
      return "threads that wait for each other make the number of instructions random";
    }
  }
  return "";
}

Regression run_regression(const RegressionPlan& plan, const Contender& base, const Contender& head,
                          const Machine& machine, const Progress& progress) {
  return RegressionRun(plan, base, head, machine, progress).run();
}

}  // namespace macrobench
