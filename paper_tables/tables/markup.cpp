#include "paper_tables/tables/markup.hpp"

#include <algorithm>

#include "harness/text/width.hpp"
#include "paper_tables/tables/layout.hpp"

namespace macrobench {

std::string markdown_table(std::vector<std::vector<std::string>> lines, std::size_t left) {
  std::vector<std::size_t> widths(lines.front().size(), 3);
  for (std::vector<std::string>& cells : lines) {
    cells.resize(widths.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(cells[i]));
    }
  }
  std::string result;
  for (std::size_t l = 0; l < lines.size(); ++l) {
    result += "|";
    for (std::size_t i = 0; i < widths.size(); ++i) {
      result += " " + padded(lines[l][i], widths[i], i < left ? Side::left : Side::right) + " |";
    }
    result += "\n";
    if (l > 0) continue;
    result += "|";
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const std::string dashes(widths[i] + 1, '-');
      result += (i < left ? ":" + dashes : dashes + ":") + "|";
    }
    result += "\n";
  }
  return result;
}

std::string text_table(const std::vector<std::vector<std::string>>& lines, std::size_t left) {
  std::vector<std::size_t> widths(lines.front().size(), 0);
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(line[i]));
    }
  }
  std::string result;
  for (const auto& line : lines) {
    std::string printed;
    for (std::size_t i = 0; i < line.size(); ++i) {
      printed += i == 0 ? "  " : "   ";
      printed += padded(line[i], widths[i], i < left ? Side::left : Side::right);
    }
    printed.erase(printed.find_last_not_of(' ') + 1);
    result += printed + "\n";
  }
  return result;
}

}  // namespace macrobench
