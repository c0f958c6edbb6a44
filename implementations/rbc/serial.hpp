#pragma once

// Value function iteration in sequential C++ with Eigen, as published: for every state the
// expectation over the whole feasible sub-grid, a matrix-vector product of O(Nk), and only then a
// search of it at 2 log2(Nk) points: O(Nk^2) per iteration. The same loop forms the expectation at
// those points alone, which is all that distinguishes serial.cpp and serial_probed.cpp. With
// `monotone` (2010 paper, web page) the sub-grid begins at the policy one point below.

#include <Eigen/Core>
#include <limits>

#include "harness/model/stages.hpp"
#include "implementations/rbc/interpolation.hpp"
#include "implementations/rbc/model.hpp"

namespace macrobench::rbc::serial_solver {

template <class Real>
using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
template <class Real>
using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

/// Where the expectation is formed: of every feasible choice before the search, or of those at
/// which the search looks.
enum class Expectations { of_all, of_probes };

/// A choice on the sub-grid, and what it is worth.
template <class Real>
struct Choice {
  int index;
  Real value;
};

/// Heer and Maussner (2005, p. 26): bisect until three points are left; ties go low.
template <class Real, class Objective>
Choice<Real> binary_search(int n, const Objective& w) {
  int low = 0;
  int high = n - 1;
  while (high - low > 2) {
    const int middle = (low + high) / 2;
    if (w(middle + 1) > w(middle)) {
      low = middle;
    } else {
      high = middle + 1;
    }
  }
  Choice<Real> best{low, w(low)};
  for (int i = low + 1; i <= high; ++i) {
    const Real value = w(i);
    if (value > best.value) best = {i, value};
  }
  return best;
}

/// Every point of the sub-grid; the first maximum wins.
template <class Real, class Objective>
Choice<Real> grid_search(int n, const Objective& w) {
  Choice<Real> best{0, w(0)};
  for (int i = 1; i < n; ++i) {
    const Real value = w(i);
    if (value > best.value) best = {i, value};
  }
  return best;
}

/// V between the grid points, piecewise linear in capital: one row for each bracket.
template <class Real>
Matrix<Real> interpolate_rows(const Matrix<Real>& V, const std::vector<Bracket<Real>>& brackets) {
  Matrix<Real> result(static_cast<Eigen::Index>(brackets.size()), V.cols());
  for (Eigen::Index m = 0; m < result.rows(); ++m) {
    const auto [index, weight] = brackets[static_cast<std::size_t>(m)];
    result.row(m) = (1 - weight) * V.row(index) + weight * V.row(index + 1);
  }
  return result;
}

template <class Real, Expectations expectations>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  const int nk = problem.nk;
  const int nz = problem.nz;
  const auto beta = static_cast<Real>(problem.calibration.beta);
  const auto gamma = static_cast<Real>(problem.calibration.gamma);
  const auto alpha = static_cast<Real>(problem.calibration.alpha);
  const auto delta = static_cast<Real>(problem.calibration.delta);
  const bool interpolated = problem.maximizer == Maximizer::interpolated;
  const bool howard = evaluates_policies(problem.maximizer);

  const Grids<Real> grids = make_grids<Real>(problem);
  const std::vector<Real> future = interpolated ? future_grid<Real>(problem) : grids.K;
  const std::vector<Bracket<Real>> brackets =
      interpolated ? bracket_all(future, grids.K) : std::vector<Bracket<Real>>{};

  Matrix<Real> P(nz, nz);
  for (int j = 0; j < nz; ++j) {
    for (int l = 0; l < nz; ++l) P(j, l) = grids.P[static_cast<std::size_t>(j * nz + l)];
  }
  Matrix<Real> V0(nk, nz);
  for (int j = 0; j < nz; ++j) V0.col(j).setConstant(grids.V0[static_cast<std::size_t>(j)]);
  Matrix<Real> V(nk, nz);
  Eigen::MatrixXi policy = Eigen::MatrixXi::Zero(nk, nz);
  Matrix<Real> V0_future;    // V0 at the points of the future grid, `interpolated` only
  Vector<Real> expectation;  // of all choices at one state

  int iteration = 0;
  Real difference = std::numeric_limits<Real>::infinity();
  while (difference >= static_cast<Real>(problem.tolerance) && iteration < problem.iteration_cap) {
    if (interpolated) V0_future = interpolate_rows(V0, brackets);
    const Matrix<Real>& continuation = interpolated ? V0_future : V0;

    for (int i = 0; i < nk; ++i) {
      for (int j = 0; j < nz; ++j) {
        const Real available = resources(grids.K[static_cast<std::size_t>(i)],
                                         grids.Z[static_cast<std::size_t>(j)], alpha, delta);
        if (howard && !maximise_now(iteration)) {
          const int kept = policy(i, j);
          V(i, j) = utility(available - future[static_cast<std::size_t>(kept)], gamma) +
                    beta * continuation.row(kept).dot(P.row(j));
          continue;
        }
        const int last =
            last_at_or_below(future.data(), static_cast<int>(future.size()), available);
        const int first = problem.monotone && i > 0 ? policy(i - 1, j) : 0;
        const int n = last - first + 1;
        if constexpr (expectations == Expectations::of_all) {
          expectation.noalias() = continuation.middleRows(first, n) * P.row(j).transpose();
        }
        const auto expected = [&](int m) -> Real {
          if constexpr (expectations == Expectations::of_all) return expectation(m);
          return continuation.row(first + m).dot(P.row(j));
        };
        const auto w = [&](int m) {
          return utility(available - future[static_cast<std::size_t>(first + m)], gamma) +
                 beta * expected(m);
        };
        const Choice<Real> best = howard ? grid_search<Real>(n, w) : binary_search<Real>(n, w);
        V(i, j) = best.value;
        policy(i, j) = first + best.index;
      }
    }
    difference = (V - V0).cwiseAbs().maxCoeff();
    V0 = V;
    ++iteration;
  }
  stages.finish();

  Eigen::Map<Matrix<Real>>(solution.V.data(), nk, nz) = V;
  Eigen::Map<Eigen::MatrixXi>(solution.policy.data(), nk, nz) = policy;
  solution.iterations = iteration;
  solution.difference = static_cast<double>(difference);
  solution.converged = difference < static_cast<Real>(problem.tolerance);
}

}  // namespace macrobench::rbc::serial_solver
