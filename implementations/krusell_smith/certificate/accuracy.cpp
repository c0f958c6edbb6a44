#include "implementations/krusell_smith/certificate/accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "implementations/krusell_smith/certificate/economy.hpp"
#include "implementations/krusell_smith/certificate/euler.hpp"
#include "implementations/krusell_smith/certificate/population.hpp"

namespace macrobench::krusell_smith::certificate {

Accuracy accuracy_of(const Problem& problem, const Equilibrium& equilibrium) {
  Problem fresh = problem;
  fresh.T = 3 * problem.accuracy_periods;
  fresh.N = 10;  // the households whose errors of the Euler equation are followed
  fresh.seed = problem.seed + 1;
  const Shocks shocks = draw_shocks(fresh);

  Population population = last_population(problem, equilibrium);
  population.set_unemployment(problem.calibration.u_bad);
  std::vector<double> watched;
  for (int i = 0; i < fresh.N; ++i) watched.push_back(population.quantile((i + .5) / fresh.N));

  // The same households, if they consume by the Euler equation.
  std::vector<double> alternative = watched;

  const PolicySurface policy(problem, equilibrium);
  Accuracy accuracy{.euler_max = {},
                    .implied_max = {},
                    .dynamic_max = {},
                    .law_max = {},
                    .steady_state = SteadyState(problem)};
  double K_law = population.mean();
  const int periods = problem.accuracy_periods;
  const double share = 1.0 / fresh.N / (periods - 1);  // of a mean
  for (int t = 0; t + 1 < periods; ++t) {
    const int a = shocks.states[index(t)];
    const double K = population.mean();
    const double law_error = std::abs(K_law / K - 1);
    accuracy.law_mean += law_error / (periods - 1);
    accuracy.law_max.see(law_error, index(t));
    K_law = perceived(problem, equilibrium.law, a, K_law);

    const EulerEquation equation(problem, equilibrium.law, policy, a, K);
    struct Consumption {
      double chosen, asked;
    };
    const auto consumption = [&](int e, double k) -> Consumption {
      const double resources = equation.resources(e, k);
      const double k_next = problem.grids.clip_k(policy(state_of(a, e), k, K));
      if (resources <= 0) return {1, 1};  // no choice
      return {resources - k_next, std::min(equation.consumption(e, k_next), resources)};
    };
    for (int i = 0; i < fresh.N; ++i) {
      double& k = watched[index(i)];
      const int e = works(shocks, i, t) ? employed : unemployed;
      const auto [consumed, asked] = consumption(e, k);
      accuracy.euler_mean += share * std::abs(asked / consumed - 1);
      accuracy.euler_max.see(std::abs(asked / consumed - 1), index(t));
      accuracy.implied_mean += share * std::abs(consumed / asked - 1);
      accuracy.implied_max.see(std::abs(consumed / asked - 1), index(t));
      k = std::max(0.0, equation.resources(e, k) - consumed);

      double& other = alternative[index(i)];
      other = std::max(0.0, equation.resources(e, other) - consumption(e, other).asked);
      const double apart = std::abs(other - k) / K;
      accuracy.dynamic_mean += share * apart;
      accuracy.dynamic_max.see(apart, index(t));
    }
    population.advance(equilibrium, a, shocks.states[index(t + 1)], K);
  }
  for (int t = periods - 1; t + 1 < fresh.T; ++t) {
    accuracy.steady_state.see(population);
    population.advance(equilibrium, shocks.states[index(t)], shocks.states[index(t + 1)],
                       population.mean());
  }
  return accuracy;
}

}  // namespace macrobench::krusell_smith::certificate
