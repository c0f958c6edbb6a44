#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace macrobench {

/// A program to run as a child process.
struct ProcessRequest {
  std::string executable;            ///< a path, or a name to be found on PATH
  std::vector<std::string> command;  ///< its argv
  std::string input;                 ///< what it reads on standard input
  double deadline = 600;             ///< seconds
};

/// What became of it.
struct ProcessResult {
  enum class End { exited, signalled, deadline, not_started };

  End end = End::not_started;
  int code = 0;             ///< exit code, signal number, or errno where it could not be started
  std::string answer;       ///< what it wrote on file descriptor 3 ...
  bool answer_cut = false;  ///< ... or its beginning, where that was more than anyone may answer
  std::string output;       ///< of standard output and error, the beginning and the end
};

/// Runs the program to its end or to its deadline, in a process group of its own, which is killed
/// with it, and which dies with this process. An interrupt or a termination of this process
/// meanwhile kills the group and exits with code 130. One at a time.
ProcessResult run_process(const ProcessRequest& request);

}  // namespace macrobench
