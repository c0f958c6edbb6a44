#pragma once

#include <vector>

#include "harness/machine/machine.hpp"
#include "harness/run/schedule.hpp"
#include "paper_tables/cells/lookup.hpp"

namespace macrobench {

/// Looks in the results of a run on the machine, and for cases that were not in it in what was
/// known before, if that is given. Keeps a reference to the schedule.
Lookup lookup_in(const std::vector<ScheduledCase>& schedule, const Machine& machine,
                 const Lookup& before = {});

}  // namespace macrobench
