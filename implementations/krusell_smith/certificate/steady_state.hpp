#pragma once

// The population's steady state: wealth may move with the aggregate state, but may not wander off.

#include <array>
#include <string>
#include <vector>

#include "implementations/krusell_smith/certificate/population.hpp"

namespace macrobench::krusell_smith::certificate {

class SteadyState {
 public:
  explicit SteadyState(const Problem& problem) : problem_(problem) {}

  /// The next period's population.
  void see(const Population& population);

  /// A moment of wealth over the two halves of the periods.
  struct Drift {
    const char* moment = "";
    double first = 0, second = 0;  ///< its means, units of capital
    double chance = 0;             ///< the standard error of their difference, from its batches
    double share = 0;              ///< of their difference, of the first; at least of a thousandth
                                   ///< of the mean, so that a median of 0 has one
    double allowed = 0;            ///< largest_drift, and what chance may do
  };

  /// True if there are periods enough.
  [[nodiscard]] bool is_judged() const { return at_top_.size() >= fewest_periods; }

  /// The moment whose drift is furthest beyond what is allowed. NaN counts as further than any
  /// number.
  [[nodiscard]] Drift largest() const;
  /// Of the households, in the second half: of those who are within a cell of k_max.
  [[nodiscard]] double share_at_top() const;

  /// Returns why this is not a steady state, in words: a moment of wealth moves by more than
  /// largest_drift and chance, or households gather at k_max. Empty if it is one, or if the periods
  /// are too few.
  [[nodiscard]] std::string why_none() const;

  static constexpr double largest_drift = 0.02;
  static constexpr double most_at_top = 1e-3;
  static constexpr std::size_t fewest_periods = 2'000;

 private:
  static constexpr std::array<const char*, 4> names = {"mean", "standard deviation", "median",
                                                       "quantile at 95%"};
  static constexpr std::size_t batches = 8;  ///< of each half

  [[nodiscard]] Drift drift_of(std::size_t moment) const;

  const Problem& problem_;
  std::array<std::vector<double>, names.size()> moments_;  ///< by period
  std::vector<double> at_top_;
};

}  // namespace macrobench::krusell_smith::certificate
