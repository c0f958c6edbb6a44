// Value function iteration in CUDA C: one thread per state. After the CUDA C program of Aldrich,
// Fernandez-Villaverde, Gallant and Rubio-Ramirez (2011), as it is public. Productivity runs
// fastest in its arrays (V[i * nz + j]), a block is 4 capitals times all productivities, and cuBLAS
// takes the norm. All memory is allocated and all grids are made within the solution.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/model/stages.hpp"
#include "implementations/numerics/parallel/cublas.hpp"
#include "implementations/numerics/parallel/device.cuh"
#include "implementations/rbc/model.hpp"
#include "implementations/rbc/published/maximizers.hpp"
#include "implementations/rbc/solver.hpp"

namespace macrobench::rbc {

namespace {

using numerics::check;
using numerics::CublasHandle;
using numerics::DeviceBuffer;

constexpr int capitals_per_block = 4;

/// What the kernel gets by value. `choices` are of K': the capital grid, or the future grid.
template <class Real>
struct Economy {
  Real alpha, beta, gamma, delta;
  int nk, nz, n_choices;
  Real cells_per_choice;  ///< cells of the capital grid between two choices, `interpolated` only
  const Real *K, *Z, *P, *choices;
};

/// The right-hand side of the Bellman equation at one state.
template <class Real, Maximizer maximizer>
struct RightHandSide {
  const Economy<Real>& economy;
  Real available;     ///< Z K^alpha + (1-delta) K
  const Real* P_row;  ///< nz
  const Real* V0;     ///< nk x nz

  __device__ Real expectation(int choice) const {
    const int nz = economy.nz;
    Real sum = 0;
    if constexpr (maximizer == Maximizer::interpolated) {
      // Both grids are uniform on the same interval, so positions follow from the index alone.
      const Real position = static_cast<Real>(choice) * economy.cells_per_choice;
      const int cell = static_cast<int>(position);
      const int below = cell < economy.nk - 2 ? cell : economy.nk - 2;
      const Real weight = position - static_cast<Real>(below);
      const Real* V = V0 + below * nz;
      for (int l = 0; l < nz; ++l) {
        sum += P_row[l] * ((Real(1) - weight) * V[l] + weight * V[l + nz]);
      }
    } else {
      for (int l = 0; l < nz; ++l) sum += P_row[l] * V0[choice * nz + l];
    }
    return sum;
  }

