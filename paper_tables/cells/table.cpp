#include "paper_tables/cells/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "harness/numbers/axis_role.hpp"
#include "harness/numbers/gate.hpp"
#include "harness/numbers/law.hpp"
#include "harness/records/record_facts.hpp"
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

class TableMaker {
 public:
  TableMaker(Definitions& all, const Lookup& lookup, const Machine& machine)
      : all_(all), lookup_(lookup), machine_(machine) {}

  /// Made once, however many others need it. The reference stays valid.
  const TableRow& row_of(const Definition& table, const RowDefinition& row) {
    const auto known = made_.find(&row);
    return known != made_.end() ? known->second : made_[&row] = make_row(table, row);
  }

  /// The row's cells, and those of the row that it continues, that a law of growth can go by.
  std::vector<SizedCell> sized_cells(const Definition& table, const RowDefinition& row) {
    std::vector<SizedCell> all;
    const auto add = [&](const Definition& in, const RowDefinition& its,
                         const std::vector<Cell>& cells) {
      const ColumnSizes sizes = sizes_in(in, its);
      for (std::size_t i = 0; i < cells.size(); ++i) {
        // A frontier may take another way at another size.
        const Record* record = find(in, its, i).record;
        const bool is_of_one_way = record == nullptr || !has_its_own_way(*record);
        if (sizes[i] && is_of_one_way) all.push_back({{size_in(in, i), *sizes[i]}, cells[i]});
      }
    };
    add(table, row, found_cells(table, row));
    if (row.continues) {
      const RowPlace before = find_row(table, *row.continues);
      add(*before.table, *before.row, found_cells(*before.table, *before.row));
    }
    return all;
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
                               ? cell(table, row, i)
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
      made.cells.push_back(
          cell(numerator, baseline, row,
               meant_differences(above, known_value(find_like(*above.table, column)), below,
                                 known_value(find_like(*below.table, column)))));
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
        return cell(numerator, baseline, row);
      };
      made.cells.push_back(against(below));
      for (const Alternative& alternative : row.otherwise) {
        if (!was_not_run_through(made.cells.back())) break;
        Cell other = against(find_row(table, alternative.of.front()));
        if (!other.value) continue;
        other.why = "to " + alternative.called;
        other.marks.insert({Sign::own, other.why.clause});
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
      cells.push_back(missing ? *missing : cell(finding, row, table.columns[i]));
      if (missing) continue;
      if (!finding.as_before.empty()) {
        cells.back().marks.insert(
            {Sign::own, fmt::format("measured when {} was the default", finding.as_before)});
      }
      const Record& record = *finding.record;
      const bool is_believed =
          is_time(row.quantity) ? !is_doubted(record.status) : is_result_believed(record.status);
      if (is_believed) continue;
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
    const Model& model = table.its_model();
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

  static double size_in(const Definition& table, std::size_t column) {
    const Model& model = table.its_model();
    const Value* size = table.columns[column].parameters.find(model.size_axis);
    return printed_number(to_string(*size)).value_or(0);
  }

  /// What was not run though smaller cells of its row were.
  void extrapolate(const Definition& table, const RowDefinition& row, TableRow& made) {
    const LawOfRow law(sized_cells(table, row), table.its_model().sizes());
    if (!law.law()) return;
    const ColumnSizes sizes = sizes_in(table, row);
    for (std::size_t i = 0; i < made.cells.size(); ++i) {
      Cell& cell = made.cells[i];
      if (cell.status != Status::not_run || !sizes[i] || !may_have_number(table, row, i)) continue;
      std::optional<Cell> larger = law.at({size_in(table, i), *sizes[i]});
      if (!larger) continue;
      // The scheduler's prediction was made from what it knew then: the law's stands here.
      larger->why = fmt::format("{}; {} from {} measured cells, error {:.2g}%", cell.why.clause,
                                law.law()->name, law.cells(), 100 * law.law()->error);
      cell = std::move(*larger);
      cell.unit = row.unit;
      set(cell.problem, request_of(table, row, table.columns[i]));
    }
  }

  /// The problem of the row's own case, given the problem of another row, which stands in for it.
  static SolvedProblem as_if(const Definition& table, const RowDefinition& row,
                             const ColumnDefinition& column, const RowPlace& other,
                             SolvedProblem problem) {
    const CellRequest wanted = request_of(table, row, column);
    problem.implementation = wanted.implementation;
    const ColumnDefinition& its =
        other.table->columns[known_value(find_like(*other.table, column))];
    const std::vector<Axis>& axes = Registry::global().model(wanted.model).axes;
    for (const auto& [name, value] : request_of(*other.table, *other.row, its).parameters) {
      problem.parameters.set(name, find_axis(axes, name).default_value);
    }
    set(problem, wanted);
    return problem;
  }

  /// The requested parameters, but for "all" cores.
  static void set(SolvedProblem& problem, const CellRequest& request) {
    const std::vector<Axis>& axes = Registry::global().model(request.model).axes;
    for (const auto& [name, value] : request.parameters) {
      const bool is_all = find_axis(axes, name).counts_cores && value == Value(std::string("all"));
      if (!is_all) problem.parameters.set(name, value);
    }
  }

  /// What the alternative comes to in the column; the cell that has no number where one has none
  /// that is believed.
  Cell alternative_cell(const Definition& table, const RowDefinition& table_row,
                        const Alternative& alternative, const ColumnDefinition& column) {
    const auto believed = [&](const RowReference& reference) {
      Cell its = cell_in(find_row(table, reference), column);
      if (is_doubted(its.status)) its.value.reset();
      return its;
    };
    std::optional<Cell> whole;
    for (const RowReference& reference : alternative.of) {
      const Cell addend = believed(reference);
      if (!addend.value) return addend;
      const bool is_it = alternative.of.size() == 1 && !alternative.iterations;
      if (whole) {
        whole = sum(*whole, addend);
      } else {
        whole = addend;
        whole->problem =
            as_if(table, table_row, column, find_row(table, reference), addend.problem);
        whole->why.detail = is_it ? to_string(addend.why) : "";
      }
    }
    Cell cell = product(known_value(whole), constant(alternative.times));
    cell.why.clause = alternative.called;
    if (alternative.iterations) {
      const Cell factor = believed(*alternative.iterations);
      if (!factor.value) return factor;
      cell = product(cell, factor);
    }
    cell.unit = table_row.unit;
    cell.samples = cell.processes = 0;
    cell.is_cold = false;
    cell.scope = scope_of(table_row.quantity);
    cell.stage = name_of_stages(table_row.stages);
    cell.marks.insert({Sign::own, "computed: " + cell.why.clause});
    return cell;
  }

  /// Where the row's own case was not run to its end: the first alternative of measured cells, or
  /// else the row's own extrapolation, or else the first alternative that has a number. What came
  /// out wrong stays so.
  void stand_in(const Definition& table, const RowDefinition& row, TableRow& made) {
    for (std::size_t i = 0; i < made.cells.size(); ++i) {
      Cell& cell = made.cells[i];
      if (!was_not_run_through(cell) && cell.kind != Kind::extrapolated) continue;
      if (!may_have_number(table, row, i)) continue;
      for (const Alternative& alternative : row.otherwise) {
        const Cell other = alternative_cell(table, row, alternative, table.columns[i]);
        if (other.value && (other.kind == Kind::computed || !cell.value)) cell = other;
        if (cell.kind == Kind::computed) break;
      }
    }
  }

  Definitions& all_;
  const Lookup& lookup_;
  const Machine& machine_;
  std::map<const RowDefinition*, TableRow> made_;
};

/// Rounded, and in the row's unit unless the cell has another.
TableRow finished(TableRow row) {
  for (Cell& cell : row.cells) {
    if (cell.unit == "1") cell.unit = row.definition->unit;
    if (cell.value) cell.value = to_nine_digits(*cell.value);
    cell.spread = to_nine_digits(cell.spread);
  }
  return row;
}

}  // namespace

