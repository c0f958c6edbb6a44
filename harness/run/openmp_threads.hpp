#pragma once

#include <string>

namespace macrobench {

/// Why OpenMP does not give this process so many threads: "OpenMP gave 1 of the 2 threads
/// (OMP_THREAD_LIMIT=1)"; empty if it does. Asks by starting a team, which the process then keeps:
/// not before a time is taken to which that belongs.
std::string why_fewer_threads(int threads);

/// What can be said of it without a team; empty if nothing speaks against so many threads.
std::string why_no_such_team(int threads);

}  // namespace macrobench
