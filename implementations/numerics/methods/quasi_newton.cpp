#include "implementations/numerics/methods/quasi_newton.hpp"

#include <cmath>

#include "implementations/numerics/methods/linear_solve.hpp"

namespace macrobench::numerics {

std::vector<double> difference(const std::vector<double>& left, const std::vector<double>& right) {
  std::vector<double> result(left.size());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = left[i] - right[i];
  return result;
}

double largest(const std::vector<double>& values) {
  double result = 0;
  for (const double value : values) {
    if (!(std::abs(value) <= result)) result = std::abs(value);
    if (std::isnan(result)) break;
  }
  return result;
}

QuasiNewton::QuasiNewton(std::size_t n) : n_(n), derivatives_(n * n) {
  for (std::size_t i = 0; i < n; ++i) derivatives_[i * n + i] = -1;
}

void QuasiNewton::set_derivative(std::size_t j, double dx, const std::vector<double>& dF) {
  for (std::size_t i = 0; i < n_; ++i) derivatives_[i * n_ + j] = dF[i] / dx;
}

void QuasiNewton::update(const std::vector<double>& dx, const std::vector<double>& dF) {
  double length = 0;
  for (const double d : dx) length += d * d;
  if (!(length > 0)) return;
  for (std::size_t i = 0; i < n_; ++i) {
    double missing = dF[i];
    for (std::size_t j = 0; j < n_; ++j) missing -= derivatives_[i * n_ + j] * dx[j];
    for (std::size_t j = 0; j < n_; ++j) derivatives_[i * n_ + j] += missing * dx[j] / length;
  }
}

std::vector<double> QuasiNewton::step(const std::vector<double>& F) const {
  std::vector<double> A = derivatives_;
  std::vector<double> dx(n_);
  for (std::size_t i = 0; i < n_; ++i) dx[i] = -F[i];
  if (!solve_linear(A, dx)) dx.clear();
  return dx;
}

}  // namespace macrobench::numerics