Aspects meant_differences(const RowPlace& above, std::size_t column_above, const RowPlace& below,
                          std::size_t column_below) {
  Aspects aspects;
  if (above.row->quantity != below.row->quantity) aspects.insert(Aspect::scope);
  if (above.row->stages != below.row->stages) aspects.insert({Aspect::scope, Aspect::stage});
  const auto is_of_run = [](const RowPlace& place) {
    return description_of(place.row->quantity).is_run();
  };
  if (!is_of_run(above) || !is_of_run(below)) return aspects;
  const CellRequest here = request_of(*above.table, *above.row, above.table->columns[column_above]);
  const CellRequest there =
      request_of(*below.table, *below.row, below.table->columns[column_below]);
  if (here.implementation != there.implementation) {
    aspects.insert({Aspect::implementation, Aspect::method, Aspect::resources});
  }
  const Model& model = Registry::global().model(here.model);
  for (const Axis& axis : model.axes) {
    const auto value_in = [&](const CellRequest& request) {
      const Value* value = request.parameters.find(axis.name);
      return value == nullptr ? axis.default_value : *value;
    };
    if (!is_same(value_in(here), value_in(there))) aspects.insert(aspect_of(role_of(axis, model)));
  }
  return aspects;
}

CellCounts count_cells(const Table& table) {
  CellCounts counts;
  for (const TableRow& row : rows_of(table)) {
    if (description_of(row.definition->quantity).is_of_no_run()) continue;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      if (!row.definition->published[i]) continue;
      ++counts.printed;
      const Cell& cell = row.cells[i];
      if (!cell.value || is_doubted(cell.status)) continue;
      const bool is_ratio = row.definition->quantity == Quantity::ratio;
      counts.measured += cell.kind == Kind::measured ? 1 : 0;
      counts.ratios += is_ratio && is_its_own(cell) ? 1 : 0;
      counts.computed += cell.kind == Kind::computed && !(is_ratio && is_its_own(cell)) ? 1 : 0;
      counts.extrapolated += cell.kind == Kind::extrapolated ? 1 : 0;
    }
  }
  return counts;
}

