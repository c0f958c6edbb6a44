#include "harness/regress/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <ctime>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "harness/records/record_facts.hpp"
#include "harness/records/statistics.hpp"
#include "harness/regress/commit_build.hpp"
#include "harness/sources/commit_sources.hpp"
#include "harness/text/format.hpp"
#include "harness/text/json_cursor.hpp"
#include "harness/text/strings.hpp"

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

/// Blocks of version 0.1.0 do not say which machine they are of, only of what kind.
std::string name_of(const Machine& machine) {
  return machine.is_identified() ? machine.own_name() : machine.slug();
}

/// The histories of a key, by machine, compilers and flags.
struct Places {
  std::vector<History>& histories;
  const Results& results;
  const std::string& key;
  std::map<std::pair<std::string, bool>, std::size_t> places = {};

  /// What `regress` measures, the least disturbed solutions, is apart from a record's solutions.
  History& of(const std::string& machine_id, bool by_regress) {
    const auto machine = results.machines.find(machine_id);
    const bool known = machine != results.machines.end();
    const std::string comparable =
        known ? machine->second.comparable_id() + machine->second.identity() : machine_id;
    const auto [place, is_new] = places.try_emplace({comparable, by_regress}, histories.size());
    if (is_new) {
      histories.push_back({.key = key,
                           .machine = known ? name_of(machine->second) : "an unknown machine",
                           .by_regress = by_regress,
                           .steps = {}});
    }
    return histories[place->second];
  }
};

/// The seconds of a side; empty if it has none.
std::vector<double> samples_of(const JsonCursor& side) {
  if (side.is_null()) return {};
  constexpr double shortest = 1e-12;
  constexpr double longest = 1e12;
  return side.at("samples").list_of(
      [&](const JsonCursor& item) { return item.number_within(shortest, longest); });
}

/// Adds both sides of what `regress` measured of the key: the base too, if it is not there yet.
void add_regression(Places& places, const JsonCursor& line) {
  if (line.at("unit").text() != "seconds") return;
  const double threshold = line.at("threshold").number_within(1, 1e6);
  const std::string base = line.at("base").at("commit").text_or_null();
  for (const JsonCursor& one : line.at("cases").items()) {
    if (present_key(one.at("key").text()) != places.key) continue;
    HistoryStep before{.time = line.at("time").text(),
                       .commit = base,
                       .status = Status::measured,
                       .why = {},
                       .seconds = samples_of(one.at("base"))};
    HistoryStep after = before;
    const JsonCursor head = line.at("head");
    after.commit = head.at("commit").text_or_null();
    // Earlier versions say it only in the name.
    after.dirty = head.has("dirty") ? head.at("dirty").truth()
                                    : head.at("name").text().starts_with("the working tree");
    after.seconds = samples_of(one.at("head"));
    if (before.seconds.empty() || after.seconds.empty()) return;  // it was not compared
    after.beside = base.empty() ? "?" : base;
    after.ratio = one.at("ratio").number_within(0, 1e300);
    if (!one.at("interval").is_null()) {
      const std::vector<double> ends = one.at("interval").list_of(&JsonCursor::number);
      if (ends.size() != 2) one.at("interval").fail("it must have two ends");
      after.interval = {ends[0], ends[1]};
      after.verdict = verdict_of(*after.interval, threshold);
    }
    History& history = places.of(line.at("machine_id").text(), true);
    const bool has_base = std::ranges::any_of(history.steps, [&](const HistoryStep& step) {
      return !base.empty() && step.commit == base && !step.dirty && !step.seconds.empty();
    });
    if (!has_base) history.steps.push_back(std::move(before));
    history.steps.push_back(std::move(after));
    return;
  }
}

}  // namespace

Commits commits_of(const std::vector<History>& histories, const std::filesystem::path& repository) {
  std::string wanted;
  for (const History& history : histories) {
    for (const HistoryStep& step : history.steps) {
      if (is_commit_hash(step.commit)) wanted += step.commit + "\n";
    }
  }
  Commits commits;
  if (wanted.empty()) return commits;
  const std::optional<std::string> log = git(repository,
                                             {"log", "--no-walk=unsorted", "--ignore-missing",
                                              "--stdin", "-z", "--format=%H%x1f%ct%x1f%an%x1f%s"},
                                             wanted);
  if (!log) return commits;
  for (const std::string_view line : split(*log, '\0')) {
    const std::vector<std::string_view> fields = split(line, '\x1f');
    const std::optional<double> seconds =
        fields.size() < 4 ? std::nullopt : finite_number(fields[1]);
    if (!seconds || std::abs(*seconds) > 1e11) continue;
    commits[std::string(fields[0])] = {.time = utc(static_cast<std::time_t>(*seconds)),
                                       .author = std::string(fields[2]),
                                       .subject = std::string(fields[3])};
  }
  return commits;
}

std::vector<std::string> add_history(std::vector<History>& histories, const Results& results,
                                     const std::string& key) {
  Places places{.histories = histories, .results = results, .key = key};
  for (const Record& record : results.records) {
    if (record.key != key || record.status == Status::not_run) continue;
    const auto machine = results.machines.find(record.machine);
    const bool known = machine != results.machines.end();
    places.of(record.machine, false)
        .steps.push_back(step_of(record, known ? &machine->second : nullptr));
  }
  std::vector<std::string> warnings;
  for (const nlohmann::json& line : results.regressions) {
    try {
      add_regression(places, JsonCursor(line));
    } catch (const std::invalid_argument& error) {
      warnings.push_back(fmt::format("regressions.jsonl: a line is skipped ({})", error.what()));
    }
  }
  return warnings;
}

std::set<std::string> keys_of(const Results& results) {
  std::set<std::string> keys;
  for (const Record& record : results.records) {
    if (record.status != Status::not_run) keys.insert(record.key);
  }
  for (const nlohmann::json& line : results.regressions) {
    if (!line.contains("cases") || !line["cases"].is_array()) continue;
    for (const nlohmann::json& one : line["cases"]) {
      const bool is_measured = one.is_object() && one.contains("key") && one["key"].is_string() &&
                               one.contains("head") && one["head"].is_object();
      if (is_measured) keys.insert(present_key(one["key"].get<std::string>()));
    }
  }
  return keys;
}

void compare_steps(History& history, const RegressionTerms& terms, const Commits& commits) {
  const auto order = [&](const HistoryStep& step) {
    const auto commit = commits.find(step.commit);
    return std::pair(commit == commits.end() ? step.time : commit->second.time, step.time);
  };
  std::ranges::stable_sort(history.steps, {}, order);
  const HistoryStep* before = nullptr;
  for (HistoryStep& step : history.steps) {
    if (step.seconds.empty()) continue;
    if (before != nullptr && step.beside.empty()) {
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
  std::vector<std::vector<double>> times;
  std::vector<std::size_t> timed;  // the steps that these are of
  for (std::size_t i = 0; i < history.steps.size(); ++i) {
    if (history.steps[i].seconds.empty()) continue;
    times.push_back(history.steps[i].seconds);
    timed.push_back(i);
  }
  history.changes = change_points(times, terms.confidence, terms.threshold);
  for (ChangePoint& change : history.changes) change.step = timed[change.step];
}

}  // namespace macrobench
