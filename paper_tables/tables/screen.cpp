#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "paper_tables/tables/layout.hpp"
#include "paper_tables/tables/render.hpp"

namespace macrobench {

namespace {

using Rows = std::span<const std::vector<SheetLine>>;

/// The marks of rows that hold nothing else; none where one holds a number.
std::set<int> only_marks(Rows rows) {
  std::set<int> marks;
  for (const std::vector<SheetLine>& row : rows) {
    for (const SheetLine& line : row) {
      for (const Entry& entry : line.entries) {
        if (entry.mark == Entry::unmarked || entry.text != "–") return {};
        marks.insert(entry.mark);
      }
    }
  }
  return marks;
}

/// Takes our own rows of which no cell was run out of the sheet, and names them in a line or two.
/// Where there are several groups of ours, whole groups.
List fold_away(Sheet& sheet) {
  std::map<std::set<int>, std::vector<std::string>> folded;
  const auto is_folded = [&](Rows rows, const std::string& name) {
    const std::set<int> marks = only_marks(rows);
    if (!marks.empty()) folded[marks].push_back(name);
    return !marks.empty();
  };
  const bool grouped = std::ranges::count(sheet.blocks, true, &SheetBlock::extra) > 1;
  for (SheetBlock& block : sheet.blocks) {
    if (!block.extra) continue;
    if (grouped) {
      if (is_folded(block.rows, block.label)) block.rows.clear();
    } else {
      std::erase_if(block.rows, [&](const std::vector<SheetLine>& row) {
        return is_folded({&row, 1}, row.front().label);
      });
    }
  }
  std::erase_if(sheet.blocks, [](const SheetBlock& block) { return block.rows.empty(); });
  List list{.items = {}, .style = List::Style::notes};
  for (const auto& [marks, labels] : folded) {
    Words words = "Not run";
    for (const int one : marks) {
      words = words + mark(sheet.marks[static_cast<std::size_t>(one)].symbol);
    }
    list.items.push_back({words + fmt::format(": {}.", fmt::join(labels, "; "))});
  }
  return list;
}

}  // namespace

Document screen_document_of(const Table& table) {
  Sheet sheet = lay_out(table);
  List unrun = fold_away(sheet);
  Document document = document_of(sheet);
  if (!unrun.items.empty()) {
    const auto grid = std::ranges::find_if(
        document.body, [](const Block& block) { return std::holds_alternative<Grid>(block); });
    document.body.insert(grid + 1, std::move(unrun));
  }
  return document;
}

}  // namespace macrobench
