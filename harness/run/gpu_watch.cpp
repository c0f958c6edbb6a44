#include "harness/run/gpu_watch.hpp"

#include <algorithm>

#include "harness/records/statistics.hpp"

namespace macrobench {

namespace {

std::optional<ReadingRange> range_of(const std::vector<GpuReading>& readings,
                                     std::optional<double> GpuReading::* field) {
  std::vector<double> values;
  for (const GpuReading& reading : readings) {
    const std::optional<double>& value = reading.*field;
    if (value) values.push_back(*value);
  }
  if (values.empty()) return std::nullopt;
  const auto [lowest, highest] = std::ranges::minmax(values);
  return ReadingRange{lowest, median(values), highest};
}

}  // namespace

GpuWatch::GpuWatch(const NvmlDevice* device)
    : device_(device != nullptr && device->why_not().empty() ? device : nullptr) {}

void GpuWatch::after(double seconds) {
  ++solutions_;
  since_ += seconds;
  if (solutions_ == 1 || since_ >= seconds_between_readings) read();
}

void GpuWatch::read() {
  if (device_ == nullptr) return;
  readings_.push_back(device_->read());
  if (readings_.back().is_throttled()) {
    for (std::size_t one = covered_; one < solutions_; ++one) throttled_.push_back(one);
  }
  covered_ = solutions_;
  since_ = 0;
}

std::optional<GpuConditions> GpuWatch::conditions() {
  if (covered_ < solutions_) read();
  if (readings_.empty()) return std::nullopt;
  std::uint64_t reasons = 0;
  int power_capped = 0;
  for (const GpuReading& reading : readings_) {
    reasons |= reading.reasons;
    power_capped += reading.is_power_capped() ? 1 : 0;
  }
  GpuConditions seen{.readings = static_cast<int>(readings_.size()),
                     .sm_mhz = range_of(readings_, &GpuReading::sm_mhz),
                     .memory_mhz = range_of(readings_, &GpuReading::memory_mhz),
                     .reasons = names_of_reasons(reasons),
                     .power_capped = power_capped,
                     .throttled = throttled_};
  if (const auto celsius = range_of(readings_, &GpuReading::celsius)) {
    seen.highest_celsius = celsius->highest;
  }
  return seen;
}

}  // namespace macrobench