std::vector<Ratio> speed_ups_of(const TableRow& row) {
  std::vector<Ratio> all;
  if (!is_time(row.definition->quantity)) return all;
  bool is_empty = true;
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const Cell before = printed_cell(*row.definition, i, row.cells[i]);
    all.emplace_back(before, row.cells[i], of_machines());
    is_empty = is_empty && all.back().is_refused();
  }
  return is_empty ? std::vector<Ratio>() : all;
}

Table make_table(const Definition& definition, Definitions& all, const Lookup& lookup,
                 const std::string& folder, const Machine& machine) {
  Table table{&definition, folder, describe(machine), {}};
  TableMaker maker(all, lookup, machine);
  for (const GroupDefinition& group : definition.groups) {
    TableGroup made{group.label};
    for (const RowDefinition& row : group.rows) {
      made.rows.push_back(finished(maker.row_of(definition, row)));
    }
    (group.is_printed ? table.groups : table.needs).push_back(std::move(made));
  }
  return table;
}

TableRow make_row(const Definition& definition, const RowDefinition& row, Definitions& all,
                  const Lookup& lookup, const Machine& machine) {
  return finished(TableMaker(all, lookup, machine).row_of(definition, row));
}

std::vector<SizedCell> law_cells_of(const Definition& definition, const RowDefinition& row,
                                    Definitions& all, const Lookup& lookup,
                                    const Machine& machine) {
  return TableMaker(all, lookup, machine).sized_cells(definition, row);
}

const TableRow& MadeRows::operator()(const RowPlace& place) {
  const auto known = rows_.find(place.row);
  if (known != rows_.end()) return known->second;
  return rows_[place.row] = make_row(*place.table, *place.row, all_, lookup_, machine_);
}

}  // namespace macrobench
