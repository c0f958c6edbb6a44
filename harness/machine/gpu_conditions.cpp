#include "harness/machine/gpu_conditions.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "harness/text/json_values.hpp"

namespace macrobench {

namespace {

using nlohmann::ordered_json;

constexpr double most_mhz = 1e6;
constexpr double most_celsius = 1000;

ordered_json to_json(const std::optional<ReadingRange>& range) {
  if (!range) return nullptr;
  return {range->lowest, range->median, range->highest};
}

std::optional<ReadingRange> range_at(const JsonCursor& cursor) {
  if (cursor.is_null()) return std::nullopt;
  const std::vector<double> numbers =
      cursor.list_of([](const JsonCursor& item) { return item.number_within(0, most_mhz); });
  if (numbers.size() != 3) cursor.fail("it must be three numbers: lowest, median, highest");
  return ReadingRange{numbers[0], numbers[1], numbers[2]};
}

int count_at(const JsonCursor& cursor) {
  return static_cast<int>(cursor.number_within(0, std::numeric_limits<int>::max()));
}

}  // namespace

ordered_json to_json(const GpuConditions& conditions) {
  return {{"readings", conditions.readings},
          {"sm_mhz", to_json(conditions.sm_mhz)},
          {"memory_mhz", to_json(conditions.memory_mhz)},
          {"highest_celsius", or_null(conditions.highest_celsius)},
          {"reasons", conditions.reasons},
          {"power_capped", conditions.power_capped},
          {"throttled", conditions.throttled}};
}

GpuConditions gpu_conditions_at(const JsonCursor& cursor) {
  GpuConditions conditions{.readings = count_at(cursor.at("readings")),
                           .sm_mhz = range_at(cursor.at("sm_mhz")),
                           .memory_mhz = range_at(cursor.at("memory_mhz")),
                           .reasons = cursor.at("reasons").list_of(&JsonCursor::text),
                           .power_capped = count_at(cursor.at("power_capped")),
                           .throttled = cursor.at("throttled").list_of([](const JsonCursor& item) {
                             return static_cast<std::size_t>(item.at_least_0());
                           })};
  if (const JsonCursor highest = cursor.at("highest_celsius"); !highest.is_null()) {
    conditions.highest_celsius = highest.number_within(-most_celsius, most_celsius);
  }
  return conditions;
}

}  // namespace macrobench
