#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/command_line/axis_options.hpp"
#include "harness/command_line/options.hpp"
#include "harness/text/error.hpp"

namespace macrobench {

/// One subcommand of macrobench.
struct Command {
  std::string name;
  std::string summary;  ///< one line
  std::string example;  ///< shown under --help
  /// Order under --help; its tens are the heading: 1 run, 2 read, 3 check, 4 track, 5 data.
  int rank = 50;
  /// Adds its options and returns the function that runs it. RegisterCommand makes it.
  std::function<std::function<ExitCode()>(Options& options)> define = {};
};

/// Registers a command, at namespace scope of the file that defines it; there is no list of them.
/// `add` adds its options and binds them to its flags, with which `run` is called.
class RegisterCommand {
 public:
  template <class Flags>
  RegisterCommand(Command command, std::type_identity_t<void (*)(Flags&, Options&)> add,
                  ExitCode (*run)(const Flags&)) {
    command.define = [add, run](Options& app) -> std::function<ExitCode()> {
      const auto flags = std::make_shared<Flags>();
      add(*flags, app);
      return [flags, run] { return run(*flags); };
    };
    keep(std::move(command));
  }
  /// `run` also takes what is not an option of the command: names, and a model's parameters.
  template <class Flags>
  RegisterCommand(Command command, std::type_identity_t<void (*)(Flags&, Options&)> add,
                  ExitCode (*run)(const Flags&, const AxisOptions&)) {
    command.define = [add, run](Options& app) -> std::function<ExitCode()> {
      const auto flags = std::make_shared<Flags>();
      app.allow_extras();
      add(*flags, app);
      return [flags, run, &app] {
        return run(*flags, parse_axis_options(app.remaining(), app.names()));
      };
    };
    keep(std::move(command));
  }

 private:
  static void keep(Command command);
};

/// What macrobench was asked: the words after its name, with absolute paths cut to their last
/// part.
const std::string& asked();

/// Prints a line that may have a stranger's text in it: printable(), and cut if it is very long.
void print_text_line(std::FILE* stream, std::string_view line);
/// The same of a format and what goes into it.
template <class... Args>
void print_line(std::FILE* stream, fmt::format_string<Args...> text, Args&&... args) {
  print_text_line(stream, fmt::format(text, std::forward<Args>(args)...));
}

/// One line on standard error for each; of very many only the first.
void warn(const std::vector<std::string>& warnings);

/// Macrobench itself: parses, runs the subcommand, turns exceptions into one sentence on standard
/// error and an exit code.
int command_line_main(int argc, char** argv);

}  // namespace macrobench
