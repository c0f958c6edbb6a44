#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/machine/machine.hpp"
#include "harness/records/campaign.hpp"
#include "harness/records/line_file.hpp"
#include "harness/records/record.hpp"

namespace macrobench {

/// The contents of a folder of results: the records in the order of time (what was merged may have
/// been written later), and the machine blocks that they name, by id.
struct Results {
  std::vector<Record> records;
  /// Those that took turns with an original: cold times that no other view counts.
  std::vector<Record> turns = {};
  std::map<std::string, Machine> machines;
  std::vector<Campaign> campaigns;  ///< in the order in which they began
  /// One sentence for each record that reading made implausible: see judge_records().
  std::vector<std::string> contradictions;
  /// One sentence for each line that could not be used: a torn last line, a line that is not a
  /// record.
  std::vector<std::string> warnings;
  std::string repeated = {};  ///< how many lines repeat a record, which counts once; may be empty
};

/// Reads DIR/records.jsonl, machines.jsonl and campaigns.jsonl; empty if they are missing. A line
/// that is not a record is skipped with a warning, and a record that cannot be true is implausible:
/// see judge_records(). Throws Failure if a file cannot be read, or comes from a later schema.
Results read_results(const std::filesystem::path& folder);

/// What the folder's lines say, in their order, before anything is judged.
struct WrittenResults {
  std::vector<Record> records;
  std::map<std::string, Machine> machines;
  std::vector<CampaignEvent> events;
  std::vector<std::string> warnings;  ///< as in Results
  std::string repeated = {};          ///< likewise
};

/// Reads the same files, for who joins them with others. Throws likewise, and if one of them is not
/// a regular file.
WrittenResults read_written(const std::filesystem::path& folder);

/// The one writer of a machine's results folder. Append-only: a record is one line, written whole
/// and fsync'd before append() returns, so that a kill at any moment loses nothing that was
/// finished.
class RecordStore {
 public:
  /// Creates the folder if needed, locks it, drops a torn last line with a warning, and proves that
  /// it can be written to. Throws Failure: in use by another run (and by which process), not
  /// writable, disk full, later schema.
  explicit RecordStore(std::filesystem::path folder);

  [[nodiscard]] const Results& results() const { return results_; }

  /// Writes the machine block (once for each id) and the record. On an error (a full disk) throws
  /// Failure and leaves the file unchanged.
  void append(const Record& record, const Machine& machine);
  /// The same for a campaign's beginning or end.
  void append(const CampaignEvent& event, const Machine& machine);

 private:
  void append(const Machine& machine);

  LineFile lock_;
  LineFile records_;
  LineFile machines_;
  LineFile campaigns_;
  Results results_;
};

}  // namespace macrobench
