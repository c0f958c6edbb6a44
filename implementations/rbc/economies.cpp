#include "implementations/rbc/economies.hpp"

#include <algorithm>
#include <cstdint>

#include "harness/model/calibrations.hpp"
#include "implementations/numerics/batch/varied.hpp"

namespace macrobench::rbc {

namespace {

constexpr numerics::Varied<Calibration> varied[] = {
    {.name = "beta", .place = &Calibration::beta, .spread = 0.25, .of_one_less = true},
    {.name = "gamma", .place = &Calibration::gamma, .spread = 0.5},
    {.name = "alpha", .place = &Calibration::alpha, .spread = 0.1},
    {.name = "delta", .place = &Calibration::delta, .spread = 0.25},
    {.name = "rho", .place = &Calibration::rho, .spread = 0.3, .of_one_less = true},
    {.name = "sigma", .place = &Calibration::sigma, .spread = 0.3},
    {.name = "half_width", .place = &Calibration::half_width},
    {.name = "grid_low", .place = &Calibration::grid_low},
    {.name = "grid_high", .place = &Calibration::grid_high}};

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

std::vector<std::string> varied_names() {
  return numerics::names_of(varied);
}

Problem economy_of(const Problem& problem, int economy) {
  return numerics::economy_of(varied, problem, economy);
}

std::string words_of(const Calibration& calibration) {
  return numerics::words_of(varied, calibration);
}

State sampled_state(const Problem& problem, int economy, int n) {
  const auto of = [&](int count, int place) {
    const double u = numerics::uniform_of(problem.draw, numerics::DrawnFor::state, economy, place);
    return std::min(static_cast<int>(u * count), count - 1);
  };
  return {of(problem.nk, 2 * n), of(problem.nz, 2 * n + 1)};
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
    for (const std::int32_t next : around(problem.nk, choice).choice) {
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

template void keep(const Problem&, int, const Solution<float>&, Solution<float>&);
template void keep(const Problem&, int, const Solution<double>&, Solution<double>&);
template void conclude(Solution<float>&);
template void conclude(Solution<double>&);

}  // namespace macrobench::rbc
