#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "harness/model/registry.hpp"
#include "harness/numbers/folder_times.hpp"
#include "harness/text/each.hpp"
#include "harness/text/format.hpp"
#include "harness/text/known_value.hpp"
#include "paper_tables/cells/printed_number.hpp"
#include "paper_tables/cells/quantity.hpp"
#include "paper_tables/tables/render.hpp"

namespace macrobench {

namespace {

constexpr const char* no_number = "–";

/// The marks that every printed number of the table has.
Marks marks_of_print(const Table& table) {
  std::optional<Marks> shared;
  for (const TableRow& row : rows_of(table)) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const Cell cell = printed_cell(*row.definition, i, row.cells[i]);
      if (!cell.value) continue;
      if (!shared) shared = cell.marks;
      std::erase_if(*shared, [&](const Mark& one) { return !cell.marks.contains(one); });
    }
  }
  return shared.value_or(Marks());
}

/// By which a page and a terminal color a number; empty if its row's kind says it.
std::string kind_of(const Cell& cell) {
  if (cell.kind == Kind::extrapolated) return "extrapolated";
  if (cell.kind != Kind::none && !is_doubted(cell.status)) return "";
  return cell.status == Status::not_run ? "absent" : "invalid";
}

/// Without those that the head says of every printed number.
Marks without(Marks marks, const Marks& said) {
  std::erase_if(marks, [&](const Mark& one) { return said.contains(one); });
  return marks;
}

/// "1,600", "0.0920", "5.20e-5", "invalid". A figure or a constant is shown with as many digits as
/// the papers print.
Shown shown_of(const Cell& cell, const QuantityDescription& quantity) {
  const auto colored = [&](const std::string& text) {
    return Words(Span{text, Span::Style::plain, kind_of(cell)});
  };
  if (cell.value) {
    return {colored(quantity.is_exact ? fmt::format("{:.6g}", *cell.value) : text_of(cell)),
            cell.marks};
  }
  const bool is_empty = cell.status == Status::not_run || cell.kind == Kind::constant;
  std::string why =
      cell.why.kind == Reason::Kind::not_divided ? to_string(cell.why) : cell.why.clause;
  if (!is_empty && !why.empty()) why = to_string(cell.status) + ": " + why;
  return {.words = colored(is_empty ? no_number : to_string(cell.status)), .why = std::move(why)};
}

/// "12×". Why there is none, if nothing else says so: both numbers stand above it.
Shown speed_up_shown(const Ratio& ratio, const Marks& said) {
  const Cell& cell = ratio.cell();
  if (cell.value) {
    return {Words(Span{text_of(cell) + "×", Span::Style::plain, kind_of(cell)}),
            without(cell.marks, said)};
  }
  const bool is_said = cell.why.kind != Reason::Kind::not_divided;
  return {.words = no_number, .why = is_said ? "" : to_string(cell.why)};
}

/// "0.0020–0.10", in %: of the results that the row's times are of; empty if they have no error.
std::string error_of(const TableRow& row) {
  std::set<double> errors;
  if (!is_time(row.definition->quantity)) return "";
  for (const Cell& cell : row.cells) {
    if (cell.value && cell.error) errors.insert(*cell.error);
  }
  return errors.empty() ? "" : error_text(*errors.begin(), *errors.rbegin());
}

