// The ranks behind mpi.cpp: the algorithm of cuda_c_coalesced.cu and thrust.hpp with bisection,
// where each rank finds V at its share of capital, and its threads divide that. An iteration ends
// with an all-gather of V and the largest change.
//
// The ranks keep V with productivity running fastest: so a rank's share is in one piece, and an
// expectation's numbers are side by side.

#include "implementations/mpi/worker.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "implementations/rbc/model.hpp"

namespace macrobench::rbc {

namespace {

/// The right-hand side of the Bellman equation at one state.
template <class Real>
struct Objective {
  Real available, beta, gamma;
  const Real *K, *P_row, *V0;
  int nz;

  /// At the choice K' = K[i].
  [[nodiscard]] Real operator()(int i) const {
    const Real* V0_at = V0 + std::ptrdiff_t{i} * nz;
    Real expected = 0;
    for (int l = 0; l < nz; ++l) expected += P_row[l] * V0_at[l];
    return utility(available - K[i], gamma) + beta * expected;
  }
};

template <class Real>
struct Best {
  Real value;
  std::int32_t choice;
};

/// The first maximum over low .. high.
template <class Real>
Best<Real> grid_search(const Objective<Real>& w, int low, int high) {
  Best<Real> best{w(low), low};
  for (int i = low + 1; i <= high; ++i) {
    const Real candidate = w(i);
    if (candidate > best.value) best = {candidate, i};
  }
  return best;
}

/// The maximum over low .. high where w is concave (Heer and Maussner 2005, p. 26), with the ties
/// of RightHandSide::bisection().
template <class Real>
Best<Real> bisection(const Objective<Real>& w, int low, int high) {
  if (high - low <= 2) return grid_search(w, low, high);
  Real at_middle = 0;
  Real after_it = 0;
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
    const Real at_high = w(high);
    return after_it > at_high ? Best<Real>{after_it, low + 1} : Best<Real>{at_high, high};
  }
  const Real at_low = w(low);
  return at_low > at_middle ? Best<Real>{at_low, low} : Best<Real>{at_middle, low + 1};
}

template <class Real>
void solve(const Problem& problem, mpi::Ranks& ranks, Solution<Real>& solution) {
  const Grids<Real> grids = make_grids<Real>(problem);
  const auto nz = static_cast<std::size_t>(problem.nz);
  const std::vector<std::size_t> mine = ranks.shares(static_cast<std::size_t>(problem.nk));
  std::vector<std::size_t> begins = mine;
  for (std::size_t& begin : begins) begin *= nz;
  const auto first = static_cast<int>(mine[static_cast<std::size_t>(ranks.rank())]);
  const auto last = static_cast<int>(mine[static_cast<std::size_t>(ranks.rank()) + 1]);

  const Calibration& c = problem.calibration;
  const auto alpha = static_cast<Real>(c.alpha);
  const auto delta = static_cast<Real>(c.delta);
  std::vector<Real> V(problem.states());  // shape nk x nz
  std::vector<Real> V0(problem.states());
  for (std::size_t s = 0; s < V0.size(); ++s) V0[s] = grids.V0[s % nz];
  std::vector<std::int32_t> policy(problem.states());

  for (int k = 0; k < problem.iteration_cap && !solution.converged; ++k) {
    ranks.enter("maximise");
    double difference = 0;
    bool has_nan = false;
#pragma omp parallel for schedule(static) reduction(max : difference) reduction(|| : has_nan)
    for (int i = first; i < last; ++i) {
      for (int j = 0; j < problem.nz; ++j) {
        const Real available = resources(grids.K[static_cast<std::size_t>(i)],
                                         grids.Z[static_cast<std::size_t>(j)], alpha, delta);
        const Objective<Real> w{.available = available,
                                .beta = static_cast<Real>(c.beta),
                                .gamma = static_cast<Real>(c.gamma),
                                .K = grids.K.data(),
                                .P_row = &grids.P[static_cast<std::size_t>(j) * nz],
                                .V0 = V0.data(),
                                .nz = problem.nz};
        const int feasible = std::max(0, last_at_or_below(grids.K.data(), problem.nk, available));
        const Best<Real> best = bisection(w, 0, feasible);
        const std::size_t state = static_cast<std::size_t>(i) * nz + static_cast<std::size_t>(j);
        V[state] = best.value;
        policy[state] = best.choice;
        const double change = static_cast<double>(std::abs(best.value - V0[state]));
        difference = std::max(difference, change);
        has_nan = has_nan || std::isnan(change);
      }
    }
    ranks.enter("exchange");
    ranks.all_gather(begins, V.data());
    difference = ranks.largest(has_nan ? std::nan("") : difference);
    std::swap(V, V0);  // V0 = V
    solution.iterations = k + 1;
    solution.difference = difference;
    solution.converged = difference < problem.tolerance;
  }
  ranks.finish();

  ranks.collect(begins, policy.data() + begins[static_cast<std::size_t>(ranks.rank())],
                policy.data());
  if (!ranks.is_first()) return;
  solution.V.resize(problem.states());
  solution.policy.resize(problem.states());
  for (std::size_t s = 0; s < V0.size(); ++s) {
    const std::size_t state = s % nz * static_cast<std::size_t>(problem.nk) + s / nz;
    solution.V[state] = V0[s];
    solution.policy[state] = policy[s];
  }
}

}  // namespace

}  // namespace macrobench::rbc

int main(int argc, char** argv) {
  using namespace macrobench;
  return mpi::serve_with(argc, argv, [](mpi::Ranks& ranks) {
    mpi::serve<rbc::Problem>(ranks, rbc::solve<float>, rbc::solve<double>);
  });
}
