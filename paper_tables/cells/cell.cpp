#include "paper_tables/cells/cell.hpp"

#include <fmt/format.h>

#include <cmath>

#include "harness/text/format.hpp"

namespace macrobench {

std::optional<std::string> text_of_ratio(double ratio, const Cell& with) {
  if (reaches_too_far(with)) return std::nullopt;
  if (with.status != Status::extrapolated || ratio == 0) return format_number(ratio);
  const double step = std::pow(10, std::floor(std::log10(std::abs(ratio))) - 1);
  const double rounded = std::round(ratio / step) * step;
  return std::abs(rounded) >= 10 ? with_separators(rounded) : fmt::format("{:#.2g}", rounded);
}

}  // namespace macrobench
