#pragma once

// What the Thrust program does at one state (K_i, Z_j), on whatever device: the right-hand side of
// the Bellman equation, and the search for its maximum (steps 8 to 12 of Algorithm 1).

#include <cstddef>
#include <cstdint>

#include "implementations/numerics/parallel/host_device.hpp"
#include "implementations/rbc/model.hpp"

namespace macrobench::rbc {

/// In the device's memory.
template <class Real, Maximizer maximizer>
struct RightHandSide {
  Real alpha, beta, gamma, delta;
  int nk, nz;
  const Real *K, *Z, *P;
  const Real* V0;

  /// Z K^alpha + (1-delta) K and the row of P, at a state.
  struct State {
    Real available;
    const Real* P_row;
  };
  struct Best {
    Real value;
    std::int32_t choice;
  };

  [[nodiscard]] MACROBENCH_HOST_DEVICE State at(int i, int j) const {
    return {resources(K[i], Z[j], alpha, delta), P + j * nz};
  }

  /// At its place in V.
  [[nodiscard]] MACROBENCH_HOST_DEVICE State at(std::ptrdiff_t state) const {
    const std::ptrdiff_t j = state / nk;
    return at(static_cast<int>(state - j * nk), static_cast<int>(j));
  }

  /// Step 9: u(c) + beta E[V0]
  [[nodiscard]] MACROBENCH_HOST_DEVICE Real value(const State& state, int choice) const {
    return utility(state.available - K[choice], gamma) +
           beta * expected_value(state.P_row, V0, nk, nz, choice);
  }

  /// The values of a choice and of the next, whose expectations are formed side by side, as in the
  /// authors' programs: on a CPU that takes a tenth less than one after the other.
  struct TwoValues {
    Real first, second;
  };
  [[nodiscard]] MACROBENCH_HOST_DEVICE TwoValues two_values(const State& state, int choice) const {
    TwoValues expected{};
    const Real* at_choice = V0 + choice;
    for (int l = 0; l < nz; ++l, at_choice += nk) {
      expected.first += state.P_row[l] * at_choice[0];
      expected.second += state.P_row[l] * at_choice[1];
    }
    return {utility(state.available - K[choice], gamma) + beta * expected.first,
            utility(state.available - K[choice + 1], gamma) + beta * expected.second};
  }

  /// The first maximum over low .. high.
  [[nodiscard]] MACROBENCH_HOST_DEVICE Best grid_search(const State& state, int low,
                                                        int high) const {
    Best best{value(state, low), low};
    for (int i = low + 1; i <= high; ++i) {
      const Real candidate = value(state, i);
      if (candidate > best.value) best = {candidate, i};
    }
    return best;
  }

  /// The maximum where the right-hand side is concave (Heer and Maussner 2005, p. 26): bisect until
  /// three choices are left, of which the last comparison has looked at two. Ties go low before
  /// that, and high among the last three.
  [[nodiscard]] MACROBENCH_HOST_DEVICE Best bisection(const State& state, int low, int high) const {
    if (high - low <= 2) return grid_search(state, low, high);
    Real at_middle = 0;
    Real after_it = 0;
    do {
      const int middle = (low + high) / 2;
      const TwoValues values = two_values(state, middle);
      at_middle = values.first;
      after_it = values.second;
      if (after_it > at_middle) {
        low = middle;
      } else {
        high = middle + 1;
      }
    } while (high - low > 2);
    if (after_it > at_middle) {
      const Real at_high = value(state, high);
      return after_it > at_high ? Best{after_it, low + 1} : Best{at_high, high};
    }
    const Real at_low = value(state, low);
    return at_low > at_middle ? Best{at_low, low} : Best{at_middle, low + 1};
  }

  /// Steps 8 to 11, over all feasible choices.
  [[nodiscard]] MACROBENCH_HOST_DEVICE Best maximize(const State& state) const {
    const int feasible = last_at_or_below(K, nk, state.available);
    const int last = feasible > 0 ? feasible : 0;
    if constexpr (maximizer == Maximizer::bisection) {
      return bisection(state, 0, last);
    } else {
      return grid_search(state, 0, last);
    }
  }
};

/// Still without a V0; `first_of` gives the address of the first element of an array on the device.
template <class Real, Maximizer maximizer, class Array, class FirstOf>
RightHandSide<Real, maximizer> right_hand_side_of(const Problem& problem, const Array& K,
                                                  const Array& Z, const Array& P,
                                                  const FirstOf& first_of) {
  const Calibration& c = problem.calibration;
  return {.alpha = static_cast<Real>(c.alpha),
          .beta = static_cast<Real>(c.beta),
          .gamma = static_cast<Real>(c.gamma),
          .delta = static_cast<Real>(c.delta),
          .nk = problem.nk,
          .nz = problem.nz,
          .K = first_of(K),
          .Z = first_of(Z),
          .P = first_of(P),
          .V0 = nullptr};
}

}  // namespace macrobench::rbc
