#pragma once

// Policy iteration on one capital grid, whatever the calibration: by all blocks of a cooperative
// kernel, or by one block, so that a batch of economies has one in each. Both give the same bits.
//
// A pass improves the policy, which also gives the residual r = T V - V, and then adds to V the
// solution e_j of
//
//   e_j(i) = r_j(i) + beta P(j,j) e_j(p_j(i))
//
// for every productivity j at once: this is policy evaluation without the coupling between
// productivities. Along a policy p this is a linear recurrence, and pointer jumping solves it in
// log2(1 / (1 - beta P(j,j))) steps or so, all states in parallel:
//
//   e <- e + a e(p),  p <- p(p),  a <- a^2.
//
// If the coupling is strong, two more things are done. Capital that rests at every productivity
// has its value in closed form, (I - beta P)^-1 u. And while there is no such capital, each
// productivity gets the constant that would correct the effect of its neighbours' e if e_l were
// constant: the sum over l of C(j,l) mean(e_l), C = (I - beta P)^-1 beta (P - diag P).
//
// Where capital comes to rest (p(i) = i) a plain sweep would gain only a factor beta P(j,j). As e
// is a correction, single precision is enough for it; V and r are in double.
//
// It is sound because of increasing differences. u is concave and y rises with K, so that
// u(y - K') - u(y - K'') rises with K where K' > K'', for any V: the lowest maximiser rises with K
// (Topkis 1978), and a state's preference between two choices holds for all states on one side.

#include <cooperative_groups.h>

#include <cfloat>
#include <climits>
#include <cstddef>
#include <cstdint>

#include "implementations/numerics/batch/economies.cuh"
#include "implementations/rbc/economies.hpp"
#include "implementations/rbc/frontier/cpu.hpp"
#include "implementations/rbc/frontier/input.hpp"
#include "implementations/rbc/model.hpp"

namespace macrobench::rbc::frontier {

/// The model in device memory. The grid of capital is low + i step.
struct Economy {
  double alpha, beta, gamma, delta;
  double low, step;
  int nk, nz;
  const double* Z;       ///< nz
  const double* betaP;   ///< nz x nz: beta P(j,l)
  const double* output;  ///< nk: K^alpha as the host rounds it, or null: then it is computed
  bool is_quick;         ///< utility may be off by some units in its last place

  /// Rounded as on the host, where no multiply-add is fused: the feasible sets must agree.
  __device__ double capital(int i) const { return __dadd_rn(low, __dmul_rn(i, step)); }

  /// K_i^alpha.
  __device__ double power(int i) const {
    return output == nullptr ? pow(capital(i), alpha) : output[i];
  }
  __device__ double available(int i, int j) const { return available(i, j, power(i)); }
  /// The same, given K^alpha.
  __device__ double available(int i, int j, double power) const {
    return __dadd_rn(__dmul_rn(Z[j], power), __dmul_rn(1 - delta, capital(i)));
  }

  /// utility(); if it is quick, to 1 + |(1 - gamma) log c| units in the last place.
  __device__ double flow(double consumption) const {
    if (gamma == 2) return -1 / consumption;
    if (gamma == 1) return log(consumption);
    if (!is_quick) return utility(consumption, gamma);
    return exp((1 - gamma) * log(consumption)) / (1 - gamma);
  }

  /// flow(other) from flow(c): by a series if they are near, which spares a power.
  __device__ double flow_beside(double its_flow, double c, double other) const {
    const double x = (other - c) / c;
    if (!(fabs(x) * (gamma + 6) <= 3e-3)) return flow(other);  // else the next term is below 1e-17
    const double s = 1 - gamma;
    const double marginal = s == 0 ? 1 : s * its_flow;  // times c
    const double series =
        1 + (s - 1) / 2 * x * (1 + (s - 2) / 3 * x * (1 + (s - 3) / 4 * x * (1 + (s - 4) / 5 * x)));
    return its_flow + marginal * x * series;
  }

  __device__ bool is_feasible(int choice, double y) const {
    return choice < nk && capital(choice) <= y;
  }

