// What programs from outside take beside ours.

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "paper_tables/times/program_times.hpp"
#include "paper_tables/times/times.hpp"
#include "tests/matchers.hpp"
#include "tests/paper_tables/fixture.hpp"
#include "tests/sheet_rows.hpp"

namespace macrobench {
namespace {

Record of(const std::string& implementation, double seconds, Parameters parameters = {}) {
  parameters.set("nk", std::int64_t{64});
  Record record = record_of(implementation, std::move(parameters), {seconds}, 0.5);
  record.key = "rbc/" + implementation;
  for (const auto& [name, value] : record.parameters)
    record.key += key_field(name, to_string(value));
  record.origin = to_string(Origin::published);
  record.on_gpu = false;
  return record;
}

Record program(double first, double warm) {
  Record record = of("jax", warm);
  record.samples.front().first_solution = first;
  record.samples.front().around = {{"process", {0.25}}, {"start", {0.75}}};
  return record;
}

std::vector<ProgramTimes> times_of_all(const std::vector<Record>& records) {
  std::vector<const Record*> measured;
  for (const Record& record : records) measured.push_back(&record);
  return program_times_of(measured, FolderTimes());
}

std::string text_of(const std::vector<ProgramTimes>& programs) {
  Notes notes;
  return to_text(Document{.body = blocks_of(programs, notes)}, 1000);
}

TEST(ProgramTimes, StandBesideTheFastestOfOursByTheSameAlgorithm) {
  Record frontier = of("frontier", 1e-6);
  frontier.origin = to_string(Origin::frontier);
  Record on_gpu = of("cuda_c", 1e-6);
  on_gpu.on_gpu = true;
  const std::vector<Record> records{program(3, 1),
                                    of("serial", 0.5),
                                    of("thrust_omp", 0.125, {{"threads", 8}}),
                                    of("serial_tuned", 1e-6, {{"monotone", "on"}}),
                                    frontier,
                                    on_gpu};
  const std::vector<ProgramTimes> programs = times_of_all(records);
  ASSERT_EQ(programs.size(), 1U);
  const ProgramTimes& one = programs.front();
  EXPECT_EQ(one.problem, "rbc, nk=64") << "its rows stand together";
  EXPECT_EQ(one.name, "jax");
  EXPECT_EQ(one.best_name, "thrust_omp threads=8");
  EXPECT_DOUBLE_EQ(one.process.value.value_or(0), 0.25);
  EXPECT_DOUBLE_EQ(one.start.value.value_or(0), 0.75);
  EXPECT_DOUBLE_EQ(one.until(1).value.value_or(0), 0.25 + 0.75 + 3);
  EXPECT_DOUBLE_EQ(one.until(1000).value.value_or(0), 0.25 + 0.75 + 3 + 999 * 1);
  EXPECT_EQ(one.until(1000).kind, Kind::computed);
  EXPECT_EQ(one.best, records[2].key) << "neither a frontier, nor another algorithm, nor a GPU";
  EXPECT_DOUBLE_EQ(one.warm_over_best.cell().value.value_or(0), 1 / 0.125);
  const std::string text = text_of(programs);
  EXPECT_THAT(text, HasSubstr("8.0×")) << "warm over warm: 1 over .125";
  EXPECT_THAT(text, HasSubstr("12×")) << "first over first: 3 over .25";
  EXPECT_EQ(rows_of({sheet_of(programs)}, "programs")[0]["best"], records[2].key);
}

TEST(ProgramTimes, HaveTheirMemoryBesideThem) {
  Record record = program(3, 1);
  EXPECT_THAT(text_of(times_of_all({record})), Not(HasSubstr("memory")));
  record.samples.front().memory.resident_bytes = std::int64_t{412} << 20;
  const std::string text = text_of(times_of_all({record}));
  EXPECT_THAT(text, AllOf(HasSubstr("memory"), HasSubstr("412 MiB")));
  EXPECT_THAT(text, Not(HasSubstr("GPU memory")));
}

TEST(ProgramTimes, OfYoursMayHaveAnotherAlgorithm) {
  Record yours = program(3, 1);
  const Record ours = of("serial", 0.5);
  for (const bool is_yours : {true, false}) {
    yours.origin = is_yours ? "yours" : "published";
    const std::string text = text_of(times_of_all({yours, ours}));
    EXPECT_EQ(text.find("by the same algorithm") == std::string::npos, is_yours) << text;
    EXPECT_THAT(text, HasSubstr("our fastest one"));
  }
}

TEST(ProgramTimes, ThatAreDoubtedAreShownWithTheirMark) {
  Record noisy = program(3, 1);
  Record ours = of("serial", 0.5);
  noisy.status = ours.status = Status::noisy;
  const std::string text = text_of(times_of_all({noisy, ours}));
  EXPECT_THAT(text, AllOf(HasSubstr("s°!"), HasSubstr("! noisy")));
  EXPECT_THAT(text, Not(HasSubstr("×"))) << "it enters no ratio";
}

TEST(ProgramTimes, StandBesideAPublishedAlgorithmThatSeveralDevicesDivide) {
  Record frontier = of("frontier", 1e-6);
  Record divided = of("cuda_c_gpus", 0.25);
  frontier.origin = divided.origin = to_string(Origin::frontier);
  const std::vector<ProgramTimes> programs =
      times_of_all({program(3, 1), of("serial", 0.5), frontier, divided});
  ASSERT_EQ(programs.size(), 1U);
  EXPECT_EQ(programs.front().best, divided.key);
}

TEST(ProgramTimes, StandBesideWhatOursDoThatLackTheAxis) {
  // Our loops of the life cycle compute the expectation at each choice, and have no axis for it.
  const auto of_lifecycle = [](Record record) {
    record.model = "lifecycle";
    return record;
  };
  const auto best_of = [&](const char* expectation) {
    Record one = of_lifecycle(program(3, 1));
    if (expectation != nullptr) one.parameters.set("expectation", std::string(expectation));
    return times_of_all({one, of_lifecycle(of("serial", 0.5))}).front().best;
  };
  EXPECT_NE(best_of("per_choice"), "");
  EXPECT_EQ(best_of("per_age"), "") << "another algorithm";
  EXPECT_EQ(best_of(nullptr), "") << "a program without the axis computes it per age";
}

TEST(ProgramTimes, HaveNoRatioWhereOursDidNotRun) {
  const std::vector<ProgramTimes> programs = times_of_all({program(3, 1)});
  ASSERT_EQ(programs.size(), 1U);
  EXPECT_EQ(programs.front().best, "");
  EXPECT_THAT(text_of(programs), Not(HasSubstr("×")));
  EXPECT_THAT(times_of_all({of("serial", 1)}), IsEmpty()) << "ours is no program";
}

}  // namespace
}  // namespace macrobench
