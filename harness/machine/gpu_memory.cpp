#include "harness/machine/gpu_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stop_token>
#include <thread>

#include "harness/process/descendants.hpp"
#include "harness/process/elapsed.hpp"

namespace macrobench {

namespace {

using Clock = std::chrono::steady_clock;

/// One more of these would not be worth its time.
constexpr double long_seconds = 5;
/// Unless these take longer, because the driver answers slowly.
constexpr int fewest_readings = 50;
constexpr double most_seconds = 2;

}  // namespace

std::optional<std::int64_t> bytes_of(const std::vector<pid_t>& ours,
                                     const std::vector<GpuProcess>& shown) {
  std::optional<std::int64_t> sum;
  for (const GpuProcess& process : shown) {
    if (std::ranges::count(ours, process.id) == 0) continue;
    if (!process.bytes) return {};
    sum = sum.value_or(0) + *process.bytes;
  }
  if (!sum && shown.size() == 1) return shown.front().bytes;
  return sum;
}

std::optional<std::int64_t> measure_gpu_memory(const NvmlDevice& gpu, const MemoryWindow& window,
                                               const std::function<void()>& solve) {
  if (window.expected > long_seconds || most_seconds + 3 * window.expected > window.left) {
    return {};
  }
  const std::vector<pid_t> ours = with_descendants(::getpid());
  const auto read = [&] { return bytes_of(ours, gpu.processes()); };
  std::optional<std::int64_t> most = read();
  if (!most) return {};
  std::atomic<int> readings = 0;
  {
    const std::jthread reader([&](const std::stop_token& ends) {
      while (!ends.stop_requested()) {
        most = std::max(most, read());
        ++readings;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    });
    const auto begin = Clock::now();
    do {
      solve();
    } while (seconds_since(begin) < window.seconds ||
             (readings < fewest_readings && seconds_since(begin) < most_seconds));
  }
  return most;
}

}  // namespace macrobench
