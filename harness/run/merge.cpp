#include "harness/run/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include "harness/files/digest.hpp"
#include "harness/files/folder.hpp"
#include "harness/files/output_folder.hpp"
#include "harness/files/whole_file.hpp"
#include "harness/records/record_json.hpp"
#include "harness/records/record_store.hpp"
#include "harness/records/results_folder.hpp"
#include "harness/run/job.hpp"
#include "harness/text/error.hpp"
#include "harness/text/json_values.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

struct Shard {
  fs::path folder;
  WrittenResults written;
};

/// Everything of one kind that some folders say, by what it is about. Of one thing a folder may say
/// several, one after the other: a time that was found noisy later. Another folder has the same
/// ones or, if it was copied earlier, only the first.
class Statements {
 public:
  explicit Statements(std::string_view what) : what_(what) {}

  /// The folder that will have everything; it need not agree with itself.
  void know(const std::string& identity, std::string content, const fs::path& folder) {
    known_[identity].push_back({std::move(content), folder});
  }

  /// Begins another folder's.
  void begin() { seen_.clear(); }

  /// Whether this is new. Throws Failure if it contradicts what is known.
  bool add(const std::string& identity, std::string content, const fs::path& folder) {
    std::vector<Statement>& all = known_[identity];
    std::size_t& seen = seen_[identity];
    if (seen == all.size()) {
      all.push_back({std::move(content), folder});
      ++seen;
      return true;
    }
    const Statement& same = all[seen++];
    if (same.content == content) return false;
    throw Failure(
        "{} and {} contradict each other about {} {}: nothing was merged; find out which of them "
        "was changed, and merge without it",
        same.folder.string(), folder.string(), what_, identity);
  }

 private:
  struct Statement {
    std::string content;
    fs::path folder;
  };
  std::string_view what_;
  std::map<std::string, std::vector<Statement>> known_;
  std::map<std::string, std::size_t> seen_;  ///< of the folder that is added
};

std::string identity_of(const Record& record) {
  return fmt::format("{} of {}, campaign {}, machine {}", record.key, record.time,
                     record.campaign.empty() ? "unknown" : record.campaign, record.machine);
}
std::string identity_of(const CampaignEvent& event) {
  return fmt::format("{}, which {} at {}", event.campaign, event.begins ? "began" : "ended",
                     event.time);
}

template <class Said>
std::string content_of(const Said& said) {
  return to_line(to_json(said));
}
/// What a machine's folder lacks, in the order of time.
struct Additions {
  template <class Said>
  struct From {
    Said said;
    const Shard* shard;
  };
  std::vector<From<Record>> records;
  std::vector<From<CampaignEvent>> events;
  /// The newest record of each key that names a stored solution.
  std::map<std::string, const Record*> with_solution;
};

/// Throws Failure on a contradiction.
Additions additions_to(const WrittenResults& target, const fs::path& folder,
                       const std::vector<const Shard*>& shards) {
  Additions additions;
  Statements records("the record"), events("the campaign");
  const auto know = [&](Statements& known, const auto& all) {
    for (const auto& said : all) known.know(identity_of(said), content_of(said), folder);
  };
  know(records, target.records);
  know(events, target.events);
  for (const Shard* shard : shards) {
    const auto add = [&](Statements& known, const auto& all, auto& added) {
      known.begin();
      for (const auto& said : all) {
        if (known.add(identity_of(said), content_of(said), shard->folder)) {
          added.push_back({said, shard});
        }
      }
    };
    add(records, shard->written.records, additions.records);
    add(events, shard->written.events, additions.events);
  }
  const auto time_of = [](const auto& one) -> const auto& { return one.said.time; };
  std::ranges::stable_sort(additions.records, {}, time_of);
  std::ranges::stable_sort(additions.events, {}, time_of);
  const auto note_solution = [&](const Record& record) {
    if (record.solution.empty()) return;
    const Record*& newest = additions.with_solution[record.key];
    if (newest == nullptr || newest->time <= record.time) newest = &record;
  };
  for (const Record& record : target.records) note_solution(record);
  for (const auto& added : additions.records) note_solution(added.said);
  return additions;
}

