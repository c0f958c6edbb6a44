#include "paper_tables/errata/errata.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "harness/text/error.hpp"
#include "paper_tables/cells/bounds.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/find.hpp"
#include "paper_tables/cells/table_options.hpp"

namespace macrobench {

namespace {

/// The column of an erratum that is in a row as a whole.
constexpr const char* sum_of_cells = "the sum of its cells";

/// A cell of a table; without a table, a number in the text.
struct Address {
  RowPlace place = {};
  std::size_t column = 0;

  [[nodiscard]] bool is_in_text() const { return place.table == nullptr; }
  [[nodiscard]] const std::string& label() const { return place.table->columns[column].label; }
  [[nodiscard]] const std::optional<std::string>& printed() const {
    return place.row->published[column];
  }
  auto operator<=>(const Address& other) const {
    return std::tie(place.row, column) <=> std::tie(other.place.row, other.column);
  }
};

/// What the paper's references in a row of the place mean; for the text, which is in no table.
View view_of(const RowPlace& place) {
  View view{.table = place.table, .published_only = true};
  if (place.group != nullptr) view.group = place.group->label;
  return view;
}

/// By its label, or else by its parameters.
std::optional<std::size_t> column_like(const Definition& table, const ColumnDefinition& column) {
  const auto found = find_column(table, column.label);
  return found ? found : find_like(table, column);
}

bool is_asked_for(const Rule& rule, const Definition& table, std::size_t column) {
  return rule.columns.empty() ||
         std::ranges::find(rule.columns, table.columns[column].label) != rule.columns.end();
}

/// Printed over recomputed, less one.
double off_by(Bounds printed, Bounds recomputed) {
  return printed.middle() / recomputed.middle() - 1;
}

bool misses(Bounds printed, Bounds recomputed, const Rule& rule) {
  return are_apart(printed, recomputed) &&
         (!rule.within || std::abs(off_by(printed, recomputed)) > *rule.within);
}

bool is_slight(const Erratum& erratum) {
  return erratum.basis == Basis::inferred && erratum.off && std::abs(*erratum.off) < slight_below;
}

/// In a row, or by a rule of the text.
Erratum erratum_in(const RowPlace& place, const Rule& rule) {
  if (place.table == nullptr) {
    return {.paper = rule.paper,
            .where = rule.where,
            .row = rule.what,
            .printed = rule.printed,
            .basis = rule.basis,
            .rule = rule.says};
  }
  const std::string& group = place.group->label;
  return {.paper = place.table->paper,
          .table = place.table->id(),
          .where = place.table->where,
          .row = group.empty() ? place.row->label : group + ": " + place.row->label,
          .basis = rule.basis,
          .rule = rule.says};
}

Bounds combined(Formula::Kind kind, Bounds a, Bounds b) {
  switch (kind) {
    case Formula::Kind::plus:
      return a + b;
    case Formula::Kind::minus:
      return a - b;
    case Formula::Kind::over:
      return a / b;
    case Formula::Kind::power:
      return power(a, b.middle());
    default:
      return a * b;
  }
}

/// Of its column.
double size_of(const Address& cell) {
  const std::optional<double> size = printed_number(cell.label());
  if (!size) {
    throw UsageError(fmt::format("{}: a fit needs columns of numbers, and there is '{}'",
                                 cell.place.table->file, cell.label()));
  }
  return *size;
}

class Checker {
 public:
  Checker(Definitions& definitions, std::vector<Rule> rules)
      : definitions_(definitions), rules_(std::move(rules)) {}

  void check_table(const Definition& table) {
    for (const RowPlace& place : places_in(table)) {
      if (place.row->extra) continue;
      for (const Rule* rule : rules_of_row(place)) check_row(place, *rule);
    }
  }

  void check_text(const std::string& paper) {
    for (const Rule& rule : rules_) {
      if (!rule.is_of_text() || rule.paper != paper) continue;
      const std::optional<Bounds> recomputed = value_of(rule.follows, {}, true);
      if (!recomputed || (rule.instead && !value_of(*rule.instead, {}, false))) {
        throw UsageError(fmt::format("the rule of '{}' needs a number that {} does not print",
                                     rule.what, paper));
      }
      add({rule.where, rule.what, rule.says}, judge({}, rule, *recomputed));
    }
  }

