// How a machine stands to one in print, at a glance.

#include "paper_tables/compare/standing.hpp"

#include <nlohmann/json.hpp>

#include "paper_tables/cells/lookup.hpp"
#include "tests/matchers.hpp"
#include "tests/paper_tables/fixture.hpp"
#include "tests/sheet_rows.hpp"

namespace macrobench {
namespace {

class StandingTest : public ::testing::Test {
 protected:
  /// Of the small definition's size, with a time that is the same in every sample.
  void solve(const std::string& implementation, std::int64_t nk, double seconds,
             const char* real = "double", const char* origin = "published") {
    Record record = record_of(implementation, {{"nk", nk}, {"nz", 4}, {"real", std::string(real)}},
                              {seconds, seconds, seconds});
    record.origin = origin;
    record.samples.front().first_solution = seconds;
    here_.results.records.push_back(std::move(record));
  }

  Standing standing() {
    const std::vector<Standing> all = standings_of(here_, {&table_.get()}, *table_.all);
    EXPECT_EQ(all.size(), 1U);
    return all.front();
  }

  OneDefinition table_{small_definition()};
  ComparedSide here_{.name = "here", .text = "a machine"};
};

TEST_F(StandingTest, SetsTheFrontierAgainstTheFastestInPrintOfTheSameProblem) {
  solve("serial", 16, 0.1);    // 1 s in print: 10 times
  solve("serial", 1024, 102);  // 1,024.5 s in print, where B took 64 s
  solve("frontier", 16, 0.01, "double", "frontier");
  solve("frontier", 1024, 0.02, "double", "frontier");
  solve("frontier", 32, 1e-9, "single", "frontier");  // another problem
  const Standing found = standing();
  EXPECT_EQ(found.published, "old");
  EXPECT_EQ(found.model, "rbc");
  ASSERT_TRUE(found.cpu && found.today && found.longest);
  EXPECT_FALSE(found.gpu);
  EXPECT_EQ(found.cpu->cells, 2);
  EXPECT_NEAR(*found.cpu->lowest, 10, 1e-9);
  EXPECT_EQ(found.today->cells, 2);
  EXPECT_NEAR(*found.today->lowest, 100, 1e-9);
  EXPECT_NEAR(*found.today->highest, 1024.5 / 0.02, 1e-6) << "a solution, and no total";
  EXPECT_EQ(found.longest->size, "Nk = 1,024");
  EXPECT_EQ(found.longest->program, "A");
  EXPECT_NEAR(found.longest->published.value(), 102, 1e-9);
  EXPECT_NEAR(found.longest->today.value(), 0.02, 1e-9);
}

TEST_F(StandingTest, TodaysTimeOfARowWithTheStartHasItToo) {
  solve("serial_tuned", 1024, 50);
  solve("frontier", 1024, 0.02, "double", "frontier");
  here_.results.records.back().samples.front().start = 0.5;
  const Standing found = standing();
  ASSERT_TRUE(found.longest);
  EXPECT_EQ(found.longest->program, "B") << "which is a total";
  EXPECT_NEAR(found.longest->today.value(), 0.52, 1e-9);
}

TEST(StandingOfTheK40, IsOfTheStagesThatItsPaperTimes) {
  Definitions all(definitions_folder());
  const ComparedSide here{.name = "here", .text = "a machine"};
  const auto standings = standings_of(here, {&all.get("hatcher_scheffel_2014/table_3")}, all);
  ASSERT_EQ(standings.size(), 1U);
  EXPECT_EQ(standings.front().scope, Scope::stage);
}

TEST_F(StandingTest, SaysSoWhereNothingWasSolved) {
  const Standing found = standing();
  EXPECT_FALSE(found.cpu || found.gpu || found.today || found.longest);
  const std::string text = to_text({.body = blocks_of({found}, "a machine")}, 80);
  EXPECT_THAT(text, AllOf(HasSubstr("rbc"), HasSubstr("nothing solved")));
  EXPECT_TRUE(
      rows_of({sheet_of({found}, "a machine")}, "standings")[0]["longest_program"].is_null());
}

TEST_F(StandingTest, SaysThatWhatIsNoisyWasSolved) {
  const auto solve_noisily = [&](const std::string& implementation, std::int64_t nk,
                                 const char* origin) {
    solve(implementation, nk, 0.1, "double", origin);
    here_.results.records.back().status = Status::noisy;
  };
  solve_noisily("serial", 16, "published");
  solve_noisily("serial", 32, "published");
  solve_noisily("frontier", 16, "frontier");
  Standing found = standing();
  EXPECT_FALSE(found.cpu || found.gpu || found.today || found.longest);
  EXPECT_EQ(found.doubted_cpu.noisy, 2);
  EXPECT_EQ(found.doubted_gpu.all(), 0);
  EXPECT_EQ(found.doubted_today.noisy, 1);
  EXPECT_THAT(to_text({.body = blocks_of({found}, "a machine")}, 80),
              AllOf(HasSubstr("solved, but the machine was busy: 3 times are noisy"),
                    Not(HasSubstr("nothing solved"))));
  EXPECT_EQ(rows_of({sheet_of({found}, "a machine")}, "standings")[0]["cpu_noisy"], 2);

  // One that is believed is a ratio, and the noisy ones are not in it.
  solve("serial", 64, 0.1);
  found = standing();
  ASSERT_TRUE(found.cpu && found.longest);
  EXPECT_EQ(found.cpu->cells, 1);
  EXPECT_NEAR(*found.cpu->ratio.value, 40, 1e-9);
  EXPECT_EQ(found.longest->size, "Nk = 64");
}

TEST_F(StandingTest, AFrontierAloneIsAStandingToo) {
  solve("frontier", 64, 0.004, "double", "frontier");
  const Standing found = standing();
  ASSERT_TRUE(found.today && found.longest);
  EXPECT_FALSE(found.longest->published);
  EXPECT_THAT(to_text({.body = blocks_of({found}, "a machine")}, 80),
              HasSubstr("Nk = 64, A: 4 s in print, 4 ms today"));
}

}  // namespace
}  // namespace macrobench
