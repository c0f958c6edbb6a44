#include "harness/records/results_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <system_error>

#include "harness/system/digest.hpp"
#include "harness/system/folder.hpp"
#include "harness/text/error.hpp"

namespace macrobench {

namespace fs = std::filesystem;

bool has_records(const fs::path& folder) {
  std::error_code unreadable;
  return fs::exists(folder / "records.jsonl", unreadable);
}

std::vector<fs::path> machine_folders_in(const fs::path& folder) {
  std::vector<fs::path> folders = paths_in(folder);
  std::erase_if(folders, [](const fs::path& path) { return !has_records(path); });
  return folders;
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
  if (fs::exists(given, unreadable)) {
    throw UsageError("{}: there are no records{}{}", given.string(), hint_to_merge(given),
                     listed("in it there are", machine_folders_in(given)));
  }
  const fs::path parent = (given / "..").lexically_normal();
  const std::vector<fs::path> beside = machine_folders_in(parent);
  std::vector<fs::path> like;
  std::ranges::copy_if(beside, std::back_inserter(like), [&](const fs::path& folder) {
    return folder_name(folder).find(folder_name(given)) != std::string::npos;
  });
  if (like.size() == 1) return like.front();
  throw UsageError(like.empty() ? fmt::format("{}: there are no records{}", given.string(),
                                              listed("beside it there are", beside))
                                : fmt::format("{}: more than one machine's name contains that{}",
                                              given.string(), listed("there are", like)));
}

std::string folder_name(const fs::path& folder) {
  const fs::path whole = fs::absolute(folder).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

fs::path solution_file(const fs::path& folder, const std::string& key) {
  return folder / "solutions" / sha256(key);
}

std::string listed(std::string_view says, const std::vector<fs::path>& folders) {
  if (folders.empty()) return "";
  std::vector<std::string> names;
  for (const fs::path& folder : folders) names.push_back(folder_name(folder));
  return fmt::format("; {} {}", says, fmt::join(names, ", "));
}

}  // namespace macrobench
