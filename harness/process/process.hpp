#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace macrobench {

/// A command to run as a child process.
struct ProcessRequest {
  std::string executable;                               ///< a path, or a name on the PATH
  std::vector<std::string> command;                     ///< its argv
  std::string input = {};                               ///< what it reads on standard input
  double deadline = 600;                                ///< seconds
  std::map<std::string, std::string> environment = {};  ///< variables added to this process's own
  int answers_on = 3;                                   ///< the file descriptor with its answer
  bool shares_error = false;  ///< its standard error is this process's own, and not kept
  /// Called once a second while it runs, with what it has answered so far; it must not throw.
  std::function<void(std::string_view answer)> ticks = {};
};

/// How it ended.
struct ProcessResult {
  enum class End { exited, signalled, deadline, not_started };

  End end = End::not_started;
  int code = 0;             ///< exit code, signal number, or errno if it could not be started
  std::string answer;       ///< what it wrote on the descriptor that it answers on ...
  bool answer_cut = false;  ///< ... or its beginning, if it was longer than the limit
  std::string output;       ///< of its other output and its error, the beginning and the end
  double cpu_seconds = 0;   ///< over all threads, also of those of its children that it waited for
  std::int64_t preempted = 0;  ///< how often one of these threads was made to give way

  [[nodiscard]] bool succeeded() const { return end == End::exited && code == 0; }
};

/// Runs the command to its end or to its deadline, in its own process group, which is killed with
/// it, as is what it started outside of it, and dies with this process. If this process is
/// interrupted or terminated meanwhile, it kills the group and exits with code 130. Only one
/// command runs at a time.
ProcessResult run_process(const ProcessRequest& request);

}  // namespace macrobench
