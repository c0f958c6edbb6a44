#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>
#include <utility>

#include "harness/tables/sheet.hpp"
#include "harness/text/document_elements.hpp"
#include "harness/text/each.hpp"
#include "harness/text/format.hpp"

namespace macrobench {

namespace {

Shown shown_of(double value, const std::string& unit) {
  return {unit == "s" ? format_duration(value) : format_number(value)};
}

/// Notes that differ only in their numbers count as one.
std::string without_figures(std::string note) {
  std::erase_if(note, [](unsigned char c) { return std::isdigit(c) != 0; });
  return note;
}

Words word_for(const Cell& cell) {
  const std::string word = word_of(cell);
  return word == "not_run" ? "not run" : word;
}

}  // namespace

Shown shown_of(const Datum& datum, const std::string& unit) {
  return std::visit(
      Overloaded{[](std::monostate) { return Shown{}; },
                 [](bool is) { return Shown{is ? "yes" : ""}; },
                 [&](std::int64_t count) {
                   const auto number = static_cast<double>(count);
                   return Shown{unit == "bytes" ? format_bytes(number) : with_separators(number)};
                 },
                 [&](double value) { return shown_of(value, unit); },
                 [](const std::string& text) { return Shown{text}; },
                 [](const Cell& cell) {
                   if (!cell.value)
                     return Shown{.words = word_for(cell), .why = to_string(cell.why)};
                   const bool is_duration = cell.unit == "s";
                   return Shown{is_duration ? duration_of(cell) : text_of(cell), cell.marks};
                 }},
      datum);
}

Shown times_shown(const Cell& ratio) {
  if (!ratio.value) return {.why = to_string(ratio.why)};
  return {text_of(ratio) + "×", ratio.marks};
}

void Notes::Said::add(const std::string& note) {
  const auto like = std::ranges::find(notes, without_figures(note), without_figures);
  if (like == notes.end()) {
    notes.push_back(note);
  } else if (*like != note) {
    with_others.insert(static_cast<std::size_t>(like - notes.begin()));
  }
}

std::string Notes::Said::text() const {
  std::string text;
  for (std::size_t i = 0; i < notes.size(); ++i) {
    text += (i == 0 ? "" : "; ") + notes[i] + (with_others.contains(i) ? ", and the like" : "");
  }
  return text;
}

Words Notes::marked(const Shown& shown) {
  if (!shown.why.empty()) why_not_.add(shown.why);
  Words before;
  Words behind;
  std::set<Sign> signs;
  for (const auto& [sign, note] : shown.marks) {
    said_[sign].add(note);
    if (!signs.insert(sign).second) continue;
    if (sign == Sign::extrapolated) {
      before = symbol_of(sign);
    } else {
      behind = behind + mark(symbol_of(sign));
    }
  }
  return before + shown.words + behind + shown.after;
}

List Notes::list() {
  List list{.items = {}, .style = List::Style::notes};
  for (const auto& [sign, said] : std::exchange(said_, {})) {
    list.items.push_back({mark(symbol_of(sign)) + (" " + said.text() + ".")});
  }
  if (const Said why_not = std::exchange(why_not_, {}); !why_not.notes.empty()) {
    list.items.push_back({"No number: " + why_not.text() + "."});
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
