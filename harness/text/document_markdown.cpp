#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "harness/text/document_elements.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

/// GitHub's column of text has 1,012 pixels. A cell takes 26 besides its text, and a character of
/// the fonts that it names is about 9 wide. A browser breaks a long name into lines.
constexpr std::size_t page_pixels = 1012;
constexpr std::size_t cell_pixels = 26;
constexpr std::size_t character_pixels = 9;
constexpr std::size_t unbroken_name = 24;  ///< characters

/// So that none of it is Markdown's own, nor calls a person or an issue on GitHub, nor links to a
/// place.
std::string escaped(const std::string& text) {
  std::string result;
  const std::string line = printable(text);
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const auto next = static_cast<unsigned char>(i + 1 < line.size() ? line[i + 1] : ' ');
    const auto last = static_cast<unsigned char>(i > 0 ? line[i - 1] : ' ');
    // Between letters it is only itself: x86_64.
    const bool in_a_word = c == '_' && std::isalnum(last) != 0 && std::isalnum(next) != 0;
    const bool in_an_address = (c == ':' && line.compare(i, 3, "://") == 0) ||
                               (c == '.' && i >= 3 && line.compare(i - 3, 3, "www") == 0);
    if (in_a_word) {
      result += c;
    } else if (std::string_view("\\|*_<`~$").find(c) != std::string_view::npos || in_an_address ||
               (c == ']' && (next == '(' || next == ':' || i + 1 == line.size()))) {
      result += '\\';
      result += c;
    } else if ((c == '@' && std::isalnum(next) != 0) || (c == '#' && std::isdigit(next) != 0) ||
               (c == '&' && (std::isalnum(next) != 0 || next == '#'))) {
      result += fmt::format("&#{};", static_cast<int>(c));
    } else {
      result += c;
    }
  }
  return result;
}

/// Within backticks nothing is escaped, so that what has one or a table's bar is an element.
std::string as_code(const std::string& text) {
  if (text.empty()) return "";
  if (text.find_first_of("`|") != std::string::npos) return "<code>" + escaped(text) + "</code>";
  return "`" + printable(text) + "`";
}

std::string as_markdown(const Words& words) {
  return written(words, [](const Span& span) {
    switch (span.style) {
      case Span::Style::strong:
        return "**" + escaped(span.text) + "**";
      case Span::Style::code:
        return as_code(span.text);
      default:
        return escaped(span.text);
    }
  });
}

/// The same as a line of its own, whose first characters make no heading, quotation, list or rule.
std::string as_line(const Words& words) {
  std::string text = as_markdown(words);
  text.erase(0, std::min(text.find_first_not_of(' '), text.size()));
  const std::size_t first = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto at = [&](std::size_t i) { return i < text.size() ? text[i] : ' '; };
  const bool is_number = first > 0 && (at(first) == '.' || at(first) == ')');
  const bool is_sign = first == 0 && (at(0) == '#' || at(0) == '-' || at(0) == '+');
  const char next = at(first + 1);
  const bool is_mark = (is_number || is_sign) && (next == ' ' || next == at(first));
  if (!text.empty() && (is_mark || text.front() == '>')) text.insert(first, "\\");
  return text;
}

std::string panel_of(const Grid& panel) {
  PanelCells lines(panel, 3);
  const auto add = [&](const auto& cells, const auto& write) {
    std::vector<std::string> line(panel.columns.size());
    std::ranges::transform(cells, line.begin(), write);
    lines.add(std::move(line));
  };
  add(panel.columns, [](const Column& column) { return escaped(column.title); });
  for (const RowGroup& group : panel.groups) {
    if (!group.label.empty()) {
      add(std::vector{group.label},
          [](const std::string& its) { return "*" + escaped(its) + "*"; });
    }
    for (const Row& row : group.rows) add(row.cells, as_markdown);
  }
  std::string rule = "|";
  for (std::size_t i = 0; i < panel.columns.size(); ++i) {
    const std::string dashes(lines.widths()[i] + 1, '-');
    rule += (panel.columns[i].kind == Column::Kind::words ? ":" + dashes : dashes + ":") + "|";
  }
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += fmt::format("| {} |\n", lines.line(i, " | "));
    if (i == 0) text += rule + "\n";
  }
  return text;
}

/// About how wide a browser makes the panel.
std::size_t pixels_of(const Grid& panel) {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < panel.columns.size(); ++i) {
    std::size_t widest = display_width(panel.columns[i].title);
    for (const RowGroup& group : panel.groups) {
      for (const Row& row : group.rows) {
        if (i >= row.cells.size()) continue;
        const auto as_it_is = [](const Span& span) { return span.text; };
        widest = std::max(widest, display_width(written(row.cells[i], as_it_is)));
      }
    }
    if (panel.columns[i].kind == Column::Kind::words) widest = std::min(widest, unbroken_name);
    sum += cell_pixels + widest * character_pixels;
  }
  return sum;
}

/// In as few panels as the page is wide enough for.
std::vector<Grid> fitting_panels_of(const Grid& grid) {
  std::size_t limit = grid.columns.size();
  std::vector<Grid> panels = panels_of(grid, limit);
  if (!grid.in_panels) return panels;
  const auto fits = [](const Grid& panel) { return pixels_of(panel) <= page_pixels; };
  while (limit > 1 && !std::ranges::all_of(panels, fits)) panels = panels_of(grid, --limit);
  return panels;
}

std::string as_markdown(const Grid& grid) {
  std::string text;
  if (!grid.caption.empty()) text += as_line(grid.caption) + ":\n\n";
  bool is_first = true;
  for (const Grid& panel : fitting_panels_of(grid)) {
    if (!std::exchange(is_first, false)) text += "\n";
    text += panel_of(panel);
  }
  if (grid.folded.empty()) return text;
  return fmt::format("<details><summary>{}</summary>\n\n{}\n</details>\n",
                     escape_html(printable(grid.folded)), text);
}

std::string as_markdown(const List& list) {
  std::string text;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const ListItem& item = list.items[i];
    if (list.style == List::Style::notes) {
      text += (i > 0 ? "\n" : "") + as_line(item.words) + "\n";
      continue;
    }
    const std::string bullet =
        list.style == List::Style::numbers ? std::to_string(i + 1) + ". " : "* ";
    text += bullet + as_line(item.words) + "\n";
    for (const Words& below : item.below) {
      text += std::string(bullet.size(), ' ') + "* " + as_line(below) + "\n";
    }
  }
  return text;
}

}  // namespace

std::string to_markdown(const Document& document) {
  std::string text;
  if (!document.title.empty()) text += "# " + as_markdown(document.title) + "\n";
  for (const auto* blocks : {&document.about, &document.summary, &document.body}) {
    for (const Block& block : *blocks) {
      if (!text.empty()) text += "\n";
      text += std::visit(Overloaded{[](const Heading& it) {
                                      return std::string(static_cast<std::size_t>(it.level), '#') +
                                             " " + as_markdown(it.words) + "\n";
                                    },
                                    [](const Paragraph& it) { return as_line(it.words) + "\n"; },
                                    [](const auto& it) { return as_markdown(it); }},
                         block);
    }
  }
  return text;
}

}  // namespace macrobench
