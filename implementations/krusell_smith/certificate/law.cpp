#include "implementations/krusell_smith/certificate/law.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "implementations/krusell_smith/certificate/economy.hpp"
#include "implementations/krusell_smith/input/shocks.hpp"

namespace macrobench::krusell_smith::certificate {

Fit regressed(const Problem& problem, const std::vector<double>& K) {
  const std::shared_ptr<const Shocks> shocks = shocks_of(problem);
  Fit fit{};
  for (const int a : {bad, good}) {
    long double n = 0;
    long double x = 0;
    long double y = 0;
    long double xx = 0;
    long double xy = 0;
    long double yy = 0;
    for (int t = problem.burn_in; t + 1 < problem.T; ++t) {
      if (shocks->states[index(t)] != a) continue;
      const long double log_now = std::log(static_cast<long double>(K[index(t)]));
      const long double log_next = std::log(static_cast<long double>(K[index(t + 1)]));
      n += 1;
      x += log_now;
      y += log_next;
      xx += log_now * log_now;
      xy += log_now * log_next;
      yy += log_next * log_next;
    }
    const long double covariance = n * xy - x * y;
    const long double slope = covariance / (n * xx - x * x);
    fit.law.b1[a] = static_cast<double>(slope);
    fit.law.b0[a] = static_cast<double>((y - slope * x) / n);
    fit.R2[a] = static_cast<double>(slope * covariance / (n * yy - y * y));
  }
  return fit;
}

double height_between(const Grids& grids, const LawOfMotion& left, const LawOfMotion& right,
                      int a) {
  const auto at = [&](double K) {
    return std::abs(left.b0[a] - right.b0[a] + (left.b1[a] - right.b1[a]) * std::log(K));
  };
  return std::max(at(grids.K_min), at(grids.K_max));
}

double height_per_distance(const Grids& grids) {
  return std::max(std::hypot(1, std::log(grids.K_min)), std::hypot(1, std::log(grids.K_max)));
}

double law_distance(const LawOfMotion& left, const LawOfMotion& right) {
  return std::hypot(std::hypot(left.b0[bad] - right.b0[bad], left.b1[bad] - right.b1[bad]),
                    std::hypot(left.b0[good] - right.b0[good], left.b1[good] - right.b1[good]));
}

}  // namespace macrobench::krusell_smith::certificate
