#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/numbers/cell.hpp"
#include "harness/numbers/noise.hpp"
#include "harness/records/record_store.hpp"

namespace macrobench {

/// A record's times, a list for each process.
using SecondsOf = std::function<SecondsByProcess(const Record&)>;

Scope scope_of(Phase phase);

/// "panel", "policy + panel": of a time that adds up several.
std::string name_of_stages(const std::vector<std::string>& stages);

/// The compilers of the measured records, from the newest record's on.
std::vector<std::string> compilers_of(const Results& results);

/// The noise of a folder's times, and the sittings of its records.
class Pool {
 public:
  Pool() : Pool(Results{}) {}
  /// Keeps nothing of the results but their campaigns and the names of their machines.
  explicit Pool(const Results& results);

  [[nodiscard]] Provenance origin_of(const Record& record) const;

  /// True if the times of both belong together: of one case, kind of machine, source and compiler.
  [[nodiscard]] bool is_alike(const Record& one, const Record& other) const;

  [[nodiscard]] const Noise& noise(bool on_gpu, Phase phase) const {
    return noise_.at({on_gpu, phase});
  }

  /// The time of these records, which are alike and of right results: their sittings' mean. Without
  /// a value if there is no time in them. `stages` are the timed ones; if there is none, it is the
  /// whole phase. A solution's time is the time of warm solutions if there are some.
  [[nodiscard]] Cell time_of(std::span<const Record* const> records, Phase phase,
                             const std::vector<std::string>& stages,
                             const SecondsOf& seconds) const;

 private:
  struct KnownMachine {
    std::string kind;
    std::string compiler;
    int cores = 0;  ///< 0: unknown
  };

  std::map<std::string, KnownMachine> machines_;                      // by id
  std::string main_compiler_;                                         // of the newest time
  std::map<std::string, std::shared_ptr<const Campaign>> campaigns_;  // by id
  std::map<std::pair<bool, Phase>, Noise> noise_;                     // by whether a GPU does it
};

/// The records of each case that count: the newest of those that were run, as replaces() has it,
/// and those of its status that are alike; from the oldest on, by key. Without the cases whose
/// newest record is not chosen: an older one does not count for it.
std::vector<std::vector<const Record*>> pooled_records(
    const Results& results, const Pool& pool,
    const std::function<bool(const Record&)>& is_chosen = [](const Record& record) {
      return record.status == Status::measured;
    });

/// The largest change of the device's speed, or of either device's if none is named, between the
/// campaigns of two numbers, as a logarithm: 0 within a campaign; none if it is not known.
std::optional<double> drift_between(const std::set<Provenance>& one,
                                    const std::set<Provenance>& other, std::optional<bool> on_gpu);

/// "of two campaigns, between which the machine changed by up to 3%"; empty if they share one.
std::string joined_campaigns(const std::set<Provenance>& origins, std::optional<bool> on_gpu);

}  // namespace macrobench
