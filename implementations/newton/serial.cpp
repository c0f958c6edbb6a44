// One coefficient after another, in C++ with Eigen: listings 3 and 4 of Aldrich (2014).

#include <Eigen/Dense>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "implementations/newton/solver.hpp"

namespace macrobench::newton {

namespace {

template <class Real>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  stages.enter("grid");
  const auto n = static_cast<Eigen::Index>(problem.n);
  using Vector = Eigen::VectorX<Real>;
  const Vector a =
      Vector::LinSpaced(n, static_cast<Real>(problem.a_low), static_cast<Real>(problem.a_high));

  stages.enter("maximize");
  std::vector<Real> argmax(problem.coefficients());
  std::vector<std::uint8_t> steps(problem.coefficients());
  const MaxPoly<Real> max_poly(problem);
  for (std::size_t i = 0; i < argmax.size(); ++i) {
    const Maximum<Real> maximum = max_poly(a[static_cast<Eigen::Index>(i)]);
    argmax[i] = maximum.x;
    steps[i] = maximum.steps;
  }
  stages.finish();

  solution.argmax = std::move(argmax);
  solution.steps = std::move(steps);
}

const RegisterSolver registered{{.name = "serial",
                                 .origin = Origin::published,
                                 .summary = "C++ and Eigen, one coefficient after another",
                                 .solve_single = solve<float>,
                                 .solve_double = solve<double>,
                                 .source = __FILE__}};

}  // namespace

}  // namespace macrobench::newton
