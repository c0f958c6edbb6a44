#include "harness/model/axis_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/model/registry.hpp"
#include "harness/records/record_json.hpp"

namespace macrobench {
namespace {

enum class Colour { red, green };

struct Inner {
  double rate = 0.5;
};

struct Toy {
  int n = 3;
  std::int64_t seed = 5;
  Inner inner;
  Colour colour = Colour::green;
  std::string method = "slow";
  bool twice = false;
  InputFile file;
};

const AxisTable<Toy>& toy_axes() {
  using Parameter = macrobench::Parameter<Toy>;
  static const AxisTable<Toy> table(
      {Parameter("n", &Toy::n, "how many", from_to(1, 9)).headline(),
       Parameter("seed", &Toy::seed, "of chance", from_to(0, 9e15)).optional(),
       Parameter("rate", in(&Toy::inner)(&Inner::rate), "a share", open_unit)
           .otherwise("take less"),
       Parameter("colour", &Toy::colour, "its look",
                 {{"red", Colour::red}, {"green", Colour::green}}),
       Parameter("method", &Toy::method, "by name", {{"quick"}, {"slow"}}),
       Parameter("twice", &Toy::twice, "whether n is doubled", {{"no", false}, {"yes", true}}),
       Parameter("file", &Toy::file, "what is read")},
      [](Toy& toy, const Parameters& given) {
        if (toy.twice && given.find("seed") == nullptr) toy.n *= 2;
      });
  return table;
}

TEST(AxisTable, GivesTheAxesWithTheProblemsDefaults) {
  const std::vector<Axis> axes = toy_axes().axes();
  ASSERT_EQ(axes.size(), 7u);
  EXPECT_EQ(axes[0].default_value, Value(std::int64_t{3}));
  EXPECT_TRUE(axes[0].headline);
  EXPECT_EQ(axes[2].default_value, Value(0.5));
  EXPECT_EQ(axes[2].interval.describe(), "above 0 and below 1");
  EXPECT_EQ(axes[2].otherwise, "take less");
  EXPECT_EQ(axes[3].default_value, Value("green"));
  EXPECT_EQ(axes[3].choices, (std::vector<std::string>{"red", "green"}));
  EXPECT_EQ(axes[4].default_value, Value("slow"));
  EXPECT_EQ(axes[5].default_value, Value("no"));
  EXPECT_TRUE(axes[6].is_file);
  EXPECT_TRUE(axes[1].optional);
  EXPECT_FALSE(axes[0].optional);
}

TEST(AxisTable, MakesTheProblemAndReadsItBack) {
  const Parameters given{{"n", 7},
                         {"seed", std::int64_t{1} << 50},
                         {"rate", 0.25},
                         {"colour", "red"},
                         {"method", "quick"},
                         {"twice", "yes"},
                         {"file", "a/b@0123456789ab"}};
  const Toy toy = toy_axes().problem_of(given);
  EXPECT_EQ(toy.n, 7);
  EXPECT_EQ(toy.seed, std::int64_t{1} << 50);
  EXPECT_EQ(toy.inner.rate, 0.25);
  EXPECT_EQ(toy.colour, Colour::red);
  EXPECT_EQ(toy.method, "quick");
  EXPECT_TRUE(toy.twice);
  EXPECT_EQ(toy.file, (InputFile{"a/b", "0123456789ab"}));
  EXPECT_EQ(toy_axes().parameters_of(toy), given);
  EXPECT_EQ(toy_axes().problem_of({{"twice", "yes"}}).n, 6) << "finished without a seed";
}

/// Values other than the default that the axis allows, of those that end a range one more.
std::vector<Value> others(const Axis& axis) {
  if (axis.is_file) return {Value("some/file@0123456789ab")};
  std::vector<Value> all;
  for (const std::string& choice : axis.choices) all.emplace_back(choice);
  if (const auto* whole = std::get_if<std::int64_t>(&axis.default_value)) {
    for (const std::int64_t x : {*whole + 1, *whole - 1, 2 * *whole}) all.emplace_back(x);
  } else if (const auto* real = std::get_if<double>(&axis.default_value)) {
    for (const double x : {*real * 0.75, *real * 1.25, *real + 0.125}) all.emplace_back(x);
  }
  std::erase_if(
      all, [&](const Value& value) { return value == axis.default_value || !allows(axis, value); });
  return all;
}

/// The names of the parameters that differ.
std::vector<std::string> different(const Parameters& a, const Parameters& b) {
  std::vector<std::string> names;
  for (const auto& [name, value] : a) {
    const Value* other = b.find(name);
    if (other == nullptr || *other != value) names.push_back(name);
  }
  return names;
}

TEST(EveryModel, HasAProblemThatEveryParameterChanges) {
  for (const Model& model : Registry::global().models()) {
    if (!model.held) continue;  // a fake, without a problem
    Parameters defaults;
    for (const Axis& axis : model.axes) defaults.set(axis.name, axis.default_value);
    EXPECT_EQ(model.held(defaults), defaults) << model.name;
    for (const Axis& axis : model.axes) {
      EXPECT_EQ(others(axis).empty(), axis.in_every_key) << model.name << " " << axis.name;
      for (const Value& value : others(axis)) {
        Parameters given = defaults;
        given.set(axis.name, value);
        const Parameters held = model.held(given);
        EXPECT_EQ(*held.find(axis.name), value) << model.name << " " << axis.name;
        if (axis.choices.empty()) {  // a name may stand for more than itself
          EXPECT_EQ(different(held, defaults), std::vector{axis.name}) << model.name;
        }
        const nlohmann::json line = to_json(given);
        const Parameters read = parameters_type().read(JsonCursor(line));
        EXPECT_EQ(different(given, read), std::vector<std::string>{})
            << model.name << " " << axis.name;
      }
    }
  }
}

}  // namespace
}  // namespace macrobench
