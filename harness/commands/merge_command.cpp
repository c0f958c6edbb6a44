// macrobench merge: joins the shards that the parts of a sweep or a replication have written.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "harness/command_line/command.hpp"
#include "harness/command_line/output_options.hpp"
#include "harness/records/results_folder.hpp"
#include "harness/run/merge.hpp"
#include "harness/run/part.hpp"
#include "harness/text/shell.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct Flags {
  std::vector<std::string> folders;
  std::string results = usual_results;
  std::string into;  ///< the one folder; empty: each machine's in the results
  OutputOptions output;
};

/// The parts that have no shard, by how many the plan has; by the shards' names alone.
std::map<int, std::vector<int>> missing_parts(const MergedMachine& machine) {
  std::map<int, std::set<int>> there;
  for (const MergedShard& shard : machine.shards) {
    if (const auto part = part_of_folder(folder_name(shard.folder))) {
      there[part->count].insert(part->number);
    }
  }
  std::map<int, std::vector<int>> missing;
  for (const auto& [count, numbers] : there) {
    for (int number = 1; number <= count; ++number) {
      if (!numbers.contains(number)) missing[count].push_back(number);
    }
  }
  return missing;
}

std::string sentence_on(int count, const std::vector<int>& missing) {
  constexpr std::size_t most = 10;
  std::vector<int> first = missing;
  if (first.size() > most) first.resize(most);
  return fmt::format("Of {} parts {} {} not here: {}{}.", count, missing.size(),
                     missing.size() == 1 ? "is" : "are", fmt::join(first, ", "),
                     missing.size() > most ? ", ..." : "");
}

Document document_of(const Merge& merge) {
  using enum Column::Kind;
  Document document;
  for (const MergedMachine& machine : merge.machines) {
    std::vector<Row> rows;
    std::size_t added = 0;
    for (const MergedShard& shard : machine.shards) {
      added += shard.added;
      rows.push_back(
          {{folder_name(shard.folder), std::to_string(shard.records), std::to_string(shard.added),
            shard.is_finished ? "" : "not finished: it runs, or was stopped"}});
    }
    document.body.emplace_back(
        grid_of({{"shard", words}, {"records"}, {"new"}, {"", words}}, std::move(rows)));
    document.body.emplace_back(Paragraph{fmt::format(
        "{} new record{} in {}.", added, added == 1 ? "" : "s", machine.folder.string())});
    for (const auto& [count, missing] : missing_parts(machine)) {
      document.body.emplace_back(Paragraph{sentence_on(count, missing)});
    }
    document.body.emplace_back(
        Paragraph{Words("Their tables: ") +
                  code("macrobench report --results " + shell_word(machine.folder.string()))});
  }
  return document;
}

ordered_json as_json(const Merge& merge) {
  ordered_json machines = ordered_json::array();
  for (const MergedMachine& machine : merge.machines) {
    ordered_json shards = ordered_json::array();
    for (const MergedShard& shard : machine.shards) {
      shards.push_back({{"folder", shard.folder.string()},
                        {"records", shard.records},
                        {"new_records", shard.added},
                        {"finished", shard.is_finished}});
    }
    ordered_json missing = ordered_json::array();
    for (const auto& [count, numbers] : missing_parts(machine)) {
      for (const int number : numbers) missing.push_back(to_string(Part{number, count}));
    }
    machines.push_back({{"folder", machine.folder.string()},
                        {"shards", std::move(shards)},
                        {"missing_parts", std::move(missing)}});
  }
  return {{"schema", 1}, {"machines", std::move(machines)}};
}

ExitCode run(const Flags& flags) {
  // Each once, and the tenth after the ninth.
  std::map<std::tuple<fs::path, int, int, fs::path>, fs::path> in_order;
  for (const std::string& folder :
       flags.folders.empty() ? std::vector{flags.results} : flags.folders) {
    for (const fs::path& found : shards_in(folder)) {
      const fs::path shard = found.lexically_normal();
      const Part part = part_of_folder(folder_name(shard)).value_or(Part{0, 0});
      in_order.emplace(std::tuple(shard.parent_path(), part.count, part.number, shard), shard);
    }
  }
  std::vector<fs::path> shards;
  for (const auto& [order, shard] : in_order) shards.push_back(shard);
  const Merge merged =
      flags.into.empty() ? merge(shards, flags.results) : merge_into(flags.into, shards);
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
