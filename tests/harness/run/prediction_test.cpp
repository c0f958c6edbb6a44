#include "harness/run/prediction.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/records/record_facts.hpp"
#include "harness/records/record_store.hpp"
#include "harness/records/statistics.hpp"
#include "harness/text/error.hpp"
#include "tests/paths.hpp"
#include "tests/scratch_folder.hpp"

namespace macrobench {
namespace {

namespace fs = std::filesystem;

/// The newest record of every size of a series, by size.
using SeriesOfRecords = std::map<double, const Record*>;

/// By machine, implementation and what else is the same in a series.
std::map<std::string, SeriesOfRecords> series_in(const Results& results) {
  std::map<std::string, SeriesOfRecords> all;
  for (const Record& record : results.records) {
    const Implementation* const implementation =
        Registry::global().find(record.model + "/" + record.implementation);
    if (implementation == nullptr || record.samples.empty() || !record.work) continue;
    try {
      const Parameters parameters = complete_recorded(implementation->axes, record.parameters);
      all[series_of(*implementation, parameters)][*record.work] = &record;
    } catch (const UsageError&) {
      continue;  // of axes that no longer exist
    }
  }
  return all;
}

/// The results of HEAD: what this machine has added to its own folder may have been measured beside
/// anything. False where the sources came without their repository.
bool committed_results(const fs::path& folder) {
  const std::string command =
      fmt::format("git -C '{}' archive HEAD results 2>/dev/null | tar -x -C '{}' 2>/dev/null",
                  source_folder(), folder.string());
  return std::system(command.c_str()) == 0;
}

/// Every record in results/ that took long enough to matter to a budget, predicted from the smaller
/// ones of its series as the schedule predicts it: how many times too long or too short.
TEST(KnownTimes, PredictEveryCommittedRecordFromSmallerOnes) {
  constexpr double matters = 0.1;  // seconds of a solution
  const ScratchFolder folder;
  if (!committed_results(folder.path())) GTEST_SKIP() << "no repository, git or tar here";
  std::vector<double> factors;
  std::string worst;
  for (const fs::directory_entry& machine : fs::directory_iterator(folder.path() / "results")) {
    if (!machine.is_directory()) continue;
    const Results results = read_results(machine.path());
    for (const auto& [name, series] : series_in(results)) {
      const Record& any = *series.begin()->second;
      KnownTimes known(*Registry::global().find(any.model + "/" + any.implementation), {});
      for (const auto& [size, record] : series) {
        const double predicted = known.predict(size).solution;
        const double took = median(seconds_of(*record, Phase::solution));
        known.add(*record, size);
        // How long a wrong result takes is not to be known: it may go on to its cap.
        const bool counts = record->status == Status::measured && took >= matters;
        if (!counts || std::isnan(predicted)) continue;
        const double factor = std::max(predicted / took, took / predicted);
        if (factors.empty() || factor > *std::ranges::max_element(factors)) {
          worst = fmt::format("{}: {:.3g} s, predicted {:.3g} s, on {}", record->key, took,
                              predicted, machine.path().filename().string());
        }
        factors.push_back(factor);
      }
    }
  }
  ASSERT_GE(factors.size(), 200U);
  EXPECT_LE(median(factors), 1.5);
  EXPECT_LE(*std::ranges::max_element(factors), 4) << worst;
}

}  // namespace
}  // namespace macrobench
