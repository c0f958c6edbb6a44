#pragma once

#include "harness/model/registry.hpp"

namespace macrobench {

/// The part of a case that an axis decides.
enum class Role {
  problem,    ///< the economics: two values have two answers
  size,       ///< what the law of growth accounts for
  method,     ///< how the same problem is solved
  precision,  ///< of its numbers
  tolerance,  ///< how exactly
  resources,  ///< cores, GPUs and how they are divided
};

Role role_of(const Axis& axis, const Model& model);

}  // namespace macrobench
