#pragma once

// The algorithm that the 2010 paper mentions in a sentence, in the sequential program: future
// capital is on a grid of its own, and V between the points of the capital grid is interpolated.

#include <Eigen/Core>
#include <cstddef>
#include <limits>
#include <vector>

#include "harness/model/stages.hpp"
#include "implementations/rbc/model.hpp"
#include "implementations/rbc/published/interpolation.hpp"
#include "implementations/rbc/published/serial.hpp"

namespace macrobench::rbc::serial_solver {

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

/// As solve() of serial.hpp does it, with V0 at every choice.
template <class Real, Expectations expectations>
void solve_interpolated(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  stages.enter("set_up");
  Economy<Real> economy(problem);
  const std::vector<Real> future = future_grid<Real>(problem);
  economy.choices = vector_of(future);
  const auto brackets = bracket_all(future, economy.grids.K);
  Matrix<Real> V0 = first_guess(economy);
  Matrix<Real> V(problem.nk, problem.nz);
  Eigen::MatrixXi policy = Eigen::MatrixXi::Zero(problem.nk, problem.nz);
  stages.enter("iteration");
  int iterations = 0;
  Real difference = std::numeric_limits<Real>::infinity();
  while (difference >= problem.tolerance && iterations < problem.iteration_cap) {
    const Matrix<Real> at_choices = interpolate_rows(V0, brackets);
    if (maximize_now(iterations)) {
      maximize<expectations, policy_below>(economy, at_choices, grid_search, V, policy);
    } else {
      evaluate(economy, at_choices, V, policy);
    }
    difference = (V - V0).cwiseAbs().maxCoeff();
    V0 = V;
    ++iterations;
  }
  stages.finish();
  write(problem, V, policy, iterations, difference, solution);
}

/// Any of the published maximizers.
template <class Real, Expectations expectations>
void solve_any(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  if (problem.maximizer == Maximizer::interpolated) {
    solve_interpolated<Real, expectations>(problem, stages, solution);
  } else {
    solve<Real, expectations>(problem, stages, solution);
  }
}

}  // namespace macrobench::rbc::serial_solver
