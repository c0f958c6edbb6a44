#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/text/each.hpp"
#include "paper_tables/cells/definition.hpp"
#include "paper_tables/cells/place.hpp"

namespace macrobench {

// Finds what files name: tables, rows and columns by their labels. Functions that take a Place
// throw UsageError if there is no such thing, with that place and the nearest name.

/// A row, by its label, or by {"row", "table", "group", "called"} and what else `more` allows.
RowReference read_reference(const Place& place, const std::vector<std::string>& more = {});

/// The name of one of the figures that the model's outcomes have.
std::string read_figure_name(const Place& place, const Model& model);

/// The items of a list that must have one for each column; `what` is their plural.
std::vector<Place> one_per_column(const Place& place, std::string_view what,
                                  const Definition& table);

/// A table by its id.
const Definition& find_table(const Place& place, Tables& all);

/// Every row, with its group.
std::vector<RowPlace> places_in(const Definition& table);

/// From where a row is searched.
struct View {
  const Definition* table = nullptr;  ///< whose rows are meant if a reference names no table
  std::string_view group = {};        ///< of that table: its row comes before any other group's
  bool published_only = false;        ///< skips our own rows
};

/// The row that the reference names: that of the view's group, or else the first; none if there is
/// none.
std::optional<RowPlace> find_row(const RowReference& reference, const View& from, Tables& all);

/// The same, for a reference that was read at the place: the one row that it names. Also throws
/// if several groups have such a row and none is named.
RowPlace find_row(const Place& place, const RowReference& reference, const View& from, Tables& all);

/// A column by its label.
std::size_t find_column(const Place& place, const Definition& table);
std::optional<std::size_t> find_column(const Definition& table, std::string_view label);

/// The column in which each row has the same cell as in this one of another table.
std::optional<std::size_t> find_like(const Definition& table, const ColumnDefinition& column);

/// The labels of columns, groups or rows.
template <class Labelled>
std::vector<std::string> labels_of(const std::vector<Labelled>& all) {
  return each(all, &Labelled::label);
}

}  // namespace macrobench
