#pragma once

#include <cstddef>
#include <vector>

#include "implementations/lifecycle/model.hpp"

namespace macrobench::lifecycle {

/// From the order of Fernandez-Villaverde and Zarruk's programs, whose V of all ages has the shock
/// fastest, to that of a Solution.
template <class Real>
void from_shock_fastest(const Problem& problem, const std::vector<Real>& from,
                        std::vector<Real>& to) {
  const auto states = static_cast<std::ptrdiff_t>(problem.states());
  for (std::ptrdiff_t age = 0; age < problem.T; ++age) {
    for (int ie = 0; ie < problem.ne; ++ie) {
      for (int ix = 0; ix < problem.nx; ++ix) {
        to[static_cast<std::size_t>(age * states + std::ptrdiff_t{ie} * problem.nx + ix)] =
            from[static_cast<std::size_t>(age * states + std::ptrdiff_t{ix} * problem.ne + ie)];
      }
    }
  }
}

}  // namespace macrobench::lifecycle