/// The stored solution of a record, if it is the one that the record names.
void copy_solution(const Record& record, const fs::path& shard, const fs::path& folder,
                   std::vector<std::string>& warnings) {
  const fs::path from = solution_file(shard, record.key);
  std::string why;
  try {
    std::error_code ignored;
    const bool is_file = fs::is_directory(fs::symlink_status(from.parent_path(), ignored)) &&
                         fs::is_regular_file(fs::symlink_status(from, ignored));
    const std::string content = is_file ? read_whole(from, largest_stored_solution) : "";
    if (is_file && sha256(content) == record.solution) {
      OutputFolder(folder)
          .folder(from.parent_path().filename().string())
          .write(from.filename().string(), content, Durable::yes);
      return;
    }
    why = is_file ? "is not the one that the record names" : "is not there";
  } catch (const std::system_error&) {
    why = "cannot be read";
  }
  warnings.push_back(
      fmt::format("{}: the stored solution of {} {}", shard.string(), record.key, why));
}

/// Only what names a machine of the shard can be written.
template <class Said, class IdOf>
void drop_strays(const fs::path& folder, const std::map<std::string, Machine>& machines,
                 std::vector<Said>& all, IdOf id_of, std::string_view what,
                 std::vector<std::string>& warnings) {
  const std::size_t strays =
      std::erase_if(all, [&](const Said& said) { return !machines.contains(id_of(said)); });
  if (strays == 0) return;
  warnings.push_back(
      fmt::format("{}: {} {}{} left out, because the folder does not have the "
                  "machine that {}",
                  folder.string(), strays, what, strays == 1 ? " is" : "s are",
                  strays == 1 ? "it names" : "they name"));
}

Shard read_shard(const fs::path& folder, std::vector<std::string>& warnings) {
  Shard shard{folder, read_written(folder)};
  WrittenResults& written = shard.written;
  std::ranges::move(written.warnings, std::back_inserter(warnings));
  std::erase_if(written.machines, [](const auto& one) { return one.second.id() != one.first; });
  drop_strays(
      folder, written.machines, written.records,
      [](const Record& record) { return record.machine; }, "record", warnings);
  // A sitting ends on the machine on which it began.
  std::map<std::string, std::string> began_on;
  for (const CampaignEvent& event : written.events) {
    if (event.begins) began_on.emplace(event.campaign, event.machine);
  }
  drop_strays(
      folder, written.machines, written.events,
      [&](const CampaignEvent& event) { return began_on[event.campaign]; }, "event of a campaign",
      warnings);
  return shard;
}

/// The kind of machine that the shard is of. Throws Failure if its machines are of several.
std::string slug_of(const Shard& shard) {
  std::set<std::string> slugs;
  for (const auto& [id, machine] : shard.written.machines) slugs.insert(machine.slug());
  if (slugs.size() == 1) return *slugs.begin();
  throw Failure("{}: its records are of several machines ({} and {}), so it is not a shard",
                shard.folder.string(), *slugs.begin(), *slugs.rbegin());
}

/// The name of the folder to which shards of one kind of machine belong.
std::string common_name(const std::vector<const Shard*>& shards) {
  std::map<std::string, Machine> machines;
  for (const Shard* shard : shards) {
    machines.insert(shard->written.machines.begin(), shard->written.machines.end());
  }
  const Machine& one = machines.begin()->second;
  return count_machines(machines) == 1 ? one.own_name() : one.slug() + "_nodes";
}

const Machine& machine_on_which(const Additions::From<CampaignEvent>& event) {
  const WrittenResults& written = event.shard->written;
  for (const CampaignEvent& other : written.events) {
    if (other.begins && other.campaign == event.said.campaign) {
      return written.machines.at(other.machine);
    }
  }
  throw std::logic_error("an event of a campaign that never began");
}

