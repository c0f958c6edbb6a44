// An implementation's own default: what its cases have where nobody gives a value.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/model/axis_table.hpp"
#include "harness/model/registry.hpp"
#include "harness/model/solver_model.hpp"
#include "harness/records/contradiction.hpp"
#include "harness/records/record_facts.hpp"
#include "tests/executable.hpp"
#include "tests/harness/fake_model.hpp"
#include "tests/harness/support.hpp"
#include "tests/matchers.hpp"

namespace macrobench {
namespace {

using ::testing::ContainsRegex;

struct Toy {
  int n = 3;
  double weight = 0.5;
  std::string method = "slow";
  std::string start = "last";
};

const AxisTable<Toy>& toy_axes() {
  using Parameter = macrobench::Parameter<Toy>;
  static const AxisTable<Toy> table(
      {Parameter("n", &Toy::n, "how many", from_to(1, 9)).headline(),
       Parameter("weight", &Toy::weight, "a share", from_to(0, 1)),
       Parameter("method", &Toy::method, "by name", {{"quick"}, {"slow"}}).headline(),
       Parameter("start", &Toy::start, "where it begins", {{"last"}, {"given"}}).optional()},
      [](Toy&, const Parameters&) {});
  return table;
}

Model toy_model() {
  return {.name = "toy", .summary = "", .axes = toy_axes().axes(), .size_axis = "n"};
}

template <class Real>
using NoSolution = Real;

/// An implementation whose solver takes these axes.
Implementation taking(const std::string& name, const std::vector<TakenAxis>& axes) {
  const Solver<Toy, NoSolution> solver{.name = name, .summary = "", .axes = axes, .source = ""};
  Implementation implementation;
  implementation.model = "toy";
  implementation.name = name;
  implementation.axes =
      detail::axes_of(SolverModel<Toy>{.model = toy_model(), .axes = toy_axes()}, solver);
  return implementation;
}

Registry with(const Implementation& best, const Model& model = toy_model()) {
  Registry registry;
  registry.add(model);
  registry.add(taking("plain", {{"start"}}));
  registry.add(best);
  return registry;
}

Implementation best() {
  return taking("best", {{.name = "method", .usually = "quick"},
                         {.name = "start", .usually = "given"},
                         {.name = "weight", .usually = std::int64_t{1}}});
}

TEST(OwnDefault, IsWhatACaseHasWhereNobodyGivesAValue) {
  const Registry registry = with(best());
  const Case own = registry.make_case("toy/best", {}, 1);
  EXPECT_EQ(own.parameters.name("method"), "quick");
  EXPECT_EQ(own.parameters.name("start"), "given");
  EXPECT_EQ(own.parameters.real("weight"), 1.0) << "a number, as the axis has it";
  EXPECT_EQ(registry.make_case("toy/plain", {}, 1).parameters.name("start"), "last");
}

TEST(OwnDefault, GivesWayToAnyValueThatIsGiven) {
  const Registry registry = with(best());
  const Case asked =
      registry.make_case("toy/best", {{"method", "slow"}, {"start", "last"}, {"weight", 0.5}}, 1);
  EXPECT_EQ(asked.key(), "toy/best n=3 method=slow") << "the key it had before";
}

TEST(OwnDefault, IsInTheKeySoThatNoRecordOfTheModelsDefaultHasTheSame) {
  const Registry registry = with(best());
  EXPECT_EQ(registry.make_case("toy/best", {}, 1).key(),
            "toy/best n=3 weight=1 method=quick start=given");
  EXPECT_EQ(registry.make_case("toy/best", {{"start", "given"}}, 1).key(),
            registry.make_case("toy/best", {}, 1).key())
      << "said or not";
}

TEST(OwnDefault, IsKnownToTheModelInAllBuilds) {
  const Parameters declared{{"method", "quick"}, {"start", "given"}, {"weight", 1.0}};
  Model model = toy_model();
  model.own_defaults = {{"left_out", declared}};
  const Registry registry = with(best(), model);
  const Model& known = registry.model("toy");
  for (const char* name : {"best", "left_out"}) {
    const Parameters filled = known.with_own_defaults(name, {{"start", "last"}, {"n", 5}});
    EXPECT_EQ(filled.name("start"), "last") << name;
    EXPECT_EQ(filled.name("method"), "quick") << name;
    EXPECT_EQ(filled.real("weight"), 1.0) << name;
    EXPECT_EQ(filled.integer("n"), 5) << name;
  }
  EXPECT_EQ(known.with_own_defaults("plain", {{"n", 5}}), (Parameters{{"n", 5}}));
}

TEST(OwnDefault, ThatIsNotAllowedOrNotTheModelsIsAConflict) {
  const auto complaint = [](const Registry& registry) {
    return failure_of([&] { registry.check(); });
  };
  EXPECT_EQ(complaint(with(best())), "");
  EXPECT_THAT(complaint(with(taking("best", {{.name = "method", .usually = "quickest"}}))),
              AllOf(HasSubstr("own default of toy/best"), HasSubstr("method = quickest")));
  EXPECT_THAT(complaint(with(taking("best", {{.name = "weight", .usually = 2.0}}))),
              HasSubstr("weight = 2"));
  Model model = toy_model();
  model.own_defaults = {{"best", {{"method", "quick"}}}};
  EXPECT_EQ(complaint(with(taking("best", {{.name = "method", .usually = "quick"}}), model)), "");
  EXPECT_THAT(complaint(with(best(), model)), HasSubstr("toy/best has other defaults of its own"));
}

TEST(OwnDefault, IsNoPartOfARecordOlderThanTheAxis) {
  const Case own = fake_case("own_way", {});
  EXPECT_EQ(own.key(), "fake/own_way size=1 rounds=3");
  EXPECT_EQ(complete_recorded(own.implementation->axes, {{"size", 1}}).integer("rounds"), 1);
  Record record = a_record(own.key());
  record.model = "fake";
  record.implementation = "own_way";
  record.parameters = own.parameters;
  EXPECT_TRUE(against_key(record).empty()) << "its own key";
  record.key = "fake/own_way size=1";
  EXPECT_FALSE(against_key(record).empty()) << "the key of the model's default";
  record.parameters.set("rounds", std::int64_t{1});
  EXPECT_TRUE(against_key(record).empty());
}

TEST(OwnDefault, IsShownByList) {
  const auto listed = [](const std::string& name) {
    std::string words;
    for (const std::string& word : test_child({"list", name})) words += "'" + word + "' ";
    return by_shell(words + "2>&1").output;
  };
  EXPECT_THAT(listed("fake/own_way"), ContainsRegex("--rounds +3 "));
  EXPECT_THAT(listed("fake/plain"), ContainsRegex("--rounds +1 "));
  EXPECT_THAT(listed("fake"), ContainsRegex("--rounds +1; own_way: 3 "));
}

}  // namespace
}  // namespace macrobench