  /// u(c) + beta E[V0]
  __device__ Real with(Real expected, int choice) const {
    return utility(available - economy.choices[choice], economy.gamma) + economy.beta * expected;
  }
  __device__ Real value(int choice) const { return with(expectation(choice), choice); }

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

/// The last choice that is at most `limit`; the first one if none is.
template <class Real>
__device__ int last_feasible(const Real* choices, int n, Real limit) {
  if (limit < choices[0]) return 0;
  if (limit > choices[n - 1]) return n - 1;
  int low = 0;
  int high = n - 1;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (choices[middle] == limit) return middle;
    if (choices[middle] > limit) {
      high = middle;
    } else {
      low = middle;
    }
  }
  return choices[high] > limit ? low : high;
}

/// A choice, and what it is worth.
template <class Real>
struct Best {
  Real value;
  int choice;
};

/// The first maximum over 0 .. last.
template <class Real, Maximizer maximizer>
__device__ Best<Real> grid_search(const RightHandSide<Real, maximizer>& w, int last) {
  Best<Real> best{w.value(0), 0};
  for (int i = 1; i <= last; ++i) {
    const Real candidate = w.value(i);
    if (candidate > best.value) best = {candidate, i};
  }
  return best;
}

/// The maximum where the right-hand side is concave (Heer and Maussner 2005, p. 26): bisects until
/// three choices are left, of which the last comparison has looked at two. Ties go low before that,
/// and high among the last three.
template <class Real, Maximizer maximizer>
__device__ Best<Real> bisection(const RightHandSide<Real, maximizer>& w, int last) {
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

/// One iteration at each state: V = max over K' of the right-hand side, and the policy G that
/// attains it; or, if it only evaluates, V at the policy of an earlier iteration. The policy is an
/// index in the arrays' own precision, as published.
template <class Real, Maximizer maximizer>
__global__ void iterate_once(const Economy<Real> economy, bool evaluates, const Real* V0, Real* V,
                             Real* G) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int j = static_cast<int>(threadIdx.y);
  if (i >= economy.nk) return;

  const Real available = resources(economy.K[i], economy.Z[j], economy.alpha, economy.delta);
  const RightHandSide<Real, maximizer> w{economy, available, economy.P + j * economy.nz, V0};
  const int state = i * economy.nz + j;
  if (evaluates) {
    V[state] = w.value(static_cast<int>(G[state]));
    return;
  }
  const int last = last_feasible(economy.choices, economy.n_choices, available);
  Best<Real> best;
  if constexpr (maximizer == Maximizer::bisection) {
    best = bisection(w, last);
  } else {
    best = grid_search(w, last);
  }
  V[state] = best.value;
  G[state] = static_cast<Real>(best.choice);
}

/// Flow utility at the steady state, three powers for each state, as published; nk x nz.
template <class Real>
std::vector<Real> start_at_every_state(const Problem& problem, const Grids<Real>& grids) {
  const Calibration& c = problem.calibration;
  std::vector<Real> V0(problem.states());
  std::size_t state = 0;
  for (int i = 0; i < problem.nk; ++i) {
    for (const double Z : grids.Z) {
      V0[state++] = static_cast<Real>(steady_state_utility(c, steady_state_capital(c, Z), Z));
    }
  }
  return V0;
}

/// From the published order to that of a Solution.
template <class Real, class To>
void transpose(const Problem& problem, const DeviceBuffer<Real>& from, std::vector<To>& to) {
  std::vector<Real> published(problem.states());
  from.download(published);
  std::size_t state = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(problem.nk); ++i) {
    for (std::size_t j = 0; j < static_cast<std::size_t>(problem.nz); ++j) {
      to[j * static_cast<std::size_t>(problem.nk) + i] = static_cast<To>(published[state++]);
    }
  }
}

template <class Real, Maximizer maximizer>
void iterate(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  const CublasHandle& cublas = CublasHandle::of_this_process();
  stages.enter("set_up");
  const std::size_t states = problem.states();
  DeviceBuffer<Real> K(static_cast<std::size_t>(problem.nk));
  DeviceBuffer<Real> Z(static_cast<std::size_t>(problem.nz));
  DeviceBuffer<Real> P(Z.size() * Z.size());
  DeviceBuffer<Real> V0(states);
  const DeviceBuffer<Real> never_used(states);  // theirs has one, for a pointer that needs none
  DeviceBuffer<Real> V(states);
  DeviceBuffer<Real> G(states);

  const Grids<Real> grids = make_grids<Real>(problem);
  const std::vector<Real> start_values = start_at_every_state(problem, grids);
  K.upload(grids.K);
  Z.upload(grids.Z);
  P.upload(grids.P);
  V0.upload(start_values);

  const Calibration& c = problem.calibration;
  Economy<Real> economy{.alpha = static_cast<Real>(c.alpha),
                        .beta = static_cast<Real>(c.beta),
                        .gamma = static_cast<Real>(c.gamma),
                        .delta = static_cast<Real>(c.delta),
                        .nk = problem.nk,
                        .nz = problem.nz,
                        .n_choices = problem.nk,
                        .cells_per_choice = 0,
                        .K = K.data(),
                        .Z = Z.data(),
                        .P = P.data(),
                        .choices = K.data()};
  std::optional<DeviceBuffer<Real>> future;
  if (maximizer == Maximizer::interpolated) {
    future.emplace(future_grid<Real>(problem));
    economy.choices = future->data();
    economy.n_choices = problem.future_points;
    economy.cells_per_choice =
        static_cast<Real>(problem.nk - 1) / static_cast<Real>(problem.future_points - 1);
  }

  stages.enter("iteration");
  const dim3 block(capitals_per_block, static_cast<unsigned>(problem.nz));
  const unsigned blocks = (static_cast<unsigned>(problem.nk) + block.x - 1) / block.x;
  const int n = static_cast<int>(states);
  int iterations = 0;
  Real difference = 0;
  bool converged = false;
  while (!converged && iterations < problem.iteration_cap) {
    const bool evaluates = evaluates_policies(maximizer) && !maximise_now(iterations);
    iterate_once<Real, maximizer>
        <<<blocks, block>>>(economy, evaluates, V0.data(), V.data(), G.data());
    check(cudaGetLastError(), "launching one thread per state");
    cublas.axpy(n, Real(-1), V.data(), V0.data());  // V0 -= V
    const Real* const largest = V0.data() + cublas.index_of_largest(n, V0.data());
    check(cudaMemcpy(&difference, largest, sizeof(Real), cudaMemcpyDeviceToHost),
          "iterating on the value function");
    difference = std::abs(difference);
    std::swap(V0, V);
    ++iterations;
    converged = difference < problem.tolerance;
  }
  stages.finish();

  solution.iterations = iterations;
  solution.difference = difference;
  solution.converged = converged;
  transpose(problem, V0, solution.V);
  transpose(problem, G, solution.policy);
}

template <class Real>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  with_published(problem.maximizer, [&]<Maximizer maximizer>() {
    iterate<Real, maximizer>(problem, stages, solution);
  });
}

void start(const Problem& problem) {
  CublasHandle::of_this_process();
  with_published(problem.maximizer, [&]<Maximizer its>() {
    numerics::load_kernels(iterate_once<float, its>, iterate_once<double, its>);
  });
}

std::string why_not_here() {
  const std::string no_gpu = numerics::no_gpu_here();
  return no_gpu.empty() ? numerics::Cublas::installed().why_not() : no_gpu;
}

std::string why_too_large(const Problem& problem) {
  constexpr std::size_t most = std::numeric_limits<int>::max();
  return problem.states() <= most ? "" : "cuBLAS counts at most 2^31 - 1 states";
}

const RegisterSolver registered{{.name = "cuda_c",
                                 .origin = Origin::published,
                                 .summary = "CUDA C, one thread per state",
                                 .axes = {published_maximizers, {"future_points"}, {"layout"}},
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
