// The model as the harness sees it: its axes, how a case of it becomes a problem, its certificate
// and the chapter's figure.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "harness/text/error.hpp"
#include "implementations/newton/solver.hpp"

namespace macrobench::newton {

namespace {

std::vector<Axis> all_axes() {
  const Problem problem;
  const auto number = [](int value) { return static_cast<std::int64_t>(value); };
  const auto whole = [](double lowest, double highest) {
    return Interval{.lowest = lowest, .highest = highest};
  };
  constexpr double largest = 1e100;  // so that no intermediate result overflows in double
  constexpr Interval below_zero{.lowest = -largest, .highest = 0, .highest_allowed = false};
  constexpr Interval any{.lowest = -largest, .highest = largest};
  return {
      {.name = "n",
       .help = "values of a, the coefficient of x^2",
       .fallback = number(problem.n),
       .interval = whole(1, 1 << 28),
       .headline = true},
      {.name = "real",
       .help = "precision",
       .fallback = "double",
       .choices = {"double", "single"},
       .headline = true},
      {.name = "tolerance",
       .help = "converged when |x_new - x| is at most this",
       .fallback = problem.tolerance,
       .interval = {.lowest = 0, .highest = 1, .lowest_allowed = false},
       .headline = true},
      {.name = "x0", .help = "the start", .fallback = problem.x0, .interval = any},
      {.name = "b", .help = "coefficient of x", .fallback = problem.b, .interval = any},
      {.name = "c",
       .help = "constant, which moves no maximum",
       .fallback = problem.c,
       .interval = any},
      {.name = "a_low",
       .help = "first value of a",
       .fallback = problem.a_low,
       .interval = below_zero},
      {.name = "a_high",
       .help = "last value of a",
       .fallback = problem.a_high,
       .interval = below_zero},
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
       .help = "give a coefficient up after so many Newton steps",
       .fallback = number(problem.iteration_cap),
       .interval = whole(1, std::numeric_limits<std::uint8_t>::max())},
  };
}

Problem problem_of(const Parameters& parameters) {
  Problem problem;
  parameters.read("n", problem.n);
  parameters.read("tolerance", problem.tolerance);
  parameters.read("x0", problem.x0);
  parameters.read("b", problem.b);
  parameters.read("c", problem.c);
  parameters.read("a_low", problem.a_low);
  parameters.read("a_high", problem.a_high);
  parameters.read("threads", problem.threads);
  parameters.read("block", problem.block);
  parameters.read("iteration_cap", problem.iteration_cap);
  // Eigen's LinSpaced puts one value alone at the upper end: then there is no other.
  if (problem.n == 1) problem.a_high = problem.a_low;
  return problem;
}

void check_problem(const Parameters& parameters) {
  const double a_low = parameters.real("a_low");
  const double a_high = parameters.real("a_high");
  if (!(a_low < a_high)) {
    throw UsageError(
        fmt::format("a_low = {} and a_high = {}: a_low must be the lower one", a_low, a_high));
  }
}

/// The polynomials over the x for which the flattest of them is above 0.
Curves figure_3(const Parameters& parameters) {
  const Problem problem = problem_of(parameters);
  constexpr int curves = 9;
  constexpr int points = 201;
  const double discriminant = problem.b * problem.b - 4 * problem.a_high * problem.c;
  const double middle = -problem.b / (2 * problem.a_high);
  const double reach =
      discriminant > 0 ? std::sqrt(discriminant) / (2 * -problem.a_high) : std::abs(middle) + 1;

  Curves figure{.columns = {"x"}, .rows = {}};
  std::vector<double> a(curves);
  for (int k = 0; k < curves; ++k) {
    a[static_cast<std::size_t>(k)] =
        (problem.a_low * (curves - 1 - k) + problem.a_high * k) / (curves - 1);
    figure.columns.push_back(fmt::format("a={:.6g}", a[static_cast<std::size_t>(k)]));
  }
  for (int i = 0; i < points; ++i) {
    const double x = middle + reach * (2.0 * i / (points - 1) - 1);
    std::vector<double> row{x};
    for (const double coefficient : a) {
      row.push_back((coefficient * x + problem.b) * x + problem.c);
    }
    figure.rows.push_back(std::move(row));
  }
  return figure;
}

/// A coefficient is read, its maximum and the steps there written; a Newton step is six operations,
/// and no coefficient takes none.
Floor floor_of(std::string_view solver, const Parameters& parameters, const Outcome& /*outcome*/) {
  if (solver == "octave") return {};
  const Problem problem = problem_of(parameters);
  const double size = size_of_real(parameters);
  return {
      .bytes = (2 * size + 1) * problem.n, .operations = 6.0 * problem.n, .stages = {"maximize"}};
}

/// The model, made at its first use: solvers register themselves in any order.
const SolverModel<Problem>& this_model() {
  static const SolverModel<Problem> model{
      .model = {.name = "newton",
                .summary = "the highest points of many parabolas by Newton's method",
                .axes = all_axes(),
                .size_axis = "n",
                .check = check_problem,
                .figures = {{.name = "aldrich_2014/figure_3",
                             .summary = "the parabolas, for nine values of a",
                             .curves = figure_3}},
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

template <class Real>
void fill_with_poison(const Problem& problem, Solution<Real>& solution) {
  solution.argmax.assign(problem.coefficients(), std::numeric_limits<Real>::quiet_NaN());
  solution.steps.assign(problem.coefficients(), 0);
}

template <class Real>
std::uint64_t hash_of(const Solution<Real>& solution) {
  return hash_of_bits(solution.argmax) * 31 + hash_of_bits(solution.steps);
}

template <class Real>
Outcome judge(const Problem& problem, const Solution<Real>& solution, bool) {
  constexpr double epsilon = std::numeric_limits<Real>::epsilon();
  const std::size_t n = problem.coefficients();
  Outcome outcome;
  if (solution.argmax.size() != n || solution.steps.size() != n) {
    outcome.why = "the solution has the wrong size";
    return outcome;
  }
  outcome.iterations = *std::ranges::max_element(solution.steps);
  outcome.checked_states = problem.n;
  outcome.exhaustive = true;
  outcome.figures["states"] = problem.n;
  outcome.figures["argmax_first"] = static_cast<double>(solution.argmax.front());
  outcome.figures["argmax_last"] = static_cast<double>(solution.argmax.back());

  for (std::size_t i = 0; i < n && outcome.why.empty(); ++i) {
    const auto x = static_cast<double>(solution.argmax[i]);
    const double a = problem.a_low + static_cast<double>(i) * problem.spacing();
    const double exact = -problem.b / (2 * a);
    const double error = std::abs(x - exact);
    const double allowed =
        4 * epsilon *
        (std::abs(problem.x0) + std::abs(exact) + std::abs(exact) * problem.a_low / a);
    const bool wrong = !(error <= allowed);
    if (wrong || error >= outcome.residual) {
      outcome.residual = error;
      outcome.allowed = allowed;
    }
    if (!wrong) continue;
    outcome.why =
        std::isnan(x) && solution.steps[i] > 0
            ? fmt::format("not converged within iteration_cap = {} at a[{}] = {:.6g}",
                          solution.steps[i], i, a)
            : fmt::format("x is {:.17g} at a[{}] = {:.6g}, where the maximum is at {:.17g}", x, i,
                          a, exact);
  }
  outcome.valid = outcome.why.empty();
  return outcome;
}

template Outcome judge<float>(const Problem&, const Solution<float>&, bool);
template Outcome judge<double>(const Problem&, const Solution<double>&, bool);

RegisterSolver::RegisterSolver(const Solver& solver) {
  register_solver(this_model(), solver);
}

}  // namespace macrobench::newton
