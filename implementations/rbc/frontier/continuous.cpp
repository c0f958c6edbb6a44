#include "implementations/rbc/frontier/continuous.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "implementations/numerics/methods/chebyshev.hpp"
#include "implementations/numerics/methods/linear_solve.hpp"

namespace macrobench::rbc {

namespace {

using numerics::chebyshev_basis;
using numerics::chebyshev_derivative;
using numerics::chebyshev_nodes;
using numerics::chebyshev_value;

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

/// Policy iteration on n nodes for each productivity.
class Collocation {
 public:
  Collocation(const Calibration& calibration, Grids<double> ends)
      : calibration_(calibration),
        Z_(std::move(ends.Z)),
        P_(std::move(ends.P)),
        nz_(static_cast<int>(Z_.size())),
        low_(ends.K.front()),
        high_(ends.K.back()) {}

  /// Moves to n nodes, with the policy. The first policy keeps K, or saves most of the resources if
  /// K cannot be kept. False if some state has no feasible choice.
  bool refine(int n) {
    const std::vector<double> policy = n_ > 0 ? fit(g_) : std::vector<double>();
    const int old_n = n_;
    n_ = n;
    nodes_ = chebyshev_nodes(n);
    basis_.resize(index(n * n));
    for (int a = 0; a < n; ++a) chebyshev_basis(nodes_[index(a)], n, &basis_[index(a * n)]);

    y_.resize(index(nz_ * n));
    g_.resize(index(nz_ * n));
    for (int a = 0; a < n; ++a) {
      const double K = capital(nodes_[index(a)]);
      const double output = std::pow(K, calibration_.alpha);
      for (int j = 0; j < nz_; ++j) {
        const double y = available(K, output, j);
        if (!(y > low_)) return false;
        const double start =
            old_n > 0 ? chebyshev_value(&policy[index(j * old_n)], old_n, nodes_[index(a)]) : K;
        y_[index(j * n + a)] = y;
        g_[index(j * n + a)] = std::clamp(start, low_, std::min(high_, low_ + 0.9 * (y - low_)));
      }
    }
    return evaluate();
  }

  /// Improves and evaluates the policy until it moves by less than `accuracy` of the interval. The
  /// last policy is not evaluated: V would move by the square of that.
  bool iterate(double accuracy) {
    for (int count = 0; count < 40; ++count) {
      const double moved = improve();
      ++iterations_;
      if (moved <= accuracy * (high_ - low_)) return true;
      if (!evaluate()) return false;
    }
    return false;
  }

  /// Whether more nodes may give an interior policy: the interval restricts no node's choice, and
  /// the policy does not leave it at an end by more than its last terms leave uncertain.
  [[nodiscard]] bool can_be_interior() const {
    if (!std::all_of(g_.begin(), g_.end(), [&](double g) { return g > low_ && g < high_; })) {
      return false;
    }
    const std::vector<double> policy = fit(g_);
    for (int j = 0; j < nz_; ++j) {
      const double* c = &policy[index(j * n_)];
      const double open = 10 * (std::abs(c[n_ - 1]) + std::abs(c[n_ - 2]));
      if (chebyshev_value(c, n_, -1) < low_ - open) return false;
      if (chebyshev_value(c, n_, 1) > high_ + open) return false;
    }
    return true;
  }

  /// The last two coefficients of V, relative to its scale.
  [[nodiscard]] double tail() const {
    double tail = 0;
    for (int j = 0; j < nz_; ++j) {
      const double* c = &V_[index(j * n_)];
      tail = std::max(tail, std::abs(c[n_ - 1]) + std::abs(c[n_ - 2]));
    }
    return tail / scale();
  }

  [[nodiscard]] double scale() const {
    double largest = 0;
    for (int j = 0; j < nz_; ++j) {
      double sum = 0;
      for (int k = 0; k < n_; ++k) sum += std::abs(V_[index(j * n_ + k)]);
      largest = std::max(largest, sum);
    }
    return largest;
  }

  /// max |V - T V| halfway between the nodes (in angle) and at both ends.
  [[nodiscard]] double residual() const {
    const std::vector<double> policy = fit(g_);
    const double pi = std::acos(-1.0);
    double largest = 0;
    for (int a = 0; a <= n_; ++a) {
      const double t = std::cos(pi * a / n_);
      const double K = capital(t);
      const double output = std::pow(K, calibration_.alpha);
      for (int j = 0; j < nz_; ++j) {
        const double y = available(K, output, j);
        double g = chebyshev_value(&policy[index(j * n_)], n_, t);
        if (!(g < y)) return std::numeric_limits<double>::infinity();
        g = newton(j, y, g, marginal(y - g));
        const double W = utility(y - g, calibration_.gamma) + at(expected_, j, g);
        largest = std::max(largest, std::abs(W - chebyshev_value(&V_[index(j * n_)], n_, t)));
      }
    }
    return largest;
  }