  __device__ int last_feasible(double y) const {
    int last = min(static_cast<int>(fmin((y - low) / step, static_cast<double>(nk))), nk - 1);
    while (last > 0 && capital(last) > y) --last;
    while (last < nk - 1 && capital(last + 1) <= y) ++last;
    return last;
  }
};

enum class Start {
  as_it_is,    ///< V and policy are there
  continuous,  ///< from the Chebyshev series of the continuous problem
  coarser,     ///< interpolated from a coarser grid
  nothing      ///< keep capital forever where that is feasible
};

enum class Search {
  climb,  ///< from the last policy: needs a single peak, which is tested in the end
  divide  ///< divide and conquer: exhaustive by increasing differences, needs `expected`
};

/// What a launch found. The residual is T V - V, exhaustive where `certified`.
struct Report {
  double residual;  ///< max |V - T V|, of the V returned
  double rounding;  ///< what the rounding of resources does to utility, where converged
  int passes;
  int converged;
  int certified;
};

/// Zero on entry.
struct Control {
  unsigned long long highest[2];  ///< ordered(max r) in even and in odd passes
  unsigned long long lowest[2];   ///< ordered(-min r)
  int rests[2];                   ///< whether some capital rests, likewise
  int peaks;                      ///< whether more than a single peak was found
  Report report;
};

/// One capital grid and all that the kernel works on. Every array is nz x nk unless stated
/// otherwise.
struct Level {
  Economy economy;
  double* V;
  std::int32_t* policy;
  double* expected;    ///< beta E[V | Z_j], or null: then it is computed where needed
  float* error;        ///< e, twice; null if there is room for only one pass
  std::int32_t* jump;  ///< where the policy leads, twice; with error
  bool in_shared;      ///< there is shared memory for the recurrence of one productivity
  int doublings;
  const float* discount;  ///< doublings x nz: (beta P(j,j))^(2^k)
  Control* control;
  const double* resolvent;  ///< (I - beta P)^-1, nz x nz, or null where the coupling is weak
  const double* coupling;   ///< C, nz x nz, or null; with resolvent
  double* means;            ///< nz, with coupling

  const double* series;         ///< V's, nz x terms, in t = -1 .. 1
  const double* series_policy;  ///< the policy's, in units of capital
  int terms;
  double shift;  ///< to add to the series V

  const double* coarse_V;  ///< nz x coarse_nk
  const std::int32_t* coarse_policy;
  int coarse_nk;
};

/// What to do with it.
struct Task {
  Start start;
  double tolerance;  ///< the problem's
  int passes;        ///< at most, >= 1

  /// On half the range of T V - V, without what rounding does to V.
  [[nodiscard]] __device__ double target() const { return (1 - of_resources) * tolerance; }
};

/// Bytes of shared memory that the recurrence of one productivity takes.
inline std::size_t shared_bytes(int nk) {
  return 2 * static_cast<std::size_t>(nk) * (sizeof(float) + sizeof(std::int32_t));
}

namespace device {

inline constexpr int warp = 32;
inline constexpr int samples = 32;  ///< of e, for its mean

/// Residuals below so many roundings of V are not worth a policy evaluation, which would amplify
/// the noise in them: V = T V then does better.
inline constexpr double near_rounding = 16;

/// Orders doubles as unsigned integers, NaN above all, whatever its sign (a GPU's is negative):
/// maxima are then exact in any order, and no NaN is lost.
__device__ inline unsigned long long ordered(double x) {
  if (isnan(x)) return ULLONG_MAX;
  const auto bits = static_cast<unsigned long long>(__double_as_longlong(x));
  return bits >> 63 != 0 ? ~bits : bits | 1ULL << 63;
}
__device__ inline double from_ordered(unsigned long long key) {
  const unsigned long long bits = key >> 63 != 0 ? key & ~(1ULL << 63) : ~key;
  return __longlong_as_double(static_cast<long long>(bits));
}

/// Raises *maximum to the largest key of the block. All of its threads must call.
__device__ inline void raise(unsigned long long* maximum, unsigned long long key) {
  __shared__ unsigned long long block_maximum;
  if (threadIdx.x == 0) block_maximum = 0;
  __syncthreads();
  for (int offset = warpSize / 2; offset > 0; offset /= 2) {
    key = max(key, __shfl_down_sync(0xFFFFFFFF, key, offset));
  }
  if (threadIdx.x % warpSize == 0) atomicMax(&block_maximum, key);
  __syncthreads();
  if (threadIdx.x == 0) atomicMax(maximum, block_maximum);
}

/// The series of n terms at t, by Clenshaw's recurrence.
__device__ inline double chebyshev(const double* c, int n, double t) {
  double b1 = 0;
  double b2 = 0;
  for (int k = n - 1; k > 0; --k) {
    const double b0 = c[k] + (2 * t * b1 - b2);
    b2 = b1;
    b1 = b0;
  }
  return c[0] + (t * b1 - b2);
}

/// e and where it comes from, `away` elements from their other copies.
struct Recurrence {
  float* error;
  std::int32_t* jump;
  std::ptrdiff_t away;

