// What a record cannot say and be true, forged in files, and the files that are committed.

#include "harness/records/contradiction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "harness/model/registry.hpp"
#include "harness/records/met_conditions.hpp"
#include "harness/records/record_json.hpp"
#include "harness/records/record_store.hpp"
#include "harness/records/results_folder.hpp"
#include "harness/text/json_values.hpp"
#include "tests/harness/support.hpp"
#include "tests/matchers.hpp"
#include "tests/paths.hpp"

namespace macrobench {
namespace {

using nlohmann::ordered_json;
using Change = std::function<void(ordered_json&)>;

class Forged : public testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path file(const char* name) const { return folder_.path() / name; }

  /// The record of a file that holds only it, right in every detail but for the change.
  [[nodiscard]] Record with(const Change& change, const char* name = "records.jsonl") const {
    return of(a_record(), change, name);
  }
  [[nodiscard]] Record of(const Record& record, const Change& change,
                          const char* name = "records.jsonl") const {
    std::filesystem::remove(file("records.jsonl"));
    std::filesystem::remove(file("machines.jsonl"));
    Record its = record;
    its.machine = machine_.id();
    RecordStore(folder_.path()).append(its, machine_);
    ordered_json line = ordered_json::parse(content_of(file(name)));
    change(line);
    write_file(file(name), to_line(line));
    const Results results = read_results(folder_.path());
    EXPECT_THAT(results.warnings, IsEmpty());
    EXPECT_THAT(results.records, SizeIs(1));
    return results.records.at(0);
  }

  static void expect_implausible(const Record& record, const std::string& why) {
    EXPECT_EQ(record.status, Status::implausible) << why;
    EXPECT_THAT(to_string(record.why), HasSubstr(why));
  }

  void add_gpu() { machine_.block["gpu"] = {{"name", "A GPU"}, {"highest_memory_mhz", 2600}}; }

