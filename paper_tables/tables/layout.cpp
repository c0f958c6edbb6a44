#include "paper_tables/tables/layout.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>

#include "harness/model/registry.hpp"
#include "harness/text/format.hpp"
#include "paper_tables/definitions/bounds.hpp"
#include "paper_tables/definitions/quantity.hpp"

namespace macrobench {

namespace {

/// Whether the table depends on a machine.
bool is_run(const Table& table) {
  return std::any_of(table.groups.begin(), table.groups.end(), [](const TableGroup& group) {
    return std::any_of(group.rows.begin(), group.rows.end(), [](const TableRow& row) {
      return row.definition->quantity != Quantity::constant;
    });
  });
}

/// Reasons that differ only in their numbers count as one.
std::string without_figures(const std::string& why) {
  std::string plain;
  for (const char c : why) {
    if (std::isdigit(static_cast<unsigned char>(c)) == 0) plain += c;
  }
  return plain;
}

/// The marks of a table's cells, in the order in which they appear.
class Marks {
 public:
  explicit Marks(const Table& table) {
    std::vector<std::string> laws;
    bool extrapolated = false;
    each_cell(table, [&](const TableRow&, const Cell& cell) {
      extrapolated = extrapolated || cell.status == Status::extrapolated;
    });
    if (!extrapolated) return;
    const Model& model = Registry::global().model(table.definition->model);
    for (const TableGroup& group : table.groups) {
      for (const TableRow& row : group.rows) {
        if (!row.law) continue;
        laws.push_back(fmt::format("{}, {} from {} cells, error {:.2g}%", row.definition->label,
                                   row.law->law.name, row.law->cells, 100 * row.law->law.error));
      }
    }
    marks_.push_back(
        {"†", laws.empty()
                  ? "computed with an extrapolated part"
                  : fmt::format("extrapolated from the row’s own measured cells, N the "
                                "{} ({}), or computed with such a part; the error is "
                                "the law’s largest on the last cells, predicted from "
                                "those before them",
                                model.work ? "work of a case" : "size", fmt::join(laws, "; "))});
  }

  int of(const Cell& cell) {
    switch (cell.status) {
      case Status::extrapolated:
        return 0;
      case Status::computed:
        return cell.why.empty() ? Entry::unmarked : of_reason(cell);
      case Status::not_run:
      case Status::invalid:
      case Status::failed:
      case Status::timeout:
        return of_reason(cell);
      default:
        return Entry::unmarked;
    }
  }

  int of_reason(const Cell& cell) {
    const std::string status = cell.status == Status::not_run ? "not run" : to_string(cell.status);
    const auto [known, is_new] = letters_.try_emplace(status + without_figures(cell.why.clause),
                                                      static_cast<int>(marks_.size()));
    const std::string& reason = cell.why.clause;
    if (is_new) {
      const std::string symbol(
          1, static_cast<char>('a' + std::min<std::size_t>(letters_.size(), 26) - 1));
      marks_.push_back({symbol, reason.empty()                    ? status
                                : cell.status == Status::constant ? reason
                                                                  : status + ": " + reason});
      first_[known->second] = reason;
    } else if (first_[known->second] != reason) {
      std::string& text = marks_[static_cast<std::size_t>(known->second)].text;
      if (!text.ends_with(and_the_like)) text += and_the_like;
    }
    return known->second;
  }

  [[nodiscard]] const std::vector<Mark>& all() const { return marks_; }

 private:
  template <class Visit>
  static void each_cell(const Table& table, Visit visit) {
    for (const TableGroup& group : table.groups) {
      for (const TableRow& row : group.rows) {
        for (const Cell& cell : row.cells) visit(row, cell);
      }
    }
  }

