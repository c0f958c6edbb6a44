#include "paper_tables/errata/errata_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/text/nearest.hpp"

namespace macrobench {

namespace {

std::vector<std::string> labels_of(const Definition& table) {
  std::vector<std::string> labels;
  for (const ColumnDefinition& column : table.columns) labels.push_back(column.label);
  return labels;
}

const Definition& read_table(const Place& place, Definitions& definitions) {
  const std::string id = place.text();
  if (!std::ranges::binary_search(definitions.ids(), id)) {
    place.fail(unknown_name("table", id, definitions.ids()));
  }
  return definitions.get(id);
}

void check_column(const Place& place, const Definition& table, const std::string& label) {
  if (!find_column(table, label)) place.fail(unknown_name("column", label, labels_of(table)));
}

/// Every cell and row that the formula names is there, seen from the group.
void check_operands(const Place& place, const Formula& formula, Definitions& definitions,
                    const Definition* home, const std::string& group) {
  for_each_operand(formula, [&](const Formula& operand) {
    const std::string& label = operand.row.row;
    if (home == nullptr && operand.row.table.empty()) {
      place.fail(fmt::format("the row '{}' needs its table: the number is in the text", label));
    }
    if (!operand.row.table.empty() &&
        !std::ranges::binary_search(definitions.ids(), operand.row.table)) {
      place.fail(unknown_name("table", operand.row.table, definitions.ids()));
    }
    const Definition& from = home != nullptr ? *home : definitions.get(operand.row.table);
    const std::optional<RowPlace> found = find_row(definitions, from, group, operand.row);
    if (!found) {
      std::vector<std::string> known;
      const Definition& table =
          operand.row.table.empty() ? from : definitions.get(operand.row.table);
      for (const GroupDefinition& its : table.groups) {
        if (!operand.row.group.empty() && its.label != operand.row.group) continue;
        for (const RowDefinition& row : its.rows) {
          if (!row.extra) known.push_back(row.label);
        }
      }
      if (known.empty()) place.fail(fmt::format("there is no group '{}'", operand.row.group));
      place.fail(unknown_name("row", label, known));
    }
    if (!operand.column.empty()) {
      check_column(place, *found->table, operand.column);
    } else if (home == nullptr && operand.kind == Formula::Kind::root_fit && !operand.at) {
      place.fail(
          fmt::format("the fit of '{}' needs a size, 'at': the number is in the text", label));
    } else if (home == nullptr && operand.kind == Formula::Kind::cell) {
      place.fail(fmt::format("the row '{}' needs a column: the number is in the text", label));
    }
  });
}

Rule read_common(const Place& place) {
  Rule rule;
  rule.basis = read_basis(place.at("rule"));
  rule.says = place.at("says").text();
  if (place.has("within")) rule.within = place.at("within").number();
  return rule;
}

Rule read_text_rule(const Place& place, Definitions& definitions) {
  place.allow({"paper", "where", "what", "printed", "unit", "rule", "says", "within", "follows",
               "instead"});
  Rule rule = read_common(place);
  rule.paper = place.at("paper").text();
  const std::vector<std::string> papers = definitions.papers();
  if (std::ranges::find(papers, rule.paper) == papers.end()) {
    place.at("paper").fail(unknown_name("paper", rule.paper, papers));
  }
  rule.where = place.at("where").text();
  rule.what = place.at("what").text();
  rule.printed = place.at("printed").text();
  if (place.has("unit")) rule.unit = place.at("unit").number();
  if (!printed_bounds(rule.printed, rule.unit)) {
    place.at("printed").fail("it must be a number as printed");
  }
  rule.follows = read_formula(place.at("follows"));
  check_operands(place.at("follows"), rule.follows, definitions, nullptr, {});
  if (place.has("instead")) {
    const Place instead = place.at("instead");
    instead.allow({"says", "follows"});
    rule.instead_says = instead.at("says").text();
    rule.instead = read_formula(instead.at("follows"));
    check_operands(instead.at("follows"), *rule.instead, definitions, nullptr, {});
  }
  return rule;
}

Rule read_table_rule(const Place& place, const Place& id, Definitions& definitions) {
  place.allow({"table", "group", "row", "columns", "rule", "says", "within", "follows", "sums_to"});
  Rule rule = read_common(place);
  const Definition& table = read_table(id, definitions);
  rule.table = table.id();
  rule.paper = table.paper;
  if (place.has("columns")) {
    for (const Place& column : place.at("columns").items()) {
      check_column(column, table, column.text());
      rule.columns.push_back(column.text());
    }
  }
  if (place.has("sums_to")) {
    rule.total = place.at("sums_to").number();
    return rule;
  }
  rule.group = place.text_or_empty("group");
  rule.row = place.at("row").text();
  rule.follows = read_formula(place.at("follows"));
  bool any = false;
  std::vector<std::string> known;
  for (const GroupDefinition& group : table.groups) {
    for (const RowDefinition& row : group.rows) {
      if (row.extra) continue;
      if (rule.group.empty() || group.label == rule.group) known.push_back(row.label);
      if (!rule.is_of(group.label, row.label)) continue;
      any = true;
      check_operands(place.at("follows"), rule.follows, definitions, &table, group.label);
    }
  }
  if (known.empty()) place.at("group").fail(fmt::format("there is no group '{}'", rule.group));
  if (!any) place.at("row").fail(unknown_name("row", rule.row, known));
  return rule;
}

}  // namespace

std::vector<Rule> read_rules(const std::filesystem::path& folder, Definitions& definitions) {
  const std::filesystem::path path = folder / "errata_rules.json";
  if (!std::filesystem::exists(path)) return {};
  const std::string file = display_path(path);
  const nlohmann::json document = read_json(path, file);
  const Place top(file, document);
  top.allow({"schema", "rules"});
  top.at("schema").check_schema(1);
  std::vector<Rule> rules;
  for (const Place& place : top.at("rules").items()) {
    if (!place.has("table")) {
      rules.push_back(read_text_rule(place, definitions));
      continue;
    }
    const Place tables = place.at("table");
    for (const Place& id : tables.is_list() ? tables.items() : std::vector<Place>{tables}) {
      rules.push_back(read_table_rule(place, id, definitions));
    }
  }
  return rules;
}

std::optional<RowPlace> find_row(Definitions& definitions, const Definition& home,
                                 const std::string& home_group, const RowReference& reference) {
  const bool is_here = reference.table.empty() || reference.table == home.id();
  const Definition& table = is_here ? home : definitions.get(reference.table);
  std::optional<RowPlace> first;
  for (const GroupDefinition& group : table.groups) {
    if (!reference.group.empty() && group.label != reference.group) continue;
    for (const RowDefinition& row : group.rows) {
      if (row.extra || row.label != reference.row) continue;
      const RowPlace place{&table, &group, &row};
      if (is_here && group.label == home_group) return place;
      if (!first) first = place;
    }
  }
  return first;
}

std::optional<std::size_t> find_column(const Definition& table, const std::string& label) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].label == label) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> find_column(const Definition& table, const ColumnDefinition& like) {
  if (const auto found = find_column(table, like.label)) return found;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].is_like(like)) return i;
  }
  return std::nullopt;
}

}  // namespace macrobench
