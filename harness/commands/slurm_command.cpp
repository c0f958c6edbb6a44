// macrobench slurm: a batch script that runs the parts of a sweep or a replication as an array of
// Slurm's.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <regex>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "harness/command_line/command.hpp"
#include "harness/files/executable.hpp"
#include "harness/files/whole_file.hpp"
#include "harness/process/process.hpp"
#include "harness/run/part.hpp"
#include "harness/text/shell.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

/// The lines around what is the user's.
constexpr std::string_view begin_mark = "# >>> yours: kept when macrobench writes this file again";
constexpr std::string_view end_mark = "# <<< yours";

constexpr std::string_view yours_at_first =
    "# All parts must run on nodes of one kind. Without --exclusive, ask for the cores too.\n"
    "# #SBATCH --constraint=\n"
    "# #SBATCH --cpus-per-task=16\n"
    "# #SBATCH --gpus=1\n"
    "# module load cuda\n";

struct Flags {
  Options* options = nullptr;  ///< of the command line; what it takes no option from is the run's
  int parts = 0;
  int at_once = 0;  ///< parts; 0: as many as there is room for
  std::string account, partition, time;
  bool exclusive = false;
  std::vector<std::string> modules;
  std::string file;
};

/// Throws UsageError if sbatch might read more than a value into it.
void add_directive(std::string& script, const std::string& name, const std::string& value) {
  if (value.empty()) return;
  constexpr std::size_t longest = 200;
  const bool is_plain = value.size() <= longest && std::ranges::all_of(value, [](char c) {
                          return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                                 std::string_view("-_.,:+@%/=[]").find(c) != std::string_view::npos;
                        });
  if (!is_plain) {
    throw UsageError("--{} {}: write it into the file yourself, between its two marks", name,
                     value);
  }
  script += fmt::format("#SBATCH --{}={}\n", name, value);
}

/// Throws UsageError if sbatch would not take it as a time limit.
void check_time(const std::string& time) {
  static const std::regex form("([0-9]+-)?[0-9]{1,9}(:[0-9]{1,2}){0,2}");
  if (time.empty() || std::regex_match(time, form)) return;
  throw UsageError("--time {}: sbatch takes minutes, or 4:00:00, or 1-12:00:00 with days", time);
}

/// The words of the run; throws UsageError if they cannot be those of a part.
std::vector<std::string> words_of(const Flags& flags) {
  std::vector<std::string> words = flags.options->remaining();
  if (words.empty() || (words[0] != "sweep" && words[0] != "replicate")) {
    throw UsageError("slurm {}: say sweep or replicate first, and then what is theirs",
                     words.empty() ? "alone runs nothing" : words[0]);
  }
  for (const std::string& word : words) {
    if (word == "--part" || word.starts_with("--part=")) {
      throw UsageError("--part is what the script gives to each task; --parts {} is enough",
                       flags.parts);
    }
  }
  const bool is_shared = std::ranges::count(words, "--shared") > 0;
  if (is_shared && flags.exclusive) {
    throw UsageError("--shared and --exclusive contradict each other: leave one out");
  }
  if (!is_shared && !flags.exclusive) words.emplace_back("--shared");
  for (std::string& word : program_options()) words.push_back(std::move(word));
  return words;
}

/// Throws UsageError, with the run's own words, if it would refuse its arguments: not a hundred
/// tasks are to find that out.
void check_run(std::vector<std::string> words, const std::string& part) {
  words.insert(words.begin(), "macrobench");
  words.insert(words.end(), {"--part", part, "--dry-run"});
  const ProcessResult tried =
      run_process({.executable = this_executable().string(), .command = words, .deadline = 60});
  if (tried.succeeded()) return;
  std::string_view said = last_line(tried.output);
  constexpr std::string_view name = "macrobench: ";
  if (said.starts_with(name)) said.remove_prefix(name.size());
  throw UsageError("{}", said.empty() ? "a part could not be tried with --dry-run" : said);
}

std::string results_in(const std::vector<std::string>& words) {
  constexpr std::string_view option = "--results";
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == option && i + 1 < words.size()) return words[i + 1];
    if (words[i].starts_with("--results=")) return words[i].substr(option.size() + 1);
  }
  return "";
}

std::string in_shell(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + shell_word(word);
  return line;
}

/// What is between the marks of a file that was written before; throws UsageError if it has none.
std::string yours_in(const std::string& file) {
  std::error_code ignored;
  if (file.empty() || !fs::is_regular_file(file, ignored)) return std::string(yours_at_first);
  const std::string text = read_whole(file, std::uintmax_t{1} << 20);
  const std::string begin = fmt::format("\n{}\n", begin_mark);
  const std::size_t from = text.find(begin);
  const std::size_t first = from + begin.size();
  // The end may be on the next line.
  const std::size_t to =
      from == std::string::npos ? from : text.find(fmt::format("\n{}\n", end_mark), first - 1);
  if (to == std::string::npos) {
    throw UsageError(
        "{}: it has no lines '{}' and '{}', so it is not overwritten; name another file", file,
        begin_mark, end_mark);
  }
  return text.substr(first, to + 1 - first);
}

