#pragma once

// Solutions that are right are spoilt at random, and a certificate must say so each time.

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "harness/model/outcome.hpp"
#include "tests/matchers.hpp"

namespace macrobench {

/// Random numbers of one trial: the same on every machine.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : bits_(seed) {}

  /// One of 0 .. count - 1.
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(bits_() % count); }
  double sign() { return below(2) == 0 ? -1 : 1; }
  template <class T>
  T one_of(std::initializer_list<T> values) {
    return *(values.begin() + below(values.size()));
  }

 private:
  std::mt19937_64 bits_;
};

template <class Solution>
struct Mutation {
  std::string name;
  /// Spoils the solution. Returns what `why` must contain: the place; nothing where this draw
  /// happens to be no fault, such as a tie.
  std::function<std::optional<std::string>(Solution&, Dice&)> spoil;
};

/// Each mutation, `trials` times: judge(solution) must call it invalid, and name the place. At
/// least a quarter of a mutation's draws must be faults.
template <class Solution, class Judge>
void expect_all_told(const Solution& right, const std::vector<Mutation<Solution>>& mutations,
                     int trials, const Judge& judge) {
  const Outcome accepted = judge(right);
  ASSERT_TRUE(accepted.valid) << accepted.why;
  for (const Mutation<Solution>& mutation : mutations) {
    int faults = 0;
    for (int trial = 0; trial < trials; ++trial) {
      Dice dice(static_cast<std::uint64_t>(trial) + 1);
      Solution spoilt = right;
      const std::optional<std::string> place = mutation.spoil(spoilt, dice);
      if (!place) continue;
      ++faults;
      const Outcome outcome = judge(spoilt);
      EXPECT_FALSE(outcome.valid) << mutation.name << ", trial " << trial << ": " << *place;
      EXPECT_THAT(outcome.why, HasSubstr(*place)) << mutation.name << ", trial " << trial;
    }
    EXPECT_GE(4 * faults, trials) << mutation.name;
  }
}

/// What a place may hold that was never written, or where arithmetic failed.
template <class Real = double>
Real no_number(Dice& dice) {
  constexpr Real infinity = std::numeric_limits<Real>::infinity();
  return dice.one_of({std::numeric_limits<Real>::quiet_NaN(), infinity, -infinity});
}

}  // namespace macrobench
