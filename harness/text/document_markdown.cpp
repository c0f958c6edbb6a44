#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "harness/text/document_parts.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

/// Columns of numbers beside each other before a grid is split into panels.
constexpr std::size_t panel_limit = 10;

/// So that none of it is Markdown's own, nor calls a person or an issue on GitHub.
std::string escaped(const std::string& text) {
  std::string result;
  const std::string line = printable(text);
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const auto next = static_cast<unsigned char>(i + 1 < line.size() ? line[i + 1] : ' ');
    const auto last = static_cast<unsigned char>(i > 0 ? line[i - 1] : ' ');
    // Between letters it is only itself: x86_64.
    const bool in_a_word = c == '_' && std::isalnum(last) != 0 && std::isalnum(next) != 0;
    if (in_a_word) {
      result += c;
    } else if (std::string_view("\\|*_<`~$").find(c) != std::string_view::npos ||
               (c == ']' && (next == '(' || next == ':'))) {
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

std::string superscript(const std::string& symbol) {
  static constexpr std::array<const char*, 12> letters{"ᵃ", "ᵇ", "ᶜ", "ᵈ", "ᵉ", "ᶠ",
                                                       "ᵍ", "ʰ", "ⁱ", "ʲ", "ᵏ", "ˡ"};
  if (symbol == "†") return symbol;
  const auto index = static_cast<std::size_t>(symbol.front() - 'a');
  return symbol.size() == 1 && index < letters.size() ? letters[index]
                                                      : fmt::format("<sup>{}</sup>", symbol);
}

std::string as_markdown(const Words& words) {
  return written(words, [](const Span& span) {
    switch (span.style) {
      case Span::Style::strong:
        return "**" + escaped(span.text) + "**";
      case Span::Style::code:
        return "`" + printable(span.text) + "`";
      case Span::Style::mark:
        return superscript(span.text);
      default:
        return escaped(span.text);
    }
  });
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
    if (!group.label.empty()) add(std::vector{strong(group.label)}, as_markdown);
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

std::string as_markdown(const Grid& grid) {
  std::string text;
  if (!grid.caption.empty()) text += as_markdown(grid.caption) + ":\n\n";
  bool is_first = true;
  for (const Grid& panel : panels_of(grid, panel_limit)) {
    if (!std::exchange(is_first, false)) text += "\n";
    text += panel_of(panel);
  }
  if (grid.folded.empty()) return text;
  return fmt::format("<details><summary>{}</summary>\n\n{}\n</details>\n", escape_html(grid.folded),
                     text);
}

std::string as_markdown(const List& list) {
  std::string text;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const ListItem& item = list.items[i];
    if (list.style == List::Style::notes) {
      text += (i > 0 ? "\n" : "") + as_markdown(item.words) + "\n";
      continue;
    }
    const std::string bullet =
        list.style == List::Style::numbers ? std::to_string(i + 1) + ". " : "* ";
    text += bullet + as_markdown(item.words) + "\n";
    for (const Words& below : item.below) {
      text += std::string(bullet.size(), ' ') + "* " + as_markdown(below) + "\n";
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
      text +=
          std::visit(Overloaded{[](const Heading& it) {
                                  return std::string(static_cast<std::size_t>(it.level), '#') +
                                         " " + as_markdown(it.words) + "\n";
                                },
                                [](const Paragraph& it) { return as_markdown(it.words) + "\n"; },
                                [](const auto& it) { return as_markdown(it); }},
                     block);
    }
  }
  return text;
}

}  // namespace macrobench
