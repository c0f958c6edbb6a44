#pragma once

// The wealth in a panel's first period.

#include <string>
#include <vector>

#include "implementations/krusell_smith/input/initial_wealth.hpp"
#include "implementations/krusell_smith/input/shocks.hpp"
#include "implementations/krusell_smith/model.hpp"

namespace macrobench::krusell_smith {

/// Initial wealth if the user supplies none, shape N. The distribution has the moments of the
/// Computational Suite's: mean 36.7, quartiles 24.3, 36.8 and 48.6, 5% below 9.4 and 5% above 65.0;
/// it is uniform between these, from 0 to highest_initial_wealth. The agents' quantiles
/// are a Weyl sequence: evenly spread for any N, and in no order. It is the same for employed and
/// unemployed; the periods that the regression leaves out correct this.
std::vector<double> initial_wealth(int N);

/// Wealth in the first period, shape N: initial_wealth(), or the problem's file's. If that is a
/// histogram, the quantiles of the agents employed in the first period are a Weyl sequence, and so
/// are those of the others. Throws UsageError.
std::vector<double> first_wealth(const Problem& problem, const Shocks& shocks);

/// Wealth at the points of a histogram, shape histogram_points, from 0 to k_max.
std::vector<double> histogram_points(const Problem& problem);

/// The first cross-section as a histogram: the share of the population at each point, by
/// employment, shape 2 x histogram_points; they add up to 1. Mass in the file between two points is
/// split between them so that the mean is kept. Throws UsageError.
std::vector<double> first_histogram(const Problem& problem, const Shocks& shocks);

/// What was done to a histogram whose masses do not add up to 1: "masses scaled to 1: unemployed
/// from 0.999875, employed from 0.999997". Empty if nothing was. Throws UsageError.
std::string scaled_masses(const Problem& problem);

/// Reads and keeps the problem's file, if it has one; solvers call this in start().
void start_wealth(const Problem& problem);

}  // namespace macrobench::krusell_smith
