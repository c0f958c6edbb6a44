// The GPUs of this process divide the coefficients: cuda_c_gpus.cuh is the solver, and this its
// registration.

#include "implementations/newton/cuda_c_gpus.cuh"
#include "implementations/newton/solver.hpp"
#include "implementations/numerics/gpus.cuh"

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
