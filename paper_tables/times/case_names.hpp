#pragma once

#include <compare>
#include <functional>
#include <string>

#include "harness/model/parameters.hpp"
#include "harness/records/record.hpp"

namespace macrobench {

/// A case's key in two pieces, for tables whose rows share a problem.
struct CaseNames {
  std::string problem;         ///< "nk=1024 nz=4 real=double"
  std::string implementation;  ///< "jax maximizer=bisection", "frontier threads=4"
  auto operator<=>(const CaseNames&) const = default;
};

enum class Belongs { to_problem, to_implementation, nowhere };

/// What a record's key tells, each axis where it belongs.
CaseNames names_of(const Record& record, const std::function<Belongs(const Axis&)>& place_of);

}  // namespace macrobench
