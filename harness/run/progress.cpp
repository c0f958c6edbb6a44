#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <memory>
#include <string>

#include "harness/process/elapsed.hpp"
#include "harness/records/record.hpp"
#include "harness/records/statistics.hpp"
#include "harness/run/schedule.hpp"
#include "harness/text/format.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

bool went_wrong(const ScheduledCase& scheduled) {
  return scheduled.record && (scheduled.record->status == Status::timeout ||
                              verdict(*scheduled.record, false) != ExitCode::ok);
}

/// "0.123 s  valid", "invalid: not converged".
std::string what_happened(const Record& record) {
  std::string text;
  if (!record.samples.empty()) {
    text = format_duration(median(seconds_of(record, Phase::solution))) + "  ";
  }
  text += record.status == Status::measured
              ? "valid"
              : fmt::format("{}{}: {}", to_string(record.status),
                            record.expected_invalid ? " (as published)" : "", record.why);
  return text;
}

std::string line_of(const ScheduledCase& scheduled, const Record& record, int done, int total) {
  const std::string all = std::to_string(total);
  return printable(fmt::format("[{:>{}}/{}] {}  {}", done, all.size(), all, scheduled.which.key(),
                               what_happened(record)));
}

/// "[12/55] rbc/serial nk=512: the first solution, ETA 3 min": in a log, while a case runs.
std::string line_within(const Case& which, int done, int total, const Moment& now) {
  return printable(fmt::format("[{}/{}] {}{}{}", done, total, which.key(),
                               now.at.empty() ? "" : ": " + now.at,
                               now.eta > 0 ? ", ETA " + format_duration(now.eta) : ""));
}

/// The line on a terminal.
class Bar {
 public:
  /// By the cases that are done of those that are to run, or, if the time to the end is known, by
  /// the time. Else the time that has gone by shows that something happens.
  std::string line(const Case& which, int done, int total, const Moment& now) {
    if (done < done_ || total < total_) fraction_ = 0;
    done_ = done;
    total_ = total;
    const double by_time =
        now.elapsed > 0 && now.eta > 0 ? now.elapsed / (now.elapsed + now.eta) : 0;
    const double by_cases = total > 0 ? static_cast<double>(done) / total : 0;
    fraction_ = std::max({fraction_, by_time, by_cases});
    constexpr int cells = 20;
    const int filled = static_cast<int>(cells * fraction_);
    const std::string time = now.eta > 0        ? "ETA " + whole_seconds(now.eta) + "  "
                             : now.elapsed >= 1 ? "after " + whole_seconds(now.elapsed) + "  "
                                                : " ";
    const std::string head =
        fmt::format("[{:#<{}}{:.<{}}] {}/{} {}% {}", "", filled, "", cells - filled, done, total,
                    static_cast<int>(100 * fraction_), time);
    // The last column stays empty, because some terminals break the line there.
    const std::size_t width = terminal_width(STDERR_FILENO) - 1;
    const std::string place = now.at.empty() ? "" : ": " + printable(now.at);
    // Where the case is says more than the end of its key.
    const std::size_t taken = head.size() + place.size();
    constexpr std::size_t least = 20;
    const std::size_t room = taken + least < width ? width - taken : least;
    return shortened(head + shortened(printable(which.key()), room) + place, width);
  }

 private:
  /// At least one, so that it does not flicker between units at the end.
  static std::string whole_seconds(double seconds) {
    return format_duration(std::max(1.0, std::round(seconds)));
  }

  double fraction_ = 0;
  int done_ = 0;
  int total_ = 0;
};

}  // namespace

Progress terminal_progress(bool is_a_terminal, std::ostream& out) {
  const std::string erase = is_a_terminal ? "\r\x1b[K" : "";
  Progress progress;
  using Clock = std::chrono::steady_clock;
  if (is_a_terminal) {
    const auto bar = std::make_shared<Bar>();
    progress.moves = [&out, erase, bar](const Case& which, int done, int total, const Moment& now) {
      out << erase << bar->line(which, done, total, now) << std::flush;
    };
    progress.begins = [moves = progress.moves, begun = Clock::now()](const Case& which, int done,
                                                                     int total, double eta) {
      moves(which, done, total, {.elapsed = seconds_since(begun), .eta = eta});
    };
  }
  // A log has a line every ten seconds, the first case's and the last one's among them.
  constexpr double pause = 10;
  const auto said = std::make_shared<Clock::time_point>();
  const auto is_due = [=](bool is_last) {
    const bool is_first = *said == Clock::time_point();
    if (is_a_terminal || !(is_first || is_last || seconds_since(*said) >= pause)) return false;
    *said = Clock::now();
    return true;
  };
  if (!is_a_terminal) {
    progress.moves = [&out, is_due](const Case& which, int done, int total, const Moment& now) {
      if (is_due(false)) out << line_within(which, done, total, now) << '\n' << std::flush;
    };
  }
  progress.ended = [=, &out](const ScheduledCase& scheduled, int done, int total) {
    out << erase;
    if (scheduled.record && (went_wrong(scheduled) || is_due(done == total))) {
      out << line_of(scheduled, *scheduled.record, done, total) << '\n';
    }
    out << std::flush;
  };
  progress.says = [&out, erase](const std::string& message) {
    out << erase << printable(message) << '\n' << std::flush;
  };
  return progress;
}

std::vector<NotRun> not_run_by_reason(const std::vector<ScheduledCase>& cases,
                                      const std::vector<Reason>& others) {
  std::vector<NotRun> all;
  const auto add = [&](const Reason& why) {
    const auto known = std::ranges::find(all, why.clause, &NotRun::why);
    if (known == all.end()) {
      all.push_back({why.clause, 1});
    } else {
      ++known->cases;
    }
  };
  for (const ScheduledCase& one : cases) {
    if (!one.record) add(one.why_not);
  }
  for (const Reason& why : others) add(why);
  std::ranges::stable_sort(all, std::ranges::greater{}, &NotRun::cases);
  return all;
}

std::string to_string(const NotRun& group) {
  return fmt::format("{} not run: {}", counted(static_cast<std::size_t>(group.cases), "case"),
                     group.why);
}

Progress terminal_progress() {
  return terminal_progress(obeys_escapes(STDERR_FILENO), std::cerr);
}

}  // namespace macrobench
