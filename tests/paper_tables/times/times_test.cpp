// Cold, warm and fresh-process times side by side, crossovers, and how single precision ends.

#include "paper_tables/times/times.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "paper_tables/cells/machine_cells.hpp"
#include "tests/executable.hpp"
#include "tests/matchers.hpp"
#include "tests/paper_tables/fixture.hpp"
#include "tests/sheet_rows.hpp"

namespace macrobench {
namespace {

using Where = Crossover::Where;
using nlohmann::json;

TEST(Crossover, IsBetweenTheTwoSizesWhereTheGpuOvertakes) {
  // At 100 the GPU takes ten times as long, at 10,000 a tenth: half way in logarithms.
  const Crossover one = crossover({100, 10'000}, {10, 0.1});
  EXPECT_EQ(one.where, Where::between);
  EXPECT_THAT(one.size, DoubleNear(1000, 1e-9));
}

TEST(Crossover, IsTheLastIfThereAreSeveral) {
  const Crossover one = crossover({1, 10, 100, 1000}, {0.5, 2, 2, 0.5});
  EXPECT_EQ(one.where, Where::between);
  EXPECT_THAT(one.size, DoubleNear(std::sqrt(100.0 * 1000), 1e-9));
}

TEST(Crossover, MayBeOutsideOfWhatWasMeasured) {
  EXPECT_EQ(crossover({1, 2}, {0.5, 0.5}).where, Where::below);
  EXPECT_EQ(crossover({1, 2}, {0.5, 2}).where, Where::beyond);
  EXPECT_EQ(crossover({1, 2}, {1, 1}).where, Where::beyond) << "as fast is not faster";
}

/// A case of the RBC model.
Record made(const std::string& implementation, std::int64_t nk, const char* real, double seconds,
            bool on_gpu = false) {
  Record record = record_of(implementation, {{"nk", nk}, {"nz", 4}, {"real", std::string(real)}},
                            {0.9 * seconds, seconds, 1.1 * seconds}, on_gpu ? 0.5 : 0);
  record.key = "rbc/" + implementation + " nk=" + std::to_string(nk) + " real=" + real;
  record.on_gpu = on_gpu;
  record.outcome = Outcome{};
  record.outcome->valid = true;
  record.outcome->iterations = 100;
  record.outcome->residual = 1e-11;
  record.outcome->allowed = 1e-10;
  return record;
}

Results holding(std::vector<Record> records) {
  Results results;
  results.records = std::move(records);
  return results;
}

TEST(Times, ShowsManyEconomiesBesideTheFirstAlone) {
  const auto of = [](std::int64_t economies, std::int64_t threads, double seconds) {
    Record record = made("frontier", 1024, "double", seconds);
    record.parameters.set("economies", economies);
    record.parameters.set("draw", std::int64_t{economies == 1 ? 1 : 5});
    record.parameters.set("threads", threads);
    record.key += " economies=" + std::to_string(economies) + " " + std::to_string(threads);
    return record;
  };
  Results results;
  results.records = {of(1, 1, 0.01), of(1, 8, 0.005), of(500, 8, 2),
                     made("serial", 1024, "double", 9)};
  results.records[2].samples.front().energy = Energy{.joules_per_solution = 100};
  const Times times = times_of(results);
  ASSERT_EQ(times.batches.size(), 1U);
  const BatchTimes& batch = times.batches.front();
  EXPECT_EQ(batch.economies, 500);
  EXPECT_DOUBLE_EQ(batch.per_thousand(batch.time).value.value_or(0), 4);
  EXPECT_DOUBLE_EQ(batch.alone.value.value_or(0), 0.01);
  const json row = rows_of(sheets_of(times), "batches")[0];
  EXPECT_DOUBLE_EQ(row["joules_per_thousand"].get<double>(), 200);
  EXPECT_EQ(row["joules_per_thousand_unit"], "J");
  EXPECT_EQ(row["per_thousand_unit"], "s");
  Results without;
  without.records = {of(1, 1, 0.01)};
  EXPECT_TRUE(times_of(without).batches.empty());
}

TEST(Times, ShowsWhatABatchCostsOnARentedGpu) {
  Record on_gpu = made("frontier_cuda", 1024, "double", 0.36, true);
  on_gpu.parameters.set("economies", std::int64_t{10'000});
  Record on_cpu = made("frontier", 1024, "double", 3.6);
  on_cpu.parameters.set("economies", std::int64_t{10'000});
  const Prices prices{.gpu_usd_per_hour = 5, .gpu_usd_per_hour_source = "a list of 2025"};
  const Times times = times_of(holding({on_gpu, on_cpu}), prices);
  ASSERT_EQ(times.batches.size(), 2U);
  for (const BatchTimes& batch : times.batches) {
    if (batch.is_gpu) {
      EXPECT_DOUBLE_EQ(batch.per_thousand(batch.dollars).value.value(), 5 * 0.036 / 3600);
    } else {
      EXPECT_FALSE(batch.dollars.value);
    }
  }
  EXPECT_THAT(to_text(document_of(times, "a machine", false), 1000), HasSubstr("a list of 2025"));
  const Times without = times_of(holding({on_gpu}));
  EXPECT_FALSE(without.batches.front().dollars.value);
  EXPECT_TRUE(rows_of(sheets_of(without), "batches")[0]["dollars_per_thousand"].is_null());
}

TEST(Times, ShowsPublishedBatchesBesideThoseOfTheSameModel) {
  Definitions all(definitions_folder());
  const std::vector<BatchTimes> published = published_batches(all);
  ASSERT_EQ(published.size(), 6U) << "the columns of Cheela and others' Table A.4";
  const BatchTimes& fpgas = published.back();
  EXPECT_EQ(published.back().called, "cheela_2024, Table A.4: 8 FPGAs");
  const auto per_thousand = [&](const Cell& its) { return fpgas.per_thousand(its).value.value(); };
  EXPECT_DOUBLE_EQ(per_thousand(fpgas.time), 51.87 / 1.2);
  EXPECT_DOUBLE_EQ(per_thousand(fpgas.dollars), 0.19 / 1.2);
  EXPECT_DOUBLE_EQ(per_thousand(fpgas.joules), 13693.02 / 1.2);

  Record batch = made("frontier", 1024, "double", 2);
  batch.parameters.set("economies", std::int64_t{10});
  EXPECT_TRUE(times_of(holding({batch}), {}, published).published.empty()) << "another model";
  batch.model = "krusell_smith";
  batch.key = "krusell_smith/frontier";
  const Times times = times_of(holding({batch}), {}, published);
  EXPECT_EQ(times.published.size(), 6U);
  EXPECT_THAT(to_text(document_of(times, "a machine", false), 100), HasSubstr("Table A.4: 1 core"));
  EXPECT_EQ(rows_of(sheets_of(times), "batches").back()["printed_in"], "cheela_2024/table_a4");
}

TEST(TimesOfACase, AreWhatEachUserWaitsFor) {
  const Times times = times_of(holding({made("cuda_c", 16, "double", 0.1, true)}));
  ASSERT_EQ(times.cases.size(), 1U);
  const CaseTimes& one = times.cases.front();
  EXPECT_TRUE(one.is_gpu);
  EXPECT_EQ(one.start.value, 0.5);
  EXPECT_DOUBLE_EQ(*one.first.value, 0.18);
  EXPECT_DOUBLE_EQ(*one.warm.value, 0.1);
  EXPECT_DOUBLE_EQ(*one.total.value, 0.68);
  EXPECT_EQ(one.total.samples, 1);
  EXPECT_EQ(one.warm.samples, 3);
}

TEST(TimesOfACase, AreThoseOfItsNewestRecord) {
  const Record earlier = made("serial", 16, "double", 0.1);
  const Record later = made("serial", 16, "double", 0.4);
  const Times times = times_of(holding({earlier, later}));
  ASSERT_EQ(times.cases.size(), 1U);
  EXPECT_EQ(*times.cases[0].warm.value, 0.4);
}

TEST(TimesOfACase, WithoutAWarmSolutionHaveNone) {
  Record record = made("serial", 16, "double", 0.1);
  record.samples.front().solutions.clear();
  const Times times = times_of(holding({record}));
  EXPECT_FALSE(times.cases.front().warm.value);
  EXPECT_DOUBLE_EQ(*times.cases.front().solution().value, 0.18);
}

TEST(TimesOfACase, ThatIsNotBelievedComesOnlyWhereThereIsNoOther) {
  Record noisy = made("serial", 16, "double", 0.1);
  noisy.status = Status::noisy;
  const Record believed = made("serial", 16, "double", 0.2);
  Times times = times_of(holding({believed, noisy}));
  ASSERT_EQ(times.cases.size(), 1U);
  EXPECT_EQ(times.cases[0].warm.status, Status::measured);
  EXPECT_DOUBLE_EQ(*times.cases[0].warm.value, 0.2);
  times = times_of(holding({noisy}));
  EXPECT_EQ(times.cases.front().warm.status, Status::noisy);
  EXPECT_THAT(to_text(document_of(times, "a machine", true), 200), HasSubstr("100 ms (noisy)"));
}

TEST(Overtakings, AreOfTheSameProblemAndPrecision) {
  const Times times = times_of(holding({
      made("cuda_c", 100, "double", 1, true),
      made("cuda_c", 10'000, "double", 1, true),
      made("cuda_c", 100, "single", 1, true),
      made("serial", 100, "double", 0.1),
      made("serial", 10'000, "double", 10),
      made("serial", 1'000'000, "double", 1000),
  }));
  ASSERT_EQ(times.overtakings.size(), 1U);
  const Overtaking& one = times.overtakings.front();
  EXPECT_EQ(one.gpu, "cuda_c");
  EXPECT_EQ(one.cpu, "serial");
  EXPECT_EQ(one.size_axis, "nk");
  EXPECT_THAT(one.sizes, ElementsAre(100, 10'000));
  EXPECT_THAT(one.problem, HasSubstr("real=double"));
  EXPECT_THAT(one.in_solution.size, DoubleNear(1000, 1e-6));
  // With the start-up of half a second it is later.
  EXPECT_EQ(one.in_total.where, Where::between);
  EXPECT_GT(one.in_total.size, one.in_solution.size);
}

Record grown(const std::string& implementation, std::int64_t nx, std::int64_t ne, double seconds,
             bool on_gpu = false) {
  Record record = made(implementation, 1, "double", seconds, on_gpu);
  record.model = "lifecycle";
  record.key = "lifecycle/" + implementation + std::to_string(nx) + " " + std::to_string(ne);
  record.parameters = {{"nx", nx}, {"ne", ne}, {"real", "double"}};
  return record;
}

TEST(Overtakings, MayGrowAlongTwoAxesTogether) {
  std::vector<Record> records{grown("cuda_c", 100, 5, 1, true), grown("serial", 100, 5, 0.1),
                              grown("cuda_c", 1000, 15, 1, true), grown("serial", 1000, 15, 10)};
  const Times times = times_of(holding(records));
  ASSERT_EQ(times.overtakings.size(), 1U);
  EXPECT_THAT(times.overtakings[0].problem, HasSubstr("(ne grows too)"));
  EXPECT_EQ(times.overtakings[0].in_solution.where, Where::between);
  EXPECT_TRUE(times.not_comparable.empty());

  records[2] = grown("cuda_c", 1000, 25, 1, true);
  const Times other = times_of(holding(records));
  EXPECT_TRUE(other.overtakings.empty()) << "these are not the same problems";
  EXPECT_THAT(other.not_comparable, ElementsAre("lifecycle"));

  records[2] = grown("cuda_c", 1000, 15, 1, true);
  records.push_back(grown("serial", 1000, 20, 10));
  EXPECT_TRUE(times_of(holding(records)).overtakings.empty()) << "two of one size";
}

TEST(SinglePrecisionEnds, AsItsOutcomeSays) {
  Record in_double = made("serial", 64, "double", 1);
  in_double.outcome->figures = {{"V_first", -20}, {"V_last", -16}, {"value_error", 1e-9}};
  Record converged = made("serial", 64, "single", 1);
  converged.outcome->figures = {{"V_first", -20.002}, {"V_last", -16}, {"value_error", 5}};
  Record stagnated = made("serial", 128, "single", 1);
  stagnated.status = Status::invalid;
  stagnated.outcome->valid = false;
  stagnated.outcome->residual = 1e-5;
  stagnated.outcome->why = "residual 1e-05 at K[1], Z[1], where 1e-10 is allowed";
  Record cycling = stagnated;
  cycling.key = "rbc/serial nk=256 real=single";
  cycling.parameters.set("nk", std::int64_t{256});
  cycling.outcome->gave_up = true;
  const Times times = times_of(holding({in_double, converged, stagnated, cycling}));
  ASSERT_EQ(times.single_precision.size(), 3U) << "by key: nk = 128, 256, 64";
  EXPECT_EQ(times.single_precision[0].end, SinglePrecision::End::stagnated);
  EXPECT_FALSE(times.single_precision[0].error) << "there is none in double";
  EXPECT_EQ(times.single_precision[1].end, SinglePrecision::End::cycling);
  EXPECT_EQ(times.single_precision[2].end, SinglePrecision::End::converged);
  EXPECT_THAT(times.single_precision[2].error.value(), DoubleNear(1e-4, 1e-9));
  EXPECT_EQ(times.single_precision[2].figure, "V_first") << "an error is no part of the solution";

  in_double.status = Status::noisy;
  EXPECT_EQ(times_of(holding({in_double, converged})).single_precision[0].error,
            times.single_precision[2].error)
      << "its time is not believed, its result is";
  in_double.status = Status::implausible;
  EXPECT_FALSE(times_of(holding({in_double, converged})).single_precision[0].error);
}

TEST_F(OfTheFixture, TimesAreTheGoldenOnes) {
  Times times = times_of(results_);
  // Enough to see what it looks like: the fixture's keys are long, and it has many.
  times.cases.resize(12);
  times.overtakings.resize(24);
  times.single_precision.resize(6);
  const Document document = document_of(times, describe(machine_), true);
  expect_golden(source_dir() / "tests/paper_tables/times/golden/times.txt", to_text(document, 100));
}

TEST(TimesCommand, ShowsEveryForm) {
  const std::string of_the_fixture = " --results '" + fixture_folder().string() + "'";
  EXPECT_THAT(macrobench("times --cases" + of_the_fixture), Answers(0, HasSubstr("fresh process")));
  EXPECT_THAT(macrobench("times --format csv" + of_the_fixture).output,
              HasSubstr("case,gpu,start,start_low,"));
  const auto printed = json_of("times --json" + of_the_fixture);
  EXPECT_EQ(printed["schema"], 2);
  EXPECT_FALSE(printed["tables"]["overtakings"]["rows"].empty());
  EXPECT_FALSE(printed["tables"]["single_precision"]["rows"].empty());
}

}  // namespace
}  // namespace macrobench
