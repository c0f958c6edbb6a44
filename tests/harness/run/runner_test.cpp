#include "harness/run/runner.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "harness/model/input_file.hpp"
#include "harness/model/solution_folder.hpp"
#include "harness/process/process.hpp"
#include "harness/records/doubt.hpp"
#include "harness/records/record_json.hpp"
#include "harness/records/record_store.hpp"
#include "harness/records/statistics.hpp"
#include "harness/run/machine_watch.hpp"
#include "tests/harness/fake_counters.hpp"
#include "tests/harness/fake_model.hpp"
#include "tests/harness/support.hpp"
#include "tests/matchers.hpp"

namespace macrobench {
namespace {

using testing::Ge;
using testing::Lt;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Record run_fake(const std::string& name, const Parameters& parameters, RunOptions options = {}) {
  options.child_command = test_child({"child"});
  return run_case(fake_case(name, parameters), a_machine(), options);
}

Parameters behaving(const std::string& behaviour) {
  return {{"behaviour", behaviour}};
}

// --- a busy machine ----------------------------------------------------------------------------

TEST(BusyMachine, ACaseIsRunAgainWhenTheCoresAreIdle) {
  FakeCounters counters;
  RunOptions options;
  options.counters = counters.folder();
  options.patience = 60;
  std::thread other_work_ends([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    counters.become_idle();
  });
  const Record record = run_fake("plain", {{"pace", 0.1}}, options);
  other_work_ends.join();
  EXPECT_EQ(record.status, Status::measured) << record.why;
  ASSERT_TRUE(record.conditions);
  EXPECT_EQ(record.conditions->attempts, 2);
}

TEST(BusyMachine, ATimeOnItIsNoisyAfterTheSecondRun) {
  const FakeCounters counters;
  RunOptions options;
  options.counters = counters.folder();
  options.patience = 0.1;
  std::string said;
  options.ticks = [&](const std::string& at) { said += at + "\n"; };
  const Record record = run_fake("plain", {{"pace", 0.1}}, options);
  EXPECT_THAT(said, HasSubstr("noisy: a wait of at most 100 ms for 1 idle core\n"));
  EXPECT_EQ(record.status, Status::noisy);
  EXPECT_EQ(record.why.clause, "others used the cores that it needs");
  EXPECT_FALSE(record.samples.empty());
  EXPECT_TRUE(record.outcome.value().valid);
  EXPECT_EQ(record.conditions.value().attempts, 2);
  const Record back = record_from_json(nlohmann::json(to_json(record)));
  EXPECT_EQ(back.status, Status::noisy);

  options.judges_time = false;
  const Record in_turn = run_fake("plain", {{"pace", 0.1}}, options);
  EXPECT_EQ(in_turn.status, Status::measured);
  EXPECT_EQ(in_turn.conditions.value().attempts, 1);
}

TEST(BusyMachine, AWrongResultIsNotRunAgain) {
  const FakeCounters counters;
  RunOptions options;
  options.counters = counters.folder();
  const Record record = run_fake("plain", {{"pace", 0.1}, {"behaviour", "invalid"}}, options);
  EXPECT_EQ(record.status, Status::invalid);
  EXPECT_EQ(record.conditions.value().attempts, 1);
}

TEST(BusyMachine, TheKernelShowsTheWorkOfOthers) {
  std::atomic<bool> ends = false;
  std::vector<std::thread> others(static_cast<std::size_t>(available_cores()));
  for (std::thread& other : others) {
    other = std::thread([&] {
      while (!ends) continue;
    });
  }
  RunOptions options;
  options.counters = "/proc";
  options.judges_time = false;
  // It sleeps: whatever the cores do is the work of others.
  Record record = run_fake("plain", {{"pace", 0.5}}, options);
  ends = true;
  for (std::thread& other : others) other.join();
  ASSERT_TRUE(record.conditions);
  const std::optional<double> busy = record.conditions->others_cores;
  if (!busy) GTEST_SKIP() << "the kernel does not say";
  EXPECT_GT(*busy, 0.2);
  judge_time(record, a_machine());
  const bool lacks_a_core = *busy > available_cores() - 1 + most_disturbed;
  EXPECT_EQ(record.status, lacks_a_core ? Status::noisy : Status::measured) << *busy;
}

// --- what a good case leaves -------------------------------------------------------------------

TEST(Runner, SavesAValidSolutionOnce) {
  const TemporaryFolder folder;
  RunOptions options;
  options.out = (folder.path() / "mine").string();
  EXPECT_EQ(run_fake("starter", {}, options).status, Status::measured);
  const auto json = nlohmann::json::parse(content_of(folder.path() / "mine" / solution_name));
  EXPECT_EQ(json.at("key"), "fake/starter size=1");
  EXPECT_EQ(json.at("arrays").at(0).at("value"), 42);
  EXPECT_EQ(json.at("certificate").at("valid"), true);
  std::filesystem::remove_all(options.out);
  EXPECT_EQ(run_fake("plain", behaving("invalid"), options).status, Status::invalid);
  EXPECT_FALSE(std::filesystem::exists(options.out));

  write_file(folder.path() / "file", "");
  options.out = (folder.path() / "file" / "mine").string();
  const Record record = run_fake("plain", {}, options);
  EXPECT_EQ(record.status, Status::failed);
  EXPECT_THAT(to_string(record.why), HasSubstr("file"));
}

TEST(Runner, AFileThatChangesWhileItIsReadMakesNoRecordOfWhatItWas) {
  const TemporaryFolder folder;
  write_file(folder.path() / "input", "some");
  const InputFile input = look_at("input", (folder.path() / "input").string(), 1'000);
  const Record record = run_fake("plain", {{"behaviour", "writes"}, {"input", to_string(input)}});
  EXPECT_EQ(record.status, Status::failed);
  EXPECT_THAT(to_string(record.why), HasSubstr("the file has changed"));
}

TEST(Runner, MakesARecord) {
  const Record record = run_fake("plain", {{"size", 4}, {"pace", 1e-3}});
  EXPECT_EQ(record.key, "fake/plain size=4 pace=0.001");
  EXPECT_EQ(record.model, "fake");
  EXPECT_EQ(record.implementation, "plain");
  EXPECT_EQ(record.origin, "corrected");
  EXPECT_EQ(record.parameters.integer("size"), 4);
  ASSERT_EQ(record.status, Status::measured) << record.why;
  EXPECT_EQ(record.why, "");
  EXPECT_FALSE(record.expected_invalid);
  ASSERT_THAT(record.samples, SizeIs(1));
  const Sample& sample = record.samples[0];
  EXPECT_GE(sample.first_solution, 4e-3);
  EXPECT_THAT(sample.solutions, SizeIs(Ge(2u)));
  EXPECT_THAT(sample.solutions, Each(Ge(4e-3)));
  EXPECT_THAT(sample.stages.at("first half"), SizeIs(1 + sample.solutions.size()));
  EXPECT_THAT(sample.stages.at("second half"), Each(Ge(2e-3)));
  ASSERT_TRUE(record.outcome.has_value());
  EXPECT_TRUE(record.outcome->valid);
  EXPECT_EQ(record.outcome->figures.at("result"), 42);
  EXPECT_EQ(record.machine, a_machine().id());
  EXPECT_THAT(record.source, SizeIs(64));
  EXPECT_THAT(record.time, SizeIs(20));
  EXPECT_GT(record.seconds, 0);
}

TEST(Runner, StartUpsComeFromProcessesOfTheirOwn) {
  const Record record = run_fake("starter", {});
  ASSERT_EQ(record.status, Status::measured) << record.why;
  ASSERT_THAT(record.samples, SizeIs(3));
  EXPECT_THAT(seconds_of(record, Phase::start), Each(Ge(0.01)));
  EXPECT_THAT(record.samples[0].solutions, SizeIs(Ge(2u)));
  EXPECT_THAT(record.samples[1].solutions, IsEmpty());
}

TEST(Runner, ProcessesThatAnswerOtherwiseAreCheckedThemselves) {
  const Record record = run_fake("starter", behaving("process"));
  EXPECT_EQ(record.status, Status::measured) << record.why;
  EXPECT_THAT(record.samples, SizeIs(3));
}

TEST(Runner, WhatFollowsTheSolutionIsNotTimed) {
  const Record record = run_fake("plain", behaving("copies"));
  ASSERT_EQ(record.status, Status::measured) << record.why;
  EXPECT_LT(median(seconds_of(record, Phase::solution)), 0.015);
}

TEST(Runner, CheckedThoroughlyWhereAsked) {
  RunOptions options;
  options.thorough = true;
  EXPECT_TRUE(run_fake("plain", {}, options).outcome->exhaustive);
  EXPECT_FALSE(run_fake("plain", {}).outcome->exhaustive);
}

TEST(Runner, DrawsASampleAnewAndKeepsTheDraw) {
  const auto outcome = [](const RunOptions& options) {
    return run_fake("plain", behaving("samples"), options).outcome.value();
  };
  const Outcome first = outcome({});
  const Outcome second = outcome({});
  EXPECT_TRUE(is_draw(first.draw)) << first.draw;
  EXPECT_NE(first.draw, second.draw);
  EXPECT_NE(first.figures.at("drawn"), second.figures.at("drawn"));
  RunOptions again;
  again.draw = first.draw;
  EXPECT_EQ(outcome(again).figures.at("drawn"), first.figures.at("drawn"));
  RunOptions all;
  all.thorough = true;
  EXPECT_EQ(outcome(all).draw, "") << "of all states none are drawn";
}

TEST(Runner, LongSolutionsTakeOneSample) {
  RunOptions options;
  options.sampling.seconds = 0.01;
  const Record record = run_fake("plain", {{"pace", 0.05}}, options);
  ASSERT_EQ(record.status, Status::measured) << record.why;
  EXPECT_THAT(record.samples[0].solutions, IsEmpty());
}

// --- what is not right -------------------------------------------------------------------------

TEST(Runner, AnInvalidOutcomeSaysWhyAndWhetherItWasExpected) {
  const Record record = run_fake("plain", behaving("invalid"));
  EXPECT_EQ(record.status, Status::invalid);
  EXPECT_EQ(record.why, "13 is not right");
  EXPECT_FALSE(record.expected_invalid);
  EXPECT_THAT(record.samples, SizeIs(1));
  const Record expected = run_fake("plain", {{"size", 13}, {"behaviour", "invalid"}});
  EXPECT_TRUE(expected.expected_invalid);
}

TEST(Runner, EverySolutionIsChecked) {
  RunOptions options;
  options.sampling.minimum = 5;
  const Record record = run_fake("plain", behaving("turns"), options);
  EXPECT_EQ(record.status, Status::invalid);
  EXPECT_EQ(record.why, "solution 3 differs from the first: 13 is not right");
  EXPECT_EQ(run_fake("plain", behaving("wavers"), options).status, Status::measured);
}

TEST(Runner, AnImplementationThatGivesUpSaysWhy) {
  EXPECT_EQ(run_fake("plain", behaving("throw")).why, "the fake threw this");
  const Record refused = run_fake("plain", behaving("usage"));
  EXPECT_EQ(refused.status, Status::failed);
  EXPECT_EQ(refused.why, "the fake cannot do this");
}

TEST(Runner, CrashesHangsAndExitsCostOneCase) {
  RunOptions options;
  options.deadline = 0.5;
  const Record crashed = run_fake("plain", behaving("crash"));
  EXPECT_EQ(crashed.status, Status::failed);
  EXPECT_EQ(to_string(crashed.why), "killed by signal 11 (Segmentation fault)");
  const Record hung = run_fake("plain", behaving("hang"), options);
  EXPECT_EQ(hung.status, Status::timeout);
  EXPECT_EQ(hung.why, Reason("ended at its deadline of 0.5 s", "in the first solution"));
  EXPECT_THAT(hung.samples, IsEmpty());
  const Record left = run_fake("plain", behaving("exit"));
  EXPECT_EQ(left.status, Status::failed);
  EXPECT_EQ(left.why, Reason("exited with code 7", "last words"));
}

// --- children that are none --------------------------------------------------------------------

struct BadChild {
  std::string mode;
  Status status;
  std::string why;  ///< its beginning
};

class BadChildren : public testing::TestWithParam<BadChild> {};

TEST_P(BadChildren, BecomeARecordWithAReason) {
  const BadChild& expected = GetParam();
  RunOptions options;
  options.child_command = test_child({expected.mode});
  options.deadline = expected.status == Status::timeout ? 0.3 : 15;
  const auto begin = std::chrono::steady_clock::now();
  const Record record = run_case(fake_case("plain", {}), a_machine(), options);
  EXPECT_LT(seconds_since(begin), expected.status == Status::timeout ? 3 : 10);
  EXPECT_EQ(record.status, expected.status);
  EXPECT_THAT(to_string(record.why), StartsWith(expected.why));
  EXPECT_EQ(record.outcome.has_value(), record.status == Status::measured);
  EXPECT_NO_THROW(static_cast<void>(to_json(record).dump()));  // what is not UTF-8 would throw
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a zombie is left";
}

INSTANTIATE_TEST_SUITE_P(
    Runner, BadChildren,
    testing::Values(
        BadChild{"crash", Status::failed,
                 "killed by signal 11 (Segmentation fault) (about to crash)"},
        BadChild{"killed", Status::failed,
                 "killed (signal 9), as the kernel does when memory runs out"},
        BadChild{"hang", Status::timeout, "ended at its deadline of 0.3 s"},
        BadChild{"hang-deaf", Status::timeout, "ended at its deadline of 0.3 s"},
        BadChild{"endless-output", Status::timeout, "ended at its deadline of 0.3 s"},
        BadChild{"endless-answer", Status::failed, "answered without end"},
        BadChild{"huge-output", Status::measured, ""},
        BadChild{"garbage", Status::failed, "answered nothing that could be read ("},
        BadChild{"wrong-shape", Status::failed, "answered nothing that could be read ("},
        BadChild{"broken-off", Status::failed, "answered nothing that could be read (a line"},
        BadChild{"negative-time", Status::failed,
                 "answered nothing that could be read (/sample/first_solution"},
        BadChild{"twice", Status::failed, "answered nothing that could be read (more than one"},
        BadChild{"nothing", Status::failed, "ended without an answer"},
        BadChild{"closes", Status::failed, "ended without an answer"},
        BadChild{"exits-7", Status::failed, "exited with code 7 (last words"},
        BadChild{"good-but-exits-7", Status::failed, "exited with code 7"},
        BadChild{"grandchild", Status::measured, ""}, BadChild{"daemon", Status::measured, ""},
        BadChild{"good", Status::measured, ""}),
    [](const auto& child) {
      std::string name = child.param.mode;
      for (char& c : name) c = c == '-' ? '_' : c;
      return name;
    });

TEST(Runner, AMissingExecutableIsAFailure) {
  RunOptions options;
  options.child_command = {"/nowhere/macrobench", "child"};
  const Record record = run_case(fake_case("plain", {}), a_machine(), options);
  EXPECT_EQ(record.status, Status::failed);
  EXPECT_THAT(to_string(record.why),
              AllOf(HasSubstr("code 127"), HasSubstr("cannot run /nowhere")));
}

TEST(Process, KeepsTheBeginningAndTheEndOfLongOutput) {
  const std::vector<std::string> command = test_child({"huge-output"});
  const ProcessResult result = run_process({command.front(), command, "", 20});
  EXPECT_THAT(result.output,
              AllOf(StartsWith("the beginning\n"), HasSubstr("\nthe end\n"), SizeIs(Lt(10'000u))));
}

TEST(Process, GivesInputToACommandOfThePath) {
  const ProcessResult result = run_process({"cat", {"cat"}, std::string(200'000, 'x'), 20});
  EXPECT_EQ(result.end, ProcessResult::End::exited);
  EXPECT_THAT(result.output, SizeIs(Ge(8000u)));
}

// --- ends of the runner itself -----------------------------------------------------------------

bool is_alive(pid_t process) {
  const std::string stat = content_of(fmt::format("/proc/{}/stat", process));
  const std::size_t state = stat.rfind(')');
  return state != std::string::npos && stat.at(state + 2) != 'Z';
}

void expect_end_of(pid_t process) {
  const auto begin = std::chrono::steady_clock::now();
  while (is_alive(process) && seconds_since(begin) < 5) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_FALSE(is_alive(process));
}

TEST(Process, TheWholeGroupEndsWithTheChild) {
  const std::vector<std::string> command = test_child({"grandchild"});
  const ProcessResult result = run_process({command.front(), command, "", 20});
  ASSERT_EQ(result.end, ProcessResult::End::exited);
  expect_end_of(static_cast<pid_t>(std::stoi(result.output)));
}

/// Ends a running runner by the signal; returns its wait status, once its child is gone too.
int end_a_runner_by(int signal) {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe(ends.data()), 0);
  const std::string executable = test_child({}).front();
  const pid_t runner = ::fork();
  if (runner == 0) {
    ::dup2(ends[1], 9);
    ::execl(executable.c_str(), "test_child", "run-a-hanging-child", nullptr);
    std::_Exit(127);
  }
  ::close(ends[1]);
  std::string text;
  for (char c = 0; c != '\n' && ::read(ends[0], &c, 1) == 1;) text += c;
  ::close(ends[0]);
  const pid_t child = text.empty() ? 0 : static_cast<pid_t>(std::stoi(text));
  EXPECT_GT(child, 0);
  EXPECT_TRUE(is_alive(child));
  ::kill(runner, signal);
  int status = 0;
  ::waitpid(runner, &status, 0);
  expect_end_of(child);
  return status;
}

TEST(Process, AnInterruptEndsTheChildToo) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const int status = end_a_runner_by(signal);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 130);
  }
}

TEST(Process, AKillEndsTheChildToo) {
  const int status = end_a_runner_by(SIGKILL);
  EXPECT_TRUE(WIFSIGNALED(status));
}

// --- what the harness itself costs -------------------------------------------------------------

TEST(Runner, AddsLittleToACase) {
  const TemporaryFolder folder;
  RecordStore store(folder.path());
  const Machine machine = this_machine();
  RunOptions options;
  options.child_command = test_child({"child"});
  std::vector<double> added;
  for (int i = 0; i < 15; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const Record record = run_case(fake_case("plain", {{"pace", 1e-3}}), machine, options);
    store.append(record, machine);
    double measured = 0;
    for (const Phase phase : {Phase::start, Phase::first_solution, Phase::solution}) {
      for (const double seconds : seconds_of(record, phase)) measured += seconds;
    }
    added.push_back(seconds_since(begin) - measured);
  }
  std::cout << fmt::format("the harness adds {:.1f} ms to a case\n", 1000 * median(added));
  // 20 ms is the aim; the rest is room for a loaded machine. A sanitizer's own start-up is slower.
#ifdef __SANITIZE_ADDRESS__
  EXPECT_LT(median(added), 1);
#else
  EXPECT_LT(median(added), 0.1);
#endif
}

}  // namespace
}  // namespace macrobench