  /// The solution, if what ContinuousSolution promises can be proved.
  std::optional<ContinuousSolution> solution() {
    improve();
    ContinuousSolution s;
    s.nz = nz_;
    s.size = n_;
    s.low = low_;
    s.high = high_;
    s.scale = scale();
    s.V = V_;
    s.expected = expected_;
    s.policy = fit(g_);
    s.residual = residual();
    s.iterations = iterations_;
    if (!proved(s.policy)) return std::nullopt;

    std::vector<double> curvature(g_.size());
    std::vector<double> skew(g_.size());
    std::vector<double> kurtosis(g_.size());
    for (int j = 0; j < nz_; ++j) {
      for (int a = 0; a < n_; ++a) {
        const std::size_t state = index(j * n_ + a);
        const double gamma = calibration_.gamma;
        const double c = y_[state] - g_[state];
        const double du = std::pow(c, -gamma);
        const double W2 = -gamma * du / c + at(second_, j, g_[state]);
        const double W3 = -gamma * (gamma + 1) * du / (c * c) + at(third_, j, g_[state]);
        const double W4 =
            -gamma * (gamma + 1) * (gamma + 2) * du / (c * c * c) + at(fourth_, j, g_[state]);
        curvature[state] = -W2 / 2;
        skew[state] = W3 / (3 * W2);
        kurtosis[state] = W4 / (12 * W2);
      }
    }
    s.curvature = fit(curvature);
    s.skew = fit(skew);
    s.kurtosis = fit(kurtosis);
    return s;
  }

 private:
  [[nodiscard]] double capital(double t) const { return (low_ + high_ + t * (high_ - low_)) / 2; }
  [[nodiscard]] double t(double K) const { return (2 * K - (low_ + high_)) / (high_ - low_); }
  [[nodiscard]] double available(double K, double output, int j) const {
    return resources_from(output, K, Z_[index(j)], calibration_.delta);
  }
  [[nodiscard]] double at(const std::vector<double>& series, int j, double K) const {
    return chebyshev_value(&series[index(j * n_)], n_, t(K));
  }

  /// Series from values at the nodes.
  [[nodiscard]] std::vector<double> fit(const std::vector<double>& values) const {
    std::vector<double> series(values.size(), 0.0);
    for (int j = 0; j < nz_; ++j) {
      for (int a = 0; a < n_; ++a) {
        const double value = values[index(j * n_ + a)] * 2 / n_;
        for (int k = 0; k < n_; ++k) series[index(j * n_ + k)] += value * basis_[index(a * n_ + k)];
      }
      series[index(j * n_)] /= 2;
    }
    return series;
  }

  /// u'(c).
  [[nodiscard]] double marginal(double c) const {
    return calibration_.gamma == 2 ? 1 / (c * c) : std::pow(c, -calibration_.gamma);
  }
  /// The same, given u(c).
  [[nodiscard]] double marginal(double c, double u) const {
    return (calibration_.gamma == 1 ? 1 : (1 - calibration_.gamma) * u) / c;
  }

  /// One Newton step on u'(y - g) = beta E V'(g), kept to the interval and consumption positive,
  /// given u'(y - g).
  [[nodiscard]] double newton(int j, double y, double g, double du) const {
    const double gamma = calibration_.gamma;
    const double c = y - g;
    const double slope = at(first_, j, g) - du;
    const double bend = std::min(at(second_, j, g), 0.0) - gamma * du / c;
    const double limit = std::min(high_, g + 0.9 * c);
    if (!(bend < 0)) return slope > 0 ? limit : low_;
    return std::clamp(g - slope / bend, low_, limit);
  }

  /// A step towards the maximiser at every node. Returns the longest step taken.
  double improve() {
    double moved = 0;
    for (int j = 0; j < nz_; ++j) {
      for (int a = 0; a < n_; ++a) {
        const std::size_t state = index(j * n_ + a);
        double& g = g_[state];
        const double c = y_[state] - g;
        const double du = is_evaluated_ ? marginal(c, flow_[state]) : marginal(c);
        const double next = newton(j, y_[state], g, du);
        moved = std::max(moved, std::abs(next - g));
        g = next;
      }
    }
    is_evaluated_ = false;
    return moved;
  }

