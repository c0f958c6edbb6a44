#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "harness/text/document_elements.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

/// Columns beside each other on an upright page.
constexpr std::size_t panel_limit = 7;

/// What does not stand for itself in LaTeX's text, the longer before what it begins with.
constexpr std::array<std::pair<std::string_view, std::string_view>, 45> replacements{{
    {"(a + bN)^2", R"($(a + bN)^2$)"},
    {"a + bN log N", R"($a + bN \log N$)"},
    {"a + bN", R"($a + bN$)"},
    {"\\", R"(\textbackslash{})"},
    {"{", R"(\{)"},
    {"}", R"(\})"},
    {"&", R"(\&)"},
    {"%", R"(\%)"},
    {"$", R"(\$)"},
    {"#", R"(\#)"},
    {"_", R"(\_)"},
    {"~", R"(\textasciitilde{})"},
    {"^", R"(\textasciicircum{})"},
    {"|", R"(\textbar{})"},
    {"<", R"(\textless{})"},
    {">", R"(\textgreater{})"},
    {"[", "{[}"},  // after a row's end it would begin a length
    {"\uFFFD", "?"},
    {"–", "--"},
    {"…", R"(\dots{})"},
    {"“", "``"},
    {"”", "''"},
    {"’", "'"},
    {"×", R"($\times$)"},
    {"†", R"(\textdagger{})"},
    {"‡", R"(\textdaggerdbl{})"},
    {"°", R"(\textdegree{})"},
    {"≈", R"($\approx$)"},
    {"≠", R"($\neq$)"},
    {"√", R"($\surd$)"},
    {"²", R"(\textsuperscript{2})"},
    {"l̄", R"($\bar{l}$)"},
    {"Δ", R"($\Delta$)"},
    {"ε", R"($\varepsilon$)"},
    {"μ", R"($\mu$)"},
    {"π", R"($\pi$)"},
    {"θ", R"($\theta$)"},
    {"β", R"($\beta$)"},
    {"γ", R"($\gamma$)"},
    {"α", R"($\alpha$)"},
    {"δ", R"($\delta$)"},
    {"ρ", R"($\rho$)"},
    {"σ", R"($\sigma$)"},
    {"Nk", "$N_k$"},
    {"Nz", "$N_z$"},
}};

std::string escaped(const std::string& its) {
  const std::string line = printable(its);
  std::string_view text = line;
  std::string result;
  while (!text.empty()) {
    std::string_view taken = text.substr(0, 1);
    std::string_view put = taken;
    for (const auto& [from, to] : replacements) {
      if (text.starts_with(from)) {
        taken = from;
        put = to;
        break;
      }
    }
    result += put;
    text.remove_prefix(taken.size());
  }
  return result;
}

/// "5.20e-5" as $5.20\cdot10^{-5}$; anything else as it is.
std::string number(const std::string& text) {
  const std::size_t e = text.find('e');
  if (e == std::string::npos || e == 0 || text.find_first_not_of("0123456789.-e") < text.size()) {
    return escaped(text);
  }
  return fmt::format("${}{{\\cdot}}10^{{{}}}$", text.substr(0, e), text.substr(e + 1));
}

std::string as_latex(const Words& words, bool in_column = false) {
  std::string text = written(words, [&](const Span& span) {
    const std::string its = escaped(span.text);
    switch (span.style) {
      case Span::Style::strong:
        return "\\textbf{" + its + "}";
      case Span::Style::code:
        return "\\texttt{" + its + "}";
      case Span::Style::mark: {
        const std::string symbol = "\\textsuperscript{" + its + "}";
        // Marks hang over, so that the digits stay in their column.
        return in_column ? "\\rlap{" + symbol + "}" : symbol;
      }
      default:
        return in_column ? number(span.text) : escaped(span.text);
    }
  });
  // Two marks that each hang over would lie on each other.
  replace_all(text, R"(}}\rlap{\textsuperscript{)", "");
  return text;
}

