#include "harness/machine/energy_window.hpp"

#include <chrono>
#include <memory>
#include <thread>

#include "harness/machine/nvml.hpp"
#include "harness/machine/rapl.hpp"
#include "harness/process/elapsed.hpp"

namespace macrobench {

namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

EnergyMeter meter_of(const NvmlDevice& gpu) {
  return {.method = "NVML total energy",
          .why_not = [&gpu]() -> std::string {
            if (!gpu.why_not().empty()) return gpu.why_not();
            if (gpu.is_divided()) return "the instances of a divided GPU (MIG) share one meter";
            return gpu.joules() ? "" : "this GPU has no energy counter";
          },
          .joules = [&gpu] { return gpu.joules(); }};
}

EnergyMeter meter_of(const std::shared_ptr<Rapl>& processor) {
  return {.method = "RAPL, all packages of the processor",
          .why_not = [processor] { return processor->why_not(); },
          .joules = [processor] { return processor->joules(); }};
}

Energy measure_energy(const EnergyMeter& meter, const EnergyWindow& window, double expected,
                      const std::function<double()>& solve) {
  Energy energy{.why_not = meter.why_not()};
  if (!energy.why_not.empty()) return energy;
  // The window holds at least one solution, and may begin its last one just before its end.
  if (window.idle_seconds + window.seconds + 2 * expected > window.left) {
    energy.why_not = "too little time was left before the deadline";
    return energy;
  }

  const auto idle = Clock::now();
  const std::optional<double> before_idle = meter.joules();
  std::this_thread::sleep_for(std::chrono::duration<double>(window.idle_seconds));
  const std::optional<double> before = meter.joules();
  energy.idle_seconds = seconds_since(idle);

  const auto begin = Clock::now();
  do {
    energy.solving_seconds += solve();
    ++energy.solutions;
  } while (seconds_since(begin) < window.seconds);
  const std::optional<double> after = meter.joules();
  energy.window_seconds = seconds_since(begin);

  energy.why_not = meter.why_not();
  if (!energy.why_not.empty() || !before_idle || !before || !after) {
    if (energy.why_not.empty()) energy.why_not = "the counter could not be read";
    return energy;
  }
  if (*after <= *before) {
    energy.why_not = "the counter did not move";
    return energy;
  }
  energy.method = meter.method;
  energy.joules_per_solution = (*after - *before) / energy.solutions;
  if (energy.idle_seconds > 0) energy.idle_watts = (*before - *before_idle) / energy.idle_seconds;
  return energy;
}

}  // namespace macrobench
