#pragma once

// The processes that a child leaves behind or has around it, whichever group or session they
// moved to.

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace macrobench {

/// What processes and all their descendants use now; 0 where the kernel does not say.
struct ProcessUse {
  std::uint64_t bytes = 0;  ///< resident, shared pages counted for each
  double cpu_seconds = 0;   ///< of all that run, and of children that they waited for
  int cores = 0;            ///< that the first threads of all of them together may run on
  int processes = 0;
};

/// The process's descendants, itself first. What is started meanwhile may be missing.
std::vector<pid_t> with_descendants(pid_t process);

ProcessUse use_of(const std::vector<pid_t>& processes);
/// The most memory that each of them and of their descendants has had resident since it began its
/// program, summed over those that are alive; none if the kernel does not say.
std::optional<std::int64_t> peak_resident_bytes(const std::vector<pid_t>& processes);

/// As long as one lives, what loses its parent among this process's descendants becomes its child,
/// however far it went away (a session of its own, a double fork). Several may live at once, and
/// end in any order.
class Orphanage {
 public:
  Orphanage();
  ~Orphanage();
  Orphanage(const Orphanage&) = delete;
  Orphanage& operator=(const Orphanage&) = delete;
  /// From now on the child is this one's own, which no other ends.
  void own(pid_t child);
  /// The children that came since and are no orphanage's own: they lost their parents.
  [[nodiscard]] std::vector<pid_t> strays() const;
  /// Kills its own and the strays, with their descendants, and waits for them.
  void end();

 private:
  std::vector<pid_t> before_;
  pid_t own_ = -1;
};

}  // namespace macrobench
