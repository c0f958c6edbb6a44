#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/commands/options.hpp"
#include "harness/text/error.hpp"

namespace macrobench {

/// One subcommand of the program. Register it at namespace scope of the file that defines it; there
/// is no list of them.
struct Command {
  std::string name;
  std::string summary;  ///< one line
  std::string example;  ///< shown under --help
  /// Adds options to the subcommand and returns the function that runs it. The options are stored
  /// in its closure.
  std::function<std::function<ExitCode()>(Options& options)> define;
  int rank = 100;  ///< order under --help
};

struct RegisterCommand {
  explicit RegisterCommand(Command command);
};

/// "5m", "90s", "1.5h", "300" (seconds) or "none" (infinite). Throws UsageError.
double parse_duration(const std::string& text);

/// What the program was asked: the words after its name, with absolute paths cut to their last
/// part.
const std::string& asked();

/// One line on standard error for each.
void warn(const std::vector<std::string>& warnings);

/// The program: parses, runs the subcommand, turns exceptions into one sentence on standard error
/// and an exit code.
int command_line_main(int argc, char** argv);

}  // namespace macrobench
