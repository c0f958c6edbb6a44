#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "harness/model/solution_arrays.hpp"

namespace macrobench {

namespace detail {

/// Visits the arrays of a solution.
struct FindWrongSize {
  std::string why;

  template <class Array>
  void operator()(std::string_view /*name*/, const Array& /*array*/) {}
  template <class Element>
  void operator()(std::string_view name, const std::vector<Element>& array, const Shape& shape) {
    if (!why.empty() || array.size() == count_of(shape)) return;
    why = fmt::format("the solution has the wrong size: {} has {} numbers, where {} are asked for",
                      name, array.size(), count_of(shape));
  }
};

}  // namespace detail

/// Why an array of the solution is not as long as its shape says, or empty.
template <class Problem, class Solution>
std::string wrong_size(const Problem& problem, const Solution& solution) {
  detail::FindWrongSize find;
  Solution::each_array(problem, solution, find);
  return find.why;
}

}  // namespace macrobench
