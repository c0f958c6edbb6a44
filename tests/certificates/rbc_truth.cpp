#include "tests/certificates/rbc_truth.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/certificates/mutants.hpp"

namespace macrobench::rbc {

Truth::Truth(const Problem& problem)
    : problem_(problem),
      grids_(make_grids<double>(problem)),
      choices_(problem.maximizer == Maximizer::interpolated ? future_grid<double>(problem)
                                                            : grids_.K),
      V_(problem.states(), 0),
      policy_(problem.states(), 0) {
  const Calibration& c = problem.calibration;
  const auto nk = static_cast<std::size_t>(problem.nk);
  for (std::size_t s = 0; s < problem.states(); ++s) {
    const Number K = grids_.K[s % nk];
    available_.push_back(grids_.Z[s / nk] * std::pow(K, Number(c.alpha)) +
                         (1 - Number(c.delta)) * K);
  }
  for (bool changes = true; changes;) {
    V_ = value_of(policy_, std::move(V_));
    changes = false;
    for (std::size_t j = 0; j < V_.size() / nk; ++j) {
      const auto last = static_cast<std::int32_t>(choices_.size()) - 1;
      changes = improve(j * nk, (j + 1) * nk, 0, last) || changes;
    }
  }
  for (std::size_t s = 0; s < V_.size(); ++s) {
    const Number consumed = available_[s] - choices_[static_cast<std::size_t>(policy_[s])];
    // Of one who does not mind risk, the mean of all that is ever consumed.
    unit_.push_back(static_cast<double>(c.gamma == 0 ? (1 - Number(c.beta)) * V_[s]
                                                     : std::pow(consumed, 1 - Number(c.gamma))));
  }
}

bool Truth::improve(std::size_t first, std::size_t end, std::int32_t low, std::int32_t high) {
  if (first == end) return false;
  const std::size_t s = first + (end - first) / 2;
  const std::size_t j = s / static_cast<std::size_t>(problem_.nk);
  const auto value = [&](std::int32_t m) {
    const auto choice = static_cast<std::size_t>(m);
    return utility_of(s, choice) + expected(V_, j, choice);
  };
  std::int32_t best = low;
  Number best_value = -std::numeric_limits<Number>::infinity();
  for (std::int32_t m = low; m <= std::min(high, last_feasible(s)); ++m) {
    const Number its_value = value(m);
    if (its_value <= best_value) continue;
    best = m;
    best_value = its_value;
  }
  // A choice that is better by less than value_of() is exact is not.
  const Number kept = value(policy_[s]);
  const bool changes = best_value > kept + 4e-15L * std::abs(kept);
  if (changes) policy_[s] = best;
  const bool below = improve(first, s, low, best);
  return improve(s + 1, end, best, high) || below || changes;
}

Solution<double> Truth::solution() const {
  Solution<double> solution;
  solution.V.assign(V_.begin(), V_.end());
  solution.policy = policy_;
  solution.iterations = 1;
  solution.converged = true;
  return solution;
}

double Truth::wrong_by(const Solution<double>& other) const {
  const bool is_possible = std::ranges::all_of(
      other.policy,
      [&, s = std::size_t{0}](auto m) mutable { return m >= 0 && m <= last_feasible(s++); });
  if (!is_possible) return std::numeric_limits<double>::infinity();
  const std::vector<Number> worth = value_of(other.policy, V_);
  const double lasting = 1 - problem_.calibration.beta;
  LargestError largest;
  for (std::size_t s = 0; s < V_.size(); ++s) {
    for (const Number error : {std::abs(other.V[s] - V_[s]), V_[s] - worth[s]}) {
      largest.see(lasting * static_cast<double>(error) / unit_[s]);
    }
  }
  return largest.value();
}

std::int32_t Truth::last_feasible(std::size_t state) const {
  const auto above = std::ranges::lower_bound(choices_, available_[state]);
  return static_cast<std::int32_t>(above - choices_.begin()) - 1;
}

double Truth::loss(std::size_t state, std::int32_t choice) const {
  const std::size_t j = state / static_cast<std::size_t>(problem_.nk);
  const auto m = static_cast<std::size_t>(choice);
  return static_cast<double>(V_[state] - utility_of(state, m) - expected(V_, j, m)) / unit_[state];
}

Truth::Number Truth::utility_of(std::size_t state, std::size_t choice) const {
  const Number consumed = available_[state] - choices_[choice];
  const Number gamma = problem_.calibration.gamma;
  if (gamma == 1) return std::log(consumed);
  if (gamma == 2) return -1 / consumed;
  return std::pow(consumed, 1 - gamma) / (1 - gamma);
}

Truth::Number Truth::expected(const std::vector<Number>& V, std::size_t j,
                              std::size_t choice) const {
  const auto nk = static_cast<std::size_t>(problem_.nk);
  const auto nz = static_cast<std::size_t>(problem_.nz);
  std::size_t below = choice;
  Number share = 0;
  if (problem_.maximizer == Maximizer::interpolated) {
    const std::vector<double>& K = grids_.K;
    const auto above = std::upper_bound(K.begin() + 1, K.end() - 1, choices_[choice]);
    below = static_cast<std::size_t>(above - K.begin()) - 1;
    share = (Number(choices_[choice]) - K[below]) / (Number(K[below + 1]) - K[below]);
  }
  Number sum = 0;
  for (std::size_t l = 0; l < nz; ++l) {
    const Number* row = V.data() + l * nk + below;
    sum += grids_.P[j * nz + l] * (share == 0 ? row[0] : row[0] + share * (row[1] - row[0]));
  }
  return problem_.calibration.beta * sum;
}

std::vector<Truth::Number> Truth::value_of(const std::vector<std::int32_t>& policy,
                                           std::vector<Number> V) const {
  const auto nk = static_cast<std::size_t>(problem_.nk);
  std::vector<Number> flow;
  for (std::size_t s = 0; s < V.size(); ++s) {
    flow.push_back(utility_of(s, static_cast<std::size_t>(policy[s])));
  }
  // In place, until every state moves by rounding alone.
  const Number beta = problem_.calibration.beta;
  for (bool moves = true; moves;) {
    moves = false;
    for (std::size_t s = 0; s < V.size(); ++s) {
      const Number value = flow[s] + expected(V, s / nk, static_cast<std::size_t>(policy[s]));
      const Number enough = (1 - beta) * 1e-15L * (std::abs(value) + std::abs(flow[s]));
      moves = moves || std::abs(value - V[s]) > enough;
      V[s] = value;
    }
  }
  return V;
}

}  // namespace macrobench::rbc
