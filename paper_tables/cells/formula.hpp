#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "paper_tables/cells/bounds.hpp"
#include "paper_tables/cells/definition.hpp"
#include "paper_tables/cells/place.hpp"

namespace macrobench {

/// What a printed number should be, from other printed numbers.
struct Formula {
  enum class Kind {
    number,  ///< exact for a count, rounded if it is printed in the text
    cell,    ///< of a row, in the requested column or a named one
    plus,    ///< of its operands, like the next four
    minus,
    times,
    over,
    power,
    root_fit,    ///< least squares of the square root of a row's cells on their columns' sizes,
                 ///< squared again, at the requested column or at a size
    adjusted_r2  ///< of the same fit
  };

  Kind kind = Kind::number;
  Bounds number = {};
  RowReference row = {};
  std::string column = {};  ///< empty: the requested one
  bool previous = false;    ///< the column before the requested one
  std::optional<double> at = {};
  std::vector<Formula> operands = {};
};

/// "GPU Solution" or {"table", "group", "row", "column"}: a cell; 30: a count; {"printed":
/// "339.03"};
/// {"plus": [...]}, "minus", "times", "over", "power"; {"root_fit": row, "at": 1e12},
/// {"adjusted_r2": row}. Throws UsageError.
Formula read_formula(const Place& place);

/// Calls visit on every cell and row that the formula names.
void for_each_operand(const Formula& formula, const std::function<void(const Formula&)>& visit);

/// A size and what was printed for it.
struct PrintedPoint {
  double size;
  Bounds value;
};

/// The squared prediction, at the size, of the least-squares line through the points' square roots.
Bounds root_fit_at(const std::vector<PrintedPoint>& points, double size);

/// The line's adjusted R2, at least and at most: rounding moves the points by at most their own
/// half-widths, and so the residual and total norms by at most the norm of those.
Bounds adjusted_r2_of_roots(const std::vector<PrintedPoint>& points);

}  // namespace macrobench
