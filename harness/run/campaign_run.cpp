#include "harness/run/campaign_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "harness/model/registry.hpp"
#include "harness/sources/source_digest.hpp"
#include "harness/text/format.hpp"

namespace macrobench {

namespace {

/// Arrays of 64 MB, which few caches hold; and a small array that fits in a cache, with much work
/// on it.
constexpr std::int64_t copied_numbers = std::int64_t{1} << 23;
constexpr std::int64_t multiplied_numbers = std::int64_t{1} << 18;

Parameters work_of(const std::string& ceiling, const Implementation& implementation) {
  const bool is_copy = ceiling == "copy";
  return only_taken(implementation, {{"ceiling", ceiling},
                                     {"n", is_copy ? copied_numbers : multiplied_numbers},
                                     {"passes", std::int64_t{is_copy ? 2 : 16}},
                                     {"real", std::string("double")},
                                     {"threads", std::string("all")}});
}

/// What the machine does per second now; each measurement takes a fraction of a second. Empty if
/// the build has no model `roofline`, and without what cannot run here.
std::vector<Speed> speeds_of(const Machine& machine,
                             const std::vector<std::string>& child_command) {
  RunOptions briefly;
  briefly.sampling = {
      .relative_spread = 0.01, .minimum = 5, .maximum = 20, .seconds = 0.2, .processes = 1};
  briefly.deadline = 30;
  briefly.judges_time = false;
  briefly.child_command = child_command;
  std::vector<Speed> speeds;
  const Registry& registry = Registry::global();
  for (const char* id : {"roofline/cpu", "roofline/cuda"}) {
    const Implementation* implementation = registry.find(id);
    if (implementation == nullptr || !implementation->unavailable().empty()) continue;
    for (const std::string ceiling : {"copy", "multiply_add"}) {
      const Case which =
          registry.make_case(id, work_of(ceiling, *implementation), available_cores());
      const Record record = run_case(which, machine, briefly);
      const std::vector<double> seconds = seconds_of_stage(record, ceiling);
      if (record.status != Status::measured || !record.floor || seconds.empty()) continue;
      speeds.push_back({.key = record.key,
                        .bytes = ceiling == "copy" ? record.floor->bytes : 0,
                        .operations = record.floor->operations,
                        .seconds = seconds});
    }
  }
  return speeds;
}

/// The seconds within which the middle half of a speed's samples lie.
std::pair<double, double> middle_half(std::vector<double> seconds) {
  std::ranges::sort(seconds);
  const std::size_t quarter = seconds.size() / 4;
  return {seconds[quarter], seconds[seconds.size() - 1 - quarter]};
}

/// The first implementation whose records of the campaign were made from other sources than this
/// build's; empty if there is none.
std::string changed_since(const Campaign& campaign, const Results& results) {
  for (const Record& record : results.records) {
    if (record.campaign != campaign.id) continue;
    const std::string id = record.id();
    const Implementation* implementation = Registry::global().find(id);
    if (implementation == nullptr || record.source != source_digest(*implementation)) return id;
  }
  return "";
}

/// So often is the machine measured before it is believed to have changed: another process's moment
/// is not a drift.
constexpr int attempts = 3;

}  // namespace

std::string why_changed(const Campaign& so_far, const std::vector<Speed>& now) {
  for (const Speed& speed : now) {
    bool is_known = false;
    bool is_as_before = false;
    for (const Sitting& sitting : so_far.sittings) {
      for (const auto* speeds : {&sitting.speeds_at_begin, &sitting.speeds_at_end}) {
        const auto before = std::ranges::find(*speeds, speed.key, &Speed::key);
        if (before == speeds->end() || !drift(*speeds, speed)) continue;
        is_known = true;
        const auto [low, high] = middle_half(before->seconds);
        const auto [low_now, high_now] = middle_half(speed.seconds);
        is_as_before = is_as_before || (low_now <= high * (1 + largest_drift) &&
                                        high_now * (1 + largest_drift) >= low);
      }
    }
    if (!is_known) return speed.key + " was not measured";
    if (!is_as_before) {
      return fmt::format("{} by {:+.1f}%", speed.key,
                         100 * drift(so_far.first().speeds_at_begin, speed).value_or(0));
    }
  }
  return "";
}

std::string why_not_continued(const Campaign& campaign, const Results& results,
                              const Machine& machine, const std::vector<Speed>& now) {
  const Sitting& first = campaign.first();
  const auto its = results.machines.find(first.machine);
  if (its == results.machines.end() || !its->second.is_same_as(machine)) {
    return "the last one was on another machine";
  }
  if (its->second.comparable_id() != machine.comparable_id()) {
    return "the cores, the compilers or their flags differ from the last one's";
  }
  if (first.began < utc_now(longest_campaign)) return "the last one began more than 24 hours ago";
  if (const std::string id = changed_since(campaign, results); !id.empty()) {
    return "the sources of " + id + " have changed since the last one";
  }
  const std::string changed = why_changed(campaign, now);
  return changed.empty() ? "" : "the machine has changed since the last one began: " + changed;
}

CampaignRun::CampaignRun(RecordStore& store, const Machine& machine, const std::string& asked,
                         bool fresh, std::vector<std::string> child_command)
    : store_(store), machine_(machine), child_command_(std::move(child_command)) {
  const std::string began = utc_now();
  std::vector<Speed> speeds = speeds_of(machine, child_command_);
  std::string why_new;
  if (fresh) {
    why_new = "as --fresh asks";
  } else if (store.results().campaigns.empty()) {
    id_ = new_campaign_id(began);
    says_ = fmt::format("This is the first campaign of this machine in this folder: {}.", id_);
  } else {
    const Campaign& last = store.results().campaigns.back();
    for (int i = 1; i < attempts; ++i) {
      if (why_changed(last, speeds).empty()) break;
      speeds = speeds_of(machine, child_command_);
    }
    why_new = why_not_continued(last, store.results(), machine, speeds);
    if (why_new.empty()) {
      id_ = last.id;
      says_ = fmt::format("The campaign {} goes on: the machine's speeds are as before.", id_);
    }
  }
  if (id_.empty()) {
    id_ = new_campaign_id(began);
    says_ = fmt::format("A new campaign begins, {}: {}.", id_, why_new);
  }
  store_.append(CampaignEvent{.campaign = id_,
                              .time = began,
                              .speeds = std::move(speeds),
                              .beginning = {{asked, machine.id()}}},
                machine);
}

void CampaignRun::finish() {
  store_.append(CampaignEvent{.campaign = id_,
                              .time = utc_now(),
                              .speeds = speeds_of(machine_, child_command_),
                              .beginning = {}},
                machine_);
}

}  // namespace macrobench
