// How much memory a case has, from the kernel's and the driver's numbers to its record.

#include "harness/machine/memory.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "harness/machine/gpu_memory.hpp"
#include "harness/machine/machine.hpp"
#include "harness/records/record.hpp"
#include "harness/records/record_json.hpp"
#include "harness/run/runner.hpp"
#include "tests/environment_scope.hpp"
#include "tests/executable.hpp"
#include "tests/harness/fake_model.hpp"
#include "tests/harness/fake_nvml.hpp"
#include "tests/harness/support.hpp"
#include "tests/matchers.hpp"

namespace macrobench {
namespace {

using nlohmann::json;

constexpr std::int64_t mebibyte = std::int64_t{1} << 20;

Record run_fake(const std::string& name, const std::string& behaviour) {
  RunOptions options;
  options.child_command = test_child({"child"});
  options.sampling.maximum = 3;
  return run_case(fake_case(name, {{"behaviour", behaviour}}), a_machine(), options);
}

// --- resident ----------------------------------------------------------------------------------

std::int64_t resident_mib(const Record& record) {
  return memory_of(record).resident_bytes.value_or(0) / mebibyte;
}

TEST(ResidentMemory, IsThePeakAndNotWhatIsLeft) {
  const Record plain = run_fake("plain", "fine");
  if (!memory_of(plain).resident_bytes) GTEST_SKIP() << "the kernel does not say";
  EXPECT_GT(resident_mib(plain), 1);
  EXPECT_LT(resident_mib(plain), 150);
  EXPECT_GT(resident_mib(run_fake("plain", "fills")), 200 + resident_mib(plain) / 2);
}

TEST(ResidentMemory, IsNotTheCertificates) {
  EXPECT_LT(resident_mib(run_fake("plain", "fills_check")), 150);
}

TEST(ResidentMemory, IsKnownOfAWrongResult) {
  const Record record = run_fake("plain", "invalid");
  ASSERT_EQ(record.status, Status::invalid);
  EXPECT_EQ(resident_mib(record) > 0, memory_of(run_fake("plain", "fine")).resident_bytes > 0);
}

// --- a GPU's -----------------------------------------------------------------------------------

TEST(DeviceMemory, IsThatOfOurProcesses) {
  EXPECT_EQ(bytes_of({7}, {{3, 100}, {7, 500}}), 500);
  EXPECT_EQ(bytes_of({7, 3}, {{3, 100}, {7, 500}, {9, 1}}), 600);
  EXPECT_EQ(bytes_of({7}, {{3, 500}}), 500) << "in a container, by its number in the host";
  EXPECT_EQ(bytes_of({7}, {{3, 100}, {4, 500}}), std::nullopt) << "which of them is not known";
  EXPECT_EQ(bytes_of({7}, {{7, std::nullopt}}), std::nullopt);
  EXPECT_EQ(bytes_of({7, 3}, {{3, 100}, {7, std::nullopt}}), std::nullopt);
  EXPECT_EQ(bytes_of({7}, {}), std::nullopt);
}

TEST(DeviceMemory, IsTheMostOfAllReadings) {
  const EnvironmentScope mib("FAKE_NVML_MIB", "500,700,1700,600");
  int solutions = 0;
  const auto solve = [&] { ++solutions; };
  const NvmlDevice device("", fake_nvml());
  const auto most = measure_gpu_memory(device, {.seconds = 0.02}, solve);
  EXPECT_EQ(most, 1700 * mebibyte);
  EXPECT_GT(solutions, 0);
}

TEST(DeviceMemory, IsNotMeasuredWithALongSolutionOrLittleTime) {
  const EnvironmentScope mib("FAKE_NVML_MIB", "500");
  const auto never = [] { FAIL() << "solved"; };
  const NvmlDevice device("", fake_nvml());
  EXPECT_FALSE(measure_gpu_memory(device, {.expected = 29}, never));
  EXPECT_FALSE(measure_gpu_memory(device, {.left = 10, .expected = 4}, never));
  const EnvironmentScope unknown("FAKE_NVML_MIB", "0");
  EXPECT_FALSE(measure_gpu_memory(device, {}, never)) << "the driver does not know it";
  const NvmlDevice unreadable("", "libno-such-driver.so.1");
  EXPECT_FALSE(measure_gpu_memory(unreadable, {}, never));
}

TEST(DeviceMemory, IsInTheRecordOfACaseOnADevice) {
  const EnvironmentScope path("LD_LIBRARY_PATH", fake_nvml_folder());
  const EnvironmentScope bus_id("FAKE_NVML_BUS_ID", device_bus_id());
  const EnvironmentScope mib("FAKE_NVML_MIB", "500,700,600");
  const Record record = run_fake("device", "fine");
  EXPECT_EQ(memory_of(record).gpu_bytes, 700 * mebibyte);
  EXPECT_EQ(seconds_of(record, Phase::solution).size(), 2U) << "further ones are no samples";
  EXPECT_FALSE(memory_of(run_fake("plain", "fine")).gpu_bytes);
  EXPECT_FALSE(memory_of(run_fake("device", "invalid")).gpu_bytes);
}

/// On a machine with a GPU.
TEST(GpuMemory, GrowsByTheArraysOfACase) {
  if (macrobench("run newton/cuda_c").code == 2) GTEST_SKIP() << "no GPU here";
  const auto bytes_with = [](int agents) {
    const json record = json_of(
        fmt::format("run krusell_smith/cuda_hardware --stage panel --T 200 --burn_in 50 --N {} "
                    "--min-samples 1 --max-samples 1 --json",
                    agents),
        "2>/dev/null");
    return record.at("samples").at(0).at("memory").at("gpu_bytes").get<double>();
  };
  const double few = bytes_with(1'000'000);
  const double many = bytes_with(10'000'000);
  // The employment of each period is a bit, and the first and the last wealth are there.
  constexpr double bytes_of_agent = 200.0 / 8 + 2 * sizeof(float);
  EXPECT_NEAR(many - few, 9e6 * bytes_of_agent, 16 * mebibyte);
  EXPECT_GT(many, 1e7 * bytes_of_agent);
}

// --- in a record -------------------------------------------------------------------------------

TEST(MemoryOfARecord, IsTheMostOfItsProcesses) {
  Record record = a_record();
  EXPECT_FALSE(memory_of(record).resident_bytes);
  EXPECT_FALSE(json(to_json(record))["samples"][0].contains("memory"));
  record.samples.resize(2);
  record.samples[0].memory = {.resident_bytes = 5, .gpu_bytes = 7};
  record.samples[1].memory = {.resident_bytes = 6};
  const json line = to_json(record);
  EXPECT_EQ(line["samples"][1]["memory"], (json{{"resident_bytes", 6}}));
  const Memory back = memory_of(record_from_json(line));
  EXPECT_EQ(back.resident_bytes, 6);
  EXPECT_EQ(back.gpu_bytes, 7);
}

TEST(MemoryOfARecord, OfAStrangerIsWithinBounds) {
  const json line = to_json(a_record());
  for (const json& wrong :
       {json(-1), json(0), json(1.5), json(1e300), json("much"), json(std::int64_t{1} << 51)}) {
    for (const char* name : {"resident_bytes", "gpu_bytes"}) {
      json changed = line;
      changed["samples"][0]["memory"][name] = wrong;
      EXPECT_THROW(record_from_json(changed), std::invalid_argument) << wrong;
    }
  }
}

}  // namespace
}  // namespace macrobench
