#pragma once

#include <memory>
#include <string>
#include <vector>

#include "implementations/krusell_smith/model.hpp"

namespace macrobench::krusell_smith {

/// What a stage that is run alone begins with.
struct Stored {
  LawOfMotion law;
  std::vector<double> policy;  ///< shape 4 x n_K x n_k; empty where the stage is the policy
};

/// A saved solution, as text_of() wrote it. Throws UsageError with one sentence, also where its
/// policy stands on other grids than the problem's.
Stored read_stored(const Problem& problem);

/// The problem's file; without one published_law, and for a panel the policy under it, which is
/// then solved to policy_tolerance by `egm` whatever problem.policy says. Made at the first call,
/// kept until another problem's is asked for: solvers ask for it in start(). Throws UsageError, or
/// Failure where that policy does not converge.
std::shared_ptr<const Stored> stored_of(const Problem& problem);

/// A solution as JSON: what it is, the key of its case, law, grids and policy. Its numbers read
/// back as the same bits.
std::string text_of(const Problem& problem, const Equilibrium& equilibrium, const std::string& key);

}  // namespace macrobench::krusell_smith
