// Cold, warm and fresh-process times side by side.

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
  for (const bool has_cases : {true, false}) {  // without programs it shows the cases in any case
    EXPECT_THAT(to_text(document_of(times, "a machine", has_cases), 200),
                AllOf(HasSubstr("100 ms!"), HasSubstr("! noisy")));
  }
  noisy.status = Status::implausible;
  EXPECT_THAT(to_text(document_of(times_of(holding({noisy})), "a machine", false), 200),
              AllOf(HasSubstr("100 ms!"), HasSubstr("! implausible")));
}

TEST(MemoryOfACase, IsShownWhereItIsKnown) {
  Record record = made("cuda_c", 16, "double", 0.1, true);
  const auto shown = [&] {
    return to_text(document_of(times_of(holding({record})), "a machine", true), 200);
  };
  EXPECT_THAT(shown(), Not(HasSubstr("emory")));
  record.samples.front().memory.resident_bytes = std::int64_t{412} << 20;
  EXPECT_THAT(shown(), AllOf(HasSubstr("412 MiB"), HasSubstr("Memory: the most that was resident"),
                             Not(HasSubstr("GPU memory"))));
  record.samples.front().memory.gpu_bytes = (std::int64_t{3} << 30) / 2;
  EXPECT_THAT(shown(), AllOf(HasSubstr("1.50 GiB"), HasSubstr("GPU memory: the most")));
  const nlohmann::json row = rows_of(sheets_of(times_of(holding({record}))), "cases").at(0);
  EXPECT_EQ(row["resident_bytes"], std::int64_t{412} << 20);
  EXPECT_EQ(row["gpu_bytes"], (std::int64_t{3} << 30) / 2);
}

TEST_F(OfTheFixture, TimesAreTheGoldenOnes) {
  Times times = times_of(results_);
  // Enough to see what it looks like: the fixture's keys are long, and it has many.
  times.cases.resize(12);
  const Document document = document_of(times, describe(machine_), true);
  expect_golden(source_dir() / "tests/paper_tables/times/golden/times.txt", to_text(document, 100));
}

TEST(TimesCommand, ShowsEveryForm) {
  const std::string of_the_fixture = " --results '" + fixture_folder().string() + "'";
  EXPECT_THAT(macrobench("times --cases" + of_the_fixture), Answers(0, HasSubstr("start-up")));
  EXPECT_THAT(macrobench("times --format csv" + of_the_fixture).output,
              HasSubstr("case,gpu,start,start_low,"));
  const auto printed = json_of("times --json" + of_the_fixture);
  EXPECT_EQ(printed["schema"], 2);
  EXPECT_FALSE(printed["tables"]["cases"]["rows"].empty());
}

}  // namespace
}  // namespace macrobench