  /// The findings: slight misses by the rule that they miss.
  [[nodiscard]] Errata found() const {
    Errata errata;
    for (const auto& [key, times] : applied_) errata.checked += times;
    std::map<Key, std::size_t> slight;
    for (const auto& [key, erratum] : missed_) {
      if (!is_slight(erratum)) {
        errata.cells.push_back(erratum);
        continue;
      }
      const double off = std::abs(erratum.off.value_or(0));
      const auto [known, is_new] = slight.try_emplace(key, errata.slight.size());
      if (is_new) {
        errata.slight.push_back({.paper = erratum.paper,
                                 .table = erratum.table,
                                 .where = erratum.where,
                                 .row = std::get<1>(key),
                                 .rule = erratum.rule,
                                 .of = applied_.at(key),
                                 .least = off,
                                 .most = off});
      }
      Slight& finding = errata.slight[known->second];
      finding.cells.push_back(erratum);
      finding.least = std::min(finding.least, off);
      finding.most = std::max(finding.most, off);
    }
    return errata;
  }

 private:
  /// The table or place in the text, the row without its group, and what the rule says.
  using Key = std::tuple<std::string, std::string, std::string>;

  /// Those of the row's own ratio, of its label, and of every row of its table.
  std::vector<const Rule*> rules_of_row(const RowPlace& place) {
    const auto known = by_row_.find(place.row);
    if (known != by_row_.end()) return known->second;
    std::vector<const Rule*> rules;
    if (place.row->quantity == Quantity::ratio) {
      rules.push_back(&ratios_.emplace(place.row, rule_of_ratio(place)).first->second);
    }
    for (const Rule& rule : rules_) {
      if (rule.table != place.table->id()) continue;
      if (rule.total || rule.is_of(place.group->label, place.row->label)) rules.push_back(&rule);
    }
    by_row_[place.row] = rules;
    return rules;
  }

  /// Counts that the rule was applied, and what it found.
  void add(const Key& key, std::optional<Erratum> erratum) {
    ++applied_[key];
    if (erratum) missed_.emplace_back(key, std::move(*erratum));
  }

  void check_row(const RowPlace& place, const Rule& rule) {
    const Key key{place.table->id(), place.row->label, rule.says};
    if (rule.total) {
      add(key, judge_total(place, rule));
      return;
    }
    for (std::size_t column = 0; column < place.table->columns.size(); ++column) {
      const Address cell{place, column};
      if (!is_asked_for(rule, *place.table, column) || !cell.printed()) continue;
      const std::optional<Bounds> recomputed = value_of(rule.follows, cell, true);
      if (recomputed) add(key, judge(cell, rule, *recomputed));
    }
  }

  /// numerator over baseline, and what either is where the paper does not print it.
  Rule rule_of_ratio(const RowPlace& place) {
    const RowDefinition& row = *place.row;
    Rule rule;
    rule.basis = row.basis;
    const RowReference numerator = row.numerator.value_or(RowReference{});
    const RowReference baseline = row.baseline.value_or(RowReference{});
    rule.says = fmt::format("{} / {}", numerator.called, baseline.called);
    rule.follows.kind = Formula::Kind::over;
    for (const RowReference& reference : {numerator, baseline}) {
      rule.follows.operands.push_back({.kind = Formula::Kind::cell, .row = reference});
      const auto its = find_row(reference, view_of(place), definitions_);
      const auto is_printed = [](const auto& cell) { return cell.has_value(); };
      if (!its || std::ranges::any_of(its->row->published, is_printed)) continue;
      const std::vector<const Rule*> rules = rules_of_row(*its);
      if (!rules.empty()) {
        rule.says += fmt::format(", whose {} is {}", its->row->label, rules.front()->says);
      }
    }
    return rule;
  }

  /// Those that a cell follows from.
  std::vector<const Rule*> rules_of(const Address& cell) {
    std::vector<const Rule*> rules = rules_of_row(cell.place);
    std::erase_if(rules, [&](const Rule* rule) {
      return rule->total || !is_asked_for(*rule, *cell.place.table, cell.column);
    });
    return rules;
  }

