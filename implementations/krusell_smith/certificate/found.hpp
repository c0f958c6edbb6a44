#pragma once

// The figures, series and notes of an outcome.

#include <string>

#include "harness/model/outcome.hpp"
#include "harness/model/scrutiny.hpp"
#include "implementations/krusell_smith/certificate/panel.hpp"
#include "implementations/krusell_smith/model.hpp"

namespace macrobench::krusell_smith::certificate {

void add_law(Outcome& outcome, const Equilibrium& e);

/// Where the law's next step, which was not taken any more, would lead.
void add_relaxed_law(Outcome& outcome, const Problem& problem, const Equilibrium& e);

/// The errors of a panel, right or wrong.
void add_errors(Outcome& outcome, const Equilibrium& e, const PathErrors& path);

/// Notes of all that nobody recomputed.
void add_own_words(Outcome& outcome, const Problem& problem, const Equilibrium& e);

void add_panel(Outcome& outcome, const Problem& problem, const Equilibrium& e);

/// The errors on a fresh simulation. Returns why its wealth has no steady state, if it has none: of
/// a published program that is a fact about it, which the record marks.
std::string add_accuracy(Outcome& outcome, const Problem& problem, const Equilibrium& e,
                         const Scrutiny& scrutiny);

/// A published program's pile-up is a fact about it, which the record marks.
std::string against_top(const Problem& problem, const Equilibrium& e, const Scrutiny& scrutiny);

/// Notes that the grid of k holds households back at its end, or may.
void add_top(Outcome& outcome, const Problem& problem, const Equilibrium& e);

}  // namespace macrobench::krusell_smith::certificate