/// A column of words is broken into lines where its grid is not in panels.
std::string specification(const Grid& panel) {
  std::string text;
  for (const Column& column : panel.columns) {
    text += column.kind == Column::Kind::numbers ? "r" : panel.in_panels ? "l" : "p{3cm}";
  }
  return text;
}

std::string as_latex(const Grid& panel, const std::string& caption) {
  PanelCells lines(panel);
  std::vector<std::string> titles;
  for (const Column& column : panel.columns) titles.push_back(escaped(column.title));
  lines.add(std::move(titles));
  for (const RowGroup& group : panel.groups) {
    for (const Row& row : group.rows) {
      std::vector<std::string> cells;
      for (std::size_t i = 0; i < row.cells.size(); ++i) {
        cells.push_back(as_latex(row.cells[i], panel.columns[i].kind == Column::Kind::numbers));
      }
      lines.add(std::move(cells));
    }
  }

  std::size_t next = 0;
  const auto line = [&](std::string_view end) {
    return fmt::format("  {} {}\n", lines.line(next++, " & "), end);
  };
  const std::string header = "  \\toprule\n" + line("\\\\") + "  \\midrule\n";
  std::string text = fmt::format(
      "\\begin{{longtable}}{{@{{}}{}@{{}}}}\n{}{}  \\endfirsthead\n{}  \\endhead\n"
      "  \\bottomrule\n  \\endfoot\n",
      specification(panel), caption, header, header);
  for (const RowGroup& group : panel.groups) {
    if (&group != &panel.groups.front()) text += "  \\midrule\n";
    if (!group.label.empty()) {
      text += fmt::format("  \\multicolumn{{{}}}{{@{{}}l}}{{\\textit{{{}}}}} \\\\*\n",
                          panel.columns.size(), escaped(group.label));
    }
    for (std::size_t i = 0; i < group.rows.size(); ++i) {
      // A row's lines stay on one page, with a little room after them.
      const bool goes_on = i + 1 < group.rows.size() && group.rows[i + 1].continues;
      text += line(goes_on                   ? "\\\\*"
                   : group.rows[i].continues ? "\\\\ \\addlinespace[1.5pt]"
                                             : "\\\\");
    }
  }
  return text + "\\end{longtable}\n";
}

std::string as_latex(const Grid& grid) {
  std::string caption;
  if (!grid.caption.empty()) {
    const std::string label = grid.label.empty() ? "" : "\\label{" + grid.label + "}";
    caption = fmt::format("  \\caption{{{}}}{}\\\\\n", as_latex(grid.caption), label);
  }
  std::string text;
  for (const Grid& panel : panels_of(grid, panel_limit)) {
    text += as_latex(panel, std::exchange(caption, ""));
  }
  return text;
}

std::string as_latex(const List& list) {
  std::string text;
  for (const ListItem& item : list.items) {
    text += fmt::format("\\noindent {}\\par\n", as_latex(item.words));
    for (const Words& below : item.below) text += fmt::format("{}\\par\n", as_latex(below));
  }
  return text;
}

}  // namespace

std::string to_latex(const Document& document) {
  const std::string title =
      written(document.title, [](const Span& span) { return printable(span.text); });
  std::string text = title.empty() ? "" : "% " + title + "\n";
  text +=
      "% To be \\input into a document with\n% \\usepackage{booktabs,longtable}\n"
      "% and a text that is 16 cm wide or more.\n"
      "\\begingroup\n\\scriptsize\n\\setlength{\\tabcolsep}{3pt}\n"
      "\\setlength{\\LTcapwidth}{\\textwidth}\n";
  for (const auto* blocks : {&document.summary, &document.body}) {
    for (const Block& block : *blocks) {
      text +=
          std::visit(Overloaded{[](const Heading& it) {
                                  return fmt::format("\\paragraph{{{}}}\n", as_latex(it.words));
                                },
                                [](const Paragraph& it) {
                                  return fmt::format("\\noindent {}\\par\n", as_latex(it.words));
                                },
                                [](const auto& it) { return as_latex(it); }},
                     block);
    }
  }
  return text + "\\endgroup\n";
}

}  // namespace macrobench
