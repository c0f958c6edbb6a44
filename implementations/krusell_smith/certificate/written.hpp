#pragma once

// An equilibrium that must be written in full, and within its bounds. Each against_...() returns a
// complaint, or nothing.

#include <initializer_list>
#include <string>

#include "implementations/krusell_smith/model.hpp"

namespace macrobench::krusell_smith::certificate {

std::string first_of(std::initializer_list<std::string> complaints);

/// Whether the last panel begins with the first cross-section, whatever the solver did before.
bool begins_with_the_first(const Problem& problem, const Equilibrium& e);

std::string against_policy_array(const Problem& problem, const Equilibrium& e);

std::string against_panel_arrays(const Problem& problem, const Equilibrium& e);

std::string against_laws(const Equilibrium& e);

/// Wealth that households have chosen is within the grid of k, wherever it stands. A first
/// cross-section that is given need not be.
std::string against_wealth(const Problem& problem, const Equilibrium& e);

/// The path of the fifth iteration is the last if there were at most five, which nobody has to
/// believe.
std::string against_fifth(const Equilibrium& e);

/// Checks the counts against the caps and against each other, and the path of the fifth iteration.
std::string against_counts(const Problem& problem, const Equilibrium& e);

std::string against_clips(const Problem& problem, const Equilibrium& e);

std::string why_not_converged(const Equilibrium& e);

}  // namespace macrobench::krusell_smith::certificate
