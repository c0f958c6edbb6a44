#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "implementations/numerics/methods/chebyshev.hpp"
#include "implementations/numerics/parallel/scratch.hpp"
#include "implementations/rbc/frontier/continuous.hpp"
#include "implementations/rbc/model.hpp"

// The discrete problem as a correction to the continuous one: V = Vc + D, where D is the cost of
// rounding K' to the grid, now and forever. Host only.
//
//   D(i,Z) = max_j { beta sum_l P(Z,l) D(j,Z_l) - L(i,j,Z) }
//
// L is the loss from choosing K_j instead of the best K' on the interval. With x the best K', in
// grid steps, L = q d^2 (1 + a d + b d^2), d = j - x, to fourth order, and x, q, a and b are smooth
// in i: they are held as polynomials on blocks of 16 states. D is 1e-9 of V or less, so single
// precision is enough.
//
// Only the j near x can be best: L is convex in j because Vc is concave (ContinuousSolution is
// proved to be), so once L rises from one j to the next by more than beta E D can, no j farther out
// can be best. That bound is checked on the final D, not assumed.
//
// Each sweep solves the equations of one productivity after another, exactly except for a few
// states: the policy leads monotonically to one state that stays, so D is computed outwards from
// there, with "stay" in closed form. A block of 16 states far enough out only uses states already
// done, all of them contiguous: vector instructions without a gather.

namespace macrobench::rbc {

class RoundingLoss {
 public:
  RoundingLoss(const Problem& problem, const ContinuousSolution& continuous);

  /// Whether the local polynomials are good enough for max |V - T V| <= target. They are compared
  /// with the losses themselves at states spread over the grid. If not, the grid is too
  /// coarse for this method (or consumption too near zero).
  [[nodiscard]] bool describes(double target);

  /// Finds V and the policy with max |V - T V| <= target over all states; false if `passes` state
  /// passes do not suffice or the bound on candidates cannot be made to hold.
  template <class Real>
  bool solve(double target, double passes, Real* V, std::int32_t* policy);

  [[nodiscard]] double passes() const { return passes_; }
  [[nodiscard]] double difference() const { return difference_; }  ///< bound on max |V - T V|

 private:
  static constexpr int lanes = 16;  ///< states of a block
  static constexpr int pad = 64;    ///< places left and right of the grid that no state can choose
  static constexpr int widest_batch = 256;

  /// The choices of `lanes` states in a row, by polynomials: state l of the block chooses among
  /// first + l .. first + l + candidates-1, and its x is first + l + f(l).
  struct Block {
    std::int32_t first;
    float f0, f1, f2;  ///< f(l) = f0 + l (f1 + l f2)
    float q0, q1;      ///< q(l) = q0 + l q1
    float a, b;
  };
  struct Span {
    float low, high;
    [[nodiscard]] float middle() const { return (low + high) / 2; }
    [[nodiscard]] float half() const { return (high - low) / 2; }
  };

  [[nodiscard]] bool choose_batch();
  void describe(int j, int first, int count, Block* blocks) const;
  [[nodiscard]] double model_error() const;
  [[nodiscard]] float* expected_at(int slot) {
    return &expected_[static_cast<std::size_t>(slot) * static_cast<std::size_t>(nk_ + 2 * pad) +
                      pad];
  }
  void expect(int j, int first, int last, float* E) const;
  Span sweep_one(int j, float* E);
  double sweep();
  bool check(std::int32_t* policy, Span& residual);
  template <class Real>
  void write(double shift, Real* V, std::int32_t* policy) const;

  const ContinuousSolution& continuous_;
  Calibration calibration_;
  std::vector<double> Z_, P_;
  int nk_, nz_, threads_;
  int blocks_;   // of each productivity
  double step_;  // of the grid

  std::vector<numerics::LocalSeries> V_, move_, q_, a_, b_;  // nz: Vc, x - i, q, a, b
  double q_low_ = 0, q_high_ = 0;  // bounds on q, |a|, and how far x - i moves in a block
  double a_high_ = 0;
  double spread_ = 0;
  int batch_ = 0;  // states that one local polynomial holds for
  double model_error_ = 0;

  double reach_ = 1;  // candidates are within this many steps of x
  int candidates_ = 0;
  float gain_ = 0;             // D is stored without the constant -gain / (1 - beta)
  std::vector<float> offset_;  // nz
  std::optional<numerics::Scratch> scratch_;
  Block* block_ = nullptr;     // nz x blocks
  float* D_ = nullptr;         // nz x nk, less offset_
  float* expected_ = nullptr;  // beta E D, padded, for each thread that sweeps
  double passes_ = 0;
  double difference_ = 0;
};

}  // namespace macrobench::rbc
