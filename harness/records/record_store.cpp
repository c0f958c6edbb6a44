#include "harness/records/record_store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>
#include <ranges>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>

#include "harness/files/output_folder.hpp"
#include "harness/files/whole_file.hpp"
#include "harness/records/contradiction.hpp"
#include "harness/records/record_facts.hpp"
#include "harness/records/record_json.hpp"
#include "harness/text/error.hpp"
#include "harness/text/format.hpp"
#include "harness/text/json_values.hpp"
#include "harness/text/left_by_git.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr const char* campaigns_name = "campaigns.jsonl";
constexpr const char* machines_name = "machines.jsonl";
constexpr const char* records_name = "records.jsonl";
constexpr const char* lock_name = ".lock";

/// The free space that the disk needs before anything runs: a few dozen records.
constexpr std::size_t room = std::size_t{64} << 10;

/// More than any case's record has.
constexpr std::size_t longest_line = std::size_t{64} << 20;

std::string content_of(const fs::path& path) {
  try {
    return read_whole(path);
  } catch (const std::system_error& error) {
    if (error.code().value() == ENOENT) return {};
    fail(path, "cannot be read", error.code().value());
  }
}

constexpr int machine_schema = 1;

/// The last commit that converts the records of earlier schemas.
constexpr const char* converting_commit = "bf693579";

/// What keeps the order of its members looks each of them up one after the other.
constexpr std::size_t longest_ordered_line = std::size_t{64} << 10;

template <class Json>
void check_schema(const Json& line, int known, const fs::path& path, std::size_t number) {
  if (!line.is_object() || !line.contains("schema")) return;
  const Json& schema = line["schema"];
  const bool is_earlier = path.filename() == records_name && (schema == 1 || schema == 2);
  if (is_earlier) {
    throw Failure(
        "{}, line {}: it has schema {}, and this version of macrobench reads {}: convert a copy of "
        "the folder with commit {} (in another clone: git checkout {}; make build; "
        "build/macrobench results migrate FOLDER)",
        path.string(), number, compact(schema), known, converting_commit, converting_commit);
  }
  if (schema.is_number() && schema.template get<double>() > known) {
    throw Failure(
        "{}, line {}: it comes from a later version of macrobench (schema {}; this one reads {}): "
        "update macrobench, or choose another folder with --results",
        path.string(), number, compact(schema), known);
  }
}

/// Calls use(object) for each line that is a JSON object; adds a warning for the others.
template <class Json, class Use>
Usable read_lines(const fs::path& path, int known_schema, std::vector<std::string>& warnings,
                  Use use) {
  const std::string content = content_of(path);
  std::string_view rest = content;
  bool has_conflict = false;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    const bool has_end = end != std::string_view::npos;
    const bool is_last = !has_end || end + 1 == rest.size();
    const std::size_t begin = content.size() - rest.size();
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(has_end ? end + 1 : rest.size());
    if (number == 1 && is_lfs_pointer(line)) {
      throw Failure("{}{}", path.string(), left_by_git(line));
    }
    if (is_conflict_mark(line)) {
      if (!std::exchange(has_conflict, true)) {
        warnings.push_back(fmt::format("{}, line {}{}; the results of both sides count",
                                       path.string(), number, left_by_git(line)));
      }
      continue;
    }
    if (trim(line).empty()) continue;
    try {
      if (line.size() > longest_line) {
        throw std::invalid_argument(
            fmt::format("it has {} bytes, and at most {} are read", line.size(), longest_line));
      }
      check_nesting(line);
      if (std::is_same_v<Json, ordered_json> && line.size() > longest_ordered_line) {
        throw std::invalid_argument("it is longer than any machine's block");
      }
      const Json object = parsed<Json>(line);
      check_schema(object, known_schema, path, number);
      if (is_last && (object.is_discarded() || !(has_end || object.is_object()))) {
        warnings.push_back(
            fmt::format("{}, line {}: the last line is torn and dropped{}", path.string(), number,
                        path.filename() == records_name ? "; its case will be run again" : ""));
        return {begin, false};
      }
      if (object.is_discarded()) throw std::invalid_argument("it is not JSON");
      if (!object.is_object()) throw std::invalid_argument("/: it must be an object");
      use(object);
    } catch (const std::invalid_argument& error) {
      warnings.push_back(fmt::format("{}, line {}: skipped, it is not a record ({})", path.string(),
                                     number, error.what()));
    }
  }
  return {content.size(), !content.empty() && content.back() != '\n'};
}

/// Drops the newest record if it is one of the others, however its line is written; returns whether
/// it did. `known` has the others by what only copies share.
bool drop_repeated(std::vector<Record>& records,
                   std::multimap<std::string, std::size_t, std::less<>>& known) {
  const Record& newest = records.back();
  const auto [first, last] = known.equal_range(newest.key + " " + newest.time);
  const bool is_known = std::any_of(first, last, [&](const auto& other) {
    return to_json(records[other.second]) == to_json(newest);
  });
  if (is_known) {
    records.pop_back();
  } else {
    known.emplace_hint(last, newest.key + " " + newest.time, records.size() - 1);
  }
  return is_known;
}

struct Read {
  WrittenResults written;
  std::vector<Reason> reasons;  ///< why each record is not what its case makes of it
  Usable records;
  Usable machines;
  Usable campaigns;
};

