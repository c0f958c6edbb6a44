#pragma once

// A policy by threads that work together: Euler-equation iteration (euler.cpp), or endogenous-grid
// steps and then Anderson acceleration of the same map (egm.cpp). On a GPU the threads are one
// block, or several. On the host a test takes a few, or one.
//
// Each block has its own pairs (a, K_j). At these it makes the lines over k at tomorrow's K, their
// splines and the Euler equation, in shared memory as many pairs at a time as have room. An
// iteration waits for all blocks three times: when the policy is written, when its second
// derivatives along K are, and when all have added up what the next step needs.
//
// Sums are formed of 32 neighbors, then of a pair, then of all pairs, in a fixed order: a policy
// has the same bits however many blocks find it.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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
  bool splines;      ///< else straight lines: no second derivatives
  bool accelerated;  ///< by Anderson acceleration, else by damped steps alone
  int endogenous;    ///< steps by the endogenous grid, at first
  double aim;        ///< on max |dk'|
  double damping;    ///< the new policy's weight
  int cap;           ///< steps after those by the endogenous grid, at most
  int number;        ///< of the economy
};

/// Where its data are. Not members of PolicyToFind, so that a CUDA compiler knows in which memory.
struct PolicyData {
  const double* in_k;  ///< of a SplineView
  const double* in_K;
  int reach_in_k, reach_in_K;
  const EulerMap::Tomorrow* tomorrow;  ///< by (a, K_j), shape 2 x n_K
  const Prices* today;                 ///< shape 2 x n_K
  const double* in_lines;              ///< each K_j's weight in a line there, shape 2 x n_K x n_K;
                                       ///< null: lines are made with second derivatives along K
  double* policy;                      ///< the start and the answer, shape 4 x n_K x n_k
  double* scratch;                     ///< as many numbers as PolicyTeam::scratch() says
  double* shared;                      ///< of the block, see shared_numbers() and copied_numbers()
  int room;                            ///< pairs (a, K_j) at a time in shared memory, at least 1
  bool copies;                         ///< whether constants are copied there
};

/// Returns each K_j's share in the second derivatives along K, shape n_K x n_K: a row for
/// each point.
inline std::vector<double> bends_of_units(const numerics::NotAKnotSpline& in_K) {
  const auto n_K = static_cast<std::size_t>(in_K.size());
  std::vector<double> units(n_K * n_K, 0);
  for (std::size_t j = 0; j < n_K; ++j) units[j * n_K + j] = 1;
  std::vector<double> bends(units.size());
  in_K.curvature(units.data(), in_K.size(), bends.data());
  return bends;
}

/// Writes PolicyData::in_lines, given tomorrow by (a, K_j) and bends_of_units().
inline void put_weights_in_lines(std::span<const EulerMap::Tomorrow> tomorrow,
                                 const std::vector<double>& bends, double* in_lines) {
  const std::size_t n_K = tomorrow.size() / 2;
  for (const EulerMap::Tomorrow& there : tomorrow) {
    const auto& [left, right, bend_left, bend_right] = there.weights;
    const auto interval = static_cast<std::size_t>(there.interval);
    for (std::size_t j = 0; j < n_K; ++j) {
      const double of_values = j == interval ? left : j == interval + 1 ? right : 0;
      *in_lines++ = of_values + bend_left * bends[interval * n_K + j] +
                    bend_right * bends[(interval + 1) * n_K + j];
    }
  }
}

/// The only thread of the only block on the host. On a device, a warp's lanes take neighbors.
struct OneThread : Alone {
  static int index() { return 0; }
  static int count() { return 1; }
  static int block() { return 0; }
  static int blocks() { return 1; }
  static void sync() {}
  static void sync_team() {}
  /// The largest of all lanes' numbers; NaN if there is one.
  static double largest_of_lanes(double mine) { return mine; }
  static double sum_of_lanes(double mine) { return mine; }
  /// Calls put(n, sum) for the sum over the lanes of each of the numbers, by one lane each.
  template <int count, class Put>
  static void sums_of_lanes(const double (&mine)[count], const Put& put) {
    for (int n = 0; n < count; ++n) put(n, mine[n]);
  }
};

