#include "implementations/krusell_smith/certificate/euler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "implementations/numerics/methods/drawn_places.hpp"

namespace macrobench::krusell_smith::certificate {

/// A sum's terms are each rounded some times before they are added, splines' most of all.
constexpr double of_rounding = 16 * std::numeric_limits<double>::epsilon();

PolicySurface::PolicySurface(const Problem& problem, const Equilibrium& equilibrium)
    : kind_(problem.policy_interpolation),
      n_K_(index(problem.grids.n_K)),
      k_(k_points(problem.grids)),
      K_(K_points(problem.grids)) {
  for (int s = 0; s < states; ++s) {
    for (int j = 0; j < problem.grids.n_K; ++j) {
      std::vector<double> line;
      for (int i = 0; i < problem.grids.n_k; ++i) {
        line.push_back(node(problem, equilibrium.policy, s, j, i));
      }
      over_k_.emplace_back(k_, std::move(line), kind_);
    }
  }
}

double PolicySurface::operator()(int s, double k, double K) const {
  std::vector<double> over_K;
  for (std::size_t j = 0; j < n_K_; ++j) over_K.push_back(over_k_[index(s) * n_K_ + j](k));
  return Line(K_, std::move(over_K), kind_)(K);
}

EulerEquation::EulerEquation(const Problem& problem, const LawOfMotion& law,
                             const PolicySurface& policy, int a, double K)
    : problem_(problem),
      policy_(policy),
      a_(a),
      today_(market(problem.calibration, a, K)),
      K_next_(perceived(problem, law, a, K)),
      tomorrow_{market(problem.calibration, bad, K_next_),
                market(problem.calibration, good, K_next_)} {}

Implied EulerEquation::implied(int e, double k_next) const {
  const Calibration& c = problem_.calibration;
  double expected = 0;
  double rounding = 0;
  bool on_floor = false;
  for (int next = 0; next < states; ++next) {
    const double chance = c.P[index(4 * (2 * a_ + e) + next)];
    const Market& then = tomorrow_[index(next / 2)];
    const double resources = then.gross_return * k_next + then.income[next % 2];
    const double saved = policy_(next, k_next, K_next_);
    const double consumed = std::max(resources - saved, consumption_floor);
    expected += chance * then.gross_return * std::pow(consumed, -c.gamma);
    if (chance <= 0) continue;
    rounding = std::max(rounding, (resources + std::abs(saved)) / consumed);
    on_floor |= resources - saved <= consumption_floor;
  }
  return {std::pow(c.beta * expected, -1 / c.gamma), rounding * of_rounding, on_floor};
}

namespace {

struct NodeError {
  double error, by_tolerance, allowed, rounding, consumption;
  bool on_floor;
};

NodeError error_at(const Problem& problem, const EulerEquation& equation, int e, double k,
                   double chosen) {
  const double resources = equation.resources(e, k);
  const double c = resources - chosen;
  if (chosen <= 0 && resources <= 0) return {0, 0, most_euler_error, 0, 0, false};  // no choice
  if (!(c > 0)) {
    constexpr double endless = std::numeric_limits<double>::infinity();
    return {endless, 0, most_euler_error, 0, c, true};
  }
  const Implied implied = equation.implied(e, chosen);
  // Nobody saves less than nothing, or more than the grid has.
  const double least = std::max(0.0, resources - problem.grids.k_max);
  const double asked = std::clamp(implied.consumption, least, std::max(least, resources));
  const double by_tolerance = 2 * problem.policy_tolerance / c;
  const double rounding = of_rounding * (resources + chosen) / c + implied.rounding;
  return {.error = std::abs(asked / c - 1),
          .by_tolerance = by_tolerance,
          .allowed = std::min(by_tolerance, most_euler_error) + rounding,
          .rounding = rounding,
          .consumption = c,
          .on_floor = chosen > 0 && (implied.on_floor || !(c > consumption_floor))};
}

}  // namespace

PolicyErrors policy_errors(const Problem& problem, const Equilibrium& equilibrium, bool thorough,
                           std::mt19937_64& random) {
  const Grids& grids = problem.grids;
  const std::vector<double> k = k_points(grids);
  const std::vector<double> K = K_points(grids);
  const PolicySurface policy(problem, equilibrium);
  PolicyErrors checked;
  checked.all = thorough || grids.size() <= numerics::drawn_places;
  Largest nearest;  // to what is allowed
  const std::size_t wanted = checked.all ? grids.size() : numerics::drawn_places;
  for (const std::size_t n : numerics::drawn_from(grids.size(), wanted, random)) {
    const int i = static_cast<int>(n % index(grids.n_k));
    const int j = static_cast<int>(n / index(grids.n_k) % index(grids.n_K));
    const int s = static_cast<int>(n / index(grids.n_k) / index(grids.n_K));
    const EulerEquation equation(problem, equilibrium.law, policy, s / 2, K[index(j)]);
    const NodeError at =
        error_at(problem, equation, s % 2, k[index(i)], node(problem, equilibrium.policy, s, j, i));
    ++checked.count;
    checked.rounding.see(at.rounding, n);
    if (at.on_floor && !checked.on_floor) checked.on_floor = n;
    nearest.see(at.error / at.allowed, n);
    if (nearest.at != n || at.error == 0) continue;
    checked.largest = {at.error, n};
    checked.allowed = at.allowed;
    checked.by_tolerance = at.by_tolerance;
    checked.consumption = at.consumption;
  }
  return checked;
}

/// Of a policy's node.
static std::string name_of_node(const Problem& problem, std::size_t at) {
  const std::size_t n_k = index(problem.grids.n_k);
  const std::size_t n_K = index(problem.grids.n_K);
  const std::size_t s = at / n_k / n_K;
  return fmt::format("k[{}], K[{}], ({}, {})", at % n_k, at / n_k % n_K,
                     s / 2 == good ? "good" : "bad", s % 2 == employed ? "employed" : "unemployed");
}

std::string against_policy(const Problem& problem, const PolicyErrors& policy) {
  const auto [error, at] = policy.largest;
  if (!(error <= policy.allowed)) {
    std::string why = fmt::format(
        "the policy is {:.2e} of consumption from what the Euler equation asks for at {}, where "
        "{:.2e} is allowed",
        error, name_of_node(problem, at), policy.allowed);
    if (error <= policy.by_tolerance) {
      why += fmt::format(": tighten it with --policy_tolerance {:.1g}",
                         most_euler_error / 3 * policy.consumption);
    }
    return why;
  }
  if (policy.on_floor) {
    return fmt::format(
        "the policy saves at {} although consumption then or later is at its floor of {:.0e}: no "
        "household chooses that, and no Euler equation judges it; another grid of K, --K_min and "
        "--K_max, or a higher --mu may have an equilibrium",
        name_of_node(problem, *policy.on_floor), consumption_floor);
  }
  if (policy.rounding.error > most_euler_error) {
    return fmt::format(
        "the Euler equation at {} is ill-conditioned: rounding alone is {:.2e} of consumption "
        "there",
        name_of_node(problem, policy.rounding.at), policy.rounding.error);
  }
  return "";
}

}  // namespace macrobench::krusell_smith::certificate
