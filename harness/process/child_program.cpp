#include "harness/process/child_program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string_view>
#include <thread>

namespace macrobench {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr double patience = 5;         ///< seconds, for a child whose input or output has ended
constexpr double between_looks = 0.1;  ///< seconds, at its memory
constexpr std::size_t kept_message = 4096;  ///< bytes of the beginning, and as many of the end

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

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

[[noreturn]] void become(const ChildCommand& child, int input, int output, int messages,
                         pid_t parent) {
  // A kill of this process must not leave it behind.
  ::prctl(PR_SET_PDEATHSIG, child.has_children ? SIGTERM : SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  if (child.has_children) ::setpgid(0, 0);
  ::dup2(input, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(messages, STDERR_FILENO);
  std::signal(SIGPIPE, SIG_DFL);
  if (child.cores > 0) keep_cores(child.cores);
  if (child.most_in_file > 0) {
    limit(RLIMIT_FSIZE, child.most_in_file);
    limit(RLIMIT_CORE, 0);
  }
  if (child.bare) ::clearenv();
  for (const auto& [name, value] : child.environment) ::setenv(name.c_str(), value.c_str(), 0);
  if (!child.folder.empty() && ::chdir(child.folder.c_str()) != 0) ::_exit(127);
  std::vector<char*> argv;
  for (const std::string& word : child.command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  ::execvp(argv.front(), argv.data());
  const std::string problem = child.command.front() + ": " + std::strerror(errno) + "\n";
  static_cast<void>(!::write(STDERR_FILENO, problem.data(), problem.size()));
  ::_exit(127);
}

/// Two ends that no other program inherits.
struct Pipe {
  Descriptor reader, writer;
};
Pipe open_pipe(const std::string& name) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw std::runtime_error("a pipe to " + name + " could not be opened");
  }
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

/// The first paragraphs of a program's messages, in one line; lines of dashes also separate
/// paragraphs.
std::string first_paragraphs(const std::string& messages, int paragraphs) {
  std::istringstream text(messages.substr(0, 2048));
  std::string message;
  bool in_paragraph = false;
  for (std::string line; std::getline(text, line);) {
    const std::size_t begin = line.find_first_not_of(" \t\r-");
    if (begin == std::string::npos) {
      if (in_paragraph && --paragraphs == 0) break;
      in_paragraph = false;
      continue;
    }
    in_paragraph = true;
    if (!message.empty()) message += ' ';
    message += line.substr(begin);
  }
  return message;
}

std::string last_line(const std::string& messages) {
  const std::size_t end = messages.find_last_not_of(" \t\r\n");
  if (end == std::string::npos) return {};
  const std::size_t begin = messages.find_last_of("\r\n", end) + 1;
  return messages.substr(begin, end + 1 - begin);
}

}  // namespace

bool can_be_started(const std::string& program) {
  const auto is_program = [](const fs::path& file) {
    return ::access(file.c_str(), X_OK) == 0 && !fs::is_directory(file);
  };
  if (program.find('/') != std::string::npos) return is_program(program);
  const char* path = std::getenv("PATH");
  std::string_view folders = path == nullptr ? "" : path;
  while (!folders.empty()) {
    const std::size_t colon = folders.find(':');
    if (is_program(fs::path(folders.substr(0, colon)) / program)) return true;
    folders.remove_prefix(colon == std::string_view::npos ? folders.size() : colon + 1);
  }
  return false;
}

ChildProgram::ChildProgram(const ChildCommand& command)
    : name_(command.name),
      paragraphs_(command.paragraphs),
      most_memory_(command.most_memory),
      most_output_(command.most_output) {
  Pipe input = open_pipe(name_);
  Pipe output = open_pipe(name_);
  Pipe messages = open_pipe(name_);
  const pid_t parent = ::getpid();
  child_ = ::fork();
  if (child_ < 0) throw std::runtime_error(name_ + " could not be started");
  if (child_ == 0) {
    become(command, input.reader.get(), output.writer.get(), messages.writer.get(), parent);
  }
  orphanage_.own(child_);
  to_ = std::move(input.writer);
  from_ = std::move(output.reader);
  messages_ = std::move(messages.reader);
  for (const Descriptor* end : {&from_, &messages_}) ::fcntl(end->get(), F_SETFL, O_NONBLOCK);
  // If the child has died, writing would also end this process, without a message.
  std::signal(SIGPIPE, SIG_IGN);
}

ChildProgram::~ChildProgram() {
  to_.close();
  from_.close();
  if (!ends_within(patience)) {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }
  orphanage_.disown();
  orphanage_.end();
}

bool ChildProgram::ends_within(double seconds) {
  for (const auto begin = Clock::now(); !ended_;) {
    ended_ = ::waitpid(child_, &status_, WNOHANG) != 0;
    if (ended_ || seconds_since(begin) >= seconds) break;
    take_messages();  // a full pipe would keep it from its end
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return ended_;
}

bool ChildProgram::ends_well_within(double seconds) {
  to_.close();
  return ends_within(seconds) && WIFEXITED(status_) && WEXITSTATUS(status_) == 0;
}

void ChildProgram::write(const void* from, std::size_t size) {
  if (write_all(to_.get(), {static_cast<const char*>(from), size}) != 0) gone();
}

/// Whether there was any.
bool ChildProgram::take_output() {
  if (taken_ == output_.size()) {
    output_.clear();
    taken_ = 0;
  }
  std::array<char, 65536> buffer;
  const ssize_t got = ::read(from_.get(), buffer.data(), buffer.size());
  if (got == 0) gone();
  if (got < 0) return false;
  output_.append(buffer.data(), static_cast<std::size_t>(got));
  count_output(static_cast<std::size_t>(got));
  return true;
}

void ChildProgram::count_output(std::size_t size) {
  written_ += size;
  if (most_output_ == 0 || written_ <= most_output_) return;
  kill_because(
      fmt::format("{} was killed: it wrote more than {} MB of output", name_, most_output_ >> 20));
}

void ChildProgram::take_messages() {
  const std::lock_guard lock(messages_mutex_);
  std::array<char, 65536> buffer;
  while (messages_.is_open()) {
    const ssize_t got = ::read(messages_.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return;
    if (got == 0) {
      messages_.close();
      return;
    }
    const std::string_view text(buffer.data(), static_cast<std::size_t>(got));
    written_ += text.size();
    const std::size_t first = std::min(text.size(), kept_message - message_head_.size());
    message_head_ += text.substr(0, first);
    message_tail_ += text.substr(first);
    if (message_tail_.size() > kept_message) {
      message_tail_.erase(0, message_tail_.size() - kept_message);
    }
    if (text.size() < buffer.size()) return;
  }
}

std::string ChildProgram::messages() {
  take_messages();
  const std::lock_guard lock(messages_mutex_);
  return message_head_ + message_tail_;
}

void ChildProgram::signal(int number) const {
  ::kill(child_, number);
}

ProcessUse ChildProgram::use() {
  const ProcessUse now = use_of(child_);
  most_bytes_ = std::max(most_bytes_, now.bytes);
  return now;
}

std::optional<std::vector<std::string>> ChildProgram::open_files() const {
  return open_files_of(child_);
}

void ChildProgram::check_memory() {
  if (most_memory_ == 0 || use().bytes <= most_memory_) return;
  kill_because(fmt::format("{} was killed: it used more than the {:.1f} GB of memory that it may",
                           name_, 1e-9 * static_cast<double>(most_memory_)));
}

/// Waits until there is output, and takes it.
void ChildProgram::wait_for_output(double seconds) {
  const auto begin = Clock::now();
  auto last_look = begin;
  while (!take_output()) {
    count_output(0);
    const double left = seconds - seconds_since(begin);
    if (left <= 0) {
      kill_because(fmt::format("{} did not answer within {:.3g} s", name_, seconds));
    }
    const double wait = most_memory_ > 0 ? std::min(left, between_looks) : left;
    std::array<pollfd, 2> waiting{{{from_.get(), POLLIN, 0}, {messages_.get(), POLLIN, 0}}};
    const int milliseconds =
        std::isinf(wait) ? -1 : static_cast<int>(std::ceil(1000 * std::min(wait, 1e5)));
    ::poll(waiting.data(), waiting.size(), milliseconds);
    take_messages();
    if (seconds_since(last_look) < between_looks) continue;
    check_memory();
    last_look = Clock::now();
  }
}

void ChildProgram::read(void* to, std::size_t size) {
  auto* bytes = static_cast<char*>(to);
  while (size > 0) {
    if (taken_ == output_.size()) wait_for_output(forever);
    const std::size_t part = std::min(size, output_.size() - taken_);
    std::memcpy(bytes, output_.data() + taken_, part);
    bytes += part;
    size -= part;
    taken_ += part;
  }
}

std::string ChildProgram::read_line(double seconds, std::size_t most) {
  const auto begin = Clock::now();
  std::string line;
  while (true) {
    const std::string_view rest = std::string_view(output_).substr(taken_);
    const std::size_t end = rest.find('\n');
    const std::size_t part = std::min(end, rest.size());
    line += rest.substr(0, std::min(part, most - line.size()));
    taken_ += part;
    if (end != std::string_view::npos) {
      ++taken_;
      return line;
    }
    // It may write for ever without an end of a line, or of many that no one asked for.
    wait_for_output(seconds - std::min(seconds, seconds_since(begin)));
  }
}

bool ChildProgram::has_more() {
  return taken_ < output_.size() || take_output();
}

std::string ChildProgram::rest_of_line() {
  constexpr std::size_t longest = 200;
  if (!has_more()) return {};
  const std::string_view rest = std::string_view(output_).substr(taken_, longest);
  return std::string(rest.substr(0, rest.find('\n')));
}

void ChildProgram::gone() {
  ends_within(patience);
  take_messages();  // all of them are there now
  const std::string message =
      paragraphs_ > 0 ? first_paragraphs(messages(), paragraphs_) : last_line(messages());
  std::string how;
  if (paragraphs_ == 0 && ended_) {
    how = WIFSIGNALED(status_) ? fmt::format(" (killed by signal {})", WTERMSIG(status_))
                               : fmt::format(" (exit code {})", WEXITSTATUS(status_));
  }
  throw std::runtime_error(name_ + " ended before it answered" + how +
                           (message.empty() ? "" : ": " + message));
}

void ChildProgram::kill_because(const std::string& why) {
  ::kill(child_, SIGKILL);
  ends_within(patience);
  throw NoAnswer(why);
}

}  // namespace macrobench
