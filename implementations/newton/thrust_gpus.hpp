#pragma once

// thrust.hpp on several `devices`, which divide the coefficients.

#include <thrust/tabulate.h>

#include <cstddef>
#include <cstdint>

#include "implementations/newton/thrust.hpp"
#include "implementations/numerics/parallel/devices.hpp"

namespace macrobench::newton::thrust_solver {

/// thrust::sequence from the coefficient `first` on: a coefficient's place in the whole decides its
/// value.
template <class Real>
struct SequenceFrom {
  Real a_low, spacing;
  std::size_t first;

  MACROBENCH_HOST_DEVICE Real operator()(std::size_t i) const {
    return a_low + spacing * static_cast<Real>(first + i);
  }
};

template <class Real, template <class> class DeviceVector>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution,
           numerics::Devices& devices) {
  stages.enter("grid");
  devices.each([&](numerics::Device& device) {
    const std::size_t first = device.begin(problem.coefficients());
    const std::size_t count = device.end(problem.coefficients()) - first;
    DeviceVector<Real> a(count);
    thrust::tabulate(a.begin(), a.end(),
                     SequenceFrom<Real>{static_cast<Real>(problem.a_low),
                                        static_cast<Real>(problem.spacing()), first});

    device.together([&] { stages.enter("maximize"); });
    DeviceVector<Real> argmax(count);
    DeviceVector<std::uint8_t> steps(count);
    thrust::transform(a.begin(), a.end(),
                      thrust::make_zip_iterator(thrust::make_tuple(argmax.begin(), steps.begin())),
                      MaxPolyTuple<Real>{MaxPoly<Real>(problem)});
    device.together([&] { stages.finish(); });

    const auto offset = static_cast<std::ptrdiff_t>(first);
    thrust::copy(argmax.begin(), argmax.end(), solution.argmax.begin() + offset);
    thrust::copy(steps.begin(), steps.end(), solution.steps.begin() + offset);
  });
}

}  // namespace macrobench::newton::thrust_solver
