// The errata that no rule finds: that each has a test, and those tests that need nothing but the
// printed numbers.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <regex>
#include <set>

#include "harness/model/growth_law.hpp"
#include "harness/model/registry.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/printed_number.hpp"
#include "paper_tables/cells/table.hpp"
#include "tests/matchers.hpp"
#include "tests/paper_tables/fixture.hpp"

namespace macrobench {
namespace {

/// What a paper prints.
class ErrataByReading : public ::testing::Test {
 protected:
  const RowDefinition& row(const std::string& table, const std::string& label,
                           const std::string& group = {}) {
    const RowDefinition* found = definitions_.get(table).find_row(label, group);
    if (found == nullptr) throw std::runtime_error("no row " + label);
    return *found;
  }

  /// The numbers of a row, in the order of its columns; those that are none are left out.
  std::vector<double> numbers(const std::string& table, const std::string& label,
                              const std::string& group = {}) {
    std::vector<double> all;
    for (const auto& cell : row(table, label, group).published) {
      if (const auto number = cell ? printed_number(*cell) : std::nullopt) all.push_back(*number);
    }
    return all;
  }

  /// What Hatcher and Scheffel assume.
  static std::string assumptions() {
    return content_of(definitions_folder() / "hatcher_scheffel_2014/ASSUMPTIONS.md");
  }

  /// A printed chance of Table B.1, by the numbers of its states.
  static double transition(int from, int to) {
    std::smatch its;
    const std::string page = assumptions();
    const std::regex line(fmt::format(R"(\| ([^|]*) \| `krusell_smith --p{}{}` )", from, to));
    if (!std::regex_search(page, its, line)) throw std::runtime_error("no such transition");
    return printed_number(its[1].str()).value();
  }

  std::vector<Point> points(const std::string& table, const std::string& label) {
    const std::vector<double> costs = numbers(table, label);
    std::vector<Point> all;
    for (std::size_t i = 0; i < costs.size(); ++i) {
      all.push_back({printed_number(definitions_.get(table).columns[i].label).value(), costs[i]});
    }
    return all;
  }

  /// The paper's groups of a number of threads.
  std::vector<std::string> groups_of_threads(const std::string& table) {
    std::vector<std::string> labels;
    for (const GroupDefinition& group : definitions_.get(table).groups) {
      const bool is_ours = group.rows.front().extra;
      if (!is_ours && group.label.find("thread") != std::string::npos) {
        labels.push_back(group.label);
      }
    }
    return labels;
  }

