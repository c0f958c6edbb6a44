#include "implementations/numerics/methods/anderson.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "implementations/numerics/methods/linear_solve.hpp"

namespace macrobench::numerics {

namespace {

double dot(const std::vector<double>& left, const std::vector<double>& right) {
  // In lanes, which become vector instructions without leave to reorder.
  constexpr std::size_t lanes = 8;
  double sums[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= left.size(); i += lanes) {
    for (std::size_t l = 0; l < lanes; ++l) sums[l] += left[i + l] * right[i + l];
  }
  double rest = 0;
  for (; i < left.size(); ++i) rest += left[i] * right[i];
  return std::accumulate(std::begin(sums), std::end(sums), rest);
}

}  // namespace

Anderson::Anderson(std::size_t size, int depth)
    : differences_(static_cast<std::size_t>(depth),
                   {std::vector<double>(size), std::vector<double>(size)}),
      gram_(differences_.size() * differences_.size()),
      residual_(size),
      last_residual_(size),
      last_image_(size) {}

void Anderson::advance(std::vector<double>& x, const std::vector<double>& G_of_x) {
  for (std::size_t i = 0; i < x.size(); ++i) residual_[i] = G_of_x[i] - x[i];
  if (has_last_) add_difference(residual_, G_of_x);
  has_last_ = true;
  last_residual_ = residual_;
  last_image_ = G_of_x;

  x = G_of_x;
  const std::vector<double> share = shares(residual_);
  for (std::size_t n = 0; n < share.size(); ++n) {
    const std::vector<double>& image = differences_[place(n)].image;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] -= share[n] * image[i];
  }
}

void Anderson::add_difference(const std::vector<double>& residual,
                              const std::vector<double>& image) {
  const std::size_t depth = differences_.size();
  newest_ = (newest_ + 1) % depth;
  kept_ = std::min(kept_ + 1, depth);
  Difference& newest = differences_[newest_];
  for (std::size_t i = 0; i < residual.size(); ++i) {
    newest.residual[i] = residual[i] - last_residual_[i];
    newest.image[i] = image[i] - last_image_[i];
  }
  for (std::size_t n = 0; n < kept_; ++n) {
    const double product = dot(differences_[place(n)].residual, newest.residual);
    gram_[place(n) * depth + newest_] = product;
    gram_[newest_ * depth + place(n)] = product;
  }
}

std::vector<double> Anderson::shares(const std::vector<double>& residual) const {
  const std::size_t depth = differences_.size();
  std::vector<double> A(kept_ * kept_);
  std::vector<double> b(kept_);
  // Scaled to a unit diagonal, to which a little is added: differences that nearly depend on each
  // other must not be played off against each other.
  std::vector<double> scale(kept_);
  for (std::size_t n = 0; n < kept_; ++n) {
    const double square = gram_[place(n) * depth + place(n)];
    scale[n] = square > 0 ? 1 / std::sqrt(square) : 0;
  }
  for (std::size_t n = 0; n < kept_; ++n) {
    for (std::size_t m = 0; m < kept_; ++m) {
      A[n * kept_ + m] = scale[n] * scale[m] * gram_[place(n) * depth + place(m)];
    }
    A[n * kept_ + n] = 1 + 1e-10;
    b[n] = scale[n] * dot(differences_[place(n)].residual, residual);
  }
  if (!solve_linear(A, b)) return {};
  for (std::size_t n = 0; n < kept_; ++n) b[n] *= scale[n];
  return b;
}

}  // namespace macrobench::numerics
