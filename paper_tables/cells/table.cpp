#include "paper_tables/cells/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "harness/records/statistics.hpp"
#include "harness/text/format.hpp"
#include "harness/text/known_value.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/find.hpp"
#include "paper_tables/cells/machine_cells.hpp"
#include "paper_tables/cells/plan.hpp"
#include "paper_tables/cells/printed_number.hpp"
#include "paper_tables/cells/quantity.hpp"

namespace macrobench {

namespace {

/// A law needs so many measured cells.
constexpr std::size_t least_cells = 3;

/// A law that was so far off on the last of its row's own cells is not shown for larger ones.
constexpr double largest_error = 0.25;

/// What a cell is whose case has no record of a right result; none where it has one.
std::optional<Cell> without_record(const Finding& finding) {
  if (finding.record == nullptr) return Cell{.status = Status::not_run, .why = finding.why_not};
  const Record& record = *finding.record;
  if (has_right_result(record.status)) return std::nullopt;
  return Cell{.status = record.status, .why = record.why};
}

/// Not run, or given up: nothing is known to be wrong with it.
bool was_not_run_through(const Cell& cell) {
  return cell.status == Status::not_run || cell.status == Status::timeout;
}

/// True if a cell that was not run may be computed in another way: the row does not leave it out,
/// and it is not known to be wrong, which is a finding of the papers' own algorithms, where this
/// build has the implementation.
bool may_have_number(const Definition& table, const RowDefinition& row, std::size_t column) {
  if (!row.left_out[column].empty()) return false;
  const std::optional<Case> wanted = case_of(request_of(table, row, table.columns[column]), 1);
  return !wanted || wanted->known_invalid().empty();
}

/// "14,680† s".
std::string text_with_unit(const Cell& cell, const std::string& unit) {
  const char* mark = cell.status == Status::extrapolated ? "†" : "";
  return with_unit(format_number(known_value(cell.value)) + mark, unit);
}

class TableMaker {
 public:
  TableMaker(Definitions& all, const Lookup& lookup, const Machine& machine)
      : all_(all), lookup_(lookup), machine_(machine) {}

  /// Made once, however many others need it. The reference stays valid.
  const TableRow& row_of(const Definition& table, const RowDefinition& row) {
    const auto known = made_.find(&row);
    return known != made_.end() ? known->second : made_[&row] = make_row(table, row);
  }

 private:
  TableRow make_row(const Definition& table, const RowDefinition& row) {
    TableRow made{
        .definition = &row, .implementation = row.implementation, .parameters = row.parameters};
    std::visit([&](auto cell) { fill(table, row, cell, made); }, description_of(row.quantity).cell);
    return made;
  }

  void fill(const Definition& table, const RowDefinition& row, CellOfNoRun cell, TableRow& made) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      made.cells.push_back(row.left_out[i].empty()
                               ? cell(table, row, i, machine_)
                               : Cell{.status = Status::not_run, .why = row.left_out[i]});
    }
  }

  void fill(const Definition& table, const RowDefinition& row, CellOfRecord, TableRow& made) {
    made.cells = found_cells(table, row);
    if (is_time(row.quantity)) extrapolate(table, row, made);
    stand_in(table, row, made);
  }

  void fill(const Definition& table, const RowDefinition& row, CellOfCells cell, TableRow& made) {
    const auto [above, below] = operands(table, row, made);
    for (const ColumnDefinition& column : table.columns) {
      const Cell& numerator = cell_in(above, column);
      const Cell& baseline = cell_in(below, column);
      made.cells.push_back(cell(numerator, baseline, row));
      if (!reaches_too_far(made.cells.back())) continue;
      made.cells.back().text = fmt::format("{} over {}", text_with_unit(numerator, above.row->unit),
                                           text_with_unit(baseline, below.row->unit));
    }
  }

  void fill(const Definition& table, const RowDefinition& row, CellOfRecords cell, TableRow& made) {
    const auto [above, below] = operands(table, row, made);
    for (const ColumnDefinition& column : table.columns) {
      const Finding numerator = find(above, column);
      const auto against = [&, cell](const RowPlace& other) {
        const Finding baseline = find(other, column);
        for (const Finding& one : {numerator, baseline}) {
          if (const auto missing = without_record(one)) return *missing;
          if (!is_result_believed(one.record->status)) {
            return Cell{.status = one.record->status, .why = one.record->why};
          }
        }
        return cell(*numerator.record, *baseline.record, row);
      };
      made.cells.push_back(against(below));
      for (const Alternative& alternative : row.otherwise) {
        if (!was_not_run_through(made.cells.back())) break;
        Cell other = against(find_row(table, alternative.of.front()));
        if (!other.value) continue;
        other.why = "to " + alternative.called;
        made.cells.back() = std::move(other);
      }
    }
  }

