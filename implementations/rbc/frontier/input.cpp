#include "implementations/rbc/frontier/input.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "implementations/numerics/batch/for_each_economy.hpp"
#include "implementations/numerics/methods/chebyshev.hpp"
#include "implementations/rbc/economies.hpp"

namespace macrobench::rbc::frontier {

namespace {

/// Above this many productivities the dense systems of solve_continuous cost more than they save.
constexpr int most_continuous = 12;

/// The coupling is weak while less than this share of an error comes back from the other
/// productivities.
constexpr double weak_coupling = 0.5;

/// A pass evaluates the policy until only this fraction of the error is left.
constexpr double left_over = 0.01;

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

/// Half the range of T V - V to be expected of the continuous V: choosing a grid point at most half
/// a step away costs up to curvature (step / 2)^2, and some state is that far away.
double expected_residual(const ContinuousSolution& continuous, double step) {
  double curvature = 0;
  for (int j = 0; j < continuous.nz; ++j) {
    for (const double t : {-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0}) {
      curvature = std::max(
          curvature, numerics::chebyshev_value(&continuous.curvature[index(j * continuous.size)],
                                               continuous.size, t));
    }
  }
  return curvature * step * step / 8;
}

/// (beta P(j,j))^(2^k), until no more than left_over is left of any; shape doublings x nz.
std::vector<float> discounts(const std::vector<double>& beta_P, int nz) {
  std::vector<double> powers(index(nz));
  for (int j = 0; j < nz; ++j) powers[index(j)] = beta_P[index(j * nz + j)];
  std::vector<float> discounts;
  do {
    discounts.insert(discounts.end(), powers.begin(), powers.end());
    for (double& power : powers) power *= power;
  } while (*std::max_element(powers.begin(), powers.end()) > left_over);
  return discounts;
}

/// (I - beta P)^-1, shape nz x nz; nothing where the coupling is weak.
std::vector<double> resolvent_of(const std::vector<double>& beta_P, int nz, double beta) {
  const std::size_t n = index(nz);
  double weakest = 1;
  for (std::size_t j = 0; j < n; ++j) weakest = std::min(weakest, beta_P[j * n + j]);
  if (beta - weakest < weak_coupling * (1 - weakest)) return {};

  // Gauss and Jordan, in place; strictly diagonally dominant, so that no pivot is sought.
  std::vector<double> A(n * n);
  for (std::size_t k = 0; k < n * n; ++k) A[k] = (k % (n + 1) == 0 ? 1 : 0) - beta_P[k];
  for (std::size_t k = 0; k < n; ++k) {
    const double inverse = 1 / A[k * n + k];
    A[k * n + k] = 1;
    for (std::size_t m = 0; m < n; ++m) A[k * n + m] *= inverse;
    for (std::size_t j = 0; j < n; ++j) {
      if (j == k) continue;
      const double factor = A[j * n + k];
      A[j * n + k] = 0;
      for (std::size_t m = 0; m < n; ++m) A[j * n + m] -= factor * A[k * n + m];
    }
  }
  return A;
}

/// resolvent x beta (P - diag P).
std::vector<double> coupling_of(const std::vector<double>& beta_P,
                                const std::vector<double>& resolvent, int nz) {
  const std::size_t n = index(nz);
  std::vector<double> C(n * n, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t m = 0; m < n; ++m) {
      for (std::size_t l = 0; l < n; ++l) {
        if (l != m) C[j * n + l] += resolvent[j * n + m] * beta_P[m * n + l];
      }
    }
  }
  return C;
}

/// Appends the values and returns where they begin.
std::ptrdiff_t add(std::vector<double>& numbers, const std::vector<double>& values) {
  const auto at = static_cast<std::ptrdiff_t>(numbers.size());
  numbers.insert(numbers.end(), values.begin(), values.end());
  return at;
}

/// Pairs of floats as the bits of doubles.
std::vector<double> packed(std::vector<float> values) {
  values.resize((values.size() + 1) / 2 * 2);
  std::vector<double> pairs(values.size() / 2);
  std::memcpy(pairs.data(), values.data(), values.size() * sizeof(float));
  return pairs;
}

}  // namespace

std::optional<ContinuousSolution> continuous_start(const Problem& problem) {
  return problem.nz <= most_continuous ? solve_continuous(problem) : std::nullopt;
}

Input input_of(const Problem& problem, const ContinuousSolution* continuous) {
  Problem ends = problem;
  ends.nk = 2;
  const Grids<double> grids = make_grids<double>(ends);
  const Calibration& c = problem.calibration;
  const int nz = problem.nz;
  const CapitalRange range = capital_range(problem);
  Input input;
  input.low = range.low;
  input.step = (range.high - range.low) / (problem.nk - 1);
  if (!(resources(input.low, grids.Z.front(), c.alpha, c.delta) >= input.low)) {
    throw std::invalid_argument("a state of the grid has no feasible choice");
  }
  std::vector<double>& all = input.numbers;
  input.Z = add(all, grids.Z);
  std::vector<double> beta_P = grids.P;
  for (double& p : beta_P) p *= c.beta;
  input.beta_P = add(all, beta_P);

  const std::vector<float> discount = discounts(beta_P, nz);
  input.doublings = static_cast<int>(discount.size() / index(nz));
  input.discount = add(all, packed(discount));

  if (const std::vector<double> resolvent = resolvent_of(beta_P, nz, c.beta); !resolvent.empty()) {
    input.resolvent = add(all, resolvent);
    input.coupling = add(all, coupling_of(beta_P, resolvent, nz));
    input.means = add(all, std::vector<double>(index(nz)));
  }
  if (continuous == nullptr) return input;
  const double residual = expected_residual(*continuous, input.step);
  input.series = add(all, continuous->V);
  input.series_policy = add(all, continuous->policy);
  input.terms = continuous->size;
  input.scale = continuous->scale;
  input.shift = -residual / (1 - c.beta);
  input.in_one_pass = residual <= (1 - of_resources) * problem.tolerance;
  return input;
}

std::vector<Input> inputs_of(const Problem& problem, int first, int count) {
  std::vector<Input> inputs(index(count));
  numerics::for_each_economy(count, problem.threads, [&] {
    return [&](int which) {
      const Problem one = economy_of(problem, first + which);
      const std::optional<ContinuousSolution> continuous = continuous_start(one);
      if (continuous) inputs[index(which)] = input_of(one, &*continuous);
    };
  });
  return inputs;
}

}  // namespace macrobench::rbc::frontier
