#include "harness/text/document.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "harness/text/document_elements.hpp"
#include "harness/text/json_values.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

using nlohmann::ordered_json;
using Columns = std::vector<std::size_t>;

/// The grid with these of its columns alone.
Grid with_columns(const Grid& grid, const Columns& columns) {
  Grid chosen = grid;
  chosen.columns.clear();
  for (const std::size_t i : columns) chosen.columns.push_back(grid.columns[i]);
  for (RowGroup& group : chosen.groups) {
    for (Row& row : group.rows) {
      row.cells.resize(grid.columns.size());
      std::vector<Words> cells;
      for (const std::size_t i : columns) cells.push_back(row.cells[i]);
      row.cells = std::move(cells);
    }
  }
  return chosen;
}

bool has_something_in(const Grid& grid, std::size_t column) {
  return std::ranges::any_of(grid.groups, [&](const RowGroup& group) {
    return std::ranges::any_of(group.rows, [&](const Row& row) {
      return column < row.cells.size() && !row.cells[column].empty();
    });
  });
}

/// Without the rows of which no cell after the first `names` has anything, nor one of the lines
/// that continue them.
void drop_empty_rows(Grid& grid, std::size_t names) {
  const auto is_empty = [names](const Row& row) {
    return std::all_of(row.cells.begin() + static_cast<std::ptrdiff_t>(names), row.cells.end(),
                       [](const Words& cell) { return cell.empty(); });
  };
  for (RowGroup& group : grid.groups) {
    std::vector<Row> rows;
    for (auto row = group.rows.begin(); row != group.rows.end();) {
      const auto next =
          std::find_if_not(row + 1, group.rows.end(), [](const Row& it) { return it.continues; });
      if (!std::all_of(row, next, is_empty)) std::move(row, next, std::back_inserter(rows));
      row = next;
    }
    group.rows = std::move(rows);
  }
}

void list_values(const ordered_json& json, const std::string& name, std::vector<Row>& rows) {
  const auto as_text = [](const ordered_json& value) {
    return value.is_string() ? value.get<std::string>()
           : value.is_null() ? "unknown"
                             : compact(value);
  };
  const bool is_nested =
      json.is_object() || (json.is_array() && !json.empty() && json.front().is_structured());
  if (is_nested) {
    for (const auto& [key, value] : json.items()) {
      list_values(value, name.empty() ? key : fmt::format("{} {}", name, key), rows);
    }
  } else if (json.is_array()) {
    std::vector<std::string> values;
    std::ranges::transform(json, std::back_inserter(values), as_text);
    rows.push_back({{name, fmt::format("{}", fmt::join(values, ", "))}});
  } else {
    rows.push_back({{name, as_text(json)}});
  }
}

}  // namespace

bool Words::empty() const {
  return std::ranges::all_of(spans_, [](const Span& span) { return span.text.empty(); });
}

Words strong(std::string text, std::string kind) {
  return Words(Span{std::move(text), Span::Style::strong, std::move(kind)});
}

Words code(std::string text) {
  return Words(Span{std::move(text), Span::Style::code});
}

Words mark(std::string symbol) {
  return Words(Span{std::move(symbol), Span::Style::mark});
}

std::vector<Column> columns_of(const std::vector<std::string>& words,
                               const std::vector<std::string>& numbers,
                               const std::vector<std::string>& more_words) {
  std::vector<Column> columns;
  const auto add = [&](const std::vector<std::string>& titles, Column::Kind kind) {
    for (const std::string& title : titles) columns.push_back({title, kind});
  };
  add(words, Column::Kind::words);
  add(numbers, Column::Kind::numbers);
  add(more_words, Column::Kind::words);
  return columns;
}

Grid grid_of(std::vector<Column> columns, std::vector<Row> rows, Words caption) {
  return {.caption = std::move(caption),
          .columns = std::move(columns),
          .groups = {{.rows = std::move(rows)}}};
}

Grid grid_of_object(const ordered_json& object, Words caption) {
  std::vector<Row> rows;
  list_values(object, "", rows);
  using enum Column::Kind;
  return grid_of({{"what", words}, {"value", words}}, std::move(rows), std::move(caption));
}

std::size_t rows_in(const Grid& grid) {
  return std::accumulate(
      grid.groups.begin(), grid.groups.end(), std::size_t{0},
      [](std::size_t sum, const RowGroup& group) { return sum + group.rows.size(); });
}

std::vector<std::pair<std::size_t, std::size_t>> panels(std::size_t columns, std::size_t limit) {
  const std::size_t count = (columns + limit - 1) / limit;
  std::vector<std::pair<std::size_t, std::size_t>> ranges;
  for (std::size_t panel = 0, first = 0; panel < count; ++panel) {
    const std::size_t left = columns - first;
    const std::size_t width = (left + count - panel - 1) / (count - panel);
    ranges.emplace_back(first, first + width);
    first += width;
  }
  return ranges;
}

std::size_t names_in(const Grid& grid) {
  const auto first = std::ranges::find(grid.columns, Column::Kind::numbers, &Column::kind);
  return static_cast<std::size_t>(first - grid.columns.begin());
}

std::vector<Grid> panels_of(const Grid& grid, std::size_t limit) {
  if (!grid.in_panels) {
    Columns columns;
    for (std::size_t i = 0; i < grid.columns.size(); ++i) {
      if (has_something_in(grid, i)) columns.push_back(i);
    }
    return {with_columns(grid, columns)};
  }
  const std::size_t names = names_in(grid);
  std::vector<Grid> all;
  for (const auto& [first, last] : panels(grid.columns.size() - names, limit)) {
    Columns columns(names + last - first);
    std::iota(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(names), 0);
    std::iota(columns.begin() + static_cast<std::ptrdiff_t>(names), columns.end(), names + first);
    drop_empty_rows(all.emplace_back(with_columns(grid, columns)), names);
  }
  return all;
}

PanelCells::PanelCells(const Grid& panel, std::size_t narrowest)
    : panel_(panel), widths_(panel.columns.size(), narrowest) {}

void PanelCells::add(std::vector<std::string> row) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    widths_[i] = std::max(widths_[i], display_width(row[i]));
  }
  rows_.push_back(std::move(row));
}

std::string PanelCells::line(std::size_t row, std::string_view between) const {
  std::string text;
  for (std::size_t i = 0; i < widths_.size(); ++i) {
    const bool is_words = panel_.columns[i].kind == Column::Kind::words;
    if (i > 0) text += between;
    text += padded(rows_[row][i], widths_[i], is_words ? Side::left : Side::right);
  }
  return text;
}

}  // namespace macrobench
