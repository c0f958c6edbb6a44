// The model as the harness sees it: its axes, and how a case of it becomes a problem.

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string_view>

#include "harness/text/error.hpp"
#include "implementations/beliefs/certificate.hpp"
#include "implementations/beliefs/solver.hpp"

namespace macrobench::beliefs {

namespace {

constexpr Interval above_zero{.lowest = 0, .lowest_allowed = false};
constexpr Interval probability{
    .lowest = 0, .highest = 1, .lowest_allowed = false, .highest_allowed = false};
constexpr Interval share = probability;
constexpr Interval discount_factor{.lowest = 0, .highest = 1, .lowest_allowed = false};
constexpr Interval risk_aversion{.lowest = 0, .highest = 100, .lowest_allowed = false};
constexpr Interval log_growth{.lowest = -0.2, .highest = 0.2};
constexpr Interval relative_tolerance{.lowest = 1e-15, .highest = 1, .highest_allowed = false};
constexpr const char* both_must_be_possible =
    "a state that a type thinks impossible has no price both agree on";

std::vector<Axis> all_axes() {
  const Problem problem;
  const Calibration& c = problem.calibration;
  const auto number = [](int value) { return static_cast<std::int64_t>(value); };
  return {
      {.name = "T",
       .help = "periods after the first",
       .fallback = number(problem.T),
       .interval = {.lowest = 1, .highest = longest_horizon},
       .headline = true},
      {.name = "growth",
       .help = "growth rates: corrected, or as_published, where the two are swapped",
       .fallback = "corrected",
       .choices = {"corrected", "as_published"}},
      {.name = "mu_1", .help = "type 1's share", .fallback = c.mu_1, .interval = share},
      {.name = "mu_2", .help = "type 2's share", .fallback = c.mu_2, .interval = share},
      {.name = "gamma_1",
       .help = "type 1's relative risk aversion; 1 is log utility",
       .fallback = c.gamma_1,
       .interval = risk_aversion},
      {.name = "gamma_2",
       .help = "type 2's relative risk aversion",
       .fallback = c.gamma_2,
       .interval = risk_aversion},
      {.name = "beta_1",
       .help = "type 1's discount factor",
       .fallback = c.beta_1,
       .interval = discount_factor},
      {.name = "beta_2",
       .help = "type 2's discount factor",
       .fallback = c.beta_2,
       .interval = discount_factor},
      {.name = "alpha_h",
       .help = "log growth of the endowment in the high state, a quarter",
       .fallback = c.alpha_h,
       .interval = log_growth},
      {.name = "alpha_l",
       .help = "log growth in the low state",
       .fallback = c.alpha_l,
       .interval = log_growth},
      {.name = "pi_hh",
       .help = "Pr(high | high) as estimated, which type 1 believes",
       .fallback = c.pi_hh,
       .interval = probability,
       .otherwise = both_must_be_possible},
      {.name = "pi_ll",
       .help = "Pr(low | low) as estimated",
       .fallback = c.pi_ll,
       .interval = probability,
       .otherwise = both_must_be_possible},
      {.name = "believed_pi_hh",
       .help = "Pr(high | high) as type 2 believes it",
       .fallback = c.believed_pi_hh,
       .interval = probability,
       .otherwise = both_must_be_possible},
      {.name = "believed_pi_ll",
       .help = "Pr(low | low) as type 2 believes it",
       .fallback = c.believed_pi_ll,
       .interval = probability,
       .otherwise = both_must_be_possible},
      {.name = "s0", .help = "the state at first", .fallback = "high", .choices = {"high", "low"}},
      {.name = "C0", .help = "the endowment at first", .fallback = c.C0, .interval = above_zero},
      {.name = "newton_tolerance",
       .help = "on Newton's last step in c1(s^t), relative",
       .fallback = problem.newton_tolerance,
       .interval = relative_tolerance},
      {.name = "broyden_tolerance",
       .help = "on type 2's budget residual, over wealth",
       .fallback = problem.broyden_tolerance,
       .interval = relative_tolerance},
      {.name = "first_c2",
       .help = "guess of c2(s_0) over C(s_0); 1 is an equal split",
       .fallback = problem.first_c2,
       .interval = above_zero},
      {.name = "newton_cap",
       .help = "give a node up after so many Newton steps",
       .fallback = number(problem.newton_cap),
       .interval = {.lowest = 1, .highest = 1'000'000}},
      {.name = "pass_cap",
       .help = "give up after so many passes over the nodes",
       .fallback = number(problem.pass_cap),
       .interval = {.lowest = 1, .highest = 1'000'000}},
      {.name = "threads",
       .help = "CPU threads, or all",
       .fallback = number(problem.threads),
       .interval = {.lowest = 1, .highest = 4096},
       .counts_cores = true},
      {.name = "block",
       .help = "CUDA threads a block",
       .fallback = number(problem.block),
       .interval = {.lowest = 32, .highest = 1024}},
  };
}

Problem problem_of(const Parameters& parameters) {
  Problem problem;
  parameters.read("T", problem.T);
  parameters.read("newton_tolerance", problem.newton_tolerance);
  parameters.read("broyden_tolerance", problem.broyden_tolerance);
  parameters.read("first_c2", problem.first_c2);
  parameters.read("newton_cap", problem.newton_cap);
  parameters.read("pass_cap", problem.pass_cap);
  parameters.read("threads", problem.threads);
  parameters.read("block", problem.block);
  Calibration& c = problem.calibration;
  parameters.read("mu_1", c.mu_1);
  parameters.read("mu_2", c.mu_2);
  parameters.read("gamma_1", c.gamma_1);
  parameters.read("gamma_2", c.gamma_2);
  parameters.read("beta_1", c.beta_1);
  parameters.read("beta_2", c.beta_2);
  parameters.read("alpha_h", c.alpha_h);
  parameters.read("alpha_l", c.alpha_l);
  parameters.read("pi_hh", c.pi_hh);
  parameters.read("pi_ll", c.pi_ll);
  parameters.read("believed_pi_hh", c.believed_pi_hh);
  parameters.read("believed_pi_ll", c.believed_pi_ll);
  parameters.read("C0", c.C0);
  if (parameters.find("s0") != nullptr) c.starts_low = parameters.name("s0") == "low";
  if (parameters.find("growth") != nullptr && parameters.name("growth") == "as_published") {
    std::swap(c.alpha_h, c.alpha_l);
  }
  return problem;
}

void check_problem(const Parameters& parameters) {
  const Problem problem = problem_of(parameters);
  const Calibration& c = problem.calibration;
  if (std::abs(c.mu_1 + c.mu_2 - 1) > 1e-12) {
    throw UsageError(
        fmt::format("mu_1 = {} and mu_2 = {} add up to {:.6g}: the shares must add up to 1", c.mu_1,
                    c.mu_2, c.mu_1 + c.mu_2));
  }
  if (problem.block % 32 != 0) {
    throw UsageError(fmt::format("block = {}: it must be a multiple of 32, the threads of a warp",
                                 problem.block));
  }
  if (problem.first_c2 * c.mu_2 >= 1) {
    throw UsageError(
        fmt::format("first_c2 = {}: type 2 cannot begin with the whole endowment, so it must be "
                    "below 1 / mu_2 = {:.6g}",
                    problem.first_c2, 1 / c.mu_2));
  }
}

/// Equations in a pass: what its time grows with.
double work(std::string_view solver, const Parameters& parameters) {
  const auto T = static_cast<int>(parameters.integer("T"));
  return solver == "frontier" ? classes_up_to(T) : std::exp2(T + 1);
}

/// Nothing is stored but sums. A Newton iteration at a node is thirteen operations; what forms the
/// node's equation is left out.
Floor floor_of(std::string_view /*solver*/, const Parameters& /*parameters*/,
               const Outcome& outcome) {
  const auto figure = [&](const char* name) {
    const auto found = outcome.figures.find(name);
    return found == outcome.figures.end() ? 0 : found->second;
  };
  const double newton_iterations =
      figure("passes") * figure("nodes") * figure("newton_iterations_mean");
  return {.bytes = 0, .operations = 13 * newton_iterations};
}

/// The model, made at its first use: solvers register themselves in any order.
const SolverModel<Problem>& this_model() {
  static const SolverModel<Problem> model{
      .model = {.name = "beliefs",
                .summary = "general equilibrium asset pricing with heterogeneous beliefs",
                .axes = all_axes(),
                .size_axis = "T",
                .check = check_problem,
                .work = work,
                .trial_sizes = {10, 16},
                .floor = floor_of},
      .optional_axes = {"threads", "block"},
      .problem_of = problem_of};
  return model;
}

const bool model_registered = [] {
  Registry::global().add(this_model().model);
  return true;
}();

}  // namespace

void fill_with_poison(const Problem& problem, Equilibrium& equilibrium) {
  constexpr double poison = std::numeric_limits<double>::quiet_NaN();
  const auto periods = static_cast<std::size_t>(problem.T) + 1;
  equilibrium.at_s0 = {poison, poison};
  equilibrium.wealth.assign(periods, poison);
  equilibrium.spending.assign(periods, poison);
  equilibrium.sampled.assign(sampled_histories(problem).size(), {poison, poison});
}

std::uint64_t hash_of(const Equilibrium& equilibrium) {
  std::vector<double> rest{equilibrium.at_s0.c1, equilibrium.at_s0.c2,
                           static_cast<double>(equilibrium.newton_iterations)};
  for (const Consumption& c : equilibrium.sampled) rest.insert(rest.end(), {c.c1, c.c2});
  return (hash_of_bits(equilibrium.wealth) * 31 + hash_of_bits(equilibrium.spending)) * 31 +
         hash_of_bits(rest);
}

RegisterSolver::RegisterSolver(const Solver& solver) {
  register_solver(this_model(), solver);
}

}  // namespace macrobench::beliefs
