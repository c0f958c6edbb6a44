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
#include "harness/tables/sheet.hpp"
#include "harness/text/json_values.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

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

/// A machine's folder and what it holds.
struct Held {
  std::string machine;
  Results results;
};

struct CampaignRow {
  const Held* held;
  std::size_t number;

  [[nodiscard]] const Campaign& campaign() const { return held->results.campaigns[number]; }
};

std::vector<CampaignRow> rows_of(const std::vector<Held>& all) {
  std::vector<CampaignRow> rows;
  for (const Held& held : all) {
    for (std::size_t i = 0; i < held.results.campaigns.size(); ++i) rows.push_back({&held, i});
  }
  return rows;
}

template <class One>
SheetOf<One> sheet_by_campaign(const char* name, std::vector<std::string> more_keys) {
  std::vector<std::string> keys{"machine", "campaign"};
  keys.insert(keys.end(), more_keys.begin(), more_keys.end());
  SheetOf<One> sheet(name, std::move(keys));
  sheet.data("machine", [](const One& one) { return one.of.held->machine; })
      .data("campaign", [](const One& one) { return one.of.campaign().id; });
  return sheet;
}

struct SittingRow {
  CampaignRow of;
  const Sitting* sitting;
};

Sheet sittings_of(const std::vector<CampaignRow>& campaigns) {
  using One = SittingRow;
  return sheet_by_campaign<One>("sittings", {"began"})
      .data("began", [](const One& one) { return one.sitting->began; })
      .data("ended", [](const One& one) { return one.sitting->ended; })
      .data("asked", [](const One& one) { return one.sitting->asked; })
      .data("machine_id", [](const One& one) { return one.sitting->machine; })
      .of(rows_below<One>(campaigns, [](const CampaignRow& one) -> const auto& {
        return one.campaign().sittings;
      }));
}

struct SpeedRow {
  CampaignRow of;
  SpeedChange change;
};

Sheet speeds_of(const std::vector<CampaignRow>& campaigns) {
  using One = SpeedRow;
  std::vector<One> rows;
  for (const CampaignRow& one : campaigns) {
    for (const SpeedChange& change : changes_in(one.held->results.campaigns, one.number)) {
      rows.push_back({one, change});
    }
  }
  return sheet_by_campaign<One>("speeds", {"key"})
      .data("key", [](const One& one) { return one.change.speed.key; })
      .data("rate", [](const One& one) { return one.change.speed.rate(); })
      .data("rate_unit",
            [](const One& one) { return one.change.speed.bytes > 0 ? "B/s" : "FLOP/s"; })
      .data("change_to_its_end", [](const One& one) { return one.change.during; })
      .data("change_since_the_campaign_before",
            [](const One& one) { return one.change.since_previous; })
      .of(rows);
}

std::vector<Sheet> sheets_of(const std::vector<Held>& all) {
  const std::vector<CampaignRow> campaigns = rows_of(all);
  return {SheetOf<Held>("machines", {"machine"})
              .data("machine", &Held::machine)
              .data("records", [](const Held& its) { return its.results.records.size(); })
              .data("records_without_a_campaign",
                    [](const Held& its) { return records_of(its.results, ""); })
              .of(all),
          SheetOf<CampaignRow>("campaigns", {"machine", "campaign"})
              .data("machine", [](const CampaignRow& one) { return one.held->machine; })
              .data("campaign", [](const CampaignRow& one) { return one.campaign().id; })
              .data("records",
                    [](const CampaignRow& one) {
                      return records_of(one.held->results, one.campaign().id);
                    })
              .of(campaigns),
          sittings_of(campaigns), speeds_of(campaigns)};
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
  std::vector<Held> all;
  for (const fs::path& folder : folders) {
    Held& held = all.emplace_back(Held{folder_name(folder), read_results(folder)});
    const Results& results = held.results;
    warn(results.warnings);
    if (flags.output.is_json()) continue;
    const auto older = records_of(results, "");
    print_line(stdout, "{}: {} campaign{}{}", shown_name(folder), results.campaigns.size(),
               results.campaigns.size() == 1 ? "" : "s",
               older > 0 ? fmt::format(", and {} records older than campaigns", older) : "");
    for (std::size_t i = 0; i < results.campaigns.size(); ++i) print(results, i);
  }
  if (flags.output.is_json()) fmt::print("{}", to_text(to_json("campaigns", sheets_of(all))));
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
