// One solution by several MPI ranks: the same bits on any number of them, placed before anything is
// timed, and every fault of a rank is its case's own, in the rank's words.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/files/temporary_folder.hpp"
#include "harness/machine/machine.hpp"
#include "harness/model/registry.hpp"
#include "harness/process/process.hpp"
#include "harness/records/record_store.hpp"
#include "harness/run/stage_clock.hpp"
#include "implementations/mpi/worker_process.hpp"
#include "tests/implementations/every_implementation.hpp"
#include "tests/implementations/started_processes.hpp"
#include "tests/matchers.hpp"
#include "tests/paths.hpp"

namespace macrobench {
namespace {

namespace fs = std::filesystem;

/// Small problems that a rank's share never divides evenly.
std::map<std::string, Parameters> problems() {
  return {{"beliefs", {{"T", 13}, {"gamma_2", 5.0}}},
          {"krusell_smith", {{"N", 3001}, {"T", 120}, {"stage", "panel"}}},
          {"newton", {{"n", 1001}}},
          {"rbc", {{"nk", 101}, {"tolerance", 1e-7}}}};
}

std::vector<std::string> models() {
  std::vector<std::string> names;
  for (const auto& [model, problem] : problems()) names.push_back(model);
  return names;
}

Parameters shared_by(Parameters problem, std::int64_t ranks, std::int64_t threads = 1) {
  return with(with(std::move(problem), "ranks", ranks), "threads", threads);
}

/// The reason why there are no ranks here; empty if there are.
std::string why_not(const std::string& model) {
  const std::string id = model + "/mpi";
  if (const LeftOut* missing = Registry::global().find_left_out(id)) return missing->why();
  return Registry::global().implementation(id).unavailable();
}

class Ranks : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = why_not("newton"); !why.empty()) GTEST_SKIP() << why;
  }

  Variable mpirun_{"MACROBENCH_MPIRUN", "mpirun --oversubscribe"};
};

class RanksOf : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (const std::string why = why_not(GetParam()); !why.empty()) GTEST_SKIP() << why;
  }

  // There may be more ranks here than cores.
  Variable mpirun_{"MACROBENCH_MPIRUN", "mpirun --oversubscribe"};
  Variable threads_{"OMP_WAIT_POLICY", "passive"};
};

TEST_P(RanksOf, AModelGiveTheSameBitsOnAnyNumber) {
  const Implementation& implementation = Registry::global().implementation(GetParam() + "/mpi");
  const Parameters problem = problems().at(GetParam());
  std::uint64_t on_one = 0;
  const Outcome outcome = solve(make(implementation, shared_by(problem, 1)), &on_one);
  EXPECT_TRUE(outcome.valid) << outcome.why;
  for (const auto& [ranks, threads] : {std::pair{2, 1}, {3, 2}, {5, 1}}) {
    std::uint64_t found = 0;
    const Case which = make(implementation, shared_by(problem, ranks, threads));
    const Outcome of_several = solve(which, &found);
    EXPECT_TRUE(of_several.valid) << of_several.why;
    EXPECT_EQ(found, on_one) << which.key();
    EXPECT_EQ(of_several.notes.at("ranks"), fmt::format("{} on 1 host", ranks));
    EXPECT_THAT(of_several.notes.at("mpi"), Not(IsEmpty()));
  }
}

INSTANTIATE_TEST_SUITE_P(Each, RanksOf, ::testing::ValuesIn(models()),
                         [](const auto& tested) { return tested.param; });

TEST_F(Ranks, OfRbcGiveTheBitsOfThrust) {
  const Parameters problem = problems().at("rbc");
  for (const char* real : {"double", "single"}) {
    std::uint64_t by_ranks = 0;
    std::uint64_t by_thrust = 0;
    const Parameters given = with(problem, "real", real);
    solve(make(Registry::global().implementation("rbc/mpi"), shared_by(given, 2)), &by_ranks);
    solve(make(Registry::global().implementation("rbc/thrust_omp"), given), &by_thrust);
    EXPECT_EQ(by_ranks, by_thrust) << real;
  }
}

TEST_F(Ranks, SayHowLongTheyExchange) {
  const Case which =
      make(Registry::global().implementation("rbc/mpi"), shared_by(problems().at("rbc"), 2));
  const auto instance = which.implementation->instantiate(which.parameters);
  instance->start();
  instance->poison();
  StageClock clock;
  instance->solve(clock);
  std::map<std::string, double> stages(clock.stages().begin(), clock.stages().end());
  EXPECT_GT(stages.at("maximise"), 0);
  EXPECT_GT(stages.at("exchange"), 0);
  EXPECT_LE(stages.at("maximise") + stages.at("exchange"), clock.seconds());

  // Each of two gets half of V from the other in every iteration.
  const Outcome outcome = instance->check(true);
  EXPECT_EQ(which.implementation->hooks.floor(which.parameters, outcome).exchanged,
            static_cast<double>(outcome.iterations) * 101 * 4 * sizeof(double) / 2);
}

