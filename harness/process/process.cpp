#include "harness/process/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>

#include "harness/files/descriptor.hpp"
#include "harness/process/descendants.hpp"

namespace macrobench {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t longest_answer = std::size_t{16} << 20;
constexpr std::size_t kept_output = 4096;  ///< bytes of the beginning, and as many of the end
constexpr int answer_descriptor = 3;

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

/// Holds signals back until the child's group is known.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    ::sigfillset(&all);
    ::sigprocmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;
  [[nodiscard]] const sigset_t& before() const { return before_; }

 private:
  sigset_t before_{};
};

/// A file in memory: unlike a pipe, it cannot fill up, or raise SIGPIPE when nobody reads it.
Descriptor file_with(std::string_view content) {
  Descriptor file(::memfd_create("macrobench_job", MFD_CLOEXEC));
  if (!file.is_open() || write_all(file.get(), content) != 0) return Descriptor();
  ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

/// The output of a pipe, as much of it as is kept.
class Stream {
 public:
  Stream(std::size_t head, std::size_t tail) : head_limit_(head), tail_limit_(tail) {}

  /// The child's end; inherited only as what the child duplicates it to.
  Descriptor open() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return Descriptor();
    reader_ = Descriptor(ends[0]);
    ::fcntl(reader_.get(), F_SETFL, O_NONBLOCK);
    return Descriptor(ends[1]);
  }

  /// Reads what is there, up to this many bytes.
  void read_some(std::size_t most) {
    std::array<char, 65536> buffer;
    while (reader_.is_open() && most > 0) {
      const ssize_t got = ::read(reader_.get(), buffer.data(), std::min(buffer.size(), most));
      if (got > 0) {
        keep({buffer.data(), static_cast<std::size_t>(got)});
        most -= static_cast<std::size_t>(got);
      } else if (got < 0 && errno == EINTR) {
        continue;
      } else if (got < 0 && errno == EAGAIN) {
        return;
      } else {
        reader_.close();
      }
    }
  }

  [[nodiscard]] int reader() const { return reader_.get(); }
  [[nodiscard]] bool cut() const { return cut_; }
  [[nodiscard]] std::string text() const {
    return cut_ ? head_ + "\n...\n" + tail_ : head_ + tail_;
  }
  [[nodiscard]] const std::string& head() const { return head_; }

 private:
  void keep(std::string_view bytes) {
    const std::size_t first = std::min(bytes.size(), head_limit_ - head_.size());
    head_ += bytes.substr(0, first);
    tail_ += bytes.substr(first);
    if (tail_.size() > tail_limit_) {
      tail_.erase(0, tail_.size() - tail_limit_);
      cut_ = true;
    }
  }

  Descriptor reader_;
  std::size_t head_limit_;
  std::size_t tail_limit_;
  std::string head_;
  std::string tail_;
  bool cut_ = false;
};

/// This process's environment with the request's variables, which replace those of the same name.
std::vector<std::string> environment_of(const ProcessRequest& request) {
  std::vector<std::string> variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string text(*entry);
    if (!request.environment.contains(text.substr(0, text.find('=')))) variables.push_back(text);
  }
  for (const auto& [name, value] : request.environment) {
    variables.push_back(name);
    variables.back().append("=").append(value);
  }
  return variables;
}

/// As exec() takes them: pointers to the texts, and a null one.
std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

[[noreturn]] void become(const ProcessRequest& request, char* const* argv, char* const* variables,
                         int input, int output, int answer, const sigset_t& signals, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ, SIGCHLD}) {
    ::signal(signal, SIG_DFL);
  }
  ::sigprocmask(SIG_SETMASK, &signals, nullptr);
  // Move them out of the way first: one may have the number that another needs.
  for (int* moved : {&input, &answer, &output}) {
    const int number = ::fcntl(*moved, F_DUPFD_CLOEXEC, 10);
    if (number < 0) {
      constexpr std::string_view problem =
          "a process may not open enough files here: raise the limit (ulimit -n 64)\n";
      static_cast<void>(!::write(output, problem.data(), problem.size()));
      ::_exit(127);
    }
    *moved = number;
  }
  ::dup2(input, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  if (!request.shares_error) ::dup2(output, STDERR_FILENO);
  ::dup2(answer, answer_descriptor);
  ::execvpe(request.executable.c_str(), argv, variables);
  const std::string problem =
      "cannot run " + request.executable + ": " + std::strerror(errno) + "\n";
  static_cast<void>(!::write(STDERR_FILENO, problem.data(), problem.size()));
  ::_exit(127);
}

