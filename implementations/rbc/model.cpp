#include "implementations/rbc/model.hpp"

#include <algorithm>

#include "harness/model/given_numbers.hpp"
#include "implementations/numerics/methods/tauchen.hpp"
#include "implementations/rbc/economies.hpp"

namespace macrobench::rbc {

namespace {

numerics::MarkovChain computed_chain(const Problem& problem) {
  const Calibration& c = problem.calibration;
  numerics::MarkovChain chain = numerics::tauchen(problem.nz, c.rho, c.sigma, c.half_width);
  for (double& value : chain.values) value = std::exp(value);
  return chain;
}

/// As the article of 2015 prints it and its programs have it: the third row adds up to 1.0001.
numerics::MarkovChain printed_chain() {
  return {.values = {0.9792, 0.9896, 1.0000, 1.0106, 1.0212},
          .transition = {0.9727, 0.0273, 0,      0,      0,       //
                         0.0041, 0.9806, 0.0153, 0,      0,       //
                         0,      0.0082, 0.9837, 0.0082, 0,       //
                         0,      0,      0.0153, 0.9806, 0.0041,  //
                         0,      0,      0,      0.0273, 0.9727}};
}

/// Productivity in levels, and its transitions.
numerics::MarkovChain productivity(const Problem& problem) {
  numerics::MarkovChain chain;
  if (problem.productivity == nullptr || problem.transition == nullptr) {
    chain = problem.chain == Chain::aruoba_fv ? printed_chain() : computed_chain(problem);
  }
  if (problem.productivity != nullptr) chain.values = problem.productivity->values();
  if (problem.transition != nullptr) chain.transition = problem.transition->values();
  return chain;
}

template <class Real>
std::vector<Real> uniform_grid(CapitalRange range, int n) {
  std::vector<Real> grid(static_cast<std::size_t>(n));
  const double step = (range.high - range.low) / (n - 1);
  for (int i = 0; i < n; ++i) {
    grid[static_cast<std::size_t>(i)] = static_cast<Real>(range.low + i * step);
  }
  return grid;
}

template <class Real>
std::vector<Real> rounded(const std::vector<double>& values) {
  std::vector<Real> result(values.size());
  std::transform(values.begin(), values.end(), result.begin(),
                 [](double value) { return static_cast<Real>(value); });
  return result;
}

}  // namespace

std::size_t sample_size(const Problem& problem) {
  return 1 + 3 * static_cast<std::size_t>(problem.nz);
}

numerics::KeptInFull kept_in_full(const Problem& problem) {
  constexpr std::size_t states = std::size_t{1} << 21;
  return numerics::KeptInFull::at_most(states / problem.states(), problem);
}

Shapes shapes_of(const Problem& problem) {
  const auto nk = static_cast<std::size_t>(problem.nk);
  const auto nz = static_cast<std::size_t>(problem.nz);
  const auto economies = static_cast<std::size_t>(problem.economies == 1 ? 0 : problem.economies);
  Shape V{{"Z", nz}, {"K", nk}};
  if (economies > 0) {
    V.insert(V.begin(), {"economy", static_cast<std::size_t>(kept_in_full(problem).count)});
  }
  return {.V = V,
          .endings = {{"economy", economies}},
          .sample = {{"economy", economies},
                     {"sample", states_per_sample},
                     {"number", sample_size(problem)}},
          .sample_policy = {{"economy", economies}, {"sample", states_per_sample}}};
}

double steady_state_capital(const Calibration& c, double Z) {
  return std::pow((1 / c.beta - 1 + c.delta) / (c.alpha * Z), 1 / (c.alpha - 1));
}

double steady_state_utility(const Calibration& c, double K, double Z) {
  return utility(resources(K, Z, c.alpha, c.delta) - K, c.gamma);
}

CapitalRange capital_range(const Problem& problem) {
  if (problem.capital != nullptr) {
    return {problem.capital->values().front(), problem.capital->values().back()};
  }
  const Calibration& c = problem.calibration;
  const std::vector<double> Z = productivity(problem).values;
  return {c.grid_low * steady_state_capital(c, Z.front()),
          c.grid_high * steady_state_capital(c, Z.back())};
}

bool has_equal_steps(const Problem& problem) {
  if (problem.capital == nullptr) return true;
  constexpr double rounding = 1e-13;
  const std::vector<double>& K = problem.capital->values();
  const double step = (K.back() - K.front()) / static_cast<double>(K.size() - 1);
  for (std::size_t i = 0; i < K.size(); ++i) {
    const double uniform = K.front() + static_cast<double>(i) * step;
    if (std::abs(K[i] - uniform) > rounding * K.back()) return false;
  }
  return true;
}

template <class Real>
Grids<Real> make_grids(const Problem& problem) {
  const Calibration& c = problem.calibration;
  const numerics::MarkovChain chain = productivity(problem);

  const std::vector<double>& Z = chain.values;
  std::vector<double> V0(Z.size());
  for (std::size_t j = 0; j < Z.size(); ++j) {
    if (problem.start == Start::zero) continue;
    V0[j] = steady_state_utility(c, steady_state_capital(c, Z[j]), Z[j]);
  }
  const bool is_given = problem.capital != nullptr &&
                        problem.capital->values().size() == static_cast<std::size_t>(problem.nk);
  return {is_given ? rounded<Real>(problem.capital->values())
                   : uniform_grid<Real>(capital_range(problem), problem.nk),
          rounded<Real>(Z), rounded<Real>(chain.transition), rounded<Real>(V0)};
}

template <class Real>
std::vector<Real> future_grid(const Problem& problem) {
  return uniform_grid<Real>(capital_range(problem), problem.future_points);
}

std::vector<double> choices_of(const Problem& problem, std::string_view array) {
  if (array != "policy" && array != "sample_policy") return {};
  return problem.maximizer == Maximizer::interpolated ? future_grid<double>(problem)
                                                      : make_grids<double>(problem).K;
}

template Grids<float> make_grids<float>(const Problem&);
template Grids<double> make_grids<double>(const Problem&);
template std::vector<float> future_grid<float>(const Problem&);
template std::vector<double> future_grid<double>(const Problem&);

}  // namespace macrobench::rbc
