// Which records make one time, and how well it is known.

#include "harness/numbers/pool.hpp"

#include <cmath>

#include "harness/records/record_facts.hpp"
#include "tests/matchers.hpp"
#include "tests/paths.hpp"

namespace macrobench {
namespace {

Record record_at(const std::string& time, std::vector<double> solutions) {
  Record record;
  record.key = "rbc/serial nk=64";
  record.model = "rbc";
  record.implementation = "serial";
  record.status = Status::measured;
  record.on_gpu = false;
  record.campaign = "c";
  record.machine = "m";
  record.time = time;
  Sample sample;
  sample.first_solution = 2 * solutions.front();
  sample.solutions = std::move(solutions);
  record.samples.push_back(std::move(sample));
  return record;
}

Results results_of(std::vector<Record> records) {
  Results results;
  results.records = std::move(records);
  Campaign campaign{.id = "c", .sittings = {}};
  for (const char* hour : {"10", "11", "12"}) {
    Sitting sitting;
    sitting.machine = "m";
    sitting.began = std::string("2026-11-20T") + hour + ":00:00Z";
    campaign.sittings.push_back(sitting);
  }
  results.campaigns = {campaign};
  return results;
}

Cell time_of(const Results& results) {
  std::vector<const Record*> records;
  for (const Record& record : results.records) records.push_back(&record);
  return Pool(results).time_of(records, Phase::solution, {}, [](const Record& record) {
    return seconds_by_process(record, Phase::solution);
  });
}

TEST(TimeOfRecords, IsTheMedianOfOneSitting) {
  const Cell cell = time_of(results_of({record_at("2026-11-20T10:05:00Z", {1, 1.2, 5})}));
  EXPECT_EQ(*cell.value, 1.2);
  EXPECT_EQ(cell.sittings, 1);
  EXPECT_EQ(cell.processes, 1);
  EXPECT_EQ(cell.samples, 3);
  EXPECT_EQ(cell.kind, Kind::measured);
  EXPECT_NEAR(cell.interval->high / 1.2, std::exp(2.776 * usual_noise_of_cpu), 2e-3)
      << "whatever its own solutions differ by";
}

TEST(TimeOfRecords, CountsEverySittingAndNotTheNewest) {
  const Cell cell = time_of(
      results_of({record_at("2026-11-20T10:05:00Z", {1}), record_at("2026-11-20T11:05:00Z", {1}),
                  record_at("2026-11-20T12:05:00Z", {2})}));
  EXPECT_EQ(cell.sittings, 3);
  EXPECT_NEAR(*cell.value, std::cbrt(2.0), 1e-12);
}

TEST(TimeOfRecords, IsTheSameWhereASittingIsTwoRecords) {
  Record whole = record_at("2026-11-20T10:05:00Z", {1});
  Record half = record_at("2026-11-20T10:06:00Z", {1.5});
  const Record other = record_at("2026-11-20T11:05:00Z", {1.1});
  const Cell apart = time_of(results_of({whole, half, other}));
  whole.samples.push_back(half.samples.front());
  const Cell together = time_of(results_of({whole, other}));
  EXPECT_EQ(*apart.value, *together.value);
  EXPECT_EQ(apart.interval->low, together.interval->low);
  EXPECT_EQ(apart.sittings, 2);
  EXPECT_EQ(together.sittings, 2);
}

TEST(TimeOfRecords, IsTheSameInWhateverOrderTheyCome) {
  std::vector<Record> records{record_at("2026-11-20T10:05:00Z", {1}),
                              record_at("2026-11-20T11:05:00Z", {3}),
                              record_at("2026-11-20T12:05:00Z", {2})};
  const Cell there = time_of(results_of(records));
  std::ranges::reverse(records);
  const Cell back = time_of(results_of(records));
  EXPECT_EQ(*there.value, *back.value);
  EXPECT_EQ(there.interval->low, back.interval->low);
}

Machine machine_with(const char* compiler, int cores) {
  return {.block = {{"compiler", {{"name", compiler}}}, {"cpu", {{"cores_available", cores}}}}};
}

TEST(TimeOfRecords, OfAWarmSolutionHasNoFirstOneInIt) {
  Record cold = record_at("2026-11-20T10:05:00Z", {40});
  cold.samples[0].solutions.clear();
  const Cell mixed = time_of(results_of({cold, record_at("2026-11-20T11:05:00Z", {1})}));
  EXPECT_EQ(*mixed.value, 1) << "the cold record's 80 s are of another kind";
  EXPECT_EQ(mixed.sittings, 1);
  EXPECT_FALSE(mixed.is_cold);
  const Cell only_cold = time_of(results_of({cold}));
  EXPECT_EQ(*only_cold.value, 80);
  EXPECT_TRUE(only_cold.is_cold);
}

TEST(TimeOfRecords, HasAMarkIfTheNewestHasAnotherCompiler) {
  Record earlier = record_at("2026-11-20T10:05:00Z", {1});
  earlier.machine = "n";
  Results results = results_of(
      {record_at("2026-11-20T11:05:00Z", {1}), record_at("2026-11-20T10:06:00Z", {1}), earlier});
  results.machines = {{"m", machine_with("GNU 13", 4)}, {"n", machine_with("GNU 12", 4)}};
  EXPECT_EQ(compilers_of(results), (std::vector<std::string>{"GNU 13", "GNU 12"}));
  const Pool pool(results);
  const auto marks_of = [&](const Record& record) {
    const Record* const one = &record;
    return pool
        .time_of({&one, 1}, Phase::solution, {},
                 [](const Record& its) { return seconds_by_process(its, Phase::solution); })
        .marks;
  };
  EXPECT_TRUE(marks_of(results.records[0]).empty());
  EXPECT_EQ(note_of(marks_of(results.records[2]), "compiler"), "compiled by GNU 12");
}

TEST(TimeOfRecords, HasAMarkIfThreadsSharedCores) {
  Results results = results_of({record_at("2026-11-20T10:05:00Z", {1})});
  results.machines = {{"m", machine_with("GNU 13", 2)}};
  for (const auto& [threads, says] : {std::pair{2, ""}, {4, "4 threads on 2 cores"}}) {
    results.records[0].parameters.set("threads", std::int64_t{threads});
    EXPECT_EQ(note_of(time_of(results).marks, "cores"), says);
  }
}

TEST(PooledRecords, AreThoseAlikeOfTheNewestThatCounts) {
  Record noisy = record_at("2026-11-20T12:05:00Z", {9});
  noisy.status = Status::noisy;
  Record other_source = record_at("2026-11-20T10:05:00Z", {3});
  other_source.source = "another";
  const Results results = results_of({other_source, record_at("2026-11-20T10:06:00Z", {1}),
                                      record_at("2026-11-20T11:05:00Z", {2}), noisy});
  const auto records = pooled_records(results, Pool(results), [](const Record& record) {
    return is_result_believed(record.status);
  });
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0], (std::vector<const Record*>{&results.records[1], &results.records[2]}))
      << "a believed time comes before one that is not, and other sources do not count";
}

