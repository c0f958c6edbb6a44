// The tutorial's gpu_lifecycle: one kernel per age, whose threads stride over the states.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "implementations/lifecycle/solver.hpp"
#include "implementations/numerics/parallel/device.cuh"

namespace macrobench::lifecycle {

namespace {

using numerics::check;
using numerics::DeviceBuffer;

/// The tutorial's v_gpu!. It sets the expectation to zero once per thread, not once per state: with
/// fewer threads than states, the published recursion keeps adding up from one state to the next.
/// The shock is the fastest index of its states.
template <class Real, class Number>
__global__ void value_of_age(Household<Real, Number> household, const Real* next, Real* V) {
  const int states = household.nx * household.ne;
  Real expected = 0;
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < states;
       i += static_cast<int>(blockDim.x * gridDim.x)) {
    const int ix = i / household.ne;
    const int ie = i % household.ne;
    V[static_cast<std::ptrdiff_t>(ie) * household.nx + ix] =
        household.value(ix, ie, next, expected);
  }
}

/// The tutorial's CuArrays, filled in its order; `enter` is told of each copy before it begins.
template <class Real>
struct Arrays {
  template <class Enter>
  Arrays(const Problem& problem, Enter enter)
      : V(problem.states() * static_cast<std::size_t>(problem.T)),
        x(static_cast<std::size_t>(problem.nx)),
        e(static_cast<std::size_t>(problem.ne)),
        P(e.size() * e.size()) {
    const std::vector<Real> zeros(V.size());
    const Grids<float> grids = make_grids<float>(problem);
    enter("V_to_device");
    V.upload(zeros);
    enter("x_to_device");
    x.upload(grids.x);
    enter("e_to_device");
    e.upload(grids.e);
    enter("P_to_device");
    P.upload(grids.P);
  }

  DeviceBuffer<Real> V;
  DeviceBuffer<float> x, e, P;
};

/// Those made beforehand, for the last problem that requested this.
template <class Real>
std::unique_ptr<Arrays<Real>> arrays_at_hand;

template <class Real>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  std::unique_ptr<Arrays<Real>> own;
  if (!problem.arrays_beforehand) {
    stages.enter("arrays");
    own = std::make_unique<Arrays<Real>>(problem, [&](const char* copy) { stages.enter(copy); });
  }
  Arrays<Real>& arrays = own ? *own : *arrays_at_hand<Real>;

  constexpr Real infeasible = -1e6;
  const Household<Real> household =
      make_household(problem, arrays.x.data(), arrays.e.data(), arrays.P.data(), infeasible);
  const Real* next = nullptr;
  for (int age = problem.T; age >= 1; --age) {
    stages.enter(stage_of(age, problem.T));
    Real* V = arrays.V.data() + static_cast<std::size_t>(age - 1) * problem.states();
    value_of_age<<<static_cast<unsigned>(problem.blocks),
                   static_cast<unsigned>(problem.threads_a_block())>>>(household, next, V);
    check(cudaGetLastError(), "launching an age");
    check(cudaDeviceSynchronize(), "solving an age");
    next = V;
  }
  stages.enter("copy");
  arrays.V.download(solution.V);
  stages.finish();
  if (!own)
    check(cudaMemset(arrays.V.data(), 0xFF, solution.V.size() * sizeof(Real)), "poisoning V");
}

void start(const Problem& problem) {
  numerics::load_kernels(value_of_age<float, float>, value_of_age<double, float>);
  if (!problem.arrays_beforehand) return;
  const auto untimed = [](const char*) {};
  arrays_at_hand<float> = std::make_unique<Arrays<float>>(problem, untimed);
  arrays_at_hand<double> = std::make_unique<Arrays<double>>(problem, untimed);
}

std::string known_invalid(const Problem& problem) {
  const auto threads = static_cast<std::size_t>(problem.blocks) *
                       static_cast<std::size_t>(problem.threads_a_block());
  if (problem.recursion != Recursion::as_published || threads >= problem.states()) return {};
  return "with fewer threads than states the tutorial's kernel adds its expectation up across "
         "states as well";
}

const RegisterSolver registered{numerics::on_gpu(
    Solver{.name = "cuda_c",
           .origin = Origin::published,
           .summary = "CUDA C, threads stride over the states of an age",
           .axes = {{"blocks"}, {"block"}, {"arrays"}, {.name = "grids", .choices = {"rounded"}}},
           .start = start,
           .solve_single = solve<float>,
           .solve_double = solve<double>,
           .hooks = {.floor = floor_of_every_choice, .known_invalid = known_invalid},
           .source = __FILE__})};

}  // namespace

}  // namespace macrobench::lifecycle
