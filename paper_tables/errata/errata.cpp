#include "paper_tables/errata/errata.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "harness/text/error.hpp"
#include "harness/text/nearest.hpp"
#include "paper_tables/definitions/bounds.hpp"
#include "paper_tables/definitions/definitions.hpp"
#include "paper_tables/definitions/find.hpp"
#include "paper_tables/tables/table.hpp"

namespace macrobench {

namespace {

/// A cell of a table.
struct Address {
  RowPlace place;
  std::size_t column;

  [[nodiscard]] const std::optional<std::string>& printed() const {
    return place.row->published[column];
  }
  [[nodiscard]] std::string name() const {
    return fmt::format("{}: {} @ {}", place.table->id(), place.row->label,
                       place.table->columns[column].label);
  }
  auto operator<=>(const Address& other) const {
    return std::tie(place.row, column) <=> std::tie(other.place.row, other.column);
  }
};

std::string row_with_group(const RowPlace& place) {
  return place.group->label.empty() ? place.row->label
                                    : place.group->label + ": " + place.row->label;
}

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

bool is_printed(const std::optional<std::string>& cell) {
  return cell.has_value();
}

class Checker {
 public:
  Checker(Definitions& definitions, std::vector<Rule> rules)
      : definitions_(definitions), rules_(std::move(rules)) {}

  void check_table(const Definition& table) {
    for (const GroupDefinition& group : table.groups) {
      for (const RowDefinition& row : group.rows) {
        if (row.extra) continue;
        for (const Rule* rule : rules_of_row({&table, &group, &row})) {
          check_row({&table, &group, &row}, *rule);
        }
      }
    }
  }

  void check_text(const std::string& paper) {
    for (const Rule& rule : rules_) {
      if (!rule.is_of_text() || rule.paper != paper) continue;
      if (!can_be_recomputed(rule.follows, {}) ||
          (rule.instead && !can_be_recomputed(*rule.instead, {}))) {
        throw UsageError(fmt::format("the rule of '{}' needs a number that {} does not print",
                                     rule.what, paper));
      }
      const Bounds recomputed = value_of(rule.follows, {}, true);
      const Bounds printed = printed_bounds(rule.printed, rule.unit).value_or(recomputed);
      const Key key{rule.where, rule.what, rule.says};
      ++applied_[key];
      if (!misses(printed, recomputed, rule)) continue;
      Erratum erratum{.paper = paper,
                      .table = {},
                      .where = rule.where,
                      .row = rule.what,
                      .column = {},
                      .printed = rule.printed,
                      .recomputed = recomputed,
                      .off = printed.middle() / recomputed.middle() - 1,
                      .basis = rule.basis,
                      .rule = rule.says,
                      .note = {}};
      say_what_is_mended(value_of(rule.follows, {}, false), erratum);
      say_what_it_follows_from(printed, rule, erratum);
      missed_.emplace_back(key, std::move(erratum));
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
                                 .cells = 0,
                                 .of = applied_.at(key),
                                 .least = off,
                                 .most = off});
      }
      Slight& finding = errata.slight[known->second];
      ++finding.cells;
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

