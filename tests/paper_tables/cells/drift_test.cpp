#include "paper_tables/cells/drift.hpp"

#include "paper_tables/cells/cell.hpp"
#include "tests/matchers.hpp"

namespace macrobench {
namespace {

std::shared_ptr<const Campaign> campaign(const std::string& id, double seconds = 0) {
  Campaign made{.id = id, .sittings = {}};
  if (seconds > 0) {
    made.sittings.push_back(
        {.asked = "replicate",
         .machine = "m",
         .began = id,
         .ended = {},
         .speeds_at_begin =
             {{.key = "roofline/cpu ceiling=copy", .bytes = 1e9, .seconds = {seconds}},
              {.key = "roofline/cuda ceiling=multiply_add", .operations = 1e9, .seconds = {0.1}}},
         .speeds_at_end = {}});
  }
  return std::make_shared<const Campaign>(made);
}

TEST(Drift, IsNoneWithinARecordAndACampaign) {
  EXPECT_EQ(drift_of({}), "");
  EXPECT_EQ(drift_of({{"a", nullptr}}), "") << "one record, however old";
  const auto one = campaign("one");
  EXPECT_EQ(drift_of({{"a", one}, {"b", one}}), "");
  EXPECT_EQ(drift_of({{"a", campaign("one")}, {"b", campaign("one")}}), "") << "by their ids";
}

TEST(Drift, SaysHowMuchTheMachineChangedBetweenCampaigns) {
  EXPECT_EQ(drift_of({{"a", campaign("2", 0.125)}, {"b", campaign("1", 0.1)}}),
            "joins two campaigns; between them the machine's copy changed by -20.0%, "
            "the GPU's multiply-add changed by +0.0%");
  EXPECT_THAT(
      drift_of({{"a", campaign("1", 0.1)}, {"b", campaign("2", 0.09)}, {"c", campaign("3", 0.1)}}),
      AllOf(HasSubstr("joins 3 campaigns"), HasSubstr("copy changed by +11.1%")))
      << "the largest";
}

TEST(Drift, MayBeUnknown) {
  EXPECT_EQ(drift_of({{"a", nullptr}, {"b", nullptr}}),
            "joins records older than campaigns: drift unknown");
  EXPECT_EQ(drift_of({{"a", campaign("1")}, {"b", campaign("2", 0.1)}}),
            "joins two campaigns; between them the drift of the machine is unknown");
}

TEST(TextOfRatio, HasTwoDigitsOverALawAndIsNoneFarBeyondIt) {
  Cell cell{.value = 1, .status = Status::measured};
  EXPECT_EQ(text_of_ratio(148.3, cell), "148");
  cell.status = Status::extrapolated;
  cell.reach = longest_reach;
  EXPECT_EQ(text_of_ratio(148.3, cell), "150");
  EXPECT_EQ(text_of_ratio(11780000, cell), "12,000,000");
  EXPECT_EQ(text_of_ratio(9.96, cell), "10");
  EXPECT_EQ(text_of_ratio(2.91, cell), "2.9");
  EXPECT_EQ(text_of_ratio(0.1751, cell), "0.18");
  EXPECT_EQ(text_of_ratio(0.003, cell), "0.0030");
  cell.reach = longest_reach * 1.01;
  EXPECT_EQ(text_of_ratio(148.3, cell), std::nullopt);
}

}  // namespace
}  // namespace macrobench
