#include "paper_tables/cells/find.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/model/registry.hpp"
#include "harness/text/nearest.hpp"

namespace macrobench {

namespace {

/// The member of what was read, or all of it where that is only a label.
Place place_of(const Place& place, const std::string& name) {
  return place.has(name) ? place.at(name) : place;
}

/// The row that the reference names in the view's own group, or else, if there is none, every row
/// that it may name.
std::vector<RowPlace> rows_named(const Definition& table, const RowReference& reference,
                                 const View& from) {
  std::vector<RowPlace> rows;
  for (const GroupDefinition& group : table.groups) {
    if (!reference.group.empty() && group.label != reference.group) continue;
    for (const RowDefinition& row : group.rows) {
      if (row.label != reference.row || (from.published_only && row.extra)) continue;
      if (&table == from.table && group.label == from.group) return {{&table, &group, &row}};
      rows.push_back({&table, &group, &row});
    }
  }
  return rows;
}

bool is_id(const std::string& id, const Tables& all) {
  return std::ranges::binary_search(all.ids(), id);
}

}  // namespace

RowReference read_reference(const Place& place, const std::vector<std::string>& more) {
  if (place.is_text()) {
    return {.table = {}, .group = {}, .row = place.text(), .called = place.text()};
  }
  std::vector<std::string> fields{"table", "group", "row", "called"};
  fields.insert(fields.end(), more.begin(), more.end());
  place.allow(fields);
  RowReference reference{.table = place.text_or_empty("table"),
                         .group = place.text_or_empty("group"),
                         .row = place.at("row").text(),
                         .called = place.text_or_empty("called")};
  if (!reference.called.empty()) return reference;
  for (const std::string& name : {reference.table, reference.group, reference.row}) {
    if (!name.empty()) reference.called += (reference.called.empty() ? "" : ": ") + name;
  }
  return reference;
}

std::string read_figure_name(const Place& place, const Model& model) {
  return name_at(place, "figure of " + model.name, model.figure_names());
}

std::vector<Place> one_per_column(const Place& place, std::string_view what,
                                  const Definition& table) {
  std::vector<Place> items = place.items();
  if (items.size() != table.columns.size()) {
    place.fail(fmt::format("{} {} for {} columns", items.size(), what, table.columns.size()));
  }
  return items;
}

const Definition& find_table(const Place& place, Tables& all) {
  return found_at(place, [&]() -> const Definition& { return all.get(place.text()); });
}

const Model& Definition::its_model() const {
  static const Model none{.name = "no model", .summary = {}, .size_axis = {}};
  return model.empty() ? none : Registry::global().model(model);
}

const RowDefinition* Definition::find_row(std::string_view label, std::string_view of_group) const {
  for (const GroupDefinition& group : groups) {
    if (!of_group.empty() && group.label != of_group) continue;
    const auto found = std::ranges::find(group.rows, label, &RowDefinition::label);
    if (found != group.rows.end()) return &*found;
  }
  return nullptr;
}

std::vector<RowPlace> places_in(const Definition& table) {
  std::vector<RowPlace> rows;
  for (const GroupDefinition& group : table.groups) {
    for (const RowDefinition& row : group.rows) rows.push_back({&table, &group, &row});
  }
  return rows;
}

std::optional<RowPlace> find_row(const RowReference& reference, const View& from, Tables& all) {
  if (!reference.table.empty() && !is_id(reference.table, all)) return std::nullopt;
  const Definition& table = reference.table.empty() ? *from.table : all.get(reference.table);
  const std::vector<RowPlace> rows = rows_named(table, reference, from);
  return rows.empty() ? std::nullopt : std::optional(rows.front());
}

RowPlace find_row(const Place& place, const RowReference& reference, const View& from,
                  Tables& all) {
  if (reference.table.empty() && from.table == nullptr) {
    place.fail(fmt::format("the row '{}' needs its table", reference.row));
  }
  const Definition& table = found_at(place_of(place, "table"), [&]() -> const Definition& {
    return reference.table.empty() ? *from.table : all.get(reference.table);
  });
  const std::vector<RowPlace> rows = rows_named(table, reference, from);
  if (rows.size() == 1) return rows.front();
  const Place label = place_of(place, "row");
  if (rows.size() > 1) {
    label.fail(fmt::format("the row '{}' is in {} groups: name one", reference.row, rows.size()));
  }
  std::vector<std::string> known;
  for (const RowPlace& other : places_in(table)) {
    if (!reference.group.empty() && other.group->label != reference.group) continue;
    if (!from.published_only || !other.row->extra) known.push_back(other.row->label);
  }
  if (known.empty()) {
    place_of(place, "group").fail(unknown_name("group", reference.group, labels_of(table.groups)));
  }
  label.fail(unknown_name("row", reference.row, known));
}

std::optional<std::size_t> find_column(const Definition& table, std::string_view label) {
  const auto found = std::ranges::find(table.columns, label, &ColumnDefinition::label);
  if (found == table.columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - table.columns.begin());
}

std::size_t find_column(const Place& place, const Definition& table) {
  return find_name(place, "column", labels_of(table.columns));
}

std::optional<std::size_t> find_like(const Definition& table, const ColumnDefinition& column) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].is_like(column)) return i;
  }
  return std::nullopt;
}

}  // namespace macrobench
