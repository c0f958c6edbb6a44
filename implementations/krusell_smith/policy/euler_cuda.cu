// The Euler-equation iteration of euler.cpp on one GPU, with all iterations in one kernel. Hatcher
// and Scheffel (2014, section 3) thought this worthwhile.
//
// An iteration has two steps, with the whole chip synchronised after each. First every thread finds
// the second derivatives along K at one (s, k_i). Then every block takes a pair (a, K_j): the lines
// over k at tomorrow's K, their splines, and the Euler equation at the pair's nodes. The splines
// along k are solved in segments in parallel: what the elimination carries over from a node dies
// out within a few dozen nodes, so each segment begins that many nodes before its own.

#include <cooperative_groups.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/text/error.hpp"
#include "implementations/krusell_smith/policy/euler_map.hpp"
#include "implementations/krusell_smith/policy/policy.hpp"
#include "implementations/krusell_smith/policy/spline_view.hpp"
#include "implementations/numerics/methods/power.hpp"
#include "implementations/numerics/parallel/device.cuh"

namespace macrobench::krusell_smith {

namespace {

using numerics::check;
using numerics::DeviceBuffer;
using numerics::NotAKnotSpline;
using numerics::PinnedBuffer;

constexpr int warp = 32;
constexpr int most_threads = 512;  // per block
constexpr int least_segment = 17;  // odd, so that neighbouring segments are in different banks
constexpr unsigned all_lanes = 0xFFFFFFFF;

/// A spline whose elimination is done in segments.
struct Spline : SplineView {
  int warm_up;  ///< nodes after which what the elimination carries over has died out
};

struct Task {
  Economy economy;
  Grids grids;
  Spline in_k, in_K;
  bool splines;  ///< else straight lines: no second derivatives
  double damping, tolerance;
  int cap;
  const EulerMap::Tomorrow* tomorrow;  ///< shape 2 x n_K
  const Prices* today;                 ///< shape 2 x n_K
  double* policy[2];                   ///< alternating, shape 4 x n_K x n_k; starts with the first
  double* bend;                        ///< d2 policy / dK2, shape 4 x n_K x n_k
  unsigned long long* changes;         ///< the largest of an iteration, as bits; three alternate
  int* iterations;
};

/// The four lines over k at tomorrow's K, by state: values y and second derivatives m, shape n_k x
/// 4, in shared memory, and the same room again.
class Lines {
 public:
  static std::size_t bytes(int n_k) {
    return 3 * static_cast<std::size_t>(n_k) * states * sizeof(double);
  }

  __device__ Lines(const Task& task, double* shared)
      : task_(task),
        spline_(task.in_k),
        y_(shared),
        m_(y_ + states * spline_.n),
        forward_(m_ + states * spline_.n) {}

  /// By the whole block.
  __device__ void make(const EulerMap::Tomorrow& tomorrow, const double* policy) {
    const int n_k = spline_.n;
    const auto [left, right, bend_left, bend_right] = tomorrow.weights;
    for (int n = thread(); n < states * n_k; n += threads()) {
      const int s = n / n_k;
      const int i = n % n_k;
      const std::ptrdiff_t low = task_.grids.line(s, tomorrow.interval) + i;
      const std::ptrdiff_t high = low + n_k;
      y_[states * i + s] = left * policy[low] + right * policy[high] + bend_left * task_.bend[low] +
                           bend_right * task_.bend[high];
      m_[n] = 0;
    }
    __syncthreads();
    if (task_.splines) find_curvature();
  }

  /// The four lines at k, which is near the index `hint`.
  __device__ void at(double k, int hint, double (&values)[states]) const {
    const int p = spline_.interval(k, hint);
    const auto [left, right, bend_left, bend_right] = spline_.weights(k, p);
    const double* y = y_ + states * p;
    const double* m = m_ + states * p;
    for (int s = 0; s < states; ++s) {
      values[s] =
          left * y[s] + right * y[states + s] + bend_left * m[s] + bend_right * m[states + s];
    }
  }

 private:
  __device__ static int thread() { return static_cast<int>(threadIdx.x); }
  __device__ static int threads() { return static_cast<int>(blockDim.x); }

  __device__ void find_curvature() {
    const int n = spline_.n;
    for (int at = states + thread(); at < states * (n - 1); at += threads()) {
      m_[at] = spline_.bend(at / states, y_[at - states], y_[at], y_[at + states]);
    }
    __syncthreads();

    const int s = thread() % states;
    const int length = max(least_segment, ((n - 2) * states / threads() + 1) | 1);
    const int first = 1 + thread() / states * length;
    const int end = min(first + length, n - 1);
    double carried = 0;
    for (int i = max(1, first - spline_.warm_up); i < end; ++i) {
      carried = spline_.forwards(i, m_[states * i + s], carried);
      if (i >= first) forward_[states * i + s] = carried;
    }
    __syncthreads();
    carried = 0;
    for (int i = min(n - 2, end - 1 + spline_.warm_up); i >= first; --i) {
      carried = spline_.backwards(i, forward_[states * i + s], carried);
      if (i < end) m_[states * i + s] = carried;
    }
    __syncthreads();
    if (thread() < states) {
      double* m = m_ + thread();
      m[0] = m[states] + spline_.at_first() * (m[states] - m[2 * states]);
      double* last = m + states * (n - 1);
      last[0] = last[-states] + spline_.at_last() * (last[-states] - last[-2 * states]);
    }
    __syncthreads();
  }