  /// Solves V(K_a,Z_j) = u(y - g) + beta sum_l P(j,l) V(g,Z_l) for the coefficients of V.
  bool evaluate() {
    const int n = n_;
    const std::size_t unknowns = index(nz_ * n);
    A_.resize(unknowns * unknowns);
    V_.resize(unknowns);
    std::vector<double> basis(index(n));
    double* row = A_.data();
    for (int j = 0; j < nz_; ++j) {
      for (int a = 0; a < n; ++a, row += unknowns) {
        const double g = g_[index(j * n + a)];
        chebyshev_basis(t(g), n, basis.data());
        for (int l = 0; l < nz_; ++l) {
          const double weight = -calibration_.beta * P_[index(j * nz_ + l)];
          for (int k = 0; k < n; ++k) row[l * n + k] = weight * basis[index(k)];
        }
        for (int k = 0; k < n; ++k) row[j * n + k] += basis_[index(a * n + k)];
        V_[index(j * n + a)] = utility(y_[index(j * n + a)] - g, calibration_.gamma);
      }
    }
    flow_ = V_;
    is_evaluated_ = true;
    if (!numerics::solve_linear(A_, V_)) return false;
    differentiate();
    return std::all_of(V_.begin(), V_.end(), [](double c) { return std::isfinite(c); });
  }

  /// beta E V and its derivatives with respect to K'.
  void differentiate() {
    const double scale = 2 / (high_ - low_);
    for (auto* series : {&expected_, &first_, &second_, &third_, &fourth_})
      series->assign(V_.size(), 0.0);
    for (int j = 0; j < nz_; ++j) {
      const std::size_t start = index(j * n_);
      for (int l = 0; l < nz_; ++l) {
        const double weight = calibration_.beta * P_[index(j * nz_ + l)];
        for (int k = 0; k < n_; ++k) expected_[start + index(k)] += weight * V_[index(l * n_ + k)];
      }
      const auto derive = [&](const std::vector<double>& from, std::vector<double>& to) {
        chebyshev_derivative(&from[start], n_, &to[start]);
        for (int k = 0; k < n_; ++k) to[start + index(k)] *= scale;
      };
      derive(expected_, first_);
      derive(first_, second_);
      derive(second_, third_);
      derive(third_, fourth_);
    }
  }

  /// Concave beta E V, and a policy that rises and stays within the interval and below y.
  [[nodiscard]] bool proved(const std::vector<double>& policy) const {
    std::vector<double> slope(index(n_));
    for (int j = 0; j < nz_; ++j) {
      if (!(numerics::chebyshev_range(&second_[index(j * n_)], n_).high < 0)) return false;
      const double* g = &policy[index(j * n_)];
      chebyshev_derivative(g, n_, slope.data());
      if (!(numerics::chebyshev_range(slope.data(), n_).low > 0)) return false;
      if (!(chebyshev_value(g, n_, -1) >= low_ && chebyshev_value(g, n_, 1) <= high_)) return false;
    }
    return true;
  }

  Calibration calibration_;
  std::vector<double> Z_, P_;
  int nz_;
  double low_, high_;

  int n_ = 0;
  int iterations_ = 0;
  std::vector<double> nodes_;                            // n
  std::vector<double> basis_;                            // n x n: T_k at node a
  std::vector<double> y_, g_;                            // nz x n, at the nodes
  std::vector<double> flow_;                             // u of the policy last evaluated, there
  bool is_evaluated_ = false;                            // it is still the policy
  std::vector<double> V_;                                // nz x n, series
  std::vector<double> expected_;                         // beta E V, series
  std::vector<double> first_, second_, third_, fourth_;  // and its derivatives
  std::vector<double> A_;
};

}  // namespace

std::optional<ContinuousSolution> solve_continuous(const Problem& problem) {
  Problem ends = problem;
  ends.nk = 2;
  Collocation collocation(problem.calibration, make_grids<double>(ends));

  constexpr int first_level = 5;  // only to bring the policy near
  for (const int n : {first_level, 10, 14, 20, 28, 38, 48}) {
    if (!collocation.refine(n) || !collocation.iterate(n == first_level ? 1e-3 : 1e-7)) {
      return std::nullopt;
    }
    if (n == first_level) continue;
    if (!collocation.can_be_interior()) return std::nullopt;
    if (collocation.tail() > 1e-9) continue;
    const double scale = collocation.scale();
    const double rounding = 16 * std::numeric_limits<double>::epsilon() * scale;
    const double target = std::min({problem.tolerance / 16, 1e-12, 1e-9 * scale});
    if (collocation.residual() <= std::max(target, rounding)) return collocation.solution();
  }
  return std::nullopt;
}

}  // namespace macrobench::rbc
