// macrobench history: one case over the commits that were measured.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <ranges>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "harness/command_line/command.hpp"
#include "harness/command_line/output_options.hpp"
#include "harness/machine/machine.hpp"
#include "harness/model/registry.hpp"
#include "harness/records/record_store.hpp"
#include "harness/records/results_folder.hpp"
#include "harness/regress/commit_build.hpp"
#include "harness/regress/commit_pair.hpp"
#include "harness/regress/history.hpp"
#include "harness/regress/regression_run.hpp"
#include "harness/sources/commit_sources.hpp"
#include "harness/text/nearest.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

struct Flags {
  std::vector<std::string> results{usual_results};
  std::string build;  ///< "FROM..TO"
  OutputOptions output;
  RegressionTerms terms;
};

/// A case as the user gives it: an implementation and, as text, some of its parameters.
struct Wanted {
  std::string id;
  AxisOptions axes;
};

/// "rbc/serial --nk 256", or a key as it is printed, perhaps by an earlier version: "rbc/serial
/// nk=256 nz=4", in one word or several.
Wanted wanted_in(const AxisOptions& options) {
  Wanted wanted{"", options};
  bool is_printed = false;
  for (const std::string& name : wanted.axes.names) {
    std::istringstream words(name);
    for (std::string word; words >> word;) {
      const std::size_t equals = word.find('=');
      if (equals != std::string::npos) {
        is_printed = true;
        wanted.axes.values.emplace_back(word.substr(0, equals), word.substr(equals + 1));
      } else if (wanted.id.empty()) {
        wanted.id = word;
      } else {
        throw UsageError("'{}' and '{}': history takes one case", wanted.id, word);
      }
    }
  }
  if (wanted.id.empty() && wanted.axes.values.empty()) return wanted;
  if (wanted.id.find('/') == std::string::npos) {
    throw UsageError(
        "history takes one case, as in: macrobench history rbc/serial --nk 1024, or a key as run "
        "and sweep print it");
  }
  Parameters given;
  for (const auto& [name, text] : wanted.axes.values) given.set(name, text);
  const Registry& registry = Registry::global();
  const Renamed now =
      is_printed ? registry.recorded(wanted.id, given) : registry.renamed(wanted.id, given);
  wanted.id = now.id;
  std::erase_if(wanted.axes.values,
                [&](const auto& one) { return now.given.find(one.first) == nullptr; });
  return wanted;
}

bool answers(const Record& record, const Wanted& wanted) {
  if (record.id() != wanted.id) return false;
  return std::ranges::all_of(wanted.axes.values, [&](const auto& given) {
    const Value* value = record.parameters.find(given.first);
    return value != nullptr && to_string(*value) == given.second;
  });
}

/// As it would be run now. Throws UsageError if this build cannot.
Case case_of(const Wanted& wanted) {
  const Registry& registry = Registry::global();
  const Model& model = *registry.implementation(wanted.id).its_model;
  return registry.make_case(wanted.id, wanted.axes.parameters(model.axes), available_cores());
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
      implementations.insert(record.id());
      if (record.status != Status::not_run && answers(record, wanted)) keys.insert(record.key);
    }
  }
  if (keys.size() == 1) return *keys.begin();
  // Here a misspelt parameter is reported as such.
  const bool is_here = Registry::global().find(wanted.id) != nullptr;
  const std::string now = is_here ? case_of(wanted).key() : "";
  // Of what regress measured there is only the key.
  for (const Results& results : all) {
    if (keys_of(results).contains(now)) return now;
  }
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

