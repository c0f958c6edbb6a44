// The reader of a machine's folder of results, with the same bytes in each of its files.

#include "harness/records/record_store.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/files/temporary_folder.hpp"
#include "harness/records/record_json.hpp"
#include "harness/run/job.hpp"
#include "harness/text/json_values.hpp"
#include "tests/fuzz/target.hpp"

namespace macrobench {

namespace {

/// What is read and written is read again as the same.
void check_round_trip(const Record& record) {
  const std::string line = to_line(to_json(record));
  const Record again = record_from_json(nlohmann::json::parse(line));
  require(to_line(to_json(again)) == line, "a record comes back from its line");
}

void check_answers(const Machine& machine) {
  require(machine.cores() >= 1, "a machine has a core");
  require(!machine.slug().empty(), "a machine has a folder");
  require(machine.id().size() == machine.comparable_id().size(), "both are digests");
}

void check_every_line_counts(const Results& results, const std::string& file, std::size_t lines) {
  const auto warned = std::ranges::count_if(
      results.warnings, [&](const std::string& warning) { return warning.starts_with(file); });
  require(results.records.size() + static_cast<std::size_t>(warned) == lines,
          "a line is a record or is warned of");
}

}  // namespace

}  // namespace macrobench

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace macrobench;
  static const TemporaryFolder folder;
  const std::filesystem::path records = folder.path() / "records.jsonl";
  write_input(records, data, size);
  write_input(folder.path() / "machines.jsonl", data, size);
  try {
    const Results results = read_results(folder.path());
    for (const Record& record : results.records) check_round_trip(record);
    for (const auto& [id, machine] : results.machines) check_answers(machine);
    const auto ends = static_cast<std::size_t>(std::count(data, data + size, '\n'));
    const bool has_rest = size > 0 && data[size - 1] != '\n';
    check_every_line_counts(results, records.string(), ends + (has_rest ? 1 : 0));
  } catch (const Failure& later_schema) {
    require(std::string(later_schema.what()).find(".jsonl, line ") != std::string::npos,
            "a refusal names the line");
  }
  return 0;
}
