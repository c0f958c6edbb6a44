// The ranks behind mpi.cpp: each takes the next share of the coefficients, which are those of
// cuda_c.cu, and its threads share them. Nothing is exchanged; the answers are collected after the
// time has been taken, as they are copied from a device.

#include "implementations/mpi/worker.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "implementations/newton/model.hpp"

namespace macrobench::newton {

namespace {

template <class Real>
void solve(const Problem& problem, mpi::Ranks& ranks, Solution<Real>& solution) {
  ranks.enter("grid");
  const std::vector<std::size_t> begins = ranks.shares(problem.coefficients());
  const auto begin = static_cast<std::ptrdiff_t>(begins[static_cast<std::size_t>(ranks.rank())]);
  const auto end = static_cast<std::ptrdiff_t>(begins[static_cast<std::size_t>(ranks.rank()) + 1]);
  const auto a_low = static_cast<Real>(problem.a_low);
  const auto spacing = static_cast<Real>(problem.spacing());
  std::vector<Real> a(static_cast<std::size_t>(end - begin));
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t i = begin; i < end; ++i) {
    a[static_cast<std::size_t>(i - begin)] = a_low + static_cast<Real>(i) * spacing;
  }

  ranks.enter("maximize");
  // The first rank has room for the answers of all.
  const std::size_t room = ranks.is_first() ? problem.coefficients() : a.size();
  std::vector<Real>& argmax = solution.argmax;
  std::vector<std::uint8_t>& steps = solution.steps;
  argmax.resize(room);
  steps.resize(room);
  const MaxPoly<Real> max_poly(problem);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Maximum<Real> maximum = max_poly(a[i]);
    argmax[i] = maximum.x;
    steps[i] = maximum.steps;
  }
  ranks.finish();

  ranks.collect(begins, argmax.data(), argmax.data());
  ranks.collect(begins, steps.data(), steps.data());
}

}  // namespace

}  // namespace macrobench::newton

int main(int argc, char** argv) {
  using namespace macrobench;
  return mpi::serve_with(argc, argv, [](mpi::Ranks& ranks) {
    mpi::serve<newton::Problem>(ranks, newton::solve<float>, newton::solve<double>);
  });
}
