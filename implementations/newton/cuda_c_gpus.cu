// cuda_c on several GPUs, which divide the coefficients.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/model/stages.hpp"
#include "implementations/newton/maximize.cuh"
#include "implementations/newton/solver.hpp"
#include "implementations/numerics/parallel/device.cuh"
#include "implementations/numerics/parallel/devices.hpp"
#include "implementations/numerics/parallel/gpus.cuh"

namespace macrobench::newton::cuda_c {

template <class Real>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution,
           numerics::Devices& devices) {
  using numerics::check;
  using numerics::DeviceBuffer;
  stages.enter("grid");
  const std::size_t n = problem.coefficients();
  const Real a_low = static_cast<Real>(problem.a_low);
  const Real spacing = static_cast<Real>(problem.spacing());
  std::vector<Real> a(n);
  for (std::size_t i = 0; i < n; ++i) a[i] = a_low + static_cast<Real>(i) * spacing;

  stages.enter("copy");
  devices.each([&](numerics::Device& gpu) {
    const std::size_t first = gpu.begin(n);
    const std::size_t count = gpu.end(n) - first;
    DeviceBuffer<Real> a_device(count);
    a_device.upload(std::span(a).subspan(first, count));

    gpu.together([&] { stages.enter("maximize"); });
    DeviceBuffer<Real> argmax(count);
    DeviceBuffer<std::uint8_t> steps(count);
    const auto block = static_cast<unsigned>(problem.block);
    const auto blocks = static_cast<unsigned>((count + block - 1) / block);
    if (blocks > 0) {
      maximize<<<blocks, block>>>(MaxPoly<Real>(problem), a_device.data(), count, argmax.data(),
                                  steps.data());
    }
    check(cudaGetLastError(), "launching one thread per coefficient");
    gpu.wait("maximizing");
    gpu.together([&] { stages.finish(); });

    argmax.download(std::span(solution.argmax).subspan(first, count));
    steps.download(std::span(solution.steps).subspan(first, count));
  });
}

}  // namespace macrobench::newton::cuda_c

namespace macrobench::newton {

namespace {

using numerics::Gpus;

void start(const Problem& problem) {
  Gpus(problem.gpus).each([](const numerics::Device&) {
    numerics::load_kernels(maximize<float>, maximize<double>);
  });
}

template <class Real>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  Gpus gpus(problem.gpus);
  cuda_c::solve(problem, stages, solution, gpus);
}

const RegisterSolver registered{
    numerics::on_gpus(Solver{.name = "cuda_c_gpus",
                             .origin = Origin::frontier,
                             .summary = "CUDA C, several GPUs divide the coefficients",
                             .axes = {{"block"}},
                             .start = start,
                             .solve_single = solve<float>,
                             .solve_double = solve<double>,
                             .source = __FILE__})};

}  // namespace

}  // namespace macrobench::newton