  __device__ Recurrence(float* error_, std::int32_t* jump_, std::ptrdiff_t away_)
      : error(error_), jump(jump_), away(away_) {}
  [[nodiscard]] __device__ Recurrence other() const { return {error + away, jump + away, -away}; }
};

/// All blocks of a cooperative launch work on one economy.
struct WholeGrid {
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();

  [[nodiscard]] __device__ int rank() const { return static_cast<int>(blockIdx.x); }
  [[nodiscard]] __device__ int blocks() const { return static_cast<int>(gridDim.x); }
  __device__ void sync() const { grid.sync(); }
};

/// Each block works on an economy of its own.
struct OneBlock {
  [[nodiscard]] __device__ int rank() const { return 0; }
  [[nodiscard]] __device__ int blocks() const { return 1; }
  __device__ void sync() const { __syncthreads(); }
};

template <Search search, class Team>
class Iteration {
 public:
  __device__ Iteration(const Level& level, unsigned char* shared)
      : level_(level),
        economy_(level.economy),
        nk_(level.economy.nk),
        shared_(shared),
        recurrence_(level.error, level.jump, static_cast<std::ptrdiff_t>(nk_) * level.economy.nz) {}

  __device__ void run(const Task& task) {
    begin(task.start);
    for (int pass = 0;; ++pass) {
      team_.sync();
      improve(pass % 2);
      const double rounding = rounding_of(magnitude());
      team_.sync();  // from here on another block may change V
      const double high = from_ordered(level_.control->highest[pass % 2]);
      const double low = -from_ordered(level_.control->lowest[pass % 2]);
      if (leader()) {
        level_.control->highest[(pass + 1) % 2] = 0;
        level_.control->lowest[(pass + 1) % 2] = 0;
        level_.control->rests[(pass + 1) % 2] = 0;
      }
      const double half = (high - low) / 2;
      const bool is_near_rounding = half <= near_rounding * rounding;
      // Centring V rounds it anew, and so cannot come last where rounding counts.
      const bool converged =
          (is_near_rounding ? fmax(high, -low) : half) <= task.target() + rounding;
      if (converged || pass + 1 == task.passes) {
        finish(task.target(), pass + 1, converged, low, high);
        return;
      }
      if (is_near_rounding) {
        const bool is_centred = fmax(high, -low) <= 2 * half + rounding;
        const double shift = is_centred ? 0 : (low + high) / 2 / (1 - economy_.beta);
        for_each_state(
            [&](int i, int j) { level_.V[at(i, j)] += recurrence_.error[at(i, j)] + shift; });
      } else {
        evaluate(pass % 2);
      }
    }
  }

 private:
  [[nodiscard]] __device__ std::size_t at(int i, int j) const {
    return static_cast<std::size_t>(j) * nk_ + i;
  }
  [[nodiscard]] __device__ bool leader() const { return team_.rank() == 0 && threadIdx.x == 0; }

  /// Calls f(item, j) for items 0 .. count-1 of each productivity j, by `group` threads together.
  template <int group, class F>
  __device__ void for_each(int count, const F& f) const {
    const int groups = static_cast<int>(blockDim.x) / group;
    const int nz = economy_.nz;
    const int tiles = (count + groups - 1) / groups * nz;
    for (int tile = team_.rank(); tile < tiles; tile += team_.blocks()) {
      const int item = tile / nz * groups + static_cast<int>(threadIdx.x) / group;
      if (item < count) f(item, tile % nz);
    }
  }
  template <class F>
  __device__ void for_each_state(const F& f) const {
    for_each<1>(nk_, f);
  }

