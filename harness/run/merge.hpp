#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace macrobench {

/// What a shard gave to a machine's folder.
struct MergedShard {
  std::filesystem::path folder;
  std::size_t records = 0;   ///< that it has
  std::size_t added = 0;     ///< those that the machine's folder did not have
  bool is_finished = false;  ///< whether its last campaign has an end
};

/// What was merged into a machine's folder.
struct MergedMachine {
  std::filesystem::path folder;
  std::vector<MergedShard> shards;
};

struct Merge {
  std::vector<MergedMachine> machines;
  std::vector<std::string> warnings;
};

/// The shards that the user means by a folder: the one itself, or those in it, or those of the
/// machines in it. Throws UsageError if there are none, and Failure if one of them is a link.
std::vector<std::filesystem::path> shards_in(const std::filesystem::path& given);

/// Joins the shards' records, campaigns and regressions with those in the folder of their machine,
/// RESULTS/<slug>. What is there already is skipped, so that a merge may be repeated, and completes
/// one that was killed. A shard that is still written to is read up to its last whole line. Throws
/// Failure, before anything is written, if the same record (by key, machine, campaign and time) or
/// event of a campaign has another content elsewhere, or if a shard is of several machines.
Merge merge(const std::vector<std::filesystem::path>& shards, const std::filesystem::path& results);

}  // namespace macrobench