bool has_ended(pid_t child) {
  siginfo_t info{};
  // It stays a zombie until reap(), so that its group's number cannot be reused meanwhile.
  return ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid == child;
}

/// Whether the process has a handler for the signal, as Linux says.
bool catches(pid_t process, int signal) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string word; status >> word;) {
    std::uint64_t caught = 0;
    if (word == "SigCgt:" && status >> std::hex >> caught) return (caught >> (signal - 1) & 1) != 0;
  }
  return false;
}

void reap(pid_t child, ProcessResult& result) {
  int status = 0;
  rusage usage{};
  while (::wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  result.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  result.preempted = usage.ru_nivcsw;
  if (result.end == ProcessResult::End::deadline) return;
  const bool signalled = WIFSIGNALED(status);
  result.end = signalled ? ProcessResult::End::signalled : ProcessResult::End::exited;
  result.code = signalled ? WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

ProcessResult run_process(const ProcessRequest& request) {
  const auto begin = Clock::now();
  ProcessResult result;
  const auto not_started = [&result] {
    result.end = ProcessResult::End::not_started;
    result.code = errno;
    return result;
  };

  Descriptor input = file_with(request.input);
  if (!input.is_open()) return not_started();
  Stream output(kept_output, kept_output);
  Stream answer(longest_answer, 0);
  Descriptor output_end = output.open();
  if (!output_end.is_open()) return not_started();
  Descriptor answer_end = answer.open();
  if (!answer_end.is_open()) return not_started();

  const std::vector<char*> argv = pointers_to(request.command);
  const std::vector<std::string> environment = environment_of(request);
  const std::vector<char*> variables = pointers_to(environment);

  const SignalScope on_interrupt(SIGINT, end_with_the_group);
  const SignalScope on_termination(SIGTERM, end_with_the_group);
  const SignalScope on_hangup(SIGHUP, end_with_the_group);
  // If it were ignored, the exit status would be lost.
  const SignalScope on_child(SIGCHLD, SIG_DFL);
  const Orphanage orphanage;
  const pid_t parent = ::getpid();
  pid_t child = -1;
  {
    const SignalsBlocked blocked;
    child = ::fork();
    if (child == 0) {
      become(request, argv.data(), variables.data(), input.get(), output_end.get(),
             answer_end.get(), blocked.before(), parent);
    }
    if (child < 0) return not_started();
    ::setpgid(child, child);
    running_group = child;
  }
  input.close();
  output_end.close();
  answer_end.close();

  // If the kernel has no pidfd_open, the end is noticed when both pipes close, or at the next tick.
  const Descriptor life(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
  constexpr double tick = 0.05;
  double next_second = 1;
  while (!has_ended(child)) {
    const double elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
    if (request.ticks && elapsed >= next_second) {
      request.ticks(answer.head());
      next_second = std::floor(elapsed) + 1;
    }
    const double left = request.deadline - elapsed;
    if (left <= 0 || answer.cut()) {
      if (left <= 0) result.end = ProcessResult::End::deadline;
      break;
    }
    const bool closed = output.reader() < 0 && answer.reader() < 0;
    const double longest = request.ticks ? next_second - elapsed : 1000;
    const double patience = life.is_open() ? longest : closed ? 0.001 : tick;
    std::array<pollfd, 3> waiting{
        {{output.reader(), POLLIN, 0}, {answer.reader(), POLLIN, 0}, {life.get(), POLLIN, 0}}};
    const int milliseconds = static_cast<int>(std::ceil(1000 * std::min(left, patience)));
    if (::poll(waiting.data(), waiting.size(), milliseconds) > 0) {
      output.read_some(1 << 20);
      answer.read_some(1 << 20);
    }
  }

  if (result.end == ProcessResult::End::deadline && catches(child, SIGUSR1)) {
    constexpr std::chrono::seconds patience{3};
    result.has_last_words = ::kill(child, SIGUSR1) == 0;
    for (const auto end = Clock::now() + patience; Clock::now() < end && !has_ended(child);) {
      output.read_some(1 << 20);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  ::kill(-child, SIGKILL);
  reap(child, result);
  running_group = 0;
  // A descendant may have left the group.
  orphanage.end();
  output.read_some(1 << 20);
  answer.read_some(longest_answer);
  result.answer = answer.head();
  result.answer_cut = answer.cut();
  result.output = output.text();
  return result;
}

}  // namespace macrobench
