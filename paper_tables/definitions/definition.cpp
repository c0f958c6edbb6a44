#include "paper_tables/definitions/definition.hpp"

namespace macrobench {

const RowDefinition* Definition::find_row(std::string_view label, std::string_view of_group) const {
  for (const GroupDefinition& group : groups) {
    if (!of_group.empty() && group.label != of_group) continue;
    for (const RowDefinition& row : group.rows) {
      if (row.label == label) return &row;
    }
  }
  return nullptr;
}

}  // namespace macrobench
