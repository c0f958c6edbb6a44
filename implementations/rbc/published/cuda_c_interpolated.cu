// The algorithm that the 2010 paper mentions in a sentence, in CUDA C: future capital is on its
// own uniform grid, and V between the points of the capital grid is piecewise linear.
// cuda_c.cu has the program, whose steps are numbered likewise.

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "harness/model/stages.hpp"
#include "implementations/rbc/model.hpp"
#include "implementations/rbc/published/cuda_c.cuh"
#include "implementations/rbc/solver.hpp"

namespace macrobench::rbc {

namespace {

using namespace cuda_c;

/// The kernel's argument, by value.
template <class Real>
struct Economy {
  Real alpha, beta, gamma, delta;
  int nk, nz, future_points;
  const Real *K, *Z, *P, *choices;
  Real cells_per_choice;  ///< cells of the capital grid between two choices of K'
};

/// The right-hand side of the Bellman equation at one state.
template <class Real>
struct RightHandSide {
  const Economy<Real>& economy;
  Real available;     ///< Z K^alpha + (1-delta) K
  const Real* P_row;  ///< nz
  const Real* V0;     ///< nk x nz

  /// Step 9: u(c) + beta E[V0]
  __device__ Real value(int choice) const {
    const int nz = economy.nz;
    // Both grids are uniform on the same interval, so positions follow from the index alone.
    const Real position = static_cast<Real>(choice) * economy.cells_per_choice;
    const int cell = static_cast<int>(position);
    const int below = cell < economy.nk - 2 ? cell : economy.nk - 2;
    const Real weight = position - static_cast<Real>(below);
    const Real* V = V0 + below * nz;
    Real expected = 0;
    for (int l = 0; l < nz; ++l) {
      expected += P_row[l] * ((Real(1) - weight) * V[l] + weight * V[l + nz]);
    }
    return utility(available - economy.choices[choice], economy.gamma) + economy.beta * expected;
  }
};

/// Steps 6 to 13 at one state; Howard's step leaves the policy as it is, an index in the arrays'
/// own precision, as published.
template <class Real>
__global__ void step(const Economy<Real> economy, bool maximizes, const Real* V0, Real* V,
                     Real* policy) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int j = static_cast<int>(threadIdx.y);
  if (i >= economy.nk) return;

  const Real available = resources(economy.K[i], economy.Z[j], economy.alpha, economy.delta);
  const RightHandSide<Real> w{economy, available, economy.P + j * economy.nz, V0};
  const int state = i * economy.nz + j;
  if (maximizes) {
    const int last = last_feasible(economy.choices, economy.future_points, available);
    const Best<Real> best = grid_search(w, last);
    V[state] = best.value;
    policy[state] = static_cast<Real>(best.choice);
  } else {
    V[state] = w.value(static_cast<int>(policy[state]));
  }
}

template <class Real>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  const CublasHandle& cublas = CublasHandle::of_this_process();
  stages.enter("set_up");
  Arrays<Real> arrays(problem);  // 2 to 4
  const DeviceBuffer<Real> choices(future_grid<Real>(problem));
  stages.enter("iteration");
  auto& [K, Z, P, V0, never_used, V, policy] = arrays;
  const Calibration& c = problem.calibration;
  const Economy<Real> economy{.alpha = static_cast<Real>(c.alpha),
                              .beta = static_cast<Real>(c.beta),
                              .gamma = static_cast<Real>(c.gamma),
                              .delta = static_cast<Real>(c.delta),
                              .nk = problem.nk,
                              .nz = problem.nz,
                              .future_points = problem.future_points,
                              .K = K.data(),
                              .Z = Z.data(),
                              .P = P.data(),
                              .choices = choices.data(),
                              .cells_per_choice = static_cast<Real>(problem.nk - 1) /
                                                  static_cast<Real>(problem.future_points - 1)};
  const dim3 block(capitals_per_block, static_cast<unsigned>(problem.nz));
  const unsigned blocks = (static_cast<unsigned>(problem.nk) + block.x - 1) / block.x;
  const int n = static_cast<int>(problem.states());
  int iterations = 0;
  Real difference = std::numeric_limits<Real>::infinity();                         // 1
  while (difference >= problem.tolerance && iterations < problem.iteration_cap) {  // 5
    step<<<blocks, block>>>(economy, maximize_now(iterations), V0.data(), V.data(), policy.data());
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

void start(const Problem& /*problem*/) {
  CublasHandle::of_this_process();
  numerics::load_kernels(step<float>, step<double>);
}

std::string why_not_this(const Problem& problem) {
  const std::string too_large = why_too_large(problem);
  return too_large.empty() ? why_no_such_capital(problem) : too_large;
}

const RegisterSolver registered{
    {.name = "cuda_c_interpolated",
     .origin = Origin::published,
     .summary = "cuda_c with future capital on its own grid, V piecewise linear",
     .axes = {{"maximizer", {"interpolated"}}, {"future_points"}, {"layout"}},
     .runs_on = RunsOn::gpu,
     .unavailable = why_not_here,
     .start = start,
     .solve_single = solve<float>,
     .solve_double = solve<double>,
     .hooks = {.floor = floor_of_search,
               .unavailable = why_not_this,
               .known_invalid = known_invalid_in_single},
     .source = __FILE__}};

}  // namespace

}  // namespace macrobench::rbc
