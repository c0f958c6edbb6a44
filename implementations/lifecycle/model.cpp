#include "implementations/lifecycle/model.hpp"

#include <numbers>

#include "implementations/lifecycle/economies.hpp"

namespace macrobench::lifecycle {

namespace {

/// The standard normal distribution function.
double normal_cdf(double z) {
  return std::erfc(-z / std::numbers::sqrt2) / 2;
}

}  // namespace

std::size_t sample_size(const Problem& problem) {
  return 1 + 3 * static_cast<std::size_t>(problem.ne);
}

numerics::KeptInFull kept_in_full(const Problem& problem) {
  constexpr std::size_t values = std::size_t{1} << 22;
  return numerics::KeptInFull::at_most(
      values / (problem.states() * static_cast<std::size_t>(problem.T)), problem);
}

Shapes shapes_of(const Problem& problem) {
  const auto T = static_cast<std::size_t>(problem.T);
  const auto ne = static_cast<std::size_t>(problem.ne);
  const auto nx = static_cast<std::size_t>(problem.nx);
  const auto economies = static_cast<std::size_t>(problem.economies == 1 ? 0 : problem.economies);
  Shape V{{"age", T}, {"e", ne}, {"x", nx}};
  if (economies > 0) {
    V.insert(V.begin(), {"economy", static_cast<std::size_t>(kept_in_full(problem).count)});
  }
  return {.V = V,
          .sample = {{"economy", economies},
                     {"sample", states_per_sample},
                     {"number", sample_size(problem)}},
          .sample_choice = {{"economy", economies}, {"sample", states_per_sample}}};
}

namespace {

/// Savings and log shocks as param() writes them: in double, and rounded.
Grids<float> rounded_points(const Problem& problem) {
  const Calibration& c = problem.calibration;
  const auto nx = static_cast<std::size_t>(problem.nx);
  const auto ne = static_cast<std::size_t>(problem.ne);
  Grids<float> grids{std::vector<float>(nx), std::vector<float>(ne), {}};
  for (std::size_t i = 0; i < nx; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(nx - 1);
    grids.x[i] = static_cast<float>((1 - share) * c.xmin + share * c.xmax);
  }
  const double sigma_y = std::sqrt(c.sigma_eps * c.sigma_eps / (1 - c.lambda_eps * c.lambda_eps));
  const double step = 2 * sigma_y * c.half_width / static_cast<double>(ne - 1);
  for (std::size_t i = 0; i < ne; ++i) {
    grids.e[i] = static_cast<float>(-c.half_width * sigma_y + static_cast<double>(i) * step);
  }
  return grids;
}

/// The same in the arithmetic of `Number`. As in C++, functions of a float's square are in double.
template <class Number>
Grids<Number> points(const Problem& problem) {
  const Calibration& c = problem.calibration;
  const auto nx = static_cast<std::size_t>(problem.nx);
  const auto ne = static_cast<std::size_t>(problem.ne);
  Grids<Number> grids{std::vector<Number>(nx), std::vector<Number>(ne), {}};
  const auto xmin = static_cast<Number>(c.xmin);
  const Number x_step = (static_cast<Number>(c.xmax) - xmin) / static_cast<Number>(nx - 1);
  for (std::size_t i = 0; i < nx; ++i) grids.x[i] = xmin + static_cast<Number>(i) * x_step;

  const double sigma = static_cast<Number>(c.sigma_eps);
  const double lambda = static_cast<Number>(c.lambda_eps);
  const auto m = static_cast<Number>(c.half_width);
  const double sigma_y = std::sqrt(sigma * sigma / (1 - lambda * lambda));
  const Number e_step = 2 * static_cast<Number>(sigma_y) * m / static_cast<Number>(ne - 1);
  for (std::size_t i = 0; i < ne; ++i) {
    const Number from_first = static_cast<Number>(i) * e_step;
    grids.e[i] =
        static_cast<Number>(-static_cast<double>(m) * sigma_y + static_cast<double>(from_first));
  }
  return grids;
}

/// Adds the probabilities, in the arithmetic of `Real`, and takes the shocks from logs to levels.
template <class Real, class Number>
Grids<Number> finished(const Problem& problem, Grids<Number> grids) {
  const std::size_t ne = grids.e.size();
  const auto sigma = static_cast<Real>(problem.calibration.sigma_eps);
  const auto lambda = static_cast<Real>(problem.calibration.lambda_eps);
  const auto half_step = static_cast<Real>((grids.e[1] - grids.e[0]) / 2);
  const auto cdf = [&](Real distance) {
    return static_cast<Real>(normal_cdf(static_cast<double>(distance / sigma)));
  };
  grids.P.resize(ne * ne);
  for (std::size_t i = 0; i < ne; ++i) {
    for (std::size_t j = 0; j < ne; ++j) {
      const Real distance = static_cast<Real>(grids.e[j]) - lambda * static_cast<Real>(grids.e[i]);
      const Real below = j == 0 ? 0 : cdf(distance - half_step);
      const Real above = j == ne - 1 ? 1 : cdf(distance + half_step);
      grids.P[i * ne + j] = static_cast<Number>(above - below);
    }
  }
  for (Number& e : grids.e) e = static_cast<Number>(std::exp(static_cast<Real>(e)));
  return grids;
}

}  // namespace

template <class Number>
Grids<Number> make_grids(const Problem& problem) {
  if constexpr (sizeof(Number) == sizeof(float)) {
    if (!problem.grids_in_real) return finished<double>(problem, rounded_points(problem));
  }
  return finished<Number>(problem, points<Number>(problem));
}

template Grids<float> make_grids<float>(const Problem&);
template Grids<double> make_grids<double>(const Problem&);

Grids<double> grids_in_double(const Problem& problem) {
  if (problem.has_double_grids()) return make_grids<double>(problem);
  const Grids<float> grids = make_grids<float>(problem);
  const auto in_double = [](const std::vector<float>& values) {
    return std::vector<double>(values.begin(), values.end());
  };
  return {in_double(grids.x), in_double(grids.e), in_double(grids.P)};
}

}  // namespace macrobench::lifecycle
