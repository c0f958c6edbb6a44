// lifecycle/processes: processes that are not this one, which must agree with `serial` to the bit,
// be told from each other when they fail, and never outlive the case that started them.

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/files/temporary_folder.hpp"
#include "harness/machine/machine.hpp"
#include "harness/model/registry.hpp"
#include "harness/process/process.hpp"
#include "harness/run/stage_clock.hpp"
#include "harness/sources/source_digest.hpp"
#include "tests/implementations/started_processes.hpp"
#include "tests/matchers.hpp"
#include "tests/paths.hpp"

namespace macrobench {
namespace {

namespace fs = std::filesystem;

constexpr const char* id = "lifecycle/processes";

Case make(const std::string& implementation, const Parameters& given) {
  const Implementation& chosen = Registry::global().implementation(implementation);
  return Registry::global().make_case(implementation, only_taken(chosen, given), available_cores());
}

std::unique_ptr<Instance> instance_of(const Case& which) {
  return which.implementation->instantiate(which.parameters);
}

std::uint64_t solve(Instance& instance) {
  instance.poison();
  StageClock clock;
  instance.solve(clock);
  return instance.fingerprint();
}

Parameters of(std::int64_t nx, std::int64_t ne, std::int64_t processes) {
  return {{"nx", nx}, {"ne", ne}, {"processes", processes}};
}

ProcessResult run_macrobench(std::vector<std::string> arguments, double deadline = 60) {
  arguments.insert(arguments.begin(), "macrobench");
  return run_process({executable_path(), std::move(arguments), "", deadline});
}

class Processes : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const LeftOut* missing = Registry::global().find_left_out(id)) {
      GTEST_SKIP() << missing->why();
    }
    const std::string why = Registry::global().implementation(id).unavailable();
    if (!why.empty()) GTEST_SKIP() << why;
  }
};

class EqualToSerial : public Processes, public ::testing::WithParamInterface<int> {};

TEST_P(EqualToSerial, ToTheBit) {
  const Started started;
  instance_of(make(id, of(150, 5, GetParam())))->start();
  EXPECT_EQ(started.running("macrobench_life").size(), static_cast<std::size_t>(GetParam()));
  // 7 x 149 states are not a multiple of any number of processes here.
  for (const auto& [nx, ne] : {std::pair{150, 5}, std::pair{149, 7}}) {
    for (const std::string recursion : {"corrected", "as_published"}) {
      for (const std::string real : {"double", "single"}) {
        Parameters given = of(nx, ne, GetParam());
        given.set("recursion", recursion);
        given.set("real", real);
        const auto instance = instance_of(make(id, given));
        const std::uint64_t found = solve(*instance);
        const Outcome outcome = instance->check(true);
        EXPECT_TRUE(outcome.valid) << outcome.why;
        EXPECT_EQ(found, solve(*instance_of(make("lifecycle/serial", given))))
            << nx << " " << recursion << " " << real;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Of, EqualToSerial, ::testing::Values(1, 2, 3, 5));

TEST_F(Processes, HaveTheStagesOfAnAge) {
  Parameters given = of(20, 3, 2);
  given.set("T", std::int64_t{4});
  const auto instance = instance_of(make(id, given));
  instance->start();
  instance->poison();
  StageClock clock;
  instance->solve(clock);
  std::vector<std::string> names;
  for (const auto& [name, seconds] : clock.stages()) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"last_age", "other_ages", "age_2"}));
}

TEST_F(Processes, AsManyAsTheStates) {
  const Parameters given = of(2, 2, 4);
  const auto instance = instance_of(make(id, given));
  instance->start();
  EXPECT_EQ(solve(*instance), solve(*instance_of(make("lifecycle/serial", given))));
}

TEST_F(Processes, OneThatDiesIsAnErrorAndTheOthersEnd) {
  const Started started;
  const auto instance = instance_of(make(id, of(150, 5, 3)));
  instance->start();
  const std::vector<pid_t> workers = started.running("macrobench_life");
  ASSERT_EQ(workers.size(), 3u);
  ASSERT_EQ(::kill(workers.back(), SIGKILL), 0);
  EXPECT_THROW(solve(*instance), std::runtime_error);
  EXPECT_THAT(started.left_after(std::chrono::seconds(20)), IsEmpty());
  instance->start();
  solve(*instance);
  EXPECT_TRUE(instance->check(true).valid);
}

