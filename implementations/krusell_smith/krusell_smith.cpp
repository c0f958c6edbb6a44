// The model as the harness sees it: its axes, and how a case of it becomes a problem.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "harness/text/error.hpp"
#include "implementations/krusell_smith/certificate/certificate.hpp"
#include "implementations/krusell_smith/figures.hpp"
#include "implementations/krusell_smith/input/shocks.hpp"
#include "implementations/krusell_smith/input/stored.hpp"
#include "implementations/krusell_smith/input/user_files.hpp"
#include "implementations/krusell_smith/input/wealth.hpp"
#include "implementations/krusell_smith/policy/policy.hpp"
#include "implementations/krusell_smith/solver.hpp"

namespace macrobench::krusell_smith {

namespace {

constexpr double most_shock_bytes = 16e9;
constexpr std::array<const char*, 4> state_names = {"(bad, unemployed)", "(bad, employed)",
                                                    "(good, unemployed)", "(good, employed)"};

Interval from_to(double lowest, double highest) {
  return {.lowest = lowest, .highest = highest};
}

/// "p12": from the first state to the second, as the papers order them.
std::string probability_name(int from, int to) {
  return fmt::format("p{}{}", from + 1, to + 1);
}

std::vector<Axis> all_axes() {
  const Problem problem;
  const Calibration& c = problem.calibration;
  constexpr Interval above_zero{.lowest = 0, .lowest_allowed = false};
  constexpr Interval open_unit{
      .lowest = 0, .highest = 1, .lowest_allowed = false, .highest_allowed = false};
  constexpr Interval weight{.lowest = 0, .highest = 1, .lowest_allowed = false};
  constexpr Interval tolerance{.lowest = 1e-13, .highest = 1};
  const auto number = [](int value) { return static_cast<std::int64_t>(value); };
  std::vector<Axis> axes = {
      {.name = "N",
       .help = "agents",
       .fallback = number(problem.N),
       .interval = from_to(1, 1e8),
       .headline = true},
      {.name = "T",
       .help = "periods of the panel",
       .fallback = number(problem.T),
       .interval = from_to(10, 100'000),
       .headline = true},
      {.name = "nk",
       .help = "points of the grid of k",
       .fallback = number(problem.grids.n_k),
       .interval = from_to(4, 4096),
       .headline = true},
      {.name = "nK",
       .help = "points of the grid of K",
       .fallback = number(problem.grids.n_K),
       .interval = from_to(4, 1024),
       .headline = true},
      {.name = "policy",
       .help = "how the household's policy is found",
       .fallback = problem.policy,
       .choices = {"euler", "egm", "euler_cuda"},
       .headline = true},
      {.name = "policy_interpolation",
       .help = "of the policy within the Euler equation, in both directions",
       .fallback = "spline",
       .choices = {"spline", "linear"},
       .headline = true},
      {.name = "real",
       .help = "precision of the panel",
       .fallback = "double",
       .choices = {"double", "single"},
       .headline = true},
      {.name = "threads",
       .help = "CPU threads, or all",
       .fallback = number(problem.threads),
       .interval = from_to(1, 4096),
       .counts_cores = true},
      {.name = "block",
       .help = "CUDA threads a block",
       .fallback = number(problem.block),
       .interval = from_to(32, 1024)},
      {.name = "histogram_points",
       .help = "points of a histogram of wealth, for each employment state",
       .fallback = number(problem.histogram_points),
       .interval = from_to(100, 100'000)},
      {.name = "stage",
       .help = "which stage to solve, and measure, alone on a stored input",
       .fallback = "all",
       .choices = {"all", "policy", "panel"}},
      {.name = "stored",
       .help =
           "for a stage alone: a solution that `run --save` wrote, whose law or policy it begins "
           "with; without it Maliar, Maliar and Valli's law, and the policy under it, found by "
           "egm in start-up",
       .fallback = "",
       .is_file = true},
      {.name = "shocks",
       .help = "employment, T rows of N bits, with --aggregate",
       .fallback = "",
       .is_file = true},
      {.name = "aggregate",
       .help = "aggregate states, T lines, bad or good",
       .fallback = "",
       .is_file = true},
      {.name = "wealth",
       .help = "initial wealth: N lines, or a histogram 'k unemployed employed'",
       .fallback = "",
       .is_file = true},
      {.name = "seed",
       .help = "of the shocks",
       .fallback = std::int64_t{problem.seed},
       .interval = from_to(0, 9e15)},
      {.name = "tolerance",
       .help = "on |B_new - B|",
       .fallback = problem.tolerance,
       .interval = tolerance},
      {.name = "relaxation",
       .help = "weight of the new coefficients of the law of motion",
       .fallback = problem.relaxation,
       .interval = weight},
      {.name = "reuse_tolerance",
       .help = "above it the last cross-section starts the next panel",
       .fallback = problem.reuse_tolerance,
       .interval = {.lowest = 0}},
      {.name = "burn_in",
       .help = "first periods that the regression leaves out",
       .fallback = number(problem.burn_in),
       .interval = from_to(0, 99'990)},
      {.name = "outer_cap",
       .help = "outer iterations until the tolerance is relaxed tenfold, once",
       .fallback = number(problem.outer_cap),
       .interval = from_to(1, 100'000)},
      {.name = "policy_tolerance",
       .help = "on max |dk'|",
       .fallback = problem.policy_tolerance,
       .interval = tolerance},
      {.name = "damping",
       .help = "Euler iteration: weight of the new policy",
       .fallback = problem.damping,
       .interval = weight},
      {.name = "policy_cap",
       .help = "give a policy up after so many iterations",
       .fallback = number(problem.policy_cap),
       .interval = from_to(1, 1e8)},
      {.name = "accuracy_periods",
       .help = "fresh periods on which the errors are measured; 0 for none",
       .fallback = number(problem.accuracy_periods),
       .interval = from_to(0, 1e6)},
      {.name = "k_max",
       .help = "the highest k",
       .fallback = problem.grids.k_max,
       .interval = from_to(highest_initial_wealth, 1e6)},
      {.name = "theta",
       .help = "k_i = k_max (i / (nk - 1))^theta",
       .fallback = problem.grids.theta,
       .interval = from_to(1, 10)},
      {.name = "K_min",
       .help = "the lowest K",
       .fallback = problem.grids.K_min,
       .interval = above_zero},
      {.name = "K_max",
       .help = "the highest K",
       .fallback = problem.grids.K_max,
       .interval = above_zero},
      {.name = "beta", .help = "discount factor", .fallback = c.beta, .interval = open_unit},
      {.name = "gamma",
       .help = "relative risk aversion; 1 is log utility",
       .fallback = c.gamma,
       .interval = {.lowest = 0, .highest = 100, .lowest_allowed = false}},
      {.name = "alpha", .help = "capital's share", .fallback = c.alpha, .interval = open_unit},
      {.name = "delta", .help = "depreciation", .fallback = c.delta, .interval = weight},
      {.name = "lbar", .help = "time endowment", .fallback = c.lbar, .interval = above_zero},
      {.name = "mu",
       .help = "unemployment benefit over the wage",
       .fallback = c.mu,
       .interval = {.lowest = 0, .highest = 1, .highest_allowed = false}},
      {.name = "Delta_a",
       .help = "productivity is 1 - Delta_a or 1 + Delta_a",
       .fallback = c.delta_a,
       .interval = {.lowest = 0, .highest = 1, .highest_allowed = false}},
      {.name = "u_bad",
       .help = "unemployment in the bad state",
       .fallback = c.u_bad,
       .interval = open_unit},
      {.name = "u_good",
       .help = "unemployment in the good state",
       .fallback = c.u_good,
       .interval = open_unit},
  };
  for (int from = 0; from < states; ++from) {
    for (int to = 0; to < states; ++to) {
      axes.push_back({.name = probability_name(from, to),
                      .help = fmt::format("Pr({} | {})", state_names[static_cast<std::size_t>(to)],
                                          state_names[static_cast<std::size_t>(from)]),
                      .fallback = c.P[static_cast<std::size_t>(states * from + to)],
                      .interval = from_to(0, 1)});
    }
  }
  return axes;
}

Stage stage_of(const std::string& name) {
  if (name == "policy") return Stage::policy;
  if (name == "panel") return Stage::panel;
  return Stage::all;
}

/// Whether the implementation that takes these parameters has agents.
bool has_agents(const Parameters& parameters) {
  return parameters.find("N") != nullptr;
}

Problem problem_of(const Parameters& parameters) {
  Problem problem;
  if (!has_agents(parameters)) problem.N = 1;
  parameters.read("N", problem.N);
  parameters.read("T", problem.T);
  parameters.read("nk", problem.grids.n_k);
  parameters.read("nK", problem.grids.n_K);
  parameters.read("k_max", problem.grids.k_max);
  parameters.read("theta", problem.grids.theta);
  parameters.read("K_min", problem.grids.K_min);
  parameters.read("K_max", problem.grids.K_max);
  problem.policy = parameters.name("policy");
  problem.policy_interpolation = parameters.name("policy_interpolation") == "linear"
                                     ? PolicyInterpolation::linear
                                     : PolicyInterpolation::spline;
  problem.single = is_single(parameters);
  parameters.read("threads", problem.threads);
  parameters.read("block", problem.block);
  parameters.read("histogram_points", problem.histogram_points);
  problem.stage = stage_of(parameters.name("stage"));
  problem.stored = parameters.file("stored");
  problem.shocks = parameters.file("shocks");
  problem.aggregate = parameters.file("aggregate");
  problem.wealth = parameters.file("wealth");
  problem.seed = parameters.integer("seed");
  parameters.read("tolerance", problem.tolerance);
  parameters.read("relaxation", problem.relaxation);
  parameters.read("reuse_tolerance", problem.reuse_tolerance);
  parameters.read("burn_in", problem.burn_in);
  parameters.read("outer_cap", problem.outer_cap);
  parameters.read("policy_tolerance", problem.policy_tolerance);
  parameters.read("damping", problem.damping);
  parameters.read("policy_cap", problem.policy_cap);
  parameters.read("accuracy_periods", problem.accuracy_periods);
  Calibration& c = problem.calibration;
  parameters.read("beta", c.beta);
  parameters.read("gamma", c.gamma);
  parameters.read("alpha", c.alpha);
  parameters.read("delta", c.delta);
  parameters.read("lbar", c.lbar);
  parameters.read("mu", c.mu);
  parameters.read("Delta_a", c.delta_a);
  parameters.read("u_bad", c.u_bad);
  parameters.read("u_good", c.u_good);
  for (int from = 0; from < states; ++from) {
    for (int to = 0; to < states; ++to) {
      parameters.read(probability_name(from, to),
                      c.P[static_cast<std::size_t>(states * from + to)]);
    }
  }
  return problem;
}

void check_transitions(const Calibration& c) {
  constexpr double rounding = 1e-9;
  const Economy economy(c);
  for (int from = 0; from < states; ++from) {
    double sum = 0;
    for (const double p : economy.P[from]) sum += p;
    if (std::abs(sum - 1) > rounding) {
      throw UsageError(fmt::format(
          "row {} of the transition matrix, from {}, adds up to {:.9g}, {:+.3g} from 1: correct {} "
          "to {}",
          from + 1, state_names[static_cast<std::size_t>(from)], sum, sum - 1,
          probability_name(from, 0), probability_name(from, 3)));
    }
  }
  const double u[2] = {c.u_bad, c.u_good};
  constexpr std::array<const char*, 2> names = {"bad", "good"};
  for (const int a : {bad, good}) {
    const int row = state_of(a, unemployed);
    for (const int next : {bad, good}) {
      const auto chance = [&](int e) {
        return economy.P[state_of(a, e)][state_of(next, unemployed)] +
               economy.P[state_of(a, e)][state_of(next, employed)];
      };
      if (std::abs(chance(unemployed) - chance(employed)) > rounding) {
        throw UsageError(
            fmt::format("rows {} and {} of the transition matrix give the {} state chances of "
                        "{:.9g} and {:.9g}: the aggregate state must not depend on employment",
                        row + 1, row + 2, names[static_cast<std::size_t>(next)], chance(unemployed),
                        chance(employed)));
      }
      if (chance(unemployed) <= 0) continue;
      const double follows = u[a] * economy.chance_of_unemployment(unemployed, a, next) +
                             (1 - u[a]) * economy.chance_of_unemployment(employed, a, next);
      if (std::abs(follows - u[next]) > rounding) {
        throw UsageError(fmt::format(
            "rows {} and {} of the transition matrix take unemployment from {:.6g} to {:.9g} in "
            "the {} state, where u_{} = {:.6g}: it must depend on the aggregate state alone",
            row + 1, row + 2, u[a], follows, names[static_cast<std::size_t>(next)],
            names[static_cast<std::size_t>(next)], u[next]));
      }
    }
  }
}

/// The files that the case names, after all else.
void check_files(const Parameters& parameters, const Problem& problem) {
  if (!problem.stored.empty()) {
    if (problem.stage == Stage::all) {
      throw UsageError(fmt::format(
          "stored = {}: only a stage alone begins with it; add --stage policy or --stage panel",
          problem.stored.path));
    }
    static_cast<void>(read_stored(problem));
  }
  if (has_agents(parameters) && problem.shocks.empty() != problem.aggregate.empty()) {
    const bool lacks_shocks = problem.shocks.empty();
    throw UsageError(fmt::format(
        "{} = {}: --{} is missing; agents' shocks and the aggregate states belong together",
        lacks_shocks ? "aggregate" : "shocks",
        lacks_shocks ? problem.aggregate.path : problem.shocks.path,
        lacks_shocks ? "shocks" : "aggregate"));
  }
  if (!problem.shocks.empty()) check_shocks(problem);
  if (!problem.aggregate.empty()) static_cast<void>(read_aggregate(problem));
  if (problem.wealth.empty()) return;
  const GivenWealth wealth = read_wealth(problem);
  if (has_agents(parameters)) {
    check_for_agents(problem, wealth);
  } else {
    check_for_histogram(problem, wealth);
  }
}

void check_problem(const Parameters& parameters) {
  const Problem problem = problem_of(parameters);
  const Grids& grids = problem.grids;
  check_transitions(problem.calibration);
  if (!(grids.K_min < grids.K_max)) {
    throw UsageError(fmt::format("K_min = {} and K_max = {}: K_min must be the lower one",
                                 grids.K_min, grids.K_max));
  }
  if (problem.T - problem.burn_in < 10) {
    throw UsageError(
        fmt::format("burn_in = {} of T = {} periods: leave at least 10 for the regression",
                    problem.burn_in, problem.T));
  }
  if (problem.block % 32 != 0) {
    throw UsageError(fmt::format("block = {}: it must be a multiple of 32, the threads of a warp",
                                 problem.block));
  }
  const double bytes = static_cast<double>(shock_stride(problem.N)) * problem.T;
  if (bytes > most_shock_bytes) {
    throw UsageError(
        fmt::format("N = {} agents in T = {} periods: their shocks take {:.3g} GB, at "
                    "most {:.3g} are allowed; take fewer of either",
                    problem.N, problem.T, bytes / 1e9, most_shock_bytes / 1e9));
  }
  const std::vector<double> k = k_points(grids);
  for (std::size_t i = 1; i < k.size(); ++i) {
    if (!(k[i] - k[i - 1] > 1e-100)) {
      throw UsageError(
          fmt::format("nk = {} and theta = {}: the lowest points of k coincide; take "
                      "fewer or a lower theta",
                      grids.n_k, grids.theta));
    }
  }
  check_files(parameters, problem);
}

/// Something that is done over and over: nanoseconds each time, and for each of its parts.
struct Cost {
  double once, part;

  [[nodiscard]] double of(double parts) const { return once + part * parts; }
};

/// A period of a panel, by its agents or its histogram's points.
Cost cost_of_period(std::string_view solver, const Grids& grids) {
  const double lines = 2.0 * grids.n_k;
  if (solver == "cpu") return {0, 50};
  if (solver == "frontier") return {3 * lines, 3.4};
  if (solver == "histogram") return {2 * lines, 5.3};
  if (solver == "frontier_cuda") return {2.4e3 + lines, 0.005};
  return {4.5e4, solver == "cuda_hardware" ? 0.01 : 0.036};  // a launch and a sum a period
}

/// An iteration of a policy, by the grid's points. How many there are hardly depends on these.
Cost cost_of_iteration(const std::string& policy) {
  if (policy == "egm") return {0, 55};
  if (policy == "euler_cuda") return {1.3e4, 0.1};
  return {0, 34};
}

/// Nanoseconds, roughly, of one thread of a processor or of one GPU.
double work(std::string_view solver, const Parameters& parameters) {
  const Problem problem = problem_of(parameters);
  const double parts = solver == "histogram" ? 2 * problem.histogram_points : problem.N;
  const double panel = problem.T * cost_of_period(solver, problem.grids).of(parts);
  const double iteration =
      cost_of_iteration(problem.policy).of(static_cast<double>(problem.grids.size()));
  const bool is_egm = problem.policy == "egm";
  switch (problem.stage) {
    case Stage::policy:
      return (is_egm ? 400 : 2'300) * iteration;
    case Stage::panel:
      return panel;
    case Stage::all:
      break;
  }
  constexpr double outer_iterations = 40;
  return outer_iterations * panel + (is_egm ? 2'500 : 25'000) * iteration;
}

/// Of a panel: every period reads each agent's wealth, writes it, and reads a bit of shocks. The
/// operations are those of one cubic in k, which no way to do it can save.
/// Of a policy alone, on the GPU: what four futures of a point take at least.
Floor floor_of(std::string_view solver, const Parameters& parameters, const Outcome& outcome) {
  const Problem problem = problem_of(parameters);
  const auto iterations = static_cast<double>(outcome.iterations);
  if (problem.stage == Stage::policy) {
    if (problem.policy != "euler_cuda") return {};
    constexpr double of_a_future = 10;
    return {.bytes = 0,
            .operations = iterations * static_cast<double>(problem.grids.size()) * 4 * of_a_future,
            .stages = {"policy"}};
  }
  if (solver == "histogram") return {};
  const double size = size_of_real(parameters);
  const double panels = problem.stage == Stage::panel ? 1 : iterations;
  const double agents = panels * problem.T * static_cast<double>(problem.N);
  constexpr double of_a_cubic = 6;
  return {.bytes = agents * (2 * size + 1.0 / 8),
          .operations = agents * of_a_cubic,
          .stages = {"panel"}};
}

/// A policy is found where its method runs, wherever the panel does.
std::optional<bool> is_on_gpu(std::string_view stage, const Parameters& parameters) {
  const Problem problem = problem_of(parameters);
  const bool is_policy = stage.empty() ? problem.stage == Stage::policy : stage == "policy";
  return is_policy ? std::optional(problem.policy == "euler_cuda") : std::nullopt;
}

/// N T / 8 bytes, in GiB.
double shock_memory(const Parameters& parameters) {
  const Problem problem = problem_of(parameters);
  constexpr double bits_of_GiB = 8.0 * (1 << 30);
  return static_cast<double>(problem.N) * problem.T / bits_of_GiB;
}

/// The model, made at its first use: solvers register themselves in any order.
const SolverModel<Problem>& this_model() {
  static const SolverModel<Problem> model{
      .model = {.name = "krusell_smith",
                .summary = "incomplete markets and aggregate risk, by a panel of agents",
                .axes = all_axes(),
                .size_axis = "N",
                .check = check_problem,
                .figures = {{"hatcher_scheffel_2014/figure_b1",
                             "k' - k over k and K; as printed with --nk 500 --nK 50",
                             [](const Parameters& given) {
                               return saving_surfaces(problem_of(given));
                             }},
                            {"hatcher_scheffel_2014/figure_b2", "k' - k of the poor, at K = 39",
                             [](const Parameters& given) {
                               return saving_at_K_39(problem_of(given), 10, 50, 81);
                             }},
                            {"hatcher_scheffel_2014/figure_b3", "k' - k of the wealthy, at K = 39",
                             [](const Parameters& given) {
                               return saving_at_K_39(problem_of(given), 100, 800, 141);
                             }}},
                .derived = {{"shock_memory", "GiB of the shocks, N T bits", shock_memory}},
                .work = work,
                .work_axes = {"nk", "nK", "T"},
                .trial_sizes = {500, 2'000},
                .floor = floor_of,
                .on_gpu = is_on_gpu},
      .optional_axes = {"N", "block", "histogram_points", "shocks"},
      .problem_of = problem_of,
      .unavailable = [](const Parameters& given) { return why_no_policy(given.name("policy")); }};
  return model;
}

const bool model_registered = [] {
  Registry::global().add(this_model().model);
  return true;
}();

}  // namespace

void fill_with_poison(const Problem& problem, Equilibrium& equilibrium) {
  constexpr double poison = std::numeric_limits<double>::quiet_NaN();
  equilibrium.law = {{poison, poison}, {poison, poison}};
  equilibrium.estimated = equilibrium.law;
  equilibrium.R2[bad] = equilibrium.R2[good] = poison;
  equilibrium.distance = poison;
  equilibrium.policy.assign(problem.grids.size(), poison);
  equilibrium.K.assign(static_cast<std::size_t>(problem.T), poison);
  equilibrium.K_fifth = equilibrium.K;
  equilibrium.first_wealth.assign(
      static_cast<std::size_t>(std::max(problem.N, 2 * problem.histogram_points)), poison);
  equilibrium.last_wealth = equilibrium.first_wealth;
}

std::uint64_t hash_of(const Equilibrium& equilibrium) {
  std::uint64_t hash = 0;
  for (const std::vector<double>* part : {&equilibrium.policy, &equilibrium.K, &equilibrium.K_fifth,
                                          &equilibrium.first_wealth, &equilibrium.last_wealth}) {
    hash = hash * 31 + hash_of_bits(*part);
  }
  return hash;
}

RegisterSolver::RegisterSolver(const Solver& solver) {
  register_solver(this_model(), solver);
}

}  // namespace macrobench::krusell_smith