  __device__ void begin(Start start) {
    switch (start) {
      case Start::as_it_is:
        return;
      case Start::continuous:
        return for_each_state([&](int i, int j) {
          const double t = -1 + i * (2.0 / (nk_ - 1));
          const double V = chebyshev(level_.series + j * level_.terms, level_.terms, t);
          const double g = chebyshev(level_.series_policy + j * level_.terms, level_.terms, t);
          level_.V[at(i, j)] = V + level_.shift;
          level_.policy[at(i, j)] = nearest((g - economy_.low) / economy_.step);
        });
      case Start::coarser:
        return for_each_state([&](int i, int j) {
          const double ratio = static_cast<double>(level_.coarse_nk - 1) / (nk_ - 1);
          const int below = min(static_cast<int>(i * ratio), level_.coarse_nk - 2);
          const double weight = i * ratio - below;
          const std::size_t from = static_cast<std::size_t>(j) * level_.coarse_nk + below;
          const double* V = level_.coarse_V + from;
          const std::int32_t* policy = level_.coarse_policy + from;
          level_.V[at(i, j)] = V[0] + weight * (V[1] - V[0]);
          level_.policy[at(i, j)] = nearest((policy[0] + weight * (policy[1] - policy[0])) / ratio);
        });
      case Start::nothing:
        return for_each_state([&](int i, int j) {
          const double y = economy_.available(i, j);
          const double share = 0.9 * (y - economy_.low) / economy_.step;
          const int choice = static_cast<int>(fmin(static_cast<double>(i), share));
          level_.V[at(i, j)] = economy_.flow(y - economy_.capital(choice)) / (1 - economy_.beta);
          level_.policy[at(i, j)] = choice;
        });
    }
  }

  /// max |V|, give or take: V rises with capital.
  [[nodiscard]] __device__ double magnitude() const {
    double largest = 0;
    for (const int j : {0, economy_.nz - 1}) {
      largest = fmax(largest, fmax(fabs(level_.V[at(0, j)]), fabs(level_.V[at(nk_ - 1, j)])));
    }
    return largest;
  }

  /// By how much utility changes if resources are rounded otherwise, give or take: most at the
  /// lowest capital, where consumption is the small difference of large numbers, or at the highest.
  [[nodiscard]] __device__ double rounding_of_resources() const {
    double largest = 0;
    for (const int j : {0, economy_.nz - 1}) {
      for (const int i : {0, nk_ - 1}) {
        const double y = economy_.available(i, j);
        const double consumption = y - economy_.capital(level_.policy[at(i, j)]);
        largest = fmax(largest, DBL_EPSILON * y * pow(consumption, -economy_.gamma));
      }
    }
    return largest;
  }

  [[nodiscard]] __device__ std::int32_t nearest(double position) const {
    return max(0, min(static_cast<int>(position + 0.5), nk_ - 1));
  }

  /// beta E[V(K_i, Z') | Z_j], formed from V and rounded as on the host.
  [[nodiscard]] __device__ double expectation(int i, int j) const {
    const double* row = economy_.betaP + j * economy_.nz;
    const double* V = level_.V + i;
    double sum = 0;
#pragma unroll 4
    for (int l = 0; l < economy_.nz; ++l, V += nk_) sum = __dadd_rn(sum, __dmul_rn(row[l], *V));
    return sum;
  }

  /// The right-hand side of the Bellman equation at a feasible choice.
  [[nodiscard]] __device__ double value(double y, int choice, int j) const {
    return economy_.flow(y - economy_.capital(choice)) + expected(choice, j);
  }

  /// The policy from a maximiser at every state, and the residual's range.
  __device__ void improve(int slot) {
    highest_ = lowest_ = 0;
    if (level_.expected != nullptr) {
      for_each_state([&](int i, int j) { level_.expected[at(i, j)] = expectation(i, j); });
      team_.sync();
    }
    if constexpr (search == Search::climb) {
      climb();
    } else {
      divide();
    }
    raise(&level_.control->highest[slot], highest_);
    raise(&level_.control->lowest[slot], lowest_);
  }

