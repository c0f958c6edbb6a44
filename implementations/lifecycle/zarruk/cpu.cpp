// Fernandez-Villaverde and Zarruk's (2018) C++, which the tutorial translates: OpenMP threads
// divide the points of savings, the shock runs fastest, and all arithmetic is in single precision.

#include <cmath>
#include <cstddef>
#include <vector>

#include "implementations/lifecycle/solver.hpp"
#include "implementations/lifecycle/zarruk/shock_fastest.hpp"

namespace macrobench::lifecycle {

namespace {

/// As their program has them: the compiler then knows that the power of consumption is a division,
/// and unrolls the sum over shocks.
struct Compiled {
  static constexpr float sigma = 2;
  static constexpr int ne = 15;
};

struct SigmaCompiled {
  static constexpr float sigma = 2;
  int ne;
};

struct Read {
  float sigma;
  int ne;
};

template <class Constants>
struct Saver : Constants {
  using Constants::ne;
  using Constants::sigma;
  const float *x, *e, *P;
  int nx;
  float r, w, beta;

  /// V at (x_ix, e_ie). `next` is V of the next age, shape nx x ne; null at age T.
  [[nodiscard]] float value(int ix, int ie, const float* next) const {
    float best = -1e5F;
    for (int jx = 0; jx < nx; ++jx) {
      float expected = 0;
      if (next != nullptr) {
        for (int je = 0; je < ne; ++je) {
          expected += P[ie * ne + je] * next[static_cast<std::ptrdiff_t>(jx) * ne + je];
        }
      }
      const float consumption = (1 + r) * x[ix] + e[ie] * w - x[jx];
      float worth = std::pow(consumption, 1 - sigma) / (1 - sigma) + beta * expected;
      if (consumption <= 0) worth = -1e5F;
      if (worth >= best) best = worth;
    }
    return best;
  }
};

template <class Constants>
void solve_with(const Constants& constants, const Problem& problem, Stages& stages,
                Solution<float>& solution) {
  const Calibration& c = problem.calibration;
  const Grids<float> grids = make_grids<float>(problem);
  const Saver<Constants> saver{
      constants,  grids.x.data(),          grids.e.data(),          grids.P.data(),
      problem.nx, static_cast<float>(c.r), static_cast<float>(c.w), static_cast<float>(c.beta)};
  const auto states = static_cast<std::ptrdiff_t>(problem.states());
  std::vector<float> V(solution.V.size());
  const float* next = nullptr;
  for (int age = problem.T; age >= 1; --age) {
    stages.enter(stage_of(age, problem.T));
    float* const of_age = V.data() + (age - 1) * states;
#pragma omp parallel for num_threads(problem.threads) schedule(static)
    for (int ix = 0; ix < problem.nx; ++ix) {
      for (int ie = 0; ie < saver.ne; ++ie) {
        of_age[static_cast<std::ptrdiff_t>(ix) * saver.ne + ie] = saver.value(ix, ie, next);
      }
    }
    next = of_age;
  }
  stages.finish();
  from_shock_fastest(problem, V, solution.V);
}

void solve(const Problem& problem, Stages& stages, Solution<float>& solution) {
  const auto sigma = static_cast<float>(problem.calibration.sigma);
  if (problem.constants_are_read) {
    solve_with(Read{sigma, problem.ne}, problem, stages, solution);
  } else if (problem.ne != Compiled::ne) {
    solve_with(SigmaCompiled{problem.ne}, problem, stages, solution);
  } else {
    solve_with(Compiled{}, problem, stages, solution);
  }
}

const RegisterSolver registered{
    {.name = "zarruk",
     .origin = Origin::published,
     .summary = "Fernandez-Villaverde and Zarruk's C++: OpenMP threads divide savings, the shock "
                "runs fastest",
     .axes = {{"threads"},
              {"constants"},
              {.name = "grids", .choices = {"in_real"}},
              {.name = "recursion", .choices = {"corrected"}}},
     .solve_single = solve,
     .hooks = {.floor = floor_of_every_choice},
     .source = __FILE__}};

}  // namespace

}  // namespace macrobench::lifecycle
