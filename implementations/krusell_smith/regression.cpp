#include "implementations/krusell_smith/regression.hpp"

#include <cmath>
#include <cstddef>

namespace macrobench::krusell_smith {

Regression regress(const Shocks& shocks, int burn_in, const std::vector<double>& K) {
  Regression result{};
  const auto first = static_cast<std::size_t>(burn_in);
  std::vector<double> logarithm(K.size());
  for (std::size_t t = first; t < K.size(); ++t) logarithm[t] = std::log(K[t]);
  for (const int a : {bad, good}) {
    double count = 0;
    double mean_x = 0;
    double mean_y = 0;
    const auto for_each = [&](const auto& use) {
      for (std::size_t t = first; t + 1 < K.size(); ++t) {
        if (shocks.states[t] == a) use(logarithm[t], logarithm[t + 1]);
      }
    };
    for_each([&](double x, double y) {
      ++count;
      mean_x += x;
      mean_y += y;
    });
    mean_x /= count;
    mean_y /= count;
    double xx = 0;
    double xy = 0;
    double yy = 0;
    for_each([&](double x, double y) {
      xx += (x - mean_x) * (x - mean_x);
      xy += (x - mean_x) * (y - mean_y);
      yy += (y - mean_y) * (y - mean_y);
    });
    result.law.b1[a] = xy / xx;
    result.law.b0[a] = mean_y - result.law.b1[a] * mean_x;
    result.R2[a] = xy * xy / (xx * yy);
  }
  return result;
}

LawOfMotion relaxed(const LawOfMotion& B, const LawOfMotion& B_new, double lambda) {
  LawOfMotion next;
  for (const int a : {bad, good}) {
    next.b0[a] = lambda * B_new.b0[a] + (1 - lambda) * B.b0[a];
    next.b1[a] = lambda * B_new.b1[a] + (1 - lambda) * B.b1[a];
  }
  return next;
}

bool is_reused(const Problem& problem, double distance) {
  return problem.reuse_tolerance < 1 && distance > problem.reuse_tolerance;
}

}  // namespace macrobench::krusell_smith
