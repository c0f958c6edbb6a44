#include "paper_tables/errata/errata_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/text/nearest.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/find.hpp"

namespace macrobench {

namespace {

/// Checks that every cell and row that the formula names exists, seen from the group.
void check_operands(const Place& place, const Formula& formula, Definitions& definitions,
                    const Definition* home, const std::string& group) {
  for_each_operand(formula, [&](const Formula& operand) {
    const std::string& label = operand.row.row;
    if (home == nullptr && operand.row.table.empty()) {
      place.fail(fmt::format("the row '{}' needs its table: the number is in the text", label));
    }
    const RowPlace found = find_row(
        place, operand.row, {.table = home, .group = group, .published_only = true}, definitions);
    if (!operand.column.empty()) {
      if (find_column(*found.table, operand.column)) return;
      place.fail(unknown_name("column", operand.column, labels_of(found.table->columns)));
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
  rule.paper = name_at(place.at("paper"), "paper", definitions.papers());
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
  const Definition& table = find_table(id, definitions);
  rule.table = table.id();
  rule.paper = table.paper;
  if (place.has("columns")) {
    rule.columns = place.at("columns").list_of(
        [&](const Place& column) { return table.columns[find_column(column, table)].label; });
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
  for (const auto& [its_table, group, row] : places_in(table)) {
    if (row->extra) continue;
    if (rule.group.empty() || group->label == rule.group) known.push_back(row->label);
    if (!rule.is_of(group->label, row->label)) continue;
    any = true;
    check_operands(place.at("follows"), rule.follows, definitions, its_table, group->label);
  }
  if (known.empty()) place.at("group").fail(fmt::format("there is no group '{}'", rule.group));
  if (!any) place.at("row").fail(unknown_name("row", rule.row, known));
  return rule;
}

}  // namespace

std::vector<Rule> read_rules(const std::filesystem::path& folder, Definitions& definitions) {
  std::vector<Rule> rules;
  for_each_in(folder / "errata_rules.json", "rules", [&](const Place& place) {
    if (!place.has("table")) {
      rules.push_back(read_text_rule(place, definitions));
      return;
    }
    const Place tables = place.at("table");
    for (const Place& id : one_or_several(tables)) {
      rules.push_back(read_table_rule(place, id, definitions));
    }
  });
  return rules;
}

const PlaceInPrint* FoundByReading::place_in(const std::string& paper) const {
  const auto place = std::ranges::find(places, paper, &PlaceInPrint::paper);
  return place == places.end() ? nullptr : &*place;
}

std::vector<FoundByReading> read_readings(const std::filesystem::path& folder,
                                          const Definitions& definitions) {
  std::vector<FoundByReading> readings;
  for_each_in(folder / "errata_by_reading.json", "errata", [&](const Place& place) {
    place.allow(
        {"paper", "where", "also", "kind", "explains", "printed", "right", "evidence", "tests"});
    const auto read_place = [&](const Place& one) {
      return PlaceInPrint{name_at(one.at("paper"), "paper", definitions.papers()),
                          one.at("where").text()};
    };
    FoundByReading& reading = readings.emplace_back(FoundByReading{
        .places = {read_place(place)},
        .is_of_code =
            place.has("kind") && find_name(place.at("kind"), "kind", {"code", "print"}) == 0,
        .explains = {},
        .printed = place.at("printed").text(),
        .right = place.at("right").text(),
        .evidence = place.at("evidence").text(),
        .tests = {}});
    if (place.has("also")) reading.places.push_back(read_place(place.at("also")));
    if (place.has("explains")) reading.explains = read_reference(place.at("explains"));
    reading.tests = place.at("tests").list_of(&Place::text);
    if (reading.tests.empty()) {
      place.at("tests").fail("an erratum that no test demonstrates is not in the list");
    }
  });
  return readings;
}

}  // namespace macrobench
