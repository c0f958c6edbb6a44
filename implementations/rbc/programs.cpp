// The problem as programs in other languages get it, and their results.

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "harness/programs/program_instance.hpp"
#include "implementations/rbc/certificate.hpp"
#include "implementations/rbc/parameters.hpp"
#include "implementations/rbc/solver.hpp"

namespace macrobench::rbc {

namespace {

ProblemData data(const Problem& problem) {
  const auto nk = static_cast<std::size_t>(problem.nk);
  const auto nz = static_cast<std::size_t>(problem.nz);
  const Grids<double> grids = make_grids<double>(problem);
  ProblemData data;
  data.add(axes().parameters_of(problem), {"maximizer"});
  data.add("monotone", problem.monotone ? 1 : 0);
  data.add("K", {{"K", nk}}, grids.K);
  data.add("Z", {{"Z", nz}}, grids.Z);
  data.add("P", {{"Z", nz}, {"next Z", nz}}, grids.P);
  data.add("V0", {{"Z", nz}}, grids.V0);
  if (problem.maximizer == Maximizer::interpolated) {
    data.add("K_next", {{"K_next", static_cast<std::size_t>(problem.future_points)}},
             future_grid<double>(problem));
  }
  return data;
}

/// With another beta, and so another grid: 1 - beta by a quarter of a percent at most, which moves
/// every V by a thousand times what the certificate allows.
Problem varied(const Problem& problem, double by) {
  Problem other = problem;
  other.calibration.beta = 1 - (1 - problem.calibration.beta) * (1 + 0.0025 * by);
  return other;
}

/// The unit is a statement or two of the interpreter, which takes GNU Octave some 14 us: the value
/// of a choice that is kept, or a halving. Vectors are cheap beside it: 1,900 of their elements
/// take as long.
double work_of_statements(const Problem& problem) {
  constexpr double per_element = 1.0 / 1900;
  constexpr double iterations_per_maximisation = 20;  // of Howard's step
  // Monotonicity leaves only the choices from that of the next lower capital upwards.
  const double elements = (problem.monotone ? 0.4 : 1) * problem.nk;
  const double vectors = elements * per_element;
  return work_of_states(problem) * (problem.maximizer == Maximizer::bisection
                                        ? std::log2(problem.nk) + vectors
                                        : 1 + (2 + vectors) / iterations_per_maximisation);
}

const RegisterProgramModel registered(program_model<Problem, Solution>(
    this_model(), {.data = data,
                   .varied = varied,
                   .work_of_statements = work_of_statements,
                   .hooks = {.floor = floor_of_states, .known_invalid = known_invalid_in_single},
                   .source = __FILE__}));

}  // namespace

}  // namespace macrobench::rbc
