#include "paper_tables/definitions/definition.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "harness/model/registry.hpp"
#include "harness/text/error.hpp"
#include "harness/text/nearest.hpp"
#include "paper_tables/definitions/lookup.hpp"
#include "paper_tables/definitions/machine_cells.hpp"
#include "paper_tables/definitions/place.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::array<std::pair<std::string_view, Quantity>, 11> quantities{
    {{"start", Quantity::start},
     {"first_solution", Quantity::first_solution},
     {"solution", Quantity::solution},
     {"total", Quantity::total},
     {"stage", Quantity::stage},
     {"iterations", Quantity::iterations},
     {"figure", Quantity::figure},
     {"ratio", Quantity::ratio},
     {"deviation", Quantity::deviation},
     {"constant", Quantity::constant},
     {"machine", Quantity::machine}}};

Quantity read_quantity(const Place& place) {
  const std::string text = place.text();
  std::vector<std::string> names;
  for (const auto& [name, quantity] : quantities) {
    if (name == text) return quantity;
    names.emplace_back(name);
  }
  place.fail(unknown_name("quantity", text, names));
}

std::string default_unit(Quantity quantity) {
  return is_time(quantity) ? "s" : quantity == Quantity::deviation ? "%" : "1";
}

void check_implementation(const Place& place, const std::string& model, const std::string& name) {
  const std::vector<std::string> names = implementation_names(model);
  if (!std::ranges::binary_search(names, name)) {
    place.fail(unknown_name("implementation", name, names));
  }
}

