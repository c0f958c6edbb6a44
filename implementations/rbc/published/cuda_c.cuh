#pragma once

// Arrays, grid search and limits that cuda_c.cu and cuda_c_interpolated.cu have in common.

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "implementations/numerics/parallel/cublas.hpp"
#include "implementations/numerics/parallel/device.cuh"
#include "implementations/rbc/model.hpp"

namespace macrobench::rbc::cuda_c {

using numerics::check;
using numerics::CublasHandle;
using numerics::DeviceBuffer;

constexpr int capitals_per_block = 4;

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
template <template <class> class RightHandSide, class Real>
__device__ Best<Real> grid_search(const RightHandSide<Real>& w, int last) {
  Best<Real> best{w.value(0), 0};
  for (int i = 1; i <= last; ++i) {
    const Real candidate = w.value(i);
    if (candidate > best.value) best = {candidate, i};
  }
  return best;
}

/// Step 4: flow utility at the steady state, three powers for each state, as published; nk x nz.
template <class Real>
std::vector<Real> first_guess(const Problem& problem, const Grids<Real>& grids) {
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

/// The last V and policy to the checker.
template <class Real>
void write(const Problem& problem, const DeviceBuffer<Real>& V, const DeviceBuffer<Real>& policy,
           int iterations, Real difference, Solution<Real>& solution) {
  solution.iterations = iterations;
  solution.difference = difference;
  solution.converged = difference < problem.tolerance;
  transpose(problem, V, solution.V);
  transpose(problem, policy, solution.policy);
}

/// What is on the GPU.
template <class Real>
struct Arrays {
  explicit Arrays(const Problem& problem)
      : K(static_cast<std::size_t>(problem.nk)),
        Z(static_cast<std::size_t>(problem.nz)),
        P(Z.size() * Z.size()),
        V0(problem.states()),
        never_used(problem.states()),
        V(problem.states()),
        policy(problem.states()) {
    const Grids<Real> grids = make_grids<Real>(problem);
    const std::vector<Real> start_values = first_guess(problem, grids);
    K.upload(grids.K);
    Z.upload(grids.Z);
    P.upload(grids.P);
    V0.upload(start_values);
  }

  DeviceBuffer<Real> K, Z, P, V0;
  DeviceBuffer<Real> never_used;  ///< theirs has one, for a pointer that needs none
  DeviceBuffer<Real> V, policy;
};

inline std::string why_not_here() {
  const std::string no_gpu = numerics::no_gpu_here();
  return no_gpu.empty() ? numerics::Cublas::installed().why_not() : no_gpu;
}

inline std::string why_too_large(const Problem& problem) {
  constexpr std::size_t most = std::numeric_limits<int>::max();
  return problem.states() <= most ? "" : "cuBLAS counts at most 2^31 - 1 states";
}

}  // namespace macrobench::rbc::cuda_c
