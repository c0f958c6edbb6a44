#pragma once

#include <string>

namespace macrobench {

/// Why OpenMP would not give this process so many threads, without starting any: "OpenMP gives 1 of
/// the 2 threads (OMP_THREAD_LIMIT=1)"; empty if nothing speaks against them.
std::string why_no_such_team(int threads);

/// The same after so many were asked for and counted. The process keeps the threads: call it after
/// the time to which their start belongs.
std::string why_fewer_threads(int threads);

}  // namespace macrobench