TEST(PooledRecords, HaveNoCaseWhoseNewestResultIsWrong) {
  Record wrong = record_at("2026-11-20T12:05:00Z", {9});
  wrong.status = Status::invalid;
  Record unrun = record_at("2026-11-20T12:06:00Z", {9});
  unrun.status = Status::not_run;
  const Record right = record_at("2026-11-20T10:06:00Z", {1});
  const Results one = results_of({right, unrun});
  EXPECT_EQ(pooled_records(one, Pool(one)).size(), 1U) << "what was not run takes nothing back";
  const Results two = results_of({right, wrong});
  EXPECT_TRUE(pooled_records(two, Pool(two)).empty()) << "an older right one does not count";
  const Results three = results_of({wrong, right});
  EXPECT_EQ(pooled_records(three, Pool(three)).size(), 1U) << "it is mended";
}

TEST(UsualNoise, IsWhatTheH100sFolderRepeats) {
  const Results results = read_results(
      source_folder() + "/results/reference/intel_xeon_16_cores_nvidia_h100_80gb_hbm3");
  const Pool pool(results);
  for (const auto& [on_gpu, usual] :
       {std::pair{true, usual_noise_of_gpu}, {false, usual_noise_of_cpu}}) {
    const Noise& noise = pool.noise(on_gpu, Phase::solution);
    EXPECT_GT(noise.degrees, 50) << on_gpu;
    EXPECT_NEAR(std::sqrt(noise.between + noise.within) / usual, 1, 0.25) << on_gpu;
  }
}

}  // namespace
}  // namespace macrobench
