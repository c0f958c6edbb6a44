#pragma once

#include <memory>
#include <string>
#include <vector>

#include "implementations/krusell_smith/model.hpp"

namespace macrobench::krusell_smith {

/// The input of a stage that is run alone.
struct Stored {
  LawOfMotion law;
  std::vector<double> policy;  ///< shape 4 x n_K x n_k; empty if the stage is the policy
};

/// A solution.json of `run --out`, or the file that `run --save` of older versions wrote. Throws
/// UsageError with one sentence, also if its policy is on other grids than the problem's.
Stored read_stored(const Problem& problem);

/// The problem's file. Without one, published_law, and for a panel the policy under it, which `egm`
/// solves to policy_tolerance whatever problem.policy says. Made at the first call and kept until
/// another problem's is requested; solvers request it in start(). Throws UsageError, or Failure if
/// that policy does not converge.
std::shared_ptr<const Stored> stored_of(const Problem& problem);

}  // namespace macrobench::krusell_smith
