#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include "harness/text/width.hpp"
#include "paper_tables/tables/layout.hpp"
#include "paper_tables/tables/render.hpp"

namespace macrobench {

namespace {

/// Columns beside each other on an upright page.
constexpr std::size_t panel_limit = 7;

/// What does not stand for itself in LaTeX's text, the longer before what it begins with.
constexpr std::array<std::pair<std::string_view, std::string_view>, 40> replacements{{
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
    {"–", "--"},
    {"…", R"(\dots{})"},
    {"“", "``"},
    {"”", "''"},
    {"’", "'"},
    {"×", R"($\times$)"},
    {"†", R"(\textdagger{})"},
    {"≈", R"($\approx$)"},
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

std::string escaped(std::string_view text) {
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

std::string superscript(const std::string& symbol) {
  return fmt::format("\\textsuperscript{{{}}}", escaped(symbol));
}

/// "5.20e-5" as $5.20\cdot10^{-5}$; anything else as it is.
std::string latex_number(const std::string& text) {
  const std::size_t e = text.find('e');
  if (e == std::string::npos || e == 0 || text.find_first_not_of("0123456789.-e") < text.size()) {
    return escaped(text);
  }
  return fmt::format("${}{{\\cdot}}10^{{{}}}$", text.substr(0, e), text.substr(e + 1));
}

std::string shown(const Sheet& sheet, const Entry& entry) {
  std::string text = latex_number(entry.text);
  if (entry.mark == Entry::unmarked) return text;
  // Marks hang over, so that the digits stay in their column.
  return fmt::format("{}\\rlap{{{}}}", text,
                     superscript(sheet.marks[static_cast<std::size_t>(entry.mark)].symbol));
}

std::string line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths,
                 std::string_view end) {
  std::string text = "  ";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    text += (i > 0 ? " & " : "") + padded(cells[i], widths[i], i < 2 ? Side::left : Side::right);
  }
  return fmt::format("{} {}\n", text, end);
}

std::string panel(const Sheet& sheet, std::size_t first, std::size_t last,
                  const std::string& caption) {
  struct Printed {
    std::string before;
    std::vector<std::string> cells;
    bool starts_row = true;
    bool ends_row = true;
  };
  std::vector<Printed> lines;
  std::vector<std::string> head{escaped(sheet.axis), ""};
  for (std::size_t i = first; i < last; ++i) head.push_back(escaped(sheet.columns[i]));
  std::vector<std::size_t> widths;
  for (const std::string& cell : head) widths.push_back(display_width(cell));

  std::string before;
  for (const SheetBlock& block : sheet.blocks) {
    if (&block != &sheet.blocks.front()) before += "  \\midrule\n";
    if (!block.label.empty()) {
      before += fmt::format("  \\multicolumn{{{}}}{{@{{}}l}}{{\\textit{{{}}}}} \\\\*\n",
                            head.size(), escaped(block.label));
    }
    for (const std::vector<SheetLine>& row : block.rows) {
      const std::vector<SheetLine> in_panel = lines_in_panel(row, first, last);
      for (const SheetLine& printed : in_panel) {
        Printed& made = lines.emplace_back();
        made.before = std::exchange(before, "");
        made.starts_row = &printed == &in_panel.front();
        made.ends_row = &printed == &in_panel.back();
        made.cells = {escaped(printed.label), printed.kind};
        for (const Entry& entry : printed.entries) made.cells.push_back(shown(sheet, entry));
        for (std::size_t i = 0; i < widths.size(); ++i) {
          widths[i] = std::max(widths[i], display_width(made.cells[i]));
        }
      }
    }
  }

  const std::string header = "  \\toprule\n" + line(head, widths, "\\\\") + "  \\midrule\n";
  std::string text =
      fmt::format("\\begin{{longtable}}{{@{{}}ll*{{{}}}{{r}}@{{}}}}\n", last - first);
  text += caption + header + "  \\endfirsthead\n" + header +
          "  \\endhead\n  \\bottomrule\n  \\endfoot\n";
  for (const Printed& printed : lines) {
    // A row's lines stay on one page, with a little room after them.
    const std::string_view end = !printed.ends_row    ? "\\\\*"
                                 : printed.starts_row ? "\\\\"
                                                      : "\\\\ \\addlinespace[1.5pt]";
    text += printed.before + line(printed.cells, widths, end);
  }
  return text + "\\end{longtable}\n";
}

}  // namespace

std::string render_latex(const Table& table) {
  const Sheet sheet = lay_out(table);
  const Definition& definition = *table.definition;
  std::string text = fmt::format(
      "% {}: published and measured. To be \\input into a document with\n"
      "% \\usepackage{{booktabs,longtable}}\n% and a text that is 16 cm wide or more.\n"
      "\\begingroup\n\\scriptsize\n\\setlength{{\\tabcolsep}}{{3pt}}\n"
      "\\setlength{{\\LTcapwidth}}{{\\textwidth}}\n",
      definition.id());
  std::string about = fmt::format("{}. {}.", escaped(sheet.caption), escaped(sheet.source));
  if (!sheet.published_on.empty()) {
    about += fmt::format(" Published on: {}. Measured on: {}.", escaped(sheet.published_on),
                         escaped(sheet.measured_on));
  }
  for (const auto& [first, last] : panels(sheet.columns.size(), panel_limit)) {
    text += panel(sheet, first, last,
                  first == 0 ? fmt::format("  \\caption{{{}}}\\label{{tab:{}:{}}}\\\\\n", about,
                                           definition.paper, definition.table)
                             : "");
  }
  for (const Mark& mark : sheet.marks) {
    text += fmt::format("\\noindent{} {}.\\par\n", superscript(mark.symbol), escaped(mark.text));
  }
  for (const std::string& remark : sheet.remarks) {
    text += fmt::format("\\noindent {}\\par\n", escaped(remark));
  }
  return text + "\\endgroup\n";
}

}  // namespace macrobench