  /// The numerator's row and the baseline's, of which the row is.
  std::pair<RowPlace, RowPlace> operands(const Definition& table, const RowDefinition& row,
                                         TableRow& made) {
    const RowPlace above = find_row(table, known_value(row.numerator));
    made.implementation = above.row->implementation;
    made.parameters = above.row->parameters;
    const RowReference& below = known_value(row.baseline);
    made.baseline = below.called;
    return {above, find_row(table, below)};
  }

  RowPlace find_row(const Definition& table, const RowReference& reference) {
    return known_value(macrobench::find_row(reference, {.table = &table}, all_));
  }

  /// What another row has in the column like the one given.
  const Cell& cell_in(const RowPlace& other, const ColumnDefinition& column) {
    return row_of(*other.table, *other.row).cells[known_value(find_like(*other.table, column))];
  }

  Finding find(const RowPlace& other, const ColumnDefinition& column) {
    return find(*other.table, *other.row, known_value(find_like(*other.table, column)));
  }

  Finding find(const Definition& table, const RowDefinition& row, std::size_t column) {
    if (!row.left_out[column].empty()) return {nullptr, row.left_out[column]};
    return lookup_(request_of(table, row, table.columns[column]));
  }

  std::vector<Cell> found_cells(const Definition& table, const RowDefinition& row) {
    const auto cell = std::get<CellOfRecord>(description_of(row.quantity).cell);
    std::vector<Cell> cells;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const Finding finding = find(table, row, i);
      const auto missing = without_record(finding);
      cells.push_back(missing ? *missing : cell(*finding.record, row, table.columns[i]));
      if (missing) continue;
      cells.back().as_before = finding.as_before;
      const Record& record = *finding.record;
      if (is_time(row.quantity)) {
        cells.back().origins[origin_of(record)] = finding.campaign;
        if (!is_doubted(record.status)) continue;
      } else if (is_result_believed(record.status)) {
        continue;
      }
      cells.back().status = record.status;
      cells.back().why = record.why;
    }
    return cells;
  }

  using ColumnSizes = std::vector<std::optional<double>>;

  /// What a law of growth goes by, one per column; none where columns differ in more than that. It
  /// is the work that the records give, and the implementation's for a column without a record;
  /// where this build leaves the implementation out, nobody knows the latter.
  [[nodiscard]] ColumnSizes sizes_in(const Definition& table, const RowDefinition& row) const {
    const Model& model = Registry::global().model(table.model);
    const bool is_here = Registry::global().find(table.model + "/" + row.implementation) != nullptr;
    ColumnSizes known(table.columns.size());
    ColumnSizes recorded = known;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const Parameters& own = table.columns[i].parameters;
      const bool has_more = std::ranges::any_of(
          own, [&](const auto& entry) { return !model.grows_along(entry.first); });
      // What is left out may be a case that cannot be.
      if (own.find(model.size_axis) == nullptr || has_more || !row.left_out[i].empty()) continue;
      const CellRequest request = request_of(table, row, table.columns[i]);
      known[i] = model.work_of(row.implementation, request.parameters);
      recorded[i] = lookup_(request).work;
    }
    const bool has_record =
        std::ranges::any_of(recorded, [](const auto& work) { return work.has_value(); });
    if (has_record && !is_here) return recorded;
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (recorded[i]) known[i] = recorded[i];
    }
    return known;
  }

  /// How large a column's case is: along the model's axis of size, and in work.
  struct Extent {
    double size = 0;
    double work = 0;

    auto operator<=>(const Extent&) const = default;
  };

  static double size_in(const Definition& table, std::size_t column) {
    const Model& model = Registry::global().model(table.model);
    const Value* size = table.columns[column].parameters.find(model.size_axis);
    return printed_number(to_string(*size)).value_or(0);
  }

  /// How many times as large the one is as the other: in size, unless the work grows faster than
  /// its cube, as that of a tree does with its depth.
  static double reach_of(const Extent& one, const Extent& other) {
    const double in_size = one.size / other.size;
    const double in_work = one.work / other.work;
    return in_work > in_size * in_size * in_size ? in_work : in_size;
  }

  /// What was not run though smaller cells of its row were. A row that comes out wrong at any size
  /// is not extrapolated: nobody knows how long a right answer would take.
  void extrapolate(const Definition& table, const RowDefinition& row, TableRow& made) {
    std::vector<Point> points;
    Origins origins;
    std::string as_before;
    Extent largest;
    bool wrong = false;
    const auto add_points = [&](const Definition& in, const RowDefinition& its,
                                const std::vector<Cell>& cells) {
      const ColumnSizes sizes = sizes_in(in, its);
      for (std::size_t i = 0; i < cells.size(); ++i) {
        const Cell& cell = cells[i];
        if (cell.value && sizes[i] && !is_doubted(cell.status)) {
          points.push_back({*sizes[i], *cell.value});
          origins.insert(cell.origins.begin(), cell.origins.end());
          as_before = std::max(as_before, cell.as_before);
          largest = std::max(largest, Extent{size_in(in, i), *sizes[i]});
        }
        wrong = wrong || cell.status == Status::invalid || cell.status == Status::failed;
      }
    };
    add_points(table, row, made.cells);
    if (row.continues) {
      const RowPlace before = find_row(table, *row.continues);
      add_points(*before.table, *before.row, found_cells(*before.table, *before.row));
    }
    std::ranges::stable_sort(points, {}, &Point::size);
    const auto again = std::ranges::unique(points, {}, &Point::size);
    points.erase(again.begin(), again.end());
    if (wrong || points.size() < least_cells) return;
    const std::optional<GrowthLaw> law =
        fit_growth_law(points, Registry::global().model(table.model).sizes());
    if (!law || law->error > largest_error) return;
    const FittedLaw fitted{*law, static_cast<int>(points.size())};
    const ColumnSizes sizes = sizes_in(table, row);
    for (std::size_t i = 0; i < made.cells.size(); ++i) {
      Cell& cell = made.cells[i];
      const std::optional<double>& size = sizes[i];
      if (cell.status != Status::not_run || !size || *size <= points.back().size) continue;
      if (!may_have_number(table, row, i)) continue;
      const double value = law->at(*size);
      cell.value = value;
      cell.interval = ConfidenceInterval{value * (1 - law->error), value * (1 + law->error)};
      cell.reach = reach_of({size_in(table, i), *size}, largest);
      cell.origins = origins;
      cell.as_before = as_before;
      cell.status = Status::extrapolated;
      // The scheduler's prediction was made from what it knew then: the law's stands here.
      cell.why = fmt::format("{}; {} from {} measured cells, error {:.2g}%", cell.why.clause,
                             law->name, fitted.cells, 100 * law->error);
      made.law = fitted;
    }
  }

  /// What the alternative comes to in the column; the cell that has no number where one has none
  /// that is believed.
  Cell alternative_cell(const Definition& table, const Alternative& alternative,
                        const ColumnDefinition& column) {
    const auto believed = [&](const RowReference& reference) {
      Cell its = cell_in(find_row(table, reference), column);
      if (is_doubted(its.status)) its.value.reset();
      return its;
    };
    Cell cell{.value = 0, .status = Status::computed, .why = alternative.called};
    ConfidenceInterval interval;
    bool extrapolated = false;
    const auto rests_on = [&](const Cell& other) {
      cell.origins.insert(other.origins.begin(), other.origins.end());
      cell.as_before = std::max(cell.as_before, other.as_before);
      cell.reach = larger_reach(cell, other);
      extrapolated = extrapolated || other.status == Status::extrapolated;
    };
    for (const RowReference& reference : alternative.of) {
      const Cell addend = believed(reference);
      if (!addend.value) return addend;
      rests_on(addend);
      *cell.value += *addend.value;
      interval.low += interval_of(addend).low;
      interval.high += interval_of(addend).high;
      const bool is_it = alternative.of.size() == 1 && !alternative.iterations;
      if (is_it) cell.why.detail = to_string(addend.why);
    }
    *cell.value *= alternative.times;
    interval.low *= alternative.times;
    interval.high *= alternative.times;
    if (alternative.iterations) {
      const Cell factor = believed(*alternative.iterations);
      if (!factor.value) return factor;
      rests_on(factor);
      *cell.value *= *factor.value;
      interval.low *= interval_of(factor).low;
      interval.high *= interval_of(factor).high;
    }
    cell.interval = interval;
    if (extrapolated) {
      cell.status = Status::extrapolated;
      cell.why.clause += ", a part of it extrapolated";
    }
    return cell;
  }

  /// Where the row's own case was not run to its end: the first alternative of measured cells, or
  /// else the row's own extrapolation, or else the first alternative that has a number. What came
  /// out wrong stays so.
  void stand_in(const Definition& table, const RowDefinition& row, TableRow& made) {
    for (std::size_t i = 0; i < made.cells.size(); ++i) {
      Cell& cell = made.cells[i];
      if (!was_not_run_through(cell) && cell.status != Status::extrapolated) continue;
      if (!may_have_number(table, row, i)) continue;
      for (const Alternative& alternative : row.otherwise) {
        const Cell other = alternative_cell(table, alternative, table.columns[i]);
        if (other.value && (other.status == Status::computed || !cell.value)) cell = other;
        if (cell.status == Status::computed) break;
      }
    }
    if (std::ranges::count(made.cells, Status::extrapolated, &Cell::status) == 0) made.law.reset();
  }

  Definitions& all_;
  const Lookup& lookup_;
  const Machine& machine_;
  std::map<const RowDefinition*, TableRow> made_;
};

