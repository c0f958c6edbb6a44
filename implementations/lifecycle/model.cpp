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

Grids make_grids(const Problem& problem) {
  const Calibration& c = problem.calibration;
  const auto nx = static_cast<std::size_t>(problem.nx);
  const auto ne = static_cast<std::size_t>(problem.ne);
  Grids grids{std::vector<float>(nx), std::vector<float>(ne), std::vector<float>(ne * ne)};

  for (std::size_t i = 0; i < nx; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(nx - 1);
    grids.x[i] = static_cast<float>((1 - share) * c.xmin + share * c.xmax);
  }

  const double sigma_y = std::sqrt(c.sigma_eps * c.sigma_eps / (1 - c.lambda_eps * c.lambda_eps));
  const double step = 2 * sigma_y * c.half_width / static_cast<double>(ne - 1);
  for (std::size_t i = 0; i < ne; ++i) {
    grids.e[i] = static_cast<float>(-c.half_width * sigma_y + static_cast<double>(i) * step);
  }

  const double half_step = static_cast<double>((grids.e[1] - grids.e[0]) / 2);
  for (std::size_t i = 0; i < ne; ++i) {
    for (std::size_t j = 0; j < ne; ++j) {
      const double distance =
          static_cast<double>(grids.e[j]) - c.lambda_eps * static_cast<double>(grids.e[i]);
      const double below = j == 0 ? 0 : normal_cdf((distance - half_step) / c.sigma_eps);
      const double above = j == ne - 1 ? 1 : normal_cdf((distance + half_step) / c.sigma_eps);
      grids.P[i * ne + j] = static_cast<float>(above - below);
    }
  }
  for (float& e : grids.e) e = static_cast<float>(std::exp(static_cast<double>(e)));
  return grids;
}

}  // namespace macrobench::lifecycle
