// The problem as programs in other languages get it, and their results.

#include "harness/programs/program_instance.hpp"
#include "implementations/newton/certificate.hpp"
#include "implementations/newton/solver.hpp"

namespace macrobench::newton {

namespace {

ProblemData data(const Problem& problem) {
  ProblemData data;
  data.add("n", problem.n);
  data.add("a_low", problem.a_low);
  data.add("a_high", problem.a_high);
  data.add("spacing", problem.spacing());
  data.add("b", problem.b);
  data.add("c", problem.c);
  data.add("x0", problem.x0);
  data.add("tolerance", problem.tolerance);
  data.add("iteration_cap", problem.iteration_cap);
  return data;
}

/// With another b, which moves every maximum.
Problem varied(const Problem& problem, double by) {
  Problem other = problem;
  other.b = problem.b * (1 + 0.01 * by);
  return other;
}

const RegisterProgramModel registered(program_model<Problem, Solution>(
    this_model(), {.data = data, .varied = varied, .source = __FILE__}));

}  // namespace

}  // namespace macrobench::newton
