#pragma once

// Value function iteration in sequential C++ with Eigen, as published: Algorithm 1 of Aldrich
// (2014), whose steps are numbered below. For every state the expectation over the whole feasible
// sub-grid, a matrix-vector product of O(Nk), and only then a search of it at 2 log2(Nk) points:
// O(Nk^2) per iteration. The same loop forms the expectation at those points alone, which is all
// that distinguishes serial.cpp and serial_probed.cpp. With `monotone` (2010 paper, web page) the
// sub-grid begins at the policy one point below.
//
// Where the published program reads an element of an Eigen array, so does this loop: compiled with
// Eigen's checks (eigen_with_checks.hpp), it checks as much.

#include <Eigen/Core>
#include <cstddef>
#include <limits>
#include <vector>

#include "harness/model/stages.hpp"
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
struct Best {
  Real value;
  int choice;
};

/// The first maximum over 0 .. last.
constexpr auto grid_search = [](const auto& w, int last) {
  Best best{w(0), 0};
  for (int i = 1; i <= last; ++i) {
    const auto candidate = w(i);
    if (candidate > best.value) best = {candidate, i};
  }
  return best;
};

/// The maximum where the right-hand side is concave (Heer and Maussner 2005, p. 26): bisects until
/// three choices are left, of which the last comparison has looked at two. Ties go low before that,
/// and high among the last three.
constexpr auto bisection = [](const auto& w, int last) {
  using Best = decltype(grid_search(w, last));
  int low = 0;
  int high = last;
  if (last < 3) return grid_search(w, last);
  decltype(w(0)) at_middle = 0;
  decltype(w(0)) after_it = 0;
  do {
    const int middle = (low + high) / 2;
    at_middle = w(middle);
    after_it = w(middle + 1);
    if (after_it > at_middle) {
      low = middle;
    } else {
      high = middle + 1;
    }
  } while (high - low > 2);
  if (after_it > at_middle) {
    const auto at_high = w(high);
    return after_it > at_high ? Best{after_it, low + 1} : Best{at_high, high};
  }
  const auto at_low = w(low);
  return at_low > at_middle ? Best{at_low, low} : Best{at_middle, low + 1};
};

/// The last point of an ascending grid that is at most `limit`, which is not below the first.
template <class Real>
int last_feasible(const Vector<Real>& grid, Real limit) {
  int low = 0;
  int high = static_cast<int>(grid.size()) - 1;
  if (!(grid(high) > limit)) return high;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (grid(middle) == limit) return middle;
    if (grid(middle) > limit) {
      high = middle;
    } else {
      low = middle;
    }
  }
  return low;
}

/// Where a search with `monotone` begins, given the policy one capital point below and the last
/// feasible choice.
using LowerBound = int (*)(int below, int last);
constexpr int policy_below(int below, int /*last*/) {
  return below;
}

template <class Real>
Vector<Real> vector_of(const std::vector<Real>& values) {
  return Eigen::Map<const Vector<Real>>(values.data(), static_cast<Eigen::Index>(values.size()));
}

/// The problem in the precision of its solution.
template <class Real>
struct Economy {
  explicit Economy(const Problem& problem)
      : beta(static_cast<Real>(problem.calibration.beta)),
        gamma(static_cast<Real>(problem.calibration.gamma)),
        alpha(static_cast<Real>(problem.calibration.alpha)),
        delta(static_cast<Real>(problem.calibration.delta)),
        monotone(problem.monotone),
        grids(make_grids<Real>(problem)),
        K(vector_of(grids.K)),
        P(problem.nz, problem.nz) {
    for (int j = 0; j < problem.nz; ++j) {
      for (int l = 0; l < problem.nz; ++l) {
        P(j, l) = grids.P[static_cast<std::size_t>(j * problem.nz + l)];
      }
    }
  }

  /// What is there to spend at every state: a power for each K, in every iteration.
  [[nodiscard]] Matrix<Real> available() const {
    const Vector<Real> output = K.array().pow(alpha);
    const Vector<Real> kept = (1 - delta) * K;
    Matrix<Real> result(K.size(), P.rows());
    for (Eigen::Index j = 0; j < P.rows(); ++j) {
      result.col(j) = grids.Z[static_cast<std::size_t>(j)] * output + kept;
    }
    return result;
  }
  /// u(c) when so much is available and this choice of K' is made.
  [[nodiscard]] Real utility_of(Real available, int choice) const {
    return utility(available - K(choice), gamma);
  }

