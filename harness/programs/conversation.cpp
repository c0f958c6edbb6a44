#include "harness/programs/conversation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "harness/programs/manifest.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view mark = "mb1 ";
constexpr std::size_t longest_answer = 4096;
/// Progress of many steps may stand before an answer.
constexpr std::size_t longest_line = std::size_t{1} << 20;

/// The command in a message: its first word.
std::string_view verb(std::string_view command) {
  return command.substr(0, command.find(' '));
}

bool begins_with_words(std::string_view text, std::string_view words) {
  return text.starts_with(words) && (text.size() == words.size() || text[words.size()] == ' ');
}

/// Returns the answer in a line, or nothing if it belongs to the log. Progress is often printed
/// without an end of line, and the answer then stands behind it.
std::string_view answer_in(std::string_view line, std::string_view echo) {
  if (line.starts_with(mark)) return line.substr(0, longest_answer);
  for (std::size_t at = line.find(mark); at != std::string_view::npos;
       at = line.find(mark, at + 1)) {
    const std::string_view answer = trim(line.substr(at + mark.size()));
    if (begins_with_words(answer, echo) || begins_with_words(answer, "error")) {
      return line.substr(at, longest_answer);
    }
  }
  return {};
}

}  // namespace

Conversation::Conversation(const ChildCommand& command, ProgramDeadlines deadlines)
    : name_(command.name), deadlines_(deadlines), program_(command) {}

/// An answer that is here before its question was not computed for it.
void Conversation::check_silence(std::string_view command) {
  while (program_.has_more()) {
    const std::string line = program_.read_line(deadlines_.ping, longest_line);
    if (!line.starts_with(mark)) continue;
    throw ProgramFault("{} answered '{}' before it was asked to '{}': one answer per command",
                       name_, shown(trim(line)), verb(command));
  }
}

/// What it printed last, quoted, to find out what it was doing; empty if it printed nothing.
std::string Conversation::last_words() {
  std::string_view words = trim(program_.unread());
  if (words.empty()) words = log_;
  const std::string messages = program_.messages();
  if (words.empty()) words = trim(messages);
  if (words.empty()) return {};
  constexpr std::size_t most = 80;
  words = trim(words.substr(words.size() - std::min(words.size(), most)));
  return fmt::format("; its output ends with '{}'", printable(words));
}

std::string Conversation::say(std::string_view line, double deadline, std::string_view echo) {
  const std::string text = std::string(line) + "\n";
  const auto begin = Clock::now();
  try {
    check_silence(line);
    program_.write(text);
    while (true) {
      const std::chrono::duration<double> passed = Clock::now() - begin;
      const double left = std::isinf(deadline) ? deadline : deadline - passed.count();
      std::string said = program_.read_line(std::max(left, 0.0), longest_line);
      const std::string_view answer = answer_in(said, echo);
      if (!answer.empty()) return std::string(trim(answer.substr(mark.size())));
      if (!trim(said).empty()) log_ = std::move(said);
    }
  } catch (const ProgramFault&) {
    throw;
  } catch (const OverLimit& over) {
    throw ProgramFault("{}", over.what());
  } catch (const NoAnswer&) {
    throw ProgramFault("{} did not answer '{}' within {:.3g} s, and was killed{}", name_,
                       verb(line), deadline, last_words());
  } catch (const std::runtime_error& error) {
    throw ProgramFault("{} (asked to '{}')", error.what(), verb(line));
  }
}

/// Returns what follows the echo.
std::string Conversation::ask(const std::string& command, const std::string& echo,
                              double deadline) {
  const std::string answer = say(command, deadline, echo);
  if (answer == echo) return {};
  if (answer.starts_with(echo + " ")) return answer.substr(echo.size() + 1);
  if (answer == "error" || answer.starts_with("error ")) {
    constexpr std::size_t longest_reason = 400;
    throw ProgramFault("{} answered '{}' with an error: {}", name_, verb(command),
                       shortened(trim(answer.substr(5)), longest_reason));
  }
  throw ProgramFault("{} answered 'mb1 {}', where 'mb1 {}' is the answer", name_, shown(answer),
                     shown(echo));
}

std::string Conversation::hello() {
  return ask(fmt::format("hello {}", program_contract), "hello", deadlines_.hello);
}

std::string Conversation::start(const std::map<std::string, std::string>& options) {
  std::string line = "start";
  for (const auto& [name, value] : options) line += fmt::format(" {}={}", name, value);
  return ask(line, "start", deadlines_.start);
}

void Conversation::load(const std::string& id, const std::filesystem::path& folder) {
  ask(fmt::format("load {} {}", id, folder.string()), "load " + id, deadlines_.load);
}

void Conversation::ping() {
  const std::string ping = fmt::format("ping {}", ++pings_);
  ask(ping, ping, deadlines_.ping);
}

void Conversation::solve(const std::vector<std::string>& ids) {
  const std::string solve = fmt::format("solve {}", fmt::join(ids, " "));
  ask(solve, solve, deadlines_.solve);
}

void Conversation::write(const std::string& id, const std::filesystem::path& folder) {
  ask(fmt::format("write {} {}", id, folder.string()), "write " + id, deadlines_.write);
}

bool Conversation::bye() {
  ask("bye", "bye", deadlines_.bye);
  return program_.ends_well_within(deadlines_.bye);
}

}  // namespace macrobench