  Definitions definitions_{definitions_folder()};
};

/// Where the ratio of two least-squares lines through f(time) leads, by their slopes.
template <class F, class Inverse>
double limit_of_ratio(const std::vector<Point>& above, const std::vector<Point>& below, F f,
                      Inverse inverse) {
  const auto slope = [&](const std::vector<Point>& points) {
    const auto n = static_cast<double>(points.size());
    double x = 0;
    double y = 0;
    for (const Point& p : points) {
      x += p.size / n;
      y += f(p.cost) / n;
    }
    double xy = 0;
    double xx = 0;
    for (const Point& p : points) {
      xy += (p.size - x) * (f(p.cost) - y);
      xx += (p.size - x) * (p.size - x);
    }
    return xy / xx;
  };
  return inverse(slope(above) / slope(below));
}

TEST_F(ErrataByReading, EachNamesTestsThatThereAre) {
  std::set<std::string> tests;
  const std::regex definition(R"(TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\s*\))");
  for (const auto& file : std::filesystem::recursive_directory_iterator(source_dir() / "tests")) {
    if (!file.path().string().ends_with("_test.cpp")) continue;
    const std::string text = content_of(file.path());
    for (std::sregex_iterator match(text.begin(), text.end(), definition), end; match != end;
         ++match) {
      tests.insert((*match)[1].str() + "." + (*match)[2].str());
    }
  }
  EXPECT_TRUE(tests.contains("ErrataByReading.EachNamesTestsThatThereAre"));
  const nlohmann::json readings =
      nlohmann::json::parse(content_of(definitions_folder() / "errata_by_reading.json"));
  EXPECT_THAT(readings["errata"], Not(IsEmpty()));
  for (const nlohmann::json& reading : readings["errata"]) {
    for (const std::string test : reading["tests"]) {
      EXPECT_TRUE(tests.contains(test)) << reading["where"] << ": " << test;
    }
  }
}

TEST_F(ErrataByReading, TheCpusTimeGrowsAsTheSquareOfTheGrid) {
  const std::vector<double> seconds = numbers("aldrich_2010/table_3", "CPU");
  ASSERT_THAT(seconds, SizeIs(13));
  for (std::size_t i = seconds.size() - 4; i < seconds.size(); ++i) {
    EXPECT_NEAR(seconds[i] / seconds[i - 1], 4, 0.4);
  }
  // What grows exponentially would have its square at each doubling.
  EXPECT_LT(seconds[12], 1e-2 * seconds[11] * seconds[11]);
  EXPECT_EQ(fit_growth_law(points("aldrich_2010/table_3", "CPU"))->name, "(a + bN)^2");
}

TEST_F(ErrataByReading, TheGpusTimeDoublesWithTheGrid) {
  const std::vector<Point> printed = points("aldrich_2010/table_3", "GPU Solution");
  for (std::size_t i = printed.size() - 4; i < printed.size(); ++i) {
    EXPECT_NEAR(printed[i].cost / printed[i - 1].cost, 2.07, 0.05);
  }
  const std::optional<GrowthLaw> law = fit_growth_law(printed);
  ASSERT_TRUE(law);
  EXPECT_NE(law->name, "(a + bN)^2");
  EXPECT_NEAR(law->at(131072), 2 * printed.back().cost, 0.08 * 2 * printed.back().cost);
  EXPECT_GT(numbers("aldrich_2010/table_4", "GPU Solution").front(), 1.8 * law->at(131072));
}

TEST_F(ErrataByReading, CaseTwoStabilizesWhereSquareRootsLead) {
  const std::vector<Point> gpu = points("aldrich_2010/table_5", "GPU Solution");
  const std::vector<Point> cpu = points("aldrich_2010/table_5", "CPU");
  const auto root = [](double x) { return std::sqrt(x); };
  const auto square = [](double x) { return x * x; };
  EXPECT_NEAR(limit_of_ratio(gpu, cpu, root, square), 0.343, 5e-4);
  EXPECT_GT(limit_of_ratio(gpu, cpu, square, root), 0.3445) << "as printed";
}

/// A time of a + b N + c N log N that fits best, each point weighed by its relative error.
std::array<double, 3> fit_linear_and_search(const std::vector<Point>& points) {
  double A[3][4] = {};
  for (const Point& point : points) {
    const double x[] = {1, point.size, point.size * std::log2(point.size)};
    const double weight = 1 / (point.cost * point.cost);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) A[i][j] += weight * x[i] * x[j];
      A[i][3] += weight * x[i] * point.cost;
    }
  }
  for (int i = 0; i < 3; ++i) {
    for (int row = 0; row < 3; ++row) {
      if (row == i) continue;
      const double factor = A[row][i] / A[i][i];
      for (int j = 0; j < 4; ++j) A[row][j] -= factor * A[i][j];
    }
  }
  return {A[0][3] / A[0][0], A[1][3] / A[1][1], A[2][3] / A[2][2]};
}

/// Each point of capital is a copy to the GPU, and each of its nz = 4 first values two reads of
/// productivity and a copy. A search probes N log N points.
TEST_F(ErrataByReading, ThrustsSolutionIsHalfItsSetUp) {
  constexpr double copies = 1 + 4 * 3;
  const std::vector<Point> thrust =
      points("aldrich_vfi_page/binary_search", "Thrust/CUDA Solution");
  const Point& last = thrust.back();
  EXPECT_NEAR(last.cost / (copies * last.size), 20e-6, 0.5e-6) << "if it were nothing else";
  const auto [start, each_point, search] = fit_linear_and_search(thrust);
  const double set_up = each_point * last.size;
  EXPECT_NEAR(each_point / copies, 10e-6, 0.5e-6) << "seconds of a copy";
  EXPECT_NEAR(set_up / last.cost, 0.5, 0.05);
  for (const Point& point : thrust) {
    const double fitted =
        start + each_point * point.size + search * point.size * std::log2(point.size);
    EXPECT_NEAR(fitted / point.cost, 1, 0.12) << point.size;
  }
  // CUDA C searches alike and copies whole arrays.
  const auto [its_start, its_points, its_search] =
      fit_linear_and_search(points("aldrich_vfi_page/binary_search", "CUDA C Solution"));
  EXPECT_LT(its_points / copies, 2.5e-6);
  EXPECT_GT(its_search * last.size * std::log2(last.size), 0.9 * 29.27);
}

