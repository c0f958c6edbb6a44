// The problem as programs in other languages get it, and their results.

#include <cstddef>
#include <string>
#include <vector>

#include "harness/programs/program_instance.hpp"
#include "implementations/lifecycle/certificate.hpp"
#include "implementations/lifecycle/parameters.hpp"
#include "implementations/lifecycle/solver.hpp"

namespace macrobench::lifecycle {

namespace {

ProblemData data(const Problem& problem) {
  const auto nx = static_cast<std::size_t>(problem.nx);
  const auto ne = static_cast<std::size_t>(problem.ne);
  const Grids<double> grids = grids_in_double(problem);
  // The model's rounding of the wage is not a program's to know.
  std::vector<double> available;
  for (const double e : grids.e) {
    for (const double x : grids.x) available.push_back(resources_of(problem, x, e));
  }
  ProblemData data;
  data.add(axes().parameters_of(problem), {"expectation"});
  data.add("x", {{"x", nx}}, grids.x);
  data.add("P", {{"e", ne}, {"next e", ne}}, grids.P);
  data.add("available", {{"e", ne}, {"x", nx}}, available);
  return data;
}

/// With another beta, never above 1, and another wage: the former moves V at every age except the
/// last, the latter there.
Problem varied(const Problem& problem, double by) {
  Problem other = problem;
  other.calibration.beta = problem.calibration.beta * (1 - 0.001 * (1.5 + by));
  other.calibration.w = problem.calibration.w * (1 + 0.001 * by);
  return other;
}

const RegisterProgramModel registered(program_model<Problem, Solution>(
    this_model(),
    {.data = data, .varied = varied, .hooks = {.floor = floor_of_one_choice}, .source = __FILE__}));

}  // namespace

}  // namespace macrobench::lifecycle
