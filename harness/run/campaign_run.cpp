#include "harness/run/campaign_run.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "harness/model/registry.hpp"
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

}  // namespace

CampaignRun::CampaignRun(RecordStore& store, const Machine& machine, const std::string& asked,
                         const std::vector<std::string>& child_command)
    : store_(store), machine_(machine), id_(new_campaign_id(utc_now())) {
  store_.append(CampaignEvent{.campaign = id_,
                              .time = utc_now(),
                              .speeds = speeds_of(machine, child_command),
                              .begins = true,
                              .asked = asked,
                              .machine = machine.id()},
                machine);
}

void CampaignRun::finish() {
  // The clock may have been set back meanwhile: no record is of after the end.
  std::string time = utc_now();
  for (const Record& record : store_.results().records) {
    if (record.campaign == id_) time = std::max(time, record.time);
  }
  store_.append(CampaignEvent{.campaign = id_, .time = time}, machine_);
}

}  // namespace macrobench