  /// Whether the number follows from what it was recomputed as; none if it does.
  std::optional<Erratum> judge(const Address& address, const Rule& rule, Bounds recomputed) {
    Erratum erratum = erratum_in(address.place, rule);
    erratum.recomputed = recomputed;
    if (!address.is_in_text()) {
      erratum.column = address.label();
      erratum.printed = address.printed().value_or("");
    }
    const std::optional<Bounds> printed = printed_bounds(erratum.printed, rule.unit);
    if (!printed) {
      erratum.note = "it is not a number";
      return erratum;
    }
    // Where a number is made of an erratum, it may be made of that as printed, or as it should be.
    const Bounds as_printed = value_of(rule.follows, address, false).value_or(recomputed);
    for (const Bounds& value : {recomputed, as_printed}) {
      if (!misses(*printed, value, rule)) return std::nullopt;
    }
    const bool is_of_printed =
        std::abs(off_by(*printed, as_printed)) < std::abs(off_by(*printed, recomputed));
    if (is_of_printed) erratum.recomputed = as_printed;
    erratum.off = off_by(*printed, erratum.recomputed);
    if (are_apart(as_printed, recomputed)) {
      // Which of the numbers that it is made of is wrong, and what it should be, is our inference.
      erratum.basis = Basis::inferred;
      erratum.note = fmt::format("one of its numbers is itself an erratum: with that {}, {}",
                                 is_of_printed ? "mended" : "as printed",
                                 to_string(is_of_printed ? recomputed : as_printed));
    }
    const auto instead = rule.instead ? value_of(*rule.instead, address, false) : std::nullopt;
    if (instead && !misses(*printed, *instead, rule)) {
      erratum.note = fmt::format("it follows from {}: {}", rule.instead_says, to_string(*instead));
    }
    return erratum;
  }

  /// A row whose cells add up to something, as those of a stochastic matrix do.
  static std::optional<Erratum> judge_total(const RowPlace& place, const Rule& rule) {
    Bounds sum;
    std::vector<Address> unreadable;
    for (std::size_t i = 0; i < place.table->columns.size(); ++i) {
      if (!is_asked_for(rule, *place.table, i)) continue;
      const std::optional<Bounds> cell = printed_bounds(place.row->published[i].value_or(""));
      if (cell) {
        sum = sum + *cell;
      } else {
        unreadable.push_back({place, i});
      }
    }
    Erratum erratum = erratum_in(place, rule);
    const Bounds total = Bounds::exactly(rule.total.value_or(0));
    if (unreadable.empty()) {
      if (!misses(sum, total, rule)) return std::nullopt;
      erratum.column = sum_of_cells;
      erratum.printed = fmt::format("{:.9g}", sum.middle());
      erratum.recomputed = total;
      erratum.off = off_by(sum, total);
    } else {
      erratum.column = unreadable.front().label();
      erratum.printed = unreadable.front().printed().value_or("");
      erratum.recomputed = total - sum;
      erratum.note = unreadable.size() == 1 ? "it is not a number" : "there are several such cells";
    }
    return erratum;
  }

  std::optional<Address> cell_of(const Formula& operand, const Address& home) {
    const auto place = find_row(operand.row, view_of(home.place), definitions_);
    if (!place) return std::nullopt;
    const std::size_t back = operand.previous ? 1 : 0;
    std::optional<std::size_t> column;
    if (!operand.column.empty()) {
      column = find_column(*place->table, operand.column);
    } else if (!home.is_in_text() && home.column >= back) {
      const std::size_t here = home.column - back;
      column = place->table == home.place.table
                   ? std::optional(here)
                   : column_like(*place->table, home.place.table->columns[here]);
    }
    return column ? std::optional(Address{*place, *column}) : std::nullopt;
  }

  /// From numbers as printed, or `mended`: as they should be. None if a cell that the formula needs
  /// is not printed, and does not follow from others that are.
  std::optional<Bounds> value_of(const Formula& formula, const Address& home, bool mended) {
    switch (formula.kind) {
      case Formula::Kind::number:
        return formula.number;
      case Formula::Kind::cell: {
        const std::optional<Address> cell = cell_of(formula, home);
        if (!cell) return std::nullopt;
        return value_of_cell(*cell, home.place.row == cell->place.row, mended);
      }
      case Formula::Kind::root_fit:
        return root_fit_at(points_of(formula, home), size_asked_for(formula, home));
      case Formula::Kind::adjusted_r2:
        return adjusted_r2_of_roots(points_of(formula, home));
      default:
        break;
    }
    std::optional<Bounds> result;
    for (const Formula& operand : formula.operands) {
      const std::optional<Bounds> value = value_of(operand, home, mended);
      if (!value) return std::nullopt;
      result = result ? combined(formula.kind, *result, *value) : value;
    }
    return result;
  }

