#include "harness/command_line/command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <exception>
#include <filesystem>
#include <optional>
#include <ranges>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/command_line/empty_value.hpp"
#include "harness/machine/machine.hpp"
#include "harness/model/registry.hpp"
#include "harness/process/child_process.hpp"
#include "harness/process/standard_streams.hpp"
#include "harness/programs/program_models.hpp"
#include "harness/programs/program_run.hpp"
#include "harness/records/results_folder.hpp"
#include "harness/run/runner.hpp"
#include "harness/text/nearest.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

std::vector<Command>& commands() {
  static std::vector<Command> all;
  return all;
}

std::string& words_asked() {
  static std::string words;
  return words;
}

/// "--wealth=/home/a/b.npy" -> "--wealth=b.npy": the folders of one machine mean nothing on
/// another.
std::string without_absolute_path(const std::string& word) {
  const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
  const std::size_t begin = equals == std::string::npos ? 0 : equals + 1;
  const std::filesystem::path path(word.substr(begin));
  return path.is_absolute() ? word.substr(0, begin) + folder_name(path) : word;
}

int complain(ExitCode code, std::string_view sentence) {
  print_line(stderr, "macrobench: {}", sentence);
  return static_cast<int>(code);
}

/// The first option that the command does not have; empty if that is not what is wrong.
std::string unknown_option(const CLI::Error& error, const CLI::App& app) {
  if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr) return {};
  for (const CLI::App* command : app.get_subcommands()) {
    for (const std::string& word : command->remaining()) {
      if (word.starts_with("--")) return word.substr(2, word.find('=') - 2);
    }
  }
  return {};
}

/// CLI11 would only say that an argument was not expected.
std::string usage_of(const CLI::Error& error, const CLI::App& app, int argc, char** argv) {
  const std::string name = argc > 1 && argv[1][0] != '-' ? argv[1] : "";
  const std::string said = shortened(error.what(), 500);
  if (name.empty()) return fmt::format("{}; see macrobench --help", said);
  std::vector<std::string> known;
  for (const Command& command : commands()) known.push_back(command.name);
  if (std::ranges::count(known, name) == 0) return unknown_name("command", name, known);
  if (const std::string option = unknown_option(error, app); !option.empty()) {
    return fmt::format("{}; see macrobench {} --help",
                       unknown_name("option", option, names_of_options(*app.get_subcommand(name))),
                       name);
  }
  return fmt::format("{}; see macrobench {} --help", said, name);
}

}  // namespace

void RegisterCommand::keep(Command command) {
  commands().push_back(std::move(command));
}

const std::string& asked() {
  return words_asked();
}

void print_text_line(std::FILE* stream, std::string_view line) {
  constexpr std::size_t longest = 4000;
  // fmt would throw: what cannot be said on standard error is lost, and what is lost of the answer
  // flush_standard_output() finds.
  const std::string text = printable(shortened(line, longest)) + "\n";
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stream));
}

void warn(const std::vector<std::string>& warnings) {
  constexpr std::size_t most = 100;
  for (const std::string& warning : warnings | std::views::take(most)) {
    print_line(stderr, "macrobench: warning: {}", warning);
  }
  if (warnings.size() > most) {
    print_line(stderr, "macrobench: warning: and {} more warnings", warnings.size() - most);
  }
}