 private:
  TemporaryFolder folder_;
  Machine machine_ = a_machine();
};

TEST_F(Forged, ARightOneIsBelieved) {
  const Record record = with([](ordered_json&) {});
  EXPECT_EQ(record.status, Status::measured) << record.why;
}

TEST_F(Forged, AResidualIsNoMoreThanWhatIsAllowed) {
  for (const ordered_json& residual : {ordered_json(1), ordered_json(-1), ordered_json(nullptr)}) {
    expect_implausible(with([&](ordered_json& line) { line["outcome"]["residual"] = residual; }),
                       "its residual is above what is allowed");
  }
  expect_implausible(with([](ordered_json& line) { line["outcome"]["allowed"] = nullptr; }),
                     "its residual is above what is allowed");
}

TEST_F(Forged, WhatWasInvalidIsNotMeasured) {
  expect_implausible(with([](ordered_json& line) { line["outcome"]["why"] = "not converged"; }),
                     "its outcome has a reason only if it is not valid");
  expect_implausible(with([](ordered_json& line) {
                       line["reason"] = {{"clause", "not converged"}, {"detail", nullptr}};
                     }),
                     "it is measured, and has a reason why not");
  expect_implausible(with([](ordered_json& line) { line["expected_invalid"] = true; }),
                     "it is known to be invalid");
  expect_implausible(with([](ordered_json& line) { line["samples"] = ordered_json::array(); }),
                     "has no sample");
}

TEST_F(Forged, ANoisyRecordIsJudgedToo) {
  const Change noisy = [](ordered_json& line) {
    line["status"] = "noisy";
    line["reason"] = {{"clause", "others used the cores that it needs"}, {"detail", nullptr}};
  };
  EXPECT_EQ(with(noisy).status, Status::noisy);
  expect_implausible(with([&](ordered_json& line) {
                       noisy(line);
                       line["outcome"]["residual"] = 1;
                     }),
                     "its residual is above what is allowed");
}

TEST_F(Forged, AKeyIsOfItsParameters) {
  const auto with_key = [this](const char* key) {
    return with([&](ordered_json& line) { line["key"] = key; });
  };
  for (const char* key :
       {"fake/plain size=2", "fake/plain size=10", "fake/plain size=", "fake/plain siz", "fake/",
        "fake/plain size=1 size=1", "fake/plain size=1 rounds=2", "fake/plainer size=1",
        "fake/plain size=1 ", "fake/plain =1"}) {
    expect_implausible(with_key(key), "its key is of other parameters");
  }
  EXPECT_EQ(with_key("fake/plain pace=0 size=1").status, Status::measured) << "says it all";
  expect_implausible(with([](ordered_json& line) { line["case"]["parameters"]["pace"] = 0.5; }),
                     "its key leaves out a parameter (pace)");
}

TEST_F(Forged, WhatThisBuildLacksIsLeftAlone) {
  EXPECT_EQ(with([](ordered_json& line) {
              line["case"]["implementation"] = "of tomorrow";
              line["case"]["parameters"]["pace"] = 0.5;
              line["key"] = "fake/of tomorrow size=1";
            }).status,
            Status::measured);
  EXPECT_EQ(with([](ordered_json& line) {
              line["case"]["parameters"]["pace"] = 0.5;
              line["case"]["parameters"]["of tomorrow"] = 1;
            }).status,
            Status::measured);
}

TEST_F(Forged, AMachinesBlockHasItsId) {
  const auto change_cpu = [](ordered_json& line) { line["machine"]["cpu"]["model"] = "Faster"; };
  expect_implausible(with(change_cpu, "machines.jsonl"), "its machine's block has another id");
  EXPECT_EQ(with([](ordered_json& line) { line["machine"]["now"]["mhz"] = 3000; }, "machines.jsonl")
                .status,
            Status::measured)
      << "what changes from hour to hour";
}

TEST_F(Forged, AMachinesBlockIsMendedByTheNextRun) {
  static_cast<void>(
      with([](ordered_json& line) { line["machine"]["os"] = "x"; }, "machines.jsonl"));
  RecordStore(file("")).append(a_record(), a_machine());
  for (const Record& record : read_results(file("")).records) {
    EXPECT_EQ(record.status, Status::measured) << record.why;
  }
}

TEST_F(Forged, SamplesFitIntoTheirCase) {
  expect_implausible(with([](ordered_json& line) { line["seconds"] = 1; }),
                     "its samples take longer than the whole of it");
  expect_implausible(with([](ordered_json& line) { line["samples"][1]["start"] = 1e12; }),
                     "its samples take longer than the whole of it");
  expect_implausible(
      with([](ordered_json& line) { line["samples"][0]["stages"]["policy"][1] = 0.5; }),
      "its stages take longer than their solution (solution 2)");
  expect_implausible(
      with([](ordered_json& line) { line["samples"][0]["stages"]["policy"].erase(0); }),
      "its stages are not of its solutions");
  expect_implausible(with([](ordered_json& line) {
                       for (ordered_json& sample : line["samples"]) {
                         sample["stages"] = ordered_json::object();
                         for (ordered_json& seconds : sample["solutions"]) seconds = 0;
                       }
                     }),
                     "its solutions take no time");
}

/// The conditions of a quiet machine, except for the changes.
ordered_json conditions_with(const ordered_json& changes) {
  ordered_json conditions = ordered_json::parse(R"({"cores": 2, "threads": 1, "others_cores": 0,
    "stolen_cores": 0, "cpu_seconds": 1.5, "preempted": 0, "load": {"before": 0, "after": 0},
    "runnable": {"before": 1, "after": 1}, "mhz": {"before": 2500, "after": 2500},
    "environment": {}, "attempts": 1})");
  if (!changes.is_null()) conditions.update(changes);
  return conditions;
}

ordered_json gpu_read(int readings) {
  return {{"readings", readings},
          {"sm_mhz", nullptr},
          {"memory_mhz", nullptr},
          {"highest_celsius", nullptr},
          {"reasons", ordered_json::array()},
          {"power_capped", 0},
          {"throttled", ordered_json::array()}};
}

TEST_F(Forged, AMachineIsThatOfItsBlock) {
  const auto met = [this](const ordered_json& changes) {
    return with([&](ordered_json& line) { line["conditions"] = conditions_with(changes); });
  };
  EXPECT_EQ(met({}).status, Status::measured);
  expect_implausible(met({{"cores", 16}}), "its conditions have other cores than its machine");
  const auto read_at = [this](double mhz) {
    return with([&](ordered_json& line) {
      line["samples"][0]["gpu"] = gpu_read(1);
      line["samples"][0]["gpu"]["memory_mhz"] = {mhz, mhz, mhz};
    });
  };
  expect_implausible(read_at(2600), "a GPU solved it, and its machine has none");
  add_gpu();
  EXPECT_EQ(read_at(2600).status, Status::measured);
  EXPECT_EQ(read_at(2400).status, Status::measured) << "some hold it a little lower";
  expect_implausible(read_at(3200), "its GPU's memory has another clock than its machine's");
  expect_implausible(read_at(2000), "its GPU's memory has another clock than its machine's");
}

