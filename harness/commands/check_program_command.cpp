// macrobench check-program: for who writes a solver in another language, while writing it.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "harness/command_line/command.hpp"
#include "harness/files/temporary_folder.hpp"
#include "harness/machine/machine.hpp"
#include "harness/model/registry.hpp"
#include "harness/programs/conversation.hpp"
#include "harness/programs/program_models.hpp"
#include "harness/programs/program_run.hpp"
#include "harness/run/runner.hpp"
#include "harness/text/error.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

struct Flags {
  std::string folder;
  double deadline = 60;
};

/// Seconds for what is no work.
constexpr double soon = 10;

/// What was looked at, line by line.
class Findings {
 public:
  void right(const std::string& what) {
    ++looked_;
    print_line(stdout, "  right  {}", what);
    std::fflush(stdout);  // the next look may take long
  }
  void declined(const std::string& what) {
    ++declined_;
    print_line(stdout, "  declined  {}", what);
  }
  void wrong(const std::string& what) {
    ++looked_;
    ++wrong_;
    print_line(stdout, "  WRONG  {}", what);
  }
  /// Right if the function returns nothing, wrong with what it returns or throws.
  void look(const std::string& what, const std::function<std::string()>& how) {
    std::string found;
    try {
      found = how();
    } catch (const ReadableError& error) {
      found = error.what();
    }
    found.empty() ? right(what) : wrong(what + ": " + found);
  }
  [[nodiscard]] int wrong() const { return wrong_; }
  [[nodiscard]] int looked() const { return looked_; }
  [[nodiscard]] int declined() const { return declined_; }

 private:
  int looked_ = 0;
  int wrong_ = 0;
  int declined_ = 0;
};

/// A process of the program, started, in a folder of its own.
struct Started {
  Started(const Manifest& manifest, const std::string& device, const ProgramDeadlines& deadlines)
      : setting{.manifest = manifest, .device = device, .real = manifest.real.front()},
        conversation(command_of(setting, work.path()), deadlines) {
    versions = conversation.hello();
    on = conversation.start({{"device", device}, {"threads", "1"}, {"real", setting.real}});
  }

  [[nodiscard]] fs::path fresh(const char* name) {
    const fs::path folder = work.path() / fmt::format("{}_{}", name, ++folders);
    fs::create_directory(folder);
    return folder;
  }

  TemporaryFolder work;
  ProgramSetting setting;
  Conversation conversation;
  std::string versions;
  std::string on;
  int folders = 0;
};

/// Sizes that an interpreter solves in seconds.
std::vector<std::int64_t> small_sizes(const Model& model) {
  const std::int64_t quick = model.trial_sizes.front();
  return {std::max<std::int64_t>(quick / 8, 2), quick};
}

Case small_case(const Implementation& implementation, const Parameters& others, std::int64_t size) {
  Parameters given = others;
  given.set(implementation.its_model->size_axis, size);
  return Registry::global().make_case(implementation.id(), given, available_cores());
}

/// Answers 'error', and goes on.
std::string refuses(Conversation& conversation, const std::string& line) {
  const std::string answer = conversation.say(line, soon);
  if (!answer.starts_with("error")) {
    return fmt::format("it answered 'mb1 {}', where 'mb1 error' and why is the answer",
                       shown(answer));
  }
  conversation.ping();
  return {};
}

/// What a program must withstand, and how it must end. One that exists already was written for
/// sensible problems.
void look_at_conversation(const Manifest& manifest, const std::string& device, const Case& which,
                          double deadline, Findings& findings) {
  ProgramDeadlines deadlines;
  deadlines.solve = deadline;
  std::optional<Started> started;
  findings.look("it starts", [&] {
    started.emplace(manifest, device, deadlines);
    return "";
  });
  if (!started) return;
  Conversation& conversation = started->conversation;
  // All else would be wrong about a program that its first fault ended.
  const auto look = [&](const std::string& what, const std::function<std::string()>& how) {
    if (findings.wrong() == 0 || !conversation.program().has_ended()) findings.look(what, how);
  };
  print_line(stdout, "         {}{}{}", started->versions, started->on.empty() ? "" : "; on ",
             started->on);
  look("it refuses an unknown command, and goes on",
       [&] { return refuses(conversation, "frobnicate 1"); });
  look("it refuses to load a folder that does not exist, and goes on",
       [&] { return refuses(conversation, "load 1 /there/is/no/such/folder"); });
  look("it refuses to solve what it did not load, and goes on",
       [&] { return refuses(conversation, "solve 12345678"); });
  const ProblemData data = find_program_model(manifest.model).data(which.parameters);
  look("it loads, solves and writes a small problem, twice", [&] {
    const fs::path problem = started->fresh("problem");
    data.write_to(problem);
    for (const std::string id : {"11111111", "22222222"}) {
      conversation.load(id, problem);
      conversation.solve({id});
      conversation.write(id, started->fresh("result"));
    }
    return "";
  });
  const std::string nonsense = "it survives a problem that makes no sense";
  const auto survives = [&] {
    const fs::path problem = started->fresh("problem");
    data.write_to(problem);
    // Every array is cut off, as on a full disk.
    for (const auto& entry : fs::directory_iterator(problem)) {
      if (entry.path().filename().string().starts_with("problem.")) continue;
      fs::resize_file(entry.path(), fs::file_size(entry.path()) / 2);
    }
    if (!conversation.say(fmt::format("load 33333333 {}", problem.string()), soon)
             .starts_with("error")) {
      static_cast<void>(conversation.say("solve 33333333", deadline));
    }
    conversation.ping();
    return "";
  };
  if (std::ranges::count(manifest.declines, truncated_arrays) > 0) {
    findings.declined(fmt::format("{}: {}", nonsense, truncated_arrays));
  } else {
    look(nonsense, survives);
  }
  look("it ends at 'bye' with exit code 0", [&] {
    return conversation.bye() ? "" : "it did not end in time, or with another exit code";
  });
}

