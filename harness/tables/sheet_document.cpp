#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "harness/numbers/ratio.hpp"
#include "harness/tables/sheet.hpp"
#include "harness/text/document_elements.hpp"
#include "harness/text/each.hpp"
#include "harness/text/format.hpp"

namespace macrobench {

namespace {

Shown shown_of(double value, const std::string& unit) {
  return {unit == "s" ? format_duration(value) : format_number(value)};
}

/// The notes on a number, or the reason why there is none.
std::vector<std::string> notes_on(const Cell& cell) {
  std::vector<std::string> notes = each(cell.marks, &Mark::note);
  if (!cell.value && !cell.why.empty()) notes.insert(notes.begin(), to_string(cell.why));
  return notes;
}

Words word_for(const Cell& cell) {
  const std::string word = word_of(cell);
  return word == "not_run" ? "not run" : word;
}

}  // namespace

Shown shown_of(const Datum& datum, const std::string& unit) {
  return std::visit(
      Overloaded{
          [](std::monostate) { return Shown{}; }, [](bool is) { return Shown{is ? "yes" : ""}; },
          [](std::int64_t count) { return Shown{with_separators(static_cast<double>(count))}; },
          [&](double value) { return shown_of(value, unit); },
          [](const std::string& text) { return Shown{text}; },
          [](const Cell& cell) {
            Shown shown{word_for(cell), notes_on(cell)};
            if (!cell.value) return shown;
            shown.words = shown_of(*cell.value, cell.unit).words;
            if (is_doubted(cell.status)) {
              shown.words = shown.words + (" (" + to_string(cell.status) + ")");
            }
            return shown;
          }},
      datum);
}

Shown times_shown(const Cell& ratio) {
  return {ratio.value ? text_of_ratio(ratio) + "×" : "", notes_on(ratio)};
}

Words Notes::marked(const Shown& shown) {
  Words words = shown.words;
  for (const std::string& note : shown.notes) {
    const auto known = std::ranges::find(notes_, note);
    const auto index = static_cast<std::size_t>(known - notes_.begin());
    if (known == notes_.end()) notes_.push_back(note);
    in_grid_.insert(index);
    words = words + mark(letter_of(index));
  }
  return words + shown.after;
}

List Notes::list() {
  List list{.items = {}, .style = List::Style::notes};
  for (const std::size_t note : std::exchange(in_grid_, {})) {
    list.items.push_back({mark(letter_of(note)) + (" " + notes_[note] + ".")});
  }
  return list;
}

std::vector<Block> blocks_of(const Sheet& sheet, Notes& notes) {
  if (sheet.rows.empty()) return {};
  Grid grid;
  grid.caption = sheet.caption;
  for (const SheetColumn& column : sheet.columns) {
    if (column.reader) grid.columns.push_back(*column.reader);
  }
  std::vector<Row>& rows = grid.groups.emplace_back().rows;
  for (const std::vector<Entry>& entries : sheet.rows) {
    std::vector<Words>& cells = rows.emplace_back().cells;
    for (std::size_t i = 0; i < sheet.columns.size(); ++i) {
      if (sheet.columns[i].reader) cells.push_back(notes.marked(entries[i].shown));
    }
  }
  std::vector<Block> blocks{std::move(grid)};
  if (List list = notes.list(); !list.items.empty()) blocks.emplace_back(std::move(list));
  return blocks;
}

std::vector<Block> blocks_of(const Sheet& sheet) {
  Notes notes;
  return blocks_of(sheet, notes);
}

void append(std::vector<Block>& blocks, std::vector<Block> more) {
  std::ranges::move(more, std::back_inserter(blocks));
}

}  // namespace macrobench
