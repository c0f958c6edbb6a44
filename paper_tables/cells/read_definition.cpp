#include "paper_tables/cells/read_definition.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "harness/model/registry.hpp"
#include "harness/text/each.hpp"
#include "harness/text/error.hpp"
#include "paper_tables/cells/find.hpp"
#include "paper_tables/cells/lookup.hpp"
#include "paper_tables/cells/plan.hpp"
#include "paper_tables/cells/printed_number.hpp"
#include "paper_tables/cells/quantity.hpp"

namespace macrobench {

namespace {

/// A group of rows in the file of a definition.
struct GroupPlace {
  std::string label;
  Place rows;
  bool extra;
  bool is_printed;
  Place shared;  ///< has the fields shared by rows that do not set them
};

/// A row, or {"iterations": row, "of": [rows]}, or {"times": 20, "of": [row]}.
Alternative read_alternative(const Place& place) {
  if (!place.has("of")) {
    const RowReference row = read_reference(place);
    return {.iterations = {}, .of = {row}, .called = row.called};
  }
  place.allow({"iterations", "times", "of", "called"});
  Alternative product;
  std::vector<std::string> rows;
  for (const Place& one : place.at("of").items()) {
    rows.push_back(product.of.emplace_back(read_reference(one)).called);
  }
  if (rows.empty()) place.at("of").fail("it must name a row");
  product.called = fmt::format("{}", fmt::join(rows, " + "));
  if (place.has("iterations")) {
    product.iterations = read_reference(place.at("iterations"));
    const bool is_sum = rows.size() > 1;
    product.called = fmt::format("{}×{}{}{}", product.iterations->called, is_sum ? "(" : "",
                                 product.called, is_sum ? ")" : "");
  }
  if (place.has("times")) {
    product.times = place.at("times").number();
    if (!(product.times > 1)) place.at("times").fail("it must be more than 1");
    if (product.iterations || rows.size() > 1) place.fail("\"times\" goes with one row alone");
    product.called = fmt::format("{:g}×{}", product.times, product.called);
  }
  if (place.has("called")) product.called = place.at("called").text();
  return product;
}

/// True if the row has a field that only rows of times have, and that has only this value.
bool read_word_on_times(const Place& row, const std::string& field, std::string_view word,
                        const QuantityDescription& quantity) {
  if (!row.has(field)) return false;
  const Place place = row.at(field);
  if (place.text() != word) place.fail(fmt::format("it must be \"{}\"", word));
  if (!quantity.is_time()) place.fail("the row does not show times");
  return true;
}

/// A row that the paper gives only in words has null.
std::vector<std::optional<std::string>> read_published(const Place& row, bool extra,
                                                       const Definition& definition) {
  std::vector<std::optional<std::string>> published(definition.columns.size());
  if (extra && !row.has("published")) return published;
  const Place place = row.at("published");
  if (place.is_null()) return published;
  const std::vector<Place> cells = one_per_column(place, "cells", definition);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (!cells[i].is_null()) published[i] = cells[i].text();
  }
  return published;
}

/// Throws if the case of a cell is impossible: a maximizer that the implementation lacks, a grid
/// with no feasible choice. Of an implementation that is not in this build nothing is known.
void check_cases(const Place& place, const Definition& definition, const RowDefinition& row) {
  for (std::size_t i = 0; i < definition.columns.size(); ++i) {
    if (!row.left_out[i].empty()) continue;
    const ColumnDefinition& column = definition.columns[i];
    try {
      static_cast<void>(case_of(request_of(definition, row, column), 1));
    } catch (const UsageError& error) {
      place.fail(fmt::format("column '{}': {}", column.label, error.what()));
    }
  }
}

/// Throws if the row's implementation does not announce a stage that it names.
void check_stages(const Place& place, const Definition& definition, const RowDefinition& row) {
  if (row.stages.empty()) return;
  const std::vector<std::string> known = definition.its_model().stages_of(row.implementation);
  for (const Place& stage : one_or_several(place.at("stage"))) {
    find_name(stage, fmt::format("stage of {}/{}", definition.model, row.implementation), known);
  }
}

/// The columns in which a row has no cell, {"columns": [labels], "why"}.
std::vector<std::string> read_left_out(const std::optional<Place>& place,
                                       const Definition& definition) {
  std::vector<std::string> left_out(definition.columns.size());
  if (!place) return left_out;
  place->allow({"columns", "why"});
  for (const Place& label : place->at("columns").items()) {
    left_out[find_column(label, definition)] = place->at("why").text();
  }
  return left_out;
}

/// The row's own field, or else its group's; none if neither has it.
std::optional<Place> own_or_shared(const Place& row, const GroupPlace& group,
                                   const std::string& name) {
  if (row.has(name)) return row.at(name);
  return group.shared.has(name) ? std::optional(group.shared.at(name)) : std::nullopt;
}

/// Refuses fields that nothing reads, and those that only rows of another quantity have.
void check_fields(const Place& place, const QuantityDescription& quantity) {
  place.each_member([&](const std::string& name, const Place& field) {
    std::vector<std::string_view> owners;
    for (const QuantityDescription& one : quantities()) {
      if (std::ranges::count(one.fields, name) > 0) owners.push_back(one.name);
    }
    if (!owners.empty() && std::ranges::count(owners, quantity.name) == 0) {
      field.fail(fmt::format("only a {} has one", fmt::join(owners, " or a ")));
    }
  });
}

const QuantityDescription& read_quantity(const Place& row) {
  std::vector<std::string> fields{
      "label",     "implementation", "parameters",   "quantity", "per",      "unit", "continues",
      "otherwise", "published",      "published_by", "left_out", "language", "note"};
  for (const QuantityDescription& one : quantities()) {
    fields.insert(fields.end(), one.fields.begin(), one.fields.end());
  }
  row.allow(fields);
  const auto name = [](const QuantityDescription& one) { return std::string(one.name); };
  const QuantityDescription& quantity =
      quantities()[find_name(row.at("quantity"), "quantity", each(quantities(), name))];
  check_fields(row, quantity);
  return quantity;
}

/// The table's, its group's over them, and the row's own over both.
Parameters read_parameters(const Place& top, const GroupPlace& group, const Place& row,
                           const Model& model) {
  Parameters parameters;
  for (const Place& from : {top, group.shared, row}) {
    if (!from.has("parameters")) continue;
    for (const auto& [name, value] : parameters_at(from.at("parameters"), model)) {
      parameters.set(name, value);
    }
  }
  return parameters;
}

std::vector<Alternative> read_otherwise(const Place& place, const QuantityDescription& quantity) {
  const bool is_deviation = quantity.quantity == Quantity::deviation;
  if (!quantity.is_run() && !is_deviation) {
    place.fail("only a row that runs something, or a deviation, has one");
  }
  return each(one_or_several(place), [&](const Place& one) {
    if (is_deviation && one.has("of")) one.fail("a deviation has a single row");
    return read_alternative(one);
  });
}

/// In what its numbers are, of figures as the model says.
std::string read_unit(const Place& place, const QuantityDescription& quantity,
                      const RowDefinition& row, const Definition& definition) {
  const std::string written = place.text_or_empty("unit");
  if (quantity.quantity == Quantity::constant && !written.empty()) return written;
  std::string unit(quantity.unit);
  if (quantity.quantity == Quantity::figure) {
    const Model& model = definition.its_model();
    unit = model.unit_of(row.of.empty() ? definition.columns.front().figure : row.of);
    for (const ColumnDefinition& column : definition.columns) {
      if (!row.of.empty() || model.unit_of(column.figure) == unit) continue;
      place.fail(fmt::format("its figures are in '{}' and in '{}': give each unit its own row",
                             unit, model.unit_of(column.figure)));
    }
  }
  if (written.empty() || written == unit) return unit;
  if (quantity.quantity == Quantity::figure && factor_between(unit, written)) return written;
  place.at("unit").fail(fmt::format("its numbers are in '{}'", unit));
}

/// Refuses a printed text that is not a number in the row's unit. A dagger is the paper's own mark
/// of a number that it does not stand by.
void check_published(const Place& place, const RowDefinition& row) {
  for (std::size_t i = 0; i < row.published.size(); ++i) {
    const std::optional<std::string>& text = row.published[i];
    if (!text || text->ends_with("†") || printed_number(*text, row.unit)) continue;
    place.at("published")
        .items()[i]
        .fail(fmt::format(
            "'{}' is not a number in '{}'; units that are read: h, min, s, ms, us, ns, %, x", *text,
            row.unit));
  }
}

RowDefinition read_row(const Place& place, const GroupPlace& group, const Definition& definition,
                       const Place& top) {
  const QuantityDescription& quantity = read_quantity(place);
  if (definition.model.empty() && !quantity.is_of_no_run()) {
    place.at("quantity").fail("a table without a model has constants alone: add \"model\"");
  }
  const Model& model = definition.its_model();
  RowDefinition row;
  row.extra = group.extra;
  row.label = place.at("label").text();
  row.quantity = quantity.quantity;
  row.note = place.text_or_empty("note");
  row.per_iteration = read_word_on_times(place, "per", "iteration", quantity);
  row.published_by_extrapolation =
      read_word_on_times(place, "published_by", "extrapolation", quantity);
  if (!row.extra) {
    row.language = (place.has("language") ? place : top).text_or_empty("language");
  }
  row.parameters = read_parameters(top, group, place, model);
  row.published = read_published(place, row.extra, definition);
  row.left_out = read_left_out(own_or_shared(place, group, "left_out"), definition);
  if (quantity.read != nullptr) quantity.read(place, definition, row);
  row.unit = read_unit(place, quantity, row, definition);
  if (quantity.quantity != Quantity::constant) check_published(place, row);
  if (quantity.is_run()) {
    const auto shared = own_or_shared(place, group, "implementation");
    const Place implementation = shared ? *shared : place.at("implementation");
    row.implementation =
        name_at(implementation, "implementation", implementation_names(definition.model));
    check_stages(place, definition, row);
    check_cases(place, definition, row);
  }
  if (place.has("continues")) row.continues = read_reference(place.at("continues"));
  if (place.has("otherwise")) row.otherwise = read_otherwise(place.at("otherwise"), quantity);
  return row;
}

/// Adds the rows' places.
GroupDefinition read_group(const GroupPlace& place, const Definition& definition, const Place& top,
                           std::vector<Place>& rows) {
  for (const GroupDefinition& other : definition.groups) {
    if (other.label == place.label && other.is_printed == place.is_printed) {
      place.rows.fail(fmt::format("there is another group '{}'", place.label));
    }
  }
  GroupDefinition group{.label = place.label, .rows = {}, .is_printed = place.is_printed};
  for (const Place& its : place.rows.items()) {
    RowDefinition row = read_row(its, place, definition, top);
    if (std::ranges::count(group.rows, row.label, &RowDefinition::label) > 0 ||
        definition.find_row(row.label, place.label) != nullptr) {
      its.at("label").fail(fmt::format("there is another row '{}'", row.label));
    }
    group.rows.push_back(std::move(row));
    rows.push_back(its);
  }
  if (group.rows.empty()) place.rows.fail("it must have a row");
  std::set<std::size_t> relaxed;
  for (const RowDefinition& row : group.rows) {
    for (std::size_t i = 0; i < row.published.size(); ++i) {
      if (row.published[i].value_or("").ends_with("†")) relaxed.insert(i);
    }
  }
  for (RowDefinition& row : group.rows) row.relaxed_in_print = relaxed;
  return group;
}

/// A row that names another without its group means the one in its own group, if there is one.
void name_own_groups(Definition& definition) {
  for (GroupDefinition& group : definition.groups) {
    if (group.label.empty()) continue;
    for (RowDefinition& row : group.rows) {
      for_each_reference(row, [&](RowReference& named) {
        const bool is_free = named.table.empty() && named.group.empty();
        if (is_free && definition.find_row(named.row, group.label) != nullptr) {
          named.group = group.label;
        }
      });
    }
  }
}

ColumnDefinition read_column(const Place& place, const Model& model) {
  place.allow({"label", "parameters", "figure"});
  ColumnDefinition column;
  column.label = place.at("label").text();
  if (place.has("parameters")) column.parameters = parameters_at(place.at("parameters"), model);
  if (place.has("figure")) column.figure = read_figure_name(place.at("figure"), model);
  return column;
}

/// More than any page has; references between rows may recurse this deep.
constexpr std::size_t most_rows = 500;

/// In the order of Definition::groups.
std::vector<GroupPlace> group_places(const Place& top) {
  std::vector<GroupPlace> places;
  const auto add = [&](const char* field, bool extra, bool is_printed) {
    const Place list = top.at(field);
    const std::vector<Place> items = list.items();
    if (items.empty())
      list.fail(
          fmt::format("it must have a {}", std::string_view(field) == "groups" ? "group" : "row"));
    if (!items.front().has("rows")) {
      places.push_back({extra ? std::string(extra_label) : "", list, extra, is_printed, top});
      return;
    }
    for (const Place& group : items) {
      group.allow({"label", "rows", "implementation", "parameters", "left_out"});
      places.push_back({group.at("label").text(), group.at("rows"), extra, is_printed, group});
    }
  };
  add(top.has("rows") ? "rows" : "groups", false, true);
  if (top.has("extra")) add("extra", true, true);
  if (top.has("needs")) add("needs", true, false);
  return places;
}

}  // namespace

