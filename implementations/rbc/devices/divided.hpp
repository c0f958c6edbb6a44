#pragma once

// Value function iteration by several devices that divide the capital grid: ours, with the
// arithmetic of the published programs. Each device has all of V0, and sends its columns of V to
// the others before the next iteration.

#include <array>
#include <cstddef>
#include <cstdint>

#include "harness/model/stages.hpp"
#include "implementations/numerics/parallel/devices.hpp"
#include "implementations/rbc/model.hpp"

namespace macrobench::rbc {

/// Share is what one device has and does, for the capital from `first` to `end`:
///   Share(problem, first, end);
///   Real* values(int which);            0: V as iteration starts; 1: room for the next one
///   void iterate(int k);                from values(k % 2) to its columns of the other
///   Real difference();                  max |V - V0| of its columns, when the device has waited
///   void download_values(int which, std::vector<Real>& V);
///   void download_policy(std::vector<std::int32_t>& policy);   its columns
template <class Real, class Share>
void iterate_divided(const Problem& problem, Stages& stages, Solution<Real>& solution,
                     numerics::Devices& devices) {
  devices.each([&](numerics::Device& device) {
    const auto nk = static_cast<std::size_t>(problem.nk);
    const auto nz = static_cast<std::size_t>(problem.nz);
    Share share(problem, device.begin(nk), device.end(nk));
    const auto divided = [&](int which) {
      return device.divide(share.values(which), nz, nk, sizeof(Real));
    };
    const std::array<numerics::DividedMatrix, 2> values{divided(0), divided(1)};

    int iterations = 0;
    Real difference = 0;
    bool converged = false;
    for (int k = 0; k < problem.iteration_cap && !converged; ++k) {
      share.iterate(k);
      device.exchange(values[k % 2 == 0 ? 1 : 0]);
      device.wait("iterating on the value function");
      difference = static_cast<Real>(device.largest(share.difference()));
      iterations = k + 1;
      converged = difference < problem.tolerance;
    }
    device.together([&] {
      tell_exchange(devices, stages);
      stages.finish();
    });

    if (device.is_first()) {
      solution.iterations = iterations;
      solution.difference = difference;
      solution.converged = converged;
      share.download_values(iterations % 2, solution.V);
    }
    share.download_policy(solution.policy);
  });
}

}  // namespace macrobench::rbc
