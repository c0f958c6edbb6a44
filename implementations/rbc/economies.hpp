#pragma once

// A batch: one problem for many calibrations. They are a user's, a row of a file each; or economy 0
// has the problem's own, and the others' are drawn around it, each parameter uniformly and by
// itself:
//
//   1 - beta    within 25%          gamma       within 50%
//   alpha       within 10%          delta       within 25%
//   1 - rho     within 30%          sigma       within 30%
//
// Of each economy a solution keeps a small sample: at a few states of its own, V, the choice, and V
// at that choice and beside it at every productivity. That is enough to evaluate the Bellman
// equation there. Some economies are kept in full as well.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "implementations/numerics/batch/economies.hpp"
#include "implementations/numerics/parallel/host_device.hpp"
#include "implementations/rbc/model.hpp"

namespace macrobench::rbc {

/// The parameters that a user's file can give.
std::vector<std::string> varied_names();

/// The problem of one economy of a batch, from 0 on, on one thread.
Problem economy_of(const Problem& problem, int economy);

/// The calibration in words, for messages: "beta = 0.98, gamma = 2.1, ...".
std::string words_of(const Calibration& calibration);

inline constexpr int states_per_sample = 8;  ///< of each economy

/// A state by its indices of capital and productivity.
struct State {
  int i, j;
};

/// The n-th sampled state of an economy.
State sampled_state(const Problem& problem, int economy, int n);

/// The capitals at which a sampled state's choice keeps V: the one below, its own, the one above.
/// At an end of the grid two of them are the same.
struct Around {
  std::int32_t choice[3];
};
MACROBENCH_HOST_DEVICE inline Around around(int nk, std::int32_t choice) {
  return {{choice > 0 ? choice - 1 : 0, choice, choice < nk - 1 ? choice + 1 : nk - 1}};
}

/// Numbers that a sampled state keeps: V there, then V at the three capitals around its choice at
/// every productivity, shape 3 x nz.
std::size_t sample_size(const Problem& problem);

/// Those that are kept in full: as many as have 2^21 states together, and one at least.
numerics::KeptInFull kept_in_full(const Problem& problem);

/// Puts the solution of one economy where it belongs in that of the batch. Different economies can
/// be kept side by side.
template <class Real>
void keep(const Problem& problem, int economy, const Solution<Real>& one, Solution<Real>& batch);

/// The batch's own count, difference and convergence: of the worst.
template <class Real>
void conclude(Solution<Real>& batch);

}  // namespace macrobench::rbc
