#pragma once

#include <vector>

#include "harness/records/record.hpp"
#include "harness/text/error.hpp"

namespace macrobench {

/// The exit code for one case: a result that must be valid and is not, or a failure. Cells that
/// were not run or timed out, and invalid ones that are a known finding, count only if `strict`.
ExitCode verdict(const Record& record, bool strict);

/// The more serious of two: failed, then invalid, usage, slower, ambiguous, ok.
ExitCode gravest(ExitCode a, ExitCode b);

}  // namespace macrobench
