#include "paper_tables/definitions/plan.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "paper_tables/definitions/bounds.hpp"
#include "paper_tables/definitions/find.hpp"

namespace macrobench {

CellRequest request_of(const Definition& definition, const RowDefinition& row,
                       const ColumnDefinition& column) {
  CellRequest request{definition.model, row.implementation, row.parameters};
  for (const auto& [name, value] : column.parameters) request.parameters.set(name, value);
  return request;
}

Plan plan_of(const std::vector<const Definition*>& tables, Tables& all, int cores) {
  Plan plan;
  std::set<std::string> seen;
  const auto add_cells = [&](const Definition& definition, const RowDefinition& row) {
    for (std::size_t i = 0; i < definition.columns.size(); ++i) {
      if (!row.left_out[i].empty()) continue;
      const CellRequest request = request_of(definition, row, definition.columns[i]);
      std::optional<Case> wanted = case_of(request, cores);
      const std::string key = wanted ? wanted->key() : request.key();
      // A stage or an iteration is only a part of its case's time.
      const bool whole =
          is_time(row.quantity) && row.quantity != Quantity::stage && !row.per_iteration;
      if (const auto seconds = printed_number(row.published[i].value_or("")); seconds && whole) {
        const auto hint = plan.published_seconds.try_emplace(key, *seconds).first;
        hint->second = std::min(hint->second, *seconds);
      }
      if (!seen.insert(key).second) continue;
      if (wanted) {
        plan.cases.push_back(std::move(*wanted));
      } else {
        plan.left_out.push_back(request);
      }
    }
  };
  std::vector<RowPlace> rows;
  for (const Definition* definition : tables) {
    for (const RowPlace& place : places_in(*definition)) rows.push_back(place);
  }
  // Then the rows referred to, and those that they refer to.
  std::set<const RowDefinition*> known;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const RowPlace at = rows[i];
    if (!known.insert(at.row).second) continue;
    if (!at.row->implementation.empty()) add_cells(*at.table, *at.row);
    for_each_reference(*at.row, [&](const RowReference& reference) {
      rows.push_back(find_row(reference, {.table = at.table}, all).value());
    });
  }
  return plan;
}

}  // namespace macrobench
