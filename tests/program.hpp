#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "tests/paths.hpp"

namespace macrobench {

/// What the program did.
struct ProgramAnswer {
  int code = -1;  ///< its exit code; -1 where it was killed
  std::string output;
};
using Answer = ProgramAnswer;

/// Runs a command by a shell.
inline Answer by_shell(const std::string& command) {
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("popen: " + command);
  Answer answer;
  std::array<char, 4096> buffer{};
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    answer.output.append(buffer.data(), n);
  }
  const int status = ::pclose(pipe);
  if (WIFEXITED(status)) answer.code = WEXITSTATUS(status);
  return answer;
}

/// Runs the program, by a shell, with these arguments; `streams` says which of its streams are
/// read, and `before` is what the shell does first.
inline Answer macrobench(const std::string& arguments, const std::string& streams = "2>&1",
                         const std::string& before = "") {
  return by_shell(before + "'" + program_path() + "' " + arguments + " " + streams);
}

}  // namespace macrobench
