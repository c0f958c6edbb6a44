// macrobench run: one case.

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/commands/axis_options.hpp"
#include "harness/commands/command.hpp"
#include "harness/commands/output_options.hpp"
#include "harness/commands/run_options.hpp"
#include "harness/model/registry.hpp"
#include "harness/records/machine.hpp"
#include "harness/records/record_json.hpp"
#include "harness/records/record_store.hpp"
#include "harness/records/statistics.hpp"
#include "harness/records/verdict.hpp"
#include "harness/run/campaign_run.hpp"
#include "harness/run/runner.hpp"
#include "harness/text/format.hpp"
#include "harness/text/json_values.hpp"

namespace macrobench {

namespace {

struct Flags {
  RunFlags run;
  std::string results;
  std::string save;
  OutputOptions output;
};

/// Checks what can be checked before the case runs. Throws UsageError.
void check_save(const Implementation& implementation, const std::string& file) {
  if (file.empty()) return;
  if (!implementation.saves) {
    throw UsageError(
        fmt::format("--save {}: {} has no solution from which another case could start", file,
                    implementation.model));
  }
  const std::filesystem::path path(file);
  if (std::filesystem::is_directory(path)) {
    throw UsageError(fmt::format("--save {}: it is a folder; name a file in it", file));
  }
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  if (!std::filesystem::is_directory(folder)) {
    throw UsageError(fmt::format("--save {}: there is no folder {}", file, folder.string()));
  }
}

Case case_from(const std::vector<std::string>& arguments) {
  const AxisOptions options = parse_axis_options(arguments);
  if (options.names.size() != 1) {
    throw UsageError(
        "run takes one implementation, as in: macrobench run rbc/serial --nk 1024 (macrobench list "
        "shows them)");
  }
  const Registry& registry = Registry::global();
  const Implementation& implementation = registry.implementation(options.names.front());
  const Model& model = registry.model(implementation.model);
  Parameters given;
  for (const auto& [name, text] : options.values) {
    given.set(name, parse_value(find_axis(model.axes, name), text, available_cores()));
  }
  return registry.make_case(implementation.id(), given, available_cores());
}

void print_times(const std::string& name, const std::vector<double>& seconds) {
  if (seconds.empty()) return;
  fmt::print("  {:<16} {:>10}", name, format_duration(median(seconds)));
  if (seconds.size() > 1) {
    fmt::print("  +- {:.1f}%, {} samples", 100 * relative_spread(seconds), seconds.size());
  }
  fmt::print("\n");
}

/// If the model gives the number of states: the time of one state in one iteration.
void print_state_pass(const Record& record, const Outcome& outcome) {
  const auto states = outcome.figures.find("states");
  const std::vector<double> seconds = seconds_of(record, Phase::solution);
  if (states == outcome.figures.end() || seconds.empty()) return;
  const double passes = static_cast<double>(outcome.iterations) * states->second;
  if (passes > 0) {
    fmt::print("  {:<16} {:>10}\n", "a state-pass", format_duration(median(seconds) / passes));
  }
}

/// In the order of their names; the medians of two stages need not be of the same solution.
void print_stages(const Record& record) {
  if (record.samples.empty()) return;
  for (const auto& [name, unused] : record.samples.front().stages) {
    print_times("  " + name, seconds_of_stage(record, name));
  }
}

void print(const Record& record) {
  fmt::print("{}\n", record.key);
  const std::vector<double> start = seconds_of(record, Phase::start);
  if (!start.empty() && median(start) > 0) print_times("start", start);
  print_times("first solution", seconds_of(record, Phase::first_solution));
  print_times("solution", seconds_of(record, Phase::solution));
  print_stages(record);
  if (const auto& outcome = record.outcome) {
    fmt::print("  {:<16} {:>10}\n", "iterations", outcome->iterations);
    fmt::print("  {:<16} {:>10.2e}  ({:.2e} is allowed; {} states checked{})\n", "residual",
               outcome->residual, outcome->allowed, outcome->checked_states,
               outcome->exhaustive ? ", all of them" : "");
    print_state_pass(record, *outcome);
    for (const auto& [name, value] : outcome->figures)
      fmt::print("  {:<16} {:>16.10g}\n", name, value);
    for (const auto& [name, note] : outcome->notes) fmt::print("  {:<16} {:>10}\n", name, note);
  }
  fmt::print("  {:<16} {}{}{}\n", "status", to_string(record.status),
             record.why.empty() ? "" : ": ", record.why);
}

ExitCode run(const Flags& flags, const std::vector<std::string>& arguments) {
  const Case which = case_from(arguments);
  check_save(*which.implementation, flags.save);
  RunOptions options = flags.run.options();
  options.save = flags.save;
  const Machine machine = this_machine();
  std::unique_ptr<RecordStore> store;
  if (!flags.results.empty()) {
    store = std::make_unique<RecordStore>(std::filesystem::path(flags.results) / machine.slug());
  }

  Record record;
  if (const std::string why = which.unavailable(); !why.empty()) {
    record = record_of(which, machine, {});
    record.status = Status::not_run;
    record.why = why;
  } else {
    std::optional<CampaignRun> campaign;
    if (store) options.campaign = campaign.emplace(*store, machine, asked()).id();
    record = run_case(which, machine, options);
    if (store) store->append(record, machine);
    if (campaign) campaign->finish();
  }

  if (!flags.save.empty() && (!record.outcome || !record.outcome->valid)) {
    fmt::print(stderr, "macrobench: {} is not written: there is no valid solution\n", flags.save);
  }

  if (flags.output.is_json()) {
    fmt::print("{}", to_text(to_json(record)));
  } else {
    print(record);
  }
  return verdict(record, flags.run.strict);
}

const RegisterCommand registered{
    {.name = "run",
     .summary = "Run one case: an implementation and its parameters",
     .example = "  macrobench run MODEL/IMPLEMENTATION [--PARAMETER VALUE ...] [OPTIONS]\n"
                "  macrobench run rbc/serial --nk 1024 --monotone on\n"
                "  macrobench run rbc/cuda_c --nk 4096 --maximizer bisection --real double\n"
                "  macrobench run rbc/frontier --nk 65536 --certify --json\n"
                "  macrobench run krusell_smith/frontier --policy egm --save solution.json\n"
                "  macrobench run krusell_smith/cpu --stage panel --stored solution.json\n"
                "Every parameter that `macrobench list` shows is an option; a file's takes "
                "its path.",
     .define = [](Options& app) -> std::function<ExitCode()> {
       const auto flags = std::make_shared<Flags>();
       app.allow_extras();
       flags->run.add_to(app);
       app.add_option("--results", flags->results,
                      "Keep the record in this folder (by default it is only shown)");
       app.add_option(
           "--save", flags->save,
           "Write the solution to this file, for other cases to start from, if the model "
           "has such (krusell_smith: --stored)");
       flags->output.add_to(app, {"text", "json"});
       return [flags, &app] { return run(*flags, app.remaining()); };
     },
     .rank = 20}};

}  // namespace

}  // namespace macrobench