TEST_F(Processes, EndWithACaseThatIsKilled) {
  const Started started;
  const ProcessResult killed =
      run_macrobench({"run", id, "--nx", "50000", "--ne", "5", "--processes", "2"}, 2.5);
  EXPECT_EQ(killed.end, ProcessResult::End::deadline) << killed.output;
  EXPECT_THAT(started.left_after(std::chrono::seconds(20)), IsEmpty());
}

TEST_F(Processes, EndWithACaseThatEnds) {
  const Started started;
  const ProcessResult ended =
      run_macrobench({"run", id, "--nx", "20", "--ne", "3", "--processes", "2"});
  EXPECT_EQ(ended.code, 0) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("measured"));
  EXPECT_THAT(started.left_after(std::chrono::seconds(5)), IsEmpty());
}

TEST_F(Processes, AreStartedByTheUsersMpirun) {
  if (const std::string why = why_not_this_mpirun(); !why.empty()) GTEST_SKIP() << why;
  const Variable mpirun("MACROBENCH_MPIRUN", "env  mpirun --quiet");
  const auto instance = instance_of(make(id, of(20, 3, 2)));
  instance->start();
  solve(*instance);
  EXPECT_TRUE(instance->check(true).valid);
}

/// What start() says with such an mpirun.
std::string start_error(const std::string& mpirun) {
  const Variable set("MACROBENCH_MPIRUN", mpirun);
  return complaint_of<std::runtime_error>(
      [&] { return instance_of(make(id, of(20, 3, 2)))->start(); });
}

TEST_F(Processes, SayWhyTheyCannotBeStarted) {
  EXPECT_THAT(start_error("mpirun --hostfile /nowhere/hosts"), HasSubstr("/nowhere/hosts"));
  EXPECT_THAT(start_error("false"), HasSubstr("ended before it answered"));
  EXPECT_THAT(start_error("echo"), HasSubstr("mpirun printed something else"));
}

TEST_F(Processes, KnowAnMpirunOfAnotherMpi) {
  const TemporaryFolder folder;
  const fs::path script = folder.path() / "mpirun";
  std::ofstream(script) << "#!/bin/sh\nshift 2\nexec \"$@\"\n";
  fs::permissions(script, fs::perms::owner_all);
  EXPECT_THAT(start_error(script), HasSubstr("another MPI"));
}

TEST_F(Processes, CannotRunWhereMpirunIsMissing) {
  const Variable path("PATH", "/nowhere");
  EXPECT_EQ(Registry::global().implementation(id).unavailable(),
            "mpirun is not on the PATH: install OpenMPI (openmpi-bin)");
  const ProcessResult refused = run_macrobench({"run", id, "--nx", "20", "--ne", "3"});
  EXPECT_EQ(refused.end, ProcessResult::End::exited);
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.output, HasSubstr("cannot run: mpirun is not on the PATH"));
}

TEST_F(Processes, AreAtLeastOneAndAtMostTheStates) {
  const ProcessResult none = run_macrobench({"run", id, "--processes", "0"});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.output, HasSubstr("processes = 0: it must be from 1 to 65536"));
  const ProcessResult idle =
      run_macrobench({"run", id, "--nx", "2", "--ne", "2", "--processes", "5"});
  EXPECT_EQ(idle.code, 2);
  EXPECT_THAT(idle.output, HasSubstr("processes = 5: there are only 4 states to share"));
}

TEST_F(Processes, AreOtherSourcesWhereTheirWorkerIs) {
  const std::string file = "implementations/lifecycle/processes.cpp";
  const std::string before = digest_of(file, source_files());
  for (const std::string its : {"lifecycle/processes/worker.cpp", "lifecycle/model.cpp",
                                "mpi/worker.cpp", "mpi/worker_process.cpp"}) {
    std::vector<SourceFile> changed(source_files().begin(), source_files().end());
    for (SourceFile& one : changed) {
      if (one.path == "implementations/" + its) one.sha256 = "changed";
    }
    EXPECT_NE(digest_of(file, changed), before) << its;
  }
}

}  // namespace
}  // namespace macrobench