  __device__ void settle(int i, int j, int choice, double maximum) {
    const double r = maximum - level_.V[at(i, j)];
    highest_ = max(highest_, ordered(r));
    lowest_ = max(lowest_, ordered(-r));
    level_.policy[at(i, j)] = choice;
    if (recurrence_.error == nullptr) return;
    recurrence_.error[at(i, j)] = static_cast<float>(r);
    recurrence_.jump[at(i, j)] = choice;
  }

  /// beta E[V(K_i, Z') | Z_j].
  [[nodiscard]] __device__ double expected(int i, int j) const {
    return level_.expected != nullptr ? level_.expected[at(i, j)] : expectation(i, j);
  }

  /// A choice and its value.
  struct Choice {
    int place;
    double consumption, flow, value;
  };
  /// The next choice, up or down: by 1 or -1.
  [[nodiscard]] __device__ Choice beside(const Choice& here, int by, double y, int j) const {
    Choice there{here.place + by, y - economy_.capital(here.place + by), 0, 0};
    there.flow = economy_.is_quick
                     ? economy_.flow_beside(here.flow, here.consumption, there.consumption)
                     : economy_.flow(there.consumption);
    there.value = there.flow + expected(there.place, j);
    return there;
  }

  /// Uphill from the last policy to a local maximum, the lowest of equal ones.
  __device__ void climb() {
    int last_i = -1;
    double power = 0;  // of capital there: a thread has the same capital at each productivity
    for_each_state([&](int i, int j) {
      if (i != last_i) power = economy_.power(i);
      last_i = i;
      const double y = economy_.available(i, j, power);
      int first = level_.policy[at(i, j)];
      if (!economy_.is_feasible(first, y)) first = economy_.last_feasible(y);
      const double c = y - economy_.capital(first);
      Choice here{first, c, economy_.flow(c), 0};
      here.value = here.flow + expected(first, j);
      const auto climb_by = [&](int by, const auto& is_there, const auto& is_better) {
        bool has_moved = false;
        while (is_there(here.place + by)) {
          const Choice there = beside(here, by, y, j);
          if (!is_better(there.value)) break;
          here = there;
          has_moved = true;
        }
        return has_moved;
      };
      const bool is_up = climb_by(
          1, [&](int place) { return economy_.is_feasible(place, y); },
          [&](double value) { return value > here.value; });
      if (!is_up) {
        climb_by(
            -1, [](int place) { return place >= 0; },
            [&](double value) { return value >= here.value; });
      }
      settle(i, j, here.place, here.value);
    });
  }

  /// Every 32nd state first, and then those between, which need not look beyond the choices of
  /// their neighbours: exhaustive for any V. A warp a state.
  __device__ void divide() {
    constexpr int fan_out = 32;
    int stride = 1;
    while (stride < (nk_ - 1) / fan_out) stride *= fan_out;
    for (bool top = true;; top = false) {
      for_each<warp>((nk_ - 1) / stride + 1, [&](int item, int j) {
        if (!top && item % fan_out == 0) return;
        const int i = item * stride;
        const double y = economy_.available(i, j);
        int from = 0;
        int to = economy_.last_feasible(y);
        if (!top) {
          const int below = item / fan_out * fan_out * stride;
          from = level_.policy[at(below, j)];
          if (below + fan_out * stride < nk_) {
            to = min(to, level_.policy[at(below + fan_out * stride, j)]);
          }
          to = max(from, to);  // two equal choices may be taken in the wrong order by rounding
        }
        const int lane = static_cast<int>(threadIdx.x) % warp;
        double best = -INFINITY;
        int choice = from;
        for (int m = from + lane; m <= to; m += warp) {
          const double candidate = value(y, m, j);
          if (candidate > best) {
            best = candidate;
            choice = m;
          }
        }
        for (int offset = warp / 2; offset > 0; offset /= 2) {
          const double other = __shfl_down_sync(0xFFFFFFFF, best, offset);
          const int its_choice = __shfl_down_sync(0xFFFFFFFF, choice, offset);
          if (other > best || (other == best && its_choice < choice)) {
            best = other;
            choice = its_choice;
          }
        }
        if (lane == 0) settle(i, j, choice, best);
      });
      if (stride == 1) return;
      stride /= fan_out;
      team_.sync();
    }
  }

