#pragma once

#include <vector>

namespace macrobench::numerics {

/// Solves A x = b for a dense A of shape n x n, row-major, by Gaussian elimination with partial
/// pivoting; A is overwritten and b becomes x. False, with both destroyed, if A is singular.
bool solve_linear(std::vector<double>& A, std::vector<double>& b);

}  // namespace macrobench::numerics
