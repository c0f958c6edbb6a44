#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace macrobench {

/// The quota on CPU time of this process's control group or of one above it, whichever is least: in
/// `docker --cpus=0.2` that of 0.2 cores.
struct CpuQuota {
  double cores = 0;
  std::filesystem::path folder;  ///< the group's
};

/// By cpu.max (version 2) or cpu.cfs_quota_us (version 1) below the folder where control groups are
/// mounted. `groups` is the text of /proc/self/cgroup. None if there is no quota, or the kernel
/// does not say.
std::optional<CpuQuota> cpu_quota_in(const std::filesystem::path& mounted, std::string_view groups);

/// This process's.
std::optional<CpuQuota> cpu_quota();

/// The seconds for which the group's processors have been held back so far, summed over them; none
/// if the kernel does not say.
std::optional<double> throttled_seconds(const CpuQuota& quota);

}  // namespace macrobench
