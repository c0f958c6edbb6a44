#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "implementations/rbc/frontier/continuous.hpp"
#include "implementations/rbc/model.hpp"

// Policy iteration on one capital grid, whatever the calibration. Host only, double precision.
//
// It is fast and sound because of increasing differences: u(y - K') + beta E V(K') has
// them in (y, K') for any V, concave or not, because u is concave; and y rises with K. So the
// lowest maximiser rises with K (Topkis 1978), from which follow
//   * divide and conquer finds the maximiser at every state, for any V, in log2(nk) evaluations per
//     state: the test of convergence, which needs no concavity;
//   * the policy leads each state of one Z towards a state that stays. Maximising outwards from
//     those, with the values just found, "stay" in closed form, solves the equations of one Z given
//     the others in one pass (a block of Gauss-Seidel); the error of a Jacobi sweep, or of Howard's
//     policy iteration, travels along the policy only one step per iteration. Here the search only
//     climbs from the neighbour's maximiser, which may miss the best one if there are several
//     peaks; divide and conquer then notices this and takes over.
// What the blocks leave of each other's equations is corrected by one constant for each Z, from an
// nz x nz system, and at the end by the MacQueen-Porteus shift. If that converges slowly (because
// of sets of states that the policy hardly leaves, whatever Z is), Howard's policy iteration takes
// over. Its linear equations are solved by the same sweeps with reduced rank extrapolation (Mesina
// 1977; Eddy 1979), which is GMRES.

namespace macrobench::rbc {

/// How the test of convergence looks for the maximiser.
enum class Search {
  divide,  ///< divide and conquer: needs increasing differences, which u has
  all      ///< over the whole feasible set: needs nothing
};

class DiscreteSolver {
 public:
  /// Works on V and policy, of shape nz x problem.nk, in place.
  DiscreteSolver(const Problem& problem, double* V, std::int32_t* policy);

  /// Starts from the continuous problem.
  void start_from(const ContinuousSolution& continuous);
  /// Starts from V and policy of shape nz x nk on another uniform grid over the same interval.
  void start_from(const double* V, const std::int32_t* policy, int nk);
  /// Starts from the value of keeping capital forever (or of going down if it cannot be kept).
  void start_from_nothing();

  /// Iterates until max |V - T V| over all states is at most `tolerance` plus what rounding does
  /// to V, or until `passes` state passes are spent. T is evaluated as `search` says.
  bool solve(double tolerance, double passes, Search search);

  /// Iterates until sweeps move V much less than the first one did: enough for a coarse grid.
  void approximate(double target, double passes);

  [[nodiscard]] double passes() const { return passes_; }          ///< state passes so far / states
  [[nodiscard]] double difference() const { return difference_; }  ///< last max |V - T V| seen

 private:
  struct Span {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    double sum = 0;
    void add(double value) {
      low = std::min(low, value);
      high = std::max(high, value);
      sum += value;
    }
    [[nodiscard]] double middle() const { return (low + high) / 2; }
    [[nodiscard]] double half() const { return (high - low) / 2; }
  };

  [[nodiscard]] int last_feasible(double y) const;
  [[nodiscard]] double own_weight(int j) const;
  void expect(int j, double own_weight);
  Span sweep_one(int j);
  template <class Utility>
  Span sweep_one(int j, const Utility& u);
  double sweep();
  Span evaluate_one(int j);
  double evaluate();
  void step();
  double correct(const std::vector<Span>& change);
  bool sweep_until(double wanted, double passes);
  void evaluate_until(double wanted, double passes);
  void extrapolate(const std::vector<std::vector<double>>& moves);
  Span improve_one(int j, Search search);
  template <class Utility>
  Span improve_one(int j, Search search, const Utility& u);
  void improve(Search search);

  Calibration calibration_;
  int nk_, nz_, threads_;
  double low_, step_;
  std::vector<double> Z_, P_;
  double* V_;
  std::int32_t* policy_;
  std::vector<double> resources_;  // nz x nk
  std::vector<double> flow_;       // nz x nk: u(y - K') under the policy
  std::vector<double> expected_;   // nk: beta E V for the productivity at hand
  double passes_ = 0;
  double difference_ = 0;
  double rounding_ = 0;  // of the residual
};

}  // namespace macrobench::rbc
