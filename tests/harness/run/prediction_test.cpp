#include "harness/run/prediction.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "harness/files/temporary_folder.hpp"
#include "harness/records/record_facts.hpp"
#include "harness/records/record_store.hpp"
#include "harness/records/results_folder.hpp"
#include "harness/records/statistics.hpp"
#include "harness/text/error.hpp"
#include "tests/paths.hpp"

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

/// How many times too long or too short predictions were, and the worst of them in words.
struct Factors {
  std::vector<double> factors;
  std::string worst;

  void add(const Record& record, double predicted) {
    const double took = median(seconds_of(record, Phase::solution));
    const double factor = std::max(predicted / took, took / predicted);
    if (factors.empty() || factor > *std::ranges::max_element(factors)) {
      worst = fmt::format("{}, machine {}: {:.3g} s, predicted {:.3g} s", record.key,
                          record.machine, took, predicted);
    }
    factors.push_back(factor);
  }
};

/// Whether a record took long enough to matter to a budget. How long a wrong result takes is not to
/// be known: it may go on to its cap.
bool matters(const Record& record) {
  constexpr double least = 0.1;  // seconds of a solution
  return record.status == Status::measured && median(seconds_of(record, Phase::solution)) >= least;
}

/// Calls `visit` with each series of each machine in HEAD's results/; false if there are none.
template <class Visit>
bool for_each_committed_series(Visit visit) {
  const TemporaryFolder folder;
  if (!committed_results(folder.path())) return false;
  for (const fs::path& machine : machine_folders_in(folder.path() / "results")) {
    const Results results = read_results(machine);
    for (const auto& [name, series] : series_in(results)) {
      const Record& any = *series.begin()->second;
      visit(*Registry::global().find(any.model + "/" + any.implementation), series);
    }
  }
  return true;
}

/// Every record in results/ that matters, predicted from the smaller ones of its series as the
/// schedule predicts it. What takes twenty times as much as the largest that is known may be off by
/// more: sixteen threads with 10,000 agents mostly wait for each other, with 500,000 they do not.
TEST(KnownTimes, PredictEveryCommittedRecordFromSmallerOnes) {
  Factors all;
  Factors far;
  const auto visit = [&](const Implementation& implementation, const SeriesOfRecords& series) {
    KnownTimes known(implementation, {});
    double largest = std::numeric_limits<double>::infinity();
    for (const auto& [size, record] : series) {
      const double predicted = known.predict(size).solution;
      known.add(*record, size);
      if (matters(*record) && !std::isnan(predicted)) {
        (size > 20 * largest ? far : all).add(*record, predicted);
      }
      largest = size;
    }
  };
  if (!for_each_committed_series(visit)) GTEST_SKIP() << "no repository, git or tar here";
  ASSERT_GE(all.factors.size(), 130U);
  EXPECT_LE(median(all.factors), 1.5);
  EXPECT_LE(*std::ranges::max_element(all.factors), 4) << all.worst;
  ASSERT_FALSE(far.factors.empty());
  EXPECT_LE(*std::ranges::max_element(far.factors), 8) << far.worst;
}

/// A case that is known is predicted to take, all in all, about as long as it took: a long one has
/// one process, whatever the sampling would allow. Older records repeated longer ones.
TEST(KnownTimes, PredictALongCommittedCaseToTakeAsLongAsItTook) {
  constexpr double least_seconds = 20;  // a compiler's of the first solution are few beside them
  double least = 1;
  double most = 1;
  int cases = 0;
  const auto visit = [&](const Implementation& implementation, const SeriesOfRecords& series) {
    for (const auto& [size, record] : series) {
      if (!matters(*record) || record->seconds < least_seconds) continue;
      const auto processes = static_cast<double>(record->samples.size());
      if (processes > 1 && record->seconds / processes > longest_repeated_process) continue;
      KnownTimes known(implementation, {});
      known.add(*record, size);
      const double factor = known.predict(size).whole / record->seconds;
      least = std::min(least, factor);
      most = std::max(most, factor);
      ++cases;
    }
  };
  if (!for_each_committed_series(visit)) GTEST_SKIP() << "no repository, git or tar here";
  ASSERT_GE(cases, 20);
  EXPECT_GE(least, 0.45);
  EXPECT_LE(most, 2.2);
}

/// As the first, where only a larger one is known, at most ten times as large: a budget that has
/// time for the case should not pass over it.
TEST(KnownTimes, PredictEveryCommittedRecordFromALargerOne) {
  Factors all;
  const auto visit = [&](const Implementation& implementation, const SeriesOfRecords& series) {
    for (auto larger = series.begin(); larger != series.end(); ++larger) {
      KnownTimes known(implementation, {});
      known.add(*larger->second, larger->first);
      for (auto at = series.begin(); at != larger; ++at) {
        const double predicted = known.predict(at->first).solution;
        if (larger->first > 10 * at->first || !matters(*at->second)) continue;
        if (matters(*larger->second) && !std::isnan(predicted)) all.add(*at->second, predicted);
      }
    }
  };
  if (!for_each_committed_series(visit)) GTEST_SKIP() << "no repository, git or tar here";
  ASSERT_GE(all.factors.size(), 160U);
  EXPECT_LE(median(all.factors), 1.6);
  EXPECT_LE(*std::ranges::max_element(all.factors), 5) << all.worst;
}

}  // namespace
}  // namespace macrobench
