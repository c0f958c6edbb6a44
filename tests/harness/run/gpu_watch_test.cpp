#include "harness/run/gpu_watch.hpp"

#include <chrono>
#include <nlohmann/json.hpp>

#include "harness/machine/machine.hpp"
#include "harness/records/record.hpp"
#include "harness/records/record_json.hpp"
#include "harness/run/runner.hpp"
#include "tests/environment_scope.hpp"
#include "tests/harness/fake_model.hpp"
#include "tests/harness/fake_nvml.hpp"
#include "tests/harness/support.hpp"
#include "tests/matchers.hpp"

namespace macrobench {
namespace {

using nlohmann::json;

TEST(Nvml, ReadsADevice) {
  const EnvironmentScope reasons("FAKE_NVML_REASONS", "44");
  const NvmlDevice device("0000:65:00.0", fake_nvml());
  ASSERT_EQ(device.why_not(), "");
  const GpuReading reading = device.read();
  EXPECT_EQ(reading.sm_mhz, 1980);
  EXPECT_EQ(reading.memory_mhz, 2619);
  EXPECT_EQ(reading.celsius, 61);
  EXPECT_TRUE(reading.is_throttled());
  EXPECT_TRUE(reading.is_power_capped());
  EXPECT_THAT(names_of_reasons(reading.reasons),
              ElementsAre("sw_power_cap", "hw_thermal_slowdown"));
  const double before = device.joules().value_or(0);
  EXPECT_GT(before, 0);
  EXPECT_GE(device.joules().value_or(0), before);
  EXPECT_FALSE(device.is_divided());
}

TEST(Nvml, WhatCannotBeReadIsNone) {
  const NvmlDevice no_library("", "libno-such-driver.so.1");
  EXPECT_EQ(no_library.why_not(), "NVIDIA's driver brings no libno-such-driver.so.1");
  EXPECT_FALSE(no_library.read().sm_mhz);
  EXPECT_FALSE(no_library.joules());
  EXPECT_FALSE(no_library.is_divided());

  EXPECT_THAT(NvmlDevice("0000:01:00.0", fake_nvml()).why_not(), HasSubstr("0000:01:00.0"));
  EXPECT_EQ(NvmlDevice("", fake_nvml()).why_not(), "") << "the only device there is";
  const EnvironmentScope two("FAKE_NVML_DEVICES", "2");
  EXPECT_EQ(NvmlDevice("", fake_nvml()).why_not(),
            "NVML does not show which of its devices does the work");
  EXPECT_FALSE(NvmlDevice("", fake_nvml()).joules());
}

TEST(Nvml, OnlySlowdownsThrottle) {
  // Idle, a user's clocks, the power limit, the clocks of other devices, a display's.
  for (const std::uint64_t reasons : {0x1U, 0x2U, 0x4U, 0x10U, 0x100U}) {
    EXPECT_FALSE(GpuReading{.reasons = reasons}.is_throttled()) << reasons;
  }
  for (const std::uint64_t reasons : {0x8U, 0x20U, 0x40U, 0x80U}) {
    EXPECT_TRUE(GpuReading{.reasons = reasons}.is_throttled()) << reasons;
  }
  EXPECT_THAT(names_of_reasons(0x201), ElementsAre("gpu_idle", "bit 9"));
}

TEST(GpuWatch, ReadsAtMostEvery50Milliseconds) {
  const NvmlDevice device("", fake_nvml());
  GpuWatch watch(&device);
  for (int i = 0; i < 101; ++i) watch.after(0.01);
  const std::optional<GpuConditions> seen = watch.conditions();
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->readings, 21) << "after the first, and after every five of the others";
  EXPECT_EQ(seen->sm_mhz->lowest, 1980);
  EXPECT_EQ(seen->sm_mhz->median, 1980);
  EXPECT_EQ(seen->memory_mhz->highest, 2619);
  EXPECT_EQ(seen->highest_celsius, 61);
  EXPECT_THAT(seen->throttled, IsEmpty());
}

TEST(GpuWatch, AReadingHoldsForTheSolutionsSinceTheLast) {
  const NvmlDevice device("", fake_nvml());
  const EnvironmentScope reasons("FAKE_NVML_REASONS", "4,20,4,8");
  GpuWatch watch(&device);
  watch.after(0.01);
  for (int i = 0; i < 3; ++i) watch.after(0.025);
  for (int i = 0; i < 2; ++i) watch.after(0.06);
  const std::optional<GpuConditions> seen = watch.conditions();
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->readings, 4);
  EXPECT_EQ(seen->power_capped, 2);
  EXPECT_THAT(seen->throttled, ElementsAre(1, 2, 5));
  EXPECT_THAT(seen->reasons, ElementsAre("sw_power_cap", "hw_slowdown", "sw_thermal_slowdown"));
}

TEST(GpuWatch, WithoutADeviceThereIsNothing) {
  GpuWatch none(nullptr);
  none.after(1);
  EXPECT_FALSE(none.conditions());
  const NvmlDevice unreadable("", "libno-such-driver.so.1");
  GpuWatch watch(&unreadable);
  watch.after(1);
  EXPECT_FALSE(watch.conditions());
}

