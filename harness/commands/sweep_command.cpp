// macrobench sweep: any grid of cases.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/commands/axis_options.hpp"
#include "harness/commands/case_grid.hpp"
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
#include "harness/run/progress.hpp"
#include "harness/run/schedule.hpp"
#include "harness/text/format.hpp"
#include "harness/text/json_values.hpp"
#include "harness/text/split.hpp"

namespace macrobench {

namespace {

struct Flags {
  RunFlags run;
  std::string implementations;
  std::string budget = "none";
  std::string results = "results";
  bool fresh = false;
  OutputOptions output;
};

std::vector<Case> plan(const Flags& flags, const std::vector<std::string>& arguments) {
  const AxisOptions options = parse_axis_options(arguments);
  if (options.names.size() != 1) {
    throw UsageError("sweep takes one model, as in: macrobench sweep rbc --nk 128..1024");
  }
  const Registry& registry = Registry::global();
  const Model& model = registry.model(options.names.front());

  std::vector<const Implementation*> implementations;
  if (flags.implementations.empty()) {
    for (const Implementation* implementation : registry.implementations()) {
      if (implementation->model == model.name) implementations.push_back(implementation);
    }
  } else {
    for (const std::string_view part : split(flags.implementations, ',')) {
      const std::string name(part);
      const bool has_model = name.find('/') != std::string::npos;
      implementations.push_back(
          &registry.implementation(has_model ? name : model.name + "/" + name));
    }
  }
  std::vector<Direction> directions;
  for (const auto& [name, text] : options.values) {
    directions.push_back(
        {name, parse_values(find_axis(model.axes, name), text, available_cores())});
  }
  std::vector<Case> cases = all_cases(implementations, directions);
  if (cases.empty()) {
    throw UsageError(
        "no implementation allows all of these values (macrobench list shows what each allows)");
  }
  return cases;
}

void print(const std::vector<ScheduledCase>& cases) {
  std::size_t width = 0;
  for (const ScheduledCase& one : cases) width = std::max(width, one.which.key().size());
  fmt::print("\n");
  for (const ScheduledCase& one : cases) {
    fmt::print("{:<{}}  ", one.which.key(), width);
    if (!one.record) {
      fmt::print("{:>10}  {}\n", "not run", one.why_not);
      continue;
    }
    const std::vector<double> seconds = seconds_of(*one.record, Phase::solution);
    const bool told = one.record->status == Status::measured && !seconds.empty();
    fmt::print("{:>10}  {}\n",
               told ? format_duration(median(seconds)) : to_string(one.record->status),
               one.record->why);
  }
}

ExitCode sweep(const Flags& flags, const std::vector<std::string>& arguments) {
  const std::vector<Case> cases = plan(flags, arguments);
  ScheduleOptions options{
      .budget = parse_duration(flags.budget), .run = flags.run.options(), .fresh = flags.fresh};
  const Machine machine = this_machine();
  RecordStore store(std::filesystem::path(flags.results) / machine.slug());
  CampaignRun campaign(store, machine, asked());
  options.run.campaign = campaign.id();
  const std::vector<ScheduledCase> done = run_schedule(
      cases, store, machine, options, terminal_progress(isatty(STDERR_FILENO) != 0, std::cerr));
  campaign.finish();

  ExitCode code = ExitCode::ok;
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const ScheduledCase& one : done) {
    if (one.record) {
      code = gravest(code, verdict(*one.record, flags.run.strict));
      json.push_back(to_json(*one.record));
    } else {
      if (flags.run.strict) code = gravest(code, ExitCode::failed);
      json.push_back(
          {{"key", one.which.key()}, {"status", "not_run"}, {"reason", to_json(one.why_not)}});
    }
  }
  if (flags.output.is_json()) {
    fmt::print("{}", to_text(json));
  } else {
    print(done);
  }
  return code;
}

const RegisterCommand registered{
    {.name = "sweep",
     .summary = "Run any grid of cases of a model",
     .example =
         "  macrobench sweep MODEL [--PARAMETER VALUES ...] [OPTIONS]\n"
         "  macrobench sweep rbc --implementations serial_lean,thrust_omp --nk 128..65536 "
         "--real single,double\n"
         "  macrobench sweep rbc --implementations frontier --nk 1000..5000:1000 --budget 1m\n"
         "A range doubles, or takes steps after a colon; a list has commas.",
     .define = [](Options& app) -> std::function<ExitCode()> {
       const auto flags = std::make_shared<Flags>();
       app.allow_extras();
       app.add_option("--implementations", flags->implementations,
                      "Which ones, separated by commas (default: all)");
       app.add_option("--budget", flags->budget, "How long to measure: 90s, 5m, none")
           ->capture_default_str();
       app.add_option("--results", flags->results, "Folder of results")->capture_default_str();
       app.add_flag("--fresh", flags->fresh, "Run cases again that already have a record");
       flags->output.add_to(app, {"text", "json"});
       flags->run.add_to(app);
       return [flags, &app] { return sweep(*flags, app.remaining()); };
     },
     .rank = 30}};

}  // namespace

}  // namespace macrobench
