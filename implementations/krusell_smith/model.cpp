#include "implementations/krusell_smith/model.hpp"

#include <algorithm>

namespace macrobench::krusell_smith {

Economy::Economy(const Calibration& c)
    : beta(c.beta),
      gamma(c.gamma),
      alpha(c.alpha),
      delta(c.delta),
      lbar(c.lbar),
      mu(c.mu),
      a{1 - c.delta_a, 1 + c.delta_a},
      L{1 - c.u_bad, 1 - c.u_good} {
  for (std::size_t s = 0; s < states; ++s) {
    for (std::size_t next = 0; next < states; ++next) P[s][next] = c.P[states * s + next];
  }
}

Problem kept_of(const Problem& problem) {
  constexpr int groups = 1024;
  constexpr int in_group = 128;
  Problem kept = problem;
  if (problem.N <= most_agents) return kept;
  kept.N = groups * in_group;
  kept.group_stride = problem.N / kept.N;
  return kept;
}

std::size_t wealth_kept(const Problem& problem) {
  return static_cast<std::size_t>(std::max(kept_of(problem).N, 2 * problem.histogram_points));
}

std::vector<double> choices_of(const Problem& problem, std::string_view array) {
  return array == "policy" ? k_points(problem.grids) : std::vector<double>{};
}

double distance(const LawOfMotion& left, const LawOfMotion& right) {
  double squares = 0;
  for (const int a : {bad, good}) {
    const double d0 = left.b0[a] - right.b0[a];
    const double d1 = left.b1[a] - right.b1[a];
    squares += d0 * d0 + d1 * d1;
  }
  return std::sqrt(squares);
}

std::vector<double> k_points(const Grids& grids) {
  std::vector<double> k;
  for (int i = 0; i < grids.n_k; ++i) k.push_back(grids.k(i));
  return k;
}

std::vector<double> K_points(const Grids& grids) {
  std::vector<double> K;
  for (int j = 0; j < grids.n_K; ++j) K.push_back(grids.K(j));
  return K;
}

}  // namespace macrobench::krusell_smith