  const Task& task_;
  const Spline& spline_;
  double *y_, *m_, *forward_;
};

/// Solves the Euler equation at the nodes of (a, K_j). Returns this thread's largest change.
/// Changes are compared by their bits: for numbers that are not negative the order is the same, and
/// NaN is the largest.
__device__ unsigned long long update(const Task& task, int a, int j, const Lines& lines,
                                     const double* policy, double* next_policy) {
  const int n_k = task.grids.n_k;
  const EulerMap::Tomorrow& tomorrow = task.tomorrow[a * task.grids.n_K + j];
  const Prices& today = task.today[a * task.grids.n_K + j];
  unsigned long long largest = 0;
  for (int n = static_cast<int>(threadIdx.x); n < 2 * n_k; n += static_cast<int>(blockDim.x)) {
    const int e = n < n_k ? unemployed : employed;
    const int i = n < n_k ? n : n - n_k;
    const int s = state_of(a, e);
    const std::ptrdiff_t at = task.grids.line(s, j) + i;
    const double chosen = policy[at];
    const float place = numerics::rough_power(static_cast<float>(chosen / task.grids.k_max),
                                              static_cast<float>(1 / task.grids.theta)) *
                        static_cast<float>(n_k - 1);
    double choices[states];
    lines.at(chosen, min(max(static_cast<int>(place), 0), n_k - 2), choices);
    const double c = consumption_at(
        task.economy.gamma, expected_utility(task.economy, s, tomorrow.prices, chosen, choices));
    const double asked = task.grids.clip_k(today.R * task.in_k.x[i] + today.income[e] - c);
    next_policy[at] = task.damping * asked + (1 - task.damping) * chosen;
    const double change = fabs(asked - chosen);
    largest = max(largest, static_cast<unsigned long long>(__double_as_longlong(change)));
  }
  return largest;
}

__device__ void keep_largest(unsigned long long mine, unsigned long long* of_all) {
  __shared__ unsigned long long of_block;
  if (threadIdx.x == 0) of_block = 0;
  __syncthreads();
  for (int offset = warp / 2; offset > 0; offset /= 2) {
    mine = max(mine, __shfl_xor_sync(all_lanes, mine, offset));
  }
  if (threadIdx.x % warp == 0) atomicMax(&of_block, mine);
  __syncthreads();
  if (threadIdx.x == 0) atomicMax(of_all, of_block);
}

__global__ void __launch_bounds__(most_threads) iterate_euler(const Task task) {
  extern __shared__ double shared[];
  const auto grid = cooperative_groups::this_grid();
  const int n_k = task.grids.n_k;
  const int n_K = task.grids.n_K;
  const bool is_first = blockIdx.x == 0 && threadIdx.x == 0;
  const int share = (states * n_k + static_cast<int>(gridDim.x) - 1) / static_cast<int>(gridDim.x);
  const int first_column = static_cast<int>(blockIdx.x) * share;
  const int end_column = min(first_column + share, states * n_k);
  Lines lines(task, shared);

  for (int n = 1;; ++n) {
    const double* policy = task.policy[(n - 1) % 2];
    double* next_policy = task.policy[n % 2];
    if (is_first) task.changes[(n + 1) % 3] = 0;
    if (task.splines) {
      for (int column = first_column + static_cast<int>(threadIdx.x); column < end_column;
           column += static_cast<int>(blockDim.x)) {
        const std::ptrdiff_t at = task.grids.line(column / n_k, 0) + column % n_k;
        task.in_K.curvature(policy + at, n_k, task.bend + at);
      }
    }
    grid.sync();

    unsigned long long largest = 0;
    for (int pair = static_cast<int>(blockIdx.x); pair < 2 * n_K;
         pair += static_cast<int>(gridDim.x)) {
      lines.make(task.tomorrow[pair], policy);
      largest = max(largest, update(task, pair / n_K, pair % n_K, lines, policy, next_policy));
      __syncthreads();
    }
    keep_largest(largest, task.changes + n % 3);
    grid.sync();

    const double change =
        __longlong_as_double(static_cast<long long>(__ldcg(task.changes + n % 3)));
    const bool is_there = change < task.tolerance;
    if (is_there || n == task.cap) {
      if (is_first) *task.iterations = is_there ? n : n + 1;
      return;
    }
  }
}

/// A spline's constants on the device.
class SplineOnDevice {
 public:
  explicit SplineOnDevice(const NotAKnotSpline& spline)
      : constants_(SplineView::constants_of(spline)),
        view_{SplineView(constants_.data(), spline.size()), warm_up(spline.eliminated())} {}

