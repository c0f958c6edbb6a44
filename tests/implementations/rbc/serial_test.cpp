// The published sequential programs: their search, and what Eigen's checks are.

// First, because it decides how Eigen is compiled.
#include "implementations/rbc/published/eigen_with_checks.hpp"
//
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "implementations/rbc/published/serial.hpp"
#include "tests/implementations/every_implementation.hpp"

namespace macrobench::rbc {
namespace {

int best_of_values(const std::vector<double>& values) {
  return serial_solver::bisection([&](int m) { return values[static_cast<std::size_t>(m)]; },
                                  static_cast<int>(values.size()) - 1)
      .choice;
}

TEST(SerialSearch, EndsWithOneLookMoreThanItsComparisonsTook) {
  for (const auto& [n, halvings] : {std::pair{4, 1}, {5, 1}, {9, 2}, {1025, 9}}) {
    int looks = 0;
    const auto w = [&looks](int m) {
      ++looks;
      return static_cast<double>(m);
    };
    EXPECT_EQ(serial_solver::bisection(w, n - 1).choice, n - 1);
    EXPECT_EQ(looks, 2 * halvings + 1) << n;
  }
}

TEST(SerialSearch, GivesTiesOfTheLastThreeToTheHigherPoint) {
  EXPECT_EQ(best_of_values({0, 0, 1, 1}), 3);
  EXPECT_EQ(best_of_values({1, 1, 0, 0}), 1);
  EXPECT_EQ(best_of_values({0, 1, 1, 0}), 1) << "a tie of the halving goes low";
  EXPECT_EQ(best_of_values({1, 1, 1}), 0) << "and so does one of three points";
}

TEST(SerialSearch, FindsEveryMaximum) {
  for (int n = 1; n <= 40; ++n) {
    for (int top = 0; top < n; ++top) {
      std::vector<double> values;
      for (int m = 0; m < n; ++m) values.push_back(-std::abs(m - top));
      EXPECT_EQ(best_of_values(values), top) << n;
    }
  }
}

TEST(SerialChecked, ChecksEveryIndex) {
  const serial_solver::Vector<double> three = serial_solver::Vector<double>::Zero(3);
  EXPECT_DEATH(static_cast<void>(three(three.size())), "index");
}

TEST(SerialChecked, AndSerial2012GiveTheBitsOfSerial) {
  const Registry& all = Registry::global();
  const Implementation& serial = all.implementation("rbc/serial");
  for (const char* maximizer : {"bisection", "grid_howard"}) {
    for (const char* monotone : {"off", "on"}) {
      const Parameters asked{
          {"nk", std::int64_t{100}}, {"maximizer", maximizer}, {"monotone", monotone}};
      std::string expected;
      std::string found;
      solve(make(serial, asked), &expected);
      solve(make(all.implementation("rbc/serial_checked"), asked), &found);
      EXPECT_EQ(found, expected) << maximizer << ' ' << monotone;
      if (std::string(monotone) == "off") continue;
      solve(make(all.implementation("rbc/serial_2012"), asked), &found);
      EXPECT_EQ(found, expected) << maximizer;
    }
  }
}

}  // namespace
}  // namespace macrobench::rbc