std::string script_of(const Flags& flags) {
  const std::vector<std::string> words = words_of(flags);
  check_run(words, to_string(Part{1, flags.parts}));
  const std::string executable = shell_word(this_executable().string());
  const std::string file = flags.file.empty() ? "FILE" : shell_word(flags.file);
  const std::string results = results_in(words);
  std::string merge =
      executable + " merge" + (results.empty() ? "" : " --results " + shell_word(results));
  // What sbatch wraps is run by a plain shell, which does not know this quoting of bash's.
  if (merge.find("$'") != std::string::npos) merge = "bash -c " + shell_word(merge);

  std::string script = fmt::format(
      "#!/bin/bash\n"
      "# The {} part{} of: macrobench {}\n"
      "# Each is a task of an array, and writes its own folder of records.\n"
      "#SBATCH --job-name=macrobench\n"
      "#SBATCH --array=1-{}{}\n"
      "#SBATCH --nodes=1\n"
      "#SBATCH --ntasks=1\n"
      "#SBATCH --requeue\n"
      "#SBATCH --open-mode=append\n"
      "#SBATCH --output=macrobench_%A_%a.out\n",
      flags.parts, flags.parts == 1 ? "" : "s", in_shell(words), flags.parts,
      flags.at_once > 0 ? fmt::format("%{}", flags.at_once) : "");
  add_directive(script, "account", flags.account);
  add_directive(script, "partition", flags.partition);
  check_time(flags.time);
  add_directive(script, "time", flags.time);
  if (flags.exclusive) script += "#SBATCH --exclusive\n";
  script += fmt::format("{}\n{}{}\n", begin_mark, yours_in(flags.file), end_mark);
  for (const std::string& module : flags.modules) {
    script += fmt::format("module load {}\n", shell_word(module));
  }
  script += fmt::format(
      "\n"
      "# All nodes are of one kind and count as one machine, so that another one may resume a "
      "part.\n"
      "export "
      "MACROBENCH_INSTALLATION=\"${{MACROBENCH_INSTALLATION:-${{SLURM_CLUSTER_NAME:-cluster}} "
      "${{SLURM_JOB_PARTITION:-nodes}}}}\"\n"
      "macrobench={}\n"
      "part=${{SLURM_ARRAY_TASK_ID:?submit this file with sbatch}}/{}\n"
      "exec \"$macrobench\" {} --part \"$part\"\n"
      "\n"
      "# Submit it, and merge the parts when all have ended:\n"
      "#   job=$(sbatch --parsable {})\n"
      "#   sbatch --dependency=afterany:${{job%%;*}} --wrap={}\n"
      "# A part that was stopped goes on where it was, as in: sbatch --array=3,7 {}\n",
      executable, flags.parts, in_shell(words), file, shell_word(merge), file);
  return script;
}

ExitCode run(const Flags& flags) {
  const std::string script = script_of(flags);
  if (flags.file.empty()) {
    fmt::print("{}", script);
    return ExitCode::ok;
  }
  write_whole(flags.file, script);
  print_line(
      stdout,
      "Wrote {}: read it, edit it between its two marks, then submit it as its last lines say.",
      flags.file);
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "slurm",
     .summary = "Write a batch script that runs a sweep or a replication in parts, under Slurm",
     .example =
         "  macrobench slurm sweep rbc --nk 128..65536 --parts 100 --exclusive --output "
         "rbc.sbatch\n"
         "  macrobench slurm replicate aldrich_2010 --parts 20 --partition gpu --time 4:00:00\n"
         "What is no option of slurm goes to sweep or replicate.",
     .rank = 47},
    [](Flags& flags, Options& app) {
      flags.options = &app;
      app.allow_extras();
      app.add_option("--parts", flags.parts, "How many parts, each a task of the array",
                     {.range = {{1, most_parts}}, .required = true});
      app.add_option("--at-once", flags.at_once, "At most so many tasks at a time",
                     {.range = {{1, most_parts}}});
      app.add_option("--account", flags.account, "The account that pays");
      app.add_option("--partition", flags.partition, "The partition");
      app.add_option("--time", flags.time, "A task's time limit, as sbatch takes it: 4:00:00");
      app.add_flag("--exclusive", flags.exclusive,
                   "Hold each node alone; without it the records are those of a shared machine");
      app.add_option("--module", flags.modules, "A module to load",
                     {.type_name = "NAME", .one_each = true});
      app.add_option("--output", flags.file, "Write it to this file", {.type_name = "FILE"});
    },
    run};

}  // namespace

}  // namespace macrobench