  Real beta, gamma, alpha, delta;
  bool monotone;
  Grids<Real> grids;
  Vector<Real> K;
  Matrix<Real> P;
};

/// Step 4: flow utility at the steady state.
template <class Real>
Matrix<Real> first_guess(const Economy<Real>& economy) {
  Matrix<Real> V0(economy.K.size(), economy.P.rows());
  for (Eigen::Index j = 0; j < V0.cols(); ++j) {
    V0.col(j).setConstant(economy.grids.V0[static_cast<std::size_t>(j)]);
  }
  return V0;
}

/// To the checker.
template <class Real>
void write(const Problem& problem, const Matrix<Real>& V, const Eigen::MatrixXi& policy,
           int iterations, Real difference, Solution<Real>& solution) {
  Eigen::Map<Matrix<Real>>(solution.V.data(), V.rows(), V.cols()) = V;
  Eigen::Map<Eigen::MatrixXi>(solution.policy.data(), V.rows(), V.cols()) = policy;
  solution.iterations = iterations;
  solution.difference = static_cast<double>(difference);
  solution.converged = difference < problem.tolerance;
}

/// Steps 6 to 13: V = max over K' of u(c) + beta E[V0(K', Z')], and the policy that attains it.
template <Expectations expectations, LowerBound lower_bound, class Real, class Search>
void maximize(const Economy<Real>& economy, const Matrix<Real>& V0, const Search& search,
              Matrix<Real>& V, Eigen::MatrixXi& policy) {
  const Matrix<Real> available = economy.available();
  Vector<Real> expectation;               // of the choices from `first` to `last` at one state
  for (int i = 0; i < V.rows(); ++i) {    // 6
    for (int j = 0; j < V.cols(); ++j) {  // 7
      const int last = last_feasible(economy.K, available(i, j));
      const int first = economy.monotone && i > 0 ? lower_bound(policy(i - 1, j), last) : 0;
      const int feasible = last - first + 1;
      if constexpr (expectations == Expectations::of_all) {
        // Without noalias(), as published: a temporary, which is then copied.
        expectation = V0.middleRows(first, feasible) * economy.P.row(j).transpose();
      }
      const auto expected = [&](int m) -> Real {
        if constexpr (expectations == Expectations::of_all) return expectation(m);
        return V0.row(first + m).dot(economy.P.row(j));
      };
      const auto w = [&](int m) {
        return economy.utility_of(available(i, j), first + m) + economy.beta * expected(m);
      };
      const Best<Real> best = search(w, last - first);  // 8 to 10
      V(i, j) = best.value;                             // 11
      policy(i, j) = first + best.choice;
    }
  }
}

/// Howard's step: V = u(c) + beta E[V0(K', Z')] at the policy of an earlier iteration.
template <class Real>
void evaluate(const Economy<Real>& economy, const Matrix<Real>& V0, Matrix<Real>& V,
              const Eigen::MatrixXi& policy) {
  const Matrix<Real> available = economy.available();
  for (int i = 0; i < V.rows(); ++i) {
    for (int j = 0; j < V.cols(); ++j) {
      const int kept = policy(i, j);
      V(i, j) = economy.utility_of(available(i, j), kept) +
                economy.beta * V0.row(kept).dot(economy.P.row(j));
    }
  }
}

template <class Real, Expectations expectations, LowerBound lower_bound = policy_below>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  stages.enter("set_up");
  const Economy<Real> economy(problem);    // 2 and 3
  Matrix<Real> V0 = first_guess(economy);  // 4
  Matrix<Real> V(problem.nk, problem.nz);
  Eigen::MatrixXi policy = Eigen::MatrixXi::Zero(problem.nk, problem.nz);
  stages.enter("iteration");
  int iterations = 0;
  Real difference = std::numeric_limits<Real>::infinity();                         // 1
  while (difference >= problem.tolerance && iterations < problem.iteration_cap) {  // 5
    if (problem.maximizer == Maximizer::bisection) {
      maximize<expectations, lower_bound>(economy, V0, bisection, V, policy);  // 6 to 13
    } else if (maximize_now(iterations)) {
      maximize<expectations, lower_bound>(economy, V0, grid_search, V, policy);
    } else {
      evaluate(economy, V0, V, policy);
    }
    difference = (V - V0).cwiseAbs().maxCoeff();  // 14
    V0 = V;                                       // 15
    ++iterations;
  }  // 16
  stages.finish();
  write(problem, V, policy, iterations, difference, solution);
}

}  // namespace macrobench::rbc::serial_solver
