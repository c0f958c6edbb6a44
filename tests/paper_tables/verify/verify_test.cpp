// Results of strangers: a folder that is right, and forged ones, each caught by the check that is
// for it.

#include <algorithm>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/files/digest.hpp"
#include "harness/files/npy.hpp"
#include "harness/model/solution_folder.hpp"
#include "harness/records/results_folder.hpp"
#include "harness/run/stage_clock.hpp"
#include "harness/text/strings.hpp"
#include "paper_tables/verify/proofs.hpp"
#include "paper_tables/verify/verification_render.hpp"
#include "tests/executable.hpp"
#include "tests/matchers.hpp"
#include "tests/paper_tables/fixture.hpp"

namespace macrobench {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

/// Some seconds of work, made once: the machine's folder of two sweeps.
const fs::path& right_folder() {
  static const TemporaryFolder scratch;
  static const fs::path folder = [] {
    const std::string results = " --results '" + scratch.path().string() + "'";
    const EnvironmentScope unmeasured = without_speeds();
    for (const std::string asked :
         {"sweep roofline --implementations cpu --ceiling copy,multiply_add --n 4096 --threads 1",
          "sweep rbc --implementations serial_tuned,frontier --nk 16,32 --out"}) {
      const Answer answer = macrobench(asked + results);
      if (answer.code != 0) throw std::runtime_error(answer.output);
    }
    return machine_folders_in(scratch.path()).at(0);
  }();
  return folder;
}

/// A copy of it, to be forged.
class Folder : public ::testing::Test {
 protected:
  Folder() {
    fs::copy(right_folder(), path(), fs::copy_options::recursive);
    options_.child_command = {executable_path(), "child"};
  }

  [[nodiscard]] fs::path path() const { return scratch_.path() / "machine"; }

  /// Changes each line of a file that has the text in it.
  void forge(const std::string& file, const std::string& containing,
             const std::function<void(ordered_json&)>& change) {
    std::string all;
    const std::string before = content_of(path() / file);
    for (const std::string_view line : split(before, '\n')) {
      if (line.empty()) continue;
      ordered_json object = ordered_json::parse(line);
      if (line.find(containing) != std::string_view::npos) change(object);
      all += object.dump() + "\n";
    }
    write_file(path() / file, all);
  }
  void forge_case(const std::function<void(ordered_json&)>& change) {
    forge("records.jsonl", "rbc/serial_tuned nk=16 ", change);
  }

  [[nodiscard]] Verification verified(int reruns = 0) const {
    const Results results = read_results(path());
    Verification one{.name = "machine", .checks = {check_lines(results), check_records(results)}};
    one.checks.push_back(certify_solutions(path(), results, options_));
    one.checks.push_back(rerun_cases(results, this_machine(), {reruns, 1}, options_));
    return one;
  }

  /// Whether this check fails, alone, for this reason.
  void expect_failure(const std::string& name, const std::string& why, int reruns = 0) const {
    const Verification one = verified(reruns);
    EXPECT_EQ(one.results(), "not certified");
    EXPECT_EQ(one.times(), "self-reported");
    EXPECT_EQ(one.code(), ExitCode::invalid);
    EXPECT_EQ(one.failed(), name);
    for (const Check& check : one.checks) {
      if (check.name != name) continue;
      ASSERT_FALSE(check.faults.empty());
      EXPECT_THAT(check.faults.front(), HasSubstr(why));
    }
  }