  /// V += e.
  __device__ void evaluate(int slot) {
    if (level_.in_shared) {
      jump_in_shared();
    } else {
      jump_in_global();
    }
    if (level_.resolvent != nullptr) couple(level_.control->rests[slot]);
  }

  /// One step of pointer jumping at position i, into `next`.
  __device__ float jump(const Recurrence& now, const Recurrence& next, int i, float discount) {
    const std::int32_t to = now.jump[i];
    const float e = now.error[i] + discount * now.error[to];
    next.error[i] = e;
    next.jump[i] = now.jump[to];
    return e;
  }

  /// A block a productivity.
  __device__ void jump_in_shared() {
    for (int j = team_.rank(); j < economy_.nz; j += team_.blocks()) {
      const auto for_each_capital = [&](const auto& f) {
        for (int i = static_cast<int>(threadIdx.x); i < nk_; i += static_cast<int>(blockDim.x))
          f(i);
        __syncthreads();
      };
      auto* const errors = reinterpret_cast<float*>(shared_);
      Recurrence now(errors, reinterpret_cast<std::int32_t*>(errors + 2 * nk_), nk_);
      for_each_capital([&](int i) {
        now.error[i] = recurrence_.error[at(i, j)];
        now.jump[i] = recurrence_.jump[at(i, j)];
      });
      for (int k = 0; k < level_.doublings; ++k) {
        const float discount = level_.discount[k * economy_.nz + j];
        const Recurrence next = now.other();
        for_each_capital([&](int i) { jump(now, next, i, discount); });
        now = next;
      }
      for_each_capital([&](int i) { take(i, j, now.error[i], recurrence_); });
    }
  }

  /// All blocks for all productivities.
  __device__ void jump_in_global() {
    for (int k = 0; k < level_.doublings; ++k) {
      if (k > 0) team_.sync();
      const bool last = k + 1 == level_.doublings;
      const Recurrence next = recurrence_.other();
      jump_each(k, next, last);
      recurrence_ = next;
    }
  }
  /// A thread reads several states' numbers at once: each is far away, and so is what it points at.
  __device__ void jump_each(int k, const Recurrence& next, bool last) {
    constexpr int batch = 4;
    const int nz = economy_.nz;
    const int threads = static_cast<int>(blockDim.x);
    const int tiles = (nk_ + threads - 1) / threads * nz;
    for (int tile = team_.rank(); tile < tiles; tile += batch * team_.blocks()) {
      int i[batch], j[batch];
      std::int32_t to[batch], further[batch];
      float mine[batch], there[batch];
      const auto each = [&](const auto& work) {
#pragma unroll
        for (int b = 0; b < batch; ++b) {
          const int its_tile = tile + b * team_.blocks();
          i[b] = its_tile / nz * threads + static_cast<int>(threadIdx.x);
          j[b] = its_tile % nz;
          if (its_tile < tiles && i[b] < nk_) work(b);
        }
      };
      each([&](int b) {
        to[b] = recurrence_.jump[at(i[b], j[b])];
        mine[b] = recurrence_.error[at(i[b], j[b])];
      });
      each([&](int b) {
        there[b] = recurrence_.error[at(to[b], j[b])];
        further[b] = recurrence_.jump[at(to[b], j[b])];
      });
      each([&](int b) {
        const float e = mine[b] + level_.discount[k * nz + j[b]] * there[b];
        next.error[at(i[b], j[b])] = e;
        next.jump[at(i[b], j[b])] = further[b];
        if (last) take(i[b], j[b], e, next);
      });
    }
  }

  /// e is there; where the coupling comes first, it waits in `waiting`.
  __device__ void take(int i, int j, float e, const Recurrence& waiting) {
    if (level_.resolvent == nullptr) {
      level_.V[at(i, j)] += e;
    } else {
      waiting.error[at(i, j)] = e;
    }
  }

  [[nodiscard]] __device__ bool rests(int i) const {
    for (int j = 0; j < economy_.nz; ++j) {
      if (level_.policy[at(i, j)] != i) return false;
    }
    return true;
  }