/// Solves n equations A x = b with a positive definite A, of which the upper half is read, by
/// elimination without pivoting: b becomes x. With constant n everything stays in registers. False
/// if A is not so.
template <int n>
MACROBENCH_HOST_DEVICE bool solve_positive_definite(double (&A)[n][n], double (&b)[n]) {
  double inverse[n];
  MACROBENCH_UNROLL
  for (int pivot = 0; pivot < n; ++pivot) {
    if (!(A[pivot][pivot] > 0)) return false;
    inverse[pivot] = numerics::quick_inverse(A[pivot][pivot]);
    MACROBENCH_UNROLL
    for (int row = pivot + 1; row < n; ++row) {
      const double factor = A[pivot][row] * inverse[pivot];
      MACROBENCH_UNROLL
      for (int column = row; column < n; ++column) A[row][column] -= factor * A[pivot][column];
      b[row] -= factor * b[pivot];
    }
  }
  MACROBENCH_UNROLL
  for (int row = n - 1; row >= 0; --row) {
    MACROBENCH_UNROLL
    for (int column = row + 1; column < n; ++column) b[row] -= A[row][column] * b[column];
    b[row] *= inverse[row];
  }
  return true;
}

/// All functions are called by all threads of all blocks at once.
template <class Threads>
class PolicyTeam {
 public:
  /// Numbers of scratch memory for one policy.
  static std::size_t scratch(const Grids& grids) {
    return (2 * depth + 4) * grids.size() + 2 * static_cast<std::size_t>(grids.n_K) * numbers;
  }
  /// Numbers of shared memory for `room` pairs (a, K_j) at a time.
  static std::size_t shared_numbers(const Grids& grids, int room) {
    return static_cast<std::size_t>(of_block + of_room(grids.n_k, grids.n_K, room));
  }
  /// And for copies of the splines' constants and of the block's `own` pairs.
  static std::size_t copied_numbers(const Grids& grids, int own) {
    return static_cast<std::size_t>(SplineView::constants(grids.n_k) +
                                    SplineView::constants(grids.n_K) +
                                    own * (of_tomorrow + of_today));
  }

  MACROBENCH_HOST_DEVICE PolicyTeam(const PolicyToFind& task, const PolicyData& data,
                                    Threads& threads)
      : task_(task),
        data_(data),
        threads_(threads),
        in_k_(data.in_k, task.grids.n_k, data.reach_in_k),
        in_K_(data.in_K, task.grids.n_K, data.reach_in_K),
        policy_(data.policy),
        n_k_(task.grids.n_k),
        n_K_(task.grids.n_K),
        room_(data.room),
        own_((2 * task.grids.n_K - threads.block() + threads.blocks() - 1) / threads.blocks()),
        stride_(std::ptrdiff_t{states} * task.grids.n_k),
        chunks_(2 * chunks_of(task.grids.n_k)),
        total_(data.shared),
        gram_(total_ + numbers),
        y_(data.shared + of_block),
        m_(y_ + data.room * stride_),
        sums_(m_ + data.room * stride_) {
    const std::ptrdiff_t nodes = std::ptrdiff_t{states} * n_K_ * n_k_;
    residuals_ = data.scratch;
    images_ = residuals_ + depth * nodes;
    residual_ = images_ + depth * nodes;
    image_ = residual_ + nodes;
    best_ = image_ + nodes;
    bend_ = best_ + nodes;
    of_pairs_ = bend_ + nodes;
    nodes_ = nodes;
    points_at_once_ = n_k_ < threads.count() ? n_k_ : threads.count();
    own_at_once_ = threads.count() / points_at_once_;
    first_i_ = threads.index() % points_at_once_;
    first_own_ = threads.index() / points_at_once_;
    if (first_own_ >= own_at_once_) first_i_ = n_k_;
    over_k_max_ = static_cast<float>(1 / task.grids.k_max);
    over_theta_ = static_cast<float>(1 / task.grids.theta);
    columns_ = static_cast<int>(of_room(n_k_, n_K_, room_) / (std::ptrdiff_t{2} * n_K_));
  }

