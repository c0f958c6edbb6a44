#pragma once

// The parameters in which the economies of a batch differ: each model lists its own once.

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <vector>

#include "implementations/numerics/batch/economies.hpp"

namespace macrobench::numerics {

/// A parameter that a user's file can give. Its place in the list decides what is drawn.
template <class Calibration>
struct Varied {
  const char* name;
  double Calibration::* place;
  double spread = 0;         ///< it is drawn within this share of the paper's; 0: it is not drawn
  bool of_one_less = false;  ///< the share is of 1 - x
};

template <class Calibration, std::size_t count>
std::vector<std::string> names_of(const Varied<Calibration> (&varied)[count]) {
  std::vector<std::string> names;
  for (const auto& parameter : varied) names.emplace_back(parameter.name);
  return names;
}

/// "beta = 0.98, gamma = 2.1": those that are drawn, and others that are not the default.
template <class Calibration, std::size_t count>
std::string words_of(const Varied<Calibration> (&varied)[count], const Calibration& calibration) {
  std::string words;
  for (const auto& parameter : varied) {
    const double value = calibration.*parameter.place;
    if (parameter.spread == 0 && value == Calibration{}.*parameter.place) continue;
    words += fmt::format("{}{} = {:.6g}", words.empty() ? "" : ", ", parameter.name, value);
  }
  return words;
}

/// The problem of one economy of a batch, from 0 on, on one thread: its calibration is that of the
/// row of `problem.calibrations`, or drawn around the problem's if that is null.
template <class Calibration, std::size_t count, class Problem>
Problem economy_of(const Varied<Calibration> (&varied)[count], const Problem& problem,
                   int economy) {
  Problem one = problem;
  one.economies = 1;
  if (problem.economies == 1) return one;
  one.threads = 1;
  one.calibrations = nullptr;
  const auto* given = problem.calibrations;
  for (std::size_t p = 0; p < count; ++p) {
    const auto& [name, place, spread, of_one_less] = varied[p];
    double& value = one.calibration.*place;
    if (given != nullptr) {
      for (std::size_t column = 0; column < given->names().size(); ++column) {
        if (given->names()[column] != name) continue;
        value = given->value(static_cast<std::size_t>(economy), column);
      }
    } else if (spread > 0 && economy > 0) {
      const double factor = factor_of(problem.draw, economy, static_cast<int>(p), spread);
      value = of_one_less ? 1 - (1 - value) * factor : value * factor;
    }
  }
  return one;
}

}  // namespace macrobench::numerics
