#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "paper_tables/tables/layout.hpp"
#include "paper_tables/tables/markup.hpp"
#include "paper_tables/tables/render.hpp"

namespace macrobench {

namespace {

/// Columns beside each other before a table is split into panels.
constexpr std::size_t panel_limit = 10;

std::string superscript(const std::string& symbol) {
  static constexpr std::array<const char*, 12> letters{"ᵃ", "ᵇ", "ᶜ", "ᵈ", "ᵉ", "ᶠ",
                                                       "ᵍ", "ʰ", "ⁱ", "ʲ", "ᵏ", "ˡ"};
  const auto index = static_cast<std::size_t>(symbol.front() - 'a');
  return symbol == "†"                                  ? symbol
         : symbol.size() == 1 && index < letters.size() ? letters[index]
                                                        : fmt::format("<sup>{}</sup>", symbol);
}

std::string panel(const Sheet& sheet, std::size_t first, std::size_t last) {
  std::vector<std::vector<std::string>> lines;
  lines.push_back({escape_markdown(sheet.axis), ""});
  for (std::size_t i = first; i < last; ++i) lines[0].push_back(escape_markdown(sheet.columns[i]));
  for (const SheetBlock& block : sheet.blocks) {
    if (!block.label.empty()) {
      lines.push_back({"**" + escape_markdown(block.label) + "**"});
      lines.back().resize(lines[0].size());
    }
    for (const std::vector<SheetLine>& row : block.rows) {
      for (const SheetLine& printed : lines_in_panel(row, first, last)) {
        std::vector<std::string>& cells = lines.emplace_back(
            std::vector<std::string>{escape_markdown(printed.label), printed.kind});
        for (const Entry& entry : printed.entries) {
          cells.push_back(entry.text);
          if (entry.mark != Entry::unmarked) {
            cells.back() += superscript(sheet.marks[static_cast<std::size_t>(entry.mark)].symbol);
          }
        }
      }
    }
  }
  return markdown_table(lines, 2);
}

}  // namespace

std::string escape_markdown(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|' || c == '*' || c == '_' || c == '<') result += '\\';
    result += c;
  }
  return result;
}

std::string render_markdown(const Table& table) {
  const Sheet sheet = lay_out(table);
  std::string text = fmt::format("# {}: {}\n\n{}.\n\n", escape_markdown(sheet.title),
                                 escape_markdown(sheet.caption), escape_markdown(sheet.source));
  if (!sheet.published_on.empty()) {
    text += fmt::format("* Published on: {}\n", escape_markdown(sheet.published_on));
    text += fmt::format("* Measured on: {}\n", escape_markdown(sheet.measured_on));
  }
  for (const auto& [first, last] : panels(sheet.columns.size(), panel_limit)) {
    text += "\n" + panel(sheet, first, last);
  }
  text += "\n";
  for (const Mark& mark : sheet.marks) {
    text += fmt::format("{} {}.\n\n", superscript(mark.symbol), escape_markdown(mark.text));
  }
  for (const std::string& remark : sheet.remarks)
    text += fmt::format("* {}\n", escape_markdown(remark));
  return text;
}

}  // namespace macrobench
