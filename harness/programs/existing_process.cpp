// Macrobench as the process that a program is under the contract, where the program knows none: it
// writes what that reads, runs it, and reads what it wrote.

#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/files/whole_file.hpp"
#include "harness/process/child_process.hpp"
#include "harness/programs/existing_result.hpp"
#include "harness/programs/manifest.hpp"
#include "harness/programs/result_folder.hpp"
#include "harness/text/error.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_output = std::uint64_t{64} << 20;

class ExistingProcess {
 public:
  ExistingProcess(const fs::path& folder, const std::string& build)
      : manifest_(read_manifest(folder)),
        settings_{{"here", manifest_.folder.string()}, {"build", build}} {
    if (!manifest_.existing) throw UsageError("{}: it is not 'existing'", folder.string());
  }

  /// The answer to a line, without "mb1 ". Throws ReadableError or std::exception.
  std::string answer(const std::string& line) {
    const std::vector<std::string_view> words = split(line, ' ');
    if (words[0] == "hello") return "hello an existing program, run by macrobench";
    if (words[0] == "start") return start(words);
    if (words[0] == "load" && words.size() > 2) {
      load(std::string(words[1]), line.substr(words[0].size() + words[1].size() + 2));
      return fmt::format("load {}", words[1]);
    }
    if (words[0] == "solve" && words.size() > 1) {
      for (std::size_t i = 1; i < words.size(); ++i) solve(loaded(words[i]));
      return line;
    }
    if (words[0] == "write" && words.size() > 2) {
      write_result(*manifest_.existing, loaded(words[1]), settings_["real"],
                   line.substr(words[0].size() + words[1].size() + 2));
      is_written_ = true;
      return fmt::format("write {}", words[1]);
    }
    if (words[0] == "ping" || words[0] == "bye") return line;
    throw UsageError("unknown command {}", shown(line));
  }

 private:
  std::string start(const std::vector<std::string_view>& words) {
    for (const std::string_view word : words) {
      const std::size_t equals = word.find('=');
      if (equals == std::string_view::npos) continue;
      settings_[std::string(word.substr(0, equals))] = word.substr(equals + 1);
    }
    return "start";
  }

  /// It runs in a folder within a fresh one: "../parameters.txt" is its own too.
  void load(const std::string& id, const fs::path& problem) {
    if (is_written_) {
      for (const auto& [other, one] : loaded_) fs::remove_all(one.folder.parent_path());
      loaded_.clear();
      is_written_ = false;
    }
    Left one{.folder = fs::current_path() / ("existing_" + id) / "run",
             .printed = {},
             .problem = problem,
             .values = named_values(read_whole(problem / "problem.txt"))};
    one.values.insert(settings_.begin(), settings_.end());
    one.values["problem"] = problem.string();
    fs::remove_all(one.folder.parent_path());
    fs::create_directories(one.folder);
    for (const auto& [file, text] : manifest_.existing->parameters) {
      const fs::path path = (one.folder / file).lexically_normal();
      fs::create_directories(path.parent_path());
      write_whole(path, filled(file, text, one.values, problem));
    }
    loaded_[id] = std::move(one);
  }

  Left& loaded(std::string_view id) {
    const auto found = loaded_.find(std::string(id));
    if (found == loaded_.end()) throw UsageError("{} is not loaded", shown(id));
    return found->second;
  }

  void solve(Left& one) {
    std::vector<std::string> command;
    for (const std::string& word : manifest_.existing->run) {
      command.push_back(filled("run", word, one.values, one.problem));
    }
    const std::string name = fs::path(command.front()).filename();
    ChildProcess child({.name = name,
                        .command = command,
                        .input = "",
                        .own_group = true,
                        .folder = one.folder,
                        .most_output = most_output});
    while (!child.has_ended()) child.wait(ChildProcess::forever);
    child.end();
    const int status = child.status();
    one.printed = std::string(child.unread()) + "\n" + child.messages();
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    const std::string_view said = trim(one.printed);
    const std::string how = WIFSIGNALED(status)
                                ? fmt::format("was killed by signal {}", WTERMSIG(status))
                                : fmt::format("ended with exit code {}", WEXITSTATUS(status));
    const std::string_view last = said.substr(said.find_last_of('\n') + 1);
    constexpr std::size_t longest = 200;
    throw Failure("{} {}{}{}", name, how, last.empty() ? "" : ": ", shortened(last, longest));
  }

  Manifest manifest_;
  TemplateValues settings_;
  std::map<std::string, Left> loaded_;
  bool is_written_ = false;
};

}  // namespace

int existing_program_main(const fs::path& folder, const std::string& build) {
  ExistingProcess process(folder, build);
  for (std::string line; std::getline(std::cin, line);) {
    std::string answer;
    try {
      answer = process.answer(line);
    } catch (const std::exception& error) {
      answer = fmt::format("error {}", error.what());
    }
    fmt::print("mb1 {}\n", printable(answer));
    std::fflush(stdout);
    if (line == "bye") break;
  }
  return 0;
}

}  // namespace macrobench
