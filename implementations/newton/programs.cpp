// The problem as programs in other languages get it, and their results.

#include "harness/programs/program_instance.hpp"
#include "implementations/newton/certificate.hpp"
#include "implementations/newton/solver.hpp"

namespace macrobench::newton {

namespace {

ProblemData data(const Problem& problem) {
  ProblemData data;
  data.add("spacing", problem.spacing());
  return data;
}

/// With another b, which moves every maximum; from 0 no share of it would.
Problem varied(const Problem& problem, double by) {
  Problem other = problem;
  other.b = problem.b == 0 ? 0.01 * by : problem.b * (1 + 0.01 * by);
  return other;
}

const RegisterProgramModel registered(program_model<Problem, Solution>(
    this_model(), {.data = data, .varied = varied, .source = __FILE__}));

}  // namespace

}  // namespace macrobench::newton
