// Value function iteration in CUDA C: Algorithm 1 of Aldrich (2014), whose steps are numbered
// below, with one thread per state. After the CUDA C program of Aldrich, Fernandez-Villaverde,
// Gallant and Rubio-Ramirez (2011), as it is public. Productivity runs fastest in its arrays (V[i *
// nz + j]), a block is 4 capitals times all productivities, and cuBLAS takes the norm. All memory
// is allocated and all grids are made within the solution.

#include <cmath>
#include <limits>
#include <utility>

#include "harness/model/stages.hpp"
#include "implementations/numerics/parallel/cublas.hpp"
#include "implementations/numerics/parallel/device.cuh"
#include "implementations/rbc/model.hpp"
#include "implementations/rbc/published/cuda_c.cuh"
#include "implementations/rbc/published/maximizers.hpp"
#include "implementations/rbc/solver.hpp"

namespace macrobench::rbc {

namespace {

using namespace cuda_c;

/// What the kernel gets by value.
template <class Real>
struct Economy {
  Real alpha, beta, gamma, delta;
  int nk, nz;
  const Real *K, *Z, *P;
};

/// The right-hand side of the Bellman equation at one state.
template <class Real>
struct RightHandSide {
  const Economy<Real>& economy;
  Real available;     ///< Z K^alpha + (1-delta) K
  const Real* P_row;  ///< nz
  const Real* V0;     ///< nk x nz

  /// Step 9: u(c) + beta E[V0]
  __device__ Real with(Real expected, int choice) const {
    return utility(available - economy.K[choice], economy.gamma) + economy.beta * expected;
  }
  __device__ Real value(int choice) const {
    Real expected = 0;
    for (int l = 0; l < economy.nz; ++l) expected += P_row[l] * V0[choice * economy.nz + l];
    return with(expected, choice);
  }

  /// At a choice and the next one, whose expectations are summed side by side.
  __device__ void two_values(int choice, Real& first, Real& second) const {
    const int nz = economy.nz;
    const Real* V = V0 + choice * nz;
    Real of_first = 0;
    Real of_second = 0;
    for (int l = 0; l < nz; ++l) {
      of_first += P_row[l] * V[l];
      of_second += P_row[l] * V[l + nz];
    }
    first = with(of_first, choice);
    second = with(of_second, choice + 1);
  }
};

/// The maximum where the right-hand side is concave (Heer and Maussner 2005, p. 26): bisects until
/// three choices are left, of which the last comparison has looked at two. Ties go low before that,
/// and high among the last three.
template <class Real>
__device__ Best<Real> bisection(const RightHandSide<Real>& w, int last) {
  if (last < 3) return grid_search(w, last);
  int low = 0;
  int high = last;
  Real at_middle, after_it;
  do {
    const int middle = (low + high) / 2;
    w.two_values(middle, at_middle, after_it);
    if (after_it > at_middle) {
      low = middle;
    } else {
      high = middle + 1;
    }
  } while (high - low > 2);
  if (after_it > at_middle) {
    const Real at_high = w.value(high);
    return after_it > at_high ? Best<Real>{after_it, low + 1} : Best<Real>{at_high, high};
  }
  const Real at_low = w.value(low);
  return at_low > at_middle ? Best<Real>{at_low, low} : Best<Real>{at_middle, low + 1};
}

/// Steps 8 to 11, over all feasible choices.
template <Maximizer maximizer, class Real>
__device__ Best<Real> maximize(const RightHandSide<Real>& w) {
  const int last = last_feasible(w.economy.K, w.economy.nk, w.available);
  if constexpr (maximizer == Maximizer::bisection) {
    return bisection(w, last);
  } else {
    return grid_search(w, last);
  }
}

/// Steps 6 to 13 at one state; Howard's step leaves the policy as it is, an index in the arrays'
/// own precision, as published.
template <class Real, Maximizer maximizer>
__global__ void step(const Economy<Real> economy, bool maximizes, const Real* V0, Real* V,
                     Real* policy) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int j = static_cast<int>(threadIdx.y);
  if (i >= economy.nk) return;

  const Real available = resources(economy.K[i], economy.Z[j], economy.alpha, economy.delta);
  const RightHandSide<Real> w{economy, available, economy.P + j * economy.nz, V0};
  const int state = i * economy.nz + j;
  if (maximizes) {
    const Best<Real> best = maximize<maximizer>(w);
    V[state] = best.value;
    policy[state] = static_cast<Real>(best.choice);
  } else {
    V[state] = w.value(static_cast<int>(policy[state]));
  }
}

template <Maximizer maximizer, class Real>
void iterate(const Problem& problem, Stages& stages, Arrays<Real>& arrays,
             Solution<Real>& solution) {
  const CublasHandle& cublas = CublasHandle::of_this_process();
  stages.enter("iteration");
  auto& [K, Z, P, V0, never_used, V, policy] = arrays;
  const Calibration& c = problem.calibration;
  const Economy<Real> economy{.alpha = static_cast<Real>(c.alpha),
                              .beta = static_cast<Real>(c.beta),
                              .gamma = static_cast<Real>(c.gamma),
                              .delta = static_cast<Real>(c.delta),
                              .nk = problem.nk,
                              .nz = problem.nz,
                              .K = K.data(),
                              .Z = Z.data(),
                              .P = P.data()};
  const dim3 block(capitals_per_block, static_cast<unsigned>(problem.nz));
  const unsigned blocks = (static_cast<unsigned>(problem.nk) + block.x - 1) / block.x;
  const int n = static_cast<int>(problem.states());
  int iterations = 0;
  Real difference = std::numeric_limits<Real>::infinity();                         // 1
  while (difference >= problem.tolerance && iterations < problem.iteration_cap) {  // 5
    const bool maximizes = maximizer == Maximizer::bisection || maximize_now(iterations);
    step<Real, maximizer>  // 6 to 13
        <<<blocks, block>>>(economy, maximizes, V0.data(), V.data(), policy.data());
    check(cudaGetLastError(), "launching one thread per state");
    cublas.axpy(n, Real(-1), V.data(), V0.data());  // V0 -= V
    const Real* const largest = V0.data() + cublas.index_of_largest(n, V0.data());
    check(cudaMemcpy(&difference, largest, sizeof(Real), cudaMemcpyDeviceToHost),
          "iterating on the value function");
    difference = std::abs(difference);  // 14
    std::swap(V0, V);                   // 15
    ++iterations;
  }  // 16
  stages.finish();
  write(problem, V0, policy, iterations, difference, solution);
}

template <class Real>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  CublasHandle::of_this_process();
  stages.enter("set_up");
  Arrays<Real> arrays(problem);  // 2 to 4
  with_published(problem.maximizer, [&]<Maximizer maximizer>() {
    iterate<maximizer>(problem, stages, arrays, solution);
  });
}

void start(const Problem& problem) {
  CublasHandle::of_this_process();
  with_published(problem.maximizer, [&]<Maximizer its>() {
    numerics::load_kernels(step<float, its>, step<double, its>);
  });
}

const RegisterSolver registered{{.name = "cuda_c",
                                 .origin = Origin::published,
                                 .summary = "CUDA C, one thread per state",
                                 .axes = {published_maximizers, {"layout"}},
                                 .runs_on = RunsOn::gpu,
                                 .unavailable = why_not_here,
                                 .start = start,
                                 .solve_single = solve<float>,
                                 .solve_double = solve<double>,
                                 .hooks = {.floor = floor_of_search,
                                           .unavailable = why_too_large,
                                           .known_invalid = known_invalid_in_single},
                                 .source = __FILE__}};

}  // namespace

}  // namespace macrobench::rbc
