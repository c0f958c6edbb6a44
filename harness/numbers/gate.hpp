#pragma once

#include <set>
#include <string>
#include <vector>

#include "harness/numbers/axis_role.hpp"
#include "harness/numbers/cell.hpp"

namespace macrobench {

/// The properties in which two numbers may differ.
enum class Aspect {
  model,
  problem,  ///< a parameter of the economics
  size,
  tolerance,  ///< of one precision; or only one met it
  error,      ///< of the economics, more than three times apart
  scope,
  stage,
  implementation,
  method,
  precision,
  resources,  ///< threads, GPUs, blocks
  machine,    ///< the kind
  host,       ///< which one of the kind
  compiler,
  source,  ///< of one implementation
  sitting
};
using Aspects = std::set<Aspect>;

/// Which a difference in such an axis is.
Aspect aspect_of(Role role);

/// The differences of a number of another machine, or of a published one.
Aspects of_machines();
/// The differences of another program for the same problem.
Aspects of_programs();

struct Difference {
  Aspect aspect;
  std::string how;  ///< one clause: "moves=all and all_but_last"
};

/// In what the cells differ. An aspect that one of them lacks makes no difference.
std::vector<Difference> differences_of(const Cell& one, const Cell& other);

/// What comes of two numbers that are to meet: in a ratio, a deviation or a law.
struct Meeting {
  bool is_refused = false;
  Status status = Status::not_run;  ///< if it is refused, the status of the number to blame
  Reason why = {};                  ///< likewise
  Marks marks = {};                 ///< both numbers', and one for each difference
};

/// The gate: the only way in which two numbers meet. `about` are the differences that their meeting
/// is meant to show. Any other one has a mark, or refuses it if the numbers have two problems,
/// sizes, tolerances or parts of a run. So does a number that is missing or not believed.
Meeting meet(const Cell& one, const Cell& other, const Aspects& about);

}  // namespace macrobench
