#pragma once

#include <optional>
#include <vector>

#include "implementations/rbc/model.hpp"

// The same household choosing K' from the whole interval [K_min, K_max], not from a grid. Its value
// function is analytic where the policy is interior and the shocks persistent, so a few Chebyshev
// coefficients for each Z represent it to rounding error. Host only.

namespace macrobench::rbc {

/// Functions of capital, one for each productivity, as Chebyshev series in t(K), where t runs from
/// -1 to 1 over [low, high]. Shape nz x size: the series of Z_j starts at [j * size].
///
/// With W(K') = u(y(K,Z_j) - K') + beta E[V(K',Z') | Z_j], maximal at g(K,Z_j), the loss from
/// choosing g + s instead of g is curvature s^2 (1 + skew s + kurtosis s^2) to fourth order in s.
struct ContinuousSolution {
  int nz = 0;
  int size = 0;      ///< coefficients of each series
  double low = 0;    ///< K_min
  double high = 0;   ///< K_max
  double scale = 0;  ///< bound on |V|

  std::vector<double> V;          ///< value function
  std::vector<double> expected;   ///< beta E[V(K,Z') | Z_j]
  std::vector<double> policy;     ///< g, in units of capital
  std::vector<double> curvature;  ///< -W''(g) / 2 > 0
  std::vector<double> skew;       ///< W'''(g) / (3 W''(g))
  std::vector<double> kurtosis;   ///< W''''(g) / (12 W''(g))

  double residual = 0;  ///< max |V - T V| found between the collocation nodes, at both ends too
  int iterations = 0;   ///< policy iterations

  [[nodiscard]] double t(double K) const { return (2 * K - (low + high)) / (high - low); }
};

/// Solves the continuous problem by policy iteration on Chebyshev coefficients (collocation; Judd
/// 1998, chapters 11 and 12), on more and more nodes until the residual is lost in rounding or far
/// below both the problem's tolerance and 1e-12.
///
/// Returns nothing unless all of this holds:
///   * every g(K,Z_j) lies in [K_min, K_max], rises in K and leaves consumption positive;
///   * beta E[V | Z_j] is strictly concave in K', so that there is only one maximum;
///   * the residual got there within 48 nodes.
/// The first two are proved for the polynomials found, see numerics::chebyshev_range; the third is
/// measured between the nodes. It costs about .1 ms at nz = 4, and does not depend on nk.
std::optional<ContinuousSolution> solve_continuous(const Problem& problem);

}  // namespace macrobench::rbc
