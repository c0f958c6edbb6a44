#include "harness/records/record.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "harness/model/registry.hpp"
#include "harness/records/record_json.hpp"
#include "harness/records/statistics.hpp"
#include "tests/harness/support.hpp"
#include "tests/matchers.hpp"

namespace macrobench {
namespace {

using nlohmann::json;

TEST(Record, ComesBackFromJson) {
  const Record record = a_record();
  const json line = to_json(record);
  const Record back = record_from_json(json::parse(line.dump()));
  EXPECT_EQ(json(to_json(back)), line);
  EXPECT_EQ(back.key, record.key);
  EXPECT_EQ(back.status, Status::measured);
  ASSERT_EQ(back.samples.size(), 2u);
  EXPECT_THAT(back.samples[0].solutions, ElementsAre(0.0625, 0.03125));
  EXPECT_THAT(back.samples[0].stages.at("policy"), ElementsAre(0.1, 0.05, 0.025));
  EXPECT_EQ(back.parameters.integer("size"), 1);
  EXPECT_EQ(back.parameters.real("pace"), 0.0);
  EXPECT_EQ(back.outcome->notes.at("way"), "continuous");
  EXPECT_THAT(back.outcome->series.at("path"), ElementsAre(1.5, 39.1234568)) << "nine digits";
}

TEST(Record, EveryStatusHasAName) {
  for (int i = 0; i <= static_cast<int>(Status::timeout); ++i) {
    const auto status = static_cast<Status>(i);
    EXPECT_EQ(status_from(to_string(status)), status);
  }
  EXPECT_THROW(status_from("done"), std::invalid_argument);
  EXPECT_EQ(to_string(Origin::frontier), "frontier");
}

TEST(Record, WhatIsNotFiniteIsNull) {
  Record record = a_record();
  record.outcome->residual = std::numeric_limits<double>::quiet_NaN();
  record.outcome->figures["distance"] = std::numeric_limits<double>::infinity();
  const json line = json::parse(to_json(record).dump());
  EXPECT_TRUE(line["outcome"]["residual"].is_null());
  EXPECT_TRUE(line["outcome"]["figures"]["distance"].is_null());
  const Record back = record_from_json(line);
  EXPECT_TRUE(std::isnan(back.outcome->residual));
  EXPECT_TRUE(std::isnan(back.outcome->figures.at("distance")));
}

TEST(Record, AResidualThatWasNotComputedIsNull) {
  Record record = a_record("a");
  record.status = Status::invalid;
  record.samples.clear();
  record.outcome = Outcome{};
  record.outcome->why = "V has the wrong shape";
  const nlohmann::ordered_json line = to_json(record);
  EXPECT_TRUE(line["outcome"]["residual"].is_null());
  EXPECT_TRUE(line["outcome"]["allowed"].is_null());
  record.outcome->allowed = 1e-9;
  EXPECT_EQ(to_json(record)["outcome"]["residual"], 0) << "of an exact value with a wrong policy";
}

TEST(Record, NeedsNoSeries) {
  json line = to_json(a_record());
  line["outcome"].erase("series");
  EXPECT_TRUE(record_from_json(line).outcome->series.empty());
}

TEST(Record, ATimeThatIsNoneIsRefused) {
  for (const double seconds : {std::numeric_limits<double>::quiet_NaN(), -1.0, 1e308}) {
    Record record = a_record();
    record.samples[0].first_solution = seconds;
    EXPECT_THROW(to_json(record), std::invalid_argument);
  }
  EXPECT_THROW(to_json(Parameters{{"tolerance", std::numeric_limits<double>::infinity()}}),
               std::invalid_argument);
}

TEST(Record, AStartThatWasNotKeptIsNoTime) {
  Record record = a_record();
  record.samples.resize(1);
  record.samples[0].start = std::nan("");
  record.source.clear();
  EXPECT_THROW(record_from_json(to_json(record)), std::invalid_argument) << "it would hide a lie";
  record.turns = Turns{.of = "paper/theirs", .role = turns_of_original};
  const json line = to_json(record);
  EXPECT_TRUE(line["samples"][0]["start"].is_null());
  const Record back = record_from_json(line);
  EXPECT_TRUE(seconds_of(back, Phase::start).empty());
  EXPECT_TRUE(seconds_of(back, Phase::total).empty());
  EXPECT_FALSE(seconds_of(back, Phase::first_solution).empty());
}

TEST(Record, ANumberAtTheEndsOfItsRangeComesBack) {
  Record record = a_record();
  record.outcome->series["path"] = {5e-324, -1.79769313e308};
  record.parameters.set("pace", 1.79769313486231570e308);
  record.parameters.set("size", std::numeric_limits<std::int64_t>::min());
  const json line = to_json(record);
  Record back = record_from_json(json::parse(line.dump()));
  EXPECT_EQ(json(to_json(back)), line);
  EXPECT_EQ(back.outcome->series["path"][0], 5e-324);
}

TEST(Record, AWholeNumberThatIsTooLargeForOneIsAReal) {
  EXPECT_EQ(value_from_json(json::parse("9223372036854775807")),
            Value(std::numeric_limits<std::int64_t>::max()));
  EXPECT_EQ(value_from_json(json::parse("9223372036854775808")), Value(9223372036854775808.0));
}

std::string error_of(const std::function<void(json&)>& spoil) {
  json line = to_json(a_record());
  spoil(line);
  return complaint_of<std::invalid_argument>([&] { return record_from_json(line); });
}

TEST(Record, ErrorsNameTheJsonPointer) {
  EXPECT_EQ(error_of([](json& line) { line["case"].erase("model"); }),
            "/case: the field 'model' is missing");
  EXPECT_EQ(error_of([](json& line) { line["samples"][1]["start"] = "soon"; }),
            "/samples/1/start: it must be a number from 0 to 1000000000000");
  EXPECT_EQ(error_of([](json& line) { line["samples"][0]["stages"]["policy"][2] = -1; }),
            "/samples/0/stages/policy/2: it must be a number from 0 to 1000000000000");
  EXPECT_EQ(error_of([](json& line) { line["status"] = "done"; }),
            "/status: 'done' is not a status");
  EXPECT_EQ(error_of([](json& line) { line["outcome"]["valid"] = 1; }),
            "/outcome/valid: it must be true or false");
  EXPECT_EQ(error_of([](json& line) { line["case"]["parameters"]["size"] = nullptr; }),
            "/case/parameters/size: it must be a number or a string");
  EXPECT_EQ(error_of([](json& line) { line["outcome"]["valid"] = false; }),
            "/status: a measured case must have a valid outcome");
  EXPECT_EQ(error_of([](json& line) { line["outcome"] = nullptr; }),
            "/status: a measured case must have a valid outcome");
  EXPECT_EQ(error_of([](json& line) { line["outcome"]["iterations"] = std::uint64_t{1} << 63; }),
            "/outcome/iterations: it must be a whole number, 0 or more");
  EXPECT_EQ(error_of([](json& line) { line["samples"] = 3; }), "/samples: it must be an array");
  EXPECT_EQ(error_of([](json& line) { line = 3; }), "/: it must be an object");
  EXPECT_EQ(error_of([](json& line) { line["schema"] = 2; }), "/schema: it must be 3");
}

TEST(Record, PhasesAreTakenAsThePapersTakeThem) {
  const Record record = a_record();
  EXPECT_THAT(seconds_of(record, Phase::start), ElementsAre(0.25, 0.5));
  EXPECT_THAT(seconds_of(record, Phase::first_solution), ElementsAre(0.125, 0.25));
  EXPECT_THAT(seconds_of(record, Phase::solution), ElementsAre(0.0625, 0.03125));
  EXPECT_THAT(seconds_of(record, Phase::total), ElementsAre(0.375, 0.75));
  Record cold = record;
  cold.samples[0].solutions.clear();
  EXPECT_THAT(seconds_of(cold, Phase::solution), ElementsAre(0.125, 0.25));
}

TEST(Statistics, MedianQuantileAndSpread) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
  EXPECT_TRUE(std::isnan(median({})));
  EXPECT_EQ(quantile({5, 4, 1, 2, 3}, 0.25), 2);
  EXPECT_EQ(quantile({3, 1, 2}, 0.75), 3);
  EXPECT_EQ(quantile({7}, 0.025), 7);
  EXPECT_EQ(relative_spread({10, 10, 10, 1000}), 0);
  EXPECT_DOUBLE_EQ(relative_spread({8, 10, 12}), 0.2);
  EXPECT_EQ(relative_spread({5}), 0);
}

}  // namespace
}  // namespace macrobench