TableRow rounded_row(TableRow row) {
  for (Cell& cell : row.cells) {
    if (cell.value) cell.value = to_nine_digits(*cell.value);
    if (cell.spread) cell.spread = to_nine_digits(*cell.spread);
    cell.drift = drift_of(cell.origins);
  }
  return row;
}

}  // namespace

CellCounts count_cells(const Table& table) {
  CellCounts counts;
  for (const TableRow& row : rows_of(table)) {
    if (description_of(row.definition->quantity).is_of_no_run()) continue;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      if (!row.definition->published[i]) continue;
      ++counts.printed;
      const Cell& cell = row.cells[i];
      if (!cell.value) continue;
      counts.measured += is_its_own(cell) ? 1 : 0;
      counts.computed += cell.status == Status::computed && !is_its_own(cell) ? 1 : 0;
      counts.extrapolated += cell.status == Status::extrapolated ? 1 : 0;
    }
  }
  return counts;
}

std::vector<std::optional<std::string>> speed_ups_of(const TableRow& row) {
  std::vector<std::optional<std::string>> texts;
  if (!is_time(row.definition->quantity)) return texts;
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const Cell& cell = row.cells[i];
    const auto before = printed_number(row.definition->published[i].value_or(""));
    const bool is_comparable = before && cell.value && *cell.value > 0 && !is_doubted(cell.status);
    texts.push_back(is_comparable ? text_of_ratio(*before / *cell.value, cell) : std::nullopt);
  }
  const bool is_empty =
      std::ranges::none_of(texts, [](const auto& text) { return text.has_value(); });
  return is_empty ? std::vector<std::optional<std::string>>() : texts;
}

