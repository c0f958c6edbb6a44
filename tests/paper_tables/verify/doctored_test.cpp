// Reference records that were doctored as a cheat would: each folder is refused, by one sentence.
// The records as they are shipped are not.

#include <filesystem>
#include <functional>
#include <map>
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

  void append(const std::string& name, const std::string& more) const {
    std::string all = fs::exists(path() / name) ? content_of(path() / name) : "";
    write_file(path() / name, all + more);
  }
  /// A view of the folder.
  [[nodiscard]] Answer view(const std::string& name) const {
    return macrobench(name + " --results '" + path().string() + "'", "2>/dev/null");
  }

 private:
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

TEST_F(Doctored, NoCheckRestsOnTheFoldersName) {
  const auto without_name = [](const fs::path& folder) {
    auto found = nlohmann::json::parse(
        macrobench("verify --json '" + folder.string() + "'", "2>/dev/null").output);
    for (auto& [name, table] : found["tables"].items()) {
      for (auto& row : table["rows"]) row.erase("folder");
    }
    return found["tables"];
  };
  add(amd, keep);
  EXPECT_EQ(without_name(path()), without_name(reference(amd)));
}

TEST_F(Doctored, EveryRecordTwiceCountsOnce) {
  add(amd, keep);
  const std::string once = view("tables aldrich_2010/table_3").output;
  const std::string claims = view("claims").output;
  const std::string before = content_of(path() / "records.jsonl");
  std::string again;
  std::size_t count = 0;
  for (const std::string_view line : split(before, '\n')) {
    if (line.empty()) continue;
    ++count;
    // The members in another order, and spaces between them.
    again += "{ " + nlohmann::json::parse(line).dump().substr(1) + "\n";
  }
  append("records.jsonl", again);
  const std::string named = "records that are written again count once: " + std::to_string(count) +
                            " lines; the first is ";
  EXPECT_THAT(verified(" --json"), Answers(0, HasSubstr(named)));
  EXPECT_EQ(view("tables aldrich_2010/table_3").output, once);
  EXPECT_EQ(view("claims").output, claims);
  EXPECT_THAT(macrobench("times --results '" + path().string() + "'"),
              Answers(0, HasSubstr(named)));
}

TEST_F(Doctored, EveryRecordAgainAtAnotherTime) {
  add(amd, keep);
  add(amd, [](ordered_json& record) {
    std::string time = record["time"];
    time[time.size() - 2] = time[time.size() - 2] == '0' ? '1' : '0';
    record["time"] = time;
    return is_measured(record, "rbc/serial_tuned");
  });
  expect_refused("records", "it has every time of the record of");
}

TEST_F(Doctored, EveryPageNamesWhatAFolderFails) {
  add(amd, [](ordered_json& record) {
    if (is_measured(record, "rbc/serial_tuned ")) record["campaign"] = nullptr;
    return true;
  });
  expect_refused("records", "it names no campaign, and the folder has some");
  const std::string line = "fails verify: records";
  EXPECT_THAT(view("tables aldrich_2010/table_3"), Answers(0, HasSubstr(line)));
  for (const std::string format : {"md", "html", "tex"}) {
    EXPECT_THAT(view("tables aldrich_2010/table_3 --format " + format),
                Answers(0, HasSubstr(line)));
  }
  for (const char* command : {"claims --format md", "times", "summary --format html"}) {
    EXPECT_THAT(view(command), Answers(0, HasSubstr(line))) << command;
  }
  EXPECT_THAT(macrobench("compare published/c2075 '" + path().string() + "'"),
              Answers(0, HasSubstr(line)));
  EXPECT_EQ(view("report").code, 0);
  EXPECT_THAT(content_of(path() / "report.html"), HasSubstr(line));
}

TEST_F(Doctored, AForgedRecordWithoutACampaign) {
  add(h200, [](ordered_json& record) {
    if (!is_measured(record, "rbc/frontier_cuda nk=512 ")) return true;
    divide_times(record, 3);
    record["campaign"] = nullptr;
    return true;
  });
  expect_refused("records", "it names no campaign, and the folder has some");
}

TEST_F(Doctored, WrongResultsThatAreCalledRight) {
  add(h200, [](ordered_json& record) {
    if (record["status"] != "invalid") return true;
    record["status"] = "measured";
    record["reason"] = nullptr;
    record["expected_invalid"] = false;
    record["outcome"]["valid"] = true;
    record["outcome"]["why"] = nullptr;
    record["outcome"]["residual"] = 0;
    return true;
  });
  expect_refused("records", "its case is known to go wrong, and its residual is 0");
}

TEST_F(Doctored, AResidualOfOneThatIsAllowed) {
  add(amd, [](ordered_json& record) {
    if (record["outcome"].is_null()) return true;
    record["outcome"]["residual"] = 1;
    record["outcome"]["allowed"] = 2;
    return true;
  });
  expect_refused("records", "it allows a larger residual than its model does (2, and at most");
}

/// A method changes no values: it is allowed no more than the published one.
TEST_F(Doctored, AResidualThatIsAllowedToAFastMethod) {
  add(h200, [](ordered_json& record) {
    if (!is_measured(record, "krusell_smith/frontier_cuda") ||
        parameter(record, "real") != "double" ||
        parameter(record, "law_update") != "quasi_newton") {
      return true;
    }
    record["outcome"]["allowed"] = 1e-3;
    return true;
  });
  expect_refused("records", "it allows a larger residual than its model does (0.001, and at most");
}

