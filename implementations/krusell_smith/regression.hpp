#pragma once

#include <vector>

#include "implementations/krusell_smith/input/shocks.hpp"
#include "implementations/krusell_smith/model.hpp"

namespace macrobench::krusell_smith {

/// The law of motion regressed on a path of K, and how well it fits.
struct Regression {
  LawOfMotion law;
  double R2[2];
};

/// Least squares of ln K_{t+1} on ln K_t, separately for the two states, from period burn_in on.
Regression regress(const Shocks& shocks, int burn_in, const std::vector<double>& K);

/// The law that moves from B a part of the way, lambda, to the regressed one, B_new.
LawOfMotion relaxed(const LawOfMotion& B, const LawOfMotion& B_new, double lambda);

/// Whether the last cross-section starts the next panel, |B_new - B| being this.
bool is_reused(const Problem& problem, double distance);

}  // namespace macrobench::krusell_smith