  [[nodiscard]] const Spline& view() const { return view_; }

 private:
  /// The fewest nodes after which less than `left_over` of a carried number is left, from any node
  /// and in both directions.
  static int warm_up(const NotAKnotSpline::Eliminated& system) {
    constexpr double left_over = 1e-20;
    const int n = static_cast<int>(system.factor.size());
    const auto longest = [&](const auto& factor) {
      int most = 0;
      for (int first = 1; first < n - 1; ++first) {
        double left = 1;
        int i = first;
        while (i < n - 1 && left >= left_over)
          left *= std::abs(factor(static_cast<std::size_t>(i++)));
        most = std::max(most, i - first);
      }
      return most;
    };
    return std::max(
        longest([&](std::size_t i) { return system.factor[i]; }),
        longest([&](std::size_t i) { return system.upper[i] * system.inverse_pivot[i]; }));
  }

  DeviceBuffer<double> constants_;
  Spline view_;
};

int device_attribute(cudaDeviceAttr attribute) {
  int device = 0;
  int value = 0;
  check(cudaGetDevice(&device), "asking for the device");
  check(cudaDeviceGetAttribute(&value, attribute, device), "asking what the device can do");
  return value;
}

class EulerOnDevice final : public PolicyMethod {
 public:
  explicit EulerOnDevice(const Problem& problem)
      : PolicyMethod(problem),
        map_(problem),
        in_k_(map_.in_k()),
        in_K_(map_.in_K()),
        today_(map_.today()),
        tomorrow_(today_.size()),
        even_(problem.grids.size()),
        odd_(problem.grids.size()),
        bend_(problem.grids.size()),
        changes_(3),
        iterations_(1),
        shared_bytes_(Lines::bytes(problem.grids.n_k)) {
    const auto most =
        static_cast<std::size_t>(device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
    if (shared_bytes_ + 1024 > most) {
      throw UsageError("policy = euler_cuda keeps " + std::to_string(shared_bytes_) +
                       " bytes of lines over k in shared memory, of which this GPU's blocks have " +
                       std::to_string(most) + ": take a smaller nk, or policy = euler");
    }
    check(cudaFuncSetAttribute(iterate_euler, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(shared_bytes_)),
          "asking for shared memory");
    int resident = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, iterate_euler, most_threads,
                                                        shared_bytes_),
          "asking for the occupancy");
    blocks_ = std::min(2 * problem.grids.n_K,
                       resident * device_attribute(cudaDevAttrMultiProcessorCount));
    check(cudaMemset(bend_.data(), 0, bend_.size() * sizeof(double)), "resetting the bends");
  }

  int improve(const LawOfMotion& law, std::vector<double>& policy) override {
    map_.set_law(law);
    tomorrow_.upload(map_.tomorrow());
    even_.upload(policy);
    check(cudaMemset(changes_.data(), 0, changes_.size() * sizeof(unsigned long long)),
          "resetting the changes");
    Task task = {.economy = Economy(problem().calibration),
                 .grids = problem().grids,
                 .in_k = in_k_.view(),
                 .in_K = in_K_.view(),
                 .splines = problem().policy_interpolation == PolicyInterpolation::spline,
                 .damping = problem().damping,
                 .tolerance = accuracy(),
                 .cap = cap(),
                 .tomorrow = tomorrow_.data(),
                 .today = today_.data(),
                 .policy = {even_.data(), odd_.data()},
                 .bend = bend_.data(),
                 .changes = changes_.data(),
                 .iterations = iterations_.data()};
    void* arguments[] = {&task};
    check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(iterate_euler),
                                      dim3(static_cast<unsigned>(blocks_)), dim3(most_threads),
                                      arguments, shared_bytes_, nullptr),
          "launching the Euler iteration");
    check(cudaDeviceSynchronize(), "iterating on the Euler equation");
    const int iterations = *iterations_.begin();
    const int done = std::min(iterations, cap());
    (done % 2 == 0 ? even_ : odd_).download(policy);
    return iterations;
  }

 private:
  EulerMap map_;
  SplineOnDevice in_k_, in_K_;
  DeviceBuffer<Prices> today_;
  DeviceBuffer<EulerMap::Tomorrow> tomorrow_;
  DeviceBuffer<double> even_, odd_, bend_;
  DeviceBuffer<unsigned long long> changes_;
  PinnedBuffer<int> iterations_;
  std::size_t shared_bytes_;
  int blocks_ = 0;
};

const RegisterPolicy registered({.name = "euler_cuda",
                                 .make =
                                     [](const Problem& problem) -> std::unique_ptr<PolicyMethod> {
                                   return std::make_unique<EulerOnDevice>(problem);
                                 },
                                 .unavailable = numerics::no_gpu_here,
                                 .start = [] { numerics::load_kernels(iterate_euler); }});

}  // namespace

}  // namespace macrobench::krusell_smith
