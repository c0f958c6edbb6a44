#pragma once

// A batch: one problem for many calibrations. They are a user's, a row of a file each; or economy 0
// has the problem's own, and the others' are drawn around it, each parameter uniformly and by
// itself:
//
//   sigma           within 50%      1 - beta          within 25%
//   r               within 25%      w                 within 10%
//   sigma_eps       within 30%      1 - lambda_eps    within 30%
//
// Of each economy a solution keeps a small sample: at a few states of its own, V, the best choice,
// and V of the next age at that choice and beside it at every shock. That is enough to evaluate the
// Bellman equation there. Some economies are kept in full as well.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "implementations/lifecycle/model.hpp"
#include "implementations/numerics/batch/economies.hpp"
#include "implementations/numerics/parallel/host_device.hpp"

namespace macrobench::lifecycle {

/// The parameters that a user's file can give.
std::vector<std::string> varied_names();

/// The problem of one economy of a batch, from 0 on, on one thread.
Problem economy_of(const Problem& problem, int economy);

/// The calibration in words, for messages: "sigma = 2.1, beta = 0.97, ...".
std::string words_of(const Calibration& calibration);

/// The grids of as many economies from `first` on, one after the other: of each x, e and P,
/// grid_numbers() in all. On `problem.threads` threads.
std::vector<float> grids_of_economies(const Problem& problem, int first, int count);
std::size_t grid_numbers(const Problem& problem);

inline constexpr int states_per_sample = 4;  ///< of each economy

/// A state by its age, from 1 on, and its indices of savings and shock.
struct State {
  int age, ix, ie;
};

/// The n-th sampled state of an economy.
State sampled_state(const Problem& problem, int economy, int n);

/// The savings at which a sampled state keeps V of the next age: below its choice, there, above.
/// At an end of the grid two of them are the same.
struct Around {
  std::int32_t choice[3];
};
MACROBENCH_HOST_DEVICE inline Around around(int nx, std::int32_t choice) {
  return {{choice > 0 ? choice - 1 : 0, choice, choice < nx - 1 ? choice + 1 : nx - 1}};
}

/// Numbers that a sampled state keeps: V there, then V of the next age at the three savings around
/// its choice at every shock, shape 3 x ne; 0 at age T.
std::size_t sample_size(const Problem& problem);

/// Those that are kept in full: as many as have 2^22 values together, and one at least.
numerics::KeptInFull kept_in_full(const Problem& problem);

/// Puts the solution of one economy where it belongs in that of the batch. Different economies can
/// be kept side by side.
template <class Real>
void keep(const Problem& problem, int economy, const Solution<Real>& one, Solution<Real>& batch);

}  // namespace macrobench::lifecycle