TEST_F(Doctored, SinglePrecisionThatIsCalledDoubleWithoutAFloor) {
  add(h200, [](ordered_json& record) {
    if (!is_measured(record, "lifecycle/") || parameter(record, "real") != "single") return true;
    parameter(record, "real") = "double";
    replace_in_key(record, "real=single", "real=double");
    record["case"]["floor"] = nullptr;
    return true;
  });
  expect_refused("records", "it allows a larger residual than its model does");
}

TEST_F(Doctored, AGpuThatStartsInSixMilliseconds) {
  add(h200, [](ordered_json& record) {
    for (ordered_json& sample : record["samples"]) {
      if (sample.contains("gpu")) sample["start"] = 6e-3;
    }
    return true;
  });
  expect_refused("records", "no GPU starts so quickly (6 ms, and");
}

TEST_F(Doctored, WarmTimesOfAHundredNanoseconds) {
  add(amd, [](ordered_json& record) {
    for (ordered_json& sample : record["samples"]) {
      sample["stages"] = ordered_json::object();
      for (ordered_json& seconds : sample["solutions"]) seconds = 1e-7;
    }
    return true;
  });
  expect_refused("records", "faster than any such machine");
}

/// The other machine's block and campaign, at a time within it.
void relabel(ordered_json& record, const std::string& machine) {
  static std::map<std::string, ordered_json> last;
  ordered_json& other = last[machine];
  if (other.empty()) {
    const std::string records = content_of(reference(machine) / "records.jsonl");
    other = ordered_json::parse(records.substr(0, records.find('\n')));
  }
  for (const char* field : {"machine", "campaign", "time"}) record[field] = other[field];
}

TEST_F(Doctored, RecordsOfAnotherMachineThatAreRelabelled) {
  const auto expect_relabelled = [&](const char* from, const char* to, const std::string& why) {
    fs::remove_all(path());
    add(to, keep);
    add(from, [&](ordered_json& record) {
      if (!is_measured(record, "rbc/frontier")) return false;
      relabel(record, to);
      return true;
    });
    expect_refused("records", why);
  };
  expect_relabelled(h100, h200, "its GPU's memory has another clock than its machine's");
  expect_relabelled(h200, h100, "its GPU's memory has another clock than its machine's");
  expect_relabelled(amd, h200, "its conditions have other cores than its machine (2, and 16)");
  expect_relabelled(h200, amd, "a GPU solved it, and its machine has none");
}

/// What docs/security.md says that nobody sees: if a check learns to, that page must change.
TEST_F(Doctored, AFrontThatIsTenTimesAsFastIsNotSeen) {
  add(amd, [](ordered_json& record) {
    if (is_measured(record, "rbc/frontier nk=512 ")) {
      divide_times(record, 10);
      record["conditions"]["cpu_seconds"] = nullptr;
    }
    return true;
  });
  EXPECT_THAT(verified(), Answers(0, Not(HasSubstr("these checks failed"))));
}

TEST_F(Doctored, TwoMachinesInOneFolder) {
  add(h200, keep);
  EXPECT_EQ(verified().code, 0);
  add(amd, [](const ordered_json& record) { return is_measured(record, "rbc/serial_tuned"); });
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
    if (!is_measured(record, "rbc/cuda_c nk=1024 ")) return true;
    record["samples"][0]["start"] = 0;
    record["case"]["on_gpu"] = false;  // its readings say otherwise
    return true;
  });
  expect_refused("records", "no GPU starts so quickly (0 s, and a CUDA context takes over 20 ms)");
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
    record["outcome"]["residual"] = 1.5e-10;
    record["outcome"]["allowed"] = 1.6e-10;
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
    if (record["case"]["model"] != "roofline" || parameter(record, "ceiling") != "copy")
      return false;
    divide_times(record, 5);
    return true;
  });
  expect_refused("speeds", "times as fast as the campaigns ever found the machine");
}

/// The stored solution shows it even if no number of the record does.
TEST(DoctoredPrecision, IsNotThatOfTheStoredSolution) {
  const TemporaryFolder scratch;
  const Answer swept = macrobench(
      "sweep rbc --implementations serial_tuned --real single --nk 16 --out --results '" +
      scratch.path().string() + "'");
  ASSERT_EQ(swept.code, 0) << swept.output;
  const fs::path folder = machine_folders_in(scratch.path()).at(0);
  ordered_json record = ordered_json::parse(content_of(folder / "records.jsonl"));
  const fs::path solution = solution_folder(folder, record["key"]);
  const ordered_json source = record["source"];
  parameter(record, "real") = "double";
  replace_in_key(record, "real=single", "real=double");
  record["source"] = std::string(64, '0');
  record["case"]["floor"] = nullptr;
  record["outcome"]["residual"] = 1.5e-10;
  record["outcome"]["allowed"] = 1.6e-10;
  fs::rename(solution, solution_folder(folder, record["key"]));
  write_file(folder / "records.jsonl", record.dump() + "\n");
  const auto verified = [&](const std::string& more) {
    return macrobench("verify --json" + more + " '" + folder.string() + "'", "2>/dev/null");
  };
  EXPECT_THAT(verified(""), Answers(3, AllOf(HasSubstr("\"failed\":\"solutions\""),
                                             HasSubstr("is of another case"))));
  record.erase("solution");
  record["source"] = source;
  write_file(folder / "records.jsonl", record.dump() + "\n");
  EXPECT_THAT(verified(""), Answers(3, HasSubstr("its floor is not what its case makes of it")));
}

}  // namespace
}  // namespace macrobench
