// The algorithm that the 2010 paper mentions in a sentence, in the sequential program: future
// capital is on its own uniform grid, and V between the points of the capital grid is
// piecewise linear. serial.hpp has the program, whose steps are numbered likewise.

#include <Eigen/Core>
#include <cstddef>
#include <limits>
#include <vector>

#include "harness/model/stages.hpp"
#include "implementations/rbc/model.hpp"
#include "implementations/rbc/published/serial.hpp"
#include "implementations/rbc/solver.hpp"

namespace macrobench::rbc {

namespace {

using namespace serial_solver;

/// The position of a point on a grid: between `index` and `index + 1`, at `weight` of the way.
template <class Real>
struct Bracket {
  Eigen::Index index;
  Real weight;
};

/// The bracket of `point` on a uniform ascending grid of n >= 2 points; beyond an end, the end.
template <class Real>
Bracket<Real> bracket(Real point, const Vector<Real>& grid) {
  const Eigen::Index n = grid.size();
  const Real position = (point - grid(0)) / (grid(n - 1) - grid(0)) * static_cast<Real>(n - 1);
  if (!(position > 0)) return {0, Real(0)};
  auto index = static_cast<Eigen::Index>(position);
  if (index > n - 2) index = n - 2;
  const Real weight = position - static_cast<Real>(index);
  return {index, weight < 1 ? weight : Real(1)};
}

/// V0 at the choices of K', each of which has a bracket; choices x nz.
template <class Real>
Matrix<Real> at_choices(const Matrix<Real>& V0, const std::vector<Bracket<Real>>& brackets) {
  Matrix<Real> result(static_cast<Eigen::Index>(brackets.size()), V0.cols());
  for (Eigen::Index m = 0; m < result.rows(); ++m) {
    const auto [index, weight] = brackets[static_cast<std::size_t>(m)];
    result.row(m) = (1 - weight) * V0.row(index) + weight * V0.row(index + 1);
  }
  return result;
}

/// Steps 6 to 13, with V0 at the choices.
template <class Real>
void maximize(const Economy<Real>& economy, const Vector<Real>& choices, const Matrix<Real>& V0,
              Matrix<Real>& V, Eigen::MatrixXi& policy) {
  const Matrix<Real> available = economy.available();
  Vector<Real> expectation;               // of the choices from `first` to `last` at one state
  for (int i = 0; i < V.rows(); ++i) {    // 6
    for (int j = 0; j < V.cols(); ++j) {  // 7
      const int last = last_feasible(choices, available(i, j));
      const int first = economy.monotone && i > 0 ? policy(i - 1, j) : 0;
      expectation = V0.middleRows(first, last - first + 1) * economy.P.row(j).transpose();
      const auto w = [&](int m) {
        return utility(available(i, j) - choices(first + m), economy.gamma) +
               economy.beta * expectation(m);
      };
      const Best<Real> best = grid_search(w, last - first);  // 8 to 10
      V(i, j) = best.value;                                  // 11
      policy(i, j) = first + best.choice;
    }
  }
}

/// Howard's step, with V0 at the choices.
template <class Real>
void evaluate(const Economy<Real>& economy, const Vector<Real>& choices, const Matrix<Real>& V0,
              Matrix<Real>& V, const Eigen::MatrixXi& policy) {
  const Matrix<Real> available = economy.available();
  for (int i = 0; i < V.rows(); ++i) {
    for (int j = 0; j < V.cols(); ++j) {
      const int kept = policy(i, j);
      V(i, j) = utility(available(i, j) - choices(kept), economy.gamma) +
                economy.beta * V0.row(kept).dot(economy.P.row(j));
    }
  }
}

template <class Real>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  stages.enter("set_up");
  const Economy<Real> economy(problem);  // 2 and 3
  const Vector<Real> choices = vector_of(future_grid<Real>(problem));
  std::vector<Bracket<Real>> brackets;
  for (const Real choice : choices) brackets.push_back(bracket(choice, economy.K));
  Matrix<Real> V0 = first_guess(economy);  // 4
  Matrix<Real> V(problem.nk, problem.nz);
  Eigen::MatrixXi policy = Eigen::MatrixXi::Zero(problem.nk, problem.nz);
  stages.enter("iteration");
  int iterations = 0;
  Real difference = std::numeric_limits<Real>::infinity();                         // 1
  while (difference >= problem.tolerance && iterations < problem.iteration_cap) {  // 5
    if (maximize_now(iterations)) {
      maximize(economy, choices, at_choices(V0, brackets), V, policy);  // 6 to 13
    } else {
      evaluate(economy, choices, at_choices(V0, brackets), V, policy);
    }
    difference = (V - V0).cwiseAbs().maxCoeff();  // 14
    V0 = V;                                       // 15
    ++iterations;
  }  // 16
  stages.finish();
  write(problem, V, policy, iterations, difference, solution);
}

const RegisterSolver registered{
    {.name = "serial_interpolated",
     .origin = Origin::published,
     .summary = "serial with future capital on its own grid, V piecewise linear",
     .axes = {{"maximizer", {"interpolated"}}, {"future_points"}, {"monotone"}, {"start"}},
     .solve_single = solve<float>,
     .solve_double = solve<double>,
     .hooks = {.work = work_of_all_expectations,
               .floor = floor_of_search,
               .unavailable = why_no_such_capital,
               .known_invalid = known_invalid_in_single},
     .source = __FILE__}};

}  // namespace

}  // namespace macrobench::rbc