/// True if the model takes these beside the defaults of the others: a chain of five points does not
/// go with four.
bool is_possible(const Implementation& implementation, const Parameters& variant) {
  try {
    static_cast<void>(
        small_case(implementation, variant, small_sizes(*implementation.its_model).front()));
    return true;
  } catch (const UsageError&) {
    return false;
  }
}

/// Every precision, and every name that it takes of each axis, one at a time.
std::vector<Parameters> variants(const Implementation& implementation) {
  std::vector<Parameters> all{{}};
  for (const Axis& axis : implementation.axes) {
    for (const std::string& choice : axis.choices) {
      const Parameters variant{{axis.name, choice}};
      if (Value(choice) == axis.usual() || !is_possible(implementation, variant)) continue;
      all.push_back(variant);
    }
  }
  return all;
}

/// What may be wrong if a program is right at the defaults: it does not read the parameter.
std::string not_read(const Parameters& variant, const Implementation& implementation) {
  for (const auto& [name, value] : variant) {
    const std::string usual = to_string(find_axis(implementation.axes, name).usual());
    return fmt::format(
        "; it is right at {0} = {1}: read {0} from problem.txt, as programs/{2}/README.md says, or "
        "take \"parameters\": {{\"{0}\": [\"{1}\"]}} into program.json",
        name, usual, implementation.model);
  }
  return {};
}

/// True if only the time was too short to be told: a small problem is not a fault.
bool is_only_short(const Record& record) {
  // "solution 2: " may stand before it.
  return record.outcome && record.outcome->why.find(too_short) != std::string::npos;
}

/// Its own clock's seconds, which are no time of ours.
std::string its_own_times(const Record& record) {
  if (!record.outcome) return {};
  std::string words;
  for (const auto& [name, value] : record.outcome->figures) {
    if (name.starts_with("their_")) words += fmt::format("; {} {:.3g}", name, value);
  }
  return words;
}

void look_at_cases(const Implementation& implementation, double deadline, Findings& findings) {
  RunOptions options;
  options.deadline = deadline;
  options.judges_time = false;
  options.thorough = true;
  const Machine machine = this_machine();
  bool is_right_by_default = true;
  for (const Parameters& variant : variants(implementation)) {
    for (const std::int64_t size : small_sizes(*implementation.its_model)) {
      const Case which = small_case(implementation, variant, size);
      if (const std::string why = which.unavailable(); !why.empty()) {
        print_line(stdout, "         {}: {}", which.key(), why);
        continue;
      }
      const Record record = run_case(which, machine, options);
      if (record.expected_invalid) {
        findings.right(fmt::format("{}: invalid, as others are there: {}", which.key(),
                                   to_string(record.why)));
        continue;
      }
      findings.look(which.key() + its_own_times(record), [&] {
        if (has_right_result(record.status) || is_only_short(record)) return std::string();
        is_right_by_default = is_right_by_default && !variant.empty();
        return fmt::format("{}: {}{}", to_string(record.status), to_string(record.why),
                           is_right_by_default ? not_read(variant, implementation) : "");
      });
    }
  }
}

ExitCode check_program(const Flags& flags) {
  const fs::path folder = flags.folder;
  const Manifest manifest = read_manifest(folder);
  add_program(folder);
  // The processes of cases must find it too.
  const char* set = std::getenv(program_folders_variable);
  const std::string folders =
      (set == nullptr || *set == '\0' ? "" : std::string(set) + ":") + manifest.folder.string();
  ::setenv(program_folders_variable, folders.c_str(), 1);

  print_line(stdout, "{}: {}", manifest.id(), manifest.summary);
  set_up(manifest);
  Findings findings;
  for (const std::string& device : manifest.devices) {
    const Implementation& implementation =
        Registry::global().implementation(manifest.id() + (device == "gpu" ? "_gpu" : ""));
    if (const std::string why = implementation.unavailable(); !why.empty()) {
      print_line(stdout, "  {} cannot run here: {}", implementation.id(), why);
      if (device == "cpu") return ExitCode::failed;
      continue;
    }
    look_at_conversation(
        manifest, device,
        small_case(implementation, {}, small_sizes(*implementation.its_model).front()),
        flags.deadline, findings);
    if (findings.wrong() == 0) look_at_cases(implementation, flags.deadline, findings);
  }
  if (findings.wrong() > 0) {
    print_line(stdout, "{} of {} are wrong: see docs/programs.md", findings.wrong(),
               findings.looked());
    return ExitCode::invalid;
  }
  const std::string declined =
      findings.declined() > 0 ? fmt::format("; {} declined", findings.declined()) : "";
  print_line(stdout, "All {} are right{}. To time it: macrobench run {} --programs {}",
             findings.looked(), declined, manifest.id(), flags.folder);
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "check-program",
     .summary = "Say what is wrong with a solver in another language",
     .example = "  macrobench check-program my_solver",
     .rank = 32},
    [](Flags& flags, Options& app) {
      app.add_option("folder", flags.folder, "The program's folder, with its program.json",
                     {.type_name = "DIR", .required = true});
      app.add_duration("--deadline", flags.deadline, "1m", "How long each solution may take");
    },
    check_program};

}  // namespace

}  // namespace macrobench
