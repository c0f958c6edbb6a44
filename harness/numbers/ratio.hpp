#pragma once

#include <set>
#include <span>
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
  scope,
  stage,
  implementation,
  method,
  precision,
  tolerance,
  resources,  ///< threads, GPUs, blocks
  machine,
  compiler,
  source,  ///< of one implementation
  warmth   ///< first solutions beside later ones
};
using Aspects = std::set<Aspect>;

/// Which a difference in such an axis is.
Aspect aspect_of(Role role);

/// The differences of a number of another machine, or of a published one.
Aspects of_machines();
/// The differences of another program for the same problem.
Aspects of_programs();

/// The range of a quotient whose parts may each be anywhere in theirs.
ConfidenceInterval over(const ConfidenceInterval& above, const ConfidenceInterval& below);

/// In what the cells differ, each with one clause that says how: "moves=all and all_but_last". An
/// aspect that one of them lacks makes no difference.
std::vector<std::pair<Aspect, std::string>> differences_of(const Cell& one, const Cell& other);

/// One cell over another: the only way to divide two. A number with a mark for each difference that
/// it is not about, or a refusal with its reason.
class Ratio {
 public:
  Ratio() = default;  ///< refused
  /// `about` are the differences that the ratio is meant to show.
  Ratio(const Cell& numerator, const Cell& baseline, const Aspects& about);

  [[nodiscard]] bool is_refused() const { return !cell_.value; }
  /// Without a value if it is refused: why then says so, and the status comes from the operand to
  /// blame, if there is one.
  [[nodiscard]] const Cell& cell() const { return cell_; }

 private:
  Cell cell_;
};

/// The geometric mean of those that are not refused; refused itself if they have several scopes
/// or units.
struct MeanOfRatios {
  Cell cell = {};
  double lowest = 0;
  double highest = 0;
  int ratios = 0;
  int refused = 0;
};
MeanOfRatios geometric_mean(std::span<const Ratio> ratios);

/// A ratio for a reader: two digits at most if it is extrapolated.
std::string text_of_ratio(const Cell& ratio);

}  // namespace macrobench
