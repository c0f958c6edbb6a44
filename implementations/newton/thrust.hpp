#pragma once

// All coefficients at once with Thrust, one source for the OpenMP and the CUDA backend: listings 7
// and 8 of Aldrich (2014). The type of the device vector decides the backend.

#include <thrust/copy.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>

#include <cstddef>
#include <cstdint>

#include "harness/model/stages.hpp"
#include "implementations/newton/model.hpp"

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

template <class Real, template <class> class DeviceVector>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  stages.enter("grid");
  DeviceVector<Real> a(problem.coefficients());
  thrust::sequence(a.begin(), a.end(), static_cast<Real>(problem.a_low),
                   static_cast<Real>(problem.spacing()));

  stages.enter("maximize");
  DeviceVector<Real> argmax(a.size());
  DeviceVector<std::uint8_t> steps(a.size());
  thrust::transform(a.begin(), a.end(),
                    thrust::make_zip_iterator(thrust::make_tuple(argmax.begin(), steps.begin())),
                    MaxPolyTuple<Real>{MaxPoly<Real>(problem)});
  stages.finish();

  thrust::copy(argmax.begin(), argmax.end(), solution.argmax.begin());
  thrust::copy(steps.begin(), steps.end(), solution.steps.begin());
}

/// What the papers call start-up: the first device vector.
template <template <class> class DeviceVector>
void start(const Problem& problem) {
  const DeviceVector<double> first(static_cast<std::size_t>(problem.threads));
}

}  // namespace macrobench::newton::thrust_solver