Table make_table(const Definition& definition, Definitions& all, const Lookup& lookup,
                 const std::string& folder, const Machine& machine) {
  Table table{&definition, folder, describe(machine), {}};
  TableMaker maker(all, lookup, machine);
  for (const GroupDefinition& group : definition.groups) {
    TableGroup made{group.label};
    for (const RowDefinition& row : group.rows) {
      made.rows.push_back(rounded_row(maker.row_of(definition, row)));
    }
    if (group.of_programs) {
      std::vector<std::string> unrun;
      std::erase_if(made.rows, [&](const TableRow& row) {
        const bool ran = std::ranges::any_of(
            row.cells, [](const Cell& cell) { return cell.status != Status::not_run; });
        if (!ran) unrun.push_back(row.definition->label);
        return !ran;
      });
      if (made.rows.empty()) continue;
      if (group.label == programs_label) table.programs_without_record = std::move(unrun);
    }
    table.groups.push_back(std::move(made));
  }
  return table;
}

TableRow make_row(const Definition& definition, const RowDefinition& row, Definitions& all,
                  const Lookup& lookup, const Machine& machine) {
  return rounded_row(TableMaker(all, lookup, machine).row_of(definition, row));
}

const TableRow& MadeRows::operator()(const RowPlace& place) {
  const auto known = rows_.find(place.row);
  if (known != rows_.end()) return known->second;
  return rows_[place.row] = make_row(*place.table, *place.row, all_, lookup_, machine_);
}

}  // namespace macrobench