TEST_F(Ranks, HaveTheirOwnCores) {
  if (available_cores() < 2) GTEST_SKIP() << "there is one core";
  const Outcome outcome = solve(
      make(Registry::global().implementation("newton/mpi"), shared_by(problems().at("newton"), 2)));
  const std::string cores = outcome.notes.at("cores");
  const std::size_t between = cores.find("; ");
  ASSERT_NE(between, std::string::npos) << cores;
  EXPECT_NE(cores.substr(0, between), cores.substr(between + 2));
}

// --- faults ------------------------------------------------------------------------------------

/// An mpirun of the test's own, in the place of the user's.
class FaultyMpirun {
 public:
  /// Each rank does this before it becomes the worker; $rank is its number.
  static std::string in_a_rank(const std::string& what) {
    return "rank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}\n" + what + "\nexec \"$@\"\n";
  }

  explicit FaultyMpirun(const std::string& rank) {
    write("rank", rank);
    write("mpirun", fmt::format("ranks=$2\nshift 2\nexec mpirun --oversubscribe -n $ranks {} "
                                "\"$@\"\n",
                                (folder_.path() / "rank").string()));
    mpirun_ = std::make_unique<Variable>("MACROBENCH_MPIRUN", (folder_.path() / "mpirun").string());
  }

  [[nodiscard]] const fs::path& folder() const { return folder_.path(); }

 private:
  void write(const std::string& name, const std::string& lines) {
    std::ofstream(folder_.path() / name) << "#!/bin/sh\n" << lines;
    fs::permissions(folder_.path() / name, fs::perms::owner_all);
  }

  TemporaryFolder folder_;
  std::unique_ptr<Variable> mpirun_;
};

struct Fault {
  std::string name;
  std::string rank;  ///< what a rank does before it becomes the worker
  std::string model;
  Parameters problem;
  std::string status;
  std::string words;  ///< that the record's reason has
};

std::vector<Fault> faults() {
  const Parameters quick{{"n", 1000}};
  const Parameters slow{{"T", 28}};  // minutes, on two ranks
  const std::string later = "[ $rank != 1 ] || (sleep 1; kill -{} $$) >&- 2>&- <&- &";
  return {{"DiesAtStart", "[ $rank != 1 ] || { echo 'this node is on fire' >&2; exit 3; }",
           "newton", quick, "failed", "this node is on fire"},
          {"DiesInASolution", fmt::format(fmt::runtime(later), "KILL"), "beliefs", slow, "failed",
           "signal 9"},
          {"Hangs", fmt::format(fmt::runtime(later), "STOP"), "beliefs", slow, "timeout",
           "rank 1 of 2 did not answer; rank 0 of 2: in pass for "},
          {"HangsAtStart",
           "[ $rank != 1 ] || { echo 'waiting for the file system' >&2; exec sleep 100; }",
           "newton", quick, "timeout", "the last message before was: waiting for the file system"},
          {"SaysGarbage", "[ $rank != 1 ] || sleep 1; [ $rank = 1 ] || echo 'cannot open display'",
           "newton", quick, "failed", "cannot open display"}};
}

class FaultOfARank : public ::testing::TestWithParam<Fault> {};

Record record_of(const std::vector<Record>& records, const std::string& words) {
  for (const Record& record : records) {
    if (record.key.find(words) != std::string::npos) return record;
  }
  throw std::runtime_error("no record of " + words);
}

/// The records of a sweep over numbers of ranks.
std::vector<Record> sweep(const std::string& model, const Parameters& problem,
                          const std::string& ranks, const fs::path& folder) {
  std::vector<std::string> arguments{"macrobench",
                                     "sweep",
                                     model,
                                     "--implementations",
                                     model == "beliefs" ? "mpi,frontier" : "mpi,serial",
                                     "--ranks",
                                     ranks,
                                     "--deadline",
                                     "4s",
                                     "--results",
                                     folder.string(),
                                     "--max-samples",
                                     "1",
                                     "--min-samples",
                                     "1"};
  for (const auto& [name, value] : problem) {
    arguments.insert(arguments.end(), {"--" + name, to_string(value)});
  }
  const ProcessResult result = run_process({executable_path(), arguments, "", 100});
  for (const auto& machine : fs::directory_iterator(folder)) {
    return read_results(machine.path()).records;
  }
  throw std::runtime_error(result.output);
}