/// What the paper has, with its name, then what this machine has, with its error, and how much
/// faster that is.
std::vector<Row> lines_of(const TableRow& row, const Marks& said, Notes& notes) {
  const RowDefinition& definition = *row.definition;
  const QuantityDescription& quantity = description_of(definition.quantity);
  std::vector<Row> lines;
  const auto add = [&](const char* kind, Words name, std::vector<Words> numbers) {
    Row line{.cells = {std::move(name)}, .kind = kind, .continues = !lines.empty()};
    std::ranges::move(numbers, std::back_inserter(line.cells));
    lines.push_back(std::move(line));
  };

  std::string label = definition.label;
  if (!row.baseline.empty()) label += fmt::format(", to {}", row.baseline);
  const bool is_printed =
      std::ranges::any_of(definition.published, [](const auto& cell) { return cell.has_value(); });
  if (is_printed) {
    std::vector<Words> numbers;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const Cell printed = printed_cell(definition, i, row.cells[i]);
      numbers.push_back(
          notes.marked({definition.published[i].value_or(""), without(printed.marks, said)}));
    }
    add("published", strong(label), std::move(numbers));
  }
  const bool has_nothing_here = definition.quantity == Quantity::constant &&
                                std::ranges::all_of(row.cells, [](const Cell& cell) {
                                  return cell.kind == Kind::constant && !cell.value;
                                });
  if (!has_nothing_here) {
    add(quantity.is_of_no_run() ? "value" : "measured", is_printed ? "  here" : label + ", here",
        each(row.cells, [&](const Cell& cell) { return notes.marked(shown_of(cell, quantity)); }));
    if (std::string error = error_of(row); !error.empty()) {
      lines.back().cells.emplace_back(std::move(error));
    }
  }
  const std::vector<Ratio> speed_ups = speed_ups_of(row);
  std::vector<Words> faster =
      each(speed_ups, [&](const Ratio& one) { return notes.marked(speed_up_shown(one, said)); });
  const auto has_value = [](const Ratio& one) { return one.cell().value.has_value(); };
  if (std::ranges::any_of(speed_ups, has_value)) add("speed-up", "  faster", std::move(faster));
  return lines;
}

/// " of 3 to 199 samples", over the table's times; empty if it has none.
std::string samples_in(const Table& table) {
  std::optional<int> fewest;
  std::optional<int> most;
  for (const TableRow& row : rows_of(table)) {
    for (const Cell& cell : row.cells) {
      if (cell.samples == 0) continue;
      fewest = std::min(fewest.value_or(cell.samples), cell.samples);
      most = std::max(most.value_or(cell.samples), cell.samples);
    }
  }
  return fewest ? fmt::format(" of {} to {} samples", *fewest, known_value(most)) : "";
}

/// True if the name has the words in it, whatever their case.
bool says(const std::string& name, const std::string& words) {
  const auto is_same = [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  };
  return !std::ranges::search(name, words, is_same).empty();
}

/// "% (K Error; K Error against the frontier); GiB (10,000 agents)": of the rows that are in
/// neither seconds nor pure numbers, except those whose name says it. Without names if all rows
/// share it.
std::string units_in(const Table& table) {
  std::map<std::string, std::vector<std::string>> named;
  std::set<std::string> units;
  for (const TableRow& made : rows_of(table)) {
    const RowDefinition& row = *made.definition;
    units.insert(row.unit);
    if (row.unit == "1" || is_time(row.quantity) || says(row.label, row.unit)) continue;
    std::vector<std::string>& names = named[row.unit];
    if (std::ranges::find(names, row.label) == names.end()) names.push_back(row.label);
  }
  if (units.size() == 1 && !named.empty()) return named.begin()->first;
  const auto texts = each(named, [](const auto& its) {
    return fmt::format("{} ({})", its.first, fmt::join(its.second, "; "));
  });
  return fmt::format("{}", fmt::join(texts, "; "));
}

List remarks_of(const Table& table) {
  List remarks;
  const auto add = [&](std::string remark) { remarks.items.push_back({std::move(remark)}); };
  const auto has = [&](auto is_such) {
    return std::ranges::any_of(rows_of(table), is_such,
                               [](const TableRow& row) -> const auto& { return *row.definition; });
  };
  if (has([](const RowDefinition& row) { return is_time(row.quantity); })) {
    add(fmt::format(
        "Times are in seconds, medians{}: of the warm solutions for a solution, unless marked; of "
        "all solutions for a stage; of start-up plus the first solution, a process each, for a "
        "total. Faster: the published time over the one here.",
        samples_in(table)));
  }
  const Model& model = table.definition->its_model();
  const auto* figure = error_figure_of(model);
  const auto has_error = [](const TableRow& row) { return !error_of(row).empty(); };
  if (figure != nullptr && std::ranges::any_of(rows_of(table), has_error)) {
    add(fmt::format(
        "Error: how far a row's results here are off, in % of {} ({}); the least and the largest "
        "of its columns if they differ.",
        share_of_errors(model), figure->first));
  }
  if (const std::string units = units_in(table); !units.empty()) {
    add(fmt::format("Units: {}.", units));
  }
  if (has([](const RowDefinition& row) { return row.per_iteration; })) {
    add("Times of an iteration are those of the whole solution over its iterations.");
  }
  std::ranges::for_each(table.definition->notes, add);
  std::string of_rows;
  for (const TableRow& row : rows_of(table)) {
    const RowDefinition& its = *row.definition;
    if (its.note.empty()) continue;
    of_rows += fmt::format("{}{}: {}", of_rows.empty() ? "" : " ", its.label, its.note);
  }
  if (!of_rows.empty()) add(std::move(of_rows));
  return remarks;
}

