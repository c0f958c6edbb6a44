#pragma once

#include <span>

#include "harness/numbers/cell.hpp"
#include "harness/numbers/gate.hpp"

namespace macrobench {

/// The range of a quotient whose parts may each be anywhere in theirs.
ConfidenceInterval over(const ConfidenceInterval& above, const ConfidenceInterval& below);

/// One cell over another: the only way to divide two. A number with the marks of their meeting, or
/// a refusal with its reason.
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

}  // namespace macrobench
