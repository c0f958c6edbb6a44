#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/records/statistics.hpp"
#include "harness/regress/history.hpp"
#include "harness/text/csv.hpp"
#include "harness/text/format.hpp"
#include "harness/text/json_values.hpp"

namespace macrobench {

namespace {

constexpr int plot_width = 40;
constexpr const char* no_break_space = "\u00a0";

/// From the smallest to the largest value drawn. Linear, and never so fine that noise of a few
/// percent fills it.
struct Scale {
  double low = std::numeric_limits<double>::infinity();
  double high = 0;

  void hold(double seconds) {
    low = std::min(low, seconds);
    high = std::max(high, seconds);
  }
  void widen() {
    const double least = 0.1 * high;
    if (high - low >= least) return;
    const double middle = std::midpoint(low, high);
    low = middle - least / 2;
    high = middle + least / 2;
  }
  [[nodiscard]] std::size_t column(double seconds) const {
    if (!(high > low)) return 0;
    return static_cast<std::size_t>(
        std::lround((plot_width - 1) * ((seconds - low) / (high - low))));
  }
};

/// In code, whose characters are equally wide on a page too, where ordinary spaces would become
/// one.
Words drawn(const Scale& scale, const std::vector<double>& seconds) {
  if (seconds.empty()) return "";
  const std::size_t from = scale.column(quantile(seconds, 0.25));
  const std::size_t to = scale.column(quantile(seconds, 0.75));
  const std::size_t middle = scale.column(median(seconds));
  std::string text;
  for (std::size_t i = 0; i <= std::max(to, middle); ++i) {
    text += i == middle ? "●" : i >= from && i <= to ? "─" : no_break_space;
  }
  return code(std::move(text));
}

std::string commit_of(const HistoryStep& step) {
  if (step.commit.empty()) return "?";
  return step.commit.substr(0, 8) + (step.dirty ? "+" : "");
}

std::string percent_of(double ratio) {
  return fmt::format("{:+.1f}%", 100 * (ratio - 1));
}

std::string comparison_of(const HistoryStep& step) {
  if (!step.ratio) return "";
  const std::string change = percent_of(*step.ratio);
  return step.verdict ? fmt::format("{} {}", change, to_string(*step.verdict)) : change;
}

/// From the smallest quartile of a step to the largest.
Scale scale_of(const History& history) {
  Scale scale;
  for (const HistoryStep& step : history.steps) {
    if (step.seconds.empty()) continue;
    scale.hold(quantile(step.seconds, 0.25));
    scale.hold(quantile(step.seconds, 0.75));
  }
  scale.widen();
  return scale;
}

/// Its ends, above the plot.
std::string axis_of(const Scale& scale) {
  if (scale.high <= 0) return "";
  const std::string low = format_duration(scale.low) + " ";
  return fmt::format("{}{:>{}}", low, format_duration(scale.high), plot_width - low.size());
}

Grid steps_of(const History& history) {
  const Scale scale = scale_of(history);
  std::vector<Row> rows;
  for (const HistoryStep& step : history.steps) {
    if (step.seconds.empty()) {
      const std::string colon = step.why.empty() ? "" : ": ";
      rows.push_back({{step.time, commit_of(step), "", "", "", "", "",
                       fmt::format("{}{}{}", to_string(step.status), colon, step.why)}});
      continue;
    }
    const std::string spread =
        step.seconds.size() > 1 ? fmt::format("{:.1f}%", 100 * relative_spread(step.seconds)) : "";
    rows.push_back(
        {{step.time, commit_of(step), format_duration(median(step.seconds)), spread,
          std::to_string(step.seconds.size()), comparison_of(step), drawn(scale, step.seconds)}});
  }
  using enum Column::Kind;
  return grid_of({{"time", words},
                  {"commit", words},
                  {"median"},
                  {"spread"},
                  {"n"},
                  {"to the one before", words},
                  {axis_of(scale), words},
                  {"why not", words, Column::Place::below}},
                 std::move(rows));
}

std::string machine_of(const History& history) {
  return history.machine + (history.by_regress ? ", as regress measured it" : "");
}

/// "1a2b3c4d (A. Author: what the commit says)".
std::string commit_in_words(const std::string& commit, const Commits& commits) {
  const auto facts = commits.find(commit);
  if (facts == commits.end()) return commit.empty() ? "an unknown commit" : commit.substr(0, 8);
  return fmt::format("{} ({}: {})", commit.substr(0, 8), facts->second.author,
                     facts->second.subject);
}

/// The last commit that was timed before the step; empty if it is not known.
std::string commit_before(const History& history, std::size_t step) {
  while (step-- > 0) {
    if (!history.steps[step].seconds.empty()) return history.steps[step].commit;
  }
  return "";
}

std::string change_in_words(const ChangePoint& change) {
  return fmt::format("{} {}, from {} to {}", percent_of(change.ratio()),
                     change.ratio() > 1 ? "slower" : "faster", format_duration(change.before),
                     format_duration(change.after));
}

/// Whose change it is: the commit's own, or that of one between two that were measured.
std::string cause_in_words(const History& history, const ChangePoint& change,
                           const Commits& commits) {
  const HistoryStep& step = history.steps[change.step];
  const std::string before = commit_before(history, change.step);
  std::string its = commit_in_words(step.commit, commits);
  if (before == step.commit) return its + ", in another measurement of the same commit";
  if (before.empty() || step.commit.empty()) return its;
  return fmt::format("{}, after {}", its, before.substr(0, 8));
}

}  // namespace

Document document_of(const std::vector<History>& histories, const Commits& commits) {
  Document document;
  for (const History& history : histories) {
    document.title = history.key;
    document.body.emplace_back(Heading{"On " + machine_of(history)});
    document.body.emplace_back(steps_of(history));
    List changes;
    for (const ChangePoint& change : history.changes) {
      changes.items.push_back(
          {strong(change_in_words(change)) + ": " + cause_in_words(history, change, commits)});
    }
    if (!changes.items.empty()) document.body.emplace_back(std::move(changes));
  }
  return document;
}

Document changes_of(const std::vector<History>& histories, const Commits& commits) {
  struct Change {
    const History* history;
    const ChangePoint* point;
  };
  std::vector<Change> changes;
  std::size_t series = 0;
  std::size_t steady = 0;
  for (const History& history : histories) {
    if (std::ranges::count_if(history.steps,
                              [](const HistoryStep& step) { return !step.seconds.empty(); }) < 2) {
      continue;
    }
    ++series;
    if (history.changes.empty()) ++steady;
    for (const ChangePoint& point : history.changes) changes.push_back({&history, &point});
  }
  std::ranges::stable_sort(changes, std::greater(),
                           [](const Change& change) { return change.point->ratio(); });
  std::vector<Row> rows;
  for (const auto& [history, point] : changes) {
    rows.push_back({{history->key, machine_of(*history), percent_of(point->ratio()),
                     format_duration(point->before), format_duration(point->after),
                     cause_in_words(*history, *point, commits)}});
  }
  using enum Column::Kind;
  Document document{.title = "What changed, and by whom"};
  document.body.emplace_back(Paragraph{
      series == 0 ? Words("No case was measured at two commits: `history --build FROM..TO CASE` "
                          "measures one over a range.")
                  : Words(fmt::format("{} of {} cases that were measured twice or more changed.",
                                      series - steady, series))});
  if (!rows.empty()) {
    document.body.emplace_back(grid_of({{"case", words},
                                        {"machine", words, Column::Place::above},
                                        {"change"},
                                        {"from"},
                                        {"to"},
                                        {"at", words, Column::Place::below}},
                                       std::move(rows)));
  }
  return document;
}

nlohmann::ordered_json to_json(const std::vector<History>& histories, const Commits& commits) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const History& history : histories) {
    nlohmann::ordered_json steps = nlohmann::ordered_json::array();
    for (const HistoryStep& step : history.steps) {
      std::optional<double> its_median;
      std::optional<double> its_spread;
      if (!step.seconds.empty()) {
        its_median = median(step.seconds);
        its_spread = relative_spread(step.seconds);
      }
      steps.push_back({{"time", step.time},
                       {"commit", or_null(step.commit)},
                       {"dirty", step.dirty},
                       {"status", to_string(step.status)},
                       {"why", or_null(step.why)},
                       {"median_seconds", or_null(its_median)},
                       {"relative_spread", or_null(its_spread)},
                       {"seconds", step.seconds},
                       {"ratio", or_null(step.ratio)},
                       {"interval", to_json(step.interval)},
                       {"verdict", or_null(step.verdict ? to_string(*step.verdict) : "")},
                       {"beside", or_null(step.beside)}});
    }
    nlohmann::ordered_json changes = nlohmann::ordered_json::array();
    for (const ChangePoint& change : history.changes) {
      const std::string& commit = history.steps[change.step].commit;
      const auto facts = commits.find(commit);
      const CommitFacts known = facts == commits.end() ? CommitFacts{} : facts->second;
      changes.push_back({{"step", change.step},
                         {"commit", or_null(commit)},
                         {"after", or_null(commit_before(history, change.step))},
                         {"author", or_null(known.author)},
                         {"subject", or_null(known.subject)},
                         {"before_seconds", change.before},
                         {"after_seconds", change.after},
                         {"ratio", change.ratio()}});
    }
    all.push_back({{"key", history.key},
                   {"machine", history.machine},
                   {"by_regress", history.by_regress},
                   {"steps", std::move(steps)},
                   {"changes", std::move(changes)}});
  }
  return {{"schema", 1}, {"histories", std::move(all)}};
}

std::string to_csv(const std::vector<History>& histories) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  const nlohmann::ordered_json json = to_json(histories);
  for (const nlohmann::ordered_json& history : json["histories"]) {
    for (const nlohmann::ordered_json& step : history["steps"]) {
      nlohmann::ordered_json& row = rows.emplace_back(step);
      row["machine"] = history["machine"];
      row["key"] = history["key"];
      row["solutions"] = step["seconds"].size();
      for (const char* name : {"median_seconds", "relative_spread", "ratio"}) {
        if (!row[name].is_null()) row[name] = to_nine_digits(row[name]);
      }
      if (step["interval"].is_null()) continue;
      row["ratio_low"] = to_nine_digits(step["interval"][0]);
      row["ratio_high"] = to_nine_digits(step["interval"][1]);
    }
  }
  return to_csv({"machine", "key", "time", "commit", "dirty", "status", "why", "median_seconds",
                 "relative_spread", "solutions", "ratio", "ratio_low", "ratio_high", "verdict"},
                rows);
}

}  // namespace macrobench
