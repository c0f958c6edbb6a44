#include "harness/machine/energy_window.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "harness/machine/machine.hpp"
#include "harness/machine/nvml.hpp"
#include "harness/machine/rapl.hpp"
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
using testing::Ge;
using testing::Le;

// --- RAPL --------------------------------------------------------------------------------------

/// A zone of a fake powercap folder.
void write_zone(const std::filesystem::path& zone, const std::string& name, double microjoules,
                double range = 1e9) {
  std::filesystem::create_directories(zone);
  write_file(zone / "name", name + "\n");
  write_file(zone / "energy_uj", fmt::format("{:.0f}\n", microjoules));
  write_file(zone / "max_energy_range_uj", fmt::format("{:.0f}\n", range));
}

TEST(Rapl, AddsPackagesAndNothingElse) {
  const TemporaryFolder folder;
  write_zone(folder.path() / "intel-rapl:0", "package-0", 5e6);
  write_zone(folder.path() / "intel-rapl:1", "package-1", 7e6);
  write_zone(folder.path() / "intel-rapl:2", "psys", 1e6);
  write_zone(folder.path() / "intel-rapl:0:0", "core", 1e6);
  Rapl rapl(folder.path());
  ASSERT_EQ(rapl.why_not(), "");
  EXPECT_EQ(rapl.joules(), 0.0);
  write_zone(folder.path() / "intel-rapl:0", "package-0", 6e6);
  write_zone(folder.path() / "intel-rapl:1", "package-1", 9.5e6);
  write_zone(folder.path() / "intel-rapl:2", "psys", 8e6);
  write_zone(folder.path() / "intel-rapl:0:0", "core", 8e6);
  EXPECT_EQ(rapl.joules(), 3.5);
}

TEST(Rapl, ACounterGoesRound) {
  const TemporaryFolder folder;
  write_zone(folder.path() / "intel-rapl:0", "package-0", 998e6);
  Rapl rapl(folder.path());
  write_zone(folder.path() / "intel-rapl:0", "package-0", 3e6);
  EXPECT_EQ(rapl.joules(), 5.0);
  write_zone(folder.path() / "intel-rapl:0", "package-0", 4e6);
  EXPECT_EQ(rapl.joules(), 6.0);
}

TEST(Rapl, SaysWhyItCannotBeRead) {
  const TemporaryFolder folder;
  EXPECT_THAT(Rapl(folder.path()).why_not(), HasSubstr("has no energy counter of a processor"));
  EXPECT_THAT(Rapl(folder.path() / "none").why_not(), HasSubstr("has no energy counter"));

  write_zone(folder.path() / "intel-rapl:0", "package-0", 1);
  std::filesystem::remove(folder.path() / "intel-rapl:0" / "energy_uj");
  EXPECT_THAT(Rapl(folder.path()).why_not(), HasSubstr("intel-rapl:0/energy_uj cannot be read"));

  write_zone(folder.path() / "intel-rapl:0", "package-0", 1);
  Rapl rapl(folder.path());
  std::filesystem::remove(folder.path() / "intel-rapl:0" / "energy_uj");
  EXPECT_FALSE(rapl.joules());
  EXPECT_THAT(rapl.why_not(), HasSubstr("any more"));
}

TEST(Rapl, ACounterThatMayHaveGoneRoundTwiceIsNotBelieved) {
  const TemporaryFolder folder;
  write_zone(folder.path() / "intel-rapl:0", "package-0", 1, 1e6);
  Rapl rapl(folder.path());
  std::this_thread::sleep_for(std::chrono::milliseconds(5));  // at 1,500 W, more than the 1 J
  EXPECT_FALSE(rapl.joules());
  EXPECT_THAT(rapl.why_not(), HasSubstr("more than once"));
}

// --- the window --------------------------------------------------------------------------------

/// Counts the watts that it is given, by the clock of the test.
struct FakeProcessor {
  double used = 0;
  std::string why_not = {};

  void run(double seconds, double watts) {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    used += seconds * watts;
  }
  EnergyMeter meter() {
    return {.method = "a fake",
            .why_not = [this] { return why_not; },
            .joules = [this]() -> std::optional<double> {
              if (!why_not.empty()) return std::nullopt;
              return used;
            }};
  }
};

TEST(EnergyWindow, DividesItsJoulesByItsSolutions) {
  FakeProcessor processor;
  const EnergyWindow window{.idle_seconds = 0.02, .seconds = 0.1};
  const Energy energy = measure_energy(processor.meter(), window, 0.01, [&] {
    processor.run(0.012, 250);
    return 0.01;
  });
  EXPECT_EQ(energy.why_not, "");
  EXPECT_EQ(energy.method, "a fake");
  EXPECT_NEAR(energy.joules_per_solution.value_or(0), 3, 1e-12);
  EXPECT_THAT(energy.solutions, AllOf(Ge(1), Le(9)));
  EXPECT_NEAR(energy.solving_seconds, 0.01 * energy.solutions, 1e-12);
  EXPECT_GE(energy.window_seconds, 0.1);
  EXPECT_GE(energy.idle_seconds, 0.02);
  EXPECT_EQ(energy.idle_watts, 0.0);
}

TEST(EnergyWindow, OneLongSolutionIsEnough) {
  FakeProcessor processor;
  const Energy energy =
      measure_energy(processor.meter(), {.idle_seconds = 0, .seconds = 0.001}, 0.01, [&] {
        processor.run(0.01, 100);
        return 0.01;
      });
  EXPECT_EQ(energy.solutions, 1);
  EXPECT_NEAR(energy.joules_per_solution.value_or(0), 1, 1e-12);
}