  TemporaryFolder scratch_;
  RunOptions options_;
};

const Check& check_in(const Verification& one, const std::string& name) {
  return *std::ranges::find(one.checks, name, &Check::name);
}

TEST_F(Folder, IsCertifiedWhenItsSolutionsCertifyAgain) {
  const Verification one = verified();
  for (const Check& check : one.checks) {
    EXPECT_TRUE(check.faults.empty()) << check.name << ": " << check.faults.front();
  }
  EXPECT_EQ(one.results(), "certified");
  EXPECT_EQ(one.times(), "self-reported");
  EXPECT_EQ(one.failed(), "");
  EXPECT_EQ(check_in(one, "solutions").detail, "4 certified");
}

TEST_F(Folder, IsNotStoredWithoutASolution) {
  forge_case([](ordered_json& record) { record.erase("solution"); });
  const Verification one = verified();
  EXPECT_EQ(one.results(), "not stored");
  EXPECT_THAT(check_in(one, "solutions").detail, HasSubstr("were not stored"));
  EXPECT_EQ(one.code(), ExitCode::ok);
}

TEST(Verification, SaysRerunOnlyIfNoCheckFailed) {
  Verification one{.name = "machine", .checks = {{.name = reruns_check, .about = ""}}};
  EXPECT_EQ(one.times(), "rerun");
  EXPECT_EQ(one.results(), "not stored");
  one.checks.push_back({.name = "records", .about = ""});
  one.checks.back().fail("a fault");
  EXPECT_EQ(one.times(), "self-reported");
}

TEST_F(Folder, WithALineThatIsNoRecord) {
  write_file(path() / "records.jsonl", content_of(path() / "records.jsonl") + "{\"schema\": 3}\n");
  expect_failure("lines", "skipped, it is not a record");
}

TEST_F(Folder, WithARecordOfAModelThatNobodyKnows) {
  forge_case([](ordered_json& record) {
    record["key"] = "unknown/serial";
    record["case"]["model"] = "unknown";
    record["case"]["implementation"] = "serial";
    record["case"]["parameters"] = ordered_json::object();
    record.erase("solution");
  });
  const Verification one = verified();
  EXPECT_EQ(one.results(), "not stored");
  EXPECT_THAT(check_in(one, "solutions").detail, HasSubstr("cannot be read back here"));
}

TEST_F(Folder, WithACampaignThatIsNotThere) {
  forge_case([](ordered_json& record) { record["campaign"] = "never"; });
  expect_failure("records", "its campaign never is not in campaigns.jsonl");
}

TEST_F(Folder, WithAKeyOfAnotherCase) {
  forge_case([](ordered_json& record) {
    record["case"]["parameters"]["nk"] = 64;
    record.erase("solution");
  });
  expect_failure("records", "its key is of other parameters");
}

TEST_F(Folder, WithAKeyThatHidesAParameter) {
  forge_case([](ordered_json& record) {
    record["case"]["parameters"]["gamma"] = 3.0;
    record.erase("solution");
  });
  expect_failure("records", "its key leaves out a parameter (gamma)");
}

TEST_F(Folder, WithFactsThatItsCaseDoesNotHave) {
  const auto expect_refused = [&](const char* field, const ordered_json& value, const char* why) {
    const std::string before = content_of(path() / "records.jsonl");
    forge_case([&](ordered_json& record) {
      record["case"][field] = value;
      record.erase("solution");
    });
    expect_failure("records", why);
    write_file(path() / "records.jsonl", before);
  };
  EXPECT_EQ(check_in(verified(), "records").detail,
            "6 records: 6 of this build's source, 0 unchecked");
  expect_refused("work", 1, "its work is not what its case makes of it");
  expect_refused("work", nullptr, "its work is not what its case makes of it");
  expect_refused("floor", nullptr, "its floor is not what its case makes of it");
  expect_refused("on_gpu", true, "its processor is not what its case makes of it");
  expect_refused("origin", "frontier", "its origin is not its implementation's");
}

TEST_F(Folder, WithAKeyInAnotherOrder) {
  forge_case([](ordered_json& record) {
    std::string key = record["key"];
    record["key"] = key.replace(key.find("nk=16 nz=4"), 10, "nz=4 nk=16");
    record.erase("solution");
  });
  expect_failure("records", "its key is not its case's");
}

TEST_F(Folder, OfAnotherSourceIsCountedAsUnchecked) {
  forge_case([](ordered_json& record) {
    record["source"] = std::string(64, '0');
    record["case"]["work"] = 1;
    record.erase("solution");
  });
  const Verification one = verified();
  EXPECT_EQ(one.failed(), "");
  EXPECT_EQ(check_in(one, "records").detail, "6 records: 5 of this build's source, 1 unchecked");
}

TEST_F(Folder, WithoutCampaignsIsReadAndCounted) {
  forge("records.jsonl", "key", [](ordered_json& record) { record["campaign"] = nullptr; });
  EXPECT_EQ(verified().failed(), "records");
  fs::remove(path() / "campaigns.jsonl");
  const Verification one = verified();
  EXPECT_EQ(one.failed(), "");
  EXPECT_THAT(check_in(one, "records").detail, HasSubstr("; 6 without a campaign"));
}

TEST_F(Folder, OfAnotherMachineThanItsId) {
  forge("machines.jsonl", "machine",
        [](ordered_json& line) { line["machine"]["cpu"]["model"] = "A Faster One"; });
  expect_failure("records", "has another id");
}

TEST_F(Folder, WithARecordOutsideItsCampaign) {
  forge_case([](ordered_json& record) { record["time"] = "2001-01-01T00:00:00Z"; });
  expect_failure("records", "its campaign was at another time");
}

TEST_F(Folder, WithATimeBelowItsFloor) {
  forge_case([](ordered_json& record) {
    for (ordered_json& sample : record["samples"]) {
      sample["stages"] = ordered_json::object();
      for (ordered_json& seconds : sample["solutions"]) seconds = 1e-9;
    }
  });
  expect_failure("records", "faster than any such machine");
}

TEST_F(Folder, WithATimeOfNothing) {
  forge_case([](ordered_json& record) {
    for (ordered_json& sample : record["samples"]) {
      sample["stages"] = ordered_json::object();
      for (ordered_json& seconds : sample["solutions"]) seconds = 0;
    }
  });
  expect_failure("records", "its solutions take no time");
}

TEST_F(Folder, WithSamplesLongerThanTheirCase) {
  forge_case([](ordered_json& record) { record["samples"][0]["first_solution"] = 1e6; });
  expect_failure("records", "its samples take longer than the whole of it");
}

TEST_F(Folder, WithStagesLongerThanTheirSolution) {
  forge_case([](ordered_json& record) {
    const std::size_t solutions = 1 + record["samples"][0]["solutions"].size();
    record["samples"][0]["stages"]["all"] = std::vector<double>(solutions, 1e3);
  });
  expect_failure("records", "its stages take longer than their solution");
}

TEST_F(Folder, WithAStatusThatItsOutcomeDenies) {
  forge_case([](ordered_json& record) {
    record["status"] = "not_run";
    record["reason"] = {{"clause", "no GPU here"}, {"detail", nullptr}};
  });
  expect_failure("records", "it was not run, and has a result");
}

TEST_F(Folder, WithAReasonWhyATimeIsNoneThatIsShownAllTheSame) {
  forge_case([](ordered_json& record) {
    record["reason"] = {{"clause", "others used the cores that it needs"}, {"detail", nullptr}};
  });
  expect_failure("records", "it is measured, and has a reason why not");
}

TEST_F(Folder, WithAResidualThatIsNotAllowed) {
  forge_case([](ordered_json& record) { record["outcome"]["residual"] = 1; });
  expect_failure("records", "its residual is above what is allowed (1,");
}

TEST_F(Folder, WithAnotherSolutionThanTheRecordNames) {
  const std::string key = read_results(path()).records.back().key;
  write_file(solution_folder(path(), key) / "V.npy", "nothing");
  expect_failure("solutions", "the solution's V is not what solution.json says");
}

TEST_F(Folder, WithASolutionThatDoesNotCertify) {
  forge_case([&](ordered_json& record) {
    const fs::path folder = solution_folder(path(), record["key"]);
    std::string V = content_of(folder / "V.npy");
    const std::string before = sha256(V);
    V[V.size() - npy_array("V.npy", V).data.size() + 6] ^= 1;  // high in the first value
    write_file(folder / "V.npy", V);
    std::string names = content_of(folder / solution_name);
    names.replace(names.find(before), before.size(), sha256(V));
    write_file(folder / solution_name, names);
    record["solution"] = sha256(read_solution(folder));
  });
  expect_failure("solutions", "its stored solution is wrong");
}

TEST_F(Folder, WithFiguresThatItsSolutionDoesNotHave) {
  forge_case([](ordered_json& record) { record["outcome"]["figures"]["V_first"] = -1; });
  expect_failure("solutions", "V_first");
}

TEST_F(Folder, WithASolutionOfAnotherCase) {
  const fs::path other = solution_folder(path(), read_results(path()).records.back().key);
  forge_case([&](ordered_json& record) {
    const fs::path its = solution_folder(path(), record["key"]);
    fs::copy(other, its, fs::copy_options::recursive | fs::copy_options::overwrite_existing);
    record["solution"] = sha256(read_solution(its));
  });
  expect_failure("solutions", "is of another case");
}

TEST_F(Folder, WithAResultThatDoesNotComeOutAgain) {
  forge("records.jsonl", "\"rbc/", [](ordered_json& record) {
    record["outcome"]["figures"]["V_first"] = 7;
    record.erase("solution");
    for (ordered_json& sample : record["samples"]) sample["stages"] = ordered_json::object();
  });
  expect_failure("reruns", "where the record has 7", 100);
}

TEST_F(Folder, WithTimesThatNoRerunReaches) {
  forge("records.jsonl", "\"rbc/", [](ordered_json& record) {
    record.erase("solution");
    for (ordered_json& sample : record["samples"]) {
      sample["stages"] = ordered_json::object();
      for (ordered_json& seconds : sample["solutions"]) seconds = 1e3;
    }
    record["seconds"] = 1e6;
  });
  expect_failure("reruns", "where the record has 16 min 40 s", 100);
}

TEST_F(Folder, WithALink) {
  EXPECT_TRUE(foreign_files(path()).empty());
  fs::rename(path() / "machines.jsonl", scratch_.path() / "elsewhere");
  fs::create_symlink(scratch_.path() / "elsewhere", path() / "machines.jsonl");
  fs::create_symlink("/etc/passwd", path() / "solutions/link");
  fs::create_directory(path() / "solutions/one");
  fs::create_symlink("/etc/passwd", path() / "solutions/one/V.npy");
  EXPECT_THAT(foreign_files(path()), ElementsAre("machines.jsonl is not a regular file",
                                                 "solutions/link is not a regular file",
                                                 "solutions/one/V.npy is not a regular file"));
  EXPECT_THAT(
      macrobench("verify '" + path().string() + "'"),
      Answers(
          3,
          HasSubstr(
              "machine: results not certified, times self-reported; these checks failed: files")));
}

TEST_F(Folder, IsJudgedByTheCommandTheSameEachTime) {
  const Answer first = macrobench("verify --json '" + path().string() + "'", "2>/dev/null");
  const Answer second = macrobench("verify --json '" + path().string() + "'", "2>/dev/null");
  EXPECT_EQ(first.code, 0) << first.output;
  EXPECT_EQ(first.output, second.output);
  const ordered_json json = ordered_json::parse(first.output);
  const ordered_json& folder = json["tables"]["folders"]["rows"][0];
  EXPECT_EQ(folder["folder"], "machine");
  EXPECT_EQ(folder["results"], "certified");
  EXPECT_EQ(folder["times"], "self-reported");
  EXPECT_EQ(json["tables"]["checks"]["rows"].size(), 7U);
}

TEST(CaseOfARecord, OpensNoFileThatTheRecordNames) {
  Record record;
  record.model = "krusell_smith";
  record.implementation = "cpu";
  record.parameters = {{"wealth", "/etc/passwd@0123456789ab"}};
  EXPECT_FALSE(case_of(record));
}

/// A small case of each model.
TEST(StoredSolutions, AreTheSameInAnotherProcess) {
  const std::vector<std::pair<std::string, Parameters>> small{
      {"rbc/serial_tuned", {{"nk", 16}}},
      {"rbc/serial_tuned", {{"nk", 16}, {"real", "single"}}},
      {"newton/serial", {{"n", 100}}},
      {"lifecycle/serial", {{"nx", 20}}},
      {"beliefs/serial", {{"T", 3}}},
      {"krusell_smith/histogram", {{"T", 1100}, {"policy", "egm"}}}};
  for (const auto& [id, given] : small) {
    const Implementation& implementation = Registry::global().implementation(id);
    EXPECT_TRUE(implementation.stores) << id;
    const Case which = Registry::global().make_case(id, only_taken(implementation, given), 1);
    const auto solved = implementation.instantiate(which.parameters);
    solved->start();
    solved->poison();
    StageClock clock;
    solved->solve(clock);
    const std::string text = solved->stored(which.key());
    const auto restored = implementation.instantiate(which.parameters);
    restored->poison();
    restored->restore(text, which.key());
    EXPECT_EQ(restored->fingerprint(), solved->fingerprint()) << id;
    const Outcome now = restored->check(false);
    const Outcome then = solved->check(false);
    EXPECT_EQ(now.valid, then.valid) << id << ": " << now.why;
    EXPECT_EQ(now.figures, then.figures) << id;
    EXPECT_EQ(now.iterations, then.iterations) << id;
    EXPECT_EQ(restored->stored(which.key()), text) << id;
  }
}

TEST(StoredSolutions, AreReadUnderTheKeyThatTheyWereStoredUnder) {
  const Case which =
      Registry::global().make_case("rbc/serial_tuned", {{"nk", std::int64_t{16}}}, 1);
  const auto solved = which.implementation->instantiate(which.parameters);
  solved->poison();
  StageClock clock;
  solved->solve(clock);
  const std::string former = "rbc/serial_fast nk=16";
  const TemporaryFolder folder;
  write_file(folder.path() / "solution", solved->stored(former));
  RunOptions options;
  options.child_command = {executable_path(), "child"};
  const std::string file = folder.path() / "solution";
  const Certified read = certify(which, file, former, options);
  ASSERT_TRUE(read.outcome) << to_string(read.why);
  EXPECT_TRUE(read.outcome->valid);
  EXPECT_FALSE(certify(which, file, which.key(), options).outcome) << "it is another's";
}

}  // namespace
}  // namespace macrobench