Definition read_definition(const Place& top, std::vector<Place>& rows) {
  top.allow({"schema", "paper", "table", "title", "caption", "source", "hardware", "language",
             "model", "parameters", "axis", "columns", "rows", "groups", "extra", "needs",
             "notes"});
  top.at("schema").check_schema(Definition::schema);
  Definition definition;
  definition.paper = top.at("paper").text();
  definition.table = top.at("table").text();
  definition.title = top.at("title").text();
  definition.caption = top.at("caption").text();
  definition.document = top.at("source").at("document").text();
  definition.where = top.at("source").at("where").text();
  const Place hardware = top.at("hardware");
  definition.hardware = {.id = hardware.at("id").text(),
                         .text = hardware.at("text").text(),
                         .processor = hardware.text_or_empty("cpu"),
                         .gpu = hardware.text_or_empty("gpu")};
  definition.model = top.text_or_empty("model");
  const Model& model =
      top.has("model")
          ? found_at(top.at("model"),
                     [&]() -> const Model& { return Registry::global().model(definition.model); })
          : definition.its_model();
  definition.axis = top.text_or_empty("axis");

  definition.columns =
      top.at("columns").list_of([&](const Place& column) { return read_column(column, model); });
  if (definition.columns.empty()) top.at("columns").fail("it must have a column");

  if (top.has("groups") == top.has("rows")) {
    top.fail("a table has either the field 'rows' or the field 'groups'");
  }
  const std::vector<GroupPlace> groups = group_places(top);
  std::size_t count = 0;
  std::size_t extra = 0;
  for (const GroupPlace& group : groups) {
    const std::size_t rows_in_it = group.rows.items().size();
    count += rows_in_it;
    if (group.extra && group.is_printed) extra += rows_in_it;
  }
  if (count > most_rows) {
    top.fail(fmt::format("it has {} rows, but may have only {}", count, most_rows));
  }
  if (extra > most_extra_rows) {
    top.at("extra").fail(fmt::format(
        "it has {} rows, but a table prints at most {} beyond the paper: the others are \"needs\"",
        extra, most_extra_rows));
  }
  for (const GroupPlace& group : groups) {
    definition.groups.push_back(read_group(group, definition, top, rows));
  }
  name_own_groups(definition);
  if (top.has("notes")) definition.notes = top.at("notes").list_of(&Place::text);
  return definition;
}

}  // namespace macrobench