/// Campaigns before the records that name them, and solutions before the records that they prove.
MergedMachine write(const fs::path& folder, const std::vector<const Shard*>& shards,
                    std::vector<std::string>& warnings) {
  RecordStore store(folder);
  std::ranges::copy(store.results().warnings, std::back_inserter(warnings));
  const WrittenResults target = read_written(folder);
  const Additions additions = additions_to(target, folder, shards);
  for (const auto& event : additions.events) store.append(event.said, machine_on_which(event));
  std::map<const Shard*, std::size_t> added;
  for (const auto& [record, shard] : additions.records) {
    const auto stored = additions.with_solution.find(record.key);
    if (stored != additions.with_solution.end() && stored->second == &record) {
      copy_solution(record, shard->folder, folder, warnings);
    }
    store.append(record, shard->written.machines.at(record.machine));
    ++added[shard];
  }
  MergedMachine merged{folder, {}};
  for (const Shard* shard : shards) {
    const std::vector<CampaignEvent>& events = shard->written.events;
    merged.shards.push_back({.folder = shard->folder,
                             .records = shard->written.records.size(),
                             .added = added[shard],
                             .is_finished = !events.empty() && !events.back().begins});
  }
  return merged;
}

}  // namespace

std::vector<fs::path> shards_in(const fs::path& given) {
  // What the user names may be a link; what is found in it may not.
  const auto refuse_if_link = [](const fs::path& found) {
    if (!fs::is_symlink(found)) return;
    throw Failure("{}: it is a link, and no shard is read through one: name the folder itself",
                  found.string());
  };
  const auto found_in = [&](const fs::path& folder) {
    std::vector<fs::path> found = machine_folders_in(folder);
    if (!found.empty() && folder != given) refuse_if_link(folder);
    std::ranges::for_each(found, refuse_if_link);
    return found;
  };
  std::vector<fs::path> shards = found_in(shards_folder(given));
  if (shards.empty() && has_records(given)) return {given};
  if (!shards.empty()) return shards;
  for (const fs::path& machine : paths_in(given)) {
    const std::vector<fs::path> its = found_in(shards_folder(machine));
    if (!its.empty()) refuse_if_link(machine);
    shards.insert(shards.end(), its.begin(), its.end());
  }
  if (shards.empty()) shards = found_in(given);
  if (!shards.empty()) return shards;
  throw UsageError(
      "{}: there are no shards in it; macrobench sweep and replicate write one with --part",
      given.string());
}

namespace {

using Targets = std::map<fs::path, std::vector<const Shard*>>;

/// A contradiction is found before anything is written, and once more where nobody else writes.
void write(const Targets& targets, Merge& merged) {
  for (const auto& [folder, shards] : targets) additions_to(read_written(folder), folder, shards);
  for (const auto& [folder, shards] : targets) {
    merged.machines.push_back(write(folder, shards, merged.warnings));
  }
}

std::vector<Shard> read_shards(const std::vector<fs::path>& folders,
                               std::vector<std::string>& warnings) {
  std::vector<Shard> shards;
  for (const fs::path& folder : folders) {
    Shard shard = read_shard(folder, warnings);
    if (shard.written.machines.empty()) {
      warnings.push_back(fmt::format("{}: it has no machine yet, and no record", folder.string()));
    } else {
      shards.push_back(std::move(shard));
    }
  }
  return shards;
}

}  // namespace

Merge merge(const std::vector<fs::path>& folders, const fs::path& results) {
  Merge merged;
  const std::vector<Shard> shards = read_shards(folders, merged.warnings);
  std::map<std::string, std::vector<const Shard*>> by_kind;
  for (const Shard& shard : shards) by_kind[slug_of(shard)].push_back(&shard);
  Targets targets;
  for (auto& [slug, its] : by_kind) targets[results / common_name(its)] = std::move(its);
  write(targets, merged);
  return merged;
}

Merge merge_into(const fs::path& folder, const std::vector<fs::path>& folders) {
  Merge merged;
  const std::vector<Shard> shards = read_shards(folders, merged.warnings);
  std::set<std::string> kinds;
  Targets targets;
  for (const Shard& shard : shards) {
    kinds.insert(slug_of(shard));
    targets[folder].push_back(&shard);
  }
  for (const auto& [id, machine] : read_written(folder).machines) kinds.insert(machine.slug());
  if (kinds.size() > 1) {
    throw Failure("{}: it would have records of {} and of {}: nothing was merged", folder.string(),
                  *kinds.begin(), *kinds.rbegin());
  }
  write(targets, merged);
  return merged;
}

}  // namespace macrobench
