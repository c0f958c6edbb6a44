#include "harness/process/process.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <system_error>

#include "harness/process/child_process.hpp"
#include "harness/process/elapsed.hpp"

namespace macrobench {

namespace {

using End = ProcessResult::End;

constexpr std::size_t longest_answer = std::size_t{16} << 20;

/// The running child's process group, for the signal handler.
std::atomic<pid_t> running_group{0};
static_assert(std::atomic<pid_t>::is_always_lock_free);

extern "C" void end_with_the_group(int) {
  const pid_t group = running_group.load();
  if (group > 0) ::kill(-group, SIGKILL);
  ::_exit(130);
}

/// Handles a signal differently during its lifetime; an ignored signal stays ignored.
class SignalScope {
 public:
  SignalScope(int signal, void (*handler)(int)) : signal_(signal) {
    ::sigaction(signal, nullptr, &before_);
    if (before_.sa_handler == SIG_IGN && handler != SIG_DFL) return;
    struct sigaction now{};
    now.sa_handler = handler;
    ::sigaction(signal, &now, nullptr);
  }
  ~SignalScope() { ::sigaction(signal_, &before_, nullptr); }
  SignalScope(const SignalScope&) = delete;
  SignalScope& operator=(const SignalScope&) = delete;

 private:
  int signal_;
  struct sigaction before_{};
};

/// Until its end or its deadline, or until it has answered too much.
End wait_for_end(ChildProcess& child, const ProcessRequest& request) {
  const auto begin = std::chrono::steady_clock::now();
  double next_second = 1;
  while (!child.has_ended() && child.unread().size() <= longest_answer) {
    const double elapsed = seconds_since(begin);
    if (request.ticks && elapsed >= next_second) {
      request.ticks(child.unread());
      next_second = std::floor(elapsed) + 1;
    }
    if (elapsed >= request.deadline) return End::deadline;
    const double next = request.ticks ? std::min(request.deadline, next_second) : request.deadline;
    child.wait(next - elapsed);
  }
  return End::exited;
}

}  // namespace

ProcessResult run_process(const ProcessRequest& request) {
  const SignalScope on_interrupt(SIGINT, end_with_the_group);
  const SignalScope on_termination(SIGTERM, end_with_the_group);
  const SignalScope on_hangup(SIGHUP, end_with_the_group);
  // If it were ignored, the exit status would be lost.
  const SignalScope on_child(SIGCHLD, SIG_DFL);
  ProcessResult result;
  std::optional<ChildProcess> child;
  try {
    child.emplace(
        ChildCommand{.name = request.executable,
                     .command = request.command,
                     .executable = request.executable,
                     .environment = {request.environment.begin(), request.environment.end()},
                     .overrides = true,
                     .input = request.input,
                     .answers_on = request.answers_on,
                     .shares_error = request.shares_error,
                     .own_group = true});
    running_group = child->id();
  } catch (const std::system_error& error) {
    result.code = error.code().value();
    return result;
  }

  result.end = wait_for_end(*child, request);
  child->end();
  running_group = 0;
  const int status = child->status();
  if (result.end != End::deadline) {
    result.end = WIFSIGNALED(status) ? End::signalled : End::exited;
    result.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  }
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  result.cpu_seconds = seconds(child->usage().ru_utime) + seconds(child->usage().ru_stime);
  result.preempted = child->usage().ru_nivcsw;
  result.answer = child->unread().substr(0, longest_answer);
  result.answer_cut = child->unread().size() > longest_answer;
  result.output = child->messages();
  return result;
}

}  // namespace macrobench
