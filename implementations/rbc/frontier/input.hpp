#pragma once

// What the kernel of frontier_cuda reads of an economy, and how it starts: made on the host, for
// one economy or for thousands.

#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "implementations/rbc/frontier/continuous.hpp"
#include "implementations/rbc/model.hpp"

namespace macrobench::rbc::frontier {

/// A solver's own target for half the range of T V - V, as a share of the tolerance. Where the
/// rounding of resources can change utility by more than the rest, two processors' powers, each
/// good to a unit in its last place, pose two problems whose solutions are further apart than the
/// tolerance. Then K^alpha comes from the host. (Impatient, very risk-averse households, who
/// consume little: gamma = 12 and beta = .4, for example.)
inline constexpr double of_resources = 0.02;

/// Where the tolerance is at least this share of V, utility need not be exact to the last unit.
inline constexpr double least_of_quick = 1e-12;

/// All in one array, and where each piece of it begins.
struct Input {
  static constexpr std::ptrdiff_t none = -1;

  double low = 0, step = 0;  ///< of the grid of capital
  int doublings = 0;         ///< rows of `discount`
  int terms = 0;             ///< of each series; 0: there is no continuous solution
  double shift = 0;          ///< to add to the series V
  double scale = HUGE_VAL;   ///< at least max |V|; without a continuous solution nothing is known
  /// Whether the continuous V is expected to be good enough as it is.
  bool in_one_pass = false;

  std::vector<double> numbers;
  std::ptrdiff_t Z = none;              ///< nz
  std::ptrdiff_t beta_P = none;         ///< nz x nz: beta P(j,l)
  std::ptrdiff_t discount = none;       ///< floats, doublings x nz: (beta P(j,j))^(2^k)
  std::ptrdiff_t resolvent = none;      ///< (I - beta P)^-1; none where the coupling is weak
  std::ptrdiff_t coupling = none;       ///< (I - beta P)^-1 beta (P - diag P); with resolvent
  std::ptrdiff_t means = none;          ///< nz, for the kernel to write to; with resolvent
  std::ptrdiff_t series = none;         ///< nz x terms: V's
  std::ptrdiff_t series_policy = none;  ///< nz x terms: the policy's, in units of capital
};

/// The continuous solution, where it saves more than it costs.
std::optional<ContinuousSolution> continuous_start(const Problem& problem);

/// `continuous` may be null. Throws std::invalid_argument if a state has no feasible choice.
Input input_of(const Problem& problem, const ContinuousSolution* continuous);

/// Those of the economies first .. first+count-1 of a batch, each from its continuous solution, on
/// `problem.threads` threads; without one an economy's is empty.
std::vector<Input> inputs_of(const Problem& problem, int first, int count);

}  // namespace macrobench::rbc::frontier
