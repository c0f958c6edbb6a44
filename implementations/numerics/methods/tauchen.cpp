#include "implementations/numerics/methods/tauchen.hpp"

#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace macrobench::numerics {

namespace {

double normal_cdf(double x) {
  return 0.5 * std::erfc(-x / std::sqrt(2.0));
}

}  // namespace

MarkovChain tauchen(int n, double rho, double sigma, double half_width) {
  if (n < 2) throw std::invalid_argument("Tauchen's method needs at least 2 states");
  if (!(std::abs(rho) < 1)) throw std::invalid_argument("Tauchen's method needs |rho| < 1");
  if (!(sigma > 0)) throw std::invalid_argument("Tauchen's method needs sigma > 0");
  if (!(half_width > 0)) throw std::invalid_argument("Tauchen's method needs half_width > 0");

  const auto size = static_cast<std::size_t>(n);
  MarkovChain chain{std::vector<double>(size), std::vector<double>(size * size)};
  const double top = half_width * sigma / std::sqrt(1 - rho * rho);
  const double step = 2 * top / (n - 1);
  for (std::size_t i = 0; i < size; ++i) chain.values[i] = -top + static_cast<double>(i) * step;

  for (std::size_t i = 0; i < size; ++i) {
    double rest = 1;
    for (std::size_t j = 0; j + 1 < size; ++j) {
      const double mean = rho * chain.values[i];
      const double above = normal_cdf((chain.values[j] + step / 2 - mean) / sigma);
      const double below = j == 0 ? 0 : normal_cdf((chain.values[j] - step / 2 - mean) / sigma);
      chain.transition[i * size + j] = above - below;
      rest -= above - below;
    }
    // If the tail is empty, rounding can leave a remainder of a few 1e-17 below zero.
    chain.transition[i * size + size - 1] = rest > 0 ? rest : 0;
  }
  return chain;
}

}  // namespace macrobench::numerics
