#pragma once

#include <optional>
#include <string>

namespace macrobench {

/// What a solution of a case uses, measured in a window of its own after all timing: the processor
/// is left idle, then solves the same case again and again.
struct Energy {
  std::optional<double> joules_per_solution = {};  ///< of the whole device, its idle power included
  std::string why_not = {};                        ///< why there is none; empty if there is
  std::string method = {};                         ///< "NVML total energy"; empty if there is none
  double window_seconds = 0;
  double solving_seconds = 0;             ///< of the window, within the solutions as they are timed
  int solutions = 0;                      ///< in the window
  double idle_seconds = 0;                ///< before the window
  std::optional<double> idle_watts = {};  ///< during these
};

template <class Struct>
class JsonFields;
/// As a record holds it.
const JsonFields<Energy>& energy_fields();

}  // namespace macrobench
