// What the CPU can do, with its widest vectors: copies by the library's memcpy, which is tuned for
// the processor, and independent chains of multiply-adds.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>

#include "implementations/numerics/parallel/widest_vectors.hpp"
#include "implementations/roofline/solver.hpp"

namespace macrobench::roofline {

namespace {

using Index = std::ptrdiff_t;

/// A thread copies whole runs of `stride` places. A run begins and ends on a multiple of it, before
/// the copy and after.
template <class Real>
void copy(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  const Index runs = problem.n / stride;
  stages.enter("arrays");
  auto from = std::make_unique_for_overwrite<Real[]>(problem.numbers());
  auto to = std::make_unique_for_overwrite<Real[]>(problem.numbers());
  // Written by the threads that will copy it: a page is placed near the processor that first writes
  // it.
#pragma omp parallel for num_threads(problem.threads) schedule(static)
  for (Index run = 0; run < runs; ++run) {
    for (Index i = run * stride; i < (run + 1) * stride; ++i) {
      from[static_cast<std::size_t>(i)] = copied_number<Real>(static_cast<std::size_t>(i));
      to[static_cast<std::size_t>(i)] = 0;
    }
  }

  stages.enter("copy");
  // Each thread copies its share of the runs in one piece: memcpy then bypasses the caches, which
  // is the quickest way for data that does not fit in them.
#pragma omp parallel num_threads(problem.threads)
  for (int pass = 0; pass < problem.passes; ++pass) {
    const Real* source = pass % 2 == 0 ? from.get() : to.get();
    Real* target = pass % 2 == 0 ? to.get() : from.get();
#pragma omp for schedule(static)
    for (int thread = 0; thread < problem.threads; ++thread) {
      const Index first = runs * thread / problem.threads * stride;
      const Index last = runs * (thread + 1) / problem.threads * stride;
      const Index wraps = std::clamp<Index>(problem.n - stride, first, last);
      const auto bytes = [](Index count) { return static_cast<std::size_t>(count) * sizeof(Real); };
      std::memcpy(target + first, source + first + stride, bytes(wraps - first));
      if (wraps < last) std::memcpy(target + wraps, source, bytes(last - wraps));
    }
  }
  stages.finish();

  const auto& result = problem.passes % 2 == 0 ? from : to;
  std::copy_n(result.get(), problem.n, solution.numbers.begin());
}

/// Enough to hide a multiply-add's latency on two units, and few enough for the 16 registers of the
/// narrower kinds.
constexpr int vectors = 12;

template <class Real, int bytes>
using Vector __attribute__((vector_size(bytes))) = Real;

template <class Real, int bytes>
constexpr Index lanes = Index{vectors} * bytes / static_cast<Index>(sizeof(Real));

/// Does all steps on `lanes` numbers.
template <class Real, int bytes>
MACROBENCH_ALWAYS_INLINE inline void put_through(int steps, Real* numbers) {
  Vector<Real, bytes> x[vectors];
  std::memcpy(x, numbers, sizeof x);
  for (int step = 0; step < steps; ++step) {
#pragma GCC unroll 12
    for (int k = 0; k < vectors; ++k) {
      x[k] = x[k] * static_cast<Real>(slope) + static_cast<Real>(intercept);
    }
  }
  std::memcpy(numbers, x, sizeof x);
}

/// All groups of `lanes` numbers; each thread of the team takes its share.
template <class Real, int bytes>
void put_all_through(int steps, Index groups, Real* numbers) {
  numerics::with_widest_vectors([&]() MACROBENCH_ALWAYS_INLINE {
#pragma omp for schedule(static)
    for (Index group = 0; group < groups; ++group) {
      put_through<Real, bytes>(steps, numbers + group * lanes<Real, bytes>);
    }
  });
}

template <class Real, int bytes>
void multiply_add(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  stages.enter("arrays");
  constexpr Index a_group = lanes<Real, bytes>;
  const Index groups = (problem.n + a_group - 1) / a_group;
  const Index padded = groups * a_group;
  auto numbers = std::make_unique_for_overwrite<Real[]>(static_cast<std::size_t>(padded));
#pragma omp parallel for num_threads(problem.threads) schedule(static)
  for (Index i = 0; i < padded; ++i) {
    numbers[static_cast<std::size_t>(i)] = first_number<Real>(static_cast<std::size_t>(i));
  }

  stages.enter("multiply_add");
#pragma omp parallel num_threads(problem.threads)
  put_all_through<Real, bytes>(steps_a_pass * problem.passes, groups, numbers.get());
  stages.finish();

  std::copy_n(numbers.get(), problem.n, solution.numbers.begin());
}

template <class Real>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  if (problem.ceiling == Ceiling::copy) return copy(problem, stages, solution);
  switch (numerics::widest_vector_bits()) {
    case 512:
      return multiply_add<Real, 64>(problem, stages, solution);
    case 256:
      return multiply_add<Real, 32>(problem, stages, solution);
    default:
      return multiply_add<Real, 16>(problem, stages, solution);
  }
}

const RegisterSolver registered{{.name = "cpu",
                                 .origin = Origin::frontier,
                                 .summary = "memcpy, and multiply-adds in the widest vectors",
                                 .axes = {{"ceiling", {"copy", "multiply_add"}}, {"threads"}},
                                 .solve_single = solve<float>,
                                 .solve_double = solve<double>,
                                 .source = __FILE__}};

}  // namespace

}  // namespace macrobench::roofline
