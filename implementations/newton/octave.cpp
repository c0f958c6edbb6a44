// The Matlab program, in GNU Octave: octave/maximize.m and octave/max_poly.m in a child of this
// process.

#include "implementations/numerics/octave.hpp"

#include <fmt/format.h>

#include "harness/files/program_files.hpp"
#include "implementations/newton/solver.hpp"

namespace macrobench::newton {

namespace {

void start(const Problem&) {
  numerics::start_octave(data_folder("octave/newton", MACROBENCH_OCTAVE_DIR).string());
}

void solve(const Problem& problem, Stages& stages, Solution<double>& solution) {
  numerics::Octave& octave = numerics::running_octave();
  octave.send(
      fmt::format("[argmax, steps] = maximize({}, {}, {}, {}, {}, {}, {}); puts(\"done\\n\"); "
                  "fflush(stdout);\n",
                  problem.n, problem.a_low, problem.spacing(), problem.b, problem.x0,
                  problem.tolerance, problem.iteration_cap));
  octave.read_line();
  stages.finish();

  octave.send(
      "fwrite(stdout, argmax, 'double'); fwrite(stdout, steps, 'uint8'); fflush(stdout);\n");
  octave.read(solution.argmax);
  octave.read(solution.steps);
}

const RegisterSolver registered{{.name = "octave",
                                 .origin = Origin::published,
                                 .summary = "the Matlab program, in GNU Octave",
                                 .runs_on = RunsOn::another_program,
                                 .unavailable = numerics::no_octave_here,
                                 .start = start,
                                 .solve_double = solve,
                                 .source = __FILE__}};

}  // namespace

}  // namespace macrobench::newton
