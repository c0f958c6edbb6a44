#include "paper_tables/verify/verification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "harness/records/contradiction.hpp"

namespace macrobench {

namespace {

using Result = Check::Result;

std::string records_of(const Results& results) {
  const std::size_t count = results.records.size() + results.turns.size();
  return fmt::format("{} record{}", count, count == 1 ? "" : "s");
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
  check.detail = records_of(results);
  return check;
}

}  // namespace macrobench
