#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "harness/machine/energy.hpp"

namespace macrobench {

/// Something that counts the energy that a processor uses.
struct EnergyMeter {
  std::string method;                             ///< its name, for the record
  std::function<std::string()> why_not;           ///< why it cannot be read; empty if it can
  std::function<std::optional<double>()> joules;  ///< used since some moment; none: see why_not()
};

class NvmlDevice;
class Rapl;

/// That of a GPU, which outlives it, and that of the processor.
EnergyMeter meter_of(const NvmlDevice& gpu);
EnergyMeter meter_of(const std::shared_ptr<Rapl>& processor);

struct EnergyWindow {
  double idle_seconds = 2;
  double seconds = 5;  ///< the least: the last solution ends after it
  double left = 600;   ///< seconds until the process is killed
};

/// Measures the energy of a solution. `solve` solves once more and returns the seconds that count
/// as the solution's; it is expected to take about `expected` of them.
Energy measure_energy(const EnergyMeter& meter, const EnergyWindow& window, double expected,
                      const std::function<double()>& solve);

}  // namespace macrobench
