#include "harness/process/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <system_error>
#include <tuple>

#include "harness/process/elapsed.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

constexpr double patience = 5;         ///< seconds, for a child whose input or output has ended
constexpr double between_looks = 0.1;  ///< seconds, at its memory
constexpr std::size_t kept_message = 4096;  ///< bytes of the beginning, and as many of the end
/// Reads in a row from one descriptor: more than any pipe holds.
constexpr int most_reads = 32;

void limit(int resource, std::uint64_t most) {
  const rlimit both{.rlim_cur = most, .rlim_max = most};
  ::setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

/// Leaves this thread the first of the cores that it has.
void keep_cores(int count) {
  cpu_set_t has;
  if (::sched_getaffinity(0, sizeof has, &has) != 0) return;
  cpu_set_t kept;
  CPU_ZERO(&kept);
  for (std::size_t core = 0; core < CPU_SETSIZE && count > 0; ++core) {
    if (!CPU_ISSET(core, &has)) continue;
    CPU_SET(core, &kept);
    --count;
  }
  ::sched_setaffinity(0, sizeof kept, &kept);
}

[[noreturn]] void give_up(const std::string& problem) {
  static_cast<void>(write_all(STDERR_FILENO, problem + "\n"));
  ::_exit(127);
}

/// The descriptors that the child gets.
struct Ends {
  Descriptor input, answers, messages;
};

void take_descriptors(const ChildCommand& child, const Ends& ends) {
  // Move them out of the way first: one may have the number that another needs.
  std::array<int, 3> moved{ends.messages.get(), ends.input.get(), ends.answers.get()};
  for (int& end : moved) {
    end = ::fcntl(end, F_DUPFD_CLOEXEC, 10);
    if (end >= 0) continue;
    ::dup2(ends.messages.get(), STDERR_FILENO);
    give_up("a process may not open enough files here: raise the limit (ulimit -n 64)");
  }
  ::dup2(moved[0], STDOUT_FILENO);
  if (!child.shares_error) ::dup2(moved[0], STDERR_FILENO);
  ::dup2(moved[1], STDIN_FILENO);
  ::dup2(moved[2], child.answers_on);
}

[[noreturn]] void become(const ChildCommand& child, const Ends& ends, pid_t parent) {
  if (child.own_group) ::setpgid(0, 0);
  // A kill of this process must not leave it behind.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ, SIGCHLD}) {
    std::signal(number, SIG_DFL);
  }
  take_descriptors(child, ends);
  if (child.cores > 0) keep_cores(child.cores);
  if (child.most_in_file > 0) {
    limit(RLIMIT_FSIZE, child.most_in_file);
    limit(RLIMIT_CORE, 0);
  }
  if (child.bare) ::clearenv();
  for (const auto& [name, value] : child.environment) {
    ::setenv(name.c_str(), value.c_str(), child.overrides ? 1 : 0);
  }
  if (!child.folder.empty() && ::chdir(child.folder.c_str()) != 0) {
    give_up("cannot enter " + child.folder.string() + ": " + std::strerror(errno));
  }
  std::vector<char*> argv;
  for (const std::string& word : child.command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const char* const executable = child.executable.empty() ? argv[0] : child.executable.c_str();
  ::execvp(executable, argv.data());
  give_up(std::string("cannot run ") + executable + ": " + std::strerror(errno));
}

[[noreturn]] void not_started(const std::string& name) {
  throw std::system_error(errno, std::generic_category(), name + " could not be started");
}

/// A reader and a writer that no other process inherits.
std::pair<Descriptor, Descriptor> open_pipe(const std::string& name) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) not_started(name);
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

/// A file in memory: unlike a pipe, it cannot fill up, or raise SIGPIPE when nobody reads it.
Descriptor file_with(std::string_view content, const std::string& name) {
  Descriptor file(::memfd_create("macrobench_job", MFD_CLOEXEC));
  if (!file.is_open() || write_all(file.get(), content) != 0) not_started(name);
  ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

/// What is there now; nothing if nothing is. At the end it closes the descriptor.
std::string_view read_some(Descriptor& from, std::array<char, 65536>& buffer) {
  if (!from.is_open()) return {};
  ssize_t got = -1;
  do {
    got = ::read(from.get(), buffer.data(), buffer.size());
  } while (got < 0 && errno == EINTR);
  if (got == 0 || (got < 0 && errno != EAGAIN)) from.close();
  return {buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))};
}

}  // namespace

