#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "paper_tables/definitions/find.hpp"
#include "paper_tables/definitions/read_definition.hpp"

namespace macrobench {

namespace {

/// The row that the reference names, which must be one that runs something.
const RowDefinition& check_reference(const Place& place, const RowReference& reference,
                                     const Definition& definition, Tables& all, bool same_columns) {
  const RowPlace found = find_row(place, reference, {.table = &definition}, all);
  if (found.row->implementation.empty()) {
    place.fail(fmt::format("the row '{}' is not one that runs anything", reference.row));
  }
  if (!same_columns || found.table == &definition) return *found.row;
  for (const ColumnDefinition& column : definition.columns) {
    if (!find_like(*found.table, column)) {
      place.fail(fmt::format("{} has no column that matches '{}'", reference.table, column.label));
    }
  }
  return *found.row;
}

/// Whether a replacement for a row of the table needs the goal.
bool leads_to(const RowDefinition& goal, const Definition& table, const RowDefinition& row,
              Tables& all, std::set<const RowDefinition*>& seen) {
  const auto needs_goal = [&](const RowReference& reference) {
    const std::optional<RowPlace> next = find_row(reference, {.table = &table}, all);
    if (!next) return false;
    return next->row == &goal ||
           (seen.insert(next->row).second && leads_to(goal, *next->table, *next->row, all, seen));
  };
  return std::ranges::any_of(row.otherwise, [&](const Alternative& alternative) {
    return (alternative.iterations && needs_goal(*alternative.iterations)) ||
           std::ranges::any_of(alternative.of, needs_goal);
  });
}

void check_otherwise(const RowDefinition& row, const Place& place, const Definition& definition,
                     Tables& all) {
  const auto check = [&](const RowReference& reference, const Place& at, bool is_factor) {
    const RowDefinition& named = check_reference(at, reference, definition, all, true);
    if (is_factor && named.quantity != Quantity::iterations) {
      at.fail(fmt::format("the row '{}' does not show iterations", named.label));
    }
    if (!is_factor && named.unit != row.unit && row.quantity != Quantity::deviation) {
      at.fail(fmt::format("the row '{}' is in '{}', and this one in '{}'", named.label, named.unit,
                          row.unit));
    }
  };
  const std::vector<Place> places = one_or_several(place);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Alternative& one = row.otherwise[i];
    if (one.iterations) check(*one.iterations, places[i].at("iterations"), true);
    for (std::size_t part = 0; part < one.of.size(); ++part) {
      check(one.of[part], places[i].has("of") ? places[i].at("of").items()[part] : places[i],
            false);
    }
  }
  std::set<const RowDefinition*> seen;
  if (leads_to(row, definition, row, all, seen)) place.fail("it leads back to this row");
}

}  // namespace

void check_references(const Definition& definition, const std::vector<Place>& rows, Tables& all) {
  auto place = rows.begin();
  for (const RowDefinition& row : rows_of(definition)) {
    const auto check = [&](const char* field, const std::optional<RowReference>& named,
                           bool same_columns) {
      if (named) check_reference(place->at(field), *named, definition, all, same_columns);
    };
    check("numerator", row.numerator, true);
    check("baseline", row.baseline, true);
    check("continues", row.continues, false);
    if (!row.otherwise.empty()) {
      check_otherwise(row, place->at("otherwise"), definition, all);
    }
    ++place;
  }
}

}  // namespace macrobench