  /// Finds the policy. Returns the iterations: above task.cap if it was not found.
  MACROBENCH_HOST_DEVICE int solve() {
    if (data_.copies) copy_constants();
    for (int n = 0; n < task_.endogenous; ++n) endogenous_step();
    return task_.endogenous + iterate();
  }

 private:
  static constexpr int in_chunk = 32;            ///< nodes in a row that are summed first
  static constexpr int numbers = 2 * depth + 1;  ///< sums of products, and the largest change
  static constexpr int of_block = numbers + depth * depth;  ///< before the lines
  static constexpr int of_tomorrow = sizeof(EulerMap::Tomorrow) / sizeof(double);
  static constexpr int of_today = sizeof(Prices) / sizeof(double);

  static constexpr int fewest_columns = 8;  ///< lines over K that have room at once

  /// Numbers of shared memory: values and second derivatives of each pair's lines, by its 4 states,
  /// and sums of its chunks; or values and second derivatives of some lines over K.
  MACROBENCH_HOST_DEVICE static std::ptrdiff_t of_room(int n_k, int n_K, int room) {
    const std::ptrdiff_t of_pair = std::ptrdiff_t{2} * states * n_k + 2 * chunks_of(n_k) * numbers;
    const std::ptrdiff_t of_columns = std::ptrdiff_t{2} * fewest_columns * n_K;
    return room * of_pair > of_columns ? room * of_pair : of_columns;
  }
  MACROBENCH_HOST_DEVICE static int chunks_of(int n_k) { return (n_k + in_chunk - 1) / in_chunk; }

  /// Calls work(own, i) for all points k_i of the first of the block's own pairs. A thread has the
  /// same points of every pair.
  template <class Work>
  MACROBENCH_HOST_DEVICE void each_point(int count, const Work& work) const {
    for (int own = first_own_; own < count; own += own_at_once_) {
      for (int i = first_i_; i < n_k_; i += points_at_once_) work(own, i);
    }
  }
  /// Calls work(n) for each n, by all lanes of a warp.
  template <class Work>
  MACROBENCH_HOST_DEVICE void each_by_lanes(int count, const Work& work) const {
    const int warps = threads_.count() / threads_.lanes();
    for (int n = threads_.index() / threads_.lanes(); n < count; n += warps) work(n);
  }

  /// Copies what does not change to where it is read sooner: each meeting of the blocks empties the
  /// cache next to a block.
  MACROBENCH_HOST_DEVICE void copy_constants() {
    double* to = y_ + of_room(n_k_, n_K_, room_);
    const auto copy = [&](const double* from, std::ptrdiff_t count) {
      for (std::ptrdiff_t n = threads_.index(); n < count; n += threads_.count()) to[n] = from[n];
      to += count;
      return to - count;
    };
    in_k_ = SplineView(copy(data_.in_k, SplineView::constants(n_k_)), n_k_, data_.reach_in_k);
    in_K_ = SplineView(copy(data_.in_K, SplineView::constants(n_K_)), n_K_, data_.reach_in_K);
    auto* const its_tomorrow = reinterpret_cast<EulerMap::Tomorrow*>(to);
    auto* const its_today = reinterpret_cast<Prices*>(to + std::ptrdiff_t{own_} * of_tomorrow);
    for (int own = threads_.index(); own < own_; own += threads_.count()) {
      its_tomorrow[own] = data_.tomorrow[pair(own)];
      its_today[own] = data_.today[pair(own)];
    }
    own_tomorrow_ = its_tomorrow;
    own_today_ = its_today;
    threads_.sync();
  }

