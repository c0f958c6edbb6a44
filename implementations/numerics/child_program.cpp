#include "implementations/numerics/child_program.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <thread>

namespace macrobench::numerics {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds patience{5};  ///< for a child whose input or output has ended

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
  for (const auto& [name, value] : child.environment) ::setenv(name.c_str(), value.c_str(), 0);
  std::vector<char*> argv;
  for (const std::string& word : child.command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  ::execvp(argv.front(), argv.data());
  ::_exit(127);
}

bool ends_by_itself(pid_t child) {
  for (const auto end = Clock::now() + patience; Clock::now() < end;) {
    if (::waitpid(child, nullptr, WNOHANG) != 0) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return false;
}

/// The first paragraphs of a program's messages, in one line; lines of dashes also separate
/// paragraphs.
std::string first_message(const std::string& messages, int paragraphs) {
  std::istringstream text(messages);
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
    : name_(command.name), paragraphs_(command.paragraphs) {
  std::array<int, 2> input{};
  std::array<int, 2> output{};
  if (::pipe2(input.data(), O_CLOEXEC) != 0 || ::pipe2(output.data(), O_CLOEXEC) != 0) {
    throw std::runtime_error("a pipe to " + name_ + " could not be opened");
  }
  messages_ = ::memfd_create("messages", MFD_CLOEXEC);
  const pid_t parent = ::getpid();
  child_ = ::fork();
  if (child_ < 0) throw std::runtime_error(name_ + " could not be started");
  if (child_ == 0) become(command, input[0], output[1], messages_, parent);
  ::close(input[0]);
  ::close(output[1]);
  to_ = ::fdopen(input[1], "w");
  from_ = ::fdopen(output[0], "r");
  // If the child has died, writing would also end this process, without a message.
  std::signal(SIGPIPE, SIG_IGN);
}

ChildProgram::~ChildProgram() {
  std::fclose(to_);
  std::fclose(from_);
  ::close(messages_);
  if (ends_by_itself(child_)) return;
  ::kill(child_, SIGKILL);
  ::waitpid(child_, nullptr, 0);
}

void ChildProgram::write(const void* from, std::size_t size) {
  if (std::fwrite(from, 1, size, to_) != size || std::fflush(to_) != 0) gone();
}

void ChildProgram::read(void* to, std::size_t size) {
  if (std::fread(to, 1, size, from_) != size) gone();
}

void ChildProgram::signal(int number) const {
  ::kill(child_, number);
}

std::string ChildProgram::messages(std::size_t from) const {
  std::array<char, 2048> some{};
  const ssize_t size = ::pread(messages_, some.data(), some.size(), static_cast<off_t>(from));
  return {some.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
}

std::string ChildProgram::rest_of_line() {
  constexpr std::size_t longest = 200;
  std::string line;
  ::fcntl(::fileno(from_), F_SETFL, O_NONBLOCK);
  for (int c = 0; line.size() < longest && (c = std::fgetc(from_)) != EOF && c != '\n';) {
    line += static_cast<char>(c);
  }
  return line;
}

void ChildProgram::gone() {
  ends_by_itself(child_);  // so all of its messages are there
  const std::string message = first_message(messages(), paragraphs_);
  throw std::runtime_error(name_ + " ended before it answered" +
                           (message.empty() ? "" : ": " + message));
}

}  // namespace macrobench::numerics
