#pragma once

#include "implementations/rbc/model.hpp"

namespace macrobench::rbc {

/// Calls function.template operator()<maximizer>() for a maximizer of the published programs: one
/// of two.
template <class Function>
void with_published(Maximizer maximizer, const Function& function) {
  if (maximizer == Maximizer::bisection) {
    function.template operator()<Maximizer::bisection>();
  } else {
    function.template operator()<Maximizer::grid_howard>();
  }
}

}  // namespace macrobench::rbc
