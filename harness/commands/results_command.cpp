// macrobench results: what is in folders of results.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/command_line/command.hpp"
#include "harness/command_line/output_options.hpp"
#include "harness/records/campaign.hpp"
#include "harness/records/record_store.hpp"
#include "harness/records/results_folder.hpp"
#include "harness/text/json_values.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct Flags {
  std::string results = usual_results;
  std::string machine;
  OutputOptions output;
};

/// A machine's speed in a campaign: as it began, and how it changed.
struct SpeedChange {
  Speed speed;
  std::optional<double> during = {};          ///< from the campaign's beginning to its end
  std::optional<double> since_previous = {};  ///< from the end of the one before to its beginning
};

std::vector<SpeedChange> changes_in(const std::vector<Campaign>& campaigns, std::size_t i) {
  const std::vector<Speed>& first = campaigns[i].first().speeds_at_begin;
  std::vector<SpeedChange> changes;
  for (const Speed& speed : first) {
    SpeedChange& change = changes.emplace_back(SpeedChange{speed});
    if (!campaigns[i].is_cut_off()) {
      for (const Speed& later : campaigns[i].last_speeds()) {
        if (later.key == speed.key) change.during = drift(first, later);
      }
    }
    if (i > 0) change.since_previous = drift(campaigns[i - 1].last_speeds(), speed);
  }
  return changes;
}

auto records_of(const Results& results, const std::string& campaign) {
  return std::ranges::count(results.records, campaign, &Record::campaign);
}

ordered_json to_json(const Results& results, std::size_t i) {
  const Campaign& campaign = results.campaigns[i];
  ordered_json json{{"id", campaign.id},
                    {"sittings", ordered_json::array()},
                    {"records", records_of(results, campaign.id)},
                    {"speeds", ordered_json::array()}};
  for (const Sitting& sitting : campaign.sittings) {
    json["sittings"].push_back({{"asked", sitting.asked},
                                {"machine", sitting.machine},
                                {"began", sitting.began},
                                {"ended", or_null(sitting.ended)}});
  }
  for (const auto& [speed, during, since_previous] : changes_in(results.campaigns, i)) {
    json["speeds"].push_back(
        {{"key", speed.key},
         {speed.bytes > 0 ? "bytes_per_second" : "operations_per_second", speed.rate()},
         {"change_to_its_end", or_null(during)},
         {"change_since_the_campaign_before", or_null(since_previous)}});
  }
  return json;
}

std::string percent(const std::optional<double>& change) {
  return change ? fmt::format("{:+.1f}%", 100 * *change) : "-";
}

void print(const Results& results, std::size_t i) {
  const Campaign& campaign = results.campaigns[i];
  const auto records = records_of(results, campaign.id);
  print_line(stdout, "  {}  {} record{}", campaign.id, records, records == 1 ? "" : "s");
  for (const Sitting& sitting : campaign.sittings) {
    const bool is_cut_off = sitting.ended.empty();
    print_line(stdout, "    asked  {}", sitting.asked);
    print_line(stdout, "    began  {}", sitting.began);
    print_line(stdout, "    ended  {}", is_cut_off ? "no: it was cut off" : sitting.ended);
  }
  for (const auto& [speed, during, since_previous] : changes_in(results.campaigns, i)) {
    print_line(stdout, "    {:<66} {:>8.2f} {}  to its end {:>6}  since the campaign before {:>6}",
               speed.key, speed.rate() / 1e9, speed.bytes > 0 ? "GB/s   " : "GFLOP/s",
               percent(during), percent(since_previous));
  }
}

ExitCode list_campaigns(const Flags& flags) {
  std::vector<fs::path> folders;
  if (flags.machine.empty()) {
    folders = machine_folders_in(flags.results);
  } else {
    folders.push_back(find_machine_folder(has_records(flags.machine)
                                              ? fs::path(flags.machine)
                                              : fs::path(flags.results) / flags.machine));
  }
  ordered_json json = ordered_json::array();
  for (const fs::path& folder : folders) {
    const Results results = read_results(folder);
    warn(results.warnings);
    ordered_json campaigns = ordered_json::array();
    for (std::size_t i = 0; i < results.campaigns.size(); ++i) {
      campaigns.push_back(to_json(results, i));
    }
    const auto older = records_of(results, "");
    json.push_back({{"machine", folder_name(folder)},
                    {"records_without_a_campaign", older},
                    {"campaigns", std::move(campaigns)}});
    if (flags.output.is_json()) continue;
    print_line(stdout, "{}: {} campaign{}{}", shown_name(folder), results.campaigns.size(),
               results.campaigns.size() == 1 ? "" : "s",
               older > 0 ? fmt::format(", and {} records older than campaigns", older) : "");
    for (std::size_t i = 0; i < results.campaigns.size(); ++i) print(results, i);
  }
  if (flags.output.is_json()) fmt::print("{}", to_text({{"schema", 1}, {"machines", json}}));
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "results",
     .summary = "The campaigns in folders of results",
     .example = "  macrobench results campaigns\n"
                "  macrobench results campaigns nvidia_h200",
     .rank = 51},
    [](Flags& flags, Options& app) {
      Options* const campaigns = app.add_subcommand(
          "campaigns", "Each replicate, sweep and kept run, and how the machine's speed changed");
      campaigns->add_option("machine", flags.machine,
                            "A machine's folder, or a part of its name (default: all)");
      campaigns->add_option("--results", flags.results, "Folder of results");
      flags.output.add_to(*campaigns, {"text", "json"});
    },
    list_campaigns};

}  // namespace

}  // namespace macrobench