  /// Where it is not printed, as it follows from its rule. A count is exact.
  std::optional<Bounds> value_of_cell(const Address& cell, bool for_own_row, bool mended) {
    // Until it is known, no operand of the cell may follow from the cell.
    if (!open_.insert(cell).second) {
      throw UsageError(fmt::format("{}: {} @ {} follows from itself", cell.place.table->id(),
                                   cell.place.row->label, cell.label()));
    }
    const std::vector<const Rule*> rules = rules_of(cell);
    std::optional<Bounds> value;
    if (const std::optional<std::string>& printed = cell.printed()) {
      value = printed_bounds(*printed);
      const bool is_count = cell.place.row->quantity == Quantity::iterations;
      if (value && is_count) value = Bounds::exactly(value->middle());
      if (value && mended) value = mended_value(cell, for_own_row, rules, *value);
    } else if (!rules.empty()) {
      value = value_of(rules.front()->follows, cell, mended);
    }
    open_.erase(cell);
    return value;
  }

  /// An approximate rule does not know what a number should be: it corrects one only for the rest
  /// of its own row.
  Bounds mended_value(const Address& cell, bool for_own_row, const std::vector<const Rule*>& rules,
                      Bounds value) {
    for (const Rule* rule : rules) {
      if (rule->within && !for_own_row) continue;
      const std::optional<Bounds> recomputed = value_of(rule->follows, cell, true);
      const auto erratum = recomputed ? judge(cell, *rule, *recomputed) : std::nullopt;
      if (erratum && !is_slight(*erratum)) return *recomputed;
    }
    return value;
  }

  static double size_asked_for(const Formula& fit, const Address& home) {
    if (fit.at) return *fit.at;
    if (home.is_in_text()) throw UsageError(fmt::format("a fit of '{}' needs a size", fit.row.row));
    return size_of(home);
  }

  std::vector<PrintedPoint> points_of(const Formula& fit, const Address& home) {
    const std::optional<RowPlace> place = find_row(fit.row, view_of(home.place), definitions_);
    if (!place) throw UsageError(fmt::format("a fit needs the row '{}'", fit.row.row));
    std::vector<PrintedPoint> points;
    for (std::size_t i = 0; i < place->table->columns.size(); ++i) {
      const Address cell{*place, i};
      const std::optional<Bounds> value = printed_bounds(cell.printed().value_or(""));
      if (value) points.push_back({size_of(cell), *value});
    }
    if (points.size() < 3) {
      throw UsageError(fmt::format("{}: a fit needs three numbers of '{}'", place->table->file,
                                   place->row->label));
    }
    return points;
  }

  Definitions& definitions_;
  std::vector<Rule> rules_;
  std::map<const RowDefinition*, Rule> ratios_;
  std::map<const RowDefinition*, std::vector<const Rule*>> by_row_;
  std::map<Key, int> applied_;
  std::vector<std::pair<Key, Erratum>> missed_;
  std::set<Address> open_;
};

}  // namespace

Errata find_errata(const std::filesystem::path& folder, const std::vector<std::string>& papers) {
  Definitions definitions(folder);
  const std::vector<std::string> chosen = chosen_papers(definitions.papers(), papers);
  std::vector<FoundByReading> readings = read_readings(folder, definitions);
  Checker checker(definitions, read_rules(folder, definitions));
  for (const std::string& paper : chosen) {
    for (const std::string& id : definitions.ids()) {
      if (id.starts_with(paper + "/")) checker.check_table(definitions.get(id));
    }
    checker.check_text(paper);
  }
  Errata errata = checker.found();
  for (const std::string& id : definitions.ids()) {
    const Definition& table = definitions.get(id);
    errata.documents[table.paper] = table.document;
  }
  std::ranges::copy_if(
      readings, std::back_inserter(errata.readings), [&](const FoundByReading& reading) {
        return std::ranges::any_of(
            chosen, [&](const std::string& paper) { return reading.place_in(paper) != nullptr; });
      });
  // Explained, it is one erratum and not two.
  for (const FoundByReading& reading : errata.readings) {
    if (!reading.explains) continue;
    const std::size_t explained = std::erase_if(errata.cells, [&](const Erratum& erratum) {
      return erratum.table == reading.explains->table && erratum.row == reading.explains->row &&
             erratum.column == sum_of_cells;
    });
    if (explained != 1) {
      throw UsageError(fmt::format(
          "errata_by_reading.json: no rule finds the row '{}' of {}, which one of them explains",
          reading.explains->row, reading.explains->table));
    }
  }
  return errata;
}

}  // namespace macrobench
