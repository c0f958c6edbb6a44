// Fernandez-Villaverde and Zarruk's (2018) CUDA C: one thread per state, a block is 30 points of
// savings times all shocks, the shock runs fastest, and all arithmetic is in double precision. What
// they do not time is outside of the solution here: the arrays, and every copy.

#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "implementations/lifecycle/solver.hpp"
#include "implementations/lifecycle/zarruk/shock_fastest.hpp"
#include "implementations/numerics/parallel/device.cuh"

namespace macrobench::lifecycle {

namespace {

using numerics::check;
using numerics::DeviceBuffer;

constexpr int savings_per_block = 30;
constexpr int most_shocks = 1024 / savings_per_block;  // CUDA allows 1,024 threads in a block

struct Saver {
  const double *x, *e, *P;
  int nx, ne;
  double sigma, beta, r, w;

  /// V at (x_ix, e_ie). `next` is V of the next age, shape nx x ne; null at age T.
  [[nodiscard]] __device__ double value(int ix, int ie, const double* next) const {
    double best = -1e5;
    for (int jx = 0; jx < nx; ++jx) {
      double expected = 0;
      if (next != nullptr) {
        for (int je = 0; je < ne; ++je) expected += P[ie * ne + je] * next[jx * ne + je];
      }
      const double consumption = (1 + r) * x[ix] + e[ie] * w - x[jx];
      double worth = pow(consumption, 1 - sigma) / (1 - sigma) + beta * expected;
      if (consumption <= 0) worth = -1e5;
      if (worth >= best) best = worth;
    }
    return best;
  }
};

__global__ void value_of_age(const Saver saver, const double* next, double* V) {
  const int ix = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int ie = static_cast<int>(threadIdx.y);
  if (ix < saver.nx) V[ix * saver.ne + ie] = saver.value(ix, ie, next);
}

struct Arrays {
  Arrays(const Problem& problem, const Grids<double>& grids)
      : x(grids.x),
        e(grids.e),
        P(grids.P),
        V(problem.states() * static_cast<std::size_t>(problem.T)) {
    poison();
  }

  void poison() { check(cudaMemset(V.data(), 0xFF, V.size() * sizeof(double)), "poisoning V"); }

  DeviceBuffer<double> x, e, P, V;
};

/// For the problem that was started last.
std::unique_ptr<Arrays> arrays;

void start(const Problem& problem) {
  numerics::load_kernels(value_of_age);
  arrays = std::make_unique<Arrays>(problem, make_grids<double>(problem));
}

void solve(const Problem& problem, Stages& stages, Solution<double>& solution) {
  const Calibration& c = problem.calibration;
  const Saver saver{.x = arrays->x.data(),
                    .e = arrays->e.data(),
                    .P = arrays->P.data(),
                    .nx = problem.nx,
                    .ne = problem.ne,
                    .sigma = c.sigma,
                    .beta = c.beta,
                    .r = c.r,
                    .w = c.w};
  const dim3 block(savings_per_block, static_cast<unsigned>(problem.ne));
  const unsigned blocks = (static_cast<unsigned>(problem.nx) + block.x - 1) / block.x;
  const double* next = nullptr;
  for (int age = problem.T; age >= 1; --age) {
    stages.enter(stage_of(age, problem.T));
    double* const V = arrays->V.data() + static_cast<std::size_t>(age - 1) * problem.states();
    value_of_age<<<blocks, block>>>(saver, next, V);
    check(cudaGetLastError(), "launching an age");
    check(cudaDeviceSynchronize(), "solving an age");
    next = V;
  }
  stages.finish();

  std::vector<double> V(arrays->V.size());
  arrays->V.download(V);
  from_shock_fastest(problem, V, solution.V);
  arrays->poison();
}

std::string known_invalid(const Problem& problem) {
  return problem.calibration.sigma == 1
             ? "at sigma = 1 their utility, a power, is divided by 0; take lifecycle/cuda_c"
             : "";
}

const RegisterSolver registered{numerics::on_gpu(
    Solver{.name = "zarruk_cuda",
           .origin = Origin::published,
           .summary = "Fernandez-Villaverde and Zarruk's CUDA C: one thread per state, the shock "
                      "runs fastest",
           .axes = {{.name = "ne",
                     .interval = Interval{.lowest = 2, .highest = most_shocks},
                     .otherwise = "a block is 30 points of savings times all shocks, and CUDA "
                                  "allows 1024 threads; take lifecycle/cuda_c"},
                    {.name = "grids", .choices = {"in_real"}},
                    {.name = "recursion", .choices = {"corrected"}}},
           .start = start,
           .solve_double = solve,
           .hooks = {.floor = floor_of_every_choice, .known_invalid = known_invalid},
           .source = __FILE__})};

}  // namespace

}  // namespace macrobench::lifecycle
