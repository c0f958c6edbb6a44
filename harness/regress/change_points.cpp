#include "harness/regress/change_points.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>
#include <utility>

#include "harness/records/statistics.hpp"

namespace macrobench {

namespace {

using Steps = std::vector<std::vector<double>>;

std::vector<double> joined(const Steps& steps, std::size_t begin, std::size_t end) {
  std::vector<double> all;
  for (std::size_t i = begin; i < end; ++i) {
    all.insert(all.end(), steps[i].begin(), steps[i].end());
  }
  return all;
}

/// The sum of each step's ranks among all of the stretch, equal times sharing theirs, and the
/// correction of the variance for these.
struct Ranks {
  std::vector<double> sums;
  double ties = 0;  ///< sum of t^3 - t over the groups of t equal times
};

Ranks ranks_of(const Steps& steps, std::size_t begin, std::size_t end) {
  std::vector<std::pair<double, std::size_t>> times;
  for (std::size_t i = begin; i < end; ++i) {
    for (const double time : steps[i]) times.emplace_back(time, i - begin);
  }
  std::ranges::sort(times);
  Ranks ranks{.sums = std::vector<double>(end - begin), .ties = 0};
  for (std::size_t first = 0; first < times.size();) {
    std::size_t last = first;
    while (last + 1 < times.size() && times[last + 1].first == times[first].first) ++last;
    const auto equal = static_cast<double>(last - first + 1);
    ranks.ties += equal * equal * equal - equal;
    const double rank = 1 + static_cast<double>(first + last) / 2;
    for (; first <= last; ++first) ranks.sums[times[first].second] += rank;
  }
  return ranks;
}

class Segmentation {
 public:
  Segmentation(const Steps& steps, double confidence, double threshold)
      : steps_(steps), confidence_(confidence), threshold_(threshold) {}

  void divide(std::size_t begin, std::size_t end) {
    if (end - begin < 2) return;
    const Ranks ranks = ranks_of(steps_, begin, end);
    double all = 0;
    for (std::size_t i = begin; i < end; ++i) all += static_cast<double>(steps_[i].size());
    std::size_t at = begin;
    double largest = 0;  // the statistic, in standard deviations
    double left = 0;
    double sum = 0;
    for (std::size_t i = begin; i + 1 < end; ++i) {
      left += static_cast<double>(steps_[i].size());
      sum += ranks.sums[i - begin];
      const double variance = left * (all - left) / 12 * (all + 1 - ranks.ties / (all * (all - 1)));
      const double z = std::abs(sum - left * (all + 1) / 2) / std::sqrt(variance);
      if (z > largest) std::tie(largest, at) = std::pair(z, i + 1);
    }
    const double chance = std::erfc(largest / std::numbers::sqrt2);
    if (chance * static_cast<double>(end - begin - 1) > 1 - confidence_) return;
    const double ratio = median(joined(steps_, at, end)) / median(joined(steps_, begin, at));
    if (!(ratio > threshold_ || ratio < 1 / threshold_)) return;
    divide(begin, at);
    places_.push_back(at);
    divide(at, end);
  }

  [[nodiscard]] std::vector<ChangePoint> points() const {
    std::vector<ChangePoint> points;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const std::size_t begin = i == 0 ? 0 : places_[i - 1];
      const std::size_t end = i + 1 == places_.size() ? steps_.size() : places_[i + 1];
      points.push_back({.step = places_[i],
                        .before = median(joined(steps_, begin, places_[i])),
                        .after = median(joined(steps_, places_[i], end))});
    }
    return points;
  }

 private:
  const Steps& steps_;
  double confidence_;
  double threshold_;
  std::vector<std::size_t> places_;
};

}  // namespace

std::vector<ChangePoint> change_points(const Steps& steps, double confidence, double threshold) {
  Segmentation segmentation(steps, confidence, threshold);
  segmentation.divide(0, steps.size());
  return segmentation.points();
}

}  // namespace macrobench
