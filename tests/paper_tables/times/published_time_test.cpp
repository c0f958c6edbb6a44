// The papers' times below a run.

#include "paper_tables/times/published_time.hpp"

#include <string>
#include <utility>
#include <vector>

#include "tests/executable.hpp"
#include "tests/matchers.hpp"
#include "tests/paper_tables/fixture.hpp"

namespace macrobench {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// A record of the growth model as the paper of the small definition has it.
Record record_at(const std::string& implementation, std::int64_t nk, double seconds,
                 const std::string& origin) {
  Record record = record_of(implementation,
                            {{"nk", nk},
                             {"nz", 4},
                             {"maximizer", std::string("bisection")},
                             {"real", std::string("double")}},
                            {seconds, seconds, seconds});
  record.origin = origin;
  record.status = Status::measured;
  return record;
}

class PublishedTime : public ::testing::Test {
 protected:
  std::string beside(Record record, const std::vector<Record>& others = {}) {
    write_file(folder_.path() / "paper/table.json", definition_.dump());
    Definitions all(folder_.path());
    Results one;
    one.records.push_back(std::move(record));
    Results here;
    here.records = others;
    return published_beside(one, all, here);
  }

  nlohmann::json definition_ = small_definition();
  TemporaryFolder folder_;
};

TEST_F(PublishedTime, IsThatOfAPublishedImplementationsOwnCase) {
  EXPECT_EQ(beside(record_at("serial", 64, .5, "published")),
            "published 4 s (A on old, paper/table), here 500 ms: 8.0 times as fast");
  EXPECT_THAT(beside(record_at("serial", 64, 40, "published")),
              HasSubstr("here 40 s: 10 times as long"));
}

TEST_F(PublishedTime, HasTheFastestOfTheProblemBeside) {
  const auto with = [&](double seconds, std::int64_t nk = 64) {
    return beside(record_at("serial", 64, .5, "published"),
                  {record_at("frontier", nk, seconds, "frontier")});
  };
  EXPECT_THAT(with(.002), EndsWith("8.0 times as fast; best here 2 ms (frontier, one core)"));
  EXPECT_THAT(with(.7), EndsWith("8.0 times as fast")) << "it is slower";
  EXPECT_THAT(with(.002, 32), EndsWith("8.0 times as fast")) << "of another problem";
  Record noisy = record_at("frontier", 64, .002, "frontier");
  noisy.status = Status::noisy;
  EXPECT_THAT(beside(record_at("serial", 64, .5, "published"),
                     {noisy, record_at("serial_tuned", 64, .25, "corrected")}),
              EndsWith("8.0 times as fast; best here 250 ms (serial_tuned, one core)"))
      << "it is not believed";
}

TEST_F(PublishedTime, IsTheShortestForAnImplementationThatNoTableHas) {
  EXPECT_THAT(beside(record_at("frontier", 1024, .001, "frontier")),
              StartsWith("published 1 min 4 s (B on old, paper/table), here 2 ms: "));
  EXPECT_THAT(beside(record_at("serial_probed", 16, .5, "corrected")),
              StartsWith("published 1 s (A on old, paper/table), here 500 ms: 2.0 times"));
}

TEST_F(PublishedTime, IsNotDividedWhereTheGateRefuses) {
  EXPECT_EQ(beside(record_at("frontier", 48, .5, "frontier")), "");
  Record other_problem = record_at("frontier", 64, .5, "frontier");
  other_problem.parameters.set("nz", 8);
  EXPECT_EQ(beside(std::move(other_problem)), "");
  Record other_tolerance = record_at("frontier", 64, .5, "frontier");
  other_tolerance.parameters.set("tolerance", 1e-3);
  EXPECT_EQ(beside(std::move(other_tolerance)), "");
  for (const Status status : {Status::noisy, Status::implausible, Status::invalid}) {
    Record record = record_at("frontier", 64, .5, "frontier");
    record.status = status;
    EXPECT_EQ(beside(std::move(record)), "") << to_string(status);
  }
}

TEST_F(PublishedTime, OfAPublishedImplementationIsNoOtherPrograms) {
  EXPECT_EQ(beside(record_at("serial_checked", 64, .5, "published")), "");
  Record other_way = record_at("serial", 64, .5, "published");
  other_way.parameters.set("maximizer", std::string("grid"));
  EXPECT_EQ(beside(std::move(other_way)), "");
}

TEST_F(PublishedTime, IsOneThatThePaperMeasured) {
  definition_["rows"][0]["published_by"] = "extrapolation";
  EXPECT_EQ(beside(record_at("serial", 64, .5, "published")), "");
}

TEST_F(PublishedTime, SaysThatTheProgramWasInAnotherLanguage) {
  definition_["rows"][0]["language"] = "Matlab";
  EXPECT_THAT(beside(record_at("serial", 64, .5, "published")),
              HasSubstr("; the published program is in Matlab, ours is not"));
}

TEST(PapersTimes, StandUnderARunThatTheyPrint) {
  const std::string run = "run rbc/serial_tuned --nk 16 --max-samples 3 --processes 1";
  EXPECT_THAT(macrobench(run).output, Not(HasSubstr("published ")));
  EXPECT_THAT(macrobench(run + " --json").output, Not(HasSubstr("times as")));
}

}  // namespace
}  // namespace macrobench
