#pragma once

#include <iosfwd>

#include "harness/run/schedule.hpp"

namespace macrobench {

/// Progress for a person: on a terminal one line that is overwritten and removed at the end, and a
/// line that stays for each case that went wrong; otherwise one plain line per case.
Progress terminal_progress(bool is_a_terminal, std::ostream& out);
/// The same on standard error.
Progress terminal_progress();

}  // namespace macrobench
