#pragma once

#include <optional>
#include <string>

#include "harness/model/parameters.hpp"

namespace macrobench {

struct Record;

/// The case that was solved: every axis of the model, defaults filled in.
struct SolvedProblem {
  std::string model = {};
  std::string implementation = {};
  Parameters parameters = {};

  bool operator==(const SolvedProblem&) const = default;
};

SolvedProblem problem_of(const Record& record);

/// The value if it is a number, whole or not; none of a null pointer.
std::optional<double> number_of(const Value* value);

/// True if two values are the same number or name, whatever their type: 2 and 2.0 are one number in
/// JSON.
bool is_same(const Value& a, const Value& b);

}  // namespace macrobench
