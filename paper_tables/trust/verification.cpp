#include "paper_tables/trust/verification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "harness/records/contradiction.hpp"
#include "harness/records/record_facts.hpp"
#include "paper_tables/floors/ceilings.hpp"

namespace macrobench {

namespace {

using Result = Check::Result;

/// How far a time may be below a floor that is itself measured.
constexpr double floor_slack = 1.1;

bool has_result(const Record& record) {
  return !record.samples.empty() || record.outcome.has_value();
}

std::string records_of(std::size_t count) {
  return fmt::format("{} record{}", count, count == 1 ? "" : "s");
}

/// A record as a fault names it.
std::string name_of(const Record& record) {
  return fmt::format("{} of {}", record.key, record.time);
}

Check lines(const Results& results) {
  Check check{.name = "lines", .about = "every line is what the schemas allow"};
  for (const std::string& warning : results.warnings) check.fail(warning);
  if (results.records.empty()) check.fail("there is no record");
  check.detail = records_of(results.records.size());
  return check;
}

/// Fails for each record that the rule speaks against.
void judge(Check& check, const Results& results, Reason (*against)(const Record&)) {
  for (const Record& record : results.records) {
    const Reason why = against(record);
    if (!why.empty()) check.fail(fmt::format("{}: {}", name_of(record), why));
  }
}

Check keys(const Results& results) {
  Check check{.name = "keys", .about = "a key says its case's parameters"};
  judge(check, results, against_key);
  std::size_t elsewhere = 0;
  for (const Record& record : results.records) {
    const std::string id = record.id();
    const Implementation* here = Registry::global().find(id);
    if (here == nullptr) {
      ++elsewhere;
    } else if (record.origin != to_string(here->origin)) {
      check.fail(fmt::format("{}: {} is {}, not {}", name_of(record), id, to_string(here->origin),
                             record.origin));
    }
  }
  check.detail = records_of(results.records.size());
  if (elsewhere > 0) {
    check.detail += fmt::format(", {} of them of cases that this build lacks", elsewhere);
  }
  return check;
}

Check machines(const Results& results) {
  Check check{.name = "machines", .about = "a machine's id is its block's digest"};
  for (const auto& [id, machine] : results.machines) {
    if (machine.id() != id)
      check.fail(fmt::format("the block of machine {:.12} has another id", id));
  }
  for (const Record& record : results.records) {
    if (!results.machines.contains(record.machine)) {
      check.fail(fmt::format("{}: its machine {:.12} is not in machines.jsonl", name_of(record),
                             record.machine));
    }
  }
  const std::size_t count = results.machines.size();
  check.detail = fmt::format("{} block{}", count, count == 1 ? "" : "s");
  return check;
}

/// Times in UTC, as they are written, are in the order of their texts.
bool is_of(const Record& record, const Campaign& campaign) {
  return std::ranges::any_of(campaign.sittings, [&](const Sitting& sitting) {
    return record.machine == sitting.machine && record.time >= sitting.began &&
           (sitting.ended.empty() || record.time <= sitting.ended);
  });
}

Check campaigns(const Results& results) {
  Check check{.name = "campaigns", .about = "a record is of its campaign's machine and time"};
  std::map<std::string, const Campaign*> by_id;
  for (const Campaign& campaign : results.campaigns) by_id[campaign.id] = &campaign;
  std::size_t count = 0;
  for (const Record& record : results.records) {
    if (record.campaign.empty()) continue;
    ++count;
    const auto found = by_id.find(record.campaign);
    if (found == by_id.end()) {
      check.fail(fmt::format("{}: its campaign {} is not in campaigns.jsonl", name_of(record),
                             record.campaign));
      continue;
    }
    if (!is_of(record, *found->second)) {
      check.fail(fmt::format("{}: its campaign was at another time or on another machine",
                             name_of(record)));
    }
  }
  check.detail = count == 0 ? "no record names one" : records_of(count);
  return check;
}

Check sources(const Results& results, const SourceHistory& history) {
  Check check{.name = sources_check, .about = "results are of sources in the history"};
  std::map<std::string, std::size_t> reasons;
  std::size_t count = 0;
  std::size_t unknown = 0;
  for (const Record& record : results.records) {
    const auto machine = results.machines.find(record.machine);
    if (!has_result(record) || machine == results.machines.end()) continue;
    ++count;
    const std::string why = history.why_unknown(record, machine->second);
    if (why.empty()) continue;
    ++unknown;
    ++reasons[why];
  }
  check.detail = records_of(count);
  if (unknown == 0) return check;
  check.result = Result::unknown;
  check.detail = fmt::format("{} of {} are of unknown sources", unknown, check.detail);
  for (const auto& [why, number] : reasons) check.more += fmt::format("; {}: {}", why, number);
  return check;
}

/// Judged by the floor that this build declares; the record's own only if it declares none.
Check floors(const Results& results) {
  Check check{.name = "floors", .about = "no time is below what its arithmetic takes"};
  const std::vector<ProcessorCeilings> ceilings = ceilings_of(results);
  std::size_t count = 0;
  for (const Record& record : results.records) {
    Record again = record;
    // What was found implausible while it was read has said that it was measured.
    if (again.status == Status::implausible) again.status = Status::measured;
    if (record.declared_floor) again.floor = record.declared_floor;
    // A cache may move bytes faster than memory does.
    if (again.floor) again.floor->bytes = 0;
    const std::optional<FloorShare> share = share_of(again, ceilings);
    if (!share) continue;
    ++count;
    if (share->share() > floor_slack) {
      check.fail(fmt::format("{}: {:.3g} times faster than the machine's own arithmetic",
                             name_of(record), share->share()));
    }
  }
  check.detail =
      count > 0 ? records_of(count) : "no arithmetic was measured: macrobench sweep roofline";
  if (count == 0 && check.faults.empty()) check.result = Result::unknown;
  return check;
}

Check times(const Results& results) {
  Check check{.name = "times", .about = "samples fit into their case's wall time"};
  judge(check, results, against_times);
  check.detail = records_of(results.records.size());
  return check;
}

Check outcomes(const Results& results) {
  Check check{.name = "outcomes", .about = "a status is what its outcome says"};
  judge(check, results, [](const Record& record) {
    const bool was_found = record.why.kind == Reason::Kind::status_contradicted;
    return was_found ? record.why : against_status(record);
  });
  check.detail = records_of(results.records.size());
  return check;
}

Check residuals(const Results& results) {
  Check check{.name = "residuals", .about = "a valid result is as exact as it must be"};
  judge(check, results, against_residual);
  const auto count = std::ranges::count_if(results.records, [](const Record& record) {
    return record.outcome && record.outcome->valid;
  });
  check.detail = fmt::format("{} valid result{}", count, count == 1 ? "" : "s");
  return check;
}

}  // namespace

std::string to_string(Trust trust) {
  constexpr const char* names[] = {"verified", "consistent", "self-reported"};
  return names[static_cast<std::size_t>(trust)];
}

void Check::fail(std::string fault) {
  result = Result::failed;
  faults.push_back(std::move(fault));
}

Trust Verification::verdict() const {
  bool is_proved = false;
  for (const Check& check : checks) {
    if (check.result == Result::failed) return Trust::self_reported;
    if (check.name == sources_check && check.result == Result::unknown) {
      return Trust::self_reported;
    }
    if (check.name == solutions_check || check.name == reruns_check) {
      is_proved = is_proved || check.result == Result::passed;
    }
  }
  return is_proved ? Trust::verified : Trust::consistent;
}

std::string Verification::why() const {
  std::string failed;
  std::string unknown;
  for (const Check& check : checks) {
    if (check.result == Result::failed) failed += (failed.empty() ? "" : ", ") + check.name;
    if (check.name == sources_check && check.result == Result::unknown) {
      unknown = check.detail;
    }
  }
  if (!failed.empty()) return "these checks failed: " + failed;
  if (!unknown.empty()) return unknown;
  if (verdict() == Trust::verified) return {};
  return "its solutions were not certified again, and no case was run again";
}

ExitCode Verification::code() const {
  const bool failed = std::ranges::any_of(
      checks, [](const Check& check) { return check.result == Result::failed; });
  return failed ? ExitCode::invalid : ExitCode::ok;
}

std::vector<Check> check_lines(const Results& results, const SourceHistory& history) {
  return {lines(results),
          keys(results),
          machines(results),
          campaigns(results),
          sources(results, history),
          floors(results),
          times(results),
          outcomes(results),
          residuals(results)};
}

Verification verify_lines(const std::string& name, const Results& results,
                          const SourceHistory& history) {
  return {.name = name, .checks = check_lines(results, history)};
}

}  // namespace macrobench
