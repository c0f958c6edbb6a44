// The tests' child process. `child` does what macrobench's own child does, with the fake model;
// the other modes are children that do all that a child must not, and processes to be killed.

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/command_line/command.hpp"
#include "harness/process/process.hpp"
#include "harness/records/record_store.hpp"
#include "harness/run/job.hpp"
#include "harness/run/merge.hpp"
#include "harness/run/runner.hpp"
#include "harness/run/schedule.hpp"
#include "harness/text/json_fields.hpp"
#include "harness/text/json_values.hpp"
#include "tests/harness/fake_model.hpp"
#include "tests/harness/support.hpp"

namespace {

using namespace macrobench;

void answer(const std::string& text) {
  static_cast<void>(!::write(answer_descriptor, text.data(), text.size()));
}

std::string good_answer() {
  JobAnswer good;
  good.outcome = Outcome{};
  good.outcome->valid = true;
  return to_line({{"answer", job_answer_fields().write(good)}});
}

[[noreturn]] void hang() {
  while (true) ::pause();
}

void announce(const std::string& text) {
  static_cast<void>(!::write(STDOUT_FILENO, text.data(), text.size()));
}

int crash() {
  std::cerr << "about to crash\n" << std::flush;
  std::signal(SIGSEGV, SIG_DFL);
  std::raise(SIGSEGV);
  return 0;
}

int endless_output() {
  const std::string words(1 << 16, 'x');
  while (true) announce(words);
}

int huge_output() {
  announce("the beginning\n");
  const std::string words(1 << 16, 'x');
  for (int i = 0; i < 1000; ++i) announce(words);
  announce("\nthe end\n");
  answer(good_answer());
  return 0;
}

int endless_answer() {
  const std::string words(1 << 16, 'x');
  while (true) answer(words);
}

/// A grandchild keeps the pipes open: in the group, or (as a daemon does) outside it.
int leave_a_grandchild(bool in_the_group) {
  const pid_t grandchild = ::fork();
  if (grandchild == 0) {
    if (!in_the_group) ::setsid();
    ::alarm(20);
    hang();
  }
  announce(fmt::format("{}\n", grandchild));
  answer(good_answer());
  return 0;
}

/// Appends records until it is killed, and says so after each.
int append_until_killed(const std::string& folder) {
  RecordStore store(folder);
  for (std::size_t i = store.results().records.size();; ++i) {
    store.append(a_record(fmt::format("number {}", i)), a_machine(static_cast<int>(i % 3) + 1));
    announce(fmt::format("{}\n", i));
  }
}

/// A merge, to be killed and repeated.
int merge_all(const std::string& folder) {
  merge(shards_in(folder), folder);
  return 0;
}

/// A sweep over the fakes, to be killed and resumed.
int sweep(const std::string& folder) {
  std::vector<Case> cases;
  for (std::int64_t size = 1; size <= 12; ++size) {
    cases.push_back(fake_case("plain", {{"size", size}, {"pace", 2e-4}}));
  }
  ScheduleOptions options;
  options.run.child_command = test_child({"child"});
  RecordStore store(folder);
  for (const ScheduledCase& one : run_schedule(cases, store, a_machine(), options, {})) {
    announce(fmt::format("{} {}\n", one.which.key(), one.reused ? "kept" : "ran"));
  }
  return 0;
}

/// Runs a child that hangs; meanwhile it is to be interrupted or killed itself.
int run_a_hanging_child() {
  const std::vector<std::string> command = test_child({"say-pid-and-hang"});
  run_process({command.front(), command, "", 60});
  return 0;
}

/// The pid goes to the standard output that the parent had, which it finds on descriptor 9.
int say_pid_and_hang() {
  const std::string text = fmt::format("{}\n", ::getpid());
  static_cast<void>(!::write(9, text.data(), text.size()));
  hang();
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const std::string folder = arguments.size() > 1 ? arguments[1] : "";
  const std::map<std::string_view, std::function<int()>> modes{
      {"child", child_main},
      {"crash", crash},
      {"hang",
       [] {
         hang();
         return 0;
       }},
      {"hang-deaf",
       [] {
         for (const int signal : {SIGTERM, SIGINT, SIGHUP}) std::signal(signal, SIG_IGN);
         ::close(answer_descriptor);
         ::close(STDOUT_FILENO);
         ::close(STDERR_FILENO);
         hang();
         return 0;
       }},
      {"garbage",
       [] {
         answer("\x01\xff{not json\n");
         return 0;
       }},
      {"wrong-shape",
       [] {
         answer("{\"answer\": {\"sample\": 3}}\n");
         return 0;
       }},
      {"broken-off",
       [] {
         answer(good_answer().substr(0, 20));
         return 0;
       }},
      {"negative-time",
       [] {
         std::string text = good_answer();
         text.replace(text.find("\"first_solution\":") + 17, 3, "-1.0");
         answer(text);
         return 0;
       }},
      {"nothing", [] { return 0; }},
      {"twice",
       [] {
         answer(good_answer() + good_answer());
         return 0;
       }},
      {"good",
       [] {
         answer(good_answer());
         return 0;
       }},
      {"good-but-exits-7",
       [] {
         answer(good_answer());
         return 7;
       }},
      {"killed",
       [] {
         std::raise(SIGKILL);
         return 0;
       }},
      {"exits-7",
       [] {
         std::cerr << "one\nlast words \xff\n";
         return 7;
       }},
      {"closes",
       [] {
         ::close(answer_descriptor);
         return 0;
       }},
      {"endless-output", endless_output},
      {"huge-output", huge_output},
      {"endless-answer", endless_answer},
      {"grandchild", [] { return leave_a_grandchild(true); }},
      {"daemon", [] { return leave_a_grandchild(false); }},
      {"append", [&] { return append_until_killed(folder); }},
      {"merge", [&] { return merge_all(folder); }},
      {"sweep", [&] { return sweep(folder); }},
      {"list", [&] { return command_line_main(argc, argv); }},
      {"run-a-hanging-child", run_a_hanging_child},
      {"say-pid-and-hang", say_pid_and_hang}};
  const auto mode = modes.find(arguments.empty() ? std::string_view() : arguments[0]);
  if (mode == modes.end()) {
    std::cerr << "test_child: no such mode\n";
    return 2;
  }
  return mode->second();
}
