#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

#include "harness/model/parameters.hpp"
#include "implementations/lifecycle/model.hpp"
#include "tests/implementations/every_implementation.hpp"

namespace macrobench::lifecycle {

/// V of all ages, shape T x ne x nx, by the loops of the tutorial's listing in long double: every
/// choice of every state, with the expectation of each computed where it is needed.
inline std::vector<double> brute_force(const Problem& problem) {
  using Long = long double;
  const Calibration& c = problem.calibration;
  const Grids<double> grids = grids_in_double(problem);
  const auto nx = static_cast<std::size_t>(problem.nx);
  const auto ne = static_cast<std::size_t>(problem.ne);
  const auto utility = [&](Long consumption) -> Long {
    if (c.sigma == 1) return std::log(consumption);
    return std::pow(consumption, Long{1} - c.sigma) / (Long{1} - c.sigma);
  };
  // Of each choice at each state, at any age.
  std::vector<Long> utilities(ne * nx * nx, -std::numeric_limits<Long>::infinity());
  for (std::size_t s = 0; s < ne * nx; ++s) {
    const Long available = resources_of(problem, grids.x[s % nx], grids.e[s / nx]);
    for (std::size_t jx = 0; jx < nx; ++jx) {
      const Long consumption = available - Long{grids.x[jx]};
      if (consumption > 0) utilities[s * nx + jx] = utility(consumption);
    }
  }
  std::vector<Long> next(nx * ne);
  std::vector<Long> V(nx * ne);
  std::vector<double> all(nx * ne * static_cast<std::size_t>(problem.T));
  for (int age = problem.T; age >= 1; --age) {
    for (std::size_t ie = 0; ie < ne; ++ie) {
      for (std::size_t ix = 0; ix < nx; ++ix) {
        Long best = -std::numeric_limits<Long>::infinity();
        Long expected = 0;
        for (std::size_t jx = 0; jx < nx; ++jx) {
          if (problem.recursion == Recursion::corrected) expected = 0;
          for (std::size_t je = 0; age < problem.T && je < ne; ++je) {
            expected += Long{grids.P[ie * ne + je]} * next[je * nx + jx];
          }
          best = std::max(best, utilities[(ie * nx + ix) * nx + jx] + c.beta * expected);
        }
        V[ie * nx + ix] = best;
      }
    }
    next = V;
    for (std::size_t s = 0; s < nx * ne; ++s) {
      all[static_cast<std::size_t>(age - 1) * nx * ne + s] = static_cast<double>(V[s]);
    }
  }
  return all;
}

/// Problems of all kinds, small: risk neutral to very averse, few points and more than a vector
/// holds, choices out of reach, incomes that swing back and forth.
inline std::vector<Parameters> economies() {
  const auto sized = [](int nx, int ne, int T, Parameters parameters) {
    parameters.set("nx", std::int64_t{nx});
    parameters.set("ne", std::int64_t{ne});
    parameters.set("T", std::int64_t{T});
    return parameters;
  };
  std::vector<Parameters> all{
      sized(2, 2, 1, {}),
      sized(2, 2, 2, {{"sigma", 1.0}}),
      sized(2, 5, 3, {{"lambda_eps", -0.9}}),
      sized(31, 2, 6, {{"sigma", 1.0}, {"beta", 1.0}}),
      sized(16, 3, 4, {{"xmax", 40.0}}),
      sized(17, 3, 4, {{"xmax", 40.0}, {"w", 0.8}, {"sigma", 4.0}}),
      sized(100, 7, 12, {{"sigma_eps", 0.4}, {"lambda_eps", -0.5}, {"sigma", 3.5}}),
      sized(15, 1 + 1, 9, {{"sigma", 0.0}, {"r", -0.05}}),
      sized(47, 4, 1, {{"sigma", 1.0}, {"w", 1.0}, {"xmin", 0.0}}),
      sized(50, 3, 1, {{"sigma", 1.0}, {"w", 1.0}, {"xmin", 0.0}, {"xmax", 0.001}}),
      sized(150, 5, 10, {})};
  std::mt19937_64 random(1973);
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const auto count = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  for (int k = 0; k < 25; ++k) {
    constexpr double sigmas[] = {0, 0.5, 1, 2, 3, 5.5};
    all.push_back(sized(count(2, 70), count(2, 9), count(1, 7),
                        {{"sigma", sigmas[count(0, 5)]},
                         {"beta", between(0.3, 1)},
                         {"r", between(-0.1, 0.4)},
                         {"w", between(0.7, 8)},
                         {"xmin", between(0, 0.3)},
                         {"xmax", between(0.5, 30)},
                         {"sigma_eps", between(0.001, 0.6)},
                         {"lambda_eps", between(-0.99, 0.99)},
                         {"half_width", between(0.5, 3)}}));
  }
  return all;
}

/// The same as a problem.
inline Problem problem_of(const Parameters& parameters) {
  Problem problem;
  for (auto& [name, value] : std::initializer_list<std::pair<const char*, int&>>{
           {"nx", problem.nx}, {"ne", problem.ne}, {"T", problem.T}}) {
    read(parameters, name, value);
  }
  Calibration& c = problem.calibration;
  for (auto& [name, value] :
       std::initializer_list<std::pair<const char*, double&>>{{"sigma", c.sigma},
                                                              {"beta", c.beta},
                                                              {"r", c.r},
                                                              {"w", c.w},
                                                              {"xmin", c.xmin},
                                                              {"xmax", c.xmax},
                                                              {"sigma_eps", c.sigma_eps},
                                                              {"lambda_eps", c.lambda_eps},
                                                              {"half_width", c.half_width}}) {
    read(parameters, name, value);
  }
  return problem;
}

}  // namespace macrobench::lifecycle