  /// V += e, with the terms for the coupling; `some_rest` is 0 on entry.
  __device__ void couple(int& some_rest) {
    team_.sync();
    for_each<1>(nk_, [&](int i, int j) {
      if (j == 0 && rests(i)) some_rest = 1;
    });
    const int lane = static_cast<int>(threadIdx.x);
    for (int j = team_.rank(); level_.coupling != nullptr && j < economy_.nz && lane < warp;
         j += team_.blocks()) {
      double sum = 0;
      for (int sample = lane; sample < samples; sample += warp) {
        sum += recurrence_.error[at(static_cast<int>((2LL * sample + 1) * nk_ / (2 * samples)), j)];
      }
      for (int offset = warp / 2; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(0xFFFFFFFF, sum, offset);
      }
      if (lane == 0) level_.means[j] = sum / samples;
    }
    team_.sync();
    const int nz = economy_.nz;
    const bool constants = level_.coupling != nullptr && some_rest == 0;
    const bool closed_form = some_rest != 0;
    for_each_state([&](int i, int j) {
      if (closed_form && rests(i)) {
        double V = 0;
        for (int l = 0; l < nz; ++l) {
          const double consumption = economy_.available(i, l) - economy_.capital(i);
          V += level_.resolvent[j * nz + l] * economy_.flow(consumption);
        }
        level_.V[at(i, j)] = V;
        return;
      }
      double e = recurrence_.error[at(i, j)];
      for (int l = 0; constants && l < nz; ++l) {
        e += level_.coupling[j * nz + l] * level_.means[l];
      }
      level_.V[at(i, j)] += e;
    });
  }

  /// Looks for a second peak, after `climb`.
  ///
  /// The objective of every state has a single peak, at its choice, if moving from choice n to n +
  /// 1 gains nothing at all states whose choice is n or below, and loses nothing at those above. By
  /// increasing differences it is enough to ask the last of the former and the first of the latter.
  /// `climb` has asked each state about the steps next to its own choice; left are those that
  /// neighbouring choices jump over, and those beyond the first and the last state's. A choice that
  /// falls by one from a state to the next is a tie, broken by rounding.
  __device__ void look_for_peaks() {
    for_each_state([&](int i, int j) {
      const std::int32_t* policy = level_.policy + at(0, j);
      const auto gains = [&](int state, int n) {
        const double y = economy_.available(state, j);
        return n < economy_.last_feasible(y) && value(y, n + 1, j) > value(y, n, j);
      };
      const auto loses = [&](int state, int n) {
        const double y = economy_.available(state, j);
        return value(y, n + 1, j) < value(y, n, j);
      };
      bool single = true;
      if (i + 1 < nk_) {
        const int here = policy[i];
        const int above = policy[i + 1];
        single = above >= here - 1;
        for (int n = here; single && n < above; ++n) {
          single = (n == here || !gains(i, n)) && (n + 1 == above || !loses(i + 1, n));
        }
      }
      if (i < policy[0]) single = single && !loses(0, i);
      if (i >= policy[nk_ - 1]) single = single && !gains(nk_ - 1, i);
      if (!single) level_.control->peaks = 1;
    });
  }

  /// Centres the residual by a constant (MacQueen 1966, Porteus 1971) if needed.
  __device__ void finish(double target, int passes, bool converged, double low, double high) {
    if constexpr (search == Search::climb) {
      if (converged) look_for_peaks();
      team_.sync();
    }
    const bool certified = converged && level_.control->peaks == 0;
    double residual = fmax(fabs(low), fabs(high));
    if (certified && !(residual <= target)) {
      const double shift = (low + high) / 2 / (1 - economy_.beta);
      for_each_state([&](int i, int j) { level_.V[at(i, j)] += shift; });
      residual = (high - low) / 2;
    }
    if (leader()) {
      level_.control->report = {residual, rounding_of_resources(), passes, converged, certified};
    }
  }

