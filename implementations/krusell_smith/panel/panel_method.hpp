#pragma once

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
};

}  // namespace macrobench::krusell_smith
