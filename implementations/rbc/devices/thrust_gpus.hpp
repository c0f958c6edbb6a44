#pragma once

// The Thrust program on several devices that divide the capital grid: the functors of
// thrust_filled.hpp on the share of each.

#include <thrust/copy.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/memory.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "implementations/rbc/corrected/thrust_filled.hpp"
#include "implementations/rbc/devices/divided.hpp"

namespace macrobench::rbc::thrust_solver {

/// Maps a number from 0 on to a state of the capital from `first` on, `count` of it in each row.
struct StateOfShare {
  std::ptrdiff_t first, count, nk;

  MACROBENCH_HOST_DEVICE std::ptrdiff_t operator()(std::ptrdiff_t n) const {
    const std::ptrdiff_t j = n / count;
    return j * nk + first + (n - j * count);
  }
};

template <class Real, Maximizer maximizer, template <class> class DeviceVector>
class Share {
 public:
  Share(const Problem& problem, std::size_t first, std::size_t end)
      : Share(problem, static_cast<std::ptrdiff_t>(first), static_cast<std::ptrdiff_t>(end),
              make_grids<Real>(problem)) {}

  Real* values(int which) { return thrust::raw_pointer_cast(vector(which).data()); }

  void iterate(int k) {
    const DeviceVector<Real>& V0 = vector(k % 2);
    DeviceVector<Real>& V = vector((k + 1) % 2);
    bellman_.V0 = values(k % 2);
    const auto end = states_ + count_;
    if (maximizer == Maximizer::bisection || maximize_now(k)) {
      thrust::transform(
          states_, end,
          its(thrust::make_zip_iterator(thrust::make_tuple(V.begin(), policy_.begin()))),
          Maximize<Real, maximizer>{bellman_});
    } else {
      thrust::transform(states_, end, its(policy_.begin()), its(V.begin()),
                        Evaluate<Real, maximizer>{bellman_});
    }
    difference_ = thrust::inner_product(its(V.begin()), its(V.begin()) + count_, its(V0.begin()),
                                        Real(0), Larger<Real>(), Distance<Real>());
  }

  [[nodiscard]] Real difference() const { return difference_; }

  void download_values(int which, std::vector<Real>& V) {
    thrust::copy(vector(which).begin(), vector(which).end(), V.begin());
  }

  void download_policy(std::vector<std::int32_t>& policy) const {
    const auto [first, count, nk] = share_;
    for (auto row = first; row < std::ssize(policy); row += nk) {
      thrust::copy_n(policy_.begin() + row, count, policy.begin() + row);
    }
  }

 private:
  Share(const Problem& problem, std::ptrdiff_t first, std::ptrdiff_t end, const Grids<Real>& grids)
      : share_{first, end - first, problem.nk},
        count_(share_.count * problem.nz),
        states_(thrust::counting_iterator<std::ptrdiff_t>(0), share_),
        grids_(grids),
        values_{start_at_every_state<Real, DeviceVector>(problem, grids),
                DeviceVector<Real>(problem.states())},
        policy_(problem.states()),
        bellman_(bellman_of<Real, maximizer>(problem, grids_)) {}

  DeviceVector<Real>& vector(int which) { return values_[static_cast<std::size_t>(which)]; }

  /// Of an array of all states, those of the share.
  template <class Iterator>
  auto its(Iterator all) const {
    return thrust::make_permutation_iterator(all, states_);
  }

  StateOfShare share_;
  std::ptrdiff_t count_;
  thrust::transform_iterator<StateOfShare, thrust::counting_iterator<std::ptrdiff_t>> states_;
  DeviceGrids<DeviceVector<Real>> grids_;
  std::array<DeviceVector<Real>, 2> values_;  ///< take turns
  DeviceVector<std::int32_t> policy_;
  RightHandSide<Real, maximizer> bellman_;
  Real difference_ = 0;
};

template <class Real, template <class> class DeviceVector>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution,
           numerics::Devices& devices) {
  with_published(problem.maximizer, [&]<Maximizer maximizer>() {
    iterate_divided<Real, Share<Real, maximizer, DeviceVector>>(problem, stages, solution, devices);
  });
}

}  // namespace macrobench::rbc::thrust_solver
