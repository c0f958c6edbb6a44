// One cell over another: quotients, refusals and marks.

#include "harness/numbers/ratio.hpp"

#include <cmath>
#include <functional>
#include <optional>
#include <random>
#include <vector>

#include "tests/matchers.hpp"

namespace macrobench {
namespace {

/// A time of a solution, as one record gives it.
Cell timed(double seconds, const std::string& implementation = "serial") {
  Cell cell{.value = seconds, .kind = Kind::measured, .status = Status::measured, .unit = "s"};
  cell.interval = ConfidenceInterval{seconds * 0.9, seconds * 1.1};
  cell.variance = 0.0025;
  cell.degrees = 4;
  cell.samples = cell.processes = 1;
  cell.scope = Scope::solution;
  cell.error = .001;
  cell.problem = {.model = "rbc",
                  .implementation = implementation,
                  .parameters = {{"nk", 1024},
                                 {"nz", 4},
                                 {"real", "double"},
                                 {"maximizer", "bisection"},
                                 {"tolerance", 1e-10},
                                 {"threads", 1}}};
  Provenance origin;
  origin.machine = "amd_epyc_2_cores";
  origin.compiler = "GNU 12.2.0";
  origin.source = "a";
  origin.host = "m";
  origin.sitting = "m 1";
  cell.from = {origin};
  return cell;
}

Cell with_origin(Cell cell, const std::function<void(Provenance&)>& change) {
  Provenance origin = *cell.from.begin();
  change(origin);
  cell.from = {origin};
  return cell;
}

TEST(OneOverAnother, IsTheQuotientOfTheTwoValues) {
  const Ratio ratio(timed(6), timed(3), {});
  ASSERT_FALSE(ratio.is_refused());
  EXPECT_EQ(*ratio.cell().value, 2);
  EXPECT_EQ(ratio.cell().kind, Kind::computed);
  EXPECT_TRUE(ratio.cell().marks.empty());
  EXPECT_LT(ratio.cell().interval->low, 2 * 0.9);
  EXPECT_GT(ratio.cell().interval->high, 2 * 1.1);
}

TEST(OneOverAnother, HasAMarkIfTheErrorsAreFarApart) {
  const auto marks_of = [](std::optional<double> one, std::optional<double> other) {
    Cell here = timed(6);
    Cell there = timed(3);
    here.error = one;
    there.error = other;
    return Ratio(here, there, of_programs()).cell().marks;
  };
  EXPECT_TRUE(marks_of(.002, .005).empty());
  EXPECT_TRUE(marks_of(.002, std::nullopt).empty()) << "of one nothing is known";
  EXPECT_TRUE(marks_of(.002, .006).empty()) << "three times";
  EXPECT_TRUE(marks_of(0, 0).empty());
  EXPECT_TRUE(marks_of(0, 1e-15).empty()) << "both are exact";
  EXPECT_EQ(marks_of(.002, .0071), (Marks{{Sign::unlike, "errors of 0.20% and 0.71%"}}));
  EXPECT_EQ(marks_of(.0071, .002), (Marks{{Sign::unlike, "errors of 0.71% and 0.20%"}}));
}

TEST(OneOverAnother, IsOneWhenTurnedAroundAndKnowsNoUnit) {
  std::mt19937_64 engine(7);
  std::lognormal_distribution<double> any(0, 3);
  for (int i = 0; i < 500; ++i) {
    Cell one = timed(any(engine));
    Cell other = timed(any(engine));
    one.variance = any(engine) / 1000;
    other.variance = any(engine) / 1000;
    const Cell there = Ratio(one, other, {}).cell();
    const Cell back = Ratio(other, one, {}).cell();
    EXPECT_NEAR(*there.value * *back.value, 1, 1e-12);
    EXPECT_NEAR(there.interval->low * back.interval->high, 1, 1e-9);
    one.value = *one.value * 1000;
    other.value = *other.value * 1000;
    const Cell in_ms = Ratio(one, other, {}).cell();
    EXPECT_NEAR(*in_ms.value / *there.value, 1, 1e-12);
    EXPECT_NEAR(in_ms.interval->high / there.interval->high, 1, 1e-9);
  }
}

struct Changed {
  Aspect aspect;
  bool is_refused;
  std::function<Cell(Cell)> change;
};

Cell with(Cell cell, const char* axis, Value value) {
  cell.problem.parameters.set(axis, std::move(value));
  return cell;
}

const std::vector<Changed>& changes() {
  static const std::vector<Changed> all{
      {Aspect::model, true,
       [](Cell cell) {
         cell.problem.model = "newton";
         return cell;
       }},
      {Aspect::problem, true, [](Cell cell) { return with(std::move(cell), "nz", 8); }},
      {Aspect::size, true, [](Cell cell) { return with(std::move(cell), "nk", 2048); }},
      {Aspect::scope, true,
       [](Cell cell) {
         cell.scope = Scope::total;
         return cell;
       }},
      {Aspect::stage, true,
       [](Cell cell) {
         cell.stage = "policy";
         return cell;
       }},
      {Aspect::implementation, false,
       [](Cell cell) {
         cell.problem.implementation = "frontier";
         return cell;
       }},
      {Aspect::method, false,
       [](Cell cell) { return with(std::move(cell), "maximizer", "grid_howard"); }},
      {Aspect::precision, false, [](Cell cell) { return with(std::move(cell), "real", "single"); }},
      {Aspect::tolerance, true, [](Cell cell) { return with(std::move(cell), "tolerance", 1e-6); }},
      {Aspect::tolerance, true,
       [](Cell cell) {
         cell.is_relaxed = true;
         return cell;
       }},
      {Aspect::error, false,
       [](Cell cell) {
         cell.error = .01;
         return cell;
       }},
      {Aspect::resources, false, [](Cell cell) { return with(std::move(cell), "threads", 2); }},
      {Aspect::machine, false,
       [](const Cell& cell) {
         return with_origin(cell, [](Provenance& its) { its.machine = "another"; });
       }},
      {Aspect::compiler, false,
       [](const Cell& cell) {
         return with_origin(cell, [](Provenance& its) { its.compiler = "GNU 13.3.0"; });
       }},
      {Aspect::host, false,
       [](const Cell& cell) { return with_origin(cell, [](Provenance& its) { its.host = "n"; }); }},
      {Aspect::sitting, false,
       [](const Cell& cell) {
         return with_origin(cell, [](Provenance& its) { its.sitting = "m 2"; });
       }},
      {Aspect::source, false, [](const Cell& cell) {
         return with_origin(cell, [](Provenance& its) { its.source = "b"; });
       }}};
  return all;
}

TEST(OneOverAnother, IsRefusedOrMarkedForWhateverItIsNotAbout) {
  const Cell one = timed(6);
  for (const Changed& changed : changes()) {
    const Cell other = changed.change(timed(3));
    const Ratio ratio(one, other, {});
    const auto which = static_cast<int>(changed.aspect);
    EXPECT_EQ(ratio.is_refused(), changed.is_refused) << which;
    if (changed.is_refused) {
      EXPECT_EQ(ratio.cell().why.kind, Reason::Kind::not_divided) << which;
    } else {
      EXPECT_EQ(ratio.cell().marks.size(), 1U) << which;
    }
    const Ratio meant(one, other, {changed.aspect});
    EXPECT_FALSE(meant.is_refused()) << which;
    EXPECT_TRUE(meant.cell().marks.empty()) << which;
  }
}

TEST(OneOverAnother, HasTheMarksOfBoth) {
  Cell one = timed(6);
  one.marks = {{Sign::one_sample, "one sample"}};
  one.kind = Kind::extrapolated;
  Cell other = timed(3);
  other.marks = {{Sign::own, "noisy"}};
  const Cell ratio = Ratio(one, other, {}).cell();
  EXPECT_EQ(ratio.kind, Kind::extrapolated);
  EXPECT_EQ(ratio.marks, (Marks{{Sign::one_sample, "one sample"}, {Sign::own, "noisy"}}));
}

TEST(OneOverAnother, HasASignForEachKindOfDifference) {
  const auto sign_of = [](const Cell& other) {
    return Ratio(timed(6), other, {}).cell().marks.begin()->sign;
  };
  EXPECT_EQ(sign_of(with(timed(3), "real", "single")), Sign::language);
  EXPECT_EQ(sign_of(with_origin(timed(3), [](Provenance& its) { its.host = "n"; })), Sign::unlike);
}

TEST(OneOverAnother, HasTwoTolerancesInTwoPrecisions) {
  const Cell single = with(with(timed(3), "real", "single"), "tolerance", 1e-5);
  EXPECT_FALSE(Ratio(timed(6), single, {}).is_refused()) << "each precision has its own";
  Cell relaxed = timed(6);
  relaxed.is_relaxed = true;
  Cell likewise = timed(3);
  likewise.is_relaxed = true;
  EXPECT_FALSE(Ratio(relaxed, likewise, {}).is_refused());
}

TEST(OneOverAnother, HasTheDigitsThatAreKnown) {
  Cell cell = constant(0.0295123);
  EXPECT_EQ(text_of(cell), "0.0295");
  cell.interval = ConfidenceInterval{0.0285, 0.0305};
  EXPECT_EQ(text_of(cell), "0.0295") << "to 7%";
  cell.interval = ConfidenceInterval{0.025, 0.035};
  EXPECT_EQ(text_of(cell), "0.030");
  cell = constant(899);
  cell.interval = ConfidenceInterval{628, 1288};
  EXPECT_EQ(text_of(cell), "900");
}

TEST(OneOverAnother, NeedsTwoNumbersThatAreBelievedInOneUnit) {
  Cell noisy = timed(3);
  noisy.status = Status::noisy;
  EXPECT_TRUE(Ratio(timed(6), noisy, {}).is_refused());
  EXPECT_EQ(Ratio(timed(6), noisy, {}).cell().status, Status::noisy);
  Cell invalid{.status = Status::invalid, .why = "not converged"};
  EXPECT_EQ(Ratio(invalid, timed(3), {}).cell().why, Reason("not converged"));
  Cell joules = timed(3);
  joules.unit = "J";
  EXPECT_THAT(to_string(Ratio(timed(6), joules, {}).cell().why), HasSubstr("s over J"));
  EXPECT_EQ(Ratio(timed(6), timed(0), {}).cell().status, Status::failed);
  const Cell each = Ratio(timed(6), constant(3), {}).cell();
  EXPECT_EQ(each.unit, "s") << "over a count";
  EXPECT_EQ(*each.value, 2);
}

TEST(MeanOfRatios, IsOfOnePartOfARun) {
  const Ratio two(timed(6), timed(3), {});
  const Ratio eight(timed(8), timed(1), {});
  const MeanOfRatios mean = geometric_mean(std::vector{two, eight, Ratio()});
  EXPECT_NEAR(*mean.cell.value, 4, 1e-12);
  EXPECT_EQ(mean.ratios, 2);
  EXPECT_EQ(mean.refused, 1);
  EXPECT_EQ(mean.lowest, 2);
  EXPECT_EQ(mean.highest, 8);
  Cell above = timed(6);
  Cell below = timed(3);
  above.scope = below.scope = Scope::total;
  const MeanOfRatios mixed = geometric_mean(std::vector{two, Ratio(above, below, {})});
  EXPECT_FALSE(mixed.cell.value);
  EXPECT_EQ(mixed.cell.why.kind, Reason::Kind::not_divided);
  EXPECT_FALSE(geometric_mean({}).cell.value);
}

TEST(MeanOfRatios, OfOneIsIt) {
  Cell printed{.value = 3, .kind = Kind::printed, .status = Status::measured, .unit = "s"};
  printed.interval = ConfidenceInterval{2.5, 3.5};
  printed.scope = Scope::solution;
  for (const Cell& baseline : {timed(3), printed}) {
    const Ratio ratio(timed(6), baseline, {});
    const MeanOfRatios mean = geometric_mean({&ratio, 1});
    EXPECT_EQ(mean.cell.interval->low, ratio.cell().interval->low);
    EXPECT_EQ(mean.cell.interval->high, ratio.cell().interval->high);
  }
}

/// How often the interval of a mean over this number of ratios has the true one, if all times of a
/// side come from one campaign.
double coverage(int ratios, std::mt19937& random) {
  std::normal_distribution<double> normal;
  constexpr double between = 0.05;
  constexpr double within = 0.03;
  const auto time_of = [&](double campaign) {
    Cell cell = timed(std::exp(campaign + within * normal(random)));
    cell.variance = between * between + within * within;
    cell.shared = between * between;
    cell.degrees = 1000;
    return cell;
  };
  constexpr int trials = 4000;
  int inside = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const double above = between * normal(random);
    const double below = between * normal(random);
    std::vector<Ratio> all;
    for (int i = 0; i < ratios; ++i) all.emplace_back(time_of(above), time_of(below), Aspects{});
    const ConfidenceInterval where = *geometric_mean(all).cell.interval;
    inside += where.low <= 1 && 1 <= where.high ? 1 : 0;
  }
  return static_cast<double>(inside) / trials;
}

TEST(MeanOfRatios, CoversTheTrueOneHoweverManyThereAre) {
  std::mt19937 random(1);
  for (const int ratios : {1, 2, 5, 40}) {
    EXPECT_NEAR(coverage(ratios, random), 0.95, 0.02) << ratios;
  }
}

TEST(MeanOfRatios, OfPrintedOnesIsWithinTheirRounding) {
  Cell rounded{.value = 10, .kind = Kind::printed, .status = Status::measured, .unit = "s"};
  rounded.interval = ConfidenceInterval{9, 11};
  const std::vector<Ratio> two{Ratio(rounded, constant(1, "s"), {}),
                               Ratio(rounded, constant(2, "s"), {})};
  const Cell mean = geometric_mean(two).cell;
  EXPECT_NEAR(mean.interval->low / *mean.value, 0.9, 1e-12);
  EXPECT_NEAR(mean.interval->high / *mean.value, 1.1, 1e-12);
}

}  // namespace
}  // namespace macrobench