  /// The block's own pairs, by number from 0 to own_ - 1.
  [[nodiscard]] MACROBENCH_HOST_DEVICE int pair(int own) const {
    return threads_.block() + own * threads_.blocks();
  }
  [[nodiscard]] MACROBENCH_HOST_DEVICE const EulerMap::Tomorrow& tomorrow(int own) const {
    return data_.copies ? own_tomorrow_[own] : data_.tomorrow[pair(own)];
  }
  [[nodiscard]] MACROBENCH_HOST_DEVICE const Prices& today(int own) const {
    return data_.copies ? own_today_[own] : data_.today[pair(own)];
  }
  [[nodiscard]] MACROBENCH_HOST_DEVICE int state(int own, int e) const {
    return state_of(pair(own) < n_K_ ? bad : good, e);
  }
  [[nodiscard]] MACROBENCH_HOST_DEVICE std::ptrdiff_t node(int own, int e, int i) const {
    const int its_pair = pair(own);
    return task_.grids.line(state(own, e), its_pair < n_K_ ? its_pair : its_pair - n_K_) + i;
  }
  /// Calls work(node) for all nodes of the block's own pairs.
  template <class Work>
  MACROBENCH_HOST_DEVICE void each_own_node(const Work& work) const {
    each_point(own_, [&](int own, int i) {
      const std::ptrdiff_t at = node(own, unemployed, i);
      const std::ptrdiff_t other = node(own, employed, i);
      work(at);
      work(other);
    });
  }

  /// Steps by the equation: damped, or accelerated as in egm.cpp.
  MACROBENCH_HOST_DEVICE int iterate() {
    restart();
    double smallest = 0;
    int calm = 0;
    bool is_back = false;  // at the best policy so far, to which a step that went too far leads
    for (int n = 1; n <= task_.cap;) {
      const double change = apply(task_.accelerated && calm == 0);
      const bool is_best = !is_back && (n == 1 || change < smallest);
      if (task_.accelerated && !is_back) {
        if (change < task_.aim) return n;
        if (is_best) {
          smallest = change;
        } else if (!(change <= too_far * smallest)) {
          each_own_node([&](std::ptrdiff_t at) { policy_[at] = best_[at]; });
          restart();
          calm = calm_steps;
          is_back = true;
          continue;
        }
      }
      is_back = false;
      if (task_.accelerated && calm == 0) {
        mix(is_best);
        has_last_ = true;
      } else {
        move(task_.accelerated && is_best, [&](std::ptrdiff_t at) { return image_[at]; });
        if (calm > 0) --calm;
        // Euler iteration replaces the last policy too.
        if (!task_.accelerated && change < task_.aim) return n;
      }
      ++n;
    }
    return task_.cap + 1;
  }

  /// Replaces the policy by next(node), which is kept as the best so far if it is that.
  template <class Next>
  MACROBENCH_HOST_DEVICE void move(bool is_best, const Next& next) {
    each_own_node([&](std::ptrdiff_t at) {
      if (is_best) best_[at] = policy_[at];
      policy_[at] = next(at);
    });
  }

  /// Sets the second derivatives along K, each block its own columns'.
  MACROBENCH_HOST_DEVICE void bend_in_K() {
    const int all = states * n_k_;
    const int share = (all + threads_.blocks() - 1) / threads_.blocks();
    const int begin = threads_.block() * share;
    const int end = begin + share < all ? begin + share : all;
    for (int first = begin; first < end; first += columns_) {
      const int count = end - first < columns_ ? end - first : columns_;
      double* const bends = y_ + std::ptrdiff_t{n_K_} * count;
      const auto each_place = [&](const auto& work) {
        for (int n = threads_.index(); n < n_K_ * count; n += threads_.count()) {
          const int j = n / count;
          const int column = first + n - j * count;
          const int s = column / n_k_;
          work(n, task_.grids.line(s, j) + column - s * n_k_);
        }
        threads_.sync();
      };
      each_place([&](int n, std::ptrdiff_t home) { y_[n] = policy_[home]; });
      for (int n = threads_.index(); n < count; n += threads_.count()) {
        in_K_.curvature(Alone(), y_ + n, bends + n, count);
      }
      threads_.sync();
      each_place([&](int n, std::ptrdiff_t home) { bend_[home] = bends[n]; });
    }
    threads_.sync_team();
  }

