// The model as the harness sees it: its axes, and how a case of it becomes a problem.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string_view>

#include "harness/error.hpp"
#include "harness/registry.hpp"
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

std::string name_of(Maximizer maximizer) {
  switch (maximizer) {
    case Maximizer::bisection:
      return "bisection";
    case Maximizer::grid_howard:
      return "grid_howard";
    case Maximizer::interpolated:
      return "interpolated";
  }
  return {};
}

Problem problem_of(const Parameters& parameters) {
  Problem problem;
  const auto whole_number = [&](const char* name, int& value) {
    if (parameters.find(name) != nullptr) value = static_cast<int>(parameters.integer(name));
  };
  const auto real_number = [&](const char* name, double& value) {
    if (parameters.find(name) != nullptr) value = parameters.real(name);
  };
  whole_number("nk", problem.nk);
  whole_number("nz", problem.nz);
  whole_number("future_points", problem.future_points);
  whole_number("threads", problem.threads);
  whole_number("block", problem.block);
  whole_number("iteration_cap", problem.iteration_cap);
  real_number("tolerance", problem.tolerance);
  if (parameters.find("maximizer") != nullptr) {
    problem.maximizer = maximizer_of(parameters.name("maximizer"));
  }
  if (parameters.find("monotone") != nullptr) {
    problem.monotone = parameters.name("monotone") == "on";
  }
  Calibration& c = problem.calibration;
  real_number("beta", c.beta);
  real_number("gamma", c.gamma);
  real_number("alpha", c.alpha);
  real_number("delta", c.delta);
  real_number("rho", c.rho);
  real_number("sigma", c.sigma);
  real_number("half_width", c.half_width);
  real_number("grid_low", c.grid_low);
  real_number("grid_high", c.grid_high);
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
std::string known_invalid(const Parameters& parameters) {
  if (parameters.name("real") == "double") return {};
  if (parameters.name("maximizer") != "bisection") {
    return "in single precision the difference can vanish between two maximisations, and iteration "
           "then stops with a policy that is out of date";
  }
  if (parameters.integer("nk") <= 128) return {};
  return "in single precision V has ripples steeper than the differences that bisection goes by";
}

/// A solver bound to a problem and a precision.
template <class Real>
class SolverInstance final : public Instance {
 public:
  SolverInstance(const Solver& solver, Solve<Real> solve_in, const Problem& problem)
      : start_(solver.start), solve_(solve_in), problem_(problem) {}

  void start() override {
    if (start_ != nullptr) start_(problem_);
  }

  void poison() override {
    solution_ = {};
    solution_.V.assign(problem_.states(), std::numeric_limits<Real>::quiet_NaN());
    solution_.policy.assign(problem_.states(), -1);
  }

  void solve(Stages& stages) override { solve_(problem_, stages, solution_); }

  Outcome check(bool thorough) override { return judge(problem_, solution_, thorough); }

  std::uint64_t fingerprint() const override {
    const auto bytes = [](const auto& values) {
      return std::string_view(reinterpret_cast<const char*>(values.data()),
                              values.size() * sizeof(values[0]));
    };
    const std::hash<std::string_view> hash;
    return hash(bytes(solution_.V)) * 31 + hash(bytes(solution_.policy)) +
           static_cast<std::uint64_t>(solution_.iterations);
  }

 private:
  void (*start_)(const Problem&);
  Solve<Real> solve_;
  Problem problem_;
  Solution<Real> solution_;
};

/// The model's axes that a solver takes, with the choices it has.
std::vector<Axis> axes_of(const Solver& solver) {
  std::vector<Axis> axes;
  for (Axis axis : all_axes()) {
    const bool interpolates =
        std::count(solver.maximizers.begin(), solver.maximizers.end(), Maximizer::interpolated) > 0;
    if (axis.name == "maximizer") {
      if (solver.maximizers.empty()) continue;
      axis.choices.clear();
      for (const Maximizer maximizer : solver.maximizers)
        axis.choices.push_back(name_of(maximizer));
    }
    if (axis.name == "real") {
      axis.choices.clear();
      if (solver.solve_double != nullptr) axis.choices.emplace_back("double");
      if (solver.solve_single != nullptr) axis.choices.emplace_back("single");
    }
    if (axis.name == "future_points" && !interpolates) continue;
    if (axis.name == "monotone" && !solver.takes_monotone) continue;
    if (axis.name == "threads" && !solver.takes_threads) continue;
    if (axis.name == "block" && !solver.takes_block) continue;
    axes.push_back(std::move(axis));
  }
  return axes;
}

const bool model_registered = [] {
  Registry::global().add(Model{.name = "rbc",
                               .summary = "real business cycle model by value function iteration",
                               .axes = all_axes(),
                               .size_axis = "nk",
                               .check = check_problem});
  return true;
}();

}  // namespace

RegisterSolver::RegisterSolver(Solver solver) {
  Implementation implementation{
      .model = "rbc",
      .name = solver.name,
      .origin = solver.origin,
      .summary = solver.summary,
      .axes = axes_of(solver),
      .source = solver.source,
      .has_start = solver.start != nullptr,
      .unavailable =
          [reason = solver.unavailable] { return reason == nullptr ? std::string() : reason(); },
      .instantiate = [solver](const Parameters& parameters) -> std::unique_ptr<Instance> {
        const Problem problem = problem_of(parameters);
        if (parameters.name("real") == "single") {
          return std::make_unique<SolverInstance<float>>(solver, solver.solve_single, problem);
        }
        return std::make_unique<SolverInstance<double>>(solver, solver.solve_double, problem);
      },
      .known_invalid = solver.origin == Origin::frontier
                           ? [](const Parameters&) { return std::string(); }
                           : known_invalid};
  Registry::global().add(std::move(implementation));
}

}  // namespace macrobench::rbc
