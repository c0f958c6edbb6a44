// The Matlab program, in GNU Octave: a child of this process, which octave/vfi.m runs in. Start-up
// is the interpreter's; a solution is sent to it and waited for.

#include "implementations/numerics/octave.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/files/program_files.hpp"
#include "implementations/rbc/solver.hpp"

namespace macrobench::rbc {

namespace {

using numerics::Octave;

void start(const Problem&) {
  numerics::start_octave(data_folder("octave/rbc", MACROBENCH_OCTAVE_DIR).string());
}

/// Numbers as an Octave row vector, to the last bit.
std::string vector_literal(const std::vector<double>& values) {
  return fmt::format("[{}]", fmt::join(values, ","));
}

void solve(const Problem& problem, Stages& stages, Solution<double>& solution) {
  const Calibration& c = problem.calibration;
  const CapitalRange range = capital_range(problem);
  Problem small = problem;
  small.nk = 2;  // the capital grid is made there
  const Grids<double> grids = make_grids<double>(small);

  Octave& octave = numerics::running_octave();
  octave.send(fmt::format(
      "K = {} + (0:{})' * (({} - {}) / {}); Z = {}'; P = reshape({}, {}, {})'; V0 = {};\n"
      "c = struct('beta', {}, 'gamma', {}, 'alpha', {}, 'delta', {});\n"
      "o = struct('tolerance', {}, 'iteration_cap', {}, 'howard', {:d}, 'monotone', {:d});\n"
      "[V, policy, iterations, difference] = vfi(K, Z, P, V0, c, o);\n"
      "printf(\"%d %.17g\\n\", iterations, difference); fflush(stdout);\n",
      range.low, problem.nk - 1, range.high, range.low, problem.nk - 1, vector_literal(grids.Z),
      vector_literal(grids.P), problem.nz, problem.nz, vector_literal(grids.V0), c.beta, c.gamma,
      c.alpha, c.delta, problem.tolerance, problem.iteration_cap,
      problem.maximizer == Maximizer::grid_howard, problem.monotone));
  const std::string answer = octave.read_line();
  stages.finish();

  if (std::sscanf(answer.c_str(), "%d %lg", &solution.iterations, &solution.difference) != 2) {
    throw std::runtime_error("Octave answered '" + answer + "'");
  }
  octave.send("fwrite(stdout, V, 'double'); fwrite(stdout, policy, 'int32'); fflush(stdout);\n");
  octave.read(solution.V);
  octave.read(solution.policy);
  solution.converged = solution.difference < problem.tolerance;
}

/// The unit is a statement or two of the interpreter, which takes some 14 us: the value of a choice
/// that is kept, or a halving. Vectors are cheap beside it: 1,900 of their elements take as long.
double work_of_interpreter(const Problem& problem) {
  constexpr double per_element = 1.0 / 1900;
  constexpr double iterations_per_maximisation = 20;  // of Howard's step
  // Monotonicity leaves only the choices from that of the next lower capital upwards.
  const double elements = (problem.monotone ? 0.4 : 1) * problem.nk;
  const double vectors = elements * per_element;
  return work_of_states(problem) * (problem.maximizer == Maximizer::bisection
                                        ? std::log2(problem.nk) + vectors
                                        : 1 + (2 + vectors) / iterations_per_maximisation);
}

const RegisterSolver registered{
    {.name = "octave",
     .origin = Origin::published,
     .summary = "the Matlab program, in GNU Octave",
     .axes = {{"maximizer", {"bisection", "grid_howard"}}, {"monotone"}},
     .runs_on = RunsOn::another_program,
     .unavailable = numerics::no_octave_here,
     .start = start,
     .solve_double = solve,
     .work = work_of_interpreter,
     .source = __FILE__}};

}  // namespace

}  // namespace macrobench::rbc
