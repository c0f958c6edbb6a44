#pragma once

#include <span>
#include <vector>

#include "implementations/krusell_smith/model.hpp"

namespace macrobench::krusell_smith {

/// How a solver moves a cross-section of wealth through the problem's shocks.
class PanelMethod {
 public:
  virtual ~PanelMethod() = default;

  /// Simulates T periods under this policy, from the stored cross-section. Writes the means
  /// of wealth, clipped to [K_min, K_max], into K, shape T.
  virtual Clips simulate(const std::vector<double>& policy, std::vector<double>& K) = 0;

  /// Makes later simulations begin where the last one ended.
  virtual void keep_last() = 0;

  // The same for a batch of economies. Most methods know one economy, with number 0.

  /// Simulates each trial's panel, under its policy. Several trials can be of one economy: all then
  /// begin alike, and which of them is its last one is left open.
  virtual void simulate_each(std::span<Trial* const> trials) {
    for (Trial* trial : trials) trial->clips = simulate(trial->policy, trial->K);
  }
  virtual void keep_last_of(int /*economy*/) { keep_last(); }
};

}  // namespace macrobench::krusell_smith
