#include "paper_tables/definitions/find.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/text/error.hpp"
#include "harness/text/nearest.hpp"

namespace macrobench {

namespace {

/// The member of what was read, or all of it where that is only a label.
Place part_of(const Place& place, const std::string& name) {
  return place.has(name) ? place.at(name) : place;
}

/// Every row of the label, in groups of the name if one is given.
std::vector<RowPlace> rows_named(const Definition& table, const RowReference& reference,
                                 bool published_only) {
  std::vector<RowPlace> rows;
  for (const GroupDefinition& group : table.groups) {
    if (!reference.group.empty() && group.label != reference.group) continue;
    for (const RowDefinition& row : group.rows) {
      if (row.label != reference.row || (published_only && row.extra)) continue;
      rows.push_back({&table, &group, &row});
    }
  }
  return rows;
}

/// The row of the view's own group, if there is one.
std::optional<RowPlace> own_row(const std::vector<RowPlace>& rows, const View& from) {
  for (const RowPlace& place : rows) {
    if (place.table == from.table && place.group->label == from.group) return place;
  }
  return std::nullopt;
}

template <class Labelled>
std::vector<std::string> all_labels(const std::vector<Labelled>& all) {
  std::vector<std::string> labels;
  for (const Labelled& one : all) labels.push_back(one.label);
  return labels;
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
  for (const std::string& part : {reference.table, reference.group, reference.row}) {
    if (!part.empty()) reference.called += (reference.called.empty() ? "" : ": ") + part;
  }
  return reference;
}

std::size_t find_name(const Place& place, std::string_view kind,
                      const std::vector<std::string>& names) {
  const std::string name = place.text();
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) place.fail(unknown_name(kind, name, names));
  return static_cast<std::size_t>(found - names.begin());
}

std::string read_axis(const Place& place, const Model& model) {
  const std::string name = place.text();
  try {
    return find_axis(model.axes, name).name;
  } catch (const UsageError& error) {
    place.fail(error.what());
  }
}

const Definition& find_table(const Place& place, Tables& all) {
  return all.get(all.ids()[find_name(place, "table", all.ids())]);
}

std::optional<RowPlace> find_row(const RowReference& reference, const View& from, Tables& all) {
  const bool is_there =
      reference.table.empty() || std::ranges::binary_search(all.ids(), reference.table);
  if (!is_there) return std::nullopt;
  const Definition& table = reference.table.empty() ? *from.table : all.get(reference.table);
  const std::vector<RowPlace> rows = rows_named(table, reference, from.published_only);
  if (const auto own = own_row(rows, from)) return own;
  return rows.empty() ? std::nullopt : std::optional(rows.front());
}

RowPlace find_row(const Place& place, const RowReference& reference, const View& from,
                  Tables& all) {
  if (reference.table.empty() && from.table == nullptr) {
    place.fail(fmt::format("the row '{}' needs its table", reference.row));
  }
  if (!reference.table.empty() && !std::ranges::binary_search(all.ids(), reference.table)) {
    part_of(place, "table").fail(unknown_name("table", reference.table, all.ids()));
  }
  const Definition& table = reference.table.empty() ? *from.table : all.get(reference.table);
  const std::vector<RowPlace> rows = rows_named(table, reference, from.published_only);
  if (const auto own = own_row(rows, from)) return *own;
  if (rows.size() == 1) return rows.front();
  const Place label = part_of(place, "row");
  if (rows.size() > 1) {
    label.fail(fmt::format("the row '{}' is in {} groups: name one", reference.row, rows.size()));
  }
  std::vector<std::string> known;
  for (const GroupDefinition& group : table.groups) {
    if (!reference.group.empty() && group.label != reference.group) continue;
    for (const RowDefinition& row : group.rows) {
      if (!from.published_only || !row.extra) known.push_back(row.label);
    }
  }
  if (known.empty()) {
    part_of(place, "group").fail(unknown_name("group", reference.group, all_labels(table.groups)));
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

std::vector<std::string> labels_of(const std::vector<ColumnDefinition>& columns) {
  return all_labels(columns);
}

}  // namespace macrobench
