// macrobench run: one case.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/command_line/command.hpp"
#include "harness/command_line/output_options.hpp"
#include "harness/command_line/run_options.hpp"
#include "harness/command_line/run_remarks.hpp"
#include "harness/files/folder.hpp"
#include "harness/machine/machine.hpp"
#include "harness/model/registry.hpp"
#include "harness/model/solution_folder.hpp"
#include "harness/process/elapsed.hpp"
#include "harness/records/record.hpp"
#include "harness/records/record_json.hpp"
#include "harness/records/record_store.hpp"
#include "harness/records/results_folder.hpp"
#include "harness/records/statistics.hpp"
#include "harness/run/campaign_run.hpp"
#include "harness/run/runner.hpp"
#include "harness/text/format.hpp"

namespace macrobench {

namespace {

struct Flags {
  RunOptions run;
  bool strict = false;
  std::string results;
  OutputOptions output;
};

/// Checks what can be checked before the case runs. Throws UsageError.
void check_out(const Implementation& implementation, const std::string& out) {
  if (out.empty()) return;
  if (!implementation.stores) {
    throw UsageError("--out {}: {} has no solution, only a time", out, implementation.model);
  }
  const std::filesystem::path folder(out);
  std::error_code ignored;
  const std::filesystem::path parent = folder.has_parent_path() ? folder.parent_path() : ".";
  if (!std::filesystem::is_directory(parent, ignored)) {
    throw UsageError("--out {}: there is no folder {}", out, parent.string());
  }
  if (std::filesystem::exists(folder, ignored) && !std::filesystem::is_directory(folder, ignored)) {
    throw UsageError("--out {}: it is not a folder", out);
  }
  if (!std::filesystem::exists(folder / solution_name, ignored) && !paths_in(folder).empty()) {
    throw UsageError("--out {}: the folder holds other files; name a new one", out);
  }
}

Case case_from(const AxisOptions& options) {
  if (options.names.size() != 1) {
    throw UsageError(
        "run takes one implementation, as in: macrobench run rbc/serial --nk 1024 (macrobench list "
        "shows them)");
  }
  const Registry& registry = Registry::global();
  const Implementation& implementation = registry.implementation(options.names.front());
  const Parameters given = options.parameters(implementation.its_model->axes);
  return registry.make_case(implementation.id(), given, available_cores());
}

Grid times_of(const Record& record) {
  std::vector<Row> rows;
  const auto add = [&](const std::string& name, const std::vector<double>& seconds) {
    if (seconds.empty()) return;
    const std::string spread =
        seconds.size() > 1 ? fmt::format("{:.1f}%", 100 * relative_spread(seconds)) : "";
    rows.push_back(
        {{name, format_duration(median(seconds)), spread, std::to_string(seconds.size())}});
  };
  const std::vector<double> start = seconds_of(record, Phase::start);
  if (!start.empty() && median(start) > 0) add("start", start);
  add("first solution", seconds_of(record, Phase::first_solution));
  const std::vector<double> solutions = seconds_of(record, Phase::solution);
  add("solution", solutions);
  if (!record.samples.empty()) {
    // In the order of their names; the medians of two stages need not be of the same solution.
    for (const auto& [name, unused] : record.samples.front().stages) {
      add("  " + name, seconds_of_stage(record, name));
    }
    for (const auto& [name, unused] : record.samples.front().around) {
      add("beside: " + name, seconds_of_stage(record, name));
    }
  }
  // If the model gives the number of states: the time of one state in one iteration.
  if (record.outcome && record.outcome->figures.contains("states") && !solutions.empty()) {
    const double passes =
        static_cast<double>(record.outcome->iterations) * record.outcome->figures.at("states");
    if (passes > 0)
      rows.push_back({{"per state-pass", format_duration(median(solutions) / passes)}});
  }
  using enum Column::Kind;
  return grid_of({{"time", words}, {"median"}, {"spread"}, {"n"}}, std::move(rows));
}

Grid result_of(const Outcome& outcome, const Model& model) {
  const auto unit_of = [&](std::string_view figure) {
    const std::string unit = model.unit_of(figure);
    return unit == "1" ? "" : unit;
  };
  std::vector<Row> rows;
  // A solution that is wrong at first sight may have no iterations, residual or checked states.
  if (outcome.valid || outcome.iterations > 0) {
    rows.push_back({{"iterations", std::to_string(outcome.iterations), unit_of("iterations")}});
  }
  if (std::isfinite(outcome.allowed)) {
    rows.push_back({{"residual", fmt::format("{:.2e}", outcome.residual), unit_of("residual")}});
    rows.push_back({{"allowed", fmt::format("{:.2e}", outcome.allowed), unit_of("residual")}});
  }
  if (outcome.checked_states > 0) {
    rows.push_back({{"states checked", std::to_string(outcome.checked_states),
                     outcome.exhaustive ? "all of them" : "a sample"}});
  }
  if (outcome.valid) {  // else they are no results
    for (const auto& [name, value] : outcome.figures) {
      rows.push_back({{name, fmt::format("{:.10g}", value), unit_of(name)}});
    }
    for (const auto& [name, note] : outcome.notes) rows.push_back({{name, "", note}});
  }
  using enum Column::Kind;
  return grid_of({{"result", words}, {""}, {"", words}}, std::move(rows));
}

std::string range_of(const std::optional<ReadingRange>& mhz) {
  if (!mhz) return "unknown";
  return mhz->lowest == mhz->highest ? fmt::format("{:.0f}", mhz->highest)
                                     : fmt::format("{:.0f} to {:.0f}", mhz->lowest, mhz->highest);
}

std::string sentence_on(const GpuConditions& gpu) {
  std::string sentence =
      fmt::format("GPU: SM {} MHz, memory {} MHz", range_of(gpu.sm_mhz), range_of(gpu.memory_mhz));
  if (gpu.highest_celsius) {
    sentence += fmt::format(", up to {:.0f} degrees Celsius", *gpu.highest_celsius);
  }
  if (!gpu.reasons.empty()) sentence += fmt::format("; {}", fmt::join(gpu.reasons, ", "));
  if (!gpu.throttled.empty()) {
    sentence +=
        fmt::format("; {} solutions are left out: it was slowed down", gpu.throttled.size());
  }
  return sentence;
}

std::string sentence_on(const Energy& energy) {
  if (!energy.joules_per_solution) return "no energy: " + energy.why_not;
  return fmt::format(
      "{} joules per solution ({}): {} solutions in {}, {} of it within them; {} W idle before",
      format_number(*energy.joules_per_solution), energy.method, energy.solutions,
      format_duration(energy.window_seconds), format_duration(energy.solving_seconds),
      energy.idle_watts ? format_number(*energy.idle_watts) : "unknown");
}

/// Empty if nothing is known.
std::string sentence_on(const Memory& memory) {
  std::vector<std::string> amounts;
  const auto add = [&](const std::optional<std::int64_t>& bytes, const char* where) {
    if (bytes) amounts.push_back(format_bytes(static_cast<double>(*bytes)) + where);
  };
  add(memory.resident_bytes, " resident");
  add(memory.gpu_bytes, " on the GPU");
  return amounts.empty() ? "" : fmt::format("Memory: at most {}", fmt::join(amounts, ", "));
}

std::vector<RunRemark>& remarks() {
  static std::vector<RunRemark> all;
  return all;
}

/// "right at all 262,144 states (largest residual 2.30e-10, share of consumption)".
std::string answer_of(const Outcome& outcome, const Model& model) {
  std::string answer = "right";
  if (outcome.checked_states > 0) {
    const std::string states = with_separators(static_cast<double>(outcome.checked_states));
    answer += outcome.exhaustive ? fmt::format(" at all {} states", states)
                                 : fmt::format(" at a sample of {} states", states);
  }
  if (!std::isfinite(outcome.allowed)) return answer;
  // As a share it can be read without knowing the model's units.
  const auto share = outcome.figures.find("residual_share");
  const bool has_share = share != outcome.figures.end();
  const std::string unit = model.unit_of(has_share ? share->first : "residual");
  return fmt::format("{} (largest residual {:.2e}{})", answer,
                     has_share ? share->second : outcome.residual,
                     unit == "1" || unit.empty() ? "" : ", " + unit);
}

Document document_of(const Record& record, const Machine& machine, const Model& model) {
  Document document{.title = record.key};
  if (!record.samples.empty() && record.status != Status::invalid) {
    document.body.emplace_back(times_of(record));
  }
  if (record.outcome) document.body.emplace_back(result_of(*record.outcome, model));
  if (!record.samples.empty()) {
    const auto& gpu = record.samples.front().gpu;
    if (gpu) document.body.emplace_back(Paragraph{sentence_on(*gpu)});
  }
  if (std::string sentence = sentence_on(memory_of(record)); !sentence.empty()) {
    document.body.emplace_back(Paragraph{std::move(sentence)});
  }
  if (const Energy* energy = energy_of(record)) {
    document.body.emplace_back(Paragraph{sentence_on(*energy)});
  }
  const bool is_right = record.outcome && record.outcome->valid;
  if (is_right) document.body.emplace_back(Paragraph{answer_of(*record.outcome, model)});
  if (!is_right || record.status != Status::measured) {
    const std::string what =
        record.status == Status::not_run ? "cannot run" : to_string(record.status);
    document.body.emplace_back(
        Paragraph{fmt::format("{}{}{}", what, record.why.empty() ? "" : ": ", record.why)});
  }
  Results one;
  one.records.push_back(record);
  one.machines.emplace(record.machine, machine);
  for (const RunRemark remark : remarks()) {
    std::string sentence = remark(one);
    if (!sentence.empty()) document.body.emplace_back(Paragraph{std::move(sentence)});
  }
  return document;
}

/// Runs the case; a terminal shows how far it is.
Record run_shown(const Case& which, const Machine& machine, RunOptions options) {
  const Progress progress = terminal_progress();
  const auto begin = std::chrono::steady_clock::now();
  options.patience = 2;  // someone waits for the answer
  options.ticks = [&](const std::string& at) {
    progress.moves(which, 0, 1, {.elapsed = seconds_since(begin), .at = at});
  };
  Record record = run_case(which, machine, options);
  progress.ended({.which = which}, 1, 1);  // without a record it leaves no line
  return record;
}

/// Runs the case, and keeps its record if there is a folder for it.
Record record_from(const Case& which, const Machine& machine, const Flags& flags) {
  RunOptions options = flags.run;
  std::optional<RecordStore> store;
  if (!flags.results.empty()) {
    store.emplace(own_folder(flags.results, machine));
  }
  if (const std::string why = which.unavailable(); !why.empty()) {
    Record record = record_of(which, machine, {});
    record.status = Status::not_run;
    record.why = why;
    return record;
  }
  say_if_busy({which});
  if (!store) return run_shown(which, machine, options);
  CampaignRun campaign(*store, machine, asked());
  options.campaign = campaign.id();
  Record record = run_shown(which, machine, options);
  store->append(record, machine);
  campaign.finish();
  return record;
}

/// Of the one case that was asked for, unlike of many, there must be a result.
ExitCode code_of(const Record& record, bool strict) {
  if (record.status == Status::not_run) return ExitCode::usage;
  return verdict(record, strict || record.status == Status::timeout);
}

ExitCode run(const Flags& flags, const AxisOptions& options) {
  const Case which = case_from(options);
  check(flags.run);
  check_out(*which.implementation, flags.run.out);
  const Machine machine = this_machine();
  const Record record = record_from(which, machine, flags);
  if (!flags.run.out.empty() && (!record.outcome || !record.outcome->valid)) {
    print_line(stderr, "macrobench: {} is not written: there is no valid solution", flags.run.out);
  }
  flags.output.print({.document = [&] { return document_of(record, machine, which.model()); },
                      .json = [&] { return to_json(record); }});
  return code_of(record, flags.strict);
}

const RegisterCommand registered{
    {.name = "run",
     .summary = "Run one case: an implementation and its parameters",
     .example = "  macrobench run MODEL/IMPLEMENTATION [--PARAMETER VALUE ...] [OPTIONS]\n"
                "  macrobench run rbc/serial --nk 1024 --monotone on\n"
                "  macrobench run rbc/cuda_c --nk 4096 --maximizer bisection --real double\n"
                "  macrobench run rbc/frontier --nk 65536 --certify --json\n"
                "  macrobench run krusell_smith/frontier --policy egm --out mine\n"
                "  macrobench run krusell_smith/cpu --stage panel --stored mine/solution.json\n"
                "Every parameter that `macrobench list MODEL/IMPLEMENTATION` shows is an option; "
                "a file's takes its path.",
     .rank = 11},
    [](Flags& flags, Options& app) {
      add_run_options(app, flags.run, flags.strict);
      app.add_option("--results", flags.results,
                     "Keep the record in this folder (by default it is only shown)");
      app.add_option("--out", flags.run.out,
                     "Write the solution into this folder: arrays for NumPy, and solution.json, "
                     "which says what they are");
      flags.output.add_to(app, {"text", "md", "html", "json"});
    },
    run};

}  // namespace

RegisterRunRemark::RegisterRunRemark(RunRemark remark) {
  remarks().push_back(remark);
}

}  // namespace macrobench
