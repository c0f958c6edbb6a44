#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/machine/machine.hpp"

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

/// Joins the shards' records and campaigns with those in the folder of their machine:
/// its own in RESULTS or, where equal machines have run the parts, RESULTS/<slug>_nodes. What is
/// there already is skipped, so that a merge may be repeated, and completes one that was killed. A
/// shard that is still written to is read up to its last whole line. Throws Failure, before
/// anything is written, if the same record (by key, machine, campaign and time) or event of a
/// campaign has another content elsewhere, or if a shard is of several machines.
Merge merge(const std::vector<std::filesystem::path>& shards, const std::filesystem::path& results);

/// The same into this folder, whatever the name of their machines, which must be of one kind: how
/// own results become those of a reference machine.
Merge merge_into(const std::filesystem::path& folder,
                 const std::vector<std::filesystem::path>& shards);

}  // namespace macrobench
