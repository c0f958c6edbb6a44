// The model as the harness sees it, and the chapter's figure.

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "harness/model/solver_model.hpp"
#include "implementations/newton/certificate.hpp"
#include "implementations/newton/figures.hpp"
#include "implementations/newton/parameters.hpp"
#include "implementations/newton/solver.hpp"

namespace macrobench::newton {

namespace {

/// The polynomials over the x for which the flattest of them is above 0.
Curves figure_3(const Parameters& parameters) {
  const Problem problem = axes().problem_of(parameters);
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

/// Every coefficient takes two steps or so, wherever its maximum is.
double work_of_coefficients(const Problem& problem) {
  return static_cast<double>(problem.n);
}

}  // namespace

/// The model, constructed at its first use, because solvers register themselves in any order.
const SolverModel<Problem>& this_model() {
  static const SolverModel<Problem> model = registered<Problem>(
      {.model = {.name = "newton",
                 .summary = "the highest points of many parabolas by Newton's method",
                 .size_axis = "n",
                 .check = check_parameters,
                 .figures = {{.name = "aldrich_2014/figure_3",
                              .summary = "the parabolas, for nine values of a",
                              .curves = figure_3}},
                 .outcome_figures = outcome_figures(),
                 .stages = announced_stages(),
                 .array_units = array_units(),
                 .method_axes = {"x0"}},
       .axes = axes(),
       .hooks = {.work = work_of_coefficients, .floor = floor_of_one_step}});
  return model;
}

Floor floor_of_one_step(const Problem& problem, const Outcome& /*outcome*/) {
  return {.bytes = (2 * size_of_real(problem.single) + 1) * problem.n,
          .operations = 6.0 * problem.n,
          .stages = {"maximize"}};
}

}  // namespace macrobench::newton

template struct macrobench::RegisterSolver<
    macrobench::newton::Problem, macrobench::newton::Solution, macrobench::newton::this_model>;
