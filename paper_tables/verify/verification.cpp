#include "paper_tables/verify/verification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/records/contradiction.hpp"

namespace macrobench {

namespace {

using Result = Check::Result;

std::string records_of(const Results& results) {
  const std::size_t count = results.records.size();
  return fmt::format("{} record{}", count, count == 1 ? "" : "s");
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
  const auto its = std::ranges::find(checks, solutions_check, &Check::name);
  if (!failed().empty()) return "not certified";
  const bool passed = its != checks.end() && its->result == Result::passed;
  return passed ? "certified" : "not stored";
}

std::string Verification::times() const {
  const auto its = std::ranges::find(checks, reruns_check, &Check::name);
  const bool passed = its != checks.end() && its->result == Result::passed;
  return passed && failed().empty() ? "rerun" : "self-reported";
}

ExitCode Verification::code() const {
  return failed().empty() ? ExitCode::ok : ExitCode::invalid;
}

Check check_lines(const Results& results) {
  Check check{.name = "lines", .about = "every line is what the schemas allow"};
  for (const std::string& warning : results.warnings) check.fail(warning);
  if (results.records.empty()) check.fail("there is no record");
  check.detail = records_of(results);
  return check;
}

Check check_records(const Results& results) {
  Check check{.name = "records", .about = "none contradicts itself, its machine or its campaign"};
  for (const std::string& contradiction : results.contradictions) check.fail(contradiction);
  for (const Record& record : results.records) {
    // Whoever reads a right result has asked this already.
    const Reason why = has_right_result(record.status) ? Reason() : against_status(record);
    if (!why.empty()) check.fail(fmt::format("{} of {}: {}", record.key, record.time, why));
    const bool is_known = record.campaign.empty() ||
                          std::ranges::count(results.campaigns, record.campaign, &Campaign::id) > 0;
    if (!is_known) {
      check.fail(fmt::format("{} of {}: its campaign {} is not in campaigns.jsonl", record.key,
                             record.time, record.campaign));
    }
    if (!results.machines.contains(record.machine)) {
      check.fail(fmt::format("{} of {}: its machine {:.12} is not in machines.jsonl", record.key,
                             record.time, record.machine));
    }
  }
  check.detail = records_of(results);
  return check;
}

}  // namespace macrobench
