#pragma once

// Solutions that are right are spoilt on purpose, and their model's certificate must refuse each
// that is wrong. How wrong it is, other code says: no certificate's, and no implementation's.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "harness/model/outcome.hpp"
#include "tests/matchers.hpp"

namespace macrobench {

/// The largest of the errors seen. NaN counts as larger than any number.
class LargestError {
 public:
  void see(double error) {
    if (!std::isnan(largest_) && !(error <= largest_)) largest_ = error;
  }
  [[nodiscard]] double value() const { return largest_; }

 private:
  double largest_ = 0;
};

/// A mutant that is wrong whatever its numbers are worth: a count that cannot be, a number that is
/// none, or one beyond what the certificate itself allows. The certificate names the place.
template <class Solution>
struct Refused {
  std::string name;
  std::function<void(Solution&)> spoil;
  std::string place;
};

/// Both ends of an array, and a place within.
inline std::array<std::size_t, 3> places_of(std::size_t size) {
  return {0, size / 2, size - 1};
}

/// What a place may hold that was never written, or where arithmetic failed.
template <class Real = double>
constexpr std::array<Real, 3> no_numbers = {std::numeric_limits<Real>::quiet_NaN(),
                                            std::numeric_limits<Real>::infinity(),
                                            -std::numeric_limits<Real>::infinity()};

/// An array that is too short, or empty, or has no number somewhere; place_of(i) is how the
/// certificate names its place i.
template <class Solution, class Element, class PlaceOf>
void add_spoiled(std::vector<Refused<Solution>>& to, const std::string& name,
                 std::vector<Element> Solution::* array, std::size_t size,
                 const PlaceOf& place_of) {
  for (const std::size_t left : {size - 1, std::size_t{0}}) {
    to.push_back({fmt::format("{} of {} numbers", name, left),
                  [=](Solution& s) { (s.*array).resize(left); }, name + " has"});
  }
  if constexpr (std::is_floating_point_v<Element>) {
    for (const std::size_t at : places_of(size)) {
      for (const Element none : no_numbers<Element>) {
        to.push_back({fmt::format("{}[{}] is {}", name, at, none),
                      [=](Solution& s) { (s.*array)[at] = none; }, place_of(at)});
      }
    }
  }
}

/// What a certificate said to the mutants of one model.
class Mutants {
 public:
  explicit Mutants(std::string model) : model_(std::move(model)) {}

  /// How wrong a mutant is, and what is said to it. It is wrong if it is off by more than `most`,
  /// in whatever unit the model's errors have none; harmless if by no more than rounding, `least`.
  /// NaN is wrong.
  void see(const std::string& name, double wrong_by, double least, double most,
           const Outcome& said) {
    ++tried_;
    if (!(wrong_by <= most)) {
      ++wrong_;
      EXPECT_FALSE(said.valid) << name << " is off by " << wrong_by;
    } else if (wrong_by <= least) {
      ++harmless_;
      EXPECT_TRUE(said.valid) << name << " is off by " << wrong_by << ": " << said.why;
    } else {
      ++between_;
    }
    if (!said.valid) {
      EXPECT_FALSE(said.why.empty()) << name;
    }
  }

  /// Each of these must be refused, and the place named.
  template <class Solution, class Judge>
  void see_refused(const std::string& of, const Solution& right,
                   const std::vector<Refused<Solution>>& all, const Judge& judge) {
    const Outcome honest = judge(right);
    EXPECT_TRUE(honest.valid) << of << ": " << honest.why;
    for (const auto& [name, spoil, place] : all) {
      Solution mutant = right;
      spoil(mutant);
      const Outcome said = judge(mutant);
      see(of + ": " + name, std::numeric_limits<double>::infinity(), 0, 0, said);
      EXPECT_THAT(said.why, HasSubstr(place)) << of << ": " << name;
    }
  }

  /// The model's row of the table in docs/evidence.md.
  [[nodiscard]] std::string row() const {
    return fmt::format("| {} | {} | {} | {} | {} |", model_, tried_, wrong_, harmless_, between_);
  }

 private:
  std::string model_;
  int tried_ = 0;
  int wrong_ = 0;
  int harmless_ = 0;
  int between_ = 0;
};

/// That docs/evidence.md has the row. The test's message is the right one.
void expect_in_evidence(const std::string& row);

}  // namespace macrobench
