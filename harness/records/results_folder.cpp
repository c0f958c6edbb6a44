#include "harness/records/results_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <system_error>

#include "harness/files/digest.hpp"
#include "harness/files/folder.hpp"
#include "harness/machine/machine.hpp"
#include "harness/text/error.hpp"

namespace macrobench {

namespace fs = std::filesystem;

namespace {

/// What may not be looked into is not empty, and its owner can open it.
void refuse_if_closed(const fs::path& path, const std::error_code& error) {
  if (error != std::errc::permission_denied) return;
  throw Failure(
      "{}: permission denied: another user made it, perhaps with a umask of 077; its "
      "owner opens it by chmod -R a+rX",
      path.string());
}

}  // namespace

bool has_records(const fs::path& folder) {
  std::error_code error;
  const bool has_them = fs::exists(folder / "records.jsonl", error);
  refuse_if_closed(folder, error);
  return has_them;
}

std::vector<fs::path> machine_folders_in(const fs::path& folder) {
  std::error_code error;
  static_cast<void>(fs::directory_iterator(folder, error));
  refuse_if_closed(folder, error);
  std::vector<fs::path> folders = paths_in(folder);
  const std::vector<fs::path> reference = paths_in(folder / reference_name);
  folders.insert(folders.end(), reference.begin(), reference.end());
  std::erase_if(folders, [](const fs::path& path) { return !has_records(path); });
  return folders;
}

fs::path own_folder(const fs::path& results, const Machine& machine) {
  const bool is_machines = has_records(results);
  const bool is_shipped = folder_name(results) == reference_name || is_reference(results);
  if (!is_machines && !is_shipped) return results / machine.own_name();
  const fs::path around = (is_reference(results) ? results / ".." / ".." : results / "..");
  throw UsageError("{}: {}; name the folder around it, as in --results {}", results.string(),
                   is_shipped ? "what the repository ships is there, and no run writes to it"
                              : "it is a machine's own folder, and runs write beside such folders",
                   around.lexically_normal().string());
}

bool is_reference(const fs::path& folder) {
  return folder_name(folder / "..") == reference_name && has_records(folder);
}

fs::path shards_folder(const fs::path& folder) {
  return folder / "shards";
}

std::string hint_to_merge(const fs::path& folder) {
  return machine_folders_in(shards_folder(folder)).empty()
             ? ""
             : "; its parts are not merged yet: macrobench merge does that";
}

fs::path find_machine_folder(const fs::path& given) {
  if (has_records(given)) return given;
  std::error_code unreadable;
  const std::string name = folder_name(given);
  if (fs::exists(given, unreadable)) {
    const std::vector<fs::path> within = machine_folders_in(given);
    if (within.size() == 1) return within.front();
    throw UsageError("{}: there are no records{}{}", given.string(), hint_to_merge(given),
                     listed("in it there are", within));
  }
  const bool is_bare = !given.has_parent_path();
  std::vector<fs::path> beside = machine_folders_in((given / "..").lexically_normal());
  if (is_bare && beside.empty()) beside = machine_folders_in(usual_results);
  std::vector<fs::path> like;
  std::ranges::copy_if(beside, std::back_inserter(like), [&](const fs::path& folder) {
    return folder_name(folder).find(name) != std::string::npos;
  });
  // The whole of a shorter name may be a part of a longer one.
  const auto is_whole = [&](const fs::path& folder) { return folder_name(folder) == name; };
  if (std::ranges::count_if(like, is_whole) == 1) return *std::ranges::find_if(like, is_whole);
  if (like.size() == 1) return like.front();
  if (!like.empty()) {
    throw UsageError("{}: more than one machine's name contains that{}", given.string(),
                     listed("there are", like));
  }
  throw UsageError("{}: there are no records{}", given.string(),
                   listed(is_bare ? "there are" : "beside it there are", beside));
}

std::string folder_name(const fs::path& folder) {
  const fs::path whole = fs::absolute(folder).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

std::string shown_name(const fs::path& folder) {
  return (is_reference(folder) ? std::string(reference_name) + "/" : "") + folder_name(folder);
}

fs::path solution_folder(const fs::path& folder, const std::string& key) {
  std::string name;
  for (const char c : key) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
    name += is_plain || c == '.' || c == '=' ? c : '_';
  }
  constexpr std::size_t longest = 60;
  constexpr std::size_t digits = 16;
  return folder / "solutions" / (name.substr(0, longest) + "_" + sha256(key).substr(0, digits));
}

fs::path stored_solution(const fs::path& folder, const std::string& key) {
  const fs::path older = folder / "solutions" / sha256(key);
  std::error_code ignored;
  return fs::is_regular_file(older, ignored) ? older : solution_folder(folder, key);
}

std::string listed(std::string_view says, const std::vector<fs::path>& folders) {
  if (folders.empty()) return "";
  std::vector<std::string> names;
  for (const fs::path& folder : folders) names.push_back(shown_name(folder));
  return fmt::format("; {} {}", says, fmt::join(names, ", "));
}

}  // namespace macrobench