TEST_F(ErrataByReading, EightCardsHaveTheProcessorsThatOneIsSaidToHave) {
  const double of_one_card = printed_number("240").value();
  EXPECT_EQ(printed_number("1920"), 8 * of_one_card);
}

TEST_F(ErrataByReading, SomeRoughNumbersAreCutOff) {
  const auto million_nodes = [](int T) { return (std::pow(2, T + 1) - 1) / 1e6; };
  EXPECT_EQ(std::floor(million_nodes(24)), 33);
  EXPECT_EQ(std::round(million_nodes(24)), 34);
  EXPECT_EQ(10 * std::floor(million_nodes(28) / 10), 530);
  EXPECT_EQ(10 * std::round(million_nodes(28) / 10), 540);
  EXPECT_EQ(std::floor(2120.79 / 339.03 * 100), 625);
  EXPECT_EQ(std::round(2120.79 / 339.03 * 100), 626);
}

/// Intel numbers its Core processors by generation: 2000 Sandy Bridge, 3000 Ivy Bridge.
TEST_F(ErrataByReading, AnI73770IsAnIvyBridge) {
  std::smatch its;
  const std::string page = assumptions();
  ASSERT_TRUE(std::regex_search(page, its, std::regex(R"(INTEL I7-(\d)\d+ \| ([^|]*) \|)")));
  EXPECT_EQ(its[1], "3");
  EXPECT_EQ(its[2], "Sandy Bridge");
}

TEST_F(ErrataByReading, TheDeviationOfCapitalIsInTable3) {
  const auto has_row = [&](const std::string& table, const std::string& beginning) {
    for (const GroupDefinition& group : definitions_.get(table).groups) {
      for (const RowDefinition& its : group.rows) {
        if (its.label.starts_with(beginning) && !its.extra) return true;
      }
    }
    return false;
  };
  EXPECT_TRUE(has_row("hatcher_scheffel_2014/table_3", "K Error"));
  EXPECT_FALSE(has_row("hatcher_scheffel_2014/table_2", "K Error"));
}

TEST_F(ErrataByReading, TheBlockSizeIsTheNumberOfBlocks) {
  const RowDefinition& gpu = row("oswald_tutorial/timings", "GPU, age 2 alone");
  const Model& model = Registry::global().model("lifecycle");
  const Parameters launched = complete(model.axes, gpu.parameters, 1);
  const std::int64_t states = 1500 * 15;
  EXPECT_EQ(launched.integer("blocks"), 256);
  EXPECT_EQ((states + 255) / 256, 88) << "threads of a block, in the tutorial's profile";
}

TEST_F(ErrataByReading, TheMemoryColumnsAreOfAThousandPeriods) {
  for (const char* table : {"hatcher_scheffel_2014/table_2", "hatcher_scheffel_2014/table_3"}) {
    for (const auto& [label, N] : std::vector<std::pair<std::string, double>>{
             {"10,000 agents", 1e4}, {"500,000 agents", 5e5}, {"10,000,000 agents", 1e7}}) {
      const std::string printed = row(table, label, "Memory (GiB)").published[0].value();
      const std::size_t decimals = printed.size() - printed.find('.') - 1;
      const auto follows = [&](double T) {
        return fmt::format("{:.{}f}", N * T / 8 / std::pow(2, 30), decimals) == printed;
      };
      EXPECT_TRUE(follows(1000)) << label;
      EXPECT_FALSE(follows(1100)) << label << ": of Maliar, Maliar and Valli's length";
    }
  }
}

TEST_F(ErrataByReading, TheTotalsAreProductsToTheDigit) {
  const std::string table = "hatcher_scheffel_2014/table_2";
  int cells = 0;
  int equal = 0;
  for (const std::string& group : groups_of_threads(table)) {
    const std::vector<double> panel = numbers(table, "Panel Time", group);
    const std::vector<double> policy = numbers(table, "Polf. Time", group);
    const std::vector<double> iterations = numbers(table, "Iterations", group);
    const std::vector<double> total = numbers(table, "Total Time", group);
    for (std::size_t i = 0; i < total.size(); ++i) {
      ++cells;
      const double product = iterations[i] * (panel[i] + policy[i]);
      equal += std::abs(total[i] - product) <= 0.0501 ? 1 : 0;
    }
  }
  EXPECT_EQ(cells, 27);
  EXPECT_EQ(equal, 25) << "but for a misprint and 530.8, which is 531.0 of the printed parts";
}

