#pragma once

// A batch: one problem for many calibrations. They are a user's, a row of a file each; or economy 0
// has the problem's own, and the others' are drawn around it, each parameter uniformly and by
// itself:
//
//   1 - beta    within 10%          alpha       within 2%
//   delta       within 5%           mu          within 30%
//
// Risk aversion is not drawn: at 1, as in the papers, utility is a logarithm and needs no power.
// The grid of K moves in proportion to the capital that the economy would have without risk, by up
// to a sixth. Shocks and initial wealth are the same for all. A solution keeps all of every
// economy.

#include <string>
#include <vector>

#include "implementations/krusell_smith/model.hpp"
#include "implementations/numerics/batch/economies.hpp"

namespace macrobench::krusell_smith {

/// The parameters that a user's file can give.
std::vector<std::string> varied_names();

/// The problem of one economy of a batch, from 0 on, on one thread.
Problem economy_of(const Problem& problem, int economy);

/// The calibration in words, for messages: "beta = 0.99, gamma = 1.1, ...".
std::string words_of(const Calibration& calibration);

/// The economies that are judged in every respect: 8 at most, of which a judge draws all but the
/// first.
numerics::KeptInFull judged_in_full(const Problem& problem);

}  // namespace macrobench::krusell_smith
