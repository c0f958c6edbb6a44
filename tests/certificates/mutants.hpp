#pragma once

// Solutions that are right are spoilt on purpose, and their model's certificate must refuse each
// that is wrong. How wrong it is, other code says: no certificate's, and no implementation's.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "harness/model/outcome.hpp"

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
