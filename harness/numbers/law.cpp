#include "harness/numbers/law.hpp"

#include <algorithm>
#include <cmath>

#include "harness/numbers/gate.hpp"
#include "harness/numbers/noise.hpp"
#include "harness/text/known_value.hpp"

namespace macrobench {

namespace {

/// A law needs so many measured cells.
constexpr std::size_t least_cells = 3;

/// A law that was so far off on the last of its row's own cells is not shown for larger ones.
constexpr double largest_error = 0.25;

/// A number whose interval is wider than this factor is none.
constexpr double widest_interval = 2;

/// How many times as large the one is as the other: in size, unless the work grows faster than its
/// cube, as that of a tree does with its depth.
double reach_of(const CaseSize& one, const CaseSize& other) {
  const double in_size = one.along_axis / other.along_axis;
  const double in_work = one.work / other.work;
  return in_work > in_size * in_size * in_size ? in_work : in_size;
}

/// What a law misses beyond its points, as the variance of a logarithm. With these numbers 9 of 10
/// cells of the reference folders lie within the interval of a law through the smaller ones
/// (law_coverage_test.cpp).
double variance_beyond(const GrowthLaw& law, double reach) {
  const double of_reach = 0.05 * (1 + std::max(0.0, std::log2(reach)));
  const double of_law = law.error / 2;
  return of_reach * of_reach + of_law * of_law;
}

}  // namespace

LawOfRow::LawOfRow(const std::vector<SizedCell>& cells, Sizes sizes) : sizes_(sizes) {
  std::optional<Cell> first;
  for (const auto& [size, cell] : cells) {
    if (cell.status == Status::invalid || cell.status == Status::failed) return;
    if (!cell.value || is_doubted(cell.status)) continue;
    Meeting meeting = meet(first.value_or(cell), cell, {Aspect::size});
    if (meeting.is_refused) continue;
    points_.push_back({size.work, *cell.value, cell.variance});
    basis_.marks.merge(meeting.marks);
    rest_on(basis_, cell);
    if (!first) first = cell;
    largest_ = std::max(largest_, size);
    basis_.on_gpu = cell.on_gpu;
    basis_.scope = cell.scope;
    basis_.stage = cell.stage;
    basis_.problem = cell.problem;
    basis_.is_relaxed = cell.is_relaxed;
  }
  std::ranges::stable_sort(points_, {}, &Point::size);
  const auto again = std::ranges::unique(points_, {}, &Point::size);
  points_.erase(again.begin(), again.end());
  if (points_.size() < least_cells) return;
  law_ = fit_growth_law(points_, sizes);
  if (law_ && law_->error > largest_error) law_.reset();
  basis_.status = Status::measured;
  basis_.kind = Kind::extrapolated;
  basis_.marks.insert({Sign::extrapolated, "by a law of growth through its row's measured cells"});
}

std::optional<Cell> LawOfRow::at(const CaseSize& size) const {
  if (!law_ || size.work <= points_.back().size) return std::nullopt;
  const Noise noise{variance_at(*law_, points_, size.work, sizes_) +
                        variance_beyond(*law_, reach_of(size, largest_)),
                    1e3};
  Cell cell = basis_;
  cell.value = law_->at(size.work);
  cell.interval = interval_of(*cell.value, noise);
  cell.variance = noise.variance;
  cell.degrees = noise.degrees;
  if (!(cell.interval->high < widest_interval * cell.interval->low)) return std::nullopt;
  return cell;
}

}  // namespace macrobench
