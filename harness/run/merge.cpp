#include "harness/run/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "harness/files/digest.hpp"
#include "harness/files/folder.hpp"
#include "harness/files/output_folder.hpp"
#include "harness/files/whole_file.hpp"
#include "harness/model/solution_folder.hpp"
#include "harness/records/record_json.hpp"
#include "harness/records/record_store.hpp"
#include "harness/records/results_folder.hpp"
#include "harness/run/job.hpp"
#include "harness/text/error.hpp"
#include "harness/text/json_values.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

std::string identity_of(const Record& record) {
  return fmt::format("{} of {}, {}, campaign {}, machine {}", record.key, record.time,
                     to_string(record.status), record.campaign, record.machine);
}

std::string identity_of(const CampaignEvent& event) {
  return fmt::format("campaign {}, which {} at {}", event.campaign,
                     event.begins ? "began" : "ended", event.time);
}

/// All that some folders say, by what it is about, and the kind of machine that they are of.
class KnownLines {
 public:
  explicit KnownLines(fs::path folder) : folder_(std::move(folder)) {}

  /// Returns true if the line is new. Throws Failure if it contradicts a known one; the folder
  /// itself need not agree with itself.
  template <class Line>
  bool add(const Line& line, const fs::path& from) {
    const std::string content = to_line(to_json(line));
    const auto [known, is_new] = lines_.try_emplace(identity_of(line), content);
    if (is_new || from == folder_ || known->second == content) return is_new;
    throw Failure("{}: it contradicts {} about {}: nothing was merged", from.string(),
                  folder_.string(), known->first);
  }

  void add(const WrittenResults& written, const fs::path& from) {
    for (const auto& [id, machine] : written.machines) {
      if (kind_.empty()) kind_ = machine.slug();
      if (kind_ == machine.slug()) continue;
      throw Failure(
          "{}: {} would have records of two kinds of machines, {} and {}: nothing was "
          "merged",
          from.string(), folder_.string(), kind_, machine.slug());
    }
    for (const Record& record : written.records) {
      if (from != folder_ && !written.machines.contains(record.machine)) {
        throw Failure("{}: {} names a machine that the folder does not have: nothing was merged",
                      from.string(), record.key);
      }
      add(record, from);
    }
    for (const CampaignEvent& event : written.events) add(event, from);
  }

 private:
  fs::path folder_;
  std::string kind_;
  std::map<std::string, std::string> lines_;  ///< by identity
};

/// Returns why the solution that the record names is not copied; empty if it is.
std::string copy_solution(const Record& record, const fs::path& shard, const fs::path& folder) {
  const fs::path from = stored_solution(shard, record.key);
  std::error_code ignored;
  const bool is_there = fs::is_directory(fs::symlink_status(from.parent_path(), ignored)) &&
                        !fs::is_symlink(fs::symlink_status(from, ignored)) &&
                        fs::exists(from, ignored);
  if (!is_there) return "is not there";
  try {
    const std::string stored = read_solution(from, largest_stored_solution);
    if (sha256(stored) != record.solution) return "is not the one that the record names";
    const OutputFolder all = OutputFolder(folder).folder(from.parent_path().filename().string());
    const std::string name = from.filename().string();
    if (!fs::is_directory(from)) {
      all.write(name, stored, Durable::yes);
      return "";
    }
    const OutputFolder to = all.folder(name);
    for (const std::string& file : files_of_solution(from)) {
      to.write(file, read_whole(from / file, largest_stored_solution), Durable::yes);
    }
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

/// Campaigns before the records that name them, and solutions before the records that they prove.
MergedShard append(const WrittenResults& written, const fs::path& shard, RecordStore& store,
                   const fs::path& folder, KnownLines& known, std::vector<std::string>& warnings) {
  MergedShard merged{.shard = shard, .into = folder, .records = written.records.size()};
  for (const CampaignEvent& event : written.events) {
    const auto machine = written.machines.find(event.machine);
    if (!known.add(event, shard)) continue;
    store.append(event, machine == written.machines.end() ? written.machines.begin()->second
                                                          : machine->second);
  }
  for (const Record& record : written.records) {
    if (!known.add(record, shard)) continue;
    const std::string why = record.solution.empty() ? "" : copy_solution(record, shard, folder);
    if (!why.empty()) {
      warnings.push_back(
          fmt::format("{}: the stored solution of {} {}", shard.string(), record.key, why));
    }
    store.append(record, written.machines.at(record.machine));
    ++merged.added;
  }
  return merged;
}

}  // namespace

std::vector<fs::path> shards_in(const fs::path& given) {
  std::vector<fs::path> shards = machine_folders_in(shards_folder(given));
  if (shards.empty() && has_records(given)) return {given};
  for (const fs::path& machine : paths_in(given)) {
    std::ranges::move(machine_folders_in(shards_folder(machine)), std::back_inserter(shards));
  }
  if (shards.empty()) shards = machine_folders_in(given);
  if (shards.empty()) {
    throw UsageError(
        "{}: there are no shards in it; macrobench sweep and replicate write one with --part",
        given.string());
  }
  const auto link = std::ranges::find_if(shards, [](const fs::path& at) { return is_symlink(at); });
  if (link != shards.end())
    throw Failure("{}: it is a link: name the folder itself", link->string());
  return shards;
}

Merge merge(const std::vector<fs::path>& folders, const fs::path& results, const fs::path& into) {
  Merge merged;
  std::map<fs::path, std::map<fs::path, WrittenResults>> by_target;
  for (const fs::path& folder : folders) {
    WrittenResults written = read_written(folder);
    std::ranges::move(written.warnings, std::back_inserter(merged.warnings));
    if (written.machines.empty()) continue;
    const Machine& machine = written.machines.begin()->second;
    by_target[into.empty() ? results / machine.own_name() : into].emplace(folder, written);
  }
  for (const auto& [target, shards] : by_target) {
    KnownLines known(target);
    known.add(read_written(target), target);
    for (const auto& [shard, written] : shards) known.add(written, shard);
  }
  for (const auto& [target, shards] : by_target) {
    RecordStore store(target);
    KnownLines known(target);
    known.add(read_written(target), target);
    for (const auto& [shard, written] : shards) {
      merged.shards.push_back(append(written, shard, store, target, known, merged.warnings));
    }
  }
  return merged;
}

}  // namespace macrobench
