// The ranks behind mpi_cuda.cu: each solves its blocks of every period on its GPU, by
// cuda_c_gpus.cuh.

#include "implementations/beliefs/cuda_c_gpus.cuh"
#include "implementations/mpi/gpu_of_a_rank.cuh"

namespace macrobench::beliefs {

namespace {

void solve(const Problem& problem, mpi::Ranks& ranks, Equilibrium& equilibrium) {
  const auto periods = static_cast<std::size_t>(problem.T) + 1;
  equilibrium.wealth.resize(periods);
  equilibrium.spending.resize(periods);
  equilibrium.sampled.resize(sampled_histories(problem).size());
  mpi::RankGpus gpus(ranks);
  cuda_c::solve(problem, ranks, equilibrium, gpus);
}

std::string take(int number, const mpi::Ranks& ranks) {
  std::string link = mpi::RankGpus::take(number, ranks);
  numerics::load_kernels(cuda_c::solve_blocks, sum_blocks);
  return link;
}

}  // namespace

}  // namespace macrobench::beliefs

int main(int argc, char** argv) {
  using namespace macrobench;
  const mpi::GpuOfARank gpu{.visible = mpi::visible_gpus, .take = beliefs::take};
  return mpi::serve_with(
      argc, argv,
      [](mpi::Ranks& ranks) {
        mpi::serve<beliefs::Problem, beliefs::Equilibrium, beliefs::Equilibrium>(ranks, nullptr,
                                                                                 beliefs::solve);
      },
      &gpu);
}
