#include "harness/machine/rapl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>

#include "harness/files/folder.hpp"

namespace macrobench {

namespace {

/// That no package uses: so a counter goes round no sooner than its range over this.
constexpr double most_watts = 1500;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::optional<double> number_in(const std::filesystem::path& path) {
  double number = 0;
  std::ifstream file(path);
  return file >> number ? std::optional(number) : std::nullopt;
}

/// "package-0" of intel-rapl:0. Zones within it (core, dram) and beside it (psys) count the same
/// energy again, or are not everywhere.
bool is_package(const std::filesystem::path& zone) {
  const std::string folder = zone.filename().string();
  std::string name;
  std::ifstream(zone / "name") >> name;
  return folder.starts_with("intel-rapl:") && std::ranges::count(folder, ':') == 1 &&
         name.starts_with("package");
}

}  // namespace

Rapl::Rapl(const std::filesystem::path& powercap) : last_seconds_(now()) {
  for (const std::filesystem::path& zone : paths_in(powercap)) {
    if (!is_package(zone)) continue;
    const std::optional<double> count = number_in(zone / "energy_uj");
    const std::optional<double> range = number_in(zone / "max_energy_range_uj");
    if (!count || !range || *range <= 0) {
      why_not_ = fmt::format("{} cannot be read: the administrator may let you, chmod a+r",
                             (zone / "energy_uj").string());
      return;
    }
    packages_.push_back({zone / "energy_uj", *range, *count});
  }
  if (packages_.empty()) {
    why_not_ = fmt::format("{} has no energy counter of a processor", powercap.string());
  }
}

std::optional<double> Rapl::joules() {
  const double seconds = now();
  for (Package& package : packages_) {
    const std::optional<double> count = number_in(package.counter);
    if (!count) {
      why_not_ = fmt::format("{} cannot be read any more", package.counter.string());
    } else if ((seconds - last_seconds_) * most_watts > package.range / 1e6) {
      why_not_ = "a solution took so long that the counter may have gone round more than once";
    } else {
      microjoules_ += *count - package.last + (*count < package.last ? package.range : 0);
      package.last = *count;
    }
  }
  last_seconds_ = seconds;
  if (!why_not_.empty()) return std::nullopt;
  return microjoules_ / 1e6;
}

}  // namespace macrobench