/// Measures the case at each commit of "FROM..TO" (of those that a branch had, not those of what
/// was merged into it) that may have changed it, beside the last one before it that was built.
void fill_back(const Flags& flags, const Wanted& wanted) {
  const std::size_t dots = flags.build.find("..");
  if (dots == std::string::npos) {
    throw UsageError("--build {}: name two commits, as in --build v1.0..HEAD", shown(flags.build));
  }
  if (flags.results.size() != 1 || has_records(flags.results[0])) {
    throw UsageError("--build needs one folder of results, not a machine's: --results results");
  }
  if (wanted.id.empty()) throw UsageError("--build needs a case: history rbc/serial --nk 1024");
  const fs::path repository = own_sources();
  std::string from = commit_named(repository, flags.build.substr(0, dots));
  const std::string to = commit_named(repository, flags.build.substr(dots + 2));
  const auto list = git(repository, {"rev-list", "--first-parent", "--reverse", from + ".." + to});
  if (from.empty() || to.empty() || !list) {
    throw UsageError("--build {}: {} is not a commit here", shown(flags.build),
                     from.empty() ? "the first" : "the second");
  }
  const Machine machine = this_machine();
  const Case which = case_of(wanted);
  const RegressionPlan plan{.cases = {which}, .terms = flags.terms};
  const Progress progress = terminal_progress();
  std::optional<Contender> base;
  for (const std::string_view line : split(trim(*list), '\n')) {
    const std::string commit(line);
    if (commit.empty() || CommitPair(repository, from, commit).has_same(*which.implementation))
      continue;
    try {
      if (!base) base = contender_of(from, machine);
      Contender head = contender_of(commit, machine);
      const Regression regression = run_regression(plan, *base, head, machine, progress);
      RecordStore(own_folder(flags.results[0], machine))
          .append_regression(to_json(regression, exit_code_of(regression, {})), machine);
      progress.says(fmt::format("{}: {}", commit.substr(0, 10), summary_of(regression)));
      base = std::move(head);
      from = commit;
    } catch (const NotBuilt&) {
      if (!base) throw UsageError("--build {}: its first commit cannot be built", flags.build);
      progress.says(fmt::format("{} cannot be built and is passed over.", commit.substr(0, 10)));
    }
  }
}

ExitCode history(const Flags& flags, const AxisOptions& options) {
  const Wanted wanted = wanted_in(options);
  if (!flags.build.empty()) fill_back(flags, wanted);
  std::vector<Results> all;
  for (const fs::path& folder : machine_folders(flags.results)) {
    warn(all.emplace_back(read_results(folder)).warnings);
  }
  const bool of_all = wanted.id.empty();
  std::set<std::string> chosen;
  if (!of_all) chosen.insert(chosen_key(all, wanted));
  std::vector<History> histories;
  for (const Results& results : all) {
    for (const std::string& key : of_all ? keys_of(results) : chosen) {
      warn(add_history(histories, results, key));
    }
  }
  const Commits commits = commits_of(histories, own_sources());
  for (History& one : histories) compare_steps(one, flags.terms, commits);

  flags.output.print({.document =
                          [&] {
                            return of_all ? changes_of(histories, commits)
                                          : document_of(histories, commits);
                          },
                      .json = [&] { return to_json(histories, commits); },
                      .csv = [&] { return to_csv(histories); }});
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "history",
     .summary = "A case over the commits that were measured, or who made which one slower",
     .example =
         "  macrobench history [MODEL/IMPLEMENTATION [--PARAMETER VALUE ...]] [OPTIONS]\n"
         "  macrobench history                        what changed in any case, and by whom\n"
         "  macrobench history rbc/serial_tuned --nk 1024\n"
         "  macrobench history 'rbc/serial_tuned nk=1024 nz=4' --results "
         "results/amd_epyc --results results/nvidia_h200\n"
         "  macrobench history rbc/frontier --nk 4096 --format csv\n"
         "  macrobench history rbc/serial_tuned --nk 1024 --build v1.0..HEAD\n"
         "What `macrobench regress --results FOLDER` measured is in it too, apart from the "
         "records: their\nsolutions come from few processes, so a step of theirs says less "
         "about the same two commits.\nA change is where ranks of the times before and after "
         "differ (Mann-Whitney, binary segmentation).",
     .rank = 36},
    [](Flags& flags, Options& app) {
      app.add_option("--results", flags.results,
                     "Folders of results, of one machine (part of its name is enough) or several",
                     {.one_each = true});
      app.add_option("--build", flags.build,
                     "FROM..TO: first build the commits between two, and measure the case at each "
                     "that may have changed it");
      flags.output.add_to(app, {"text", "md", "html", "csv", "json"});
      app.add_option("--pairs", flags.terms.pairs, "For --build: as of `regress`",
                     {.range = {{1, 100'000}}});
      app.add_option("--confidence", flags.terms.confidence, "Confidence of a step's interval",
                     {.range = {{0.5, 0.9999}}});
      app.add_option("--threshold", flags.terms.threshold, "What counts as slower",
                     {.range = {{1, 100}}});
    },
    history};

}  // namespace

}  // namespace macrobench
