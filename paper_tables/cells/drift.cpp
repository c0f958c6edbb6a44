#include "paper_tables/cells/drift.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <set>
#include <vector>

#include "harness/text/each.hpp"

namespace macrobench {

namespace {

/// "copy" for "roofline/cpu ceiling=copy ...", "the GPU's copy" for "roofline/cuda ...".
std::string name_of(const Speed& speed) {
  const std::string what = speed.bytes > 0 ? "copy" : "multiply-add";
  return speed.key.starts_with("roofline/cuda") ? "the GPU's " + what : what;
}

/// For each speed that the campaigns measured, its largest change between the beginnings of two.
std::map<std::string, double> largest_changes(const std::vector<const Campaign*>& campaigns) {
  std::map<std::string, double> changes;
  for (const Campaign* before : campaigns) {
    for (const Campaign* after : campaigns) {
      if (before->sittings.empty() || after->sittings.empty()) continue;
      if (before->first().began >= after->first().began) continue;
      for (const Speed& speed : after->first().speeds_at_begin) {
        const auto change = drift(before->first().speeds_at_begin, speed);
        if (!change) continue;
        double& largest = changes[name_of(speed)];
        if (std::abs(*change) > std::abs(largest)) largest = *change;
      }
    }
  }
  return changes;
}

}  // namespace

std::string origin_of(const Record& record) {
  return record.key + " " + record.time;
}

std::string drift_of(const Origins& origins) {
  if (origins.size() < 2) return "";
  std::map<std::string, const Campaign*> by_id;
  for (const auto& [record, campaign] : origins) {
    if (campaign == nullptr) return "joins records older than campaigns: drift unknown";
    by_id[campaign->id] = campaign.get();
  }
  if (by_id.size() < 2) return "";
  const auto campaigns = each(by_id, [](const auto& entry) { return entry.second; });
  const auto changes = each(largest_changes(campaigns), [](const auto& change) {
    return fmt::format("{} changed by {:+.1f}%", change.first, 100 * change.second);
  });
  return fmt::format("joins {} campaigns; between them {}",
                     by_id.size() == 2 ? "two" : std::to_string(by_id.size()),
                     changes.empty() ? "the drift of the machine is unknown"
                                     : fmt::format("the machine's {}", fmt::join(changes, ", ")));
}

}  // namespace macrobench
