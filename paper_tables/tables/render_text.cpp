#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "harness/text/width.hpp"
#include "paper_tables/tables/layout.hpp"
#include "paper_tables/tables/markup.hpp"
#include "paper_tables/tables/render.hpp"

namespace macrobench {

namespace {

std::string superscript(const std::string& symbol) {
  return symbol == "†" ? symbol : "^" + symbol;
}

std::string shown(const Sheet& sheet, const Entry& entry) {
  if (entry.mark == Entry::unmarked) return entry.text;
  return entry.text + superscript(sheet.marks[static_cast<std::size_t>(entry.mark)].symbol);
}

/// How wide the label, the kind and each column are.
struct Widths {
  std::size_t label = 0;
  std::size_t kind = 0;
  std::size_t column = 0;

  [[nodiscard]] std::size_t total(std::size_t columns) const {
    return label + 2 + kind + columns * (column + 2);
  }
};

Widths widths_of(const Sheet& sheet) {
  Widths widths;
  widths.label = display_width(sheet.axis);
  const auto widen = [](std::size_t& width, const std::string& text) {
    width = std::max(width, display_width(text));
  };
  for (const std::string& column : sheet.columns) widen(widths.column, column);
  for (const SheetBlock& block : sheet.blocks) {
    for (const std::vector<SheetLine>& row : block.rows) {
      for (const SheetLine& line : row) {
        widen(widths.label, line.label);
        widen(widths.kind, line.kind);
        for (const Entry& entry : line.entries) widen(widths.column, shown(sheet, entry));
      }
    }
  }
  return widths;
}

std::string without_trailing_space(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string panel(const Sheet& sheet, const Widths& widths, std::size_t first, std::size_t last) {
  const auto line = [&](const std::string& label, const std::string& kind, auto column) {
    std::string text =
        padded(label, widths.label, Side::left) + "  " + padded(kind, widths.kind, Side::left);
    for (std::size_t i = 0; i < last - first; ++i) {
      text += "  " + padded(column(i), widths.column, Side::right);
    }
    return without_trailing_space(text);
  };
  const std::string rule(widths.total(last - first), '-');
  std::string text =
      line(sheet.axis, "", [&](std::size_t i) { return sheet.columns[first + i]; }) + rule + "\n";
  for (const SheetBlock& block : sheet.blocks) {
    if (block.extra) text += rule + "\n";
    if (!block.label.empty()) text += block.label + "\n";
    for (const std::vector<SheetLine>& row : block.rows) {
      for (const SheetLine& printed : lines_in_panel(row, first, last)) {
        text += line(printed.label, printed.kind,
                     [&](std::size_t i) { return shown(sheet, printed.entries[i]); });
      }
    }
  }
  return text;
}

/// The marks of rows that hold nothing else, "^a^b"; empty where one holds a number.
std::string only_marks(const Sheet& sheet, std::span<const std::vector<SheetLine>> rows) {
  std::set<int> marks;
  for (const std::vector<SheetLine>& row : rows) {
    for (const SheetLine& line : row) {
      for (const Entry& entry : line.entries) {
        if (entry.mark == Entry::unmarked || entry.text != "–") return {};
        marks.insert(entry.mark);
      }
    }
  }
  std::string symbols;
  for (const int mark : marks) {
    symbols += superscript(sheet.marks[static_cast<std::size_t>(mark)].symbol);
  }
  return symbols;
}

/// Takes our own rows of which no cell was run out of the sheet, and names them in a line or two: a
/// screen has not got a page's room. Where there are several groups of ours, whole groups.
std::string fold_away(Sheet& sheet, std::size_t width) {
  std::map<std::string, std::vector<std::string>> folded;
  const auto is_folded = [&](std::span<const std::vector<SheetLine>> rows,
                             const std::string& name) {
    const std::string marks = only_marks(sheet, rows);
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
  std::string text;
  for (const auto& [marks, labels] : folded) {
    text += wrapped(fmt::format("Not run{}: {}.", marks, fmt::join(labels, "; ")), width, "  ");
  }
  return text;
}

}  // namespace

std::string render_text(const Table& table, std::size_t width) {
  Sheet sheet = lay_out(table);
  const std::string unrun = fold_away(sheet, width);
  const Widths widths = widths_of(sheet);
  const std::size_t room = std::max(width, widths.total(2)) - widths.total(0);
  std::string text =
      wrapped(sheet.title + ": " + sheet.caption, width, "") + wrapped(sheet.source, width, "");
  if (!sheet.published_on.empty()) {
    text += wrapped("Published on: " + sheet.published_on, width, "  ") +
            wrapped("Measured on:  " + sheet.measured_on, width, "  ");
  }
  for (const auto& [first, last] : panels(sheet.columns.size(), room / (widths.column + 2))) {
    text += "\n" + panel(sheet, widths, first, last);
  }
  text += "\n" + unrun;
  for (const Mark& mark : sheet.marks) {
    text += wrapped(superscript(mark.symbol) + " " + mark.text + ".", width, "  ");
  }
  for (const std::string& remark : sheet.remarks) text += wrapped("* " + remark, width, "  ");
  return text;
}

}  // namespace macrobench