bool can_be_started(const std::string& name) {
  const auto is_executable = [](const fs::path& file) {
    return ::access(file.c_str(), X_OK) == 0 && !fs::is_directory(file);
  };
  if (name.find('/') != std::string::npos) return is_executable(name);
  const char* path = std::getenv("PATH");
  std::string_view folders = path == nullptr ? "" : path;
  while (!folders.empty()) {
    const std::size_t colon = folders.find(':');
    if (is_executable(fs::path(folders.substr(0, colon)) / name)) return true;
    folders.remove_prefix(colon == std::string_view::npos ? folders.size() : colon + 1);
  }
  return false;
}

ChildProcess::ChildProcess(const ChildCommand& command)
    : name_(command.name),
      has_group_(command.own_group),
      most_memory_(command.most_memory),
      most_output_(command.most_output) {
  Ends ends;
  std::tie(from_, ends.answers) = open_pipe(name_);
  std::tie(messages_from_, ends.messages) = open_pipe(name_);
  if (command.input) {
    ends.input = file_with(*command.input, name_);
  } else {
    std::tie(ends.input, to_) = open_pipe(name_);
    // If the child has died, writing would also end this process, without a message.
    std::signal(SIGPIPE, SIG_IGN);
  }
  const pid_t parent = ::getpid();
  child_ = ::fork();
  if (child_ < 0) not_started(name_);
  if (child_ == 0) become(command, ends, parent);
  if (has_group_) ::setpgid(child_, child_);
  orphanage_.own(child_);
  life_ = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, child_, 0)));
  for (const Descriptor* end : {&from_, &messages_from_}) ::fcntl(end->get(), F_SETFL, O_NONBLOCK);
}

ChildProcess::~ChildProcess() {
  to_.close();
  from_.close();
  ends_within(patience);
  end();
}

bool ChildProcess::has_ended() const {
  siginfo_t info{};
  // It stays a zombie until end(), so that its group's number cannot be reused meanwhile.
  return is_reaped_ ||
         ::waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid == child_;
}

bool ChildProcess::ends_within(double seconds) {
  const auto begin = Clock::now();
  while (!has_ended()) {
    const double left = seconds - seconds_since(begin);
    if (left <= 0) return false;
    wait_for_output(Descriptor(), left);  // full messages would keep it from its end
  }
  return true;
}

bool ChildProcess::ends_well_within(double seconds) {
  to_.close();
  if (!ends_within(seconds)) return false;
  end();
  return WIFEXITED(status_) && WEXITSTATUS(status_) == 0;
}

void ChildProcess::end() {
  if (is_reaped_) return;
  ::kill(has_group_ ? -child_ : child_, SIGKILL);
  while (::wait4(child_, &status_, 0, &usage_) < 0 && errno == EINTR) {
  }
  is_reaped_ = true;
  // A descendant may have left the group.
  orphanage_.end();
  take_messages();
  for (int reads = 0; reads < most_reads && take_answers();) ++reads;
}

void ChildProcess::write(std::string_view text) {
  if (write_all(to_.get(), text) != 0) gone();
}

/// Whether there were any.
bool ChildProcess::take_answers() {
  if (read_ == answers_.size()) {
    answers_.clear();
    read_ = 0;
  }
  std::array<char, 65536> buffer;
  const std::string_view got = read_some(from_, buffer);
  answers_ += got;
  written_ += got.size();
  return !got.empty();
}

void ChildProcess::take_messages() {
  const std::lock_guard lock(messages_mutex_);
  std::array<char, 65536> buffer;
  for (int reads = 0; reads < most_reads; ++reads) {
    const std::string_view got = read_some(messages_from_, buffer);
    messages_ += got;
    written_ += got.size();
    if (got.size() < buffer.size()) break;
  }
  if (messages_.size() <= 2 * kept_message) return;
  messages_.erase(kept_message, messages_.size() - 2 * kept_message);
  are_messages_cut_ = true;
}

