#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <string>

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

/// "0.123 s  valid", "invalid: not converged", "not run: no GPU here".
std::string what_happened(const ScheduledCase& scheduled) {
  if (!scheduled.record) return "not run: " + to_string(scheduled.why_not);
  const Record& record = *scheduled.record;
  std::string text;
  if (!record.samples.empty()) {
    text = format_duration(median(seconds_of(record, Phase::solution))) + "  ";
  }
  text += record.status == Status::measured
              ? "valid"
              : fmt::format("{}{}: {}", to_string(record.status),
                            record.expected_invalid ? " (as published)" : "", record.why);
  if (scheduled.reused) text += "  (kept)";
  return text;
}

std::string line_of(const ScheduledCase& scheduled, int done, int total) {
  const std::string all = std::to_string(total);
  return printable(fmt::format("[{:>{}}/{}] {}  {}", done, all.size(), all, scheduled.which.key(),
                               what_happened(scheduled)));
}

std::string bar(const Case& which, int done, int total, double eta) {
  constexpr int cells = 20;
  const int filled = total > 0 ? cells * done / total : 0;
  const int percent = total > 0 ? 100 * done / total : 0;
  const std::string head =
      fmt::format("[{:#<{}}{:.<{}}] {}/{} {}% {}", "", filled, "", cells - filled, done, total,
                  percent, eta > 0 ? "ETA " + format_duration(eta) + "  " : " ");
  // The last column stays empty, because some terminals break the line there.
  const std::size_t width = terminal_width(STDERR_FILENO) - 1;
  return shortened(printable(head + which.key()), width);
}

}  // namespace

Progress terminal_progress(bool is_a_terminal, std::ostream& out) {
  const std::string erase = is_a_terminal ? "\r\x1b[K" : "";
  Progress progress;
  if (is_a_terminal) {
    progress.begins = [&out, erase](const Case& which, int done, int total, double eta) {
      out << erase << bar(which, done, total, eta) << std::flush;
    };
  }
  progress.ended = [=, &out](const ScheduledCase& scheduled, int done, int total) {
    out << erase;
    if (!is_a_terminal || went_wrong(scheduled)) out << line_of(scheduled, done, total) << '\n';
    out << std::flush;
  };
  progress.says = [&out, erase](const std::string& message) {
    out << erase << printable(message) << '\n' << std::flush;
  };
  return progress;
}

Progress terminal_progress() {
  return terminal_progress(isatty(STDERR_FILENO) != 0, std::cerr);
}

}  // namespace macrobench