  /// Calls use(first, count) for the block's own pairs, as many at once as there is room for, with
  /// their lines in y_.
  template <class Use>
  MACROBENCH_HOST_DEVICE void with_lines(const Use& use) {
    threads_.sync_team();  // all have written the policy
    const bool bends = task_.splines && data_.in_lines == nullptr;
    if (bends) bend_in_K();
    for (int first = 0; first < own_; first += room_) {
      const int count = own_ - first < room_ ? own_ - first : room_;
      each_point(count, [&](int own, int i) {
        double* const y = y_ + own * stride_ + i;
        if (task_.splines && !bends) {
          const double* const weights = data_.in_lines + std::ptrdiff_t{pair(first + own)} * n_K_;
          double values[states] = {};
          for (int j = 0; j < n_K_; ++j) {
            const double weight = weights[j];
            MACROBENCH_UNROLL
            for (int s = 0; s < states; ++s) {
              values[s] += weight * policy_[task_.grids.line(s, j) + i];
            }
          }
          for (int s = 0; s < states; ++s) y[s * n_k_] = values[s];
          return;
        }
        const EulerMap::Tomorrow& there = tomorrow(first + own);
        const auto& [left, right, bend_left, bend_right] = there.weights;
        MACROBENCH_UNROLL
        for (int s = 0; s < states; ++s) {
          const std::ptrdiff_t low = task_.grids.line(s, there.interval) + i;
          const std::ptrdiff_t high = low + n_k_;
          double value = left * policy_[low] + right * policy_[high];
          if (bends) value += bend_left * bend_[low] + bend_right * bend_[high];
          y[s * n_k_] = value;
        }
      });
      threads_.sync();
      use(first, count);
      threads_.sync();  // before other lines replace these
    }
  }

  /// Sets image_ to the damped policy that the equation requires. Returns the largest change. If
  /// the step is to be remembered, the products that Anderson acceleration needs are added up as
  /// well.
  MACROBENCH_HOST_DEVICE double apply(bool remember) {
    is_pushed_ = remember && has_last_;
    if (is_pushed_) {
      newest_ = (newest_ + 1) % depth;
      kept_ = kept_ < depth ? kept_ + 1 : depth;
    }
    with_lines([&](int first, int count) {
      if (task_.splines) {
        each_by_lanes(count * states, [&](int n) {
          const std::ptrdiff_t line = n / states * stride_ + n % states * n_k_;
          in_k_.curvature(threads_, y_ + line, m_ + line, 1);
        });
        threads_.sync();
      }
      int own = 0;
      int chunk = threads_.index() / threads_.lanes();
      for (;; chunk += threads_.count() / threads_.lanes()) {
        for (; chunk >= chunks_; chunk -= chunks_) ++own;
        if (own >= count) break;
        apply_in_chunk(first + own, own, chunk, remember);
      }
      threads_.sync();
      const auto of_chunk = [&](int n, int its_chunk) {
        return sums_[(n / numbers * chunks_ + its_chunk) * numbers + n % numbers];
      };
      total_each(count * numbers, chunks_, of_chunk, [&](int n, double all) {
        of_pairs_[pair(first + n / numbers) * numbers + n % numbers] = all;
      });
    });
    add_up();
    return total_[numbers - 1];
  }

  /// Two sums, or the larger of two changes; NaN stays.
  MACROBENCH_HOST_DEVICE static double combined(int number, double left, double right) {
    if (number < numbers - 1) return left + right;
    return left <= right || right != right ? right : left;
  }

  /// Calls put(n, total) for n below `totals`, each the total of term(n, 0) to term(n, count - 1),
  /// of the number n % numbers: by one thread if these are few, else by a warp.
  template <class Term, class Put>
  MACROBENCH_HOST_DEVICE void total_each(int totals, int count, const Term& term,
                                         const Put& put) const {
    constexpr int few = 16;
    constexpr int batch = 8;  // read at once
    if (count > few) {
      each_by_lanes(totals, [&](int n) {
        const int number = n % numbers;
        double mine = 0;
        for (int t = threads_.lane(); t < count; t += threads_.lanes()) {
          mine = combined(number, mine, term(n, t));
        }
        mine = number < numbers - 1 ? threads_.sum_of_lanes(mine) : threads_.largest_of_lanes(mine);
        if (threads_.lane() == 0) put(n, mine);
      });
      return;
    }
    for (int n = threads_.index(); n < totals; n += threads_.count()) {
      double all = 0;
      for (int first = 0; first < count; first += batch) {
        double terms[batch];
        MACROBENCH_UNROLL
        for (int b = 0; b < batch; ++b) {
          terms[b] = term(n, first + b < count ? first + b : count - 1);
        }
        MACROBENCH_UNROLL
        for (int b = 0; b < batch; ++b) {
          if (first + b < count) all = combined(n % numbers, all, terms[b]);
        }
      }
      put(n, all);
    }
  }

