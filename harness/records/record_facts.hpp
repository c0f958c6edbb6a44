#pragma once

#include <vector>

#include "harness/model/parameters.hpp"
#include "harness/records/record.hpp"

namespace macrobench {

/// Puts into the record what it does not say and the registry knows: the work of its case, its
/// floor, and what a GPU does of it. Files are named without the folders they lay in. So a record
/// of an earlier schema is as complete as this build can make it.
void add_facts(Record& record);

/// Parameters as records hold them: of a file, its name and digest.
Parameters recorded(const std::vector<Axis>& axes, const Parameters& parameters);

/// A record's parameters, with the defaults of the axes that are younger than it. Its files are not
/// looked at. Throws UsageError for what an implementation of these axes does not take.
Parameters complete_recorded(const std::vector<Axis>& axes, const Parameters& parameters);

}  // namespace macrobench
