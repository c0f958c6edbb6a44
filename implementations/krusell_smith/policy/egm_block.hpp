#pragma once

// The method of egm.cpp, by the threads of one block: endogenous-grid steps, then Anderson
// acceleration of the Euler equation's map. On a GPU each block finds one policy. On the host one
// thread does the same, which tests use.
//
// Each thread has its own nodes of the policy, and everything along them: what Anderson
// acceleration remembers, and its mixtures. Lines over k at tomorrow's K are in shared memory, for
// as many pairs (a, K_j) at a time as there is room for; the spline of each is one thread's.

#include <cstddef>
#include <cstdint>

#include "implementations/krusell_smith/model.hpp"
#include "implementations/krusell_smith/policy/egm.hpp"
#include "implementations/krusell_smith/policy/euler_map.hpp"
#include "implementations/krusell_smith/policy/spline_view.hpp"
#include "implementations/numerics/methods/power.hpp"
#include "implementations/numerics/parallel/host_device.hpp"

namespace macrobench::krusell_smith {

/// One policy to find, of one economy under one law.
struct PolicyToFind {
  Economy economy;
  Grids grids;
  bool splines;    ///< else straight lines: no second derivatives
  int endogenous;  ///< steps by the endogenous grid, at first
  double aim;      ///< on max |dk'|
  double damping;  ///< the new policy's weight
  int cap;         ///< steps by Anderson acceleration at most
  int number;      ///< of the economy
};

/// Where its data are. Not members of PolicyToFind, so that a CUDA compiler knows in which memory.
struct PolicyData {
  const double* in_k;  ///< of a SplineView
  const double* in_K;
  const EulerMap::Tomorrow* tomorrow;  ///< by (a, K_j), shape 2 x n_K
  const Prices* today;                 ///< shape 2 x n_K
  double* policy;                      ///< the start and the answer, shape 4 x n_K x n_k
  double* scratch;                     ///< as many numbers as EgmBlock::scratch() says
  double* lines;  ///< of shared memory: for each of `room` pairs shared_of_pair()
  int room;       ///< pairs (a, K_j), from 1 to 2 n_K
};

/// The only thread of a block on the host. On a device, lanes of a warp take neighbours.
struct OneThread {
  static int index() { return 0; }
  static int count() { return 1; }
  static int lane() { return 0; }
  static int lanes() { return 1; }
  static void sync() {}
  /// The largest of all threads' numbers; NaN if there is one.
  static double largest(double mine) { return mine; }
  /// All threads' sums.
  template <int count>
  static void add(double (&)[count]) {}
};

/// Solves n equations A x = b with a positive definite A, by elimination without pivoting: b
/// becomes x. With constant n everything stays in registers. False if A is not so.
template <int n>
MACROBENCH_HOST_DEVICE bool solve_positive_definite(double (&A)[n][n], double (&b)[n]) {
  MACROBENCH_UNROLL
  for (int pivot = 0; pivot < n; ++pivot) {
    if (!(A[pivot][pivot] > 0)) return false;
    const double inverse = 1 / A[pivot][pivot];
    MACROBENCH_UNROLL
    for (int row = pivot + 1; row < n; ++row) {
      const double factor = A[row][pivot] * inverse;
      MACROBENCH_UNROLL
      for (int column = pivot + 1; column < n; ++column) {
        A[row][column] -= factor * A[pivot][column];
      }
      b[row] -= factor * b[pivot];
    }
  }
  MACROBENCH_UNROLL
  for (int row = n - 1; row >= 0; --row) {
    MACROBENCH_UNROLL
    for (int column = row + 1; column < n; ++column) b[row] -= A[row][column] * b[column];
    b[row] /= A[row][row];
  }
  return true;
}

/// All functions are called by all threads of the block at once.
template <class Threads>
class EgmBlock {
 public:
  /// Numbers of scratch memory for one policy with so many nodes.
  static std::size_t scratch(std::size_t nodes) {
    constexpr std::size_t of_system = std::size_t{depth} * (depth + 1);
    return (2 * depth + 5) * nodes + of_system;
  }
  /// Numbers of shared memory for one pair (a, K_j).
  static std::size_t shared_of_pair(int n_k) {
    return 2 * static_cast<std::size_t>(stride_of(n_k));
  }