  void check_row(const RowPlace& place, const Rule& rule) {
    if (rule.total) {
      check_total(place, rule);
      return;
    }
    const Key key{place.table->id(), place.row->label, rule.says};
    for (std::size_t column = 0; column < place.table->columns.size(); ++column) {
      if (!is_asked_for(rule, *place.table, column)) continue;
      const Address address{place, column};
      if (!address.printed() || !can_be_recomputed(rule.follows, address)) continue;
      ++applied_[key];
      if (std::optional<Erratum> erratum = judge(address, rule)) {
        missed_.emplace_back(key, std::move(*erratum));
      }
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
    for (const RowReference& part : {numerator, baseline}) {
      rule.follows.parts.push_back({.kind = Formula::Kind::cell, .row = part});
      const auto its = find_row(part, view_of(place), definitions_);
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

  static bool is_asked_for(const Rule& rule, const Definition& table, std::size_t column) {
    return rule.columns.empty() ||
           std::ranges::find(rule.columns, table.columns[column].label) != rule.columns.end();
  }

  static bool misses(Bounds printed, Bounds recomputed, const Rule& rule) {
    if (!are_apart(printed, recomputed)) return false;
    const double off = printed.middle() / recomputed.middle() - 1;
    return !rule.within || std::abs(off) > *rule.within;
  }

  static bool is_slight(const Erratum& erratum) {
    return erratum.basis == Basis::inferred && erratum.off && std::abs(*erratum.off) < slight_below;
  }

  static Erratum erratum_at(const RowPlace& place, const Rule& rule) {
    return {.paper = place.table->paper,
            .table = place.table->id(),
            .where = place.table->where,
            .row = row_with_group(place),
            .column = {},
            .printed = {},
            .recomputed = {},
            .off = {},
            .basis = rule.basis,
            .rule = rule.says,
            .note = {}};
  }

  /// That a number it is made of is wrong itself: which, and what it should be, is our inference.
  static void say_what_is_mended(Bounds as_printed, Erratum& erratum) {
    if (!are_apart(as_printed, erratum.recomputed)) return;
    erratum.basis = Basis::inferred;
    erratum.note =
        fmt::format("computed from a number that is itself an erratum: with that as printed, {}",
                    to_string(as_printed));
  }

  void say_what_it_follows_from(Bounds printed, const Rule& rule, Erratum& erratum) {
    if (!rule.instead) return;
    const Bounds value = value_of(*rule.instead, {}, false);
    if (misses(printed, value, rule)) return;
    erratum.note = fmt::format("it follows from {}: {}", rule.instead_says, to_string(value));
  }

  /// Whether the printed cell follows from the rule; none if it does.
  std::optional<Erratum> judge(const Address& address, const Rule& rule) {
    Erratum erratum = erratum_at(address.place, rule);
    erratum.column = address.place.table->columns[address.column].label;
    erratum.printed = address.printed().value_or("");
    erratum.recomputed = value_of(rule.follows, address, true);
    const std::optional<Bounds> printed = printed_bounds(erratum.printed);
    if (!printed) {
      erratum.note = "it is not a number";
      return erratum;
    }
    if (!misses(*printed, erratum.recomputed, rule)) return std::nullopt;
    erratum.off = printed->middle() / erratum.recomputed.middle() - 1;
    say_what_is_mended(value_of(rule.follows, address, false), erratum);
    return erratum;
  }

  /// A row whose cells add up to something, as those of a stochastic matrix do.
  void check_total(const RowPlace& place, const Rule& rule) {
    Bounds sum;
    std::vector<std::size_t> unreadable;
    for (std::size_t i = 0; i < place.table->columns.size(); ++i) {
      if (!is_asked_for(rule, *place.table, i)) continue;
      const std::optional<std::string>& printed = place.row->published[i];
      const std::optional<Bounds> cell = printed ? printed_bounds(*printed) : std::nullopt;
      if (cell) {
        sum = sum + *cell;
      } else {
        unreadable.push_back(i);
      }
    }
    const Key key{place.table->id(), place.row->label, rule.says};
    ++applied_[key];
    Erratum erratum = erratum_at(place, rule);
    const Bounds total = Bounds::exactly(rule.total.value_or(0));
    if (unreadable.empty()) {
      if (!misses(sum, total, rule)) return;
      erratum.column = "the sum of its cells";
      erratum.printed = fmt::format("{:.9g}", sum.middle());
      erratum.recomputed = total;
      erratum.off = sum.middle() / total.middle() - 1;
    } else {
      const std::size_t column = unreadable.front();
      erratum.column = place.table->columns[column].label;
      erratum.printed = place.row->published[column].value_or("");
      erratum.recomputed = total - sum;
      erratum.note = unreadable.size() == 1 ? "it is not a number" : "there are several such cells";
    }
    missed_.emplace_back(key, std::move(erratum));
  }

  /// Every cell that the formula needs is printed, or follows from others that are.
  bool can_be_recomputed(const Formula& formula, const std::optional<Address>& home) {
    bool all = true;
    for_each_operand(formula, [&](const Formula& operand) {
      if (operand.kind != Formula::Kind::cell) return;
      const std::optional<Address> cell = cell_of(operand, home);
      if (!cell) {
        all = false;
      } else if (!cell->printed()) {
        open(*cell);
        const std::vector<const Rule*> rules = rules_of(*cell);
        all = all && !rules.empty() && can_be_recomputed(rules.front()->follows, cell);
        open_.erase(*cell);
      } else {
        all = all && printed_bounds(*cell->printed());
      }
    });
    return all;
  }

  std::optional<Address> cell_of(const Formula& operand, const std::optional<Address>& home) {
    const std::optional<RowPlace> place =
        find_row(operand.row, home ? view_of(home->place) : view_of({}), definitions_);
    if (!place) return std::nullopt;
    std::optional<std::size_t> column;
    if (!operand.column.empty()) {
      column = find_column(*place->table, operand.column);
    } else if (home && home->column >= (operand.previous ? 1U : 0U)) {
      const std::size_t here = home->column - (operand.previous ? 1 : 0);
      column = place->table == home->place.table
                   ? std::optional(here)
                   : column_like(*place->table, home->place.table->columns[here]);
    }
    if (!column) return std::nullopt;
    return Address{*place, *column};
  }

  Bounds value_of(const Formula& formula, const std::optional<Address>& home, bool mended) {
    std::vector<Bounds> parts;
    for (const Formula& part : formula.parts) parts.push_back(value_of(part, home, mended));
    switch (formula.kind) {
      case Formula::Kind::number:
        return formula.number;
      case Formula::Kind::cell:
        return value_of_cell(cell_of(formula, home), home, mended);
      case Formula::Kind::minus:
        return parts[0] - parts[1];
      case Formula::Kind::over:
        return parts[0] / parts[1];
      case Formula::Kind::power:
        return power(parts[0], parts[1].middle());
      case Formula::Kind::root_fit:
        return root_fit_at(points_of(formula, home), size_asked_for(formula, home));
      case Formula::Kind::adjusted_r2:
        return adjusted_r2_of_roots(points_of(formula, home));
      default:
        break;
    }
    Bounds result = parts.front();
    for (std::size_t i = 1; i < parts.size(); ++i) {
      result = formula.kind == Formula::Kind::plus ? result + parts[i] : result * parts[i];
    }
    return result;
  }

  /// can_be_recomputed() has found it.
  Bounds value_of_cell(const std::optional<Address>& cell, const std::optional<Address>& home,
                       bool mended) {
    if (!cell) return {};
    return value_of(*cell, home && home->place.row == cell->place.row, mended);
  }

  /// Until it is erased again, no part of the cell may follow from the cell.
  void open(const Address& cell) {
    if (!open_.insert(cell).second) {
      throw UsageError(fmt::format("{} follows from itself", cell.name()));
    }
  }

  /// As printed, or as it should be; where it is not printed, as it follows from its rule. A count
  /// is exact. An approximate rule does not know what a number should be: it corrects one only for
  /// the rest of its own row.
  Bounds value_of(const Address& cell, bool for_own_row, bool mended) {
    open(cell);
    Bounds value;
    const std::vector<const Rule*> rules = rules_of(cell);
    if (!cell.printed()) {
      value = value_of(rules.front()->follows, cell, mended);
    } else {
      value = printed_bounds(cell.printed().value_or("")).value_or(Bounds{});
      if (cell.place.row->quantity == Quantity::iterations) {
        value = Bounds::exactly(value.middle());
      }
      if (mended) value = mended_value(cell, for_own_row, rules, value);
    }
    open_.erase(cell);
    return value;
  }

  Bounds mended_value(const Address& cell, bool for_own_row, const std::vector<const Rule*>& rules,
                      Bounds value) {
    for (const Rule* rule : rules) {
      if (rule->within && !for_own_row) continue;
      if (!can_be_recomputed(rule->follows, cell)) continue;
      const std::optional<Erratum> erratum = judge(cell, *rule);
      if (erratum && !is_slight(*erratum)) return erratum->recomputed;
    }
    return value;
  }

  static double size_of(const Address& cell) {
    const std::string& label = cell.place.table->columns[cell.column].label;
    const std::optional<double> size = printed_number(label);
    if (!size) {
      throw UsageError(fmt::format("{}: a fit needs columns of numbers, and there is '{}'",
                                   cell.place.table->file, label));
    }
    return *size;
  }

  static double size_asked_for(const Formula& fit, const std::optional<Address>& home) {
    if (fit.at) return *fit.at;
    if (!home) throw UsageError(fmt::format("a fit of '{}' needs a size", fit.row.row));
    return size_of(*home);
  }

  std::vector<PrintedPoint> points_of(const Formula& fit, const std::optional<Address>& home) {
    const RowPlace place =
        find_row(fit.row, home ? view_of(home->place) : view_of({}), definitions_).value();
    std::vector<PrintedPoint> points;
    for (std::size_t i = 0; i < place.table->columns.size(); ++i) {
      const Address cell{place, i};
      const std::optional<Bounds> value =
          cell.printed() ? printed_bounds(*cell.printed()) : std::nullopt;
      if (value) points.push_back({size_of(cell), *value});
    }
    if (points.size() < 3) {
      throw UsageError(fmt::format("{}: a fit needs three numbers of '{}'", place.table->file,
                                   place.row->label));
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

/// In the order of the definitions.
std::vector<std::string> chosen_papers(const Definitions& definitions,
                                       const std::vector<std::string>& named) {
  std::vector<std::string> all = definitions.papers();
  for (const std::string& name : named) {
    if (std::ranges::find(all, name) == all.end()) {
      throw UsageError(unknown_name("paper", name, all));
    }
  }
  std::erase_if(all, [&](const std::string& paper) {
    return !named.empty() && std::ranges::find(named, paper) == named.end();
  });
  return all;
}

}  // namespace

Errata find_errata(const std::filesystem::path& folder, const std::vector<std::string>& papers) {
  Definitions definitions(folder);
  const std::vector<std::string> chosen = chosen_papers(definitions, papers);
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
  for (const std::string& paper : chosen) {
    std::ranges::copy_if(readings, std::back_inserter(errata.readings),
                         [&](const FoundByReading& reading) { return reading.paper == paper; });
  }
  return errata;
}

}  // namespace macrobench