  /// At 32 nodes of one row of an own pair, or fewer, by all lanes of a warp. Its lines have this
  /// place among those in shared memory.
  MACROBENCH_HOST_DEVICE void apply_in_chunk(int own, int its_place, int chunk, bool remember) {
    const int e = 2 * chunk < chunks_ ? unemployed : employed;
    const int begin = (chunk - e * (chunks_ / 2)) * in_chunk;
    const int end = begin + in_chunk < n_k_ ? begin + in_chunk : n_k_;
    const Prices& prices = today(own);
    double products[2 * depth] = {};
    double largest = 0;
    for (int i = begin + threads_.lane(); i < end; i += threads_.lanes()) {
      const std::ptrdiff_t at = node(own, e, i);
      const double chosen = policy_[at];
      // Read before they are needed.
      double last[depth + 2] = {};
      if (is_pushed_) {
        MACROBENCH_UNROLL
        for (int d = 0; d < depth; ++d) last[d] = residuals_[place(d, at)];
        last[depth] = residual_[at];
        last[depth + 1] = image_[at];
      }
      double choices[states];
      choices_at(its_place * stride_, chosen, choices);
      const double c = consumption(own, e, chosen, choices);
      const double asked = task_.grids.clip_k(prices.R * in_k_.x[i] + prices.income[e] - c);
      const double change = asked > chosen ? asked - chosen : chosen - asked;
      largest = combined(numbers - 1, largest, change);
      const double image = task_.damping * asked + (1 - task_.damping) * chosen;
      if (is_pushed_) take_in(at, image - chosen, image, last, products);
      if (remember) residual_[at] = image - chosen;
      image_[at] = image;
    }
    double* const sums = sums_ + (its_place * chunks_ + chunk) * numbers;
    threads_.sums_of_lanes(products, [&](int n, double sum) { sums[n] = sum; });
    largest = threads_.largest_of_lanes(largest);
    if (threads_.lane() == 0) sums[numbers - 1] = largest;
  }

  /// The newest differences, and the residual's products: of its difference with all, and of all
  /// with itself. `last` are the differences before, the last residual and the last image.
  MACROBENCH_HOST_DEVICE void take_in(std::ptrdiff_t at, double residual, double image,
                                      const double (&last)[depth + 2],
                                      double (&products)[2 * depth]) {
    const double newest = residual - last[depth];
    residuals_[place(newest_, at)] = newest;
    images_[place(newest_, at)] = image - last[depth + 1];
    // Those not kept are replaced by 0, whatever is there.
    MACROBENCH_UNROLL
    for (int d = 0; d < depth; ++d) {
      const double other = d == newest_ ? newest : d < kept_ ? last[d] : 0;
      products[d] += other * newest;
      products[depth + d] += other * residual;
    }
  }

  /// Sets total_ from all pairs.
  MACROBENCH_HOST_DEVICE void add_up() {
    threads_.sync_team();
    total_each(
        numbers, 2 * n_K_, [&](int n, int its_pair) { return of_pairs_[its_pair * numbers + n]; },
        [&](int n, double all) { total_[n] = all; });
    threads_.sync();
  }

