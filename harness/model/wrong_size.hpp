#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "harness/model/solution_parts.hpp"

namespace macrobench {

namespace detail {

/// Visits the parts of a solution.
struct FindWrongSize {
  std::string why;

  template <class Part>
  void operator()(std::string_view /*name*/, const Part& /*part*/) {}
  template <class Element>
  void operator()(std::string_view name, const std::vector<Element>& part, const Shape& shape) {
    if (!why.empty() || part.size() == count_of(shape)) return;
    why = fmt::format("the solution has the wrong size: {} has {} numbers, where {} are asked for",
                      name, part.size(), count_of(shape));
  }
};

}  // namespace detail

/// Why a part of the solution is not as long as its shape says, or empty.
template <class Problem, class Solution>
std::string wrong_size(const Problem& problem, const Solution& solution) {
  detail::FindWrongSize find;
  Solution::each_part(problem, solution, find);
  return find.why;
}

}  // namespace macrobench
