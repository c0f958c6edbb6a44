#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/parameters.hpp"

namespace macrobench {

/// What a row's numbers are: a phase or a stage in seconds, the iterations or a figure of the
/// outcome (a value, a count), a ratio of two rows or the deviation of their series, or a constant.
enum class Quantity {
  start,
  first_solution,
  solution,
  total,
  stage,
  iterations,
  figure,
  ratio,
  deviation,
  constant
};

std::string to_string(Quantity quantity);
/// True if it is a time, in seconds.
bool is_time(Quantity quantity);

/// A row, by its label, of this table (`table` empty) or of another ("aldrich_2010/table_3"); of
/// any group where none is named.
struct RowReference {
  std::string table;
  std::string group;
  std::string row;
  std::string called;  ///< its name for a reader; by default the names that the definition gives
};

/// What may replace a cell whose own case was not run to its end: the sum of other rows' cells in
/// the same column, times iterations if a row of them is named, or times a fixed number.
struct Alternative {
  std::optional<RowReference> iterations;
  double times = 1;  ///< of a fraction: 20 if it has a twentieth of the periods
  std::vector<RowReference> of;
  std::string called;  ///< what a reader sees: "Iterations×(Panel Time + Polf. Time)"
};

struct ColumnDefinition {
  std::string label;
  Parameters parameters;
  std::string figure;  ///< what rows of figures show here if they name none themselves

  /// True if a row has the same cell in both.
  [[nodiscard]] bool is_like(const ColumnDefinition& other) const {
    return parameters == other.parameters && figure == other.figure;
  }
};

struct RowDefinition {
  std::string label;
  std::string implementation;  ///< without the model; empty if the row runs nothing itself
  Parameters parameters;       ///< the row's own over the table's; a column's go over both
  Quantity quantity = Quantity::solution;
  std::string of;  ///< the name of the figure, where it is one and not the column's; of the series;
                   ///< of a constant that the model derives
  std::vector<std::string> stages;  ///< whose sum it is, for stages
  bool per_iteration = false;       ///< a time over the iterations of its solution
  std::string unit;
  std::vector<std::optional<std::string>> published;  ///< as printed, one per column
  bool published_by_extrapolation = false;            ///< by the paper: it measured none of them
  /// The columns where the paper's program met only a relaxed tolerance: a row of the group prints
  /// a dagger.
  std::set<std::size_t> relaxed_in_print = {};
  std::string language;  ///< of the published program, if ours is in another; else empty
  std::optional<RowReference> numerator;  ///< ratios and deviations only, with the baseline
  std::optional<RowReference> baseline;
  std::optional<RowReference> continues;  ///< whose cells an extrapolation may also use
  std::vector<Alternative> otherwise;     ///< the first with a number replaces the cell; of a
                                          ///< deviation: its baseline
  std::vector<std::string> left_out;      ///< one per column: why the row has no cell there
  std::string note;
  bool extra = false;  ///< ours, not the paper's
};

/// Visits every row that this one refers to.
template <class Row, class Visit>
void for_each_reference(Row& row, Visit visit) {
  for (auto* reference : {&row.numerator, &row.baseline, &row.continues}) {
    if (*reference) visit(**reference);
  }
  for (auto& alternative : row.otherwise) {
    if (alternative.iterations) visit(*alternative.iterations);
    for (auto& reference : alternative.of) visit(reference);
  }
}

/// The label of our own rows that have no group.
inline constexpr std::string_view extra_label = "Beyond the paper";
/// The most of these rows that a table prints.
inline constexpr std::size_t most_extra_rows = 5;

struct GroupDefinition {
  std::string label;  ///< empty if all rows of the paper are one group; rows that are printed and
                      ///< needs may have the same
  std::vector<RowDefinition> rows;
  bool is_printed = true;  ///< else its rows are needs of other pages: measured, and in no table
};

struct Model;

/// The machine of the published numbers.
struct Hardware {
  std::string id;         ///< "gtx280"
  std::string text;       ///< for a reader
  std::string processor;  ///< "Xeon"; empty if it has no short name
  std::string gpu;        ///< "GTX 280"; likewise
};

/// A published table: what it prints, and the cases its cells need (schema 1).
struct Definition {
  static constexpr int schema = 1;

  std::string file;   ///< the file it was read from, for errors
  std::string paper;  ///< "aldrich_2010"
  std::string table;  ///< "table_3"
  std::string title;
  std::string caption;
  std::string document;  ///< the paper
  std::string where;     ///< and the place in it
  Hardware hardware;
  std::string model;  ///< empty of constants alone
  std::string axis;   ///< what the columns' labels are values of: "Nk"; empty if each is a name
  std::vector<ColumnDefinition> columns;
  std::vector<GroupDefinition> groups;  ///< the paper's rows, then the extra ones, then the needs
  std::vector<std::string> notes;

  [[nodiscard]] std::string id() const { return paper + "/" + table; }
  /// One without axes and figures if it names none.
  [[nodiscard]] const Model& its_model() const;
  /// The first row so labeled, of the group if one is named; null if there is none.
  [[nodiscard]] const RowDefinition* find_row(std::string_view label,
                                              std::string_view group = {}) const;
};

/// The rows of all groups, of a definition or of a table that is made from one.
template <class Grouped>
auto rows_of(Grouped& grouped) {
  return grouped.groups | std::views::transform([](auto& group) -> auto& { return group.rows; }) |
         std::views::join;
}

/// A row, and the table and the group it is in.
struct RowPlace {
  const Definition* table = nullptr;
  const GroupDefinition* group = nullptr;
  const RowDefinition* row = nullptr;
};

/// The tables that a definition may refer to, by their ids.
class Tables {
 public:
  virtual ~Tables() = default;

  /// Every table's id, sorted.
  [[nodiscard]] virtual const std::vector<std::string>& ids() const = 0;

  /// Throws UsageError: an unknown table with the nearest one, or one sentence about what is wrong
  /// with its definition, with the file and the JSON pointer.
  virtual const Definition& get(std::string_view id) = 0;
};

}  // namespace macrobench
