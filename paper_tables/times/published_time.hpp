#pragma once

#include <string>

#include "harness/records/record_store.hpp"
#include "paper_tables/cells/definition.hpp"

namespace macrobench {

/// The published time of the problem that the only record of `one` solves, beside the record's:
/// "published 29.3 s (CUDA C Solution on C2075, aldrich_vfi_page/binary_search), here 356 ms: 82.3
/// times as fast". A published implementation meets its own case's time, any other one every
/// program's; the shortest counts. After it the fastest right time of that problem among the
/// records of `here`, if it is faster. Empty if the gate refuses them all.
std::string published_beside(const Results& one, Tables& all, const Results& here = {});

}  // namespace macrobench
