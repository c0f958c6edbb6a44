#pragma once

// A texture unit in software, by the formula of the CUDA C++ Programming Guide ("Linear
// Filtering"): a fetch at x + .5 lies between the texels floor(x) and floor(x) + 1, and the weight
// of the upper one is the fraction of x in fixed point with 8 bits of fraction. Each of its
// properties can be switched off, to see which of them does what.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "implementations/krusell_smith/input/shocks.hpp"
#include "implementations/krusell_smith/input/wealth.hpp"
#include "implementations/krusell_smith/panel/panel_method.hpp"

namespace macrobench::krusell_smith {

struct TextureUnits {
  enum class Weights { nearest, truncated, exact };

  Weights along_k = Weights::nearest;
  Weights along_K = Weights::nearest;
  bool single_wealth = true;  ///< wealth, texels and indices in single precision
  bool single_sum = true;     ///< the sum over households
  int lanes = 4096;           ///< of the sum: this many partial sums, then a tree; 1 is in order
};

/// The panel of `cuda_hardware`, on such units.
template <class Real>
class TexturePanelInSoftware final : public PanelMethod {
 public:
  TexturePanelInSoftware(const Problem& problem, const Shocks& shocks, const TextureUnits& units)
      : problem_(problem), shocks_(shocks), units_(units) {
    const std::vector<double> start = first_wealth(problem, shocks);
    first_.assign(start.begin(), start.end());
  }

  Clips simulate(const std::vector<double>& policy, std::vector<double>& K) override {
    const Grids& grids = problem_.grids;
    const auto n_k = static_cast<std::size_t>(grids.n_k);
    const auto k_max = static_cast<Real>(grids.k_max);
    const Real root = 1 / static_cast<Real>(grids.theta);
    Clips clips;
    wealth_ = first_;
    K[0] = mean(clips);
    std::vector<Real> line[2];
    for (std::size_t t = 0; t + 1 < K.size(); ++t) {
      const auto x = static_cast<Real>(grids.index_of_K(K[t]));
      const int below = std::min(static_cast<int>(x), grids.n_K - 1);
      const int above = std::min(below + 1, grids.n_K - 1);
      const Real weight = weight_of(x - static_cast<Real>(below), units_.along_K);
      for (const int e : {unemployed, employed}) {
        line[e].resize(n_k + 1);
        const int s = state_of(shocks_.a(static_cast<int>(t)), e);
        for (std::size_t i = 0; i < n_k; ++i) {
          const auto low =
              static_cast<Real>(policy[static_cast<std::size_t>(grids.line(s, below)) + i]);
          const auto high =
              static_cast<Real>(policy[static_cast<std::size_t>(grids.line(s, above)) + i]);
          line[e][i] = low + weight * (high - low);
        }
        line[e][n_k] = line[e][n_k - 1];
      }
      for (int i = 0; i < problem_.N; ++i) {
        Real& k = wealth_[static_cast<std::size_t>(i)];
        const Real y = std::pow(k / k_max, root) * static_cast<Real>(grids.n_k - 1);
        const auto n = std::min(static_cast<std::size_t>(y), n_k - 1);
        const Real* at = &line[shocks_.employment(i, static_cast<int>(t))][n];
        const Real chosen =
            at[0] + weight_of(y - static_cast<Real>(n), units_.along_k) * (at[1] - at[0]);
        k = std::clamp(chosen, Real(0), k_max);
        clips.k += k != chosen ? 1 : 0;
      }
      K[t + 1] = mean(clips);
    }
    return clips;
  }

  void keep_last() override { first_ = wealth_; }

  [[nodiscard]] std::vector<double> first() const { return {first_.begin(), first_.end()}; }
  [[nodiscard]] std::vector<double> last() const { return {wealth_.begin(), wealth_.end()}; }

 private:
  static Real weight_of(Real fraction, TextureUnits::Weights weights) {
    switch (weights) {
      case TextureUnits::Weights::nearest:
        return std::floor(fraction * 256 + Real(0.5)) / 256;
      case TextureUnits::Weights::truncated:
        return std::floor(fraction * 256) / 256;
      case TextureUnits::Weights::exact:
        break;
    }
    return fraction;
  }

  [[nodiscard]] double mean(Clips& clips) const {
    const double sum = units_.single_sum ? sum_in<float>() : sum_in<double>();
    const double mean = sum / problem_.N;
    const double clipped = problem_.grids.clip_K(mean);
    clips.K += clipped != mean ? 1 : 0;
    return clipped;
  }

  template <class Sum>
  [[nodiscard]] double sum_in() const {
    const auto lanes = static_cast<std::size_t>(units_.lanes);
    std::vector<Sum> sums(lanes, 0);
    for (std::size_t i = 0; i < wealth_.size(); ++i)
      sums[i % lanes] += static_cast<Sum>(wealth_[i]);
    for (std::size_t half = lanes / 2; half > 0; half /= 2) {
      for (std::size_t i = 0; i < half; ++i) sums[i] += sums[i + half];
    }
    return static_cast<double>(sums[0]);
  }

  const Problem& problem_;
  const Shocks& shocks_;
  TextureUnits units_;
  std::vector<Real> first_, wealth_;
};

}  // namespace macrobench::krusell_smith
