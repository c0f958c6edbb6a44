// One GPU thread per coefficient, in CUDA C: listings 5 and 6 of Aldrich (2014). The kernel is in
// maximize.cuh.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "implementations/newton/maximize.cuh"
#include "implementations/newton/solver.hpp"
#include "implementations/numerics/parallel/device.cuh"

namespace macrobench::newton {

namespace {

using numerics::check;
using numerics::DeviceBuffer;

template <class Real>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  stages.enter("grid");
  const Real a_low = static_cast<Real>(problem.a_low);
  const Real spacing = static_cast<Real>(problem.spacing());
  std::vector<Real> a(problem.coefficients());
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = a_low + static_cast<Real>(i) * spacing;

  stages.enter("copy");
  DeviceBuffer<Real> a_device(a.size());
  a_device.upload(a);

  stages.enter("maximize");
  DeviceBuffer<Real> argmax(a.size());
  DeviceBuffer<std::uint8_t> steps(a.size());
  const auto block = static_cast<unsigned>(problem.block);
  const auto blocks = static_cast<unsigned>((a.size() + block - 1) / block);
  maximize<<<blocks, block>>>(MaxPoly<Real>(problem), a_device.data(), a.size(), argmax.data(),
                              steps.data());
  check(cudaGetLastError(), "launching one thread per coefficient");
  check(cudaDeviceSynchronize(), "maximizing");
  stages.finish();

  argmax.download(solution.argmax);
  steps.download(solution.steps);
}

void start(const Problem& /*problem*/) {
  numerics::load_kernels(maximize<float>, maximize<double>);
}

const RegisterSolver registered{
    numerics::on_gpu(Solver{.name = "cuda_c",
                            .origin = Origin::published,
                            .summary = "CUDA C, one thread per coefficient",
                            .axes = {{"block"}},
                            .start = start,
                            .solve_single = solve<float>,
                            .solve_double = solve<double>,
                            .source = __FILE__})};

}  // namespace

}  // namespace macrobench::newton