namespace {

constexpr const char* about = "Macrobench: the papers that brought GPUs to macroeconomics, rerun.";

/// What macrobench is, for who types its name alone, and what to try on this machine.
std::string greeting() {
  const Machine machine = this_machine();
  const Registry& registry = Registry::global();
  const auto runs_here = [&](const char* id) {
    const Implementation* const its = registry.find(id);
    return its != nullptr && its->unavailable().empty();
  };
  const std::string fastest = runs_here("rbc/frontier_cuda") ? "rbc/frontier_cuda" : "rbc/frontier";
  std::vector<std::pair<std::string, std::string>> commands{
      {"doctor", "this machine, and the programs that it can run"},
      {"list", "the models and their programs"},
      {"run " + fastest + " --nk 4096 --certify", "a solution, timed and checked"}};
  if (has_records(own_folder(usual_results, machine))) {
    commands.emplace_back("tables aldrich_2014/table_2", "a table as published, and here");
    commands.emplace_back("claims", "tests of the papers' claims");
  } else {
    commands.emplace_back("replicate --budget 1m", "their tables here, in a minute");
    commands.emplace_back("report", "then all of it on one page");
  }
  std::string text = fmt::format(
      "{}\n\nEvery program behind their tables, timed only if its result is right; then each\n"
      "table again, published and measured side by side. On this machine, try:\n\n",
      about);
  for (const auto& [command, what] : commands) {
    text += fmt::format("  macrobench {:<37}  {}\n", command, what);
  }
  return text + "\nmacrobench --help lists all commands, macrobench COMMAND --help explains one.\n";
}

/// The options that go with every command and are about programs from outside: takes them out of
/// the arguments and puts them into the environment, which the processes of cases inherit. Throws
/// UsageError.
std::vector<char*> take_program_options(int argc, char** argv) {
  std::vector<char*> rest;
  for (int i = 0; i < argc; ++i) {
    const std::string word = argv[i];
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    if (name != "--programs" && name != "--program-memory" && name != "--sandbox") {
      rest.push_back(argv[i]);
      continue;
    }
    if (name == "--sandbox") {
      if (!can_be_started("bwrap")) {
        throw UsageError("--sandbox needs bubblewrap, and bwrap is not on the PATH: install it");
      }
      ::setenv(sandbox_variable, "on", 1);
      continue;
    }
    if (equals == std::string::npos && i + 1 == argc) throw UsageError("{} takes a value", name);
    const std::string value = equals == std::string::npos ? argv[++i] : word.substr(equals + 1);
    if (value.empty()) throw UsageError("{}: {}", name, empty_value_is_wrong);
    if (name == "--program-memory") {
      const std::optional<double> megabytes = finite_number(value);
      if (!megabytes || *megabytes < 1 || *megabytes > 1e9) {
        throw UsageError("--program-memory '{}': it takes a number of MB", shown(value));
      }
      ::setenv(memory_variable, fmt::format("{:.0f}", *megabytes).c_str(), 1);
      continue;
    }
    if (program_folders(value).empty()) {
      throw UsageError("--programs {}: there is no program in it, which is a folder with {}",
                       shown(value), manifest_name);
    }
    const char* set = std::getenv(program_folders_variable);
    const std::string before = set == nullptr || *set == '\0' ? "" : std::string(set) + ":";
    ::setenv(program_folders_variable, (before + std::filesystem::absolute(value).string()).c_str(),
             1);
  }
  return rest;
}

/// The heading of --help below which it stands.
std::string heading_of(const Command& command) {
  constexpr std::array headings{"Run", "Read records", "Check", "Track a change's speed", "Data"};
  return headings.at(static_cast<std::size_t>(command.rank / 10 - 1));
}

int run_command_line(int argc, char** argv) {
  // The harness runs each case in it; not for people.
  if (argc == 2 && std::string(argv[1]) == "child") {
    add_programs(usual_program_folders());
    return child_main();
  }
  // It answers for a program that knows no contract; not for people either.
  if (argc == 4 && std::string(argv[1]) == existing_program_command) {
    return existing_program_main(argv[2], argv[3]);
  }

  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  std::ranges::transform(words, words.begin(), without_absolute_path);
  words_asked() = fmt::format("{}", fmt::join(words, " "));

  std::vector<char*> arguments = take_program_options(argc, argv);
  argc = static_cast<int>(arguments.size());
  argv = arguments.data();
  add_programs(usual_program_folders());
  warn(found_programs().warnings);

  if (argc <= 1) {
    fmt::print("{}", greeting());
    return static_cast<int>(ExitCode::ok);
  }

  CLI::App app(about, "macrobench");
  app.require_subcommand(1);
  app.set_version_flag("--version", MACROBENCH_VERSION);
  app.failure_message(CLI::FailureMessage::simple);
  app.footer(
      "Exit codes: 0 done, 2 a request that cannot be met, such as to run a case that cannot run\n"
      "here, 3 a result that must be valid is not, 4 a case failed; run also ends with 4 if its "
      "case\n"
      "timed out, and regress with 1 if a case is slower, 5 if one may be.\n\n"
      "With every command, --programs DIR adds solvers in other languages, and --sandbox locks\n"
      "them in (docs/programs.md).\n\n"
      "Examples:\n"
      "  macrobench replicate --budget 5m          the papers' tables, published beside measured\n"
      "  macrobench run rbc/serial --nk 1024       one case\n"
      "  macrobench COMMAND --help                 more about each");

  std::ranges::stable_sort(commands(), {}, &Command::rank);
  std::function<ExitCode()> chosen;
  std::deque<Options> options;
  for (const Command& command : commands()) {
    CLI::App* subcommand = app.add_subcommand(command.name, command.summary);
    subcommand->group(heading_of(command));
    subcommand->footer("Examples:\n" + command.example);
    const std::function<ExitCode()> action = command.define(options.emplace_back(*subcommand));
    subcommand->callback([&chosen, action] { chosen = action; });
  }

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::Error& error) {
    return complain(ExitCode::usage, usage_of(error, app, argc, argv));
  }
  return static_cast<int>(chosen());
}

}  // namespace

int command_line_main(int argc, char** argv) try {
  open_standard_descriptors();
  check_file_limit();
  Registry::global().check();
  const int code = run_command_line(argc, argv);
  flush_standard_output();
  return code;
} catch (const UsageError& error) {
  return complain(ExitCode::usage, error.what());
} catch (const std::exception& error) {
  return complain(ExitCode::failed, error.what());
}

}  // namespace macrobench
