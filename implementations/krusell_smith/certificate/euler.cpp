#include "implementations/krusell_smith/certificate/euler.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "implementations/krusell_smith/certificate/certificate.hpp"

namespace macrobench::krusell_smith::certificate {

PolicySurface::PolicySurface(const Problem& problem, const Equilibrium& equilibrium)
    : kind_(problem.policy_interpolation),
      n_K_(index(problem.grids.n_K)),
      k_(k_points(problem.grids)),
      K_(K_points(problem.grids)) {
  for (int s = 0; s < states; ++s) {
    for (int j = 0; j < problem.grids.n_K; ++j) {
      std::vector<double> line;
      for (int i = 0; i < problem.grids.n_k; ++i) {
        line.push_back(node(problem, equilibrium.policy, s, j, i));
      }
      over_k_.emplace_back(k_, std::move(line), kind_);
    }
  }
}

double PolicySurface::operator()(int s, double k, double K) const {
  std::vector<double> over_K;
  for (std::size_t j = 0; j < n_K_; ++j) over_K.push_back(over_k_[index(s) * n_K_ + j](k));
  return Line(K_, std::move(over_K), kind_)(K);
}

EulerEquation::EulerEquation(const Problem& problem, const LawOfMotion& law,
                             const PolicySurface& policy, int a, double K)
    : problem_(problem),
      policy_(policy),
      a_(a),
      today_(market(problem.calibration, a, K)),
      K_next_(perceived(problem, law, a, K)),
      tomorrow_{market(problem.calibration, bad, K_next_),
                market(problem.calibration, good, K_next_)} {}

double EulerEquation::consumption(int e, double k_next) const {
  const Calibration& c = problem_.calibration;
  double expected = 0;
  for (int next = 0; next < states; ++next) {
    const Market& then = tomorrow_[index(next / 2)];
    const double consumed =
        then.gross_return * k_next + then.income[next % 2] - policy_(next, k_next, K_next_);
    expected += c.P[index(4 * (2 * a_ + e) + next)] * then.gross_return *
                std::pow(std::max(consumed, 1e-10), -c.gamma);
  }
  return std::pow(c.beta * expected, -1 / c.gamma);
}

PolicyErrors policy_errors(const Problem& problem, const Equilibrium& equilibrium, bool thorough) {
  const Grids& grids = problem.grids;
  const std::vector<double> k = k_points(grids);
  const std::vector<double> K = K_points(grids);
  const PolicySurface policy(problem, equilibrium);
  const std::size_t stride =
      thorough ? 1 : (grids.size() + affordable_nodes - 1) / affordable_nodes;
  PolicyErrors checked;
  checked.all = stride == 1;
  for (std::size_t n = 0; n < grids.size(); n += stride) {
    const int i = static_cast<int>(n % index(grids.n_k));
    const int j = static_cast<int>(n / index(grids.n_k) % index(grids.n_K));
    const int s = static_cast<int>(n / index(grids.n_k) / index(grids.n_K));
    const EulerEquation equation(problem, equilibrium.law, policy, s / 2, K[index(j)]);
    const double chosen = node(problem, equilibrium.policy, s, j, i);
    const double asked =
        std::clamp(equation.resources(s % 2, k[index(i)]) - equation.consumption(s % 2, chosen),
                   0.0, grids.k_max);
    checked.largest.see(std::abs(asked - chosen), n);
    ++checked.count;
  }
  return checked;
}

}  // namespace macrobench::krusell_smith::certificate
