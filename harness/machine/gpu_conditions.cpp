#include "harness/machine/gpu_conditions.hpp"

#include "harness/text/json_fields.hpp"

namespace macrobench {

namespace {

JsonType<ReadingRange> range_type() {
  const JsonType<double> mhz = as::number_within(0, 1e6);
  return {[mhz](const ReadingRange& range) {
            return nlohmann::ordered_json{mhz.write(range.lowest), mhz.write(range.median),
                                          mhz.write(range.highest)};
          },
          [mhz](const JsonCursor& cursor) {
            const std::vector<double> numbers = cursor.list_of(mhz.read);
            if (numbers.size() != 3) {
              cursor.fail("it must be three numbers: lowest, median, highest");
            }
            return ReadingRange{numbers[0], numbers[1], numbers[2]};
          },
          {{"type", "array"}, {"minItems", 3}, {"maxItems", 3}, {"items", mhz.schema}}};
}

}  // namespace

const JsonFields<GpuConditions>& gpu_conditions_fields() {
  static const auto fields =
      JsonFields<GpuConditions>(
          "The driver's readings of the GPU between solutions; absent if nothing could be read.")
          .field("readings", &GpuConditions::readings, as::at_least_0<int>())
          .field("sm_mhz", &GpuConditions::sm_mhz, as::or_null(range_type()),
                 "Lowest, median, highest.")
          .field("memory_mhz", &GpuConditions::memory_mhz, as::or_null(range_type()))
          .field("highest_celsius", &GpuConditions::highest_celsius,
                 as::or_null(as::number_within(-1000, 1000)))
          .field("reasons", &GpuConditions::reasons, as::list(as::text()),
                 "NVML's clock event reasons at any reading.")
          .field("power_capped", &GpuConditions::power_capped, as::at_least_0<int>(),
                 "Readings at which the power limit held the clocks down.")
          .field("throttled", &GpuConditions::throttled, as::list(as::at_least_0<std::size_t>()),
                 "Solutions, 0 the first, that medians leave out: hardware, heat or the power "
                 "supply slowed the GPU down.");
  return fields;
}

}  // namespace macrobench
