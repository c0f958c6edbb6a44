#pragma once

#include <cstddef>
#include <vector>

namespace macrobench {

/// Where a series of times goes to another level.
struct ChangePoint {
  std::size_t step = 0;  ///< the first of the new level
  double before = 0;     ///< the median of the level before, seconds
  double after = 0;      ///< of the new one
  [[nodiscard]] double ratio() const { return after / before; }
};

/// The change points of a series of steps, each of which has some seconds, by binary segmentation:
/// a stretch is divided where the rank sums of the two sides (the Mann-Whitney test) differ most,
/// if they differ with this confidence, over all the places where it could have been divided, and
/// if the ratio of the sides' medians is above the threshold or below its inverse; then each side
/// in turn. Ranks, so that a spoilt time moves nothing. In the order of the steps.
std::vector<ChangePoint> change_points(const std::vector<std::vector<double>>& steps,
                                       double confidence, double threshold);

}  // namespace macrobench
