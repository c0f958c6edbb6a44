// lifecycle/processes: processes that are not this one, which must agree with `serial` to the bit,
// be told from each other when they fail, and never outlive the case that started them.

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "harness/machine/machine.hpp"
#include "harness/model/registry.hpp"
#include "harness/process/process.hpp"
#include "harness/run/stage_clock.hpp"
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

std::string solve(Instance& instance) {
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

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The processes whose file of this name in /proc has the words.
std::vector<pid_t> running(const char* name, const std::string& words) {
  std::vector<pid_t> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string number = entry.path().filename();
    if (number.find_first_not_of("0123456789") != std::string::npos) continue;
    if (content_of(entry.path() / name).find(words) != std::string::npos) {
      found.push_back(std::stoi(number));
    }
  }
  return found;
}

std::vector<pid_t> children() {
  return running("status", "\nPPid:\t" + std::to_string(::getpid()) + "\n");
}

/// Those that a run of macrobench has left behind after a while. They carry a mark.
std::vector<pid_t> left_by(const std::string& mark) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!running("environ", mark).empty() && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return running("environ", mark);
}

/// Sets the mark for all that is started from now on.
std::string marked(const char* name) {
  const std::string mark = name + std::to_string(::getpid());
  ::setenv("MACROBENCH_PROCESSES_TEST", mark.c_str(), 1);
  return "MACROBENCH_PROCESSES_TEST=" + mark;
}

class EqualToSerial : public ::testing::TestWithParam<int> {};

TEST_P(EqualToSerial, ToTheBit) {
  // 7 x 149 states are not a multiple of any number of processes here.
  for (const auto& [nx, ne] : {std::pair{150, 5}, std::pair{149, 7}}) {
    for (const std::string recursion : {"corrected", "as_published"}) {
      for (const auto& [real, grids] :
           {std::pair{"double", "rounded"}, {"double", "in_real"}, {"single", "rounded"}}) {
        Parameters given = of(nx, ne, GetParam());
        given.set("recursion", recursion);
        given.set("real", std::string(real));
        given.set("grids", std::string(grids));
        const auto instance = instance_of(make(id, given));
        instance->start();
        EXPECT_EQ(children().size(), static_cast<std::size_t>(GetParam()));
        const std::string found = solve(*instance);
        EXPECT_EQ(found, solve(*instance)) << "again, by the same processes";
        const Outcome outcome = instance->check(true);
        EXPECT_TRUE(outcome.valid) << outcome.why;
        EXPECT_EQ(found, solve(*instance_of(make("lifecycle/serial", given))))
            << nx << " " << recursion << " " << real << " " << grids;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Of, EqualToSerial, ::testing::Values(1, 2, 3, 5));

TEST(Processes, HaveTheStagesOfAnAge) {
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

TEST(Processes, AsManyAsTheStates) {
  const Parameters given = of(2, 2, 4);
  const auto instance = instance_of(make(id, given));
  instance->start();
  EXPECT_EQ(solve(*instance), solve(*instance_of(make("lifecycle/serial", given))));
}

TEST(Processes, OneThatDiesIsAnErrorAndTheOthersEnd) {
  const auto instance = instance_of(make(id, of(150, 5, 3)));
  instance->start();
  ASSERT_EQ(children().size(), 3U);
  ASSERT_EQ(::kill(children()[1], SIGKILL), 0);
  EXPECT_EQ(complaint_of<std::runtime_error>([&] { solve(*instance); }),
            "one of 3 processes ended (signal 9)");
  EXPECT_THAT(children(), IsEmpty());
  EXPECT_THROW(solve(*instance), std::logic_error) << "there are none";
  instance->start();
  solve(*instance);
  EXPECT_TRUE(instance->check(true).valid);
}

TEST(Processes, SolveTheProblemThatTheyWereStartedFor) {
  instance_of(make(id, of(20, 3, 2)))->start();
  EXPECT_THROW(solve(*instance_of(make(id, of(21, 3, 2)))), std::logic_error);
  EXPECT_THROW(solve(*instance_of(make(id, of(20, 3, 3)))), std::logic_error);
}

TEST(Processes, EndWithACaseThatIsKilled) {
  const std::string mark = marked("killed");
  const ProcessResult killed =
      run_macrobench({"run", id, "--nx", "50000", "--ne", "5", "--processes", "2"}, 2.5);
  EXPECT_EQ(killed.end, ProcessResult::End::deadline) << killed.output;
  EXPECT_THAT(left_by(mark), IsEmpty());
}

TEST(Processes, EndWithACaseThatEnds) {
  const std::string mark = marked("ended");
  const ProcessResult ended =
      run_macrobench({"run", id, "--nx", "20", "--ne", "3", "--processes", "2"});
  EXPECT_EQ(ended.code, 0) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("right at all 600 states"));
  EXPECT_THAT(left_by(mark), IsEmpty());
}

TEST(Processes, AreAtLeastOneAndAtMostTheStates) {
  const ProcessResult none = run_macrobench({"run", id, "--processes", "0"});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.output, HasSubstr("processes = 0: it must be from 1 to 65536"));
  const ProcessResult idle =
      run_macrobench({"run", id, "--nx", "2", "--ne", "2", "--processes", "5"});
  EXPECT_EQ(idle.code, 2);
  EXPECT_THAT(idle.output, HasSubstr("processes = 5: there are only 4 states to share"));
}

}  // namespace
}  // namespace macrobench