  static constexpr std::string_view and_the_like = ", and the like";
  std::vector<Mark> marks_;
  std::map<std::string, int> letters_;
  std::map<int, std::string> first_;
};

/// A figure or a constant is shown with as many digits as the papers print.
Entry measured_entry(const Cell& cell, Quantity quantity, Marks& marks) {
  if (!cell.text.empty()) return {cell.text, marks.of(cell)};
  if (cell.value) {
    return {description_of(quantity).is_exact ? fmt::format("{:.6g}", *cell.value)
                                              : format_number(*cell.value),
            marks.of(cell)};
  }
  if (quantity == Quantity::machine) return {"–", marks.of_reason(cell)};
  if (cell.status == Status::not_run || cell.status == Status::constant) {
    return {"–", marks.of(cell)};
  }
  return {to_string(cell.status), marks.of(cell)};
}

std::vector<SheetLine> lines_of(const TableRow& row, Marks& marks) {
  const RowDefinition& definition = *row.definition;
  std::vector<SheetLine> lines;
  const auto add = [&](std::string kind) -> std::vector<Entry>& {
    return lines.emplace_back(SheetLine{"", std::move(kind), {}}).entries;
  };

  const bool printed = std::any_of(definition.published.begin(), definition.published.end(),
                                   [](const auto& cell) { return cell.has_value(); });
  if (printed) {
    std::vector<Entry>& entries = add("published");
    for (const auto& cell : definition.published) entries.push_back({cell.value_or("")});
  }
  const bool is_constant = definition.quantity == Quantity::constant;
  const bool nothing_to_show = is_constant && std::ranges::all_of(row.cells, [](const Cell& c) {
                                 return c.status == Status::constant && !c.value;
                               });
  if (!nothing_to_show) {
    const bool is_here = description_of(definition.quantity).is_of_no_run();
    std::vector<Entry>& entries = add(is_here ? "here" : "measured");
    for (const Cell& cell : row.cells) {
      entries.push_back(measured_entry(cell, definition.quantity, marks));
    }
  }
  if (printed && is_time(definition.quantity)) {
    std::vector<Entry> entries;
    bool any = false;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const std::optional<std::string>& text = definition.published[i];
      const std::optional<double> before = text ? printed_number(*text) : std::nullopt;
      const Cell& cell = row.cells[i];
      const bool comparable = before && cell.value && *cell.value > 0;
      any = any || comparable;
      entries.push_back(
          comparable ? Entry{format_number(*before / cell.value.value()) + "×", marks.of(cell)}
                     : Entry{"–"});
    }
    if (any) add("speed-up") = std::move(entries);
  }

  lines.front().label = definition.label;
  if (!row.baseline.empty() && lines.size() > 1) lines[1].label = "to " + row.baseline;
  return lines;
}

std::vector<std::string> remarks_of(const Table& table) {
  const Definition& definition = *table.definition;
  std::vector<std::string> remarks;
  bool times = false;
  bool shares = false;
  for (const TableGroup& group : table.groups) {
    for (const TableRow& row : group.rows) {
      times = times || is_time(row.definition->quantity);
      shares = shares || row.definition->per_iteration;
    }
  }
  if (times) {
    remarks.emplace_back(
        "Times are in seconds, medians: of the warm solutions for a solution; of start-up plus the "
        "first solution, a process each, for a total. Speed-up is the published time over the "
        "measured one.");
  }
  if (shares) {
    remarks.emplace_back(
        "Times of an iteration are those of the whole solution over its iterations.");
  }
  remarks.insert(remarks.end(), definition.notes.begin(), definition.notes.end());
  for (const TableGroup& group : table.groups) {
    for (const TableRow& row : group.rows) {
      if (row.definition->note.empty()) continue;
      remarks.push_back(fmt::format("{}: {}", row.definition->label, row.definition->note));
    }
  }
  return remarks;
}

}  // namespace

Sheet lay_out(const Table& table) {
  const Definition& definition = *table.definition;
  Sheet sheet;
  sheet.title = definition.title;
  sheet.caption = definition.caption;
  if (sheet.caption.ends_with('.')) sheet.caption.pop_back();
  sheet.source = fmt::format("{}, {}", definition.document, definition.where);
  if (is_run(table)) {
    sheet.published_on = definition.hardware_text;
    sheet.measured_on = table.machine_text;
  }
  sheet.axis = definition.axis;
  for (const ColumnDefinition& column : definition.columns) sheet.columns.push_back(column.label);
  Marks marks(table);
  for (const TableGroup& group : table.groups) {
    const bool is_extra = !group.rows.empty() && group.rows.front().definition->extra;
    const bool is_first = sheet.blocks.empty() || !sheet.blocks.back().extra;
    if (is_extra && is_first && group.label != extra_label) {
      sheet.blocks.push_back({.label = std::string(extra_label), .extra = true, .rows = {}});
    }
    SheetBlock& block = sheet.blocks.emplace_back();
    block.label = group.label;
    block.extra = is_extra;
    for (const TableRow& row : group.rows) block.rows.push_back(lines_of(row, marks));
  }
  sheet.marks = marks.all();
  sheet.remarks = remarks_of(table);
  return sheet;
}

}  // namespace macrobench
