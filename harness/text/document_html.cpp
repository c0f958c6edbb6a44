#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "harness/text/document_elements.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

std::string as_html(const Words& words) {
  return written(words, [](const Span& span) {
    std::string text = escape_html(span.text);
    if (!span.kind.empty()) {
      return fmt::format(R"(<span class="{}">{}</span>)", escape_html(span.kind), text);
    }
    switch (span.style) {
      case Span::Style::strong:
        return "<strong>" + text + "</strong>";
      case Span::Style::code:
        return "<code>" + text + "</code>";
      case Span::Style::mark:
        return "<sup>" + text + "</sup>";
      default:
        return text;
    }
  });
}

/// Without elements, for an attribute.
std::string in_quotes(const Words& words) {
  return written(words, [](const Span& span) { return escape_html(span.text); });
}

constexpr std::string_view words_class = R"( class="words")";
constexpr std::string_view notes_class = R"( class="notes")";

/// The first cell names the row, and heads it.
std::string row_of(const Grid& grid, const Row& row) {
  const std::string_view first = row.continues ? "" : row.kind.empty() ? "first" : " first";
  std::string text = fmt::format(R"(<tr class="{}{}">)", escape_html(row.kind), first);
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const std::string cell = as_html(row.cells[i]);
    const bool is_words = grid.columns[i].kind == Column::Kind::words;
    text += i == 0 ? fmt::format(R"(<th scope="row" class="words">{}</th>)", cell)
                   : fmt::format("<td{}>{}</td>", is_words ? words_class : "", cell);
  }
  return text + "</tr>\n";
}

/// What is too wide scrolls by itself, also from the keyboard.
std::string as_html(const Grid& whole, const Words& name) {
  const Grid grid = panels_of(whole, whole.columns.size()).front();
  std::string text = "<table>\n";
  if (!grid.caption.empty()) {
    text += fmt::format("<caption>{}</caption>\n", as_html(grid.caption));
  }
  text += "<thead>\n<tr>";
  for (const Column& column : grid.columns) {
    text += fmt::format(R"(<th scope="col"{}>{}</th>)",
                        column.kind == Column::Kind::words ? words_class : "",
                        escape_html(column.title));
  }
  text += "</tr>\n</thead>\n";
  for (const RowGroup& group : grid.groups) {
    text += "<tbody>\n";
    if (!group.label.empty()) {
      text +=
          fmt::format("<tr><th scope=\"rowgroup\" class=\"group\" colspan=\"{}\">{}</th></tr>\n",
                      grid.columns.size(), escape_html(group.label));
    }
    for (const Row& row : group.rows) text += row_of(grid, row);
    text += "</tbody>\n";
  }
  text = fmt::format(
      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{}\">\n{}</table>\n"
      "</div>\n",
      in_quotes(grid.caption.empty() ? name : grid.caption), text);
  if (grid.folded.empty()) return text;
  return fmt::format("<details><summary>{}</summary>\n{}</details>\n", escape_html(grid.folded),
                     text);
}

std::string as_html(const List& list) {
  const std::string_view element = list.style == List::Style::numbers ? "ol" : "ul";
  std::string text =
      fmt::format("<{}{}>\n", element, list.style == List::Style::notes ? notes_class : "");
  for (const ListItem& item : list.items) {
    text += "<li>" + as_html(item.words);
    if (!item.below.empty()) {
      text += fmt::format("\n<ul{}>\n", notes_class);
      for (const Words& below : item.below) text += "<li>" + as_html(below) + "</li>\n";
      text += "</ul>\n";
    }
    text += "</li>\n";
  }
  return text + fmt::format("</{}>\n", element);
}

std::string as_html(const std::vector<Block>& blocks, int level, const Words& title) {
  std::string text;
  Words name = title;
  for (const Block& block : blocks) {
    text += std::visit(
        Overloaded{[&](const Heading& it) {
                     name = it.words;
                     return fmt::format("<h{0}>{1}</h{0}>\n", level + it.level - 1,
                                        as_html(it.words));
                   },
                   [&](const Paragraph& it) { return "<p>" + as_html(it.words) + "</p>\n"; },
                   [&](const List& it) { return it.items.empty() ? "" : as_html(it); },
                   [&](const Grid& it) { return as_html(it, name); }},
        block);
  }
  return text;
}

}  // namespace

std::string to_html(const Document& document, int level) {
  return as_html(document.summary, level, document.title) +
         as_html(document.body, level, document.title);
}

std::string to_html_page(const Document& document) {
  return html_page(document.title,
                   fmt::format("<main>\n<h1>{}</h1>\n{}{}</main>\n", as_html(document.title),
                               as_html(document.about, 1, document.title), to_html(document, 1)));
}

std::string html_page(const Words& title, const std::string& content, std::string_view style,
                      const PageScript& script) {
  const bool has_script = !script.text.empty();
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>\n{}{}</style>\n</head>\n<body>\n{}{}</body>\n</html>\n",
      has_script ? fmt::format("; script-src 'sha256-{}'", script.sha256) : "", in_quotes(title),
      page_style, style, content,
      has_script ? fmt::format("<script>{}</script>\n", script.text) : "");
}

std::string escape_html(std::string_view text) {
  using Entity = std::pair<char, std::string_view>;
  constexpr Entity entities[] = {
      {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
  std::string result;
  for (const char c : printable(text, "\n")) {
    const auto* entity = std::ranges::find(entities, c, &Entity::first);
    if (entity != std::end(entities)) {
      result += entity->second;
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace macrobench
