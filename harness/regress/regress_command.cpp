// macrobench regress: is a commit slower than another, and are its results as correct?

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "harness/command_line/command.hpp"
#include "harness/command_line/output_options.hpp"
#include "harness/command_line/run_options.hpp"
#include "harness/command_line/sheet_output.hpp"
#include "harness/files/executable.hpp"
#include "harness/files/whole_file.hpp"
#include "harness/machine/machine.hpp"
#include "harness/process/process.hpp"
#include "harness/regress/commit_build.hpp"
#include "harness/regress/regression.hpp"
#include "harness/regress/regression_run.hpp"
#include "harness/text/json_values.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

struct Flags {
  std::string base;
  std::string head;
  std::string base_build;
  std::string head_build;
  RegressionPlan plan;
  RegressionLeniency leniency;
  OutputOptions output;
  std::string json;                          ///< the file that --json names
  std::map<std::string, std::string> files;  ///< those that the options of `views` name, by these
  bool unchanged = false;                    ///< measure what has not changed too
};

/// An option that names a file, and what is written to it.
struct View {
  const char* option;
  const char* help;
  std::string (*text)(const Regression& regression);
};

const std::array<View, 2> views{
    {{"--markdown", "Write a pull request's summary to this file",
      [](const Regression& its) { return to_markdown(document_of(its)); }},
     {"--gbench", "Write Google Benchmark's JSON to this file, for its tools and trackers",
      [](const Regression& its) { return to_text(to_google_benchmark(its)); }}}};

// --- the builds --------------------------------------------------------------------------------

Contender contender(const std::string& ref, const std::string& build, const Machine& machine) {
  if (build.empty()) return contender_of(ref, machine);
  if (!fs::exists(build)) throw UsageError("{}: there is no such build", build);
  return contender_at(fs::absolute(build), {build, ""});
}

Contender head_contender(const Flags& flags, const Machine& machine) {
  if (!flags.head.empty() || !flags.head_build.empty()) {
    return contender(flags.head, flags.head_build, machine);
  }
  const SourceState source = source_of(machine);
  return contender_at(this_executable(),
                      {source.dirty ? "the working tree, with changes to" : "this build",
                       source.commit, source.dirty});
}

// --- the cases ---------------------------------------------------------------------------------

std::vector<Case> cases_from(const AxisOptions& options) {
  std::vector<const Implementation*> chosen;
  if (options.names.empty()) {
    chosen = Registry::global().implementations();
    // No commit of this repository changes what programs from outside compute.
    std::erase_if(chosen, &Implementation::of_today);
  }
  for (const std::string& name : options.names) {
    std::ranges::move(implementations_of(name), std::back_inserter(chosen));
  }
  return cases_of(chosen, options, Unnamed::quick);
}

/// Takes the cases out of the plan that are the same in both builds. A build that the user names
/// may be anything: it is measured.
std::vector<RegressionCase> take_unchanged(RegressionPlan& plan, const Flags& flags,
                                           const Contender& base, const Contender& head) {
  std::vector<RegressionCase> taken;
  if (flags.unchanged || !flags.base_build.empty() || !flags.head_build.empty()) return taken;
  std::erase_if(plan.cases, [&](const Case& which) {
    const bool is_same = has_same_source(base, head, which.implementation->id());
    if (is_same) taken.push_back(unchanged(which.key()));
    return is_same;
  });
  return taken;
}

// --- the command -------------------------------------------------------------------------------

void check(const Flags& flags) {
  if (flags.base.empty() && flags.base_build.empty()) {
    throw UsageError(
        "regress needs something to compare with: --base REF, a branch, a tag or a hash (make "
        "regress BASE=REF)");
  }
  const RegressionTerms& terms = flags.plan.terms;
  const int least = least_pairs(terms.confidence);
  if (!terms.instructions && terms.pairs < least) {
    throw UsageError("--pairs {}: a confidence of {:g} needs at least {}", terms.pairs,
                     terms.confidence, least);
  }
  if (terms.instructions &&
      !run_process({"valgrind", {"valgrind", "--version"}, "", 10}).succeeded()) {
    throw UsageError(
        "--instructions counts with valgrind, which is not installed: tools/setup valgrind");
  }
  check_can_write(flags.json);
  for (const auto& [option, path] : flags.files) check_can_write(path);
}

/// A case that the user did not name may take this many seconds per process.
constexpr double longest_by_default = 2;

RegressionPlan plan_of(const Flags& flags, const AxisOptions& options) {
  RegressionPlan plan = flags.plan;
  plan.cases = cases_from(options);
  if (options.names.empty() && options.values.empty() && !plan.terms.instructions) {
    plan.longest = longest_by_default;
  }
  return plan;
}

