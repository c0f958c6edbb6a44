#pragma once

#include <compare>
#include <optional>
#include <vector>

#include "harness/model/growth_law.hpp"
#include "harness/numbers/cell.hpp"

namespace macrobench {

/// How large a case is: along the model's axis of size, and in work.
struct CaseSize {
  double along_axis = 0;
  double work = 0;

  auto operator<=>(const CaseSize&) const = default;
};

/// A cell of a row, and how large its case is.
struct SizedCell {
  CaseSize size;
  Cell cell;
};

/// The law of growth through a row's measured cells.
class LawOfRow {
 public:
  /// Cells without a number that is believed do not count, unless one is wrong: then there is no
  /// law, since nobody knows how long a right answer would take.
  LawOfRow(const std::vector<SizedCell>& cells, Sizes sizes);

  /// The cell of a larger case, extrapolated. None without a law, or where its interval is too wide
  /// to say anything.
  [[nodiscard]] std::optional<Cell> at(const CaseSize& size) const;

  [[nodiscard]] const std::optional<GrowthLaw>& law() const { return law_; }
  [[nodiscard]] std::size_t cells() const { return points_.size(); }

 private:
  std::vector<Point> points_;
  CaseSize largest_;
  Sizes sizes_;
  std::optional<GrowthLaw> law_;
  Cell basis_{.kind = Kind::constant};  ///< all that the extrapolated cells rest on
};

}  // namespace macrobench
