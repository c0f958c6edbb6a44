#include "implementations/krusell_smith/certificate/economy.hpp"

#include <algorithm>
#include <numeric>

namespace macrobench::krusell_smith::certificate {

Market market(const Calibration& c, int a, double K) {
  const double z = a == good ? 1 + c.delta_a : 1 - c.delta_a;
  const double u = a == good ? c.u_good : c.u_bad;
  const double labour = c.lbar * (1 - u);
  const double r = c.alpha * z * std::pow(K / labour, c.alpha - 1);
  const double w = (1 - c.alpha) * z * std::pow(K / labour, c.alpha);
  const double tau = c.mu * u / labour;
  return {1 + r - c.delta, {c.mu * w, w * c.lbar * (1 - tau)}};
}

double perceived(const Problem& problem, const LawOfMotion& law, int a, double K) {
  const double next = std::exp(law.b0[a]) * std::pow(K, law.b1[a]);
  return std::clamp(next, problem.grids.K_min, problem.grids.K_max);
}

double mean_of(const std::vector<double>& values) {
  const long double sum = std::accumulate(values.begin(), values.end(), 0.0L);
  return static_cast<double>(sum / static_cast<long double>(values.size()));
}

}  // namespace macrobench::krusell_smith::certificate