TEST(EnergyWindow, SaysWhyThereIsNoNumber) {
  FakeProcessor processor;
  const EnergyWindow brief{.idle_seconds = 0, .seconds = 0};
  int solved = 0;
  const auto solve = [&] {
    ++solved;
    return 1.0;
  };
  EXPECT_EQ(measure_energy(processor.meter(), {.left = 20}, 7, solve).why_not,
            "too little time was left before the deadline");
  EXPECT_EQ(solved, 0);

  const Energy stuck = measure_energy(processor.meter(), brief, 0, solve);
  EXPECT_EQ(stuck.why_not, "the counter did not move");
  EXPECT_FALSE(stuck.joules_per_solution);
  EXPECT_EQ(stuck.method, "");

  const Energy lost = measure_energy(processor.meter(), brief, 0, [&] {
    processor.why_not = "it broke";
    return 1.0;
  });
  EXPECT_EQ(lost.why_not, "it broke");
  EXPECT_FALSE(lost.joules_per_solution);
  solved = 0;
  EXPECT_EQ(measure_energy(processor.meter(), brief, 0, solve).why_not, "it broke");
  EXPECT_EQ(solved, 0) << "it is known before";
}

TEST(EnergyWindow, AGpuWhoseMeterIsSharedHasNoNumber) {
  const NvmlDevice device("", fake_nvml());
  EXPECT_EQ(meter_of(device).why_not(), "");
  EXPECT_EQ(meter_of(device).method, "NVML total energy");
  const EnvironmentScope divided("FAKE_NVML_MIG", "1");
  EXPECT_THAT(meter_of(device).why_not(), HasSubstr("share one meter"));
  const NvmlDevice none("", "libno-such-driver.so.1");
  EXPECT_EQ(meter_of(none).why_not(), none.why_not());
}

// --- in a record -------------------------------------------------------------------------------

TEST(Energy, ComesBackFromItsLine) {
  Record record = a_record();
  record.samples[0].energy = Energy{.joules_per_solution = 12.5,
                                    .method = "a fake",
                                    .window_seconds = 5.25,
                                    .solving_seconds = 5,
                                    .solutions = 42,
                                    .idle_seconds = 2,
                                    .idle_watts = 71};
  json line = to_json(record);
  const Record back = record_from_json(line);
  EXPECT_EQ(json(to_json(back)), line);
  ASSERT_NE(energy_of(back), nullptr);
  EXPECT_EQ(energy_of(back)->joules_per_solution, 12.5);
  EXPECT_EQ(energy_of(back)->solutions, 42);
  EXPECT_EQ(energy_of(a_record()), nullptr);

  for (const char* pointer : {"/joules_per_solution", "/window_seconds", "/solutions"}) {
    json wrong = line;
    wrong[json::json_pointer("/samples/0/energy" + std::string(pointer))] = -1;
    EXPECT_THROW(record_from_json(wrong), std::invalid_argument) << pointer;
  }
}

Record run_with_energy(const std::string& implementation, double pace, double deadline) {
  const EnvironmentScope path("LD_LIBRARY_PATH", fake_nvml_folder());
  RunOptions options;
  options.child_command = test_child({"child"});
  options.deadline = deadline;
  options.energy = true;
  return run_case(fake_case(implementation, {{"pace", pace}}), a_machine(), options);
}

TEST(Runner, MeasuresEnergyAfterTheTimes) {
  const EnvironmentScope watts("FAKE_NVML_WATTS", "150");
  const Record record = run_with_energy("device", 0.5, 60);
  ASSERT_EQ(record.status, Status::measured) << to_string(record.why);
  const Energy* energy = energy_of(record);
  ASSERT_NE(energy, nullptr);
  EXPECT_EQ(energy->why_not, "");
  EXPECT_EQ(energy->method, "NVML total energy");
  EXPECT_GE(energy->window_seconds, 5);
  EXPECT_NEAR(energy->idle_watts.value_or(0), 150, 3);
  const double watts_in_window =
      energy->joules_per_solution.value_or(0) * energy->solutions / energy->window_seconds;
  EXPECT_NEAR(watts_in_window, 150, 3);
  EXPECT_LT(seconds_of(record, Phase::solution).size(), 5u) << "the window's are not samples";
}

TEST(Runner, KeepsTheTimesIfNoTimeIsLeftForEnergy) {
  const Record record = run_with_energy("device", 0.01, 6);
  EXPECT_EQ(record.status, Status::measured) << to_string(record.why);
  ASSERT_NE(energy_of(record), nullptr);
  EXPECT_THAT(energy_of(record)->why_not, HasSubstr("deadline"));
  EXPECT_FALSE(energy_of(record)->joules_per_solution);
}

/// On a machine with a GPU.
TEST(GpuEnergy, OfThisMachineIsCounted) {
  const NvmlDevice device(device_bus_id());
  if (!device.why_not().empty()) GTEST_SKIP() << device.why_not();
  const EnergyMeter meter = meter_of(device);
  if (!meter.why_not().empty()) GTEST_SKIP() << meter.why_not();
  const Energy energy = measure_energy(meter, {.idle_seconds = 1, .seconds = 2}, 0.1, [] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return 0.1;
  });
  EXPECT_EQ(energy.why_not, "");
  EXPECT_GT(energy.idle_watts.value_or(0), 3);
  EXPECT_LT(energy.idle_watts.value_or(0), 2000);
}

}  // namespace
}  // namespace macrobench