  MACROBENCH_HOST_DEVICE EgmBlock(const PolicyToFind& task, const PolicyData& data,
                                  Threads& threads)
      : task_(task),
        threads_(threads),
        in_k_(data.in_k, task.grids.n_k),
        in_K_(data.in_K, task.grids.n_K),
        tomorrow_(data.tomorrow),
        today_(data.today),
        policy_(data.policy),
        n_k_(task.grids.n_k),
        nodes_(states * task.grids.n_K * task.grids.n_k),
        room_(data.room),
        y_(data.lines),
        m_(data.lines + data.room * stride_of(task.grids.n_k)),
        residuals_(data.scratch),
        images_(residuals_ + std::ptrdiff_t{depth} * nodes_),
        last_residual_(images_ + std::ptrdiff_t{depth} * nodes_),
        last_image_(last_residual_ + nodes_),
        asked_(last_image_ + nodes_),
        best_(asked_ + nodes_),
        bend_(best_ + nodes_),
        gram_(bend_ + nodes_),
        shares_(gram_ + std::ptrdiff_t{depth} * depth) {}

  /// Finds the policy. Returns the iterations: above task.cap if it was not found.
  MACROBENCH_HOST_DEVICE int solve() {
    for (int n = 0; n < task_.endogenous; ++n) endogenous_step(policy_);
    return task_.endogenous + accelerate(policy_);
  }

 private:
  /// Between the lines of two pairs, so that the threads that solve their splines hit other banks.
  MACROBENCH_HOST_DEVICE static std::ptrdiff_t stride_of(int n_k) {
    return static_cast<std::ptrdiff_t>(states) * (n_k + 1);
  }

  template <class Work>
  MACROBENCH_HOST_DEVICE void each(int count, const Work& work) const {
    for (int n = threads_.index(); n < count; n += threads_.count()) work(n);
  }

  /// Calls work(row, i) for the n_k points of each row; neighbours in a row are neighbours' work.
  template <class Work>
  MACROBENCH_HOST_DEVICE void each_of_rows(int count, const Work& work) const {
    for (int row = threads_.index() / threads_.lanes(); row < count;
         row += threads_.count() / threads_.lanes()) {
      for (int i = threads_.lane(); i < n_k_; i += threads_.lanes()) work(row, i);
    }
  }

  MACROBENCH_HOST_DEVICE int accelerate(double* x) {
    restart();
    double smallest = 0;
    int calm = 0;
    for (int n = 1; n <= task_.cap; ++n) {
      const double change = apply(x);
      if (change < task_.aim) return n;
      if (n == 1 || change < smallest) {
        smallest = change;
        each(nodes_, [&](int i) { best_[i] = x[i]; });
      } else if (!(change <= too_far * smallest)) {
        each(nodes_, [&](int i) { x[i] = best_[i]; });
        apply(x);
        restart();
        calm = calm_steps;
      }
      if (calm > 0) {
        --calm;
        each(nodes_, [&](int i) { x[i] = damped(x, i); });
      } else {
        advance(x);
      }
    }
    return task_.cap + 1;
  }

  [[nodiscard]] MACROBENCH_HOST_DEVICE double damped(const double* x, int i) const {
    return task_.damping * asked_[i] + (1 - task_.damping) * x[i];
  }

  /// Calls use(first, count) for the pairs (a, K_j), as many at once as there is room for, with
  /// their lines in y_.
  template <class Use>
  MACROBENCH_HOST_DEVICE void with_lines(const double* policy, const Use& use) {
    threads_.sync();  // all have written the policy
    if (task_.splines) {
      each(states * n_k_, [&](int column) {
        const std::ptrdiff_t at = task_.grids.line(column / n_k_, 0) + column % n_k_;
        in_K_.curvature(policy + at, n_k_, bend_ + at);
      });
      threads_.sync();
    }
    const int pairs = 2 * task_.grids.n_K;
    for (int first = 0; first < pairs; first += room_) {
      const int count = pairs - first < room_ ? pairs - first : room_;
      each_of_rows(count * states, [&](int row, int i) {
        const int pair = row / states;
        const int s = row % states;
        const EulerMap::Tomorrow& tomorrow = tomorrow_[first + pair];
        const auto& [left, right, bend_left, bend_right] = tomorrow.weights;
        const std::ptrdiff_t low = task_.grids.line(s, tomorrow.interval) + i;
        const std::ptrdiff_t high = low + n_k_;
        double value = left * policy[low] + right * policy[high];
        if (task_.splines) value += bend_left * bend_[low] + bend_right * bend_[high];
        y_[line_of(pair) + states * i + s] = value;
      });
      threads_.sync();
      use(first, count);
      threads_.sync();  // before other lines replace these
    }
  }

  [[nodiscard]] MACROBENCH_HOST_DEVICE std::ptrdiff_t line_of(int pair) const {
    return pair * stride_of(n_k_);
  }

