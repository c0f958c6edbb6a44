#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace macrobench {

/// What something was before a case and after it; each is absent where the kernel does not say.
struct BeforeAndAfter {
  std::optional<double> before;
  std::optional<double> after;
};

/// A quota on CPU time, and the seconds for which it held the case's processors back, summed over
/// them; these are absent if the kernel does not say.
struct MetQuota {
  double cores = 0;
  std::optional<double> throttled_seconds = {};
};

/// What a case met on its machine besides its own work, from the start of its first process to the
/// end of its last. A number that the kernel does not give is absent. "Cores" is a number of cores,
/// averaged over that time, of those that the case may run on.
struct Conditions {
  int cores = 1;                          ///< that the case may run on
  int threads = 1;                        ///< that it asks for
  std::optional<double> others_cores;     ///< that other processes kept busy
  std::optional<double> stolen_cores;     ///< that the hypervisor gave to other machines
  std::optional<double> cpu_seconds;      ///< of the case's processes, over all their threads
  std::optional<std::int64_t> preempted;  ///< how often one of its threads was made to give way
  std::optional<MetQuota> quota = {};     ///< that the case ran under, if there is one
  BeforeAndAfter load;                    ///< average over the last minute, in tasks
  BeforeAndAfter runnable;                ///< tasks that run or would run, macrobench included
  BeforeAndAfter mhz;                     ///< mean clock of the cores
  /// The variables of the environment that decide how threads wait and where they run.
  std::map<std::string, std::string> environment;
  int attempts = 1;  ///< runs of the whole case, of which the record keeps the last
};

template <class Struct>
class JsonFields;
/// As a record holds it.
const JsonFields<Conditions>& conditions_fields();

}  // namespace macrobench
