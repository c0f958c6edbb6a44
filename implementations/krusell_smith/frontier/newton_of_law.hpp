#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "implementations/krusell_smith/frontier/batch.hpp"
#include "implementations/numerics/methods/quasi_newton.hpp"

namespace macrobench::krusell_smith {

/// A law as the four unknowns of a Newton method. Its lines are given by their height in the middle
/// of the grid of K, because an intercept at K = 1 hardly moves without its slope.
class Unknowns {
 public:
  explicit Unknowns(const Grids& grids) : middle_(std::log((grids.K_min + grids.K_max) / 2)) {}

  [[nodiscard]] std::vector<double> of(const LawOfMotion& law) const {
    return {law.b0[bad] + law.b1[bad] * middle_, law.b1[bad], law.b0[good] + law.b1[good] * middle_,
            law.b1[good]};
  }
  [[nodiscard]] LawOfMotion law(const std::vector<double>& x) const {
    return {{x[0] - x[1] * middle_, x[2] - x[3] * middle_}, {x[1], x[3]}};
  }

 private:
  double middle_;
};

/// One economy's quasi-Newton method: F(x) is what a law x lacks to the one that its households
/// produce.
class Newton {
 public:
  Newton(Search& its_search, const LawOfMotion& start)
      : search(its_search), unknowns_(its_search.problem().grids), x_(unknowns_.of(start)) {
    search.trial.law = law();
  }

  Search& search;

  /// This economy's trial at x, or at another point near it.
  [[nodiscard]] Trial trial_at(std::size_t unknown, double shift) const {
    std::vector<double> shifted = x_;
    shifted[unknown] += shift;
    Trial trial = search.trial;
    trial.law = unknowns_.law(shifted);
    return trial;
  }

  /// F was evaluated at x.
  void set_F(const LawOfMotion& produced) {
    std::vector<double> F = numerics::difference(unknowns_.of(produced), x_);
    if (!dx_.empty()) newton_.update(dx_, numerics::difference(F, F_));
    F_ = std::move(F);
  }
  /// And there.
  void set_derivative(std::size_t unknown, double shift, const Trial& there,
                      const LawOfMotion& produced) {
    const std::vector<double> F =
        numerics::difference(unknowns_.of(produced), unknowns_.of(there.law));
    newton_.set_derivative(unknown, shift, numerics::difference(F, F_));
  }

  /// Moves to the next x. Returns false if there is none.
  bool step() {
    dx_ = newton_.step(F_);
    if (dx_.empty()) return false;
    move();
    return true;
  }
  /// Moves to the next x as the published loop does, with this weight.
  void relax(double weight) {
    dx_ = F_;
    for (double& entry : dx_) entry *= weight;
    move();
  }
  /// What follows is not comparable with what came before.
  void forget_step() { dx_.clear(); }

  [[nodiscard]] double largest_of_F() const { return numerics::largest(F_); }

 private:
  [[nodiscard]] LawOfMotion law() const { return unknowns_.law(x_); }
  void move() {
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += dx_[i];
    search.trial.law = law();
  }

  Unknowns unknowns_;
  numerics::QuasiNewton newton_{4};
  std::vector<double> x_, F_;
  std::vector<double> dx_;  ///< from the last x to this one; empty if F was not evaluated alike
};

}  // namespace macrobench::krusell_smith
