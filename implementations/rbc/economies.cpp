#include "implementations/rbc/economies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace macrobench::rbc {

namespace {

constexpr std::size_t states_in_full = std::size_t{1} << 21;

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

Problem economy_of(const Problem& problem, int economy) {
  Problem one = problem;
  one.economies = 1;
  if (problem.economies == 1) return one;
  one.threads = 1;
  const auto factor = [&](int parameter, double spread) {
    return numerics::factor_of(problem.draw, economy, parameter, spread);
  };
  if (economy == 0) return one;
  Calibration& c = one.calibration;
  c.beta = 1 - (1 - c.beta) * factor(0, 0.25);
  c.gamma *= factor(1, 0.5);
  c.alpha *= factor(2, 0.1);
  c.delta *= factor(3, 0.25);
  c.rho = 1 - (1 - c.rho) * factor(4, 0.3);
  c.sigma *= factor(5, 0.3);
  return one;
}

std::string words_of(const Calibration& c) {
  return fmt::format(
      "beta = {:.6g}, gamma = {:.6g}, alpha = {:.6g}, delta = {:.6g}, rho = {:.6g}, sigma = {:.6g}",
      c.beta, c.gamma, c.alpha, c.delta, c.rho, c.sigma);
}

State sampled_state(const Problem& problem, int economy, int n) {
  const auto of = [&](int count, int place) {
    const double u = numerics::uniform_of(problem.draw, numerics::DrawnFor::state, economy, place);
    return std::min(static_cast<int>(u * count), count - 1);
  };
  return {of(problem.nk, 2 * n), of(problem.nz, 2 * n + 1)};
}

Around around(const Problem& problem, std::int32_t choice) {
  return {{std::max(choice - 1, 0), choice, std::min(choice + 1, problem.nk - 1)}};
}

std::size_t sample_size(const Problem& problem) {
  return 1 + 3 * index(problem.nz);
}

numerics::KeptInFull kept_in_full(const Problem& problem) {
  const std::size_t room = std::max<std::size_t>(1, states_in_full / problem.states());
  return {.draw = problem.draw,
          .economies = problem.economies,
          .count = static_cast<int>(std::min(room, index(problem.economies)))};
}

template <class Real>
void make_room(const Problem& problem, Solution<Real>& solution) {
  const std::size_t full = index(kept_in_full(problem).count) * problem.states();
  solution.V.assign(full, std::numeric_limits<Real>::quiet_NaN());
  solution.policy.assign(full, -1);
  if (problem.economies == 1) return;
  const std::size_t samples = index(problem.economies) * states_per_sample;
  solution.endings.assign(index(problem.economies), Ending{});
  solution.ways.assign(index(problem.economies), nullptr);
  solution.sample.assign(samples * sample_size(problem), std::numeric_limits<Real>::quiet_NaN());
  solution.sample_policy.assign(samples, -1);
}

template <class Real>
void keep(const Problem& problem, int economy, const Solution<Real>& one, Solution<Real>& batch) {
  const std::size_t e = index(economy);
  batch.endings[e] = {.difference = one.difference,
                      .iterations = one.iterations,
                      .converged = one.converged ? 1 : 0};
  batch.ways[e] = one.way;
  for (int n = 0; n < states_per_sample; ++n) {
    const std::size_t sample = e * states_per_sample + index(n);
    const State state = sampled_state(problem, economy, n);
    const std::size_t at = index(state.j) * index(problem.nk) + index(state.i);
    const std::int32_t choice = one.policy[at];
    batch.sample_policy[sample] = choice;
    if (choice < 0 || choice >= problem.nk) continue;  // the certificate says so
    Real* to = &batch.sample[sample * sample_size(problem)];
    *to++ = one.V[at];
    for (const std::int32_t next : around(problem, choice).choice) {
      for (int l = 0; l < problem.nz; ++l)
        *to++ = one.V[index(l) * index(problem.nk) + index(next)];
    }
  }
  const int place = kept_in_full(problem).place(economy);
  if (place < 0) return;
  const auto first = static_cast<std::ptrdiff_t>(index(place) * problem.states());
  std::ranges::copy(one.V, batch.V.begin() + first);
  std::ranges::copy(one.policy, batch.policy.begin() + first);
}

template <class Real>
void conclude(Solution<Real>& batch) {
  batch.iterations = 0;
  batch.difference = 0;
  batch.converged = true;
  for (const Ending& ending : batch.endings) {
    batch.iterations = std::max(batch.iterations, ending.iterations);
    batch.difference = std::max(batch.difference, ending.difference);
    batch.converged = batch.converged && ending.converged != 0;
  }
}

template void make_room(const Problem&, Solution<float>&);
template void make_room(const Problem&, Solution<double>&);
template void keep(const Problem&, int, const Solution<float>&, Solution<float>&);
template void keep(const Problem&, int, const Solution<double>&, Solution<double>&);
template void conclude(Solution<float>&);
template void conclude(Solution<double>&);

}  // namespace macrobench::rbc
