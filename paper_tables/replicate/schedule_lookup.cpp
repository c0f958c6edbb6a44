#include "paper_tables/replicate/schedule_lookup.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace macrobench {

Lookup lookup_in(const std::vector<ScheduledCase>& schedule, const Machine& machine,
                 const Lookup& before) {
  auto by_key = std::make_shared<std::map<std::string, const ScheduledCase*>>();
  for (const ScheduledCase& scheduled : schedule) (*by_key)[scheduled.which.key()] = &scheduled;
  return [by_key, before, times = std::make_shared<const FolderTimes>(), cores = machine.cores(),
          has_gpu = machine.has_gpu()](const CellRequest& request) -> Finding {
    // What this run measured counts beside what was measured before.
    const Finding known = before ? before(request) : Finding{};
    if (known.record != nullptr) return known;
    const std::optional<Case> wanted = case_of(request, cores);
    if (!wanted) return {nullptr, why_left_out(request, has_gpu)};
    const auto found = by_key->find(wanted->key());
    if (found == by_key->end()) return {nullptr, "not in this run"};
    if (const auto& record = found->second->record) return finding_of(*record, times);
    return {nullptr, found->second->why_not};
  };
}

}  // namespace macrobench