std::string ChildProcess::messages() {
  take_messages();
  const std::lock_guard lock(messages_mutex_);
  if (!are_messages_cut_) return messages_;
  return messages_.substr(0, kept_message) + "\n...\n" + messages_.substr(kept_message);
}

void ChildProcess::signal(int number) const {
  if (!is_reaped_) ::kill(child_, number);
}

std::vector<pid_t> ChildProcess::family() const {
  std::vector<pid_t> all = orphanage_.strays();
  all.push_back(child_);
  return all;
}

std::optional<std::int64_t> ChildProcess::peak_resident_bytes() const {
  return macrobench::peak_resident_bytes(family());
}

void ChildProcess::check_limits() {
  if (most_output_ > 0 && written_ > most_output_) {
    kill_because<OverLimit>(fmt::format("{} was killed: it wrote more than {} MB of output", name_,
                                        most_output_ >> 20));
  }
  if (most_memory_ == 0 || seconds_since(last_look_) < between_looks) return;
  last_look_ = Clock::now();
  if (use().bytes <= most_memory_) return;
  kill_because<OverLimit>(
      fmt::format("{} was killed: it used more than the {:.1f} GB of memory that it may", name_,
                  1e-9 * static_cast<double>(most_memory_)));
}

/// Waits until there is some, or it has ended; takes its messages.
void ChildProcess::wait_for_output(const Descriptor& answers, double seconds) {
  // A kernel without life_ shows the end by both outputs' end, or at the next look.
  const bool is_silent = !from_.is_open() && !messages_from_.is_open();
  const double longest = !life_.is_open()    ? (is_silent ? 0.001 : between_looks / 2)
                         : most_memory_ == 0 ? forever
                                             : between_looks;
  const double wait = std::min(seconds, longest);
  std::array<pollfd, 3> waiting{
      {{answers.get(), POLLIN, 0}, {messages_from_.get(), POLLIN, 0}, {life_.get(), POLLIN, 0}}};
  const int milliseconds =
      std::isinf(wait) ? -1 : static_cast<int>(std::ceil(1000 * std::min(wait, 1e5)));
  ::poll(waiting.data(), waiting.size(), milliseconds);
  take_messages();
}

void ChildProcess::wait(double seconds) {
  wait_for_output(from_, seconds);
  take_answers();
  check_limits();
}

std::string ChildProcess::read_line(double seconds, std::size_t most) {
  const auto begin = Clock::now();
  std::string line;
  while (true) {
    const std::size_t end = unread().find('\n');
    const std::size_t piece = std::min(end, unread().size());
    line += unread().substr(0, std::min(piece, most - line.size()));
    read_ += piece;
    if (end != std::string_view::npos) {
      ++read_;
      return line;
    }
    const bool is_over = !from_.is_open() || has_ended();
    check_limits();
    if (has_more()) continue;
    if (is_over && !line.empty()) return line;
    if (is_over) gone();
    // It may write for ever without an end of a line, or of many that no one asked for.
    const double left = seconds - seconds_since(begin);
    if (left <= 0) {
      answers_.insert(read_, line);  // for who wants to know what it was about to say
      kill_because<NoAnswer>(fmt::format("{} did not answer within {:.3g} s", name_, seconds));
    }
    wait(left);
  }
}

void ChildProcess::gone() {
  const bool by_itself = ends_within(patience);
  end();
  const std::string message(last_line(messages()));
  std::string how;
  if (by_itself) {
    how = WIFSIGNALED(status_) ? fmt::format(" (killed by signal {})", WTERMSIG(status_))
                               : fmt::format(" (exit code {})", WEXITSTATUS(status_));
  }
  throw std::runtime_error(name_ + " ended before it answered" + how +
                           (message.empty() ? "" : ": " + message));
}

template <class Why>
void ChildProcess::kill_because(const std::string& why) {
  end();
  throw Why(why);
}

}  // namespace macrobench
