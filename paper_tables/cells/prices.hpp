#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace macrobench {

/// What is known about a machine's processors besides its times, each with its source.
struct Prices {
  std::optional<double> gpu_usd = {};
  std::string gpu_usd_source = {};
  std::optional<double> gpu_usd_per_hour = {};  ///< rented, with what is around it
  std::string gpu_usd_per_hour_source = {};     ///< with the date of the price
  std::optional<double> cpu_usd = {};
  std::string cpu_usd_source = {};
  int cpu_cores = 1;  ///< that the price buys
};

/// The entry of FOLDER/hardware.json in which `field` ("published", the id of a published
/// machine, or "name", the GPU's as its driver reports it) is `value`; empty if there is none.
/// Throws UsageError for bad data.
Prices prices_of(const std::filesystem::path& folder, std::string_view field,
                 std::string_view value);

}  // namespace macrobench