  const Level& level_;
  const Economy& economy_;
  const int nk_;
  unsigned char* const shared_;
  const Team team_{};
  Recurrence recurrence_;
  unsigned long long highest_ = 0;
  unsigned long long lowest_ = 0;
};

}  // namespace device

inline constexpr int most_threads = 1024;

/// One level, from its start to convergence; a cooperative launch.
template <Search search>
__global__ void __launch_bounds__(most_threads) iterate(Level level, Task task) {
  extern __shared__ unsigned char shared[];
  device::Iteration<search, device::WholeGrid>(level, shared).run(task);
}

// --- many economies, a block each ---------------------------------------------------------------

inline constexpr int threads_of_economy = 512;

/// The economies of a launch, and what their blocks work on.
struct Economies {
  const Level* levels;  ///< count; their V, policy, error, jump and control are set by the block
  int count;
  int* next;  ///< the first that no block has taken; 0 on entry
  // Of each block, one after the other.
  double* V;
  std::int32_t* policy;
  float* error;
  std::int32_t* jump;
};

/// What is kept of them. Every array begins with the launch's first economy, except V and policy.
template <class Real>
struct Kept {
  Report* reports;             ///< where converged is 0, nothing else is kept
  const std::int64_t* states;  ///< count x states_per_sample: the sampled ones, as in Solution
  const std::int32_t* places;  ///< among those that are kept in full, or -1
  Real* sample;                ///< as in Solution, as is the rest
  std::int32_t* sample_policy;
  Real* V;
  std::int32_t* policy;
};

namespace device {

template <class Real>
__device__ void keep(const Level& level, int economy, const Kept<Real>& kept) {
  const int nk = level.economy.nk;
  const int nz = level.economy.nz;
  const auto thread = static_cast<int>(threadIdx.x);
  const auto threads = static_cast<int>(blockDim.x);
  const int size = 1 + 3 * nz;
  for (int k = thread; k < states_per_sample * size; k += threads) {
    const std::size_t sample = static_cast<std::size_t>(economy) * states_per_sample + k / size;
    const std::int64_t state = kept.states[sample];
    const std::int32_t choice = level.policy[state];
    const int number = k % size;
    if (number == 0) {
      kept.sample_policy[sample] = choice;
      kept.sample[sample * size] = static_cast<Real>(level.V[state]);
    } else {
      const std::int32_t next = around(nk, choice).choice[(number - 1) / nz];
      const std::size_t from = static_cast<std::size_t>((number - 1) % nz) * nk + next;
      kept.sample[sample * size + number] = static_cast<Real>(level.V[from]);
    }
  }
  if (kept.places[economy] < 0) return;
  const std::size_t states = static_cast<std::size_t>(nk) * nz;
  const std::size_t first = kept.places[economy] * states;
  for (std::size_t s = thread; s < states; s += threads) {
    kept.V[first + s] = static_cast<Real>(level.V[s]);
    kept.policy[first + s] = level.policy[s];
  }
}

}  // namespace device

/// Each economy from its continuous solution to convergence, if a few passes suffice.
template <class Real>
__global__ void __launch_bounds__(threads_of_economy, 2)
    iterate_economies(Economies economies, Task task, Kept<Real> kept) {
  __shared__ Level level;
  __shared__ Control control;
  while (true) {
    const int economy = numerics::take_next(economies.next);
    if (economy >= economies.count) return;
    if (threadIdx.x == 0) {
      level = economies.levels[economy];
      const std::size_t states = static_cast<std::size_t>(level.economy.nk) * level.economy.nz;
      level.V = economies.V + blockIdx.x * states;
      level.policy = economies.policy + blockIdx.x * states;
      level.error = economies.error + 2 * blockIdx.x * states;
      level.jump = economies.jump + 2 * blockIdx.x * states;
      level.control = &control;
      control = {};
    }
    __syncthreads();
    if (level.series != nullptr) {
      device::Iteration<Search::climb, device::OneBlock>(level, nullptr).run(task);
      __syncthreads();
      const Report& report = control.report;
      const bool is_done =
          report.certified != 0 && report.rounding <= of_resources * task.tolerance;
      if (is_done) device::keep(level, economy, kept);
      if (threadIdx.x == 0) {
        kept.reports[economy] = report;
        if (!is_done) kept.reports[economy].converged = 0;
      }
    } else if (threadIdx.x == 0) {
      kept.reports[economy] = {};
    }
  }
}

}  // namespace macrobench::rbc::frontier