TEST_P(FaultOfARank, IsItsCasesAndTheCampaignGoesOn) {
  if (const std::string why = why_not("newton"); !why.empty()) GTEST_SKIP() << why;
  if (const std::string why = why_not_this_mpirun(); !why.empty()) GTEST_SKIP() << why;
  const Fault& fault = GetParam();
  const Started started;
  const FaultyMpirun mpirun(FaultyMpirun::in_a_rank(fault.rank));
  const std::vector<Record> records =
      sweep(fault.model, fault.problem, "2", mpirun.folder() / "results");
  const Record faulty = record_of(records, "/mpi");
  EXPECT_EQ(to_string(faulty.status), fault.status);
  EXPECT_THAT(to_string(faulty.why), HasSubstr(fault.words));
  EXPECT_EQ(records.size(), 2U) << "the other case was run too";
  EXPECT_THAT(started.left_after(std::chrono::seconds(10)), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Each, FaultOfARank, ::testing::ValuesIn(faults()),
                         [](const auto& tested) { return tested.param.name; });

TEST(RanksAtADeadline, SayWhichOfThemHangs) {
  EXPECT_EQ(mpi::words_at_deadline("", "rank 0 of 3: in exchange for 7 s\nrank 2 of 3: in a", 3),
            "rank 1 of 3 did not answer; rank 0 of 3: in exchange for 7 s; rank 2 of 3: in a");
  EXPECT_EQ(mpi::words_at_deadline("", "", 2), "rank 0 of 2, rank 1 of 2 did not answer");
  EXPECT_EQ(
      mpi::words_at_deadline("first\nno route to host\n\n", "rank 0 of 1: in pass for 1 s\n", 1),
      "all ranks answer; rank 0 of 1: in pass for 1 s; the last message before was: no route "
      "to host");
}

TEST(RanksOnOtherHosts, MayBeByTheWordsThatStartThem) {
  const auto by = [](const char* words) {
    const Variable mpirun("MACROBENCH_MPIRUN", words);
    return mpi::may_reach_other_hosts();
  };
  EXPECT_FALSE(by(""));
  EXPECT_FALSE(by("mpirun --oversubscribe"));
  EXPECT_FALSE(by("/opt/openmpi/bin/mpiexec"));
  EXPECT_TRUE(by("mpirun --hostfile hosts"));
  EXPECT_TRUE(by("mpirun -H a,b"));
  EXPECT_TRUE(by("srun --mpi=pmix"));
  const Variable nodes("SLURM_JOB_NUM_NODES", "2");
  EXPECT_TRUE(by("mpirun"));
}

TEST_F(Ranks, MoreThanTheSlotsAreRefusedInMpirunsWords) {
  const Variable mpirun("MACROBENCH_MPIRUN", "mpirun --host localhost:2");
  const TemporaryFolder folder;
  const std::vector<Record> records = sweep("newton", {{"n", 1000}}, "1,3", folder.path());
  EXPECT_EQ(record_of(records, "newton/serial").status, Status::measured);
  EXPECT_EQ(std::ranges::count(records, Status::measured, &Record::status), 2) << "and one rank";
  const Record refused = record_of(records, "ranks=3");
  EXPECT_EQ(refused.status, Status::failed);
  EXPECT_THAT(to_string(refused.why), HasSubstr("not enough slots"));
}

TEST_F(Ranks, CopiesOfOneRankAreNotSeveral) {
  const TemporaryFolder folder;
  const fs::path script = folder.path() / "mpirun";
  std::ofstream(script) << "#!/bin/sh\nshift 2\nexec \"$@\"\n";
  fs::permissions(script, fs::perms::owner_all);
  const Variable mpirun("MACROBENCH_MPIRUN", script.string());
  const std::vector<Record> records =
      sweep("newton", {{"n", 1000}}, "2", folder.path() / "results");
  EXPECT_THAT(to_string(record_of(records, "/mpi").why),
              AllOf(HasSubstr("rank 0 of 1"), HasSubstr("2 ranks that know of 1")));
}

TEST_F(Ranks, AreNotRunWhereMpirunIsMissing) {
  const Variable mpirun("MACROBENCH_MPIRUN", "no_mpirun_of_this_name");
  const TemporaryFolder folder;
  const std::vector<Record> records = sweep("newton", {{"n", 1000}}, "2", folder.path());
  EXPECT_EQ(record_of(records, "newton/serial").status, Status::measured);
  const Record missing = record_of(records, "/mpi");
  EXPECT_EQ(missing.status, Status::not_run);
  EXPECT_THAT(to_string(missing.why), HasSubstr("no_mpirun_of_this_name is not on the PATH"));
}

}  // namespace
}  // namespace macrobench
