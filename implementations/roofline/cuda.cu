// What a GPU can do: copies of 16 bytes per thread and turn, and chains of multiply-adds on its
// ordinary lanes. Tensor cores are left out, because no model here is a product of matrices.

#include <cstddef>
#include <utility>

#include "implementations/numerics/parallel/device.cuh"
#include "implementations/numerics/parallel/devices.hpp"
#include "implementations/numerics/parallel/gpus.cuh"
#include "implementations/roofline/solver.hpp"

namespace macrobench::roofline {

namespace {

using numerics::check;
using numerics::Device;
using numerics::DeviceBuffer;
using numerics::DividedMatrix;
using numerics::Gpus;

constexpr unsigned block = 256;
constexpr int turns = 4;   ///< copies that a thread has under way at a time
constexpr int chains = 8;  ///< numbers that a thread puts through all steps together

template <class Real>
__global__ void fill(Real* numbers, std::size_t n, bool is_copy) {
  const std::size_t i = std::size_t{blockIdx.x} * block + threadIdx.x;
  if (i < n) numbers[i] = is_copy ? copied_number<Real>(i) : first_number<Real>(i);
}

/// Shifts an array of n packets of 16 bytes by `moved` packets: those that come to lie from `begin`
/// to `end`.
__global__ void __launch_bounds__(block)
    copy_packets(const int4* from, int4* to, std::size_t n, std::size_t moved, std::size_t begin,
                 std::size_t end) {
  const std::size_t first = begin + std::size_t{blockIdx.x} * (turns * block) + threadIdx.x;
  int4 packets[turns];
#pragma unroll
  for (int k = 0; k < turns; ++k) {
    const std::size_t i = first + k * block + moved;
    if (i < end + moved) packets[k] = from[i < n ? i : i - n];
  }
#pragma unroll
  for (int k = 0; k < turns; ++k) {
    const std::size_t i = first + k * block;
    if (i < end) to[i] = packets[k];
  }
}

template <class Real>
__global__ void __launch_bounds__(block) put_through(int steps, Real* numbers, std::size_t n) {
  const std::size_t first = std::size_t{blockIdx.x} * (chains * block) + threadIdx.x;
  Real x[chains];
#pragma unroll
  for (int k = 0; k < chains; ++k) {
    const std::size_t i = first + k * block;
    x[k] = i < n ? numbers[i] : Real(0);
  }
#pragma unroll 4
  for (int step = 0; step < steps; ++step) {
#pragma unroll
    for (int k = 0; k < chains; ++k) {
      x[k] = x[k] * static_cast<Real>(slope) + static_cast<Real>(intercept);
    }
  }
#pragma unroll
  for (int k = 0; k < chains; ++k) {
    const std::size_t i = first + k * block;
    if (i < n) numbers[i] = x[k];
  }
}

unsigned blocks_of(std::size_t n, std::size_t a_block) {
  return static_cast<unsigned>((n + a_block - 1) / a_block);
}

template <class Real>
DeviceBuffer<Real> filled(const Problem& problem) {
  DeviceBuffer<Real> numbers(problem.numbers());
  fill<<<blocks_of(problem.numbers(), block), block>>>(numbers.data(), problem.numbers(),
                                                       is_shifted(problem.ceiling));
  check(cudaGetLastError(), "filling an array");
  return numbers;
}

template <class Real>
void copy(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  constexpr std::size_t numbers_a_packet = sizeof(int4) / sizeof(Real);
  const std::size_t packets = problem.numbers() / numbers_a_packet;
  stages.enter("arrays");
  DeviceBuffer<Real> from = filled<Real>(problem);
  DeviceBuffer<Real> to(problem.numbers());
  check(cudaDeviceSynchronize(), "filling an array");

  stages.enter("copy");
  for (int pass = 0; pass < problem.passes; ++pass) {
    copy_packets<<<blocks_of(packets, turns * block), block>>>(
        reinterpret_cast<const int4*>(from.data()), reinterpret_cast<int4*>(to.data()), packets,
        stride / numbers_a_packet, 0, packets);
    std::swap(from, to);
  }
  check(cudaGetLastError(), "launching the copies");
  check(cudaDeviceSynchronize(), "copying");
  stages.finish();

  from.download(solution.numbers);
}

/// Each GPU shifts its share, and gets those of the others.
template <class Real>
void exchange(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  constexpr std::size_t numbers_a_packet = sizeof(int4) / sizeof(Real);
  const std::size_t packets = problem.numbers() / numbers_a_packet;
  stages.enter("arrays");
  Gpus gpus(problem.gpus);
  gpus.each([&](Device& gpu) {
    DeviceBuffer<Real> from = filled<Real>(problem);
    DeviceBuffer<Real> to(problem.numbers());
    const auto divided = [&](DeviceBuffer<Real>& numbers) {
      return gpu.divide(numbers.data(), 1, packets, sizeof(int4));
    };
    DividedMatrix of_from = divided(from);
    DividedMatrix of_to = divided(to);
    check(cudaDeviceSynchronize(), "filling an array");
    const std::size_t begin = gpu.begin(packets);
    const std::size_t end = gpu.end(packets);

    gpu.together([&] { stages.enter("shift"); });
    for (int pass = 0; pass < problem.passes; ++pass) {
      copy_packets<<<blocks_of(end - begin, turns * block), block>>>(
          reinterpret_cast<const int4*>(from.data()), reinterpret_cast<int4*>(to.data()), packets,
          stride / numbers_a_packet, begin, end);
      check(cudaGetLastError(), "launching the copies");
      gpu.wait("shifting");
      gpu.together([] {});  // so that the exchange is not also the wait for the slowest
      gpu.exchange(of_to);
      gpu.wait("exchanging");
      gpu.together([] {});
      std::swap(from, to);
      std::swap(of_from, of_to);
    }
    gpu.together([&] {
      tell_exchange(gpus, stages);
      stages.finish();
    });

    if (gpu.is_first()) from.download(solution.numbers);
  });
}

template <class Real>
void multiply_add(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  stages.enter("arrays");
  DeviceBuffer<Real> numbers = filled<Real>(problem);
  check(cudaDeviceSynchronize(), "filling an array");

  stages.enter("multiply_add");
  put_through<<<blocks_of(problem.numbers(), chains * block), block>>>(
      steps_a_pass * problem.passes, numbers.data(), problem.numbers());
  check(cudaGetLastError(), "launching the multiply-adds");
  check(cudaDeviceSynchronize(), "multiplying and adding");
  stages.finish();

  numbers.download(solution.numbers);
}

template <class Real>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  switch (problem.ceiling) {
    case Ceiling::copy:
      return copy(problem, stages, solution);
    case Ceiling::multiply_add:
      return multiply_add(problem, stages, solution);
    case Ceiling::exchange:
      return exchange(problem, stages, solution);
  }
}

void start(const Problem& problem) {
  Gpus(problem.gpus).each([](const Device&) {
    numerics::load_kernels(fill<float>, fill<double>, copy_packets, put_through<float>,
                           put_through<double>);
  });
  Gpus::connect(problem.gpus);
}

const RegisterSolver registered{
    numerics::on_gpus(Solver{.name = "cuda",
                             .origin = Origin::frontier,
                             .summary = "16 bytes per thread, and multiply-adds on every lane",
                             .start = start,
                             .solve_single = solve<float>,
                             .solve_double = solve<double>,
                             .source = __FILE__})};

}  // namespace

}  // namespace macrobench::roofline
