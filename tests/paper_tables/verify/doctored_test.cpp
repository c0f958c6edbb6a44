// Reference records that were doctored as a cheat would: each folder is refused, by one sentence.
// The records as they are shipped are not.

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/records/results_folder.hpp"
#include "harness/text/strings.hpp"
#include "tests/executable.hpp"
#include "tests/matchers.hpp"
#include "tests/paper_tables/fixture.hpp"

namespace macrobench {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
/// Changes a record's line; false leaves it out.
using Doctor = std::function<bool(ordered_json&)>;

constexpr const char* amd = "amd_epyc_2_cores";
constexpr const char* h100 = "intel_xeon_16_cores_nvidia_h100_80gb_hbm3";
constexpr const char* h200 = "intel_xeon_16_cores_nvidia_h200";

fs::path reference(const std::string& machine) {
  return source_folder() + "/results/reference/" + machine;
}

bool keep(const ordered_json& record) {
  return !record.empty();
}

class Doctored : public ::testing::Test {
 protected:
  [[nodiscard]] fs::path path() const { return scratch_.path() / "machine"; }

  /// Adds a reference machine's records that the doctor keeps, and what they name.
  void add(const std::string& machine, const Doctor& doctor) {
    for (const char* name : {"machines.jsonl", "campaigns.jsonl"}) {
      append(name, content_of(reference(machine) / name));
    }
    std::string lines;
    const std::string before = content_of(reference(machine) / "records.jsonl");
    for (const std::string_view line : split(before, '\n')) {
      if (line.empty()) continue;
      ordered_json record = ordered_json::parse(line);
      if (doctor(record)) lines += record.dump() + "\n";
    }
    append("records.jsonl", lines);
  }

  [[nodiscard]] Answer verified(const std::string& more = "") const {
    return macrobench("verify '" + path().string() + "'" + more);
  }
  /// The faults of the checks that failed.
  [[nodiscard]] std::string faults() const {
    const auto found = nlohmann::json::parse(verified(" --format json").output);
    std::string all;
    for (const auto& finding : found["tables"]["findings"]["rows"]) {
      if (finding["kind"] == "fault") all += finding["says"].get<std::string>() + "\n";
    }
    return all;
  }
  void expect_refused(const std::string& check, const std::string& sentence) const {
    EXPECT_THAT(verified(), Answers(3, HasSubstr("these checks failed: " + check)));
    EXPECT_THAT(faults(), HasSubstr(sentence));
  }

 private:
  void append(const std::string& name, const std::string& more) {
    std::string all = fs::exists(path() / name) ? content_of(path() / name) : "";
    write_file(path() / name, all + more);
  }

