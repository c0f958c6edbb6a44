#include "implementations/numerics/octave.hpp"

#include <memory>
#include <stdexcept>

namespace macrobench::numerics {

namespace {

constexpr const char* interpreter_name = "octave-cli";

std::unique_ptr<Octave>& interpreter() {
  static std::unique_ptr<Octave> octave;
  return octave;
}

}  // namespace

std::string no_octave_here() {
  if (can_be_started(interpreter_name)) return {};
  return "GNU Octave is not installed (make replicate OCTAVE=on installs it)";
}

Octave::Octave()
    : program_(
          {.name = "Octave", .command = {interpreter_name, "--quiet", "--norc", "--no-history"}}) {}

void Octave::send(const std::string& commands) {
  program_.write(commands.data(), commands.size());
}

std::string Octave::read_line() {
  std::string line;
  for (char c = 0; program_.read(&c, 1), c != '\n';) line += c;
  return line;
}

void start_octave(const std::string& folder) {
  interpreter() = std::make_unique<Octave>();
  std::string quoted;
  for (const char c : folder) quoted += c == '\'' ? "''" : std::string(1, c);
  running_octave().send("addpath('" + quoted + "'); puts(\"ready\\n\"); fflush(stdout);\n");
  running_octave().read_line();
}

Octave& running_octave() {
  if (!interpreter()) throw std::logic_error("Octave was not started");
  return *interpreter();
}

}  // namespace macrobench::numerics
