// macrobench regress: is a commit slower than another, and are its results as correct?

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "harness/commands/axis_options.hpp"
#include "harness/commands/command.hpp"
#include "harness/commands/output_options.hpp"
#include "harness/model/registry.hpp"
#include "harness/records/machine.hpp"
#include "harness/regress/commit_program.hpp"
#include "harness/regress/regression.hpp"
#include "harness/regress/regression_run.hpp"
#include "harness/run/progress.hpp"
#include "harness/system/process.hpp"
#include "harness/system/whole_file.hpp"
#include "harness/text/json_values.hpp"
#include "harness/text/nearest.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

struct Flags {
  std::string base;
  std::string head;
  std::string base_program;
  std::string head_program;
  RegressionTerms terms;
  RegressionLeniency leniency;
  std::string deadline = "10m";
  bool certify = false;
  double process_seconds = 0.1;
  OutputOptions output;
  std::string json;  ///< the file that --json names
  std::string junit;
  std::string markdown;
  std::string gbench;
};

// --- the programs ------------------------------------------------------------------------------

Contender contender(const std::string& ref, const std::string& program, const Machine& machine) {
  if (!program.empty()) {
    if (!fs::exists(program))
      throw UsageError(fmt::format("{}: the program does not exist", program));
    return contender_at(fs::absolute(program), {program, ""});
  }
  const bool with_cuda = !machine.block.value("cuda_compiler", nlohmann::ordered_json()).is_null();
  const fs::path built = program_of_commit(ref, with_cuda);
  // build/commits/<sha>/build/macrobench
  const std::string commit = built.parent_path().parent_path().filename().string();
  return contender_at(built, {ref, commit});
}

Contender head_contender(const Flags& flags, const Machine& machine) {
  if (!flags.head.empty() || !flags.head_program.empty()) {
    return contender(flags.head, flags.head_program, machine);
  }
  const nlohmann::ordered_json& source = machine.block.at("source");
  const bool dirty = source.at("dirty").is_boolean() && source.at("dirty").get<bool>();
  const std::string commit =
      source.at("commit").is_string() ? source.at("commit").get<std::string>() : "";
  return contender_at(this_program(),
                      {dirty ? "the working tree, with changes to" : "this program", commit});
}

// --- the cases ---------------------------------------------------------------------------------

/// The values given for the model's axes; and for its size, if none is given, the first size that
/// its implementations solve quickly.
std::vector<Direction> directions_of(const Model& model, const AxisOptions& options) {
  std::vector<Direction> directions;
  bool has_size = false;
  for (const auto& [name, text] : options.values) {
    const auto axis = std::ranges::find(model.axes, name, &Axis::name);
    if (axis == model.axes.end()) continue;
    directions.push_back({name, parse_values(*axis, text, available_cores())});
    has_size = has_size || name == model.size_axis;
  }
  if (!has_size && !model.trial_sizes.empty()) {
    directions.push_back({model.size_axis, {model.trial_sizes.front()}});
  }
  return directions;
}

std::vector<Case> cases_of(const AxisOptions& options) {
  const Registry& registry = Registry::global();
  std::vector<const Implementation*> chosen;
  if (options.names.empty()) chosen = registry.implementations();
  for (const std::string& name : options.names) {
    std::ranges::move(implementations_of(name), std::back_inserter(chosen));
  }
  std::vector<std::string> axes;
  for (const Implementation* one : chosen) {
    std::ranges::transform(one->axes, std::back_inserter(axes), &Axis::name);
  }
  for (const auto& [name, text] : options.values) {
    if (std::ranges::count(axes, name) == 0)
      throw UsageError(unknown_name("parameter", name, axes));
  }
  std::vector<Case> cases;
  for (const Model& model : registry.models()) {
    std::vector<const Implementation*> of_model;
    std::ranges::copy_if(chosen, std::back_inserter(of_model),
                         [&](const Implementation* one) { return one->model == model.name; });
    // Another model may have an axis with the same name but other bounds.
    if (of_model.empty()) continue;
    std::ranges::move(all_cases(of_model, directions_of(model, options)),
                      std::back_inserter(cases));
  }
  check_not_empty(cases);
  return cases;
}

// --- the command -------------------------------------------------------------------------------

