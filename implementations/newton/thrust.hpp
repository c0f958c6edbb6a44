#pragma once

// All coefficients at once with Thrust, one source for the OpenMP and the CUDA backend: listings 7
// and 8 of Aldrich (2014). The type of the device vector decides the backend, and `devices` are
// those that divide the coefficients.

#include <thrust/copy.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>

#include <cstddef>
#include <cstdint>

#include "harness/model/stages.hpp"
#include "implementations/newton/model.hpp"
#include "implementations/numerics/devices.hpp"

namespace macrobench::newton::thrust_solver {

/// MaxPoly, with its two results as Thrust stores them in two vectors.
template <class Real>
struct MaxPolyTuple {
  MaxPoly<Real> max_poly;

  MACROBENCH_HOST_DEVICE thrust::tuple<Real, std::uint8_t> operator()(Real a) const {
    const Maximum<Real> maximum = max_poly(a);
    return {maximum.x, maximum.steps};
  }
};

/// What thrust::sequence computes, from the coefficient `first` on.
template <class Real>
struct Sequence {
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
                     Sequence<Real>{static_cast<Real>(problem.a_low),
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

/// What the papers call start-up: the first device vector.
template <template <class> class DeviceVector>
void start(const Problem& problem, numerics::Devices& devices) {
  devices.each([&](const numerics::Device&) {
    const DeviceVector<double> first(static_cast<std::size_t>(problem.threads));
  });
}

}  // namespace macrobench::newton::thrust_solver
