#pragma once

#include <cstddef>
#include <vector>

namespace macrobench::numerics {

/// left - right.
std::vector<double> difference(const std::vector<double>& left, const std::vector<double>& right);
/// max |value|; NaN if there is one.
double largest(const std::vector<double>& values);

/// Newton's method for F(x) = 0 in a few unknowns. The derivatives are given once, by differences,
/// and then kept up by Broyden's rank-one update, which costs no further evaluation of F.
class QuasiNewton {
 public:
  /// For F(x) = G(x) - x with n unknowns, where nothing is known of G: its derivatives are 0.
  explicit QuasiNewton(std::size_t n);

  /// F changed by dF when x_j alone changed by dx.
  void set_derivative(std::size_t j, double dx, const std::vector<double>& dF);

  /// F changed by dF when x changed by dx.
  void update(const std::vector<double>& dx, const std::vector<double>& dF);

  /// The step from where F has this value. Empty if the derivatives are singular.
  [[nodiscard]] std::vector<double> step(const std::vector<double>& F) const;

 private:
  std::size_t n_;
  std::vector<double> derivatives_;  ///< shape n x n, row-major: dF_i over dx_j
};

}  // namespace macrobench::numerics
