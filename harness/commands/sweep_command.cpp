// macrobench sweep: any grid of cases.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/command_line/command.hpp"
#include "harness/command_line/output_options.hpp"
#include "harness/command_line/run_options.hpp"
#include "harness/files/whole_file.hpp"
#include "harness/machine/machine.hpp"
#include "harness/records/google_benchmark.hpp"
#include "harness/records/record.hpp"
#include "harness/records/record_json.hpp"
#include "harness/records/statistics.hpp"
#include "harness/text/format.hpp"
#include "harness/text/json_values.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

struct Flags {
  CampaignFlags campaign;
  std::string implementations;
  bool dry_run = false;
  std::string gbench;  ///< a file
  OutputOptions output;
};

std::vector<Case> plan(const Flags& flags, const AxisOptions& options) {
  if (options.names.size() != 1) {
    throw UsageError("sweep takes one model, as in: macrobench sweep rbc --nk 128..1024");
  }
  const std::string& name = options.names.front();
  if (Registry::global().find(name) != nullptr) {
    const std::size_t slash = name.find('/');
    throw UsageError(
        "sweep takes a model; of one implementation: macrobench sweep {} --implementations {}",
        name.substr(0, slash), name.substr(slash + 1));
  }
  const Model& model = Registry::global().model(name);

  std::vector<const Implementation*> implementations;
  if (flags.implementations.empty()) {
    implementations = implementations_of(model.name);
  } else {
    for (const std::string_view piece : split(flags.implementations, ',')) {
      const std::string one(piece);
      const bool has_model = one.find('/') != std::string::npos;
      implementations.push_back(
          &Registry::global().implementation(has_model ? one : model.name + "/" + one));
    }
  }
  return cases_of(implementations, options, Unnamed::by_default);
}

/// "12.3 ms", "12.3 ms (noisy)"; the status alone of a result that is not believed either.
std::string time_of(const Record& record) {
  const std::string status = to_string(record.status);
  if (!is_result_believed(record.status)) return status;
  const std::string time = format_duration(median(seconds_of(record, Phase::solution)));
  return is_doubted(record.status) ? fmt::format("{} ({})", time, status) : time;
}

Document document_of(const std::vector<ScheduledCase>& cases, const std::string& about_doubted) {
  std::vector<Row> rows;
  for (const ScheduledCase& one : cases) {
    if (!one.record) continue;
    rows.push_back({{one.which.key(), time_of(*one.record), to_string(one.record->why)}});
  }
  using enum Column::Kind;
  Document document;
  if (!rows.empty()) {
    document.body.emplace_back(
        grid_of({{"case", words}, {"solution"}, {"", words}}, std::move(rows)));
  }
  if (!about_doubted.empty()) document.body.emplace_back(Paragraph{about_doubted});
  for (const NotRun& group : not_run_by_reason(cases)) {
    document.body.emplace_back(Paragraph{to_string(group) + "."});
  }
  return document;
}

nlohmann::ordered_json as_json(const std::vector<ScheduledCase>& cases) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const ScheduledCase& one : cases) {
    if (one.record) {
      json.push_back(to_json(*one.record));
    } else {
      json.push_back(
          {{"key", one.which.key()}, {"status", "not_run"}, {"reason", to_json(one.why_not)}});
    }
  }
  return json;
}

nlohmann::ordered_json to_google_benchmark(const std::vector<ScheduledCase>& cases,
                                           const Machine& machine) {
  constexpr double confidence = 0.95;
  std::vector<BenchmarkEntry> entries;
  nlohmann::ordered_json without_time = nlohmann::ordered_json::object();
  for (const ScheduledCase& one : cases) {
    const std::string key = one.which.key();
    if (one.record && is_result_believed(one.record->status)) {
      entries.push_back({key, seconds_of(*one.record, Phase::solution)});
    } else {
      without_time[key] = one.record ? to_string(one.record->status) : "not_run";
    }
  }
  return google_benchmark_json(entries, confidence, utc_now(), machine.slug(), "macrobench sweep",
                               {{"without_time", std::move(without_time)}});
}

Document document_of(const std::vector<Case>& cases) {
  std::vector<Row> rows;
  for (const Case& which : cases) rows.push_back({{which.key(), which.unavailable()}});
  using enum Column::Kind;
  return {.body = {grid_of({{"case", words}, {"cannot run", words}}, std::move(rows))}};
}

nlohmann::ordered_json as_json(const std::vector<Case>& cases) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const Case& which : cases) {
    json.push_back({{"key", which.key()}, {"cannot_run", or_null(which.unavailable())}});
  }
  return json;
}

ExitCode sweep(const Flags& flags, const AxisOptions& options) {
  const std::vector<Case> cases = flags.campaign.chosen(plan(flags, options));
  if (flags.dry_run) {
    flags.output.print(
        {.document = [&] { return document_of(cases); }, .json = [&] { return as_json(cases); }});
    return ExitCode::ok;
  }
  check_can_write(flags.gbench);
  const Machine machine = this_machine();
  const std::vector<ScheduledCase> done = flags.campaign.run_cases(cases, machine);
  const std::string about_doubted = flags.campaign.about_doubted(done);
  if (flags.output.is_json()) {
    say_not_run(done);
    if (!about_doubted.empty()) print_text_line(stderr, about_doubted);
  }
  flags.output.print({.document =
                          [&] {
                            return flags.campaign.part() ? flags.campaign.end_of_part(done, machine)
                                                         : document_of(done, about_doubted);
                          },
                      .json = [&] { return as_json(done); }});
  if (!flags.gbench.empty()) {
    write_whole(flags.gbench, to_text(to_google_benchmark(done, machine)));
  }
  return flags.campaign.verdict_on(done);
}

const RegisterCommand registered{
    {.name = "sweep",
     .summary = "Run any grid of cases of a model",
     .example =
         "  macrobench sweep MODEL [--PARAMETER VALUES ...] [OPTIONS]\n"
         "  macrobench sweep rbc --implementations serial_tuned,thrust_omp --nk 128..65536 "
         "--real single,double\n"
         "  macrobench sweep rbc --implementations frontier --nk 1000..5000:1000 --budget 1m\n"
         "  macrobench sweep rbc --nk 128..65536 --part 3/8\n"
         "A range doubles, or takes steps after a colon; a list has commas.",
     .rank = 12},
    [](Flags& flags, Options& app) {
      app.add_option("--implementations", flags.implementations,
                     "Which ones, separated by commas (default: all)");
      app.add_flag("--dry-run", flags.dry_run, "Only show which cases would be run");
      app.add_option("--gbench", flags.gbench,
                     "Write Google Benchmark's JSON to this file, for its tools and trackers");
      flags.output.add_to(app, {"text", "md", "html", "json"});
      flags.campaign.add_to(app, "none");
    },
    sweep};

}  // namespace

}  // namespace macrobench