TEST_F(Forged, AGpuTakesTimeToStart) {
  add_gpu();
  const auto starting_in = [this](double seconds) {
    return with([&](ordered_json& line) {
      line["case"]["on_gpu"] = true;
      line["samples"][1]["start"] = seconds;
    });
  };
  EXPECT_EQ(starting_in(0.03).status, Status::measured);
  expect_implausible(starting_in(0), "no GPU starts so quickly");
  expect_implausible(starting_in(0.006), "no GPU starts so quickly");
  expect_implausible(with([](ordered_json& line) {
                       line["samples"][0]["gpu"] = gpu_read(1);
                       line["samples"][0]["start"] = 0;
                     }),
                     "no GPU starts so quickly");
  EXPECT_EQ(with([](ordered_json& line) {
              line["case"]["on_gpu"] = true;
              for (ordered_json& sample : line["samples"]) {
                sample["around"] = {{"process", {0.01}}};
                sample["start"] = 0;
              }
            }).status,
            Status::measured)
      << "a program may start its GPU in its first solution";
}

TEST_F(Forged, ThreadsUseTheCpuTimeOfThreads) {
  const auto met = [this](const ordered_json& changes) {
    return with([&](ordered_json& line) { line["conditions"] = conditions_with(changes); });
  };
  EXPECT_EQ(met({}).status, Status::measured);
  expect_implausible(met({{"threads", 16}}), "its conditions have other threads");
  // A check may use both cores for the second that is left.
  EXPECT_EQ(met({{"cpu_seconds", 2.5}}).status, Status::measured);
  expect_implausible(met({{"cpu_seconds", 4}}), "its threads cannot use so much CPU time");
  EXPECT_EQ(met({{"cpu_seconds", nullptr}}).status, Status::measured);
}

TEST_F(Forged, AGpuIsReadAsOftenAsThereIsTimeFor) {
  add_gpu();
  const auto with_sample = [this](const char* what, const ordered_json& said) {
    return with([&](ordered_json& line) { line["samples"][0][what] = said; });
  };
  EXPECT_EQ(with_sample("gpu", gpu_read(3)).status, Status::measured);
  expect_implausible(with_sample("gpu", gpu_read(9)), "its GPU was read more often");
  const auto energy_of_solutions_in = [](double seconds) {
    return ordered_json{{"joules_per_solution", 5},
                        {"why_not", nullptr},
                        {"method", "NVML total energy"},
                        {"window_seconds", 5},
                        {"solving_seconds", 10 * seconds},
                        {"solutions", 10},
                        {"idle_seconds", 2},
                        {"idle_watts", 100}};
  };
  EXPECT_EQ(with_sample("energy", energy_of_solutions_in(0.1)).status, Status::measured);
  expect_implausible(with_sample("energy", energy_of_solutions_in(0.3)),
                     "its solutions took longer while their energy was measured");
}

TEST_F(Forged, AStatusIsThatOfTheConditions) {
  const auto met = [this](const char* status, const ordered_json& changes) {
    return with([&](ordered_json& line) {
      line["conditions"] = conditions_with(changes);
      line["status"] = status;
      if (line["status"] == "measured") return;
      line["reason"] = {{"clause", "slower than with one thread"}, {"detail", nullptr}};
    });
  };
  EXPECT_EQ(met("noisy", {{"stolen_cores", 0.5}}).status, Status::noisy);
  expect_implausible(met("measured", {{"stolen_cores", 0.5}}),
                     "it is measured, and its conditions make it noisy");
  expect_implausible(met("noisy", {}), "it is noisy, and its conditions say nothing of it");
  expect_implausible(met("throttled", {}), "it is throttled, and its GPU says nothing of it");
  EXPECT_EQ(met("noisy", {{"others_cores", nullptr}, {"stolen_cores", nullptr}}).status,
            Status::noisy)
      << "nothing is known";
}

Conditions conditions_of(int cores, double others) {
  Conditions met;
  met.cores = cores;
  met.others_cores = others;
  met.stolen_cores = 0;
  return met;
}

TEST(NoisyRecords, MayBeSlowerThanWithOneThread) {
  Record one = a_record();
  one.conditions = conditions_of(4, 0);
  one.parameters.set("threads", std::int64_t{1});
  one.samples = {{0, 1, {1}, {}}};
  Record four = one;
  four.parameters.set("threads", std::int64_t{4});
  four.conditions->threads = 4;
  four.samples = {{0, 3, {3}, {}}};
  four.status = Status::noisy;
  EXPECT_TRUE(NoiseCheck({one, four}).against_status(four).empty());
  EXPECT_FALSE(NoiseCheck({four}).against_status(four).empty());
  one.samples = {{0, 2, {2}, {}}};
  EXPECT_FALSE(NoiseCheck({one, four}).against_status(four).empty());
}

