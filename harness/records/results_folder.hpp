#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace macrobench {

/// Whether the folder is a machine's: it has a file of records.
bool has_records(const std::filesystem::path& folder);

/// The machines' folders in a folder, by name; none if it cannot be read.
std::vector<std::filesystem::path> machine_folders_in(const std::filesystem::path& folder);

/// The folder, in a machine's, of the records of the parts of a plan that is spread over a cluster:
/// a shard for each part, not yet merged into the machine's own.
std::filesystem::path shards_folder(const std::filesystem::path& folder);

/// "; its parts are not merged yet: ..." for an error about a folder without records; empty if it
/// has no shards.
std::string hint_to_merge(const std::filesystem::path& folder);

/// The machine's folder that a user wants to read: the one given, or, if there is no such folder,
/// the only one beside it whose name contains the given name. Throws UsageError, with the names
/// that there are, if it has no records, or if none or several names contain it.
std::filesystem::path find_machine_folder(const std::filesystem::path& given);

/// A folder's name, without the path to it: the machine's name, for a machine's folder.
std::string folder_name(const std::filesystem::path& folder);

/// The file in a machine's folder that stores the solution of a case. Its name is made from the key
/// alone, so that no record can name another file.
std::filesystem::path solution_file(const std::filesystem::path& folder, const std::string& key);

/// "; beside it there are A, B" for an error, by the folders' names; empty if there are none.
std::string listed(std::string_view says, const std::vector<std::filesystem::path>& folders);

}  // namespace macrobench
