#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/machine/machine.hpp"
#include "harness/records/campaign.hpp"
#include "harness/records/reason.hpp"
#include "harness/records/record.hpp"

namespace macrobench {

// A record also holds the conditions of its case and the readings of its GPU: these functions
// compare its times and its status with them. As in contradiction.hpp, a reason is empty if there
// is no contradiction, and repeats no word of the record.

/// In seconds, less than any start-up that makes a CUDA context. The shortest of 3,028 in the
/// reference records takes 98 ms: the driver maps the device and its memory, and no machine does so
/// in a fifth of that.
inline constexpr double shortest_context = 20e-3;
/// How many times the CPU seconds that its threads can use a record may have. Runtimes of other
/// languages keep a thread or two besides; the most in the reference records is 1.002.
inline constexpr double cpu_margin = 1.25;
/// How many times the readings that its solutions have time for a GPU may have. They are counted by
/// the clock that times the solutions, so the most in the reference records is 1.
inline constexpr double readings_margin = 1.5;
/// How many times the clock in its machine's block one may have that does not change: memory's of a
/// GPU that works, which some hold a tenth below the highest, or cores' without scaling. In the
/// reference records both are equal.
inline constexpr double clock_margin = 1.15;
/// How many times its recorded time a solution may take while its energy is measured: .7 to 1.04 in
/// the reference records. A GPU that is warm by then is slower, but not that much.
inline constexpr double energy_margin = 3;

/// The start-up of what a GPU solved, which makes a CUDA context. A program from outside may make
/// it in its first solution.
Reason against_start(const Record& record);

/// The threads, by the conditions and by the CPU seconds: a solution has no more threads than the
/// case, though a check may use all cores.
Reason against_threads(const Record& record);

/// The times of a GPU's solutions, by how often it was read while they were timed and by how long
/// they took while their energy was measured.
Reason against_readings(const Record& record);

/// The cores that the case might run on, whether a GPU solved it, and clocks that do not change, by
/// the machine's block.
Reason against_machine(const Record& record, const Machine& machine);

/// The precision, by the record's floor, which must not belong to the same case in the other
/// precision.
Reason against_precision(const Record& record);

/// The status, by the conditions that decide it.
class NoiseCheck {
 public:
  /// The records of one folder, and its campaigns.
  explicit NoiseCheck(const std::vector<Record>& records);

  /// That a time is believed which the conditions make noisy or throttled, or the other way round.
  /// Nothing is judged if no conditions are known. `fidelity` judges no single time: it
  /// alternates the two sides.
  [[nodiscard]] Reason against_status(const Record& record) const;

 private:
  [[nodiscard]] bool is_slower_than_one(const Record& record) const;

  /// The least time of one thread, by all that a case with several shares with it.
  std::map<std::string, double, std::less<>> of_one_thread_;
};

}  // namespace macrobench
