#pragma once

#include <vector>

#include "implementations/krusell_smith/model.hpp"

namespace macrobench::krusell_smith {

/// Wealth at the points of a histogram, shape histogram_points, from 0 to k_max.
std::vector<double> histogram_points(const Problem& problem);

/// The first cross-section as a histogram: the share of the population at each point, by
/// employment, shape 2 x histogram_points; 1 in all.
std::vector<double> first_histogram(const Problem& problem);

}  // namespace macrobench::krusell_smith
