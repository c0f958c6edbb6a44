#include "paper_tables/cells/table_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

#include "harness/command_line/command.hpp"
#include "harness/files/executable.hpp"
#include "harness/files/output_folder.hpp"
#include "harness/numbers/folder_times.hpp"
#include "harness/records/results_folder.hpp"
#include "harness/text/error.hpp"
#include "harness/text/json_values.hpp"
#include "harness/text/nearest.hpp"
#include "paper_tables/verify/folder_checks.hpp"

namespace macrobench {

namespace {

constexpr const char* definitions_variable = "MACROBENCH_DEFINITIONS";

}  // namespace

void TableOptions::add_to(Options& app) {
  app.add_option("table", tables,
                 "Tables (aldrich_2010/table_3) or papers (aldrich_2010); all if none",
                 {.type_name = "TABLE"});
  add_definitions_option(app, definitions);
}

std::string default_definitions() {
  return data_folder("papers", MACROBENCH_PAPER_TABLES_DIR).string();
}

std::string definitions_in_use() {
  const char* const given = std::getenv(definitions_variable);
  return given == nullptr || *given == '\0' ? default_definitions() : given;
}

void add_definitions_option(Options& app, std::string& folder, const std::string& help) {
  folder = default_definitions();
  app.add_option("--definitions", folder, help, {.envname = definitions_variable});
}

LeaveOut leave_out_except(std::vector<std::string> named) {
  return [named = std::move(named)](const std::string& name, const std::string& reason) {
    for (const std::string& one : named) {
      if (name == one || name.starts_with(one + "/")) throw UsageError(reason);
    }
    static std::set<std::string> warned;
    if (warned.insert(name).second) warn({fmt::format("{} is left out: {}", name, reason)});
  };
}

void add_results_option(Options& app, std::string& folder) {
  app.add_option(
      "--results", folder,
      "A machine's folder of results (part of its name is enough; default: this machine's)");
}

void ViewOptions::add_to(Options& app, const std::string& name, std::vector<std::string> excludes) {
  name_ = name;
  output_.add_to(app, {"text", "md", "html", "csv", "json"});
  excludes.insert(excludes.end(), {"--format", "--json"});
  app.add_flag("--write", write_,
               fmt::format("Write {0}.json and {0}.md into the folder of results instead", name),
               {.excludes = std::move(excludes)});
}

void ViewOptions::show(const Output& output, const std::filesystem::path& folder) const {
  if (!write_) {
    output_.print(output);
    return;
  }
  const OutputFolder out(folder);
  out.write(name_ + ".json", to_text(output.json()));
  out.write(name_ + ".md", to_markdown(output.document()));
  print_line(stdout, "{0}.json and {0}.md written to {1}", name_, folder.string());
}

void RecordsView::add_to(Options& app, const std::string& name, const std::string& cases) {
  add_results_option(app, results_);
  if (!cases.empty()) app.add_flag("--cases", cases_, cases);
  view_.add_to(app, name);
}

std::vector<std::string> chosen_papers(std::vector<std::string> papers,
                                       const std::vector<std::string>& named) {
  for (const std::string& name : named) {
    if (std::ranges::find(papers, name) == papers.end()) {
      throw UsageError(unknown_name("paper", name, papers));
    }
  }
  std::erase_if(papers, [&](const std::string& paper) {
    return !named.empty() && std::ranges::find(named, paper) == named.end();
  });
  return papers;
}

OutputFolder tables_folder(const std::filesystem::path& results) {
  return OutputFolder(results).folder("tables");
}

Machine machine_of(const Results& results) {
  const std::vector<Record>& records = results.records.empty() ? results.turns : results.records;
  if (records.empty()) return {};
  const auto known = results.machines.find(records.back().machine);
  Machine machine;
  if (known != results.machines.end()) machine = known->second;
  machine.faults = faults_in(results);
  if (known == results.machines.end()) return machine;
  const std::string compiler = machine.text_at("/compiler/name");
  std::map<std::string, Machine> named;
  machine.records = records.size();
  for (const Record& record : records) {
    const auto its = results.machines.find(record.machine);
    if (its == results.machines.end()) continue;
    named.insert(*its);
    if (!its->second.is_identified()) ++machine.unnamed;
    const std::string other = its->second.text_at("/compiler/name");
    const bool is_shown = record.status == Status::measured && other != compiler;
    if (is_shown && !other.empty()) machine.other_compilers.insert(other);
  }
  machine.machines = count_machines(named);
  return machine;
}

std::filesystem::path folder_of_this_machine() {
  const std::filesystem::path folder = own_folder(usual_results, this_machine());
  if (has_records(folder)) return folder;
  throw UsageError(
      fmt::format("{}: there are no records of this machine; macrobench replicate makes them, and "
                  "--results takes another machine's folder{}{}",
                  folder.string(), hint_to_merge(folder),
                  listed("beside it there are", machine_folders_in(usual_results))));
}

MachineResults read_machine_results(const std::string& folder) {
  const std::filesystem::path place =
      folder.empty() ? folder_of_this_machine() : find_machine_folder(folder);
  MachineResults found{
      .folder = place, .name = folder_name(place), .machine = {}, .results = read_results(place)};
  warn(found.results.warnings);
  if (!found.results.repeated.empty()) warn({found.results.repeated});
  if (found.results.records.empty() && found.results.turns.empty()) {
    throw UsageError(fmt::format("{}: there is no record in its records.jsonl", place.string()));
  }
  found.machine = machine_of(found.results);
  return found;
}

}  // namespace macrobench
