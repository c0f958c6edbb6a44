#pragma once

// What the endogenous-grid method with Anderson acceleration is, on a processor and on a GPU: how
// long it does what, and how good an answer must be.

#include <algorithm>

#include "implementations/krusell_smith/model.hpp"

namespace macrobench::krusell_smith {

inline constexpr int endogenous_steps = 50;  ///< of an economy's first policy
inline constexpr int depth = 6;              ///< differences that Anderson acceleration mixes
inline constexpr double too_far = 100;       ///< times the smallest change so far
inline constexpr int calm_steps = 20;        ///< steps that are only damped, after one went too far

/// How accurate a policy must be. While the law of motion still moves, it need not be more so than
/// the law: it is solved to a tenth of the law's last step, until that is less than
/// policy_tolerance. Its accuracy still increases each time, even if the law does not settle: an
/// inexact policy must not be the reason. An outer loop that knows better says what it settles for.
class Aim {
 public:
  explicit Aim(double policy_tolerance) : tolerance_(policy_tolerance) {}

  /// Whether no policy was sought yet.
  [[nodiscard]] bool is_first() const { return is_first_; }

  /// The next policy is to be found under this law, by a loop that settles for this accuracy, or
  /// for 0 if it says nothing.
  void set(const LawOfMotion& law, double settled_for) {
    if (!is_first_) aim_ = std::min(of_step * distance(law, last_law_), of_last * aim_);
    aim_ = std::max(settled_for > 0 ? settled_for : aim_, tolerance_);
    is_first_ = false;
    last_law_ = law;
  }

  /// On max |dk'|.
  [[nodiscard]] double is() const { return aim_; }
  [[nodiscard]] bool is_exact() const { return aim_ <= tolerance_; }

 private:
  static constexpr double under_first_law = 1e-3;  ///< which is only a guess
  static constexpr double of_step = 0.1;           ///< max |dk'| over the law's last step
  static constexpr double of_last = 0.85;          ///< and at most, over that of the last law

  double tolerance_;
  double aim_ = under_first_law;
  LawOfMotion last_law_;
  bool is_first_ = true;
};

}  // namespace macrobench::krusell_smith
