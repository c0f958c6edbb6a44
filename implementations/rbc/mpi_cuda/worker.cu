// The ranks behind mpi_cuda.cu: each finds V at its share of capital on its GPU, by
// cuda_c_gpus.cuh.

#include "implementations/mpi/gpu_of_a_rank.cuh"
#include "implementations/rbc/cuda_c_gpus.cuh"

namespace macrobench::rbc {

namespace {

template <class Real>
void solve(const Problem& problem, mpi::Ranks& ranks, Solution<Real>& solution) {
  mpi::RankGpus gpus(ranks);
  mpi::RoomAtTheEnd stages(ranks, [&] {
    solution.V.resize(problem.states());
    solution.policy.resize(problem.states());
  });
  cuda_c::solve(problem, stages, solution, gpus);
}

std::string take(int number, const mpi::Ranks& ranks) {
  std::string link = mpi::RankGpus::take(number, ranks);
  Problem problem;
  for (const auto maximizer :
       {Maximizer::bisection, Maximizer::grid_howard, Maximizer::interpolated}) {
    problem.maximizer = maximizer;
    cuda_c::start(problem);
  }
  return link;
}

}  // namespace

}  // namespace macrobench::rbc

int main(int argc, char** argv) {
  using namespace macrobench;
  const mpi::GpuOfARank gpu{.visible = mpi::visible_gpus, .take = rbc::take};
  return mpi::serve_with(
      argc, argv,
      [](mpi::Ranks& ranks) {
        mpi::serve<rbc::Problem>(ranks, rbc::solve<float>, rbc::solve<double>);
      },
      &gpu);
}
