#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace macrobench {

struct Machine;

/// The folder of results, where the user names none.
inline constexpr const char* usual_results = "results";

/// The folder, in a folder of results, of the machines that the repository ships. Commands that
/// measure write nothing there.
inline constexpr const char* reference_name = "reference";

/// Whether the folder is a machine's: it has a file of records. Throws Failure if it may not be
/// looked into.
bool has_records(const std::filesystem::path& folder);

/// The machines' folders in a folder of results, by name, and after them those of the reference
/// machines in it; none if there is no such folder. Throws as has_records() does.
std::vector<std::filesystem::path> machine_folders_in(const std::filesystem::path& folder);

/// The folder of the machine's own results, in a folder of results: its own_name(). Throws
/// UsageError if that is not a folder of results that may be written: a machine's own folder, or
/// the reference machines'.
std::filesystem::path own_folder(const std::filesystem::path& results, const Machine& machine);

/// Whether the folder is a reference machine's.
bool is_reference(const std::filesystem::path& folder);

/// The folder, in a machine's, of the records of the parts of a plan that is spread over a cluster:
/// a shard for each part, not yet merged into the machine's own.
std::filesystem::path shards_folder(const std::filesystem::path& folder);

/// "; its parts are not merged yet: ..." for an error about a folder without records; empty if it
/// has no shards.
std::string hint_to_merge(const std::filesystem::path& folder);

/// The machine's folder that a user wants to read: the one given; the only one in it; or, if there
/// is no such folder, the only one beside it (or of the reference machines beside it) of the given
/// name, or whose name contains it. A name without a folder is looked for in ./results too. Throws
/// UsageError, with the names that there are, if it has no records, or if none or several names
/// contain it.
std::filesystem::path find_machine_folder(const std::filesystem::path& given);

/// A folder's name, without the path to it: the machine's name, for a machine's folder.
std::string folder_name(const std::filesystem::path& folder);

/// The folder in a machine's folder that stores the solution of a case, and that or the file that
/// older versions stored it in. Their names are made from the key alone, so that no record can name
/// another.
std::filesystem::path solution_folder(const std::filesystem::path& folder, const std::string& key);
std::filesystem::path stored_solution(const std::filesystem::path& folder, const std::string& key);

/// The same with the folder before it if it is a reference machine's: "reference/amd_epyc_2_cores".
std::string shown_name(const std::filesystem::path& folder);

/// "; beside it there are A, B" for an error, by the folders' shown names; empty if there are none.
std::string listed(std::string_view says, const std::vector<std::filesystem::path>& folders);

}  // namespace macrobench
