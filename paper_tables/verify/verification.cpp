#include "paper_tables/verify/verification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "harness/records/contradiction.hpp"
#include "harness/records/record_facts.hpp"

namespace macrobench {

namespace {

using Result = Check::Result;

std::string records_of(const Results& results) {
  const std::size_t count = results.records.size() + results.turns.size();
  return fmt::format("{} record{}", count, count == 1 ? "" : "s");
}

/// How many records were compared with what their cases make of them: those of this build's source.
std::string recomputed_of(const Results& results) {
  std::size_t own = 0;
  std::size_t other = 0;
  std::size_t without_campaign = 0;
  for (const std::vector<Record>* records : {&results.records, &results.turns}) {
    for (const Record& record : *records) {
      ++(is_of_this_build(record) ? own : other);
      without_campaign += record.campaign.empty() ? 1 : 0;
    }
  }
  std::string text = fmt::format("{} of this build's source, {} unchecked", own, other);
  if (without_campaign > 0) text += fmt::format("; {} without a campaign", without_campaign);
  return text;
}

/// True if they have all times of one run, and are not its record before and after it was found
/// noisy.
bool has_times_of(const Record& record, const Record& other) {
  return record.time != other.time && !record.samples.empty() &&
         std::ranges::equal(record.samples, other.samples, [](const Sample& a, const Sample& b) {
           return a.start == b.start && a.first_solution == b.first_solution &&
                  a.solutions == b.solutions;
         });
}

bool has_passed(const std::vector<Check>& checks, std::string_view name) {
  const auto its = std::ranges::find(checks, name, &Check::name);
  return its != checks.end() && its->result == Result::passed;
}

}  // namespace

void Check::fail(std::string fault) {
  result = Result::failed;
  faults.push_back(std::move(fault));
}

std::string Verification::failed() const {
  std::string names;
  for (const Check& check : checks) {
    if (check.result == Result::failed) names += (names.empty() ? "" : ", ") + check.name;
  }
  return names;
}

std::string Verification::results() const {
  if (!failed().empty()) return "not certified";
  return has_passed(checks, solutions_check) ? "certified" : "not stored";
}

std::string Verification::times() const {
  return failed().empty() && has_passed(checks, reruns_check) ? "rerun" : "self-reported";
}

ExitCode Verification::code() const {
  return failed().empty() ? ExitCode::ok : ExitCode::invalid;
}

Check check_lines(const Results& results) {
  Check check{.name = "lines", .about = "every line is what the schemas allow"};
  for (const std::string& warning : results.warnings) check.fail(warning);
  if (results.records.empty() && results.turns.empty()) check.fail("there is no record");
  check.detail = records_of(results);
  return check;
}

Check check_records(const Results& results) {
  Check check{.name = "records", .about = "none contradicts itself, its machine or its campaign"};
  for (const std::string& contradiction : results.contradictions) check.fail(contradiction);
  const auto judge = [&](const Record& record) {
    const auto fail = [&](const std::string& why) {
      check.fail(fmt::format("{} of {}: {}", record.key, record.time, why));
    };
    // Whoever reads a right result has asked this already.
    const Reason why = has_right_result(record.status) ? Reason() : against_status(record);
    if (!why.empty()) fail(to_string(why));
    const bool is_known = record.campaign.empty() ||
                          std::ranges::count(results.campaigns, record.campaign, &Campaign::id) > 0;
    if (!is_known) fail(fmt::format("its campaign {} is not in campaigns.jsonl", record.campaign));
    if (!results.machines.contains(record.machine)) {
      fail(fmt::format("its machine {:.12} is not in machines.jsonl", record.machine));
    }
  };
  std::ranges::for_each(results.records, judge);
  std::ranges::for_each(results.turns, judge);
  std::map<std::string_view, std::vector<const Record*>> by_key;
  for (const Record& record : results.records) {
    std::vector<const Record*>& others = by_key[record.key];
    for (const Record* other : others) {
      if (!has_times_of(record, *other)) continue;
      check.fail(fmt::format("{} of {}: it has every time of the record of {}", record.key,
                             record.time, other->time));
      break;
    }
    others.push_back(&record);
  }
  if (!results.repeated.empty()) check.notes.push_back(results.repeated);
  check.detail = fmt::format("{}: {}", records_of(results), recomputed_of(results));
  return check;
}

}  // namespace macrobench
