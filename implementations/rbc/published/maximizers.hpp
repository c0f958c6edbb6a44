#pragma once

#include "implementations/rbc/model.hpp"

namespace macrobench::rbc {

/// Calls function.template operator()<maximizer>() for a maximizer of the published programs.
template <class Function>
void with_published(Maximizer maximizer, const Function& function) {
  switch (maximizer) {
    case Maximizer::bisection:
      return function.template operator()<Maximizer::bisection>();
    case Maximizer::grid_howard:
      return function.template operator()<Maximizer::grid_howard>();
    case Maximizer::interpolated:
      return function.template operator()<Maximizer::interpolated>();
    case Maximizer::first_decline:
      break;  // not among their axes
  }
}

}  // namespace macrobench::rbc
