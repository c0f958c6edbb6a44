#include "harness/model/parameters.hpp"

#include "tests/matchers.hpp"

namespace macrobench {
namespace {

const Axis size_axis{.name = "nk",
                     .help = "points",
                     .default_value = std::int64_t{1024},
                     .interval = {.lowest = 2, .highest = 4194304}};
const Axis real_axis{
    .name = "beta",
    .help = "discount factor",
    .default_value = 0.984,
    .interval = {.lowest = 0, .highest = 1, .lowest_allowed = false, .highest_allowed = false}};
const Axis name_axis{.name = "maximizer",
                     .help = "search",
                     .default_value = "bisection",
                     .choices = {"bisection", "grid_howard"}};
const Axis cores_axis{.name = "threads",
                      .help = "threads",
                      .default_value = std::int64_t{1},
                      .interval = {.lowest = 1, .highest = 64},
                      .counts_cores = true};

TEST(ParseValue, ReadsWhatTheAxisHolds) {
  EXPECT_EQ(parse_value(size_axis, "65536", 1), Value(std::int64_t{65536}));
  EXPECT_EQ(parse_value(size_axis, "1e6", 1), Value(std::int64_t{1000000}));
  EXPECT_EQ(parse_value(real_axis, "0.9", 1), Value(0.9));
  EXPECT_EQ(parse_value(name_axis, "grid_howard", 1), Value("grid_howard"));
  EXPECT_EQ(parse_value(cores_axis, "all", 6), Value(std::int64_t{6}));
  Axis counted = size_axis;
  counted.all = [] { return 8; };
  EXPECT_EQ(parse_value(counted, "all", 6), Value(std::int64_t{8}));
}

TEST(ParseValue, SaysWhatIsWrongInOneSentence) {
  for (const char* text : {"0", "1", "-5", "1e12"}) {
    EXPECT_THAT(complaint_of([&] { parse_value(size_axis, text, 1); }),
                HasSubstr("it must be from 2 to 4194304"))
        << text;
  }
  for (const char* text : {"abc", "", "12x", "nan", "inf", " 3"}) {
    EXPECT_THAT(complaint_of([&] { parse_value(size_axis, text, 1); }), HasSubstr("nk = ")) << text;
  }
  EXPECT_THAT(complaint_of([&] { parse_value(size_axis, "2.5", 1); }), HasSubstr("whole number"));
  EXPECT_THAT(complaint_of([&] { parse_value(real_axis, "1", 1); }),
              HasSubstr("above 0 and below 1"));
  EXPECT_THAT(complaint_of([&] { parse_value(name_axis, "bisect", 1); }),
              HasSubstr("the nearest is 'bisection'"));
  EXPECT_THAT(complaint_of([&] { parse_value(size_axis, "all", 4); }), HasSubstr("nk = all"));
  Axis axis = size_axis;
  axis.otherwise = "a finer grid does not fit";
  EXPECT_THAT(complaint_of([&] { parse_value(axis, "1e12", 1); }),
              HasSubstr("from 2 to 4194304; a finer grid does not fit"));
}

TEST(ParseValues, ReadsListsAndRanges) {
  EXPECT_THAT(parse_values(size_axis, "128..1024", 1),
              ElementsAre(Value(std::int64_t{128}), Value(std::int64_t{256}),
                          Value(std::int64_t{512}), Value(std::int64_t{1024})));
  EXPECT_THAT(
      parse_values(size_axis, "100..300", 1),
      ElementsAre(Value(std::int64_t{100}), Value(std::int64_t{200}), Value(std::int64_t{300})));
  EXPECT_THAT(parse_values(size_axis, "100..100", 1), ElementsAre(Value(std::int64_t{100})));
  EXPECT_THAT(parse_values(size_axis, "100..300:100,7", 1),
              ElementsAre(Value(std::int64_t{100}), Value(std::int64_t{200}),
                          Value(std::int64_t{300}), Value(std::int64_t{7})));
  EXPECT_THAT(parse_values(name_axis, "bisection,grid_howard", 1),
              ElementsAre(Value("bisection"), Value("grid_howard")));
  EXPECT_THAT(parse_values(cores_axis, "1,all", 8),
              ElementsAre(Value(std::int64_t{1}), Value(std::int64_t{8})));
}

TEST(ParseValues, StepsAsAPersonDoes) {
  const auto values = [](const char* text) {
    std::string all;
    for (const Value& value : parse_values(real_axis, text, 1)) all += to_string(value) + " ";
    return all;
  };
  EXPECT_EQ(values("0.9..0.99:0.01"), "0.9 0.91 0.92 0.93 0.94 0.95 0.96 0.97 0.98 0.99 ");
  EXPECT_EQ(values("0.1..0.3:0.1"), "0.1 0.2 0.3 ");
  EXPECT_EQ(values("0.3..0.1:-0.1"), "0.3 0.2 0.1 ");
}

TEST(ParseValues, RefusesRangesThatGoNowhere) {
  EXPECT_THAT(complaint_of([] { parse_values(size_axis, "1024..128", 1); }), HasSubstr("upwards"));
  EXPECT_THAT(complaint_of([] { parse_values(size_axis, "2..4000000:1", 1); }),
              HasSubstr("more than 10,000"));
  EXPECT_THAT(complaint_of([] { parse_values(size_axis, "2..9:0", 1); }), HasSubstr("step"));
  EXPECT_THAT(complaint_of([] { parse_values(size_axis, "9..2:1", 1); }),
              HasSubstr("the step leads away"));
  EXPECT_THAT(complaint_of([] { parse_values(name_axis, "a..b", 1); }), HasSubstr("needs numbers"));
}

TEST(Complete, FillsInDefaultsInTheAxesOrder) {
  const Parameters all = complete({size_axis, real_axis, name_axis}, {{"beta", 0.5}}, 1);
  EXPECT_EQ(all, (Parameters{{"nk", 1024}, {"beta", 0.5}, {"maximizer", "bisection"}}));
}

TEST(Complete, TurnsWholeNumbersIntoRealOnes) {
  const Axis gamma{.name = "gamma", .help = "", .default_value = 2.0};
  EXPECT_EQ(complete({gamma}, {{"gamma", 1}}, 1).real("gamma"), 1.0);
}

TEST(Complete, NamesTheNearestAxis) {
  EXPECT_THAT(complaint_of([] { complete({size_axis, real_axis}, {{"betta", 0.5}}, 1); }),
              HasSubstr("unknown parameter 'betta'; the nearest is 'beta'"));
}

TEST(EconomiesOf, IsWhatItsAxisSays) {
  EXPECT_EQ(economies_of({{"economies", 1200}}), 1200);
  EXPECT_EQ(economies_of({{"economies", "many"}}), 1);
  EXPECT_EQ(economies_of({}), 1);
}

TEST(IsSingle, IsWhatTheAxisRealSays) {
  EXPECT_TRUE(is_single({{"real", "single"}}));
  EXPECT_FALSE(is_single({{"real", "double"}}));
  EXPECT_FALSE(is_single({{"n", 1}}));
  EXPECT_FALSE(is_single({{"real", 4.0}}));
}

TEST(ToString, ReadsBackAsTheSameValue) {
  for (const double x : {1.6e-10, 0.984, 1.0 / 3, 1e300, 5e-324}) {
    const Axis any{.name = "x", .help = "", .default_value = 0.0};
    EXPECT_EQ(parse_value(any, to_string(Value(x)), 1), Value(x));
  }
  EXPECT_EQ(to_string(Value(1.6e-10)), "1.6e-10");
}

}  // namespace
}  // namespace macrobench