  /// What the equation requires today, as expected_utility() has it, but with the four marginal
  /// utilities side by side: each takes long, and none waits for another.
  [[nodiscard]] MACROBENCH_HOST_DEVICE double consumption(int own, int e, double chosen,
                                                          const double* choices) const {
    const Economy& economy = task_.economy;
    const Prices* const there = tomorrow(own).prices;
    double utility[states];
    MACROBENCH_UNROLL
    for (int next = 0; next < states; ++next) {
      const Prices& p = there[next / 2];
      const double c = p.R * chosen + p.income[next % 2] - choices[next];
      utility[next] = c < consumption_floor ? consumption_floor : c;
    }
    if (economy.gamma == 1) {
      MACROBENCH_UNROLL
      for (double& c : utility) c = 1 / c;
    } else {
      MACROBENCH_ROLLED
      for (double& c : utility) c = marginal_utility(economy.gamma, c);
    }
    const double* const P = economy.P[state(own, e)];
    const double of_bad = P[0] * utility[0] + P[1] * utility[1];
    const double of_good = P[2] * utility[2] + P[3] * utility[3];
    return consumption_at(economy.gamma,
                          economy.beta * (there[bad].R * of_bad + there[good].R * of_good));
  }

  /// The four lines at k.
  MACROBENCH_HOST_DEVICE void choices_at(std::ptrdiff_t line, double k,
                                         double (&choices)[states]) const {
    const float place = numerics::rough_power(static_cast<float>(k) * over_k_max_, over_theta_) *
                        static_cast<float>(n_k_ - 1);
    const int hint = place > 0 ? static_cast<int>(place) : 0;
    const int p = in_k_.interval(k, hint < n_k_ - 2 ? hint : n_k_ - 2);
    const auto [left, right, bend_left, bend_right] = in_k_.weights(k, p);
    const double* const y = y_ + line + p;
    const double* const m = m_ + line + p;
    MACROBENCH_UNROLL
    for (int s = 0; s < states; ++s) {
      choices[s] = left * y[s * n_k_] + right * y[s * n_k_ + 1];
    }
    if (!task_.splines) return;
    MACROBENCH_UNROLL
    for (int s = 0; s < states; ++s) {
      choices[s] += bend_left * m[s * n_k_] + bend_right * m[s * n_k_ + 1];
    }
  }

  /// k' at k, between the points that afford the k_i; 0 below the first of these.
  [[nodiscard]] MACROBENCH_HOST_DEVICE double affordable(const double* affords, double k) const {
    // The first interval that ends at k or above, or the last.
    int p = 0;
    for (int last = n_k_ - 2; p < last;) {
      const int middle = (p + last) / 2;
      if (affords[middle + 1] < k) {
        p = middle + 1;
      } else {
        last = middle;
      }
    }
    const double share = (k - affords[p]) / (affords[p + 1] - affords[p]);
    const double chosen = in_k_.x[p] + share * (in_k_.x[p + 1] - in_k_.x[p]);
    return k <= affords[0] ? 0 : task_.grids.clip_k(chosen);
  }

  /// A step by the endogenous grid, from the policy to the next.
  MACROBENCH_HOST_DEVICE void endogenous_step() {
    with_lines([&](int first, int count) {
      // The wealth that affords k' = k_i, in the room of the second derivatives.
      each_point(count, [&](int own, int i) {
        const Prices& prices = today(first + own);
        double choices[states];
        for (int s = 0; s < states; ++s) choices[s] = y_[own * stride_ + s * n_k_ + i];
        for (int e = unemployed; e <= employed; ++e) {
          const double c = consumption(first + own, e, in_k_.x[i], choices);
          m_[own * stride_ + e * n_k_ + i] = (c + in_k_.x[i] - prices.income[e]) / prices.R;
        }
      });
      threads_.sync();
      each_point(count, [&](int own, int i) {
        for (int e = unemployed; e <= employed; ++e) {
          const double chosen = affordable(m_ + own * stride_ + e * n_k_, in_k_.x[i]);
          image_[node(first + own, e, i)] = chosen;
        }
      });
    });
    threads_.sync_team();  // all have read the policy
    each_own_node([&](std::ptrdiff_t at) { policy_[at] = image_[at]; });
  }

  MACROBENCH_HOST_DEVICE void restart() {
    has_last_ = false;
    kept_ = 0;
    newest_ = depth - 1;
  }

