#include "harness/machine/cpu_quota.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "harness/files/whole_file.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

/// The number in that place, if there is one.
std::optional<double> number_at(const std::vector<std::string_view>& words, std::size_t place) {
  return place < words.size() ? finite_number(trim(words[place])) : std::nullopt;
}

/// Of this group alone.
std::optional<double> cores_of(const fs::path& folder) {
  const std::string now = kernel_text(folder / "cpu.max");  // "20000 100000" or "max 100000"
  const std::vector<std::string_view> words = split(now, ' ');
  std::optional<double> quota = number_at(words, 0);
  std::optional<double> period = number_at(words, 1);
  if (now.empty()) {
    quota = finite_number(trim(kernel_text(folder / "cpu.cfs_quota_us")));  // -1 is none
    period = finite_number(trim(kernel_text(folder / "cpu.cfs_period_us")));
  }
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return *quota / *period;
}

/// The group's folder where the mounted ones are `root`, and those above it, the root last. In a
/// container the path may be the host's, of which only the root is there.
void add_folders(const fs::path& root, std::string_view path, std::vector<fs::path>& folders) {
  for (fs::path below = fs::path(path).relative_path(); !below.empty();
       below = below.parent_path()) {
    folders.push_back(root / below);
  }
  folders.push_back(root);
}

}  // namespace

std::optional<CpuQuota> cpu_quota_in(const fs::path& mounted, std::string_view groups) {
  std::vector<fs::path> folders;
  for (const std::string_view line : split(groups, '\n')) {
    // "4:cpu,cpuacct:/a/group" in version 1, "0::/a/group" in version 2.
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const std::string_view path = line.substr(second + 1);
    if (controllers.empty()) {
      add_folders(mounted, path, folders);
      add_folders(mounted / "unified", path, folders);
    } else if (std::ranges::count(split(controllers, ','), "cpu") > 0) {
      add_folders(mounted / controllers, path, folders);
      add_folders(mounted / "cpu", path, folders);
    }
  }
  std::optional<CpuQuota> least;
  for (const fs::path& folder : folders) {
    const std::optional<double> cores = cores_of(folder);
    if (cores && (!least || *cores < least->cores)) least = CpuQuota{*cores, folder};
  }
  return least;
}

std::optional<CpuQuota> cpu_quota() {
  return cpu_quota_in("/sys/fs/cgroup", kernel_text("/proc/self/cgroup"));
}

std::optional<double> throttled_seconds(const CpuQuota& quota) {
  const std::string stat = kernel_text(quota.folder / "cpu.stat");
  for (const std::string_view line : split(stat, '\n')) {
    for (const auto& [name, unit] :
         {std::pair{"throttled_usec ", 1e-6}, {"throttled_time ", 1e-9}}) {
      if (!line.starts_with(name)) continue;
      const std::optional<double> number =
          finite_number(trim(line.substr(std::string_view(name).size())));
      if (number) return *number * unit;
    }
  }
  return std::nullopt;
}

}  // namespace macrobench
