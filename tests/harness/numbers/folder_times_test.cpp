// Which record is shown of a case, and how well its time is known.

#include "harness/numbers/folder_times.hpp"

#include <cmath>

#include "harness/model/registry.hpp"
#include "harness/numbers/noise.hpp"
#include "harness/records/record_facts.hpp"
#include "harness/sources/source_digest.hpp"
#include "tests/matchers.hpp"

namespace macrobench {
namespace {

Record record_at(const std::string& time, std::vector<double> solutions) {
  Record record;
  record.key = "rbc/serial nk=64";
  record.model = "rbc";
  record.implementation = "serial";
  record.status = Status::measured;
  record.on_gpu = false;
  record.machine = "m";
  record.time = time;
  Sample sample;
  sample.start = 0.25;
  sample.first_solution = 2 * solutions.front();
  sample.solutions = std::move(solutions);
  record.samples.push_back(std::move(sample));
  return record;
}

Results results_of(std::vector<Record> records) {
  Results results;
  results.records = std::move(records);
  return results;
}

Cell time_of(const Record& record, Phase phase = Phase::solution, const Results& results = {}) {
  return FolderTimes(results).time_of(record, phase, {}, seconds_by_process(record, phase));
}

/// The half width of the interval's logarithm.
double half_width(const Cell& cell) {
  return std::log(cell.interval->high / *cell.value);
}

TEST(TimeOfRecord, IsItsMedianWithTheNoiseBetweenCampaigns) {
  const Cell cell = time_of(record_at("2026-11-20T10:05:00Z", {1, 1.2, 5}));
  EXPECT_EQ(*cell.value, 1.2);
  EXPECT_EQ(cell.processes, 1);
  EXPECT_EQ(cell.samples, 3);
  EXPECT_EQ(cell.kind, Kind::measured);
  const Noise& noise = noise_of(false, TimedPart::warm, 1.2);
  EXPECT_EQ(cell.variance, noise.variance) << "one process shows nothing of how processes differ";
  EXPECT_NEAR(half_width(cell), student_t(noise.degrees) * std::sqrt(noise.variance), 1e-12);
}

TEST(TimeOfRecord, IsLessWellKnownWhereItsProcessesDiffer) {
  Record record = record_at("2026-11-20T10:05:00Z", {1});
  record.samples.push_back(record.samples[0]);
  const Cell equal = time_of(record);
  record.samples[1].solutions = {1.5};
  const Cell apart = time_of(record);
  EXPECT_EQ(equal.variance, noise_of(false, TimedPart::warm, 1).variance);
  EXPECT_NEAR(apart.variance - apart.shared, variance_of_median({1, 1.5}), 1e-15);
  EXPECT_GT(half_width(apart), half_width(equal));
}

TEST(TimeOfRecord, OfATotalHasTheNoiseOfItsStartAndItsSolution) {
  const Record record = record_at("2026-11-20T10:05:00Z", {1});  // .25 s and 2 s
  const Cell cell = time_of(record, Phase::total);
  EXPECT_EQ(*cell.value, 2.25);
  const double start = noise_of(false, TimedPart::start, 0.25).variance / (9 * 9);
  const double cold = noise_of(false, TimedPart::cold, 2).variance * (8 * 8) / (9 * 9);
  EXPECT_NEAR(cell.variance, start + cold, 1e-12);
}

TEST(TimeOfRecord, OfAStageHasTheNoiseOfItsSolution) {
  Record record = record_at("2026-11-20T10:05:00Z", {2});
  record.samples[0].stages["policy"] = {1e-4, 1e-4};
  const Cell cell = FolderTimes().time_of(record, Phase::solution, {"policy"},
                                          seconds_by_process(record, "policy"));
  EXPECT_EQ(*cell.value, 1e-4);
  EXPECT_EQ(cell.variance, noise_of(false, TimedPart::warm, 2).variance);
}

TEST(TimeOfRecord, IsColdWithoutAWarmSolution) {
  Record cold = record_at("2026-11-20T10:05:00Z", {40});
  EXPECT_FALSE(time_of(cold).is_cold);
  cold.samples[0].solutions.clear();
  const Cell cell = time_of(cold);
  EXPECT_EQ(*cell.value, 80);
  EXPECT_TRUE(cell.is_cold);
  EXPECT_EQ(cell.variance, noise_of(false, TimedPart::cold, 80).variance);
}

Machine machine_with(const char* compiler, int cores) {
  return {.block = {{"compiler", {{"name", compiler}}}, {"cpu", {{"cores_available", cores}}}}};
}

TEST(TimeOfRecord, HasTheErrorOfWhatItSolved) {
  Record record = record_at("2026-11-20T10:05:00Z", {1, 2});
  record.outcome.emplace().figures["euler_error_mean"] = -2;
  EXPECT_DOUBLE_EQ(time_of(record).error.value_or(0), .01);
  EXPECT_FALSE(time_of(record, Phase::start).error) << "nothing is solved yet";
}

TEST(TimeOfRecord, SaysWhatIsWrongWithItself) {
  const auto marks_of = [](const Record& record, const Results& results = {}) {
    return time_of(record, Phase::solution, results).marks;
  };
  Record record = record_at("2026-11-20T10:05:00Z", {1, 2});
  EXPECT_THAT(marks_of(record), IsEmpty());
  record.samples[0].solutions = {1};
  EXPECT_EQ(marks_of(record), (Marks{{Sign::one_sample, "one sample"}}));
  record.samples[0].solutions.clear();
  EXPECT_EQ(marks_of(record).begin()->sign, Sign::one_sample) << "cold";
  record = record_at("2026-11-20T10:05:00Z", {1, 2});
  record.status = Status::noisy;
  record.why = "others used the cores";
  record.outcome.emplace().figures["relaxed"] = 1;
  EXPECT_EQ(marks_of(record), (Marks{{Sign::own, "met only a relaxed tolerance"},
                                     {Sign::own, "noisy: others used the cores"}}));
  EXPECT_TRUE(time_of(record).is_relaxed);
  record.outcome->figures.clear();
  record.outcome->notes = {{"precision", "0.3% of consumption"}};
  EXPECT_TRUE(marks_of(record).contains({Sign::own, "its rounding may hide errors above 1e-4"}));
  record = record_at("2026-11-20T10:05:00Z", {1, 2});
  Results results = results_of({record});
  results.machines = {{"m", machine_with("GNU 13", 2)}};
  for (const int threads : {2, 4}) {
    record.parameters.set("threads", std::int64_t{threads});
    EXPECT_EQ(marks_of(record, results),
              threads == 2 ? Marks() : (Marks{{Sign::own, "4 threads on 2 cores"}}));
  }
}

TEST(Sittings, EndWithAnHourOfRestOrAnotherMachine) {
  const auto at = [](const char* time, double seconds, const char* machine = "m") {
    Record record = record_at(time, {1});
    record.seconds = seconds;
    record.machine = machine;
    return record;
  };
  const std::vector<Record> records{
      at("2026-11-20T10:05:00Z", 60),        at("2026-11-20T12:00:00Z", 3600),
      at("2026-11-20T12:59:00Z", 1),         at("2026-11-20T14:00:00Z", 1),
      at("2026-11-20T12:00:00Z", 3600, "n"), at("yesterday", 1)};
  const FolderTimes times(results_of(records));
  std::vector<std::string> sittings;
  for (const Record& record : records) sittings.push_back(times.origin_of(record).sitting);
  EXPECT_EQ(sittings[0], sittings[1]) << "it began 55 minutes later";
  EXPECT_EQ(sittings[1], sittings[2]);
  EXPECT_NE(sittings[2], sittings[3]) << "61 minutes later";
  EXPECT_NE(sittings[1], sittings[4]);
  EXPECT_EQ(sittings[5], "") << "nobody knows when";
}

TEST(ShownRecords, AreTheNewestOfEachCase) {
  Record noisy = record_at("2026-11-20T12:05:00Z", {9});
  noisy.status = Status::noisy;
  Record unrun = record_at("2026-11-20T12:06:00Z", {9});
  unrun.status = Status::not_run;
  Record other = record_at("2026-11-20T10:05:00Z", {3});
  other.key = "rbc/serial nk=128";
  const Results results = results_of({other, record_at("2026-11-20T10:06:00Z", {1}),
                                      record_at("2026-11-20T11:05:00Z", {2}), noisy, unrun});
  EXPECT_EQ(shown_records(results),
            (std::vector<const Record*>{&results.records[0], &results.records[2]}))
      << "a believed time comes before one that is not, and what was not run takes nothing back";
}

TEST(ShownRecords, AreOfThisBuildIfOneIs) {
  Record of_this_build = record_at("2026-11-20T10:05:00Z", {1});
  of_this_build.source = source_digest(*Registry::global().find("rbc/serial"));
  const Results results =
      results_of({of_this_build, of_this_build, record_at("2026-11-20T11:05:00Z", {2})});
  EXPECT_EQ(shown_records(results), (std::vector<const Record*>{&results.records[1]}));
}

TEST(ShownRecords, HaveNoCaseWhoseNewestResultIsWrong) {
  Record wrong = record_at("2026-11-20T12:05:00Z", {9});
  wrong.status = Status::invalid;
  const Record right = record_at("2026-11-20T10:06:00Z", {1});
  EXPECT_TRUE(shown_records(results_of({right, wrong})).empty())
      << "an older right one does not count";
  EXPECT_EQ(shown_records(results_of({wrong, right})).size(), 1U) << "it is mended";
}

}  // namespace
}  // namespace macrobench
