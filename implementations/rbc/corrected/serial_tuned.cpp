// A tuned baseline: the search of serial_probed.cpp, but resources and the feasible set are
// computed once, and the power is a reciprocal at gamma = 2. The published programs do neither.

#include <algorithm>
#include <cmath>
#include <limits>

#include "implementations/rbc/solver.hpp"

namespace macrobench::rbc {

namespace {

template <class Real>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  const int nk = problem.nk;
  const int nz = problem.nz;
  const auto beta = static_cast<Real>(problem.calibration.beta);
  const auto gamma = static_cast<Real>(problem.calibration.gamma);
  const auto alpha = static_cast<Real>(problem.calibration.alpha);
  const auto delta = static_cast<Real>(problem.calibration.delta);
  const bool howard = problem.maximizer == Maximizer::grid_howard;

  const Grids<Real> grids = make_grids<Real>(problem);
  const Real* K = grids.K.data();

  std::vector<Real> V0(problem.states());
  for (std::size_t s = 0; s < V0.size(); ++s) V0[s] = grids.V0[s / static_cast<std::size_t>(nk)];
  std::vector<Real> V(problem.states());
  std::vector<std::int32_t> policy(problem.states());
  std::vector<Real> available(problem.states());
  std::vector<std::int32_t> last(problem.states());
  for (std::size_t s = 0; s < problem.states(); ++s) {
    const auto points = static_cast<std::size_t>(nk);
    available[s] = resources(K[s % points], grids.Z[s / points], alpha, delta);
    last[s] = last_at_or_below(K, nk, available[s]);
  }

  int iteration = 0;
  Real difference = std::numeric_limits<Real>::infinity();
  while (difference >= static_cast<Real>(problem.tolerance) && iteration < problem.iteration_cap) {
    difference = 0;
    for (int j = 0; j < nz; ++j) {
      const Real* P = &grids.P[static_cast<std::size_t>(j * nz)];
      for (int i = 0; i < nk; ++i) {
        const auto state = static_cast<std::size_t>(j) * static_cast<std::size_t>(nk) +
                           static_cast<std::size_t>(i);
        const auto w = [&](int m) {
          const Real c = available[state] - K[m];
          return (gamma == Real(2) ? Real(-1) / c : utility(c, gamma)) +
                 beta * expected_value(P, V0.data(), nk, nz, m);
        };

        int low = problem.monotone && i > 0 ? policy[state - 1] : 0;
        int high = last[state];
        if (howard && !maximize_now(iteration)) {
          low = high = policy[state];
        } else if (!howard) {
          // Heer and Maussner (2005, p. 26): bisect until three points are left.
          while (high - low > 2) {
            const int middle = (low + high) / 2;
            if (w(middle + 1) > w(middle)) {
              low = middle;
            } else {
              high = middle + 1;
            }
          }
        }
        Real best = w(low);
        int best_index = low;
        for (int m = low + 1; m <= high; ++m) {
          const Real value = w(m);
          if (value > best) {
            best = value;
            best_index = m;
          }
        }
        V[state] = best;
        policy[state] = best_index;
        difference = std::max(difference, std::abs(best - V0[state]));
      }
    }
    std::swap(V, V0);
    ++iteration;
  }
  stages.finish();

  solution.V = V0;
  solution.policy = policy;
  solution.iterations = iteration;
  solution.difference = static_cast<double>(difference);
  solution.converged = difference < static_cast<Real>(problem.tolerance);
}

const RegisterSolver registered{
    {.name = "serial_tuned",
     .origin = Origin::corrected,
     .summary = "C++ tuned: the same search without powers and resources inside it",
     .axes = {published_maximizers, {"monotone"}, {"start"}},
     .solve_single = solve<float>,
     .solve_double = solve<double>,
     .hooks = {.floor = floor_of_search, .known_invalid = known_invalid_in_single},
     .source = __FILE__}};

}  // namespace

}  // namespace macrobench::rbc