/// The cases that no plan has unless they are named.
std::string never_tried(const AxisOptions& options) {
  if (!options.names.empty()) return "";
  const auto all = Registry::global().implementations();
  const auto outside = std::ranges::count_if(all, &Implementation::of_today);
  if (outside == 0) return "";
  return fmt::format("{} program{} from outside (no commit here changes {})", outside,
                     outside == 1 ? "" : "s", outside == 1 ? "it" : "them");
}

ExitCode regress(const Flags& flags, const AxisOptions& options) try {
  check(flags);
  RegressionPlan plan = plan_of(flags, options);
  const Machine machine = this_machine();
  const Contender base = contender(flags.base, flags.base_build, machine);
  const Contender head = head_contender(flags, machine);
  std::vector<RegressionCase> taken = take_unchanged(plan, flags, base, head);
  if (!plan.cases.empty() && !plan.terms.instructions) say_if_busy(plan.cases);
  const Progress progress = plan.cases.empty() ? Progress{} : terminal_progress();
  Regression regression = run_regression(plan, base, head, machine, progress);
  std::ranges::move(taken, std::back_inserter(regression.cases));
  regression.never_tried = never_tried(options);

  const ExitCode code = exit_code_of(regression, flags.leniency);
  const Output output = output_of_sheets(
      "regress", [&] { return document_of(regression); },
      [&] { return sheets_of(regression, code); });
  flags.output.print(output);
  if (!flags.json.empty()) write_whole(flags.json, to_text(output.json()));
  for (const View& view : views) {
    const std::string& path = flags.files.at(view.option);
    if (!path.empty()) write_whole(path, view.text(regression));
  }
  return code;
} catch (const NotBuilt& not_built) {
  return not_built.code;
}

const RegisterCommand registered{
    {.name = "regress",
     .summary = "Is a commit slower than another, and are its results as correct?",
     .example =
         "  macrobench regress --base REF [MODEL | MODEL/IMPLEMENTATION ...] [--PARAMETER VALUES "
         "...]\n"
         "  macrobench regress --base main                       a quick case of each "
         "implementation\n"
         "  macrobench regress --base v1.0 rbc/serial_tuned --nk 512,1024 --pairs 41\n"
         "  macrobench regress --base main --head HEAD --markdown summary.md\n"
         "  macrobench regress --base main --instructions        the same on a noisy machine\n"
         "A case is the same, without a measurement, if its sources, flags and build rules are the "
         "same in\nboth builds.\n"
         "A commit is built and run with your rights, as your own code is: compare with a "
         "stranger's "
         "only\nonce you have read it.\n"
         "Exit codes: 0 no case is slower, 1 one is, 3 a result is invalid, 4 a case failed, 5 one "
         "may "
         "be\nslower: measure more pairs, on a quieter machine, or with --instructions.",
     .rank = 40},
    [](Flags& flags, Options& app) {
      app.add_option("--base", flags.base, "The commit to compare with: a branch, a tag, a hash");
      app.add_option("--head", flags.head, "The commit to compare with it (default: this build)");
      app.add_option("--base-program", flags.base_build,
                     "A macrobench that is already built, instead of --base",
                     {.excludes = {"--base"}});
      app.add_option("--head-program", flags.head_build, "An executable, instead of --head",
                     {.excludes = {"--head"}});
      app.add_option("--pairs", flags.plan.terms.pairs, "Measurements of each case in each build",
                     {.range = {{1, 100'000}}});
      app.add_option("--confidence", flags.plan.terms.confidence,
                     "Confidence of the ratio's interval", {.range = {{0.5, 0.9999}}});
      app.add_option("--threshold", flags.plan.terms.threshold,
                     "Slower: the whole interval of head over base is above this, twice",
                     {.range = {{1, 100}}});
      app.add_flag(
          "--instructions", flags.plan.terms.instructions,
          "Count instructions with valgrind instead of seconds: single-threaded CPU cases");
      app.add_flag("--ambiguous-ok", flags.leniency.ambiguous,
                   "Exit code 0 even if a case may be slower");
      app.add_flag("--slower-ok", flags.leniency.slower,
                   "Exit code 0 even if a case is slower: only report");
      app.add_option("--process-seconds", flags.plan.process_seconds,
                     "How long each process solves a case, at least once", {.range = {{0, 1e6}}});
      app.add_duration("--deadline", flags.plan.deadline, "10m", "Kill a process after this long");
      app.add_flag("--certify", flags.plan.thorough, "Check every state of every result");
      flags.output.add_to(app, {"text", "md", "json"}, true, &flags.json);
      for (const View& view : views) {
        app.add_option(view.option, flags.files[view.option], view.help);
      }
      app.add_flag("--unchanged", flags.unchanged,
                   "Measure also the cases that nothing has changed between the commits");
    },
    regress};

}  // namespace

}  // namespace macrobench
