// macrobench history: one case over the commits that were measured.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <ranges>
#include <set>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "harness/commands/command.hpp"
#include "harness/commands/output_options.hpp"
#include "harness/model/registry.hpp"
#include "harness/records/machine.hpp"
#include "harness/records/record_store.hpp"
#include "harness/records/results_folder.hpp"
#include "harness/regress/history.hpp"
#include "harness/text/nearest.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

struct Flags {
  std::vector<std::string> results{"results"};
  OutputOptions output;
  RegressionTerms terms;
};

/// A case as the user gives it: an implementation and, as text, some of its parameters.
struct Wanted {
  std::string id;
  AxisOptions axes;
};

/// "rbc/serial --nk 256", or a key as it is printed: "rbc/serial nk=256 nz=4", in one word or
/// several.
Wanted wanted_in(const AxisOptions& options) {
  Wanted wanted{"", options};
  for (const std::string& name : wanted.axes.names) {
    std::istringstream words(name);
    for (std::string word; words >> word;) {
      const std::size_t equals = word.find('=');
      if (equals != std::string::npos) {
        wanted.axes.values.emplace_back(word.substr(0, equals), word.substr(equals + 1));
      } else if (wanted.id.empty()) {
        wanted.id = word;
      } else {
        throw UsageError("'{}' and '{}': history takes one case", wanted.id, word);
      }
    }
  }
  if (wanted.id.find('/') == std::string::npos) {
    throw UsageError(
        "history takes one case, as in: macrobench history rbc/serial --nk 1024, or a key as run "
        "and sweep print it");
  }
  return wanted;
}

bool answers(const Record& record, const Wanted& wanted) {
  if (record.model + "/" + record.implementation != wanted.id) return false;
  return std::ranges::all_of(wanted.axes.values, [&](const auto& given) {
    const Value* value = record.parameters.find(given.first);
    return value != nullptr && to_string(*value) == given.second;
  });
}

/// The key that the case would have if it were run now; empty if this build does not know.
std::string key_now(const Wanted& wanted) {
  const Registry& registry = Registry::global();
  const Implementation* implementation = registry.find(wanted.id);
  if (implementation == nullptr) return "";
  const Parameters given = wanted.axes.parameters(registry.model(implementation->model).axes);
  return registry.make_case(wanted.id, given, available_cores()).key();
}

/// The machines' folders that were given, and those in the folders that were.
std::vector<fs::path> machine_folders(const std::vector<std::string>& given) {
  std::vector<fs::path> folders;
  for (const std::string& name : given) {
    std::error_code unreadable;
    if (has_records(name) || !fs::is_directory(name, unreadable)) {
      folders.push_back(find_machine_folder(name));
    }
    std::ranges::move(machine_folders_in(name), std::back_inserter(folders));
  }
  std::ranges::sort(folders);
  return folders;
}

/// The one key that is meant. Parameters that were not given have their defaults if such a record
/// exists; otherwise exactly one case must match.
std::string chosen_key(const std::vector<Results>& all, const Wanted& wanted) {
  std::set<std::string> keys;
  std::set<std::string> implementations;
  for (const Results& results : all) {
    for (const Record& record : results.records) {
      implementations.insert(record.model + "/" + record.implementation);
      if (record.status != Status::not_run && answers(record, wanted)) keys.insert(record.key);
    }
  }
  if (keys.size() == 1) return *keys.begin();
  // Here a misspelt parameter is reported as such.
  std::string now = key_now(wanted);
  if (keys.contains(now)) return now;
  if (keys.empty() && !implementations.contains(wanted.id) && !implementations.empty()) {
    throw UsageError("there is no record of {} here; the nearest with a record is '{}'", wanted.id,
                     nearest(wanted.id, {implementations.begin(), implementations.end()}));
  }
  if (keys.empty()) {
    throw UsageError("there is no record of {} with these parameters here",
                     now.empty() ? wanted.id : now);
  }
  throw UsageError("{} cases match that; give more parameters, as in '{}'", keys.size(),
                   fmt::join(keys | std::views::take(3), "', '"));
}

ExitCode history(const Flags& flags, const AxisOptions& options) {
  const Wanted wanted = wanted_in(options);
  std::vector<Results> all;
  for (const fs::path& folder : machine_folders(flags.results)) {
    warn(all.emplace_back(read_results(folder)).warnings);
  }
  const std::string key = chosen_key(all, wanted);
  std::vector<History> histories;
  for (const Results& results : all) add_history(histories, results, key);
  for (History& one : histories) compare_steps(one, flags.terms);

  flags.output.print({.document = [&] { return document_of(histories); },
                      .json = [&] { return to_json(histories); },
                      .csv = [&] { return to_csv(histories); }});
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "history",
     .summary = "One case over the commits that were measured, as a table and a plot",
     .example = "  macrobench history MODEL/IMPLEMENTATION [--PARAMETER VALUE ...] [OPTIONS]\n"
                "  macrobench history rbc/serial_tuned --nk 1024\n"
                "  macrobench history 'rbc/serial_tuned nk=1024 nz=4' --results "
                "results/nvidia_h100 --results results/nvidia_h200\n"
                "  macrobench history rbc/frontier --nk 4096 --format csv\n"
                "A record's solutions come from few processes, so a step says less than "
                "`macrobench regress` does\nabout the same two commits.",
     .rank = 36},
    [](Flags& flags, Options& app) {
      app.add_option("--results", flags.results,
                     "Folders of results, of one machine (part of its name is enough) or several",
                     {.one_each = true});
      flags.output.add_to(app, {"text", "md", "html", "csv", "json"});
      app.add_option("--confidence", flags.terms.confidence, "Confidence of a step's interval",
                     {.range = {{0.5, 0.9999}}});
      app.add_option("--threshold", flags.terms.threshold, "What counts as slower",
                     {.range = {{1, 100}}});
    },
    history};

}  // namespace

}  // namespace macrobench
