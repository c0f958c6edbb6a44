// The model as the harness sees it: its axes, how a case of it becomes a problem, and the
// tutorial's plots.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "harness/text/error.hpp"
#include "implementations/lifecycle/certificate.hpp"
#include "implementations/lifecycle/solver.hpp"

namespace macrobench::lifecycle {

namespace {

constexpr double most_values = 1 << 28;  // V of all ages: 2 GB

Interval from_to(double lowest, double highest) {
  return {.lowest = lowest, .highest = highest};
}

std::vector<Axis> all_axes() {
  const Problem problem;
  const Calibration& c = problem.calibration;
  constexpr Interval above_zero{.lowest = 0, .lowest_allowed = false};
  const auto number = [](int value) { return static_cast<std::int64_t>(value); };
  return {
      {.name = "nx",
       .help = "points of the savings grid",
       .fallback = number(problem.nx),
       .interval = from_to(2, 1 << 20),
       .headline = true},
      {.name = "ne",
       .help = "points of the shock grid (Tauchen)",
       .fallback = number(problem.ne),
       .interval = from_to(2, 1024),
       .headline = true},
      {.name = "T",
       .help = "ages",
       .fallback = number(problem.T),
       .interval = from_to(1, 100'000),
       .headline = true},
      {.name = "recursion",
       .help = "the expectation: adding up over the choices, as published, or corrected",
       .fallback = "corrected",
       .choices = {"corrected", "as_published"},
       .headline = true},
      {.name = "real",
       .help = "precision of the value function",
       .fallback = "double",
       .choices = {"double", "single"},
       .headline = true},
      {.name = "threads",
       .help = "CPU threads, or all",
       .fallback = number(problem.threads),
       .interval = from_to(1, 4096),
       .counts_cores = true},
      {.name = "processes",
       .help = "MPI processes, or all for one a core",
       .fallback = number(problem.processes),
       .interval = from_to(1, 65'536),
       .counts_cores = true},
      {.name = "blocks",
       .help = "CUDA blocks",
       .fallback = number(problem.blocks),
       .interval = from_to(1, 1 << 20)},
      {.name = "block",
       .help = "CUDA threads a block; 0 for nx ne / 256, rounded up",
       .fallback = number(problem.block),
       .interval = from_to(0, 1024)},
      {.name = "arrays",
       .help = "whether the device arrays are made in each solution or beforehand",
       .fallback = "inside",
       .choices = {"inside", "beforehand"}},
      {.name = "sigma",
       .help = "relative risk aversion; 1 is log utility",
       .fallback = c.sigma,
       .interval = from_to(0, 100)},
      {.name = "beta",
       .help = "discount factor",
       .fallback = c.beta,
       .interval = {.lowest = 0, .highest = 1, .lowest_allowed = false}},
      {.name = "r", .help = "interest rate", .fallback = c.r, .interval = from_to(-0.99, 10)},
      {.name = "w", .help = "wage", .fallback = c.w, .interval = above_zero},
      {.name = "xmin", .help = "lowest savings", .fallback = c.xmin, .interval = from_to(0, 1e6)},
      {.name = "xmax", .help = "highest savings", .fallback = c.xmax, .interval = from_to(0, 1e6)},
      {.name = "sigma_eps",
       .help = "standard deviation of the shock's innovation",
       .fallback = c.sigma_eps,
       .interval = {.lowest = 0, .highest = 10, .lowest_allowed = false}},
      {.name = "lambda_eps",
       .help = "autocorrelation of the shock",
       .fallback = c.lambda_eps,
       .interval = {.lowest = -1, .highest = 1, .lowest_allowed = false, .highest_allowed = false}},
      {.name = "half_width",
       .help = "Tauchen: stationary standard deviations to either side",
       .fallback = c.half_width,
       .interval = {.lowest = 0, .highest = 10, .lowest_allowed = false}},
  };
}

Problem problem_of(const Parameters& parameters) {
  Problem problem;
  parameters.read("nx", problem.nx);
  parameters.read("ne", problem.ne);
  parameters.read("T", problem.T);
  parameters.read("threads", problem.threads);
  parameters.read("processes", problem.processes);
  parameters.read("blocks", problem.blocks);
  parameters.read("block", problem.block);
  problem.recursion = parameters.name("recursion") == "as_published" ? Recursion::as_published
                                                                     : Recursion::corrected;
  problem.arrays_beforehand =
      parameters.find("arrays") != nullptr && parameters.name("arrays") == "beforehand";
  Calibration& c = problem.calibration;
  parameters.read("sigma", c.sigma);
  parameters.read("beta", c.beta);
  parameters.read("r", c.r);
  parameters.read("w", c.w);
  parameters.read("xmin", c.xmin);
  parameters.read("xmax", c.xmax);
  parameters.read("sigma_eps", c.sigma_eps);
  parameters.read("lambda_eps", c.lambda_eps);
  parameters.read("half_width", c.half_width);
  return problem;
}

void check_problem(const Parameters& parameters) {
  const Problem problem = problem_of(parameters);
  const Calibration& c = problem.calibration;
  if (!(c.xmin < c.xmax)) {
    throw UsageError(
        fmt::format("xmin = {} and xmax = {}: xmin must be the lower one", c.xmin, c.xmax));
  }
  const double values = static_cast<double>(problem.states()) * problem.T;
  if (values > most_values) {
    throw UsageError(fmt::format("nx ne T = {:.3g}: V of all ages holds at most {:.3g} numbers",
                                 values, most_values));
  }
  if (parameters.find("processes") != nullptr &&
      static_cast<std::size_t>(problem.processes) > problem.states()) {
    throw UsageError(fmt::format("processes = {}: there are only {} states to share",
                                 problem.processes, problem.states()));
  }
  if (parameters.find("block") != nullptr && problem.threads_a_block() > 1024) {
    throw UsageError(
        fmt::format("block = 0 stands for {} threads here, and CUDA takes 1024: give "
                    "--block, and --blocks for a thread a state",
                    problem.threads_a_block()));
  }
  const Grids grids = make_grids(problem);
  if (std::ranges::adjacent_find(grids.x, std::ranges::greater_equal()) != grids.x.end()) {
    throw UsageError(
        fmt::format("nx = {} points from {} to {} coincide in single precision: take "
                    "fewer",
                    problem.nx, c.xmin, c.xmax));
  }
  // Resources rise in x and e, so the lowest state has the least to choose from.
  const double available = resources(grids.x.front(), grids.e.front(), c.r, c.w);
  if (!(available > static_cast<double>(grids.x.front())) ||
      !std::isfinite(resources(grids.x.back(), grids.e.back(), c.r, c.w))) {
    throw UsageError(
        fmt::format("the grid leaves no feasible choice: at the lowest state there is {:.4g} to "
                    "spend, and the least x' is {:.4g}; lower xmin or raise w",
                    available, c.xmin));
  }
}

std::string known_invalid(std::string_view solver, const Parameters& parameters) {
  if (solver != "cuda_c" || parameters.name("recursion") != "as_published") return {};
  const Problem problem = problem_of(parameters);
  const auto threads = static_cast<std::size_t>(problem.blocks) *
                       static_cast<std::size_t>(problem.threads_a_block());
  if (threads >= problem.states()) return {};
  return "with fewer threads than states the tutorial's kernel adds its expectation up across "
         "states as well";
}

/// Terms of expectations and choices in a life cycle: what its time grows with.
double work(std::string_view solver, const Parameters& parameters) {
  const auto nx = static_cast<double>(parameters.integer("nx"));
  const auto ne = static_cast<double>(parameters.integer("ne"));
  const auto T = static_cast<double>(parameters.integer("T"));
  const double of_a_state = solver == "frontier"        ? ne + std::log2(nx)
                            : solver == "frontier_cuda" ? ne + nx / 16
                                                        : ne * nx;
  return T * nx * ne * of_a_state;
}

/// Every value is written once. The published loops form the expectation for each choice of a
/// state; the frontiers need it once a choice, and look at one choice of a state at least.
Floor floor_of(std::string_view solver, const Parameters& parameters, const Outcome& /*outcome*/) {
  const auto nx = static_cast<double>(parameters.integer("nx"));
  const auto ne = static_cast<double>(parameters.integer("ne"));
  const auto T = static_cast<double>(parameters.integer("T"));
  const double size = size_of_real(parameters);
  const double choices = solver.starts_with("frontier") ? 1 : nx;
  const double of_a_choice = 2 * ne + 5;  // consumption, its utility in two, the discounted sum
  return {.bytes = T * nx * ne * size, .operations = (T - 1) * nx * ne * choices * of_a_choice};
}

/// V at one age over savings, a column a shock. By code that no implementation shares.
Curves value_at_age(Problem problem, bool at_first_age, Recursion recursion) {
  problem.recursion = recursion;
  const std::vector<double> V = reference_values(problem);
  const Grids grids = make_grids(problem);
  const int age = at_first_age ? 1 : std::max(1, problem.T - 1);
  const double* of_age = V.data() + static_cast<std::size_t>(age - 1) * problem.states();
  Curves curves{.columns = {"x"}, .rows = {}};
  for (int ie = 0; ie < problem.ne; ++ie) curves.columns.push_back(fmt::format("e{}", ie + 1));
  for (int ix = 0; ix < problem.nx; ++ix) {
    std::vector<double> row{static_cast<double>(grids.x[static_cast<std::size_t>(ix)])};
    for (int ie = 0; ie < problem.ne; ++ie) row.push_back(of_age[ie * problem.nx + ix]);
    curves.rows.push_back(std::move(row));
  }
  return curves;
}

Figure figure(const std::string& name, const std::string& summary, bool at_first_age,
              Recursion recursion) {
  return {.name = "oswald_tutorial/" + name,
          .summary = summary,
          .curves = [=](const Parameters& parameters) {
            return value_at_age(problem_of(parameters), at_first_age, recursion);
          }};
}

/// The model, made at its first use: solvers register themselves in any order.
const SolverModel<Problem>& this_model() {
  static const SolverModel<Problem> model{
      .model = {.name = "lifecycle",
                .summary = "life-cycle savings by backward induction over ages",
                .axes = all_axes(),
                .size_axis = "nx",
                .check = check_problem,
                .figures = {figure("period_1", "V(x, e) at age 1, as plotted", true,
                                   Recursion::as_published),
                            figure("period_T_minus_1", "V(x, e) at age T-1, as plotted", false,
                                   Recursion::as_published),
                            figure("period_1_corrected", "the same, corrected", true,
                                   Recursion::corrected),
                            figure("period_T_minus_1_corrected", "the same, corrected", false,
                                   Recursion::corrected)},
                .work = work,
                .work_axes = {"ne", "T"},
                .trial_sizes = {64, 256},
                .floor = floor_of},
      .optional_axes = {"threads", "processes", "blocks", "block", "arrays"},
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
  solution.V.assign(problem.states() * static_cast<std::size_t>(problem.T),
                    std::numeric_limits<Real>::quiet_NaN());
}

template <class Real>
std::uint64_t hash_of(const Solution<Real>& solution) {
  return hash_of_bits(solution.V);
}

RegisterSolver::RegisterSolver(const Solver& solver) {
  register_solver(this_model(), solver);
}

}  // namespace macrobench::lifecycle