  /// Sets asked_ to what the equation requires. Returns the largest change.
  MACROBENCH_HOST_DEVICE double apply(const double* policy) {
    double largest = 0;
    with_lines(policy, [&](int first, int count) {
      if (task_.splines) {
        each(count * states, [&](int n) {
          const std::ptrdiff_t line = line_of(n / states) + n % states;
          in_k_.curvature(y_ + line, states, m_ + line);
        });
        threads_.sync();
      }
      each_of_rows(2 * count, [&](int row, int i) {
        const int pair = row / 2;
        const int a = (first + pair) / task_.grids.n_K;
        const int s = state_of(a, row % 2);
        const int e = row % 2;
        const std::ptrdiff_t at = task_.grids.line(s, (first + pair) % task_.grids.n_K) + i;
        const double chosen = policy[at];
        double choices[states];
        choices_at(line_of(pair), chosen, choices);
        const double c = consumption(s, first + pair, chosen, choices);
        const Prices& today = today_[first + pair];
        const double asked = task_.grids.clip_k(today.R * in_k_.x[i] + today.income[e] - c);
        asked_[at] = asked;
        const double change = asked > chosen ? asked - chosen : chosen - asked;
        if (!(change <= largest)) largest = change;  // NaN stays
      });
    });
    return threads_.largest(largest);
  }

  [[nodiscard]] MACROBENCH_HOST_DEVICE double consumption(int s, int pair, double chosen,
                                                          const double* choices) const {
    return consumption_at(
        task_.economy.gamma,
        expected_utility(task_.economy, s, tomorrow_[pair].prices, chosen, choices));
  }

  /// The four lines at k.
  MACROBENCH_HOST_DEVICE void choices_at(std::ptrdiff_t line, double k,
                                         double (&choices)[states]) const {
    const float place = numerics::rough_power(static_cast<float>(k / task_.grids.k_max),
                                              static_cast<float>(1 / task_.grids.theta)) *
                        static_cast<float>(n_k_ - 1);
    const int hint = place > 0 ? static_cast<int>(place) : 0;
    const int p = in_k_.interval(k, hint < n_k_ - 2 ? hint : n_k_ - 2);
    const auto [left, right, bend_left, bend_right] = in_k_.weights(k, p);
    const double* y = y_ + line + std::ptrdiff_t{states} * p;
    const double* m = m_ + line + std::ptrdiff_t{states} * p;
    for (int s = 0; s < states; ++s) choices[s] = left * y[s] + right * y[states + s];
    if (!task_.splines) return;
    for (int s = 0; s < states; ++s) {
      choices[s] += bend_left * m[s] + bend_right * m[states + s];
    }
  }

  /// A step by the endogenous grid, from the policy to the next.
  MACROBENCH_HOST_DEVICE void endogenous_step(double* policy) {
    with_lines(policy, [&](int first, int count) {
      // The wealth that affords k' = k_i, in the room of the second derivatives.
      each_of_rows(2 * count, [&](int row, int i) {
        const int pair = row / 2;
        const int e = row % 2;
        const int s = state_of((first + pair) / task_.grids.n_K, e);
        const double c = consumption(s, first + pair, in_k_.x[i],
                                     y_ + line_of(pair) + std::ptrdiff_t{states} * i);
        const Prices& today = today_[first + pair];
        m_[line_of(pair) + std::ptrdiff_t{e} * n_k_ + i] =
            (c + in_k_.x[i] - today.income[e]) / today.R;
      });
      threads_.sync();
      each_of_rows(2 * count, [&](int row, int i) {
        const int pair = row / 2;
        const int e = row % 2;
        const int s = state_of((first + pair) / task_.grids.n_K, e);
        const double* affords = m_ + line_of(pair) + std::ptrdiff_t{e} * n_k_;
        const double k = in_k_.x[i];
        // The first interval that ends at k or above, or the last.
        int p = 0;
        for (int end = n_k_ - 2; p < end;) {
          const int middle = (p + end) / 2;
          if (affords[middle + 1] < k) {
            p = middle + 1;
          } else {
            end = middle;
          }
        }
        const double share = (k - affords[p]) / (affords[p + 1] - affords[p]);
        const double chosen = in_k_.x[p] + share * (in_k_.x[p + 1] - in_k_.x[p]);
        asked_[task_.grids.line(s, (first + pair) % task_.grids.n_K) + i] =
            k <= affords[0] ? 0 : task_.grids.clip_k(chosen);
      });
    });
    each(nodes_, [&](int i) { policy[i] = asked_[i]; });
  }

