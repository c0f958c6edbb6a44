#pragma once

// The commands that a program gets on its standard input, one per line, and its answers: lines that
// begin with "mb1 " and repeat the command. Other lines are its log; a line of progress without an
// end may stand before an answer.

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/process/child_process.hpp"
#include "harness/text/error.hpp"

namespace macrobench {

/// What a program said or did instead of what was asked for; one sentence.
struct ProgramFault : ReadableError {
  using ReadableError::ReadableError;
};

/// Seconds that each command may take. A solution has those of its case.
struct ProgramDeadlines {
  double hello = 60;
  double start = 300;
  double load = 120;
  double ping = 10;
  double solve = ChildProcess::forever;
  double write = 120;
  double bye = 10;
};

class Conversation {
 public:
  explicit Conversation(const ChildCommand& command, ProgramDeadlines deadlines = {});

  /// What it says of its versions, and of its device.
  std::string hello();
  std::string start(const std::map<std::string, std::string>& options);
  void load(const std::string& id, const std::filesystem::path& folder);
  void ping();
  void solve(const std::vector<std::string>& ids);
  void write(const std::string& id, const std::filesystem::path& folder);
  /// Whether it ended by itself afterwards, with code 0.
  bool bye();

  /// Sends a line, and returns the next answer, whatever it is, without "mb1 "; for tests of what a
  /// program does with what is not a command. Behind other text only `echo` or an error is
  /// an answer.
  std::string say(std::string_view line, double deadline, std::string_view echo = "error");

  [[nodiscard]] ChildProcess& program() { return program_; }

 private:
  std::string ask(const std::string& command, const std::string& echo, double deadline);
  void check_silence(std::string_view command);
  [[nodiscard]] std::string last_words();

  std::string name_;
  ProgramDeadlines deadlines_;
  ChildProcess program_;
  int pings_ = 0;
  std::string log_;  ///< its last line that is not an answer
};

}  // namespace macrobench