TEST(MeasuredRecords, ThatTookTurnsAreNotJudgedAlone) {
  Record record = a_record();
  record.conditions = conditions_of(4, 4);
  EXPECT_FALSE(NoiseCheck({record}).against_status(record).empty());
  record.turns = Turns{.of = "paper/theirs", .role = turns_of_original};
  EXPECT_TRUE(NoiseCheck({record}).against_status(record).empty());
}

TEST(Precision, IsThatOfTheFloor) {
  const auto floor_in = [](const char* real) {
    return Registry::global()
        .make_case("rbc/serial_tuned", {{"nk", 4096}, {"real", std::string(real)}}, 1)
        .floor(*a_record().outcome);
  };
  ASSERT_NE(floor_in("single"), floor_in("double"));
  Record record = a_record();
  record.model = "rbc";
  record.implementation = "serial_tuned";
  record.parameters =
      Registry::global().make_case("rbc/serial_tuned", {{"nk", 4096}}, 1).parameters;
  record.declared_floor = floor_in("double");
  record.floor = floor_in("double");
  EXPECT_TRUE(against_precision(record).empty());
  record.floor = floor_in("single");
  EXPECT_THAT(to_string(against_precision(record)),
              HasSubstr("its floor belongs to the other precision"));
  record.floor->bytes += 1;
  EXPECT_TRUE(against_precision(record).empty()) << "of another version";
}

/// A case whose floor this build declares.
TEST_F(Forged, AFloorOfItsOwnHelpsNoTime) {
  const Case which = Registry::global().make_case("rbc/serial", {{"nk", 4096}}, 1);
  Record record = a_record(which.key());
  record.model = "rbc";
  record.implementation = "serial";
  record.parameters = which.parameters;
  record.floor.reset();
  record.samples = {{0, 1e3, {1e3}, {}}};
  record.seconds = 1e4;
  const auto in_seconds = [&](double seconds, const ordered_json& floor) {
    return of(record, [&](ordered_json& line) {
      line["samples"][0]["solutions"][0] = seconds;
      line["case"]["floor"] = floor;
    });
  };
  const ordered_json tiny{{"bytes", 1}, {"operations", 1}, {"stages", ordered_json::array()}};
  EXPECT_EQ(in_seconds(1e3, tiny).status, Status::measured);
  expect_implausible(in_seconds(1e-6, nullptr), "faster than any such machine");
  expect_implausible(in_seconds(1e-6, tiny), "faster than any such machine");
  std::filesystem::remove(file("machines.jsonl"));
  const Results results = read_results(file(""));
  ASSERT_THAT(results.records, SizeIs(1));
  expect_implausible(results.records[0], "faster than any such machine");
}

TEST(CommittedResults, ContradictNothing) {
  std::size_t count = 0;
  for (const auto& folder : machine_folders_in(source_folder() + "/results")) {
    const Results results = read_results(folder);
    EXPECT_THAT(results.warnings, IsEmpty());
    std::istringstream file(content_of(folder / "records.jsonl"));
    std::vector<nlohmann::json> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(nlohmann::json::parse(line));
    // As they are read: a folder that was merged later may have earlier records.
    const auto time = [](const nlohmann::json& line) { return line["time"].get<std::string>(); };
    std::ranges::stable_sort(lines, {}, time);
    ASSERT_THAT(results.records, SizeIs(lines.size()));
    for (std::size_t i = 0; i < lines.size(); ++i) {
      EXPECT_EQ(to_string(results.records[i].status), lines[i]["status"].get<std::string>())
          << results.records[i].key << ": " << results.records[i].why;
    }
    count += lines.size();
    for (const auto& [id, machine] : results.machines) EXPECT_EQ(machine.id(), id);
  }
  EXPECT_GE(count, 2000U);
}

// --- as fast as the file is long -----------------------------------------------------------------

TEST(RecordOfAnySize, HasNoMoreParametersThanAnyModel) {
  nlohmann::json line = to_json(a_record());
  for (int i = 0; i < 300'000; ++i) line["case"]["parameters"][fmt::format("p{}", i)] = i;
  EXPECT_THAT(complaint_of<std::invalid_argument>([&] { return record_from_json(line); }),
              HasSubstr("/case/parameters: it must have at most 256 members"));
}

TEST(RecordOfAnySize, MayHaveEveryOtherSolutionThrottled) {
  Record record = a_record();
  Sample& sample = record.samples.front();
  sample.stages.clear();
  sample.solutions.assign(400'000, 1);
  sample.gpu.emplace();
  for (std::size_t i = 2; i <= sample.solutions.size(); i += 2) sample.gpu->throttled.push_back(i);
  EXPECT_THAT(seconds_of(record, Phase::solution), SizeIs(200'000));
}

}  // namespace
}  // namespace macrobench
