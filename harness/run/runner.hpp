#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/machine/machine.hpp"
#include "harness/model/registry.hpp"
#include "harness/records/record.hpp"
#include "harness/run/sampler.hpp"

namespace macrobench {

struct RunOptions {
  Sampling sampling;
  double deadline = 600;  ///< seconds after which a process is killed, its whole group with it
  bool thorough = false;  ///< check every state, however long it takes (--certify)
  std::string draw;       ///< by which to check the states that another check did; empty: a new one
  bool energy = false;    ///< measure the joules of a solution too, in a window after all timing
  std::string campaign;   ///< to which the record belongs; empty: none
  std::string out;        ///< the folder for the solution if it is valid; empty: none
  /// Whether a time is judged, and a noisy one taken once more. Not where times are taken in turn
  /// or show the machine itself: these hold whatever else the machine does.
  bool judges_time = true;
  double patience = 10;  ///< seconds to wait for idle cores before a noisy case is run again
  std::string counters;  ///< the folder of the kernel's counters; empty: counters_folder()
  /// The folder of results in which the first solution is stored, if it is valid and its
  /// implementation stores; empty: none.
  std::string store;
  /// The command to run as the child; empty for macrobench itself. Tests put bad children
  /// here.
  std::vector<std::string> child_command;
  /// Called once a second while a case runs, with the step of it that its process has reached: "the
  /// first solution". What is timed does not wait for it.
  std::function<void(const std::string& at)> ticks = {};
  /// Axes that the child, another commit's build, lacks: left out of its job.
  std::vector<std::string> unknown_axes;
};

/// A record of the case on the machine, now, without any result yet.
Record record_of(const Case& which, const Machine& machine, const std::string& campaign);

/// Runs one case in child processes of the same executable, one at a time, and makes its record.
/// Never throws because of what the child does: a crash, a hang, a kill, garbage or endless output
/// becomes a record with its status and reason. A case whose time is noisy is run once more, when
/// the cores are idle or the patience ends, if that is affordable; the record is of the last run.
Record run_case(const Case& which, const Machine& machine, const RunOptions& options);

/// What a certificate says of a stored solution, or why it says nothing.
struct Certified {
  std::optional<Outcome> outcome = {};
  Reason why = {};
};

/// Has a child process check a stored solution of the case. Whatever the file contains, it is no
/// more than a reason. The deadline, thoroughness and command are those of the options.
Certified certify(const Case& which, const std::string& file, const std::string& key,
                  const RunOptions& options);

class StageClock;

/// A solution and nothing else; returns its seconds. It is not inlined and keeps its name, so that
/// valgrind's callgrind can count from its beginning to its end (macrobench regress
/// --instructions).
double counted_solution(Instance& instance, StageClock& clock);
inline constexpr const char* counted_function = "macrobench::counted_solution(";

/// The child process: reads a job from standard input, runs it, and answers on file
/// descriptor 3. Returns the exit code.
int child_main();

}  // namespace macrobench
