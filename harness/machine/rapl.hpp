#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace macrobench {

/// The energy counters of the processor's packages, as the Linux kernel shows those of RAPL
/// (running average power limit). They count in microjoules and begin again at 0 after a range of
/// some hundred kilojoules.
class Rapl {
 public:
  /// `powercap` is the kernel's folder of such counters. Never throws.
  explicit Rapl(const std::filesystem::path& powercap = "/sys/class/powercap");

  /// Why nothing can be read, in a clause; empty if it can.
  [[nodiscard]] const std::string& why_not() const { return why_not_; }
  /// Joules that all packages have used since this was made. Each call takes what has been used
  /// since the one before; none if a counter cannot be read any more, or may have gone round more
  /// than once, for good.
  [[nodiscard]] std::optional<double> joules();

 private:
  struct Package {
    std::filesystem::path counter;
    double range = 0;  ///< in microjoules
    double last = 0;
  };

  std::vector<Package> packages_;
  double microjoules_ = 0;
  double last_seconds_ = 0;
  std::string why_not_;
};

}  // namespace macrobench