/// `use_event` gets each event of a campaign, and may refuse it as a line that is skipped.
template <class UseEvent>
Read read(const fs::path& folder, UseEvent use_event) {
  Read read;
  WrittenResults& written = read.written;
  std::multimap<std::string, std::size_t, std::less<>> known;
  std::size_t repeated = 0;
  const auto use_record = [&](const nlohmann::json& line) {
    Record record = record_from_json(line);
    Reason why = against_case(record);
    add_facts(record);
    const std::string which = record.key + " of " + record.time;
    written.records.push_back(std::move(record));
    if (!drop_repeated(written.records, known)) {
      read.reasons.push_back(std::move(why));
    } else if (++repeated == 1) {
      written.repeated = "the first is " + which;
    }
  };
  read.records = read_lines<nlohmann::json>(folder / records_name, record_schema, written.warnings,
                                            use_record);
  if (repeated > 0) {
    written.repeated = fmt::format("records that are written again count once: {}; {}",
                                   counted(repeated, "line"), written.repeated);
  }
  // The members of a machine's block are shown in their own order.
  read.machines = read_lines<ordered_json>(
      folder / machines_name, machine_schema, written.warnings, [&](const ordered_json& line) {
        if (!line.contains("id") || !line["id"].is_string()) {
          throw std::invalid_argument("/id: it must be a string");
        }
        written.machines[line["id"].get<std::string>()] =
            machine_from_json(line.value("machine", ordered_json()));
      });
  read.campaigns = read_lines<nlohmann::json>(
      folder / campaigns_name, campaign_schema, written.warnings,
      [&](const nlohmann::json& line) { use_event(event_from_json(line)); });
  return read;
}

struct ReadAndJudged {
  Results results;
  Read read;
};

ReadAndJudged read_and_judge(const fs::path& folder) {
  ReadAndJudged all;
  Results& results = all.results;
  all.read = read(folder, [&](const CampaignEvent& event) { add_event(results.campaigns, event); });
  WrittenResults& written = all.read.written;
  results.records = std::move(written.records);
  results.machines = std::move(written.machines);
  results.warnings = std::move(written.warnings);
  results.repeated = std::move(written.repeated);
  results.contradictions =
      judge_records(results.records, results.machines, results.campaigns, all.read.reasons);
  if (!std::ranges::is_sorted(results.records, {}, &Record::time)) {
    std::ranges::stable_sort(results.records, {}, &Record::time);
  }
  const auto in_turns = std::ranges::stable_partition(
      results.records, [](const Record& record) { return !record.turns; });
  results.turns.assign(std::make_move_iterator(in_turns.begin()),
                       std::make_move_iterator(in_turns.end()));
  results.records.erase(in_turns.begin(), in_turns.end());
  std::ranges::stable_sort(results.campaigns, {},
                           [](const Campaign& campaign) { return campaign.first().began; });
  return all;
}

}  // namespace

Results read_results(const fs::path& folder) {
  return std::move(read_and_judge(folder).results);
}

WrittenResults read_written(const fs::path& folder) {
  for (const char* name : {records_name, machines_name, campaigns_name}) {
    std::error_code ignored;
    const fs::file_status status = fs::symlink_status(folder / name, ignored);
    if (!fs::exists(status) || fs::is_regular_file(status)) continue;
    throw Failure("{}: it is not a regular file, so nothing of this folder is read",
                  (folder / name).string());
  }
  std::vector<CampaignEvent> events;
  WrittenResults written = std::move(
      read(folder, [&](CampaignEvent event) { events.push_back(std::move(event)); }).written);
  written.events = std::move(events);
  return written;
}

RecordStore::RecordStore(fs::path folder) {
  // With a limit on file sizes, a write is then an error, which can be undone, instead of a kill.
  std::signal(SIGXFSZ, SIG_IGN);
  if (folder.filename().empty()) folder = folder.parent_path();
  if (fs::is_symlink(folder)) refuse_link(folder);
  make_folder(folder);

  lock_.open(folder / lock_name, O_RDWR);
  if (::flock(lock_.descriptor(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) fail(folder / lock_name, "cannot be locked", errno);
    std::string owner(32, '\0');
    const ssize_t length = ::pread(lock_.descriptor(), owner.data(), owner.size(), 0);
    owner.resize(length > 0 ? static_cast<std::size_t>(length) : 0);
    owner.resize(std::min(owner.size(), owner.find('\n')));
    throw Failure(
        "{}: in use by another run of macrobench{}; wait for it, or choose another folder with "
        "--results",
        folder.string(), owner.empty() ? "" : fmt::format(" (process {})", owner));
  }

  auto [results, found] = read_and_judge(folder);
  lock_.cut_to(0);
  const std::string owner = fmt::format("{}\n", ::getpid());
  lock_.append(owner);
  lock_.append(std::string(room, ' '));
  lock_.cut_to(owner.size());
  records_.open(folder / records_name, O_WRONLY | O_APPEND);
  machines_.open(folder / machines_name, O_WRONLY | O_APPEND);
  campaigns_.open(folder / campaigns_name, O_WRONLY | O_APPEND);
  records_.cut_to(found.records);
  machines_.cut_to(found.machines);
  campaigns_.cut_to(found.campaigns);
  sync_folder(folder);
  results_ = std::move(results);
}

void RecordStore::append(const Record& record, const Machine& machine) {
  const std::string line = to_line(to_json(record));
  append(machine);
  records_.append(line);
  (record.turns ? results_.turns : results_.records).push_back(record);
}

void RecordStore::append(const CampaignEvent& event, const Machine& machine) {
  append(machine);
  campaigns_.append(to_line(to_json(event)));
  add_event(results_.campaigns, event);
}

void RecordStore::append(const Machine& machine) {
  const std::string id = machine.id();
  const auto known = results_.machines.find(id);
  // A block that its id does not name is replaced: the last one of an id counts.
  if (known != results_.machines.end() && known->second.id() == id) return;
  machines_.append(to_line({{"schema", machine_schema}, {"id", id}, {"machine", machine.block}}));
  results_.machines[id] = machine;
}

}  // namespace macrobench
