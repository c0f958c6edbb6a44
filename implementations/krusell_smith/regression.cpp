#include "implementations/krusell_smith/regression.hpp"

#include <cmath>
#include <cstddef>

namespace macrobench::krusell_smith {

Regression regress(const Shocks& shocks, int burn_in, const std::vector<double>& K) {
  const auto first = static_cast<std::size_t>(burn_in);
  std::vector<double> logarithm(K.size());
  for (std::size_t t = first; t < K.size(); ++t) logarithm[t] = std::log(K[t]);
  // Both states in one pass: which comes next is chance, so that a branch on it would be slow.
  struct Sums {
    double count, x, y, xx, xy, yy;
  };
  Sums sums[2] = {};
  const auto for_each = [&](const auto& use) {
    for (std::size_t t = first; t + 1 < K.size(); ++t) {
      use(sums[shocks.states[t]], logarithm[t], logarithm[t + 1]);
    }
  };
  for_each([](Sums& its, double x, double y) {
    ++its.count;
    its.x += x;
    its.y += y;
  });
  for (Sums& its : sums) {
    its.x /= its.count;
    its.y /= its.count;
  }
  for_each([](Sums& its, double x, double y) {
    its.xx += (x - its.x) * (x - its.x);
    its.xy += (x - its.x) * (y - its.y);
    its.yy += (y - its.y) * (y - its.y);
  });
  Regression result{};
  for (const int a : {bad, good}) {
    const Sums& its = sums[a];
    result.law.b1[a] = its.xy / its.xx;
    result.law.b0[a] = its.y - result.law.b1[a] * its.x;
    result.R2[a] = its.xy * its.xy / (its.xx * its.yy);
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