RowReference read_reference(const Place& place) {
  if (place.is_text())
    return {.table = {}, .group = {}, .row = place.text(), .called = place.text()};
  place.allow({"table", "group", "row", "called"});
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

std::vector<Place> one_or_several(const Place& place) {
  return place.is_list() ? place.items() : std::vector<Place>{place};
}

/// A row, or {"iterations": row, "of": [rows]}.
Alternative read_alternative(const Place& place) {
  if (!place.has("of")) {
    const RowReference row = read_reference(place);
    return {.iterations = {}, .of = {row}, .called = row.called};
  }
  place.allow({"iterations", "of", "called"});
  Alternative product;
  std::vector<std::string> parts;
  for (const Place& part : place.at("of").items()) {
    parts.push_back(product.of.emplace_back(read_reference(part)).called);
  }
  if (parts.empty()) place.at("of").fail("it must name a row");
  product.called = fmt::format("{}", fmt::join(parts, " + "));
  if (place.has("iterations")) {
    product.iterations = read_reference(place.at("iterations"));
    const bool is_sum = parts.size() > 1;
    product.called = fmt::format("{}×{}{}{}", product.iterations->called, is_sum ? "(" : "",
                                 product.called, is_sum ? ")" : "");
  }
  if (place.has("called")) product.called = place.at("called").text();
  return product;
}

/// The name of an axis of the model.
std::string read_axis(const Place& place, const Model& model) {
  const std::string name = place.text();
  try {
    return find_axis(model.axes, name).name;
  } catch (const UsageError& error) {
    place.fail(error.what());
  }
}

/// "panel", or several whose times are added up.
std::vector<std::string> read_stages(const Place& place) {
  if (place.is_text()) return {place.text()};
  std::vector<std::string> stages;
  for (const Place& stage : place.items()) stages.push_back(stage.text());
  if (stages.empty()) place.fail("it must name a stage");
  return stages;
}

/// A field that only rows of times have, and that has only this to say.
bool read_word_on_times(const Place& place, std::string_view word, Quantity quantity) {
  if (place.text() != word) place.fail(fmt::format("it must be \"{}\"", word));
  if (!is_time(quantity)) place.fail("the row is not one of times");
  return true;
}

std::vector<std::optional<std::string>> read_published(const Place& place, std::size_t columns) {
  std::vector<std::optional<std::string>> published;
  for (const Place& cell : place.items()) {
    published.push_back(cell.is_null() ? std::nullopt : std::optional(cell.text()));
  }
  if (published.size() != columns) {
    place.fail(fmt::format("{} cells for {} columns", published.size(), columns));
  }
  return published;
}

/// Throws where the case of a cell cannot be: a maximizer the implementation has not, a grid with
/// no feasible choice.
void check_cases(const Place& place, const Definition& definition, const RowDefinition& row) {
  const Implementation* implementation =
      Registry::global().find(definition.model + "/" + row.implementation);
  if (implementation == nullptr) return;  // this build cannot tell
  for (std::size_t i = 0; i < definition.columns.size(); ++i) {
    if (!row.left_out[i].empty()) continue;
    const ColumnDefinition& column = definition.columns[i];
    Parameters all = row.parameters;
    for (const auto& [name, value] : column.parameters) all.set(name, value);
    try {
      static_cast<void>(
          Registry::global().make_case(implementation->id(), only_taken(*implementation, all), 1));
    } catch (const UsageError& error) {
      place.fail(fmt::format("column '{}': {}", column.label, error.what()));
    }
  }
}

/// The columns in which a row has no cell, {"columns": [labels], "why"}.
std::vector<std::string> read_left_out(const Place& place, const Definition& definition) {
  place.allow({"columns", "why"});
  std::vector<std::string> labels;
  for (const ColumnDefinition& column : definition.columns) labels.push_back(column.label);
  std::vector<std::string> left_out(labels.size());
  for (const Place& label : place.at("columns").items()) {
    const auto found = std::ranges::find(labels, label.text());
    if (found == labels.end()) label.fail(unknown_name("column", label.text(), labels));
    left_out[static_cast<std::size_t>(found - labels.begin())] = place.at("why").text();
  }
  return left_out;
}

/// Of which axes the defaults stand in the row, or which number the model derives.
void read_constant(const Place& place, const Model& model, std::size_t columns,
                   RowDefinition& row) {
  if (place.has("derived")) {
    row.of = place.at("derived").text();
    std::vector<std::string> names;
    for (const DerivedNumber& derived : model.derived) names.push_back(derived.name);
    if (std::ranges::find(names, row.of) == names.end()) {
      place.at("derived").fail(unknown_name("derived number", row.of, names));
    }
  }
  if (!place.has("axes")) return;
  for (const Place& axis : place.at("axes").items()) row.axes.push_back(read_axis(axis, model));
  if (row.axes.size() != columns) {
    place.at("axes").fail(fmt::format("{} axes for {} columns", row.axes.size(), columns));
  }
}

struct GroupPlace {
  std::string label;
  Place rows;
  bool extra;
  std::optional<Place> shared = {};  ///< holds what rows share that do not say it themselves
};

/// The row's own field or, failing that, its group's; none where neither has it.
std::optional<Place> own_or_shared(const Place& row, const GroupPlace& group,
                                   const std::string& name) {
  if (row.has(name)) return row.at(name);
  if (group.shared && group.shared->has(name)) return group.shared->at(name);
  return std::nullopt;
}

/// What of the machine stands in each column.
std::vector<std::string> read_fields(const Place& place, std::size_t columns) {
  std::vector<std::string> fields;
  for (const Place& field : place.items()) {
    fields.push_back(field.text());
    if (std::ranges::find(machine_fields(), fields.back()) == machine_fields().end()) {
      field.fail(unknown_name("field of a machine", fields.back(), machine_fields()));
    }
  }
  if (fields.size() != columns) {
    place.fail(fmt::format("{} fields for {} columns", fields.size(), columns));
  }
  return fields;
}

RowDefinition read_row(const Place& place, const GroupPlace& group, const Definition& definition,
                       const Parameters& of_table) {
  place.allow({"label",     "implementation", "parameters", "quantity",     "stage",
               "per",       "figure",         "series",     "derived",      "axes",
               "fields",    "unit",           "numerator",  "baseline",     "rule",
               "continues", "otherwise",      "published",  "published_by", "left_out",
               "note"});
  const Model& model = Registry::global().model(definition.model);
  RowDefinition row;
  row.extra = group.extra;
  row.label = place.at("label").text();
  row.quantity = read_quantity(place.at("quantity"));
  if (row.quantity == Quantity::stage) row.stages = read_stages(place.at("stage"));
  if (place.has("per")) {
    row.per_iteration = read_word_on_times(place.at("per"), "iteration", row.quantity);
  }
  if (place.has("published_by")) {
    row.published_by_extrapolation =
        read_word_on_times(place.at("published_by"), "extrapolation", row.quantity);
  }
  const bool in_columns =
      std::ranges::none_of(definition.columns, &std::string::empty, &ColumnDefinition::figure);
  if (row.quantity == Quantity::figure && (place.has("figure") || !in_columns)) {
    row.of = place.at("figure").text();
  }
  if (row.quantity == Quantity::deviation) row.of = place.at("series").text();
  if (row.quantity == Quantity::constant) {
    read_constant(place, model, definition.columns.size(), row);
  }
  row.unit = place.has("unit") ? place.at("unit").text() : default_unit(row.quantity);
  row.note = place.text_or_empty("note");
  row.parameters = of_table;
  const auto add_parameters = [&](const Place& from) {
    if (!from.has("parameters")) return;
    for (const auto& [name, value] : parameters_at(from.at("parameters"), model)) {
      row.parameters.set(name, value);
    }
  };
  if (group.shared) add_parameters(*group.shared);
  add_parameters(place);
  // A row of the paper that is given in words only says so by null.
  if ((row.extra && !place.has("published")) || place.at("published").is_null()) {
    row.published.resize(definition.columns.size());
  } else {
    row.published = read_published(place.at("published"), definition.columns.size());
  }

  row.left_out.resize(definition.columns.size());
  if (const auto left_out = own_or_shared(place, group, "left_out")) {
    row.left_out = read_left_out(*left_out, definition);
  }

  if (row.quantity == Quantity::ratio || row.quantity == Quantity::deviation) {
    row.numerator = read_reference(place.at("numerator"));
    row.baseline = read_reference(place.at("baseline"));
  } else if (row.quantity == Quantity::machine) {
    row.fields = read_fields(place.at("fields"), definition.columns.size());
  } else if (row.quantity != Quantity::constant) {
    const auto shared = own_or_shared(place, group, "implementation");
    const Place implementation = shared ? *shared : place.at("implementation");
    row.implementation = implementation.text();
    check_implementation(implementation, definition.model, row.implementation);
    check_cases(place, definition, row);
  }
  if (place.has("rule")) {
    if (row.quantity != Quantity::ratio) place.at("rule").fail("only a ratio has one");
    row.basis = read_basis(place.at("rule"));
  }
  if (place.has("continues")) row.continues = read_reference(place.at("continues"));
  if (place.has("otherwise")) {
    const Place otherwise = place.at("otherwise");
    const bool is_deviation = row.quantity == Quantity::deviation;
    if (row.implementation.empty() && !is_deviation) {
      otherwise.fail("only a row that is run, or one of a deviation, has one");
    }
    for (const Place& one : one_or_several(otherwise)) {
      if (is_deviation && one.has("of")) one.fail("a deviation is from one row");
      row.otherwise.push_back(read_alternative(one));
    }
  }
  return row;
}

std::vector<RowDefinition> read_rows(const GroupPlace& group, const Definition& definition,
                                     const Parameters& of_table) {
  std::vector<RowDefinition> rows;
  for (const Place& row : group.rows.items()) {
    rows.push_back(read_row(row, group, definition, of_table));
  }
  if (rows.empty()) group.rows.fail("it must have a row");
  return rows;
}

ColumnDefinition read_column(const Place& place, const Model& model) {
  place.allow({"label", "parameters", "axis", "figure"});
  ColumnDefinition column;
  column.label = place.at("label").text();
  if (place.has("parameters")) column.parameters = parameters_at(place.at("parameters"), model);
  if (place.has("axis")) column.axis = read_axis(place.at("axis"), model);
  column.figure = place.text_or_empty("figure");
  return column;
}

const Model& read_model(const Place& place) {
  try {
    return Registry::global().model(place.text());
  } catch (const UsageError& error) {
    if (!place.is_text()) throw;
    place.fail(error.what());
  }
}

/// Where the groups of a definition stand in its file, in the order of Definition::groups.
std::vector<GroupPlace> group_places(const Place& top) {
  std::vector<GroupPlace> places;
  const auto add_groups = [&](const Place& list, bool extra) {
    for (const Place& group : list.items()) {
      group.allow({"label", "rows", "implementation", "parameters", "left_out"});
      places.push_back({group.at("label").text(), group.at("rows"), extra, group});
    }
    if (places.empty()) list.fail("it must have a group");
  };
  if (top.has("rows")) {
    places.push_back({{}, top.at("rows"), false});
  } else {
    add_groups(top.at("groups"), false);
  }
  if (!top.has("extra")) return places;
  const std::vector<Place> extra = top.at("extra").items();
  if (!extra.empty() && extra.front().has("rows")) {
    add_groups(top.at("extra"), true);
  } else {
    places.push_back({std::string(extra_label), top.at("extra"), true});
  }
  return places;
}

/// A row that names another without its group means the one beside it, if there is one.
void prefer_own_groups(Definition& definition) {
  for (GroupDefinition& group : definition.groups) {
    for (RowDefinition& row : group.rows) {
      for_each_reference(row, [&](RowReference& named) {
        const bool is_free = named.table.empty() && named.group.empty();
        if (is_free && std::ranges::count(group.rows, named.row, &RowDefinition::label) > 0) {
          named.group = group.label;
        }
      });
    }
  }
}

/// More than any page holds; what rows stand on others for goes down as many calls.
constexpr std::size_t most_rows = 500;

Definition read_definition(const Place& top) {
  top.allow({"schema", "paper", "table", "title", "caption", "source", "hardware", "model",
             "parameters", "axis", "columns", "rows", "groups", "extra", "notes"});
  top.at("schema").check_schema(Definition::schema);
  Definition definition;
  definition.paper = top.at("paper").text();
  definition.table = top.at("table").text();
  definition.title = top.at("title").text();
  definition.caption = top.at("caption").text();
  definition.document = top.at("source").at("document").text();
  definition.where = top.at("source").at("where").text();
  definition.hardware = top.at("hardware").at("id").text();
  definition.hardware_text = top.at("hardware").at("text").text();
  const Model& model = read_model(top.at("model"));
  definition.model = model.name;
  definition.axis = top.text_or_empty("axis");

  for (const Place& column : top.at("columns").items()) {
    definition.columns.push_back(read_column(column, model));
  }
  if (definition.columns.empty()) top.at("columns").fail("it must have a column");

  const Parameters of_table =
      top.has("parameters") ? parameters_at(top.at("parameters"), model) : Parameters{};
  if (top.has("groups") == top.has("rows")) {
    top.fail("a table has either the field 'rows' or the field 'groups'");
  }
  const std::vector<GroupPlace> groups = group_places(top);
  std::size_t rows = 0;
  for (const GroupPlace& group : groups) rows += group.rows.items().size();
  if (rows > most_rows) top.fail(fmt::format("it has {} rows, and may have {}", rows, most_rows));
  for (const GroupPlace& group : groups) {
    definition.groups.push_back({group.label, read_rows(group, definition, of_table)});
  }
  prefer_own_groups(definition);
  if (top.has("notes")) {
    for (const Place& note : top.at("notes").items()) definition.notes.push_back(note.text());
  }
  return definition;
}

void check_labels(const Place& top) {
  std::set<std::string> groups;
  for (const GroupPlace& group : group_places(top)) {
    if (!groups.insert(group.label).second) {
      group.rows.fail(fmt::format("there is another group '{}'", group.label));
    }
    std::set<std::string> rows;
    for (const Place& row : group.rows.items()) {
      const std::string label = row.at("label").text();
      if (!rows.insert(label).second) {
        row.at("label").fail(fmt::format("there is another row '{}'", label));
      }
    }
  }
}

void check_reference(const RowReference& reference, const Place& place,
                     const Definition& definition, Definitions& all, bool same_columns) {
  const Definition* table = &definition;
  if (!reference.table.empty()) {
    if (std::find(all.ids().begin(), all.ids().end(), reference.table) == all.ids().end()) {
      place.fail(unknown_name("table", reference.table, all.ids()));
    }
    table = &all.get(reference.table);
  }
  std::vector<std::string> groups;
  std::vector<std::string> labels;
  for (const GroupDefinition& group : table->groups) {
    groups.push_back(group.label);
    if (!reference.group.empty() && group.label != reference.group) continue;
    for (const RowDefinition& known : group.rows) labels.push_back(known.label);
  }
  if (labels.empty()) place.fail(unknown_name("group", reference.group, groups));
  const auto count = std::ranges::count(labels, reference.row);
  if (count == 0) place.fail(unknown_name("row", reference.row, labels));
  if (count > 1) {
    place.fail(fmt::format("the row '{}' is in {} groups: name one", reference.row, count));
  }
  const RowDefinition* row = table->find_row(reference.row, reference.group);
  if (row->implementation.empty()) {
    place.fail(fmt::format("the row '{}' is not one that is run", reference.row));
  }
  if (!same_columns || table == &definition) return;
  for (const ColumnDefinition& column : definition.columns) {
    const bool there = std::any_of(table->columns.begin(), table->columns.end(),
                                   [&](const ColumnDefinition& c) { return c.is_like(column); });
    if (!there) {
      place.fail(fmt::format("{} has no column like '{}'", reference.table, column.label));
    }
  }
}

/// Whether what stands in for a row of the table needs the goal.
bool leads_to(const RowDefinition& goal, const RowOfTable& from, Definitions& all,
              std::set<const RowDefinition*>& seen) {
  const auto needs_goal = [&](const RowReference& reference) {
    const std::optional<RowOfTable> next = all.find(from.table, reference);
    if (!next) return false;
    return &next->row == &goal ||
           (seen.insert(&next->row).second && leads_to(goal, *next, all, seen));
  };
  return std::ranges::any_of(from.row.otherwise, [&](const Alternative& alternative) {
    return (alternative.iterations && needs_goal(*alternative.iterations)) ||
           std::ranges::any_of(alternative.of, needs_goal);
  });
}

void check_otherwise(const RowDefinition& row, const Place& place, const Definition& definition,
                     Definitions& all) {
  const auto check = [&](const RowReference& reference, const Place& at, bool is_factor) {
    check_reference(reference, at, definition, all, true);
    const RowDefinition& named = all.find(definition, reference)->row;
    if (is_factor && named.quantity != Quantity::iterations) {
      at.fail(fmt::format("the row '{}' is not one of iterations", named.label));
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
  if (leads_to(row, {definition, row}, all, seen)) place.fail("it leads back to this row");
}

void check_references(const Definition& definition, const Place& top, Definitions& all) {
  const std::vector<GroupPlace> places = group_places(top);
  for (std::size_t g = 0; g < places.size(); ++g) {
    const std::vector<Place> rows = places[g].rows.items();
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const RowDefinition& row = definition.groups[g].rows[r];
      if (row.numerator && row.baseline) {
        check_reference(*row.numerator, rows[r].at("numerator"), definition, all, true);
        check_reference(*row.baseline, rows[r].at("baseline"), definition, all, true);
      }
      if (row.continues) {
        check_reference(*row.continues, rows[r].at("continues"), definition, all, false);
      }
      if (!row.otherwise.empty()) {
        check_otherwise(row, rows[r].at("otherwise"), definition, all);
      }
    }
  }
}

}  // namespace

std::string to_string(Quantity quantity) {
  const auto found = std::find_if(quantities.begin(), quantities.end(),
                                  [&](const auto& pair) { return pair.second == quantity; });
  return std::string(found->first);
}

bool is_time(Quantity quantity) {
  switch (quantity) {
    case Quantity::iterations:
    case Quantity::figure:
    case Quantity::ratio:
    case Quantity::deviation:
    case Quantity::constant:
    case Quantity::machine:
      return false;
    default:
      return true;
  }
}

const RowDefinition* Definition::find_row(std::string_view label, std::string_view of_group) const {
  for (const GroupDefinition& group : groups) {
    if (!of_group.empty() && group.label != of_group) continue;
    for (const RowDefinition& row : group.rows) {
      if (row.label == label) return &row;
    }
  }
  return nullptr;
}

Definitions::Definitions(fs::path folder) : folder_(std::move(folder)) {
  std::error_code failed;
  for (fs::directory_iterator paper(folder_, failed), end; paper != end; ++paper) {
    if (!paper->is_directory()) continue;
    for (const fs::directory_entry& table : fs::directory_iterator(paper->path())) {
      if (table.path().extension() != ".json") continue;
      if (table.path().filename() == claims_file) continue;
      ids_.push_back(paper->path().filename().string() + "/" + table.path().stem().string());
    }
  }
  std::sort(ids_.begin(), ids_.end());
  if (ids_.empty()) {
    throw UsageError(fmt::format("{}: no definition of a table is there", folder_.string()));
  }
}

std::vector<std::string> Definitions::papers() const {
  std::vector<std::string> papers;
  for (const std::string& id : ids_) {
    const std::string paper = id.substr(0, id.find('/'));
    if (papers.empty() || papers.back() != paper) papers.push_back(paper);
  }
  return papers;
}

const Definition& Definitions::get(std::string_view id) {
  if (const auto known = loaded_.find(id); known != loaded_.end()) return *known->second;
  if (!std::binary_search(ids_.begin(), ids_.end(), id)) {
    throw UsageError(unknown_name("table", id, ids_));
  }
  const fs::path path = folder_ / (std::string(id) + ".json");
  const std::string file = display_path(path);
  const json document = read_json(path, file);
  const Place top(file, document);
  Definition definition = read_definition(top);
  definition.file = file;
  if (definition.id() != id) {
    top.at("table").fail(fmt::format("it says {}, and its place says {}", definition.id(), id));
  }
  check_labels(top);

  // Known before its references are checked, so that two tables may refer to each other.
  const auto entry = loaded_.emplace(id, std::make_unique<Definition>(std::move(definition))).first;
  try {
    check_references(*entry->second, top, *this);
  } catch (...) {
    loaded_.erase(entry);
    throw;
  }
  return *entry->second;
}

std::optional<RowOfTable> Definitions::find(const Definition& table,
                                            const RowReference& reference) {
  const Definition* its = &table;
  if (!reference.table.empty()) {
    if (!std::ranges::binary_search(ids_, reference.table)) return std::nullopt;
    its = &get(reference.table);
  }
  const RowDefinition* row = its->find_row(reference.row, reference.group);
  return row == nullptr ? std::nullopt : std::optional<RowOfTable>({*its, *row});
}

std::vector<const Definition*> Definitions::get_all(const std::vector<std::string>& names) {
  std::vector<std::string> wanted;
  for (const std::string& name : names.empty() ? ids_ : names) {
    const std::size_t before = wanted.size();
    for (const std::string& id : ids_) {
      if (id == name || id.starts_with(name + "/")) wanted.push_back(id);
    }
    if (wanted.size() == before) throw UsageError(unknown_name("table", name, ids_));
  }
  std::vector<const Definition*> definitions;
  std::set<std::string> seen;
  for (const std::string& id : wanted) {
    if (seen.insert(id).second) definitions.push_back(&get(id));
  }
  return definitions;
}

}  // namespace macrobench
