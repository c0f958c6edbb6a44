#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/machine/machine.hpp"
#include "harness/model/parameters.hpp"
#include "harness/records/reason.hpp"
#include "harness/records/record.hpp"

namespace macrobench {

// When the time of a right result is not believed; docs/variance.md gives the reasons for the
// bounds. All of these judge what a record holds, so that they can be asked again of any record.

/// Others may take this share of the cores that a case needs.
inline constexpr double most_disturbed = 0.1;
/// The hypervisor may take this share of them.
inline constexpr double most_stolen = 0.05;
/// Less than this many seconds of disturbance are not told from none: the kernel counts in
/// hundredths.
inline constexpr double least_disturbance = 0.05;
/// The largest relative spread of solutions ...
inline constexpr double widest_spread = 0.25;
/// ... and, in seconds, the shortest solution of which the spread is judged, and whose threads must
/// pay: below it the wake-up of a thread is as long as the work.
inline constexpr double shortest_judged = 0.01;
/// How many times one thread's time several threads may take.
inline constexpr double slowest_threads = 2;
/// How many times what any machine can do a floor may ask for.
inline constexpr double floor_margin = 1.5;

/// The most cores of the CPU that a case uses: its threads, or its single-threaded
/// processes.
int threads_of(const Parameters& parameters);
/// The GPUs that divide a case.
int gpus_of(const Parameters& parameters);

/// Why the record's time is noisy, by what the case met and by how its solutions differ; empty if
/// it is not.
Reason why_noisy(const Record& record);

/// Why the record's time is not one of its GPU: hardware, heat or the power supply held its clocks
/// down for more than half of the solutions. Empty if it is.
Reason why_throttled(const Record& record);

/// Why several threads' time is noisy, given the same case's with one thread: it is much longer.
/// Empty if it is not, or the two are not such a pair of one campaign. More threads than cores are
/// no noise.
Reason why_slower_than_one(const Record& record, const Record& of_one_thread);

/// What no machine can exceed, per second.
struct PhysicalLimits {
  double bytes = 0;       ///< between the registers and the nearest cache or memory
  double operations = 0;  ///< on floating-point numbers
};

/// Of so many cores of any processor.
PhysicalLimits limits_of_cores(int cores, bool single);
/// Of so many of the machine's GPUs; where its block does not say, of the largest GPU there is.
PhysicalLimits limits_of_gpus(int gpus, const Machine& machine);

/// Why no machine like this can do what the record's floor asks for in the time that it says; empty
/// if it can, or no floor is known.
Reason why_implausible(const Record& record, const Machine& machine);

/// Gives a measured record the status and the reason for which its time is not believed, if there
/// is one: implausible, then throttled, then noisy.
void judge_time(Record& record, const Machine& machine);

/// Right results whose times are not believed, counted by why.
struct DoubtedTimes {
  int noisy = 0;
  int throttled = 0;

  /// Counts a case with this status, if it is one of them.
  void add(Status status);
  DoubtedTimes& operator+=(const DoubtedTimes& more);
  [[nodiscard]] int all() const { return noisy + throttled; }
};

/// "the machine was busy: 4 times are noisy", "the GPU was slowed down: 1 time is throttled", or
/// both; empty if there are none.
std::string to_string(const DoubtedTimes& times);

/// The records that the newest one makes noisy, each with its new status and reason: itself if the
/// same case took much less with one thread, or those with several threads that took much more than
/// it does with one.
std::vector<Record> made_noisy_by(const Record& newest, const std::vector<Record>& records);

}  // namespace macrobench
