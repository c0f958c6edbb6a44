#pragma once

// What a stranger may write where a view shows text, and what would be live of it in each format.

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/text/strings.hpp"

namespace macrobench {

inline constexpr std::array<std::string_view, 24> hostile_texts{
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\\<img src=x onerror=alert(1)>",
    "\\\\<svg/onload=alert(1)>",
    "\"><a href=\"javascript:alert(1)\">here</a>",
    "' onmouseover='alert(1)",
    "![seen](https://evil.example/seen.png)",
    "[here](javascript:alert(1)) and [there][x]",
    "[x]: https://evil.example 'title'",
    "\\[here\\](https://evil.example) www.evil.example",
    "`</code><b>bold</b>` ``and`` *more* _of_ ~~it~~ $x$",
    "two lines\n\n# a heading\n\n<b>bold</b>",
    "a cell | another\\| \\\\| one\r\n| a | row |",
    "> quoted",
    "- listed",
    "7. numbered",
    "# headed, for @someone, see #12 &lt;b&gt;",
    "\x1b]0;a title\x07\x1b[31mred\x1b[2K\r",
    "\u009b31mred \x9b"
    "31mred \xff\x7f",
    "\u202eevil\u2066 \u2028 \u200f",
    "=cmd|' /C calc'!A0",
    "\t=1+1,\"=2+2\"",
    "-2+3+cmd|' /C calc'!A0",
    "}\\write18{id}\\input{/etc/passwd}$^^5c_#%&~[5cm]\\\\"};

/// Where a hostile text is, in the same document without one.
inline constexpr std::string_view harmless_text = "harmless";

using Markup = std::multiset<std::string>;

/// Tags, with the names of their attributes.
inline Markup markup_of_html(std::string_view text) {
  Markup tags;
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at)) {
    std::string tag;
    bool in_quotes = false;
    for (; at < text.size() && (in_quotes || text[at] != '>'); ++at) {
      if (text[at] == '"') in_quotes = !in_quotes;
      if (!in_quotes && text[at] != '"') tag += text[at];
    }
    tags.insert(tag);
  }
  return tags;
}

/// Marks, elements, links, cells and what lines begin with.
inline Markup markup_of_markdown(std::string_view text) {
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  Markup marks;
  for (const std::string_view line : split(text, '\n')) {
    if (line.starts_with("<details>")) {
      marks.merge(markup_of_html(line));
      continue;
    }
    for (std::string_view rest = line; !rest.empty();) {
      const std::size_t indent = std::min(rest.find_first_not_of(' '), rest.size());
      if (indent > 3) marks.insert("indented");
      rest.remove_prefix(indent);
      const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
      const std::string_view after = rest.substr(digits);
      const bool is_listed = digits > 0 ? after.starts_with(". ") || after.starts_with(") ")
                                        : after.starts_with("* ") || after.starts_with("- ") ||
                                              after.starts_with("+ ");
      if (is_listed) {
        marks.insert("listed");
        rest.remove_prefix(digits + 2);
        continue;
      }
      const std::size_t signs = std::min(rest.find_first_not_of('#'), rest.size());
      if (signs > 0 && rest.substr(signs).starts_with(' ')) marks.insert("headed");
      if (rest.starts_with('>') || rest.starts_with("---") || rest.starts_with("===")) {
        marks.insert("quoted or ruled");
      }
      break;
    }
    for (std::size_t i = 0; i < line.size(); ++i) {
      const char c = line[i];
      const char next = i + 1 < line.size() ? line[i + 1] : ' ';
      const char last = i > 0 ? line[i - 1] : ' ';
      const std::string_view from = line.substr(i);
      if (c == '\\' && std::ispunct(static_cast<unsigned char>(next)) != 0) {
        ++i;
      } else if (std::string_view("`*~|$").find(c) != std::string_view::npos) {
        marks.insert(std::string(1, c));
      } else if (c == '_' && !(is_word(last) && is_word(next))) {
        marks.insert("_");
      } else if (c == '<' && (is_word(next) || next == '/' || next == '!' || next == '?')) {
        marks.insert(std::string(from.substr(0, from.find_first_of("> ", 1))));
      } else if (c == ']' && (next == '(' || next == ':')) {
        marks.insert("a link");
      } else if (from.starts_with("://") || from.starts_with("www.")) {
        marks.insert("an address");
      } else if (c == '&' && (is_word(next) || next == '#') && !from.starts_with("&#35;") &&
                 !from.starts_with("&#38;") && !from.starts_with("&#64;")) {
        marks.insert("an entity");
      } else if ((c == '@' && is_word(next)) ||
                 (c == '#' && last != '&' && std::isdigit(static_cast<unsigned char>(next)) != 0)) {
        marks.insert("a mention");
      }
    }
  }
  return marks;
}

/// Commands, except those for a character, and what has a meaning without one.
inline Markup markup_of_latex(std::string_view text) {
  static const std::set<std::string> characters{"\\textbackslash",  "\\textbar",
                                                "\\textless",       "\\textgreater",
                                                "\\textasciitilde", "\\textasciicircum"};
  Markup commands;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      std::size_t end = i + 1;
      while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) != 0) ++end;
      const bool is_escape = end == i + 1;
      const std::string command(text.substr(i, is_escape ? 2 : end - i));
      const bool is_character =
          characters.contains(command) || (is_escape && command.find_first_of("{}&%$#_") == 1);
      if (!is_character) commands.insert(command);
      i += command.size() - 1;
    } else if (text[i] == '%') {
      commands.insert("a comment");
      i = std::min(text.find('\n', i), text.size());
    } else if (std::string_view("$#&_^~").find(text[i]) != std::string_view::npos) {
      commands.insert(std::string(1, text[i]));
    } else if (text[i] == '[' && (i == 0 || text.substr(i - 1, 3) != "{[}")) {
      commands.insert("[");
    }
  }
  return commands;
}

/// The fields of a line that a spreadsheet would compute, and how many each line has.
inline Markup markup_of_csv(std::string_view text) {
  Markup found;
  std::string field;
  std::size_t fields = 1;
  bool in_quotes = false;
  for (const char c : text) {
    if (c == '"') in_quotes = !in_quotes;
    if (in_quotes || (c != ',' && c != '\n')) {
      if (c != '"') field += c;
      continue;
    }
    const bool is_live = field.find_first_of("=+-@\t\r") == 0 && !finite_number(field);
    if (is_live) found.insert(field);
    if (c == ',') ++fields;
    if (c == '\n') {
      found.insert(std::to_string(fields) + " fields");
      fields = 1;
    }
    field.clear();
  }
  return found;
}

}  // namespace macrobench
