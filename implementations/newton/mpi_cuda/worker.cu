// The ranks behind mpi_cuda.cu: each solves its share of the coefficients on its GPU, by
// cuda_c_gpus.cuh.

#include "implementations/mpi/gpu_of_a_rank.cuh"
#include "implementations/newton/cuda_c_gpus.cuh"

namespace macrobench::newton {

namespace {

template <class Real>
void solve(const Problem& problem, mpi::Ranks& ranks, Solution<Real>& solution) {
  mpi::RankGpus gpus(ranks);
  mpi::RoomAtTheEnd stages(ranks, [&] {
    solution.argmax.resize(problem.coefficients());
    solution.steps.resize(problem.coefficients());
  });
  cuda_c::solve(problem, stages, solution, gpus);
}

std::string take(int number, const mpi::Ranks& ranks) {
  std::string link = mpi::RankGpus::take(number, ranks);
  numerics::load_kernels(maximize<float>, maximize<double>);
  return link;
}

}  // namespace

}  // namespace macrobench::newton

int main(int argc, char** argv) {
  using namespace macrobench;
  const mpi::GpuOfARank gpu{.visible = mpi::visible_gpus, .take = newton::take};
  return mpi::serve_with(
      argc, argv,
      [](mpi::Ranks& ranks) {
        mpi::serve<newton::Problem>(ranks, newton::solve<float>, newton::solve<double>);
      },
      &gpu);
}
