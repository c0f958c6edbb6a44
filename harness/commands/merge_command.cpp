// macrobench merge: joins the shards that the parts of a sweep or a replication have written.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "harness/command_line/command.hpp"
#include "harness/command_line/output_options.hpp"
#include "harness/records/results_folder.hpp"
#include "harness/run/merge.hpp"

namespace macrobench {

namespace {

using nlohmann::ordered_json;

struct Flags {
  std::vector<std::string> folders;
  std::string results = usual_results;
  std::string into;  ///< the one folder; empty: each machine's in the results
  OutputOptions output;
};

Document document_of(const Merge& merge) {
  using enum Column::Kind;
  std::vector<Row> rows;
  for (const MergedShard& one : merge.shards) {
    rows.push_back({{one.shard.string(), one.into.string(), std::to_string(one.records),
                     std::to_string(one.added)}});
  }
  return {.body = {
              grid_of({{"shard", words}, {"into", words}, {"records"}, {"new"}}, std::move(rows))}};
}

ordered_json as_json(const Merge& merge) {
  ordered_json shards = ordered_json::array();
  for (const MergedShard& one : merge.shards) {
    shards.push_back({{"shard", one.shard.string()},
                      {"into", one.into.string()},
                      {"records", one.records},
                      {"new_records", one.added}});
  }
  return {{"schema", 2}, {"shards", std::move(shards)}};
}

ExitCode run(const Flags& flags) {
  std::set<std::filesystem::path> shards;
  for (const std::string& folder :
       flags.folders.empty() ? std::vector{flags.results} : flags.folders) {
    for (const auto& shard : shards_in(folder)) shards.insert(shard.lexically_normal());
  }
  const Merge merged = merge({shards.begin(), shards.end()}, flags.results, flags.into);
  warn(merged.warnings);
  flags.output.print(
      {.document = [&] { return document_of(merged); }, .json = [&] { return as_json(merged); }});
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "merge",
     .summary = "Join the records of a sweep's or a replication's parts",
     .example = "  macrobench merge\n"
                "  macrobench merge results/MACHINE/shards/3_of_8\n"
                "  macrobench merge /scratch/results --results results\n"
                "  macrobench merge results/MACHINE --into results/reference/NAME\n"
                "Records merged before are skipped: merge as often as you like, also while parts "
                "run.",
     .rank = 52},
    [](Flags& flags, Options& app) {
      app.add_option("folders", flags.folders,
                     "Shards, or folders with shards in them (default: all in the folder of "
                     "results)");
      app.add_option("--results", flags.results, "Folder of results into which they are merged");
      app.add_option("--into", flags.into,
                     "Merge all into this one folder, whatever its name: a reference machine's",
                     {.excludes = {"--results"}});
      flags.output.add_to(app, {"text", "json"});
    },
    run};

}  // namespace

}  // namespace macrobench
