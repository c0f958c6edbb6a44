// macrobench replicate: runs what the papers' tables need, and says what it came to.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "harness/command_line/ceiling_cases.hpp"
#include "harness/command_line/command.hpp"
#include "harness/command_line/output_options.hpp"
#include "harness/command_line/run_options.hpp"
#include "harness/command_line/sheet_output.hpp"
#include "harness/machine/machine.hpp"
#include "harness/model/growth_law.hpp"
#include "harness/records/record.hpp"
#include "harness/records/record_facts.hpp"
#include "harness/records/record_store.hpp"
#include "harness/text/each.hpp"
#include "harness/text/format.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/machine_cells.hpp"
#include "paper_tables/cells/plan.hpp"
#include "paper_tables/cells/table_options.hpp"
#include "paper_tables/claims/claims_verdict.hpp"
#include "paper_tables/replicate/result_screen.hpp"
#include "paper_tables/replicate/schedule_lookup.hpp"
#include "paper_tables/report/report.hpp"
#include "paper_tables/tables/render.hpp"

namespace macrobench {

namespace {

struct Flags {
  TableOptions tables;
  CampaignFlags campaign;
  bool dry_run = false;
  bool prints_tables = false;
  OutputOptions output;
};

enum class Intention { run, reuse, cannot_run };

std::string to_string(Intention what) {
  constexpr const char* names[] = {"run", "reuse", "cannot run"};
  return names[static_cast<std::size_t>(what)];
}

/// What a run would do about a case.
struct PlannedCase {
  std::string key;
  Intention what = Intention::run;
  std::string why;                ///< why it cannot
  std::optional<double> seconds;  ///< predicted for the whole case, if anything is known
};

/// Seconds the case took before or, by the growth of its series, would take.
std::optional<double> predicted_seconds(const Case& which, const Results& results) {
  std::map<double, double> costs;
  for (const Record& record : results.records) {
    Parameters resized = which.parameters;
    if (record.status != Status::measured) continue;
    for (const auto& [name, value] : record.parameters) {
      if (which.model().grows_along(name)) resized.set(name, value);
    }
    const CellRequest request{which.implementation->model, which.implementation->name, resized};
    if (answers(record, request, available_cores()))
      costs[record.work.value_or(0)] = record.seconds;
  }
  const double size = which.work();
  if (const auto known = costs.find(size); known != costs.end()) return known->second;
  std::vector<Point> points;
  for (const auto& [at, cost] : costs) points.push_back({at, cost});
  const std::optional<GrowthLaw> law = fit_growth_law(points, which.implementation->sizes());
  return law ? std::optional(law->at(size)) : std::nullopt;
}

std::vector<PlannedCase> planned_cases(const Plan& plan, const Results& results,
                                       const Machine& machine, const ScheduleOptions& options) {
  std::vector<PlannedCase> all;
  for (const Case& which : plan.cases) {
    const std::string cannot = which.unavailable();
    if (reusable_record(results, which, machine, options) != nullptr) {
      all.push_back({which.key(), Intention::reuse, {}, {}});
    } else if (!cannot.empty()) {
      all.push_back({which.key(), Intention::cannot_run, cannot, {}});
    } else {
      all.push_back({which.key(), Intention::run, {}, predicted_seconds(which, results)});
    }
  }
  // What may be reused is not, if it is of another campaign and a case of its group is measured.
  std::set<std::string> run;
  const auto group_of = [&](const PlannedCase& one) { return plan.hints.at(one.key).group; };
  for (const PlannedCase& one : all) {
    const std::optional<std::string> group = group_of(one);
    if (one.what == Intention::run && group) run.insert(*group);
  }
  for (PlannedCase& one : all) {
    const std::optional<std::string> group = group_of(one);
    if (std::isinf(options.budget) && one.what == Intention::reuse && group &&
        run.contains(*group)) {
      one.why = "or run again";
    }
  }
  for (const CellRequest& request : plan.left_out) {
    const std::string why = why_left_out(request, machine.has_gpu());
    all.push_back({request.key(), Intention::cannot_run, why, {}});
  }
  return all;
}

Sheet sheet_of(const std::vector<PlannedCase>& all) {
  using One = PlannedCase;
  using enum Column::Kind;
  return SheetOf<One>("plan", {"key"})
      .column("intention", {"", words}, [](const One& one) { return to_string(one.what); })
      .data({"predicted", "s"}, &One::seconds)
      .data("why", &One::why)
      .reader({"", words},
              [](const One& one) {
                return one.what != Intention::run ? one.why
                       : one.seconds              ? "about " + format_duration(*one.seconds)
                                                  : "no prediction yet";
              })
      .column("key", {"case", words}, &One::key)
      .of(all);
}

Document document_of(const std::vector<PlannedCase>& all) {
  std::map<Intention, int> counts;
  double predicted = 0;
  for (const PlannedCase& one : all) {
    ++counts[one.what];
    predicted += one.seconds.value_or(0);
  }
  Document document{.title = "Cases to run, and known ones", .body = blocks_of(sheet_of(all))};
  document.body.emplace_back(Paragraph{
      fmt::format("{}: {} to run (those with a prediction: {}), {} to reuse, {} that cannot run",
                  counted(all.size(), "case"), with_separators(counts[Intention::run]),
                  format_duration(predicted), with_separators(counts[Intention::reuse]),
                  with_separators(counts[Intention::cannot_run]))});
  return document;
}

/// The papers of the tables that have claims.
std::vector<std::string> papers_of_claims(const std::vector<const Definition*>& tables,
                                          const Definitions& all) {
  std::vector<std::string> papers = papers_with_claims(all.folder());
  std::erase_if(papers, [&](const std::string& paper) {
    return std::ranges::find(tables, paper, &Definition::paper) == tables.end();
  });
  return papers;
}

/// How the command line names the tables and the folder of results, if not by default.
void add_arguments(const Flags& flags, const std::filesystem::path& folder,
                   Replication& replication) {
  for (const std::string& table : flags.tables.tables) {
    replication.replicate_arguments += " " + table;
  }
  if (flags.campaign.results != "results") {
    replication.replicate_arguments += " --results " + flags.campaign.results;
    replication.view_arguments = " --results " + folder.string();
  }
}

/// What is made from the records can be made again: where it cannot be written, the run stands.
void write_or_say_why(const char* what, Replication& replication,
                      const std::function<void()>& write) {
  try {
    write();
  } catch (const ReadableError& error) {
    replication.not_written.push_back(fmt::format("{} ({})", what, error.what()));
  }
}

/// The tables can be made when the parts are merged.
ExitCode replicate_part(const Flags& flags, const Plan& plan, const Machine& machine) {
  const std::vector<ScheduledCase> done = flags.campaign.run_cases(plan.cases, machine, plan.hints);
  flags.output.print({.document = [&] { return flags.campaign.end_of_part(done, machine); },
                      .json = [&] { return to_json("part", {sheet_of(done)}); }});
  return flags.campaign.verdict_on(done);
}

void print(const Flags& flags, const Replication& replication, const std::vector<Table>& made) {
  if (flags.output.is_json()) say_not_run(replication.cases, replication.left_out);
  flags.output.print({.document = [&] { return document_of(replication); },
                      .json =
                          [&] {
                            std::vector<Sheet> sheets = sheets_of(replication);
                            std::ranges::move(sheets_of(made), std::back_inserter(sheets));
                            return to_json("replicate", sheets);
                          }});
}

ExitCode replicate(const Flags& flags) {
  Definitions definitions(flags.tables.definitions, leave_out_except(flags.tables.tables));
  const std::vector<const Definition*> wanted = definitions.get_all(flags.tables.tables);
  const Machine machine = this_machine();
  const std::vector<FrontModel> front = read_front(definitions, wanted);
  const std::vector<std::string> papers = papers_of_claims(wanted, definitions);
  std::vector<PaperClaims> claims;
  if (!papers.empty()) claims = read_claims(definitions.folder(), papers, definitions);
  // Named tables come first.
  const CellSet headlines = flags.tables.tables.empty() ? cells_of(front) : CellSet{};
  Plan plan = plan_of(wanted, definitions, machine.cores(), headlines);
  if (flags.tables.tables.empty()) {  // a case's share of its floor needs them
    const std::vector<Case> ceilings = ceiling_cases(machine.cores());
    for (const Case& which : ceilings) plan.hints.try_emplace(which.key());
    plan.cases.insert(plan.cases.begin(), ceilings.begin(), ceilings.end());
  }
  plan.cases = flags.campaign.chosen(std::move(plan.cases), plan.hints);
  if (flags.campaign.part()) plan.left_out.clear();
  const std::filesystem::path folder = flags.campaign.folder(machine);
  if (flags.dry_run) {
    const std::vector<PlannedCase> all =
        planned_cases(plan, read_results(folder), machine, flags.campaign.schedule);
    flags.output.print(output_of_sheets(
        "plan", [&] { return document_of(all); }, [&] { return std::vector{sheet_of(all)}; }));
    return ExitCode::ok;
  }

  if (flags.campaign.part()) return replicate_part(flags, plan, machine);

  Replication replication{
      .machine_text = describe(machine),
      .folder = folder.string(),
      .claims = {},
      .cases = flags.campaign.run_cases(plan.cases, machine, plan.hints, plan.left_out.size())};
  replication.best_rates = std::erase_if(replication.cases, [](const ScheduledCase& one) {
    return one.which.implementation->model == ceilings_model;
  });
  replication.budget = flags.campaign.schedule.budget;
  add_arguments(flags, folder, replication);
  for (const CellRequest& request : plan.left_out) {
    replication.left_out.emplace_back(why_left_out(request, machine.has_gpu()));
  }
  const Results results = read_results(folder);
  const Lookup lookup = lookup_in(replication.cases, machine, lookup_in(results));
  std::vector<Table> made;
  for (const Definition* definition : wanted) {
    made.push_back(make_table(*definition, definitions, lookup, machine.slug(), machine));
    if (flags.prints_tables && !flags.output.is_json()) {
      fmt::print("{}\n", render(made.back(), "text"));
    }
  }
  write_or_say_why("the tables", replication, [&] {
    const OutputFolder out = tables_folder(folder);
    for (const Table& table : made) write_table(table, out);
    replication.tables_folder = out.path().string();
  });
  replication.front = make_front(front, definitions, lookup, results, machine);
  replication.claims = judge_claims(claims, definitions, lookup_in(results), machine);
  write_or_say_why("the report", replication, [&] {
    const MachineResults its{folder, machine.slug(), machine, results};
    replication.report = write_report(its, definitions, folder).page.string();
  });

  print(flags, replication, made);
  const bool lacks_cases = flags.campaign.strict && !plan.left_out.empty();
  return gravest(lacks_cases ? ExitCode::failed : ExitCode::ok,
                 flags.campaign.verdict_on(replication.cases));
}

const RegisterCommand registered{
    {.name = "replicate",
     .summary = "Run the papers' tables, and compare this machine with the published ones",
     .example = "  macrobench replicate --budget 5m\n"
                "  macrobench replicate aldrich_2010/table_3 aldrich_2014 --budget none\n"
                "  macrobench replicate aldrich_2014/table_2 --budget 1m --tables\n"
                "  macrobench replicate --dry-run\n"
                "  macrobench replicate --budget none --part 3/8\n"
                "Without a table's name all are run, and what the machine can do at its best.\n"
                "Every table is written beside the records, as Markdown, LaTeX, CSV and JSON; and "
                "report.html,\n"
                "which shows all that is known about this machine, with figures.",
     .rank = 10},
    [](Flags& flags, Options& app) {
      flags.tables.add_to(app);
      app.add_flag("--dry-run", flags.dry_run,
                   "Only show the cases that would run, and the known ones");
      app.add_flag("--tables", flags.prints_tables,
                   "Also print the tables, published beside measured; they are long");
      flags.output.add_to(app, {"text", "json"});
      flags.campaign.add_to(app, "5m");
    },
    replicate};

}  // namespace

}  // namespace macrobench
