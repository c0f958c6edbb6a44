#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "implementations/rbc/frontier/continuous.hpp"
#include "implementations/rbc/model.hpp"

// The equations of rounding.hpp in double, where the grid is too coarse for its polynomials and for
// single precision. Host only.
//
//   D(i,Z) = max_j { beta sum_l P(Z,l) D(j,Z_l) - L(i,j,Z) }
//
// Only the two j around the best K' on the interval are looked at, and their L are tabulated once,
// exactly. L is convex in j because Vc is concave, so beyond these two it rises at each step by at
// least as much as at the first. If that is more than beta E D can gain in a step, no other j is
// best: this is checked on the final D, not assumed, and makes it as good as an exhaustive search.

namespace macrobench::rbc {

class NearestChoices {
 public:
  NearestChoices(const Problem& problem, const ContinuousSolution& continuous);

  /// Finds V and the policy, of shape nz x nk, with max |V - T V| <= target over all states. False,
  /// with both undefined, if another choice may be better, if rounding hides the target, if
  /// sweeps gain little, or if `passes` state passes are not enough.
  template <class Real>
  bool solve(double target, double passes, Real* V, std::int32_t* policy);

  [[nodiscard]] double passes() const { return passes_; }
  [[nodiscard]] double difference() const { return difference_; }  ///< bound on max |V - T V|

 private:
  struct Span {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    void add(double value) {
      low = value < low ? value : low;
      high = value > high ? value : high;
    }
    [[nodiscard]] double middle() const { return (low + high) / 2; }
    [[nodiscard]] double half() const { return (high - low) / 2; }
  };

  bool tabulate();
  template <class Utility>
  bool tabulate(const Utility& u);
  void expect(int j);
  Span sweep_one(int j);
  double sweep();
  bool check(std::int32_t* policy, Span& residual);
  template <class Real>
  void write(double shift, Real* V) const;

  [[nodiscard]] std::size_t row(int j) const {
    return static_cast<std::size_t>(j) * static_cast<std::size_t>(nk_);
  }

  const ContinuousSolution& continuous_;
  Calibration calibration_;
  std::vector<double> Z_, P_;
  int nk_, nz_;
  double step_;  // of the grid

  std::vector<std::int32_t> below_;   // nz x nk: the choice below the best K' on the interval
  std::vector<double> lower_;         // nz x nk: L of that choice
  std::vector<double> upper_;         // and of the next
  std::vector<double> D_;             // nz x nk
  std::vector<double> expected_;      // nk: beta E D for the productivity at hand
  std::vector<std::int32_t> rising_;  // nz: states below this one choose more capital than theirs
  double rise_ = 0;                   // of L from the two choices to the next ones, at least
  double passes_ = 0;
  double difference_ = 0;
};

}  // namespace macrobench::rbc
