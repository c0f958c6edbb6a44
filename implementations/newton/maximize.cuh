#pragma once

// The kernel of listing 6 of Aldrich (2014): one GPU thread per coefficient.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "implementations/newton/model.hpp"

namespace macrobench::newton {

template <class Real>
__global__ void maximize(MaxPoly<Real> max_poly, const Real* a, std::size_t n, Real* argmax,
                         std::uint8_t* steps) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Maximum<Real> maximum = max_poly(a[i]);
  argmax[i] = maximum.x;
  steps[i] = maximum.steps;
}

}  // namespace macrobench::newton
