#pragma once

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <ostream>
#include <stdexcept>
#include <string>

#include "tests/environment_scope.hpp"
#include "tests/matchers.hpp"
#include "tests/paths.hpp"

namespace macrobench {

/// What a command did.
struct CommandAnswer {
  int code = -1;  ///< its exit code; -1 if it was killed
  std::string output;
};
using Answer = CommandAnswer;

inline void PrintTo(const CommandAnswer& answer, std::ostream* out) {
  *out << "code " << answer.code << "\n" << answer.output;
}

/// That the command ends with this code, and its output is as this matcher wants it.
template <class Matcher>
auto Answers(int code, Matcher output) {
  return AllOf(::testing::Field("code", &CommandAnswer::code, code),
               ::testing::Field("output", &CommandAnswer::output, output));
}

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

/// Runs macrobench, by a shell, with these arguments; `streams` says which of its streams are
/// read, and `before` is what the shell does first.
inline Answer macrobench(const std::string& arguments, const std::string& streams = "2>&1",
                         const std::string& before = "") {
  return by_shell(before + "'" + executable_path() + "' " + arguments + " " + streams);
}

/// While this lives, a campaign measures no speeds of the machine, which would take seconds: where
/// OpenMP may give fewer threads than a case names, the case does not run. Others have one thread.
inline EnvironmentScope without_speeds() {
  return {"OMP_DYNAMIC", "true"};
}

/// What it prints, as JSON.
inline nlohmann::json json_of(const std::string& arguments, const std::string& streams = "2>&1") {
  return nlohmann::json::parse(macrobench(arguments, streams).output);
}

/// This exit code and one sentence that says so.
inline void expect_usage_error(const std::string& arguments, const std::string& sentence,
                               int code = 2) {
  const CommandAnswer answer = macrobench(arguments);
  EXPECT_THAT(answer, Answers(code, AllOf(HasSubstr("macrobench: "), HasSubstr(sentence))))
      << arguments;
  EXPECT_EQ(std::ranges::count(answer.output, '\n'), 1) << answer.output;
}

}  // namespace macrobench
