#include "implementations/lifecycle/economies.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "harness/model/calibrations.hpp"
#include "implementations/numerics/batch/for_each_economy.hpp"
#include "implementations/numerics/batch/varied.hpp"

namespace macrobench::lifecycle {

namespace {

constexpr numerics::Varied<Calibration> varied[] = {
    {.name = "sigma", .place = &Calibration::sigma, .spread = 0.5},
    {.name = "beta", .place = &Calibration::beta, .spread = 0.25, .of_one_less = true},
    {.name = "r", .place = &Calibration::r, .spread = 0.25},
    {.name = "w", .place = &Calibration::w, .spread = 0.1},
    {.name = "sigma_eps", .place = &Calibration::sigma_eps, .spread = 0.3},
    {.name = "lambda_eps", .place = &Calibration::lambda_eps, .spread = 0.3, .of_one_less = true},
    {.name = "half_width", .place = &Calibration::half_width}};

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

/// The best choice of a state, the highest of equals, given V of the next age.
template <class Real>
std::int32_t best_choice(const Problem& problem, const Grids<double>& grids, const State& state,
                         const Real* next) {
  const std::size_t nx = index(problem.nx);
  const std::size_t ne = index(problem.ne);
  std::vector<double> expected(nx);
  for (std::size_t je = 0; je < ne; ++je) {
    const double weight = problem.calibration.beta * grids.P[index(state.ie) * ne + je];
    for (std::size_t j = 0; j < nx; ++j) {
      expected[j] += weight * static_cast<double>(next[je * nx + j]);
    }
  }
  const Utility<double> utility(problem.calibration.sigma);
  const double available =
      resources_of(problem, grids.x[index(state.ix)], grids.e[index(state.ie)]);
  double best = -std::numeric_limits<double>::infinity();
  std::int32_t choice = 0;
  for (std::size_t j = 0; j < nx; ++j) {
    const double consumption = available - grids.x[j];
    if (!(consumption > 0)) break;
    const double worth = utility(consumption) + expected[j];
    if (!(worth >= best)) continue;
    best = worth;
    choice = static_cast<std::int32_t>(j);
  }
  return choice;
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

std::size_t grid_numbers(const Problem& problem) {
  const std::size_t ne = index(problem.ne);
  return index(problem.nx) + ne + ne * ne;
}

std::vector<float> grids_of_economies(const Problem& problem, int first, int count) {
  const std::size_t size = grid_numbers(problem);
  std::vector<float> all(index(count) * size);
  numerics::for_each_economy(count, problem.threads, [&] {
    return [&](int which) {
      const Grids<float> grids = make_grids<float>(economy_of(problem, first + which));
      float* to = all.data() + index(which) * size;
      for (const auto* values : {&grids.x, &grids.e, &grids.P}) {
        to = std::ranges::copy(*values, to).out;
      }
    };
  });
  return all;
}

State sampled_state(const Problem& problem, int economy, int n) {
  const auto of = [&](int count, int place) {
    const double u =
        numerics::uniform_of(problem.draw, numerics::DrawnFor::state, economy, 3 * n + place);
    return std::min(static_cast<int>(u * count), count - 1);
  };
  return {1 + of(problem.T, 0), of(problem.nx, 1), of(problem.ne, 2)};
}

template <class Real>
void keep(const Problem& problem, int economy, const Solution<Real>& one, Solution<Real>& batch) {
  const Problem its = economy_of(problem, economy);
  const Grids<double> grids = grids_in_double(its);
  const std::size_t nx = index(problem.nx);
  for (int n = 0; n < states_per_sample; ++n) {
    const State state = sampled_state(problem, economy, n);
    const std::size_t sample = index(economy) * states_per_sample + index(n);
    const Real* V = one.V.data() + index(state.age - 1) * problem.states();
    const Real* next = V + problem.states();
    Real* to = &batch.sample[sample * sample_size(problem)];
    *to++ = V[index(state.ie) * nx + index(state.ix)];
    // Nobody saves at the last age.
    const bool is_last = state.age == problem.T;
    const std::int32_t choice = is_last ? 0 : best_choice(its, grids, state, next);
    batch.sample_choice[sample] = choice;
    for (const std::int32_t at : around(problem.nx, choice).choice) {
      for (std::size_t je = 0; je < index(problem.ne); ++je) {
        *to++ = is_last ? Real(0) : next[je * nx + index(at)];
      }
    }
  }
  const int place = kept_in_full(problem).place(economy);
  if (place < 0) return;
  std::ranges::copy(one.V, batch.V.begin() + place * static_cast<std::ptrdiff_t>(one.V.size()));
}

template void keep(const Problem&, int, const Solution<float>&, Solution<float>&);
template void keep(const Problem&, int, const Solution<double>&, Solution<double>&);

}  // namespace macrobench::lifecycle