  MACROBENCH_HOST_DEVICE void restart() {
    has_last_ = false;
    kept_ = 0;
    newest_ = depth - 1;
  }

  /// Moves x to the next point of Anderson acceleration, as numerics::Anderson does, given the
  /// damped image of x.
  MACROBENCH_HOST_DEVICE void advance(double* x) {
    if (has_last_) {
      newest_ = (newest_ + 1) % depth;
      kept_ = kept_ < depth ? kept_ + 1 : depth;
    }
    // Products of the newest residual's difference with all, and of all with the residual.
    double sums[2 * depth] = {};
    each(nodes_, [&](int i) {
      const double image = damped(x, i);
      const double residual = image - x[i];
      const double newest = residual - last_residual_[i];
      if (has_last_) {
        residuals_[place(newest_, i)] = newest;
        images_[place(newest_, i)] = image - last_image_[i];
        // All are read at once; those not kept are replaced by 0, whatever is there.
        MACROBENCH_UNROLL
        for (int d = 0; d < depth; ++d) {
          const double there = residuals_[place(d, i)];
          const double other = d == newest_ ? newest : d < kept_ ? there : 0;
          sums[d] += other * newest;
          sums[depth + d] += other * residual;
        }
      }
      last_residual_[i] = residual;
      last_image_[i] = image;
    });
    if (has_last_) {
      threads_.add(sums);
      if (threads_.index() == 0) find_shares(sums);
      threads_.sync();
    }
    has_last_ = true;
    double share[depth];
    MACROBENCH_UNROLL
    for (int d = 0; d < depth; ++d) share[d] = d < kept_ ? shares_[d] : 0;
    each(nodes_, [&](int i) {
      double next = last_image_[i];
      MACROBENCH_UNROLL
      for (int d = 0; d < depth; ++d) {
        const double there = images_[place(d, i)];
        next -= d < kept_ ? share[d] * there : 0;
      }
      x[i] = task_.grids.clip_k(next);
    });
  }

  [[nodiscard]] MACROBENCH_HOST_DEVICE std::ptrdiff_t place(int difference, int i) const {
    return static_cast<std::ptrdiff_t>(difference) * nodes_ + i;
  }

  /// Sets the differences' shares in the mixture, by one thread: the system is scaled to a unit
  /// diagonal, to which a little is added.
  MACROBENCH_HOST_DEVICE void find_shares(const double (&sums)[2 * depth]) {
    double A[depth][depth];
    double b[depth];
    double scale[depth];
    MACROBENCH_UNROLL
    for (int d = 0; d < depth; ++d) {
      if (d < kept_) gram_[depth * d + newest_] = gram_[depth * newest_ + d] = sums[d];
    }
    MACROBENCH_UNROLL
    for (int d = 0; d < depth; ++d) {
      const double square = d < kept_ ? gram_[depth * d + d] : 0;
      scale[d] = square > 0 ? 1 / root(square) : 0;
      b[d] = scale[d] * sums[depth + d];
    }
    MACROBENCH_UNROLL
    for (int d = 0; d < depth; ++d) {
      MACROBENCH_UNROLL
      for (int f = 0; f < depth; ++f) {
        const bool are_kept = d < kept_ && f < kept_;
        A[d][f] = d == f ? 1 + 1e-10 : are_kept ? scale[d] * scale[f] * gram_[depth * d + f] : 0;
      }
    }
    const bool is_solved = solve_positive_definite(A, b);
    MACROBENCH_UNROLL
    for (int d = 0; d < depth; ++d) shares_[d] = is_solved ? b[d] * scale[d] : 0;
  }

  MACROBENCH_HOST_DEVICE static double root(double x) {
    using std::sqrt;
    return sqrt(x);
  }

  const PolicyToFind& task_;
  Threads& threads_;
  SplineView in_k_, in_K_;
  const EulerMap::Tomorrow* tomorrow_;
  const Prices* today_;
  double* policy_;
  int n_k_, nodes_, room_;
  double *y_, *m_;               ///< of each pair, lines of 4 states side by side
  double *residuals_, *images_;  ///< the differences: a ring, shape depth x nodes
  double *last_residual_, *last_image_, *asked_, *best_, *bend_;
  double* gram_;    ///< products of the residuals' differences, shape depth x depth
  double* shares_;  ///< of the differences in the mixture, shape depth
  int kept_ = 0;    ///< differences
  int newest_ = 0;  ///< place in the ring
  bool has_last_ = false;
};

}  // namespace macrobench::krusell_smith
