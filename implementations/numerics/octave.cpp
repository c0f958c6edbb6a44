#include "implementations/numerics/octave.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string_view>

namespace macrobench::numerics {

namespace {

namespace fs = std::filesystem;

constexpr const char* interpreter_name = "octave-cli";

[[noreturn]] void gone() {
  throw std::runtime_error("Octave ended before it had answered; its message is above");
}

std::unique_ptr<Octave>& interpreter() {
  static std::unique_ptr<Octave> octave;
  return octave;
}

}  // namespace

std::string no_octave_here() {
  const char* path = std::getenv("PATH");
  std::string_view folders = path == nullptr ? "" : path;
  while (!folders.empty()) {
    const std::size_t colon = folders.find(':');
    const fs::path file = fs::path(folders.substr(0, colon)) / interpreter_name;
    if (::access(file.c_str(), X_OK) == 0) return {};
    folders.remove_prefix(colon == std::string_view::npos ? folders.size() : colon + 1);
  }
  return "GNU Octave is not installed (make replicate OCTAVE=on installs it)";
}

Octave::Octave() {
  std::array<int, 2> commands{};
  std::array<int, 2> answers{};
  if (::pipe(commands.data()) != 0 || ::pipe(answers.data()) != 0) {
    throw std::runtime_error("no pipe to Octave could be opened");
  }
  child_ = ::fork();
  if (child_ < 0) throw std::runtime_error("Octave could not be started");
  if (child_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a kill of this process must not leave it behind
    ::dup2(commands[0], STDIN_FILENO);
    ::dup2(answers[1], STDOUT_FILENO);
    for (const int end : {commands[0], commands[1], answers[0], answers[1]}) ::close(end);
    ::execlp(interpreter_name, interpreter_name, "--quiet", "--norc", "--no-history", nullptr);
    ::_exit(127);
  }
  ::close(commands[0]);
  ::close(answers[1]);
  to_ = ::fdopen(commands[1], "w");
  from_ = ::fdopen(answers[0], "r");
}

Octave::~Octave() {
  std::fclose(to_);
  std::fclose(from_);
  ::kill(child_, SIGKILL);
  ::waitpid(child_, nullptr, 0);
}

void Octave::send(const std::string& commands) {
  // Where Octave has died, writing would end this process too, without a word.
  std::signal(SIGPIPE, SIG_IGN);
  if (std::fputs(commands.c_str(), to_) < 0 || std::fflush(to_) != 0) gone();
}

std::string Octave::read_line() {
  std::string line;
  for (int c = std::fgetc(from_); c != '\n'; c = std::fgetc(from_)) {
    if (c == EOF) gone();
    line += static_cast<char>(c);
  }
  return line;
}

void Octave::read_bytes(void* to, std::size_t size) {
  if (std::fread(to, 1, size, from_) != size) gone();
}

void start_octave(const std::string& folder) {
  interpreter() = std::make_unique<Octave>();
  running_octave().send("addpath('" + folder + "'); puts(\"ready\\n\"); fflush(stdout);\n");
  running_octave().read_line();
}

Octave& running_octave() {
  if (!interpreter()) throw std::logic_error("Octave was not started");
  return *interpreter();
}

}  // namespace macrobench::numerics
