// The model as the harness sees it: its axes, and how a case of it becomes a problem.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "harness/text/error.hpp"
#include "implementations/rbc/certificate.hpp"
#include "implementations/rbc/solver.hpp"

namespace macrobench::rbc {

namespace {

constexpr Interval above_zero{.lowest = 0, .lowest_allowed = false};
constexpr Interval between_zero_and_one{
    .lowest = 0, .highest = 1, .lowest_allowed = false, .highest_allowed = false};

Interval whole(double lowest, double highest) {
  return {.lowest = lowest, .highest = highest};
}

std::vector<Axis> all_axes() {
  const Problem problem;
  const Calibration& c = problem.calibration;
  const auto number = [](int value) { return static_cast<std::int64_t>(value); };
  return {
      {.name = "nk",
       .help = "points of the capital grid",
       .fallback = number(problem.nk),
       .interval = whole(2, 1 << 24),
       .headline = true},
      {.name = "nz",
       .help = "points of the productivity grid (Tauchen)",
       .fallback = number(problem.nz),
       .interval = whole(2, 256),
       .headline = true},
      {.name = "maximizer",
       .help = "how the best K' is searched for",
       .fallback = "bisection",
       .choices = {"bisection", "grid_howard", "interpolated"},
       .headline = true},
      {.name = "future_points",
       .help = "points of the future grid (maximizer=interpolated)",
       .fallback = number(problem.future_points),
       .interval = whole(2, 1 << 20)},
      {.name = "real",
       .help = "precision",
       .fallback = "double",
       .choices = {"double", "single"},
       .headline = true},
      {.name = "tolerance",
       .help = "converged when max |V - V0| is below this",
       .fallback = problem.tolerance,
       .interval = above_zero,
       .headline = true},
      {.name = "monotone",
       .help = "bound the search by the policy one capital point below",
       .fallback = "off",
       .choices = {"off", "on"}},
      {.name = "threads",
       .help = "CPU threads, or all",
       .fallback = number(problem.threads),
       .interval = whole(1, 4096),
       .counts_cores = true},
      {.name = "block",
       .help = "CUDA threads a block",
       .fallback = number(problem.block),
       .interval = whole(1, 1024)},
      {.name = "iteration_cap",
       .help = "give up after so many iterations",
       .fallback = number(problem.iteration_cap),
       .interval = whole(1, 1'000'000'000)},
      {.name = "beta",
       .help = "discount factor",
       .fallback = c.beta,
       .interval = between_zero_and_one},
      {.name = "gamma",
       .help = "relative risk aversion; 1 is log utility",
       .fallback = c.gamma,
       .interval = {.lowest = 0, .highest = 100}},
      {.name = "alpha",
       .help = "capital share",
       .fallback = c.alpha,
       .interval = between_zero_and_one},
      {.name = "delta", .help = "depreciation", .fallback = c.delta, .interval = whole(0, 1)},
      {.name = "rho",
       .help = "autocorrelation of log productivity",
       .fallback = c.rho,
       .interval = {.lowest = -1, .highest = 1, .lowest_allowed = false, .highest_allowed = false}},
      {.name = "sigma",
       .help = "standard deviation of its innovation",
       .fallback = c.sigma,
       .interval = above_zero},
      {.name = "half_width",
       .help = "Tauchen: stationary standard deviations to either side",
       .fallback = c.half_width,
       .interval = above_zero},
      {.name = "grid_low",
       .help = "lowest capital over Kss(Zmin)",
       .fallback = c.grid_low,
       .interval = above_zero},
      {.name = "grid_high",
       .help = "highest capital over Kss(Zmax)",
       .fallback = c.grid_high,
       .interval = above_zero},
  };
}

Maximizer maximizer_of(std::string_view name) {
  if (name == "grid_howard") return Maximizer::grid_howard;
  if (name == "interpolated") return Maximizer::interpolated;
  return Maximizer::bisection;
}

Problem problem_of(const Parameters& parameters) {
  Problem problem;
  parameters.read("nk", problem.nk);
  parameters.read("nz", problem.nz);
  parameters.read("future_points", problem.future_points);
  parameters.read("threads", problem.threads);
  parameters.read("block", problem.block);
  parameters.read("iteration_cap", problem.iteration_cap);
  parameters.read("tolerance", problem.tolerance);
  if (parameters.find("maximizer") != nullptr) {
    problem.maximizer = maximizer_of(parameters.name("maximizer"));
  }
  if (parameters.find("monotone") != nullptr) {
    problem.monotone = parameters.name("monotone") == "on";
  }
  Calibration& c = problem.calibration;
  parameters.read("beta", c.beta);
  parameters.read("gamma", c.gamma);
  parameters.read("alpha", c.alpha);
  parameters.read("delta", c.delta);
  parameters.read("rho", c.rho);
  parameters.read("sigma", c.sigma);
  parameters.read("half_width", c.half_width);
  parameters.read("grid_low", c.grid_low);
  parameters.read("grid_high", c.grid_high);
  return problem;
}

void check_problem(const Parameters& parameters) {
  const Problem problem = problem_of(parameters);
  const Calibration& c = problem.calibration;
  const CapitalRange range = capital_range(problem);
  if (!(range.low > 0 && std::isfinite(range.high))) {
    throw UsageError(fmt::format(
        "the capital grid would run from {:.4g} to {:.4g}: these parameters are out of range",
        range.low, range.high));
  }
  const double step = (range.high - range.low) / std::max(problem.nk, problem.future_points);
  if (!(range.low + step > range.low)) {
    throw UsageError(
        fmt::format("the capital grid would run from {:.6g} to {:.6g}: raise grid_high, lower "
                    "grid_low or take fewer points",
                    range.low, range.high));
  }
  // Resources rise in K and Z, so the lowest state has the least to choose from.
  Problem ends = problem;
  ends.nk = 2;
  const Grids<double> grids = make_grids<double>(ends);
  const double available = resources(range.low, grids.Z.front(), c.alpha, c.delta);
  if (!(available > range.low)) {
    throw UsageError(
        fmt::format("the grid leaves no feasible choice: at the lowest state K = {:.4g} there is "
                    "only {:.4g} to "
                    "spend, and the least K' is {:.4g}; lower grid_low or delta",
                    range.low, available, range.low));
  }
}

/// What single precision is known to do to the published searches; see the README.
std::string known_invalid(std::string_view solver, const Parameters& parameters) {
  if (solver.starts_with("frontier") || !is_single(parameters)) return {};
  if (parameters.name("maximizer") != "bisection") {
    return "in single precision the difference can vanish between two maximisations, and iteration "
           "then stops with a policy that is out of date";
  }
  if (parameters.integer("nk") <= 128) return {};
  return "in single precision V has ripples steeper than the differences that bisection goes by";
}

/// The choices that a maximisation evaluates at a state, at the least: where there is least to
/// share out, at the lowest capital and productivity, those of a search that halves what is left or
/// of one that looks at all that are feasible.
double fewest_evaluations(const Problem& problem) {
  if (problem.monotone) return 1;
  const Grids<double> grids = make_grids<double>(problem);
  const Calibration& c = problem.calibration;
  const double available = resources(grids.K.front(), grids.Z.front(), c.alpha, c.delta);
  const bool is_interpolated = problem.maximizer == Maximizer::interpolated;
  const std::vector<double> choices = is_interpolated ? future_grid<double>(problem) : grids.K;
  const int last = last_at_or_below(choices.data(), static_cast<int>(choices.size()), available);
  if (problem.maximizer != Maximizer::bisection) return std::max(1, last + 1);
  return std::max(1.0, 2 * (std::floor(std::log2(std::max(1, last))) - 1));
}

/// What an iteration takes, roughly, in looks at a choice: its utility is a power. How many there
/// are hardly depends on the grid. `serial` and Octave form the expectation of every feasible
/// choice before they search; a frontier looks at each state a few times, whatever the grid.
double work(std::string_view solver, const Parameters& parameters) {
  const Problem problem = problem_of(parameters);
  const auto states = static_cast<double>(problem.states());
  if (solver.starts_with("frontier")) return states;
  const bool is_interpolated = problem.maximizer == Maximizer::interpolated;
  const double choices = is_interpolated ? problem.future_points : problem.nk;
  const bool bisects = problem.maximizer == Maximizer::bisection;
  constexpr double of_an_expectation = 1.0 / 40;
  double a_maximisation = bisects ? 2 * std::log2(choices) : choices;
  if (solver == "serial" || solver == "octave") a_maximisation += of_an_expectation * choices;
  constexpr double iterations_a_maximisation = 20;  // of Howard's step
  return states * (bisects ? a_maximisation : 1 + a_maximisation / iterations_a_maximisation);
}

/// Every iteration reads V, and writes V and the policy; an evaluation is an expectation, a utility
/// and their sum. Of a frontier only what it must at least: the result, and one look at each state.
Floor floor_of(std::string_view solver, const Parameters& parameters, const Outcome& outcome) {
  const Problem problem = problem_of(parameters);
  if (solver == "octave") return {};
  const auto states = static_cast<double>(problem.states());
  const double size = size_of_real(parameters);
  const bool is_interpolated = problem.maximizer == Maximizer::interpolated;
  const double of_an_evaluation = (is_interpolated ? 4.0 * problem.nz + 3 : 2.0 * problem.nz) + 5;
  if (solver.starts_with("frontier")) {
    return {.bytes = states * (size + 4), .operations = states * of_an_evaluation};
  }
  double evaluations = 0;
  const double a_maximisation = fewest_evaluations(problem);
  // More than these are none of this problem's, whoever says so.
  const int iterations =
      static_cast<int>(std::min<std::int64_t>(outcome.iterations, problem.iteration_cap));
  for (int k = 0; k < iterations; ++k) {
    const bool maximises = problem.maximizer == Maximizer::bisection || maximise_now(k);
    evaluations += states * (maximises ? a_maximisation : 1);
  }
  return {.bytes = iterations * states * (2 * size + 4),
          .operations = evaluations * of_an_evaluation};
}

/// The model, made at its first use: solvers register themselves in any order.
const SolverModel<Problem>& this_model() {
  static const SolverModel<Problem> model{
      .model = {.name = "rbc",
                .summary = "real business cycle model by value function iteration",
                .axes = all_axes(),
                .size_axis = "nk",
                .check = check_problem,
                .work = work,
                .floor = floor_of},
      .optional_axes = {"maximizer", "future_points", "monotone", "threads", "block"},
      .problem_of = problem_of,
      .known_invalid = known_invalid};
  return model;
}

const bool model_registered = [] {
  Registry::global().add(this_model().model);
  return true;
}();

}  // namespace

template <class Real>
void fill_with_poison(const Problem& problem, Solution<Real>& solution) {
  solution.V.assign(problem.states(), std::numeric_limits<Real>::quiet_NaN());
  solution.policy.assign(problem.states(), -1);
}

template <class Real>
std::uint64_t hash_of(const Solution<Real>& solution) {
  return hash_of_bits(solution.V) * 31 + hash_of_bits(solution.policy) +
         static_cast<std::uint64_t>(solution.iterations);
}

RegisterSolver::RegisterSolver(const Solver& solver) {
  register_solver(this_model(), solver);
}

}  // namespace macrobench::rbc