  /// Moves to the next point of Anderson acceleration, as numerics::Anderson does.
  MACROBENCH_HOST_DEVICE void mix(bool is_best) {
    double share[depth] = {};
    if (is_pushed_) {
      find_shares(share);
      keep_products();
    }
    move(is_best, [&](std::ptrdiff_t at) {
      double next = image_[at];
      MACROBENCH_UNROLL
      for (int d = 0; d < depth; ++d) {
        const double there = images_[place(d, at)];
        next -= d < kept_ ? share[d] * there : 0;
      }
      return task_.grids.clip_k(next);
    });
  }

  [[nodiscard]] MACROBENCH_HOST_DEVICE std::ptrdiff_t place(int difference,
                                                            std::ptrdiff_t at) const {
    return difference * nodes_ + at;
  }

  /// The differences' shares in the mixture, by every thread for itself, which takes less than to
  /// wait for one. The system is scaled to a unit diagonal, to which a little is added. What the
  /// newest difference brings is in total_, and in gram_ for later.
  MACROBENCH_HOST_DEVICE void find_shares(double (&shares)[depth]) const {
    const auto product = [&](int d, int f) {
      return d == newest_ ? total_[f] : f == newest_ ? total_[d] : gram_[depth * d + f];
    };
    double A[depth][depth];
    double scale[depth];
    MACROBENCH_UNROLL
    for (int d = 0; d < depth; ++d) {
      const double square = d < kept_ ? product(d, d) : 0;
      scale[d] = square > 0 ? numerics::quick_inverse_root(square) : 0;
      shares[d] = d < kept_ ? scale[d] * total_[depth + d] : 0;
    }
    MACROBENCH_UNROLL
    for (int d = 0; d < depth; ++d) {
      MACROBENCH_UNROLL
      for (int f = d; f < depth; ++f) {
        const bool are_kept = d < kept_ && f < kept_;
        A[d][f] = d == f ? 1 + 1e-10 : are_kept ? scale[d] * scale[f] * product(d, f) : 0;
      }
    }
    const bool is_solved = solve_positive_definite(A, shares);
    MACROBENCH_UNROLL
    for (int d = 0; d < depth; ++d) shares[d] = is_solved ? shares[d] * scale[d] : 0;
  }
  /// Keeps the newest difference's products, by one thread for each.
  MACROBENCH_HOST_DEVICE void keep_products() {
    for (int d = threads_.index(); d < kept_; d += threads_.count()) {
      gram_[depth * d + newest_] = gram_[depth * newest_ + d] = total_[d];
    }
  }

  const PolicyToFind& task_;
  const PolicyData& data_;
  Threads& threads_;
  SplineView in_k_, in_K_;
  const EulerMap::Tomorrow* own_tomorrow_ = nullptr;  ///< copies, by own pair
  const Prices* own_today_ = nullptr;
  double* policy_;
  int n_k_, n_K_, room_;
  int own_;                ///< pairs of this block
  std::ptrdiff_t stride_;  ///< from a pair's lines to the next pair's
  int chunks_;             ///< of a pair
  double* total_;          ///< of all pairs
  double* gram_;           ///< products of the residuals' differences, shape depth x depth
  double *y_, *m_;         ///< of each pair's lines in shared memory, shape 4 x n_k
  double* sums_;           ///< of each pair's chunks there, shape chunks_ x numbers
  int first_own_ = 0, own_at_once_ = 0, first_i_ = 0, points_at_once_ = 0;  ///< see each_point()
  float over_k_max_ = 0, over_theta_ = 0;
  int columns_ = 0;  ///< lines over K that have room there instead
  std::ptrdiff_t nodes_ = 0;
  double *residuals_, *images_;  ///< the differences: a ring, shape depth x nodes
  double *residual_, *image_, *best_, *bend_;
  double* of_pairs_;  ///< each pair's share of total_
  int kept_ = 0;      ///< differences
  int newest_ = 0;    ///< place in the ring
  bool has_last_ = false;
  bool is_pushed_ = false;  ///< whether the last step has made a difference
};

}  // namespace macrobench::krusell_smith