TEST_F(ErrataByReading, ThePolicysTimeIsTheSameAtAnyNumberOfThreads) {
  const std::string table = "hatcher_scheffel_2014/table_2";
  for (const std::string agents : {"10,000", "500,000", "10,000,000"}) {
    const auto published = [&](const char* threads) {
      return row(table, "Polf. Time", agents + " agents, " + threads).published;
    };
    EXPECT_EQ(published("1 thread"), published("2 threads"));
    EXPECT_EQ(published("1 thread"), published("4 threads"));
    EXPECT_NE(numbers(table, "Panel Time", agents + " agents, 1 thread"),
              numbers(table, "Panel Time", agents + " agents, 4 threads"));
  }
}

TEST_F(ErrataByReading, ThePolicysTimeIsNoExponentialOfTheGrid) {
  const std::string table = "hatcher_scheffel_2014/table_2";
  for (const std::string& group : groups_of_threads(table)) {
    const std::vector<double> seconds = numbers(table, "Polf. Time", group);
    ASSERT_THAT(seconds, SizeIs(3));
    const double from_400 = std::log(seconds[1] / seconds[0]);
    const double from_12500 = std::log(seconds[2] / seconds[1]);
    EXPECT_GT(from_400 / (12500 - 400), 3 * from_12500 / 12500) << "a rate that falls";
    EXPECT_NEAR(from_400 / std::log(12500. / 400), 1.15, 0.02);
    EXPECT_NEAR(from_12500 / std::log(2), 1.72, 0.03);
  }
}

TEST_F(ErrataByReading, TheTransitionsLeaveUnemploymentAtTenAndFourPercent) {
  const auto stationary = [](double lost, double found) { return lost / (lost + found); };
  const double bad = stationary(transition(2, 1), transition(1, 2));
  const double good = stationary(transition(4, 3), transition(3, 4));
  EXPECT_NEAR(bad, 0.10, 1e-4);
  EXPECT_NEAR(good, 0.04, 1e-4);
  constexpr double Delta_a = 0.01;
  EXPECT_GT(good / bad, 0.39);
  EXPECT_GT((1 + Delta_a) / (1 - Delta_a), 1) << "as printed the good state has more unemployed";
}

TEST_F(ErrataByReading, OneTransitionHasItsDigitsMixedUp) {
  EXPECT_NEAR(transition(4, 1) + transition(4, 2), 1. / 8, 1e-6) << "good times end as they should";
  EXPECT_NEAR(transition(4, 3), 7. / 8 / 36, 1e-6);
  EXPECT_NEAR(7. / 8 * 35 / 36, 0.850694, 5e-7);
  EXPECT_NEAR(transition(4, 4) - 7. / 8 * 35 / 36, 0.00891, 1e-5) << "and this one is too likely";
}

TEST_F(ErrataByReading, TheFirstProfileIsOfAnotherProgram) {
  const std::string table = "oswald_tutorial/timings";
  std::vector<double> second;
  for (const RowDefinition& its :
       std::ranges::find(definitions_.get(table).groups, "The profiles, line by line",
                         &GroupDefinition::label)
           ->rows) {
    if (!its.label.starts_with("Profile: age ")) continue;
    EXPECT_FALSE(its.published[1]) << "the first profile has no launch an age";
    second.push_back(printed_number(its.published[2].value()).value());
  }
  ASSERT_THAT(second, SizeIs(10));
  double sum = 0;
  for (const double seconds : second) sum += seconds;
  EXPECT_NEAR(sum, numbers(table, "Julia on the GPU (here CUDA C)").back(), 0.03 * sum);
  const double nine = 9 * numbers(table, "GPU, age 2 alone").front();
  EXPECT_GT(numbers(table, "Profile: all ages in one launch").front(), 1.3 * nine);
}

}  // namespace
}  // namespace macrobench