  TemporaryFolder scratch_;
};

ordered_json& parameter(ordered_json& record, const char* name) {
  return record["case"]["parameters"][name];
}

bool is_measured(const ordered_json& record, std::string_view id) {
  return record["status"] == "measured" && record["key"].get<std::string>().starts_with(id);
}

void replace_in_key(ordered_json& record, const std::string& from, const std::string& to) {
  std::string key = record["key"];
  const std::size_t at = key.find(from);
  ASSERT_NE(at, std::string::npos) << key;
  record["key"] = key.replace(at, from.size(), to);
}

/// All that the record says of the time of its solutions.
void divide_times(ordered_json& record, double by) {
  for (ordered_json& sample : record["samples"]) {
    for (const char* phase : {"start", "first_solution"}) {
      sample[phase] = sample[phase].get<double>() / by;
    }
    for (ordered_json& seconds : sample["solutions"]) seconds = seconds.get<double>() / by;
    for (auto& stage : sample["stages"]) {
      for (ordered_json& seconds : stage) seconds = seconds.get<double>() / by;
    }
  }
}

TEST(ReferenceRecords, AreNotRefused) {
  std::size_t count = 0;
  for (const fs::path& folder : machine_folders_in(source_folder() + "/results/reference")) {
    EXPECT_THAT(macrobench("verify '" + folder.string() + "'"),
                Answers(0, Not(HasSubstr("these checks failed"))));
    ++count;
  }
  EXPECT_GE(count, 3U);
}

TEST_F(Doctored, TwoMachinesInOneFolder) {
  add(h200, keep);
  EXPECT_EQ(verified().code, 0);
  add(amd, [](const ordered_json& record) { return is_measured(record, "newton/serial"); });
  expect_refused("machines", "records of AMD EPYC, 2 cores, no GPU; ");
}

TEST_F(Doctored, MachinesOfEqualHardwareAndTheirCompilersAreNamed) {
  add(h100, [](const ordered_json& record) { return is_measured(record, "rbc/frontier_cuda"); });
  EXPECT_THAT(verified(" --json"),
              Answers(0, AllOf(HasSubstr("2 compilers"), HasSubstr("no machine named"),
                               HasSubstr("GNU 12.2.0"), HasSubstr("GNU 13.3.0"))));
}

TEST_F(Doctored, AGpuThatStartsInNoTime) {
  add(h200, [](ordered_json& record) {
    if (!is_measured(record, "newton/cuda_c ")) return true;
    record["samples"][0]["start"] = 0;
    record["case"]["on_gpu"] = false;  // its readings say otherwise
    return true;
  });
  expect_refused("records", "no GPU starts so quickly (0 s, and a CUDA context takes over 5 ms)");
}

TEST_F(Doctored, SixteenThreadsThatAreCalledOne) {
  const auto add_called_one = [&](bool thorough) {
    add(h100, [=](ordered_json& record) {
      if (!is_measured(record, "rbc/thrust_omp_filled nk=2048 ")) return false;
      if (parameter(record, "threads") != 16) return false;
      parameter(record, "threads") = 1;
      replace_in_key(record, " threads=16", "");
      if (thorough) record["conditions"]["threads"] = 1;
      return true;
    });
  };
  add_called_one(false);
  expect_refused("records", "its conditions have other threads (16, and the case has 1)");
  fs::remove_all(path());
  add_called_one(true);
  expect_refused("records", "its threads cannot use so much CPU time");
}

TEST_F(Doctored, SinglePrecisionThatIsCalledDouble) {
  add(h100, [](ordered_json& record) {
    if (!is_measured(record, "rbc/frontier nk=16 ")) return false;
    if (parameter(record, "real") != "single") return false;
    parameter(record, "real") = "double";
    replace_in_key(record, "real=single", "real=double");
    return true;
  });
  expect_refused("records", "its floor belongs to the other precision");
}

TEST_F(Doctored, TimesThatAreDividedByFive) {
  add(h200, [](ordered_json& record) {
    divide_times(record, 5);
    return true;
  });
  expect_refused("records", "its GPU was read more often than its solutions have time for");
}

TEST_F(Doctored, AllSecondsThatAreDividedByFive) {
  add(amd, [](ordered_json& record) {
    divide_times(record, 5);
    record["seconds"] = record["seconds"].get<double>() / 5;
    return record["case"]["model"] == "beliefs";
  });
  expect_refused("records", "its threads cannot use so much CPU time");
}

TEST_F(Doctored, CeilingsThatTheCampaignsNeverFound) {
  add(amd, [](ordered_json& record) {
    divide_times(record, 5);
    return record["case"]["model"] == "roofline";
  });
  expect_refused("speeds", "times as fast as the campaigns ever found the machine");
}

/// The stored solution and a rerun show it even if no number of the record does.
TEST(DoctoredPrecision, IsNotThatOfTheStoredSolution) {
  const TemporaryFolder scratch;
  const Answer swept = macrobench(
      "sweep rbc --implementations serial_tuned --real single --nk 16 --store --results '" +
      scratch.path().string() + "'");
  ASSERT_EQ(swept.code, 0) << swept.output;
  const fs::path folder = machine_folders_in(scratch.path()).at(0);
  ordered_json record = ordered_json::parse(content_of(folder / "records.jsonl"));
  const fs::path solution = solution_file(folder, record["key"]);
  parameter(record, "real") = "double";
  replace_in_key(record, "real=single", "real=double");
  record["case"]["floor"] = nullptr;
  fs::rename(solution, solution_file(folder, record["key"]));
  write_file(folder / "records.jsonl", record.dump() + "\n");
  const auto verified = [&](const std::string& more) {
    return macrobench("verify --json" + more + " '" + folder.string() + "'", "2>/dev/null");
  };
  EXPECT_THAT(verified(""), Answers(3, AllOf(HasSubstr("\"failed\":\"solutions\""),
                                             HasSubstr("is of another case"))));
  record.erase("solution");
  write_file(folder / "records.jsonl", record.dump() + "\n");
  EXPECT_THAT(verified(" --rerun 1"), Answers(3, HasSubstr("\"failed\":\"reruns\"")));
}

}  // namespace
}  // namespace macrobench