/// The numbers of the paper's rows, those of ours in a grid below, and what explains them.
std::vector<Block> blocks_of(const Table& table) {
  using enum Column::Kind;
  const Marks said = marks_of_print(table);
  Notes notes;
  Grid paper{.columns = {{table.definition->axis, words}}, .groups = {}, .in_panels = true};
  for (const ColumnDefinition& column : table.definition->columns) {
    paper.columns.push_back({column.label});
  }
  Grid ours = paper;
  ours.columns.front().title = extra_label;
  for (const TableGroup& group : table.groups) {
    const bool is_extra = group.rows.front().definition->extra;
    Grid& grid = is_extra ? ours : paper;
    RowGroup block{.label = group.label == extra_label ? "" : group.label, .rows = {}};
    for (const TableRow& row : group.rows) {
      std::ranges::move(lines_of(row, said, notes), std::back_inserter(block.rows));
    }
    const auto has_error = [&](const Row& line) { return line.cells.size() > grid.columns.size(); };
    if (std::ranges::any_of(block.rows, has_error)) grid.columns.push_back({"error, %"});
    grid.groups.push_back(std::move(block));
  }
  std::vector<Block> blocks{std::move(paper)};
  if (!ours.groups.empty()) blocks.emplace_back(std::move(ours));
  for (List list : {notes.list(), remarks_of(table)}) {
    if (!list.items.empty()) blocks.emplace_back(std::move(list));
  }
  return blocks;
}

/// Without its full stop.
std::string caption_of(const Definition& definition) {
  const std::string& caption = definition.caption;
  return caption.substr(0, caption.size() - (caption.ends_with('.') ? 1 : 0));
}

/// "Of 270 numbers in print: 40 measured, 196 computed from other cells, 10 extrapolated, 24
/// without a number". Empty if none is in print.
std::string counts_in(const Table& table) {
  const CellCounts counts = count_cells(table);
  if (counts.printed == 0) return "";
  return fmt::format(
      "Of {} numbers in print: {} measured, {} ratio{} of these, {} computed from other cells, {} "
      "extrapolated, {} without a number",
      counts.printed, counts.measured, counts.ratios, counts.ratios == 1 ? "" : "s",
      counts.computed, counts.extrapolated, counts.without());
}

/// Where the numbers are from, "Published, a row's first line: ..." and "Here: ...", and how they
/// were come by; none of a table of constants, which depends on no machine.
std::vector<std::string> head_of(const Table& table) {
  const auto is_constant = [](const TableRow& row) {
    return row.definition->quantity == Quantity::constant;
  };
  if (std::ranges::all_of(rows_of(table), is_constant)) return {};
  std::string published = "Published, a row's first line: " + table.definition->hardware.text;
  for (const Mark& one : marks_of_print(table)) published += "; " + one.note;
  std::vector<std::string> head{std::move(published), "Here: " + table.machine_text};
  if (const std::string counts = counts_in(table); !counts.empty()) head.back() += ". " + counts;
  return head;
}

}  // namespace

Document document_of(const Table& table) {
  const Definition& definition = *table.definition;
  Document document{
      .title = definition.title + ": " + caption_of(definition),
      .body = {Paragraph{fmt::format("{}, {}.", definition.document, definition.where)}}};
  List head{each(head_of(table), [](const std::string& line) { return ListItem{line}; })};
  if (!head.items.empty()) document.body.emplace_back(std::move(head));
  std::ranges::move(blocks_of(table), std::back_inserter(document.body));
  return document;
}

Document latex_document_of(const Table& table) {
  const Definition& definition = *table.definition;
  std::string about =
      fmt::format("{}. {}, {}.", caption_of(definition), definition.document, definition.where);
  for (const std::string& line : head_of(table)) about += " " + line + ".";
  Document document{.title = definition.id() + ": published and measured",
                    .body = blocks_of(table)};
  Grid& grid = std::get<Grid>(document.body.front());
  grid.caption = about;
  grid.label = fmt::format("tab:{}:{}", definition.paper, definition.table);
  return document;
}

}  // namespace macrobench