// --- in a record -------------------------------------------------------------------------------

Record throttled_at(std::vector<std::size_t> first, std::vector<std::size_t> second) {
  Record record = a_record();
  record.samples = {{.start = 1,
                     .first_solution = 2,
                     .solutions = {3, 4},
                     .stages = {{"policy", {0.2, 0.3, 0.4}}},
                     .gpu = GpuConditions{.throttled = std::move(first)}},
                    {.start = 5,
                     .first_solution = 6,
                     .solutions = {},
                     .stages = {{"policy", {0.6}}},
                     .gpu = GpuConditions{.throttled = std::move(second)}}};
  return record;
}

TEST(Throttled, SolutionsAreLeftOutOfMedians) {
  const Record record = throttled_at({0, 2}, {});
  EXPECT_FALSE(is_throttled(record));
  EXPECT_THAT(seconds_of(record, Phase::start), ElementsAre(1, 5));
  EXPECT_THAT(seconds_of(record, Phase::first_solution), ElementsAre(6));
  EXPECT_THAT(seconds_of(record, Phase::solution), ElementsAre(3));
  EXPECT_THAT(seconds_of(record, Phase::total), ElementsAre(11));
  EXPECT_THAT(seconds_of_stage(record, "policy"), ElementsAre(0.3, 0.6));
}

TEST(Throttled, MoreThanHalfIsNoTimeOfThisGpu) {
  const Record record = throttled_at({0, 1}, {0});
  EXPECT_TRUE(is_throttled(record));
  EXPECT_THAT(seconds_of(record, Phase::solution), ElementsAre(3, 4)) << "all are shown";
  EXPECT_FALSE(is_throttled(a_record())) << "nothing is known of its GPU";
}

TEST(Throttled, APhaseThatWouldBeEmptyKeepsAll) {
  const Record record = throttled_at({1, 2}, {});
  EXPECT_FALSE(is_throttled(record));
  EXPECT_THAT(seconds_of(record, Phase::solution), ElementsAre(3, 4));
}

TEST(Throttled, ComesBackFromItsLine) {
  Record record = throttled_at({0, 2}, {});
  record.samples[0].gpu->sm_mhz = ReadingRange{1200, 1900, 1980};
  record.samples[0].gpu->highest_celsius = 88;
  record.samples[0].gpu->reasons = {"hw_thermal_slowdown"};
  const json line = to_json(record);
  const Record back = record_from_json(line);
  EXPECT_EQ(json(to_json(back)), line);
  EXPECT_EQ(back.samples[0].gpu->sm_mhz->lowest, 1200);
  EXPECT_FALSE(back.samples[0].gpu->memory_mhz);

  for (const auto& wrong : {json{0, 3}, json{1, 1}, json{2, 0}, json{-1}, json{"first"}}) {
    json changed = line;
    changed["samples"][0]["gpu"]["throttled"] = wrong;
    EXPECT_THROW(record_from_json(changed), std::invalid_argument) << wrong;
  }
  json changed = line;
  changed["samples"][0]["gpu"]["sm_mhz"] = {1, 2};
  EXPECT_THROW(record_from_json(changed), std::invalid_argument);
}

// --- a case, from its child process to its record ----------------------------------------------

Record run_with_fake_nvml(const std::string& implementation) {
  const EnvironmentScope bus_id("FAKE_NVML_BUS_ID", device_bus_id());  // the child asks for that
  RunOptions options;
  options.child_command = test_child({"child"});
  options.sampling.maximum = 3;
  return run_case(fake_case(implementation, {{"pace", 0.06}}), a_machine(), options);
}

TEST(Runner, RecordsTheGpuOfACaseThatUsesOne) {
  const EnvironmentScope path("LD_LIBRARY_PATH", fake_nvml_folder());
  const EnvironmentScope reasons("FAKE_NVML_REASONS", "0,40,0");
  const Record record = run_with_fake_nvml("device");
  ASSERT_EQ(record.status, Status::measured) << to_string(record.why);
  ASSERT_TRUE(record.samples.at(0).gpu);
  EXPECT_EQ(record.samples[0].gpu->readings, 3);
  EXPECT_THAT(record.samples[0].gpu->throttled, ElementsAre(1));
  EXPECT_EQ(seconds_of(record, Phase::solution).size(), 1u);
  EXPECT_FALSE(run_with_fake_nvml("plain").samples.at(0).gpu) << "no GPU did any of it";
}

/// On a machine with a GPU, with whatever runs there: tests of suites named Gpu have one.
TEST(GpuClocks, OfThisMachineAreRead) {
  const NvmlDevice device(device_bus_id());
  if (!device.why_not().empty()) GTEST_SKIP() << device.why_not();
  const GpuReading reading = device.read();
  EXPECT_GT(reading.sm_mhz.value_or(0), 100);
  EXPECT_GT(reading.memory_mhz.value_or(0), 100);
  EXPECT_GT(reading.celsius.value_or(0), 5);
}

}  // namespace
}  // namespace macrobench
