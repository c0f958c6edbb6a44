#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace macrobench {

/// What a shard gave to a machine's folder.
struct MergedShard {
  std::filesystem::path shard;
  std::filesystem::path into;
  std::size_t records = 0;  ///< that the shard has
  std::size_t added = 0;    ///< those that the machine's folder did not have
};

struct Merge {
  std::vector<MergedShard> shards;
  std::vector<std::string> warnings;
};

/// The shards that the user means by a folder: the one itself, or those in it, or those of the
/// machines in it. Throws UsageError if there are none, and Failure if one of them is a link.
std::vector<std::filesystem::path> shards_in(const std::filesystem::path& given);

/// Appends each shard's records and campaigns to the folder `into` or, if that is empty, to the
/// folder of the shard's machine in `results`. Known lines are skipped, so that a merge may be
/// repeated, and completes one that was killed. A shard that is still written to is read up to its
/// last whole line. Throws Failure, before anything is written, if a record (by key, machine,
/// campaign, time and status) or an event of a campaign is known with another content, if a record
/// names a machine that its shard does not have, or if a folder would have two kinds of machines.
Merge merge(const std::vector<std::filesystem::path>& shards, const std::filesystem::path& results,
            const std::filesystem::path& into = {});

}  // namespace macrobench