void check(const Flags& flags) {
  const auto one_of = [](const std::string& ref, const std::string& program, const char* name) {
    if (!ref.empty() && !program.empty()) {
      throw UsageError(fmt::format("--{0} and --{0}-program: give only one of them", name));
    }
  };
  one_of(flags.base, flags.base_program, "base");
  one_of(flags.head, flags.head_program, "head");
  if (flags.base.empty() && flags.base_program.empty()) {
    throw UsageError(
        "regress needs something to compare with: --base REF, a branch, a tag or a hash (make "
        "regress BASE=REF)");
  }
  const int least = least_pairs(flags.terms.confidence);
  if (!flags.terms.instructions && flags.terms.pairs < least) {
    throw UsageError(fmt::format("--pairs {}: a confidence of {:g} needs at least {}",
                                 flags.terms.pairs, flags.terms.confidence, least));
  }
  if (flags.terms.instructions &&
      run_process({"valgrind", {"valgrind", "--version"}, "", 10}).code != 0) {
    throw UsageError(
        "--instructions counts with valgrind, which is not installed: tools/setup valgrind");
  }
  // Check now, not after a quarter of an hour of measuring.
  for (const std::string& path : {flags.json, flags.junit, flags.markdown, flags.gbench}) {
    if (path.empty()) continue;
    const fs::path folder = fs::absolute(path).parent_path();
    if (fs::is_directory(path) || ::access(folder.c_str(), W_OK | X_OK) != 0) {
      throw UsageError(fmt::format("{}: no file can be written there", path));
    }
  }
}

/// A case that the user did not name may take this many seconds per process.
constexpr double longest_by_default = 2;

ExitCode regress(const Flags& flags, const std::vector<std::string>& arguments) try {
  check(flags);
  const AxisOptions options = parse_axis_options(arguments);
  RegressionPlan plan{.cases = cases_of(options),
                      .terms = flags.terms,
                      .deadline = parse_duration(flags.deadline),
                      .thorough = flags.certify,
                      .process_seconds = flags.process_seconds};
  if (options.names.empty() && options.values.empty() && !flags.terms.instructions) {
    plan.longest = longest_by_default;
  }
  const Machine machine = this_machine();
  const Contender base = contender(flags.base, flags.base_program, machine);
  const Contender head = head_contender(flags, machine);
  const Regression regression = run_regression(plan, base, head, machine, terminal_progress());

  const ExitCode code = exit_code_of(regression, flags.leniency);
  flags.output.print({.document = [&] { return document_of(regression); },
                      .json = [&] { return to_json(regression, code); }});
  const std::array<std::pair<std::string, std::string>, 4> files{
      {{flags.json, to_text(to_json(regression, code))},
       {flags.junit, to_junit(regression)},
       {flags.markdown, to_markdown(document_of(regression))},
       {flags.gbench, to_text(to_google_benchmark(regression))}}};
  for (const auto& [path, text] : files) {
    if (!path.empty()) write_whole(path, text);
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
         "  macrobench regress --base v1.0 rbc/serial_lean --nk 512,1024 --pairs 41\n"
         "  macrobench regress --base main --head HEAD --markdown summary.md --junit junit.xml\n"
         "  macrobench regress --base main --instructions        the same on a noisy machine\n"
         "Exit codes: 0 no case is slower, 1 one is, 3 a result is invalid, 4 a case failed, 5 one "
         "may "
         "be\nslower: measure more pairs, on a quieter machine, or with --instructions.",
     .define = [](Options& app) -> std::function<ExitCode()> {
       const auto flags = std::make_shared<Flags>();
       app.allow_extras();
       app.add_option("--base", flags->base, "The commit to compare with: a branch, a tag, a hash");
       app.add_option("--head", flags->head,
                      "The commit to compare with it (default: this program)");
       app.add_option("--base-program", flags->base_program,
                      "A macrobench that is already built, instead of --base");
       app.add_option("--head-program", flags->head_program, "The same, instead of --head");
       app.add_option("--pairs", flags->terms.pairs, "Measurements of each case in each program",
                      {.range = {{1, 100'000}}});
       app.add_option("--confidence", flags->terms.confidence, "Confidence of the ratio's interval",
                      {.range = {{0.5, 0.9999}}});
       app.add_option("--threshold", flags->terms.threshold,
                      "Slower: the whole interval of head over base is above this",
                      {.range = {{1, 100}}});
       app.add_flag(
           "--instructions", flags->terms.instructions,
           "Count instructions with valgrind instead of seconds: single-threaded CPU cases");
       app.add_flag("--ambiguous-ok", flags->leniency.ambiguous,
                    "Exit code 0 even if a case may be slower");
       app.add_flag("--slower-ok", flags->leniency.slower,
                    "Exit code 0 even if a case is slower: only report");
       app.add_option("--process-seconds", flags->process_seconds,
                      "How long each process solves a case, at least once", {.range = {{0, 1e6}}});
       app.add_option("--deadline", flags->deadline, "Kill a process after this long");
       app.add_flag("--certify", flags->certify, "Check every state of every result");
       flags->output.add_to(app, {"text", "md", "json"}, true, &flags->json);
       app.add_option("--junit", flags->junit, "Write JUnit XML to this file");
       app.add_option("--markdown", flags->markdown, "Write a pull request's summary to this file");
       app.add_option("--gbench", flags->gbench,
                      "Write Google Benchmark's JSON to this file, for its tools and trackers");
       return [flags, &app] { return regress(*flags, app.remaining()); };
     },
     .rank = 35}};

}  // namespace

}  // namespace macrobench
