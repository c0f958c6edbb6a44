#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/machine/conditions.hpp"
#include "harness/machine/cpu_quota.hpp"

namespace macrobench {

// What else the machine does, from the kernel's counters. Nothing here costs time while a case is
// measured: the counters are read before its first process and after its last.

/// The folder of the kernel's counters: what the environment's MACROBENCH_PROC says, for tests, or
/// else /proc. If it is no_counters, nothing is known and no time is judged.
std::string counters_folder();
inline constexpr const char* no_counters = "none";

/// Seconds that the cores have spent so far.
struct CoreSeconds {
  double busy = 0;
  double stolen = 0;
  double idle = 0;

  bool operator==(const CoreSeconds&) const = default;
};

/// The sum over those cores in the text of /proc/stat, which counts in hundredths of a second; none
/// if one of them is not there.
std::optional<CoreSeconds> core_seconds(std::string_view stat, const std::vector<int>& cores);

/// The cores that this process may run on, by their numbers.
std::vector<int> allowed_cores();

/// What the processes of a case used.
struct Usage {
  double cpu_seconds = 0;
  std::int64_t preempted = 0;
};

/// Looks at the machine from its construction on.
class MachineWatch {
 public:
  explicit MachineWatch(std::string folder, std::vector<int> cores = allowed_cores());

  /// The conditions of a case that took `wall` seconds since then. What its processes used is not
  /// the work of others.
  [[nodiscard]] Conditions end(double wall, const Usage& own) const;

 private:
  struct Reading {
    std::optional<CoreSeconds> seconds;
    std::optional<double> load, runnable, mhz, throttled;
  };
  [[nodiscard]] Reading read() const;

  std::string folder_;
  std::vector<int> cores_;
  std::optional<CpuQuota> quota_;
  Reading before_;
};

/// How many of the cores that this process may run on others keep busy now, over a twentieth of a
/// second; none if the kernel does not say.
std::optional<double> busy_cores_now(const std::string& folder);

/// "this machine is busy: 3.8 of 2 cores", and what that means, if others would disturb a case with
/// so many threads by more than its time bears (most_disturbed); empty if not, or if the kernel
/// does not say. Looks for half a second, and once more if it finds the machine busy. Counted are
/// the cores that others keep busy, of those that this process may run on; where more tasks are
/// ready to run than the machine has cores, they are counted instead, or this process's share of
/// them.
std::string why_busy(int threads, const std::string& folder);

/// Waits until so many cores are idle, at most so many seconds; not at all if the kernel does not
/// say.
void wait_for_idle_cores(int cores, double at_most, const std::string& folder);

/// The variables of the environment that decide how OpenMP's threads wait and where they run.
std::map<std::string, std::string> openmp_environment();

/// What to add to the environment of a case with so many threads, so that threads that wait for
/// each other give way instead of spinning: where there are more threads than idle cores, and the
/// user has chosen no policy. Nothing for a case with one thread. If the kernel does not say how
/// many cores are idle, all are.
std::map<std::string, std::string> waiting_policy(int threads, const std::string& folder);

}  // namespace macrobench
