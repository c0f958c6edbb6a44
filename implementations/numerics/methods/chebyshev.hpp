#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "implementations/numerics/parallel/widest_vectors.hpp"

// Chebyshev series sum_k c[k] T_k(t) on t in [-1, 1] (Trefethen 2013, chapters 2 to 4, 7).

namespace macrobench::numerics {

/// The n roots of T_n, descending: cos(pi (a + 1/2) / n).
inline std::vector<double> chebyshev_nodes(int n) {
  std::vector<double> nodes(static_cast<std::size_t>(n));
  const double pi = std::acos(-1.0);
  for (int a = 0; a < n; ++a) nodes[static_cast<std::size_t>(a)] = std::cos(pi * (a + 0.5) / n);
  return nodes;
}

/// T_0(t) .. T_{n-1}(t) into basis.
inline void chebyshev_basis(double t, int n, double* basis) {
  basis[0] = 1;
  if (n > 1) basis[1] = t;
  for (int k = 2; k < n; ++k) basis[k] = 2 * t * basis[k - 1] - basis[k - 2];
}

/// The series of n terms at t, by Clenshaw's recurrence.
inline double chebyshev_value(const double* c, int n, double t) {
  double b1 = 0;
  double b2 = 0;
  for (int k = n - 1; k > 0; --k) {
    const double b0 = c[k] + (2 * t * b1 - b2);
    b2 = b1;
    b1 = b0;
  }
  return c[0] + (t * b1 - b2);
}

/// The series of n terms at t0 + i dt, i = 0 .. count-1. Inlined, for with_widest_vectors.
template <class Real>
MACROBENCH_ALWAYS_INLINE inline void chebyshev_tabulate(const double* c, int n, double t0,
                                                        double dt, int count, Real* values) {
  constexpr int lanes = 32;
  for (int start = 0; start < count; start += lanes) {
    double t[lanes];
    double b1[lanes];
    double b2[lanes];
    for (int i = 0; i < lanes; ++i) {
      t[i] = t0 + (start + i) * dt;
      b1[i] = b2[i] = 0;
    }
    for (int k = n - 1; k > 0; --k) {
      for (int i = 0; i < lanes; ++i) {
        const double b0 = c[k] + (2 * t[i] * b1[i] - b2[i]);
        b2[i] = b1[i];
        b1[i] = b0;
      }
    }
    for (int i = 0; i < lanes; ++i) b1[i] = c[0] + (t[i] * b1[i] - b2[i]);
    const int filled = count - start < lanes ? count - start : lanes;
    for (int i = 0; i < filled; ++i) values[start + i] = static_cast<Real>(b1[i]);
  }
}

/// The series of dp/dt, n terms (the last one zero), where p is the series c of n terms.
inline void chebyshev_derivative(const double* c, int n, double* derivative) {
  derivative[n - 1] = 0;
  if (n > 1) derivative[n - 2] = 2 * (n - 1) * c[n - 1];
  for (int k = n - 2; k > 0; --k) derivative[k - 1] = derivative[k + 1] + 2 * k * c[k];
  derivative[0] /= 2;
}

/// The same polynomial in powers of t, n terms. Loses no accuracy if the series converges faster
/// than (1 + sqrt 2)^-k.
inline std::vector<double> chebyshev_to_powers(const double* c, int n) {
  const auto size = static_cast<std::size_t>(n);
  std::vector<double> powers(size, 0.0);
  std::vector<double> before(size, 0.0);  // T_{k-1} and T_k in powers of t
  std::vector<double> now(size, 0.0);
  now[0] = 1;
  for (std::size_t k = 0; k < size; ++k) {
    for (std::size_t m = 0; m <= k; ++m) powers[m] += c[k] * now[m];
    if (k + 1 == size) break;
    const double factor = k == 0 ? 1 : 2;
    for (std::size_t m = k + 2; m-- > 0;) {
      const double next = (m > 0 ? factor * now[m - 1] : 0) - before[m];
      before[m] = now[m];
      now[m] = next;
    }
  }
  return powers;
}

/// A Chebyshev series as a Taylor polynomial about any point: eight multiply-adds per value if
/// many values close together are needed.
class LocalSeries {
 public:
  static constexpr int terms = 8;

  LocalSeries(const double* c, int n) : n_(n), derivatives_(static_cast<std::size_t>(n * terms)) {
    std::vector<double> now(c, c + n);
    std::vector<double> next(now.size());
    for (int m = 0; m <= terms; ++m) {
      for (int k = 0; k < n; ++k) {
        const double value = now[static_cast<std::size_t>(k)];
        if (m == terms) {
          remainder_ += std::abs(value);
        } else {
          derivatives_[static_cast<std::size_t>(k * terms + m)] = value;
        }
      }
      chebyshev_derivative(now.data(), n, next.data());
      for (double& value : next) value /= m + 1;
      now.swap(next);
    }
  }

  /// Bound on the error of the polynomial within `reach` of its centre (Lagrange).
  [[nodiscard]] double error(double reach) const { return remainder_ * std::pow(reach, terms); }

  /// The polynomial in s, where t = centre + s dt.
  MACROBENCH_ALWAYS_INLINE inline void about(double centre, double dt,
                                             double (&local)[terms]) const {
    for (double& c : local) c = 0;
    double before = centre;  // T_{-1}
    double now = 1;
    for (int k = 0; k < n_; ++k) {
      const double* derivatives = &derivatives_[static_cast<std::size_t>(k * terms)];
      for (int m = 0; m < terms; ++m) local[m] += now * derivatives[m];
      const double next = 2 * centre * now - before;
      before = now;
      now = next;
    }
    double power = 1;
    for (int m = 0; m < terms; ++m) {
      local[m] *= power;
      power *= dt;
    }
  }

  /// The local polynomial at s.
  MACROBENCH_ALWAYS_INLINE static inline double value(const double (&local)[terms], double s) {
    double sum = local[terms - 1];
    for (int m = terms - 1; m-- > 0;) sum = local[m] + s * sum;
    return sum;
  }

 private:
  int n_;
  std::vector<double> derivatives_;  // n x terms: coefficient k of the series of p^(m) / m!
  double remainder_ = 0;             // bound on |p^(terms)| / terms!
};

/// An interval.
struct Range {
  double low, high;
};

/// A range that certainly contains the polynomial's values on [-1, 1]: it is sampled at 4 n
/// Chebyshev nodes, and between those a polynomial of degree < n goes beyond its samples by at most
/// the factor 1 / cos(pi / 8) (Ehlich and Zeller 1964).
inline Range chebyshev_range(const double* c, int n) {
  Range sampled{chebyshev_value(c, n, 1), chebyshev_value(c, n, 1)};
  for (const double t : chebyshev_nodes(4 * n)) {
    const double value = chebyshev_value(c, n, t);
    if (value < sampled.low) sampled.low = value;
    if (value > sampled.high) sampled.high = value;
  }
  const double middle = (sampled.high + sampled.low) / 2;
  const double reach = (sampled.high - sampled.low) / 2 / std::cos(std::acos(-1.0) / 8);
  return {middle - reach, middle + reach};
}

}  // namespace macrobench::numerics
