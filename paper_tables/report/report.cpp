#include "paper_tables/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "harness/text/format.hpp"
#include "paper_tables/definitions/bounds.hpp"
#include "paper_tables/errata/render_errata.hpp"
#include "paper_tables/report/html.hpp"

namespace macrobench {

namespace {

using nlohmann::ordered_json;

constexpr std::string_view style = R"(
:root { color-scheme: light dark; --ink: #1b1b1b; --dim: #555; --page: #fff; --line: #c8c8c8;
  --band: #f3f3f3; --link: #0a58a8; --yes: #00664b; --no: #a33f00; --may: #7a5200; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6e6; --dim: #a8a8a8; --page: #16181b;
  --line: #45484d; --band: #212429; --link: #7ab8f5; --yes: #58d3ae; --no: #ff9a5c;
  --may: #f0c04a; } }
body { color: var(--ink); background: var(--page); font: 16px/1.5 system-ui, sans-serif;
  max-width: 90rem; margin: 0 auto; padding: 1rem 1.25rem 4rem; }
p, ul, figure { max-width: 70rem; }
h1, h2, h3 { line-height: 1.25; margin: 2em 0 .5em; }
sup { line-height: 0; }
h1 { margin-top: .5em; }
h2 { border-bottom: 2px solid var(--line); padding-bottom: .2em; }
a { color: var(--link); }
.dim, figcaption, .notes { color: var(--dim); font-size: .875rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin-bottom: .75rem; font-size: .8125rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding: .25rem 0; color: var(--dim); }
th, td { padding: .15rem .55rem; text-align: right; vertical-align: top; white-space: nowrap; }
th { font-weight: 600; }
th.words, td.words { text-align: left; white-space: normal; min-width: 8rem; }
tbody th.words { position: sticky; left: 0; background: var(--page); }
th.kind { font-weight: 400; text-align: left; color: var(--dim); }
thead th { border-bottom: 2px solid var(--line); }
tbody tr.first > * { border-top: 1px solid var(--line); }
tr.measured td, tr.here td { font-weight: 600; }
th.group { text-align: left; background: var(--band); }
figure { margin: 1.5rem 0; }
figure svg { display: block; width: 100%; min-width: 40rem; height: auto; background: #fff;
  border-radius: 4px; }
details { margin: .4rem 0; }
summary { cursor: pointer; color: var(--link); }
pre { overflow: auto; max-height: 24rem; background: var(--band); padding: .75rem;
  font-size: .75rem; }
.verdict { font-weight: 700; }
.reproduced { color: var(--yes); } .contradicted { color: var(--no); } .depends { color: var(--may); }
nav ul { columns: 18rem; padding-left: 1.2rem; overflow-wrap: anywhere; }
@media (max-width: 40rem) { h1 { font-size: 1.5rem; }
  th.words, td.words { min-width: 6rem; } th.words { overflow-wrap: anywhere; } }
@media print {
  :root { color-scheme: light; --ink: #000; --dim: #333; --page: #fff; --line: #999; --band: #eee;
    --link: #000; --yes: #000; --no: #000; --may: #000; }
  body { max-width: none; font-size: 10pt; padding: 0; } p, ul, figure { max-width: none; }
  table { font-size: 6.5pt; } th, td { padding: .1rem .25rem; } tbody th.words { position: static; }
  .dim, figcaption, .notes { font-size: 8pt; }
  .scroll { overflow: visible; } figure svg { min-width: 0; }
  figure, tr { break-inside: avoid; } h2, h3 { break-after: avoid; } nav, details { display: none; }
}
)";

std::string element(std::string_view name, std::string_view text) {
  return fmt::format("<{0}>{1}</{0}>\n", name, escape_html(text));
}

/// A place on the page: "table-aldrich_2010-table_3".
std::string anchor(std::string_view kind, std::string name) {
  std::ranges::replace(name, '/', '-');
  return fmt::format("{}-{}", kind, escape_html(name));
}

/// What is too wide scrolls by itself, also from the keyboard.
std::string scrolling(std::string_view label, const std::string& content) {
  return fmt::format(
      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{}\">\n{}</div>\n",
      escape_html(label), content);
}

/// A table of words and numbers with its first line as a head; these columns are words, the first
/// of all heads of their rows.
std::string plain_table(std::string_view label, const std::vector<std::vector<std::string>>& lines,
                        const std::set<std::size_t>& words) {
  const auto class_of = [&](std::size_t column) {
    return words.contains(column) ? " class=\"words\"" : "";
  };
  std::string table =
      fmt::format("<table>\n<caption>{}</caption>\n<thead>\n<tr>", escape_html(label));
  for (std::size_t i = 0; i < lines.front().size(); ++i) {
    table += fmt::format("<th scope=\"col\"{}>{}</th>", class_of(i), escape_html(lines.front()[i]));
  }
  table += "</tr>\n</thead>\n<tbody>\n";
  for (std::size_t l = 1; l < lines.size(); ++l) {
    table += "<tr class=\"first\">";
    for (std::size_t i = 0; i < lines[l].size(); ++i) {
      const std::string_view name = i == 0 ? "th" : "td";
      table += fmt::format("<{0}{1}{2}>{3}</{0}>", name, i == 0 ? " scope=\"row\"" : "",
                           class_of(i), escape_html(lines[l][i]));
    }
    table += "</tr>\n";
  }
  return scrolling(label, table + "</tbody>\n</table>\n");
}

std::string html_of(const Entry& entry, const Sheet& sheet) {
  std::string text = escape_html(entry.text);
  if (entry.mark != Entry::unmarked) {
    text += fmt::format("<sup>{}</sup>",
                        escape_html(sheet.marks[static_cast<std::size_t>(entry.mark)].symbol));
  }
  return text;
}

/// The lines of a row of a published table. A line without a label of its own is of the label
/// above.
std::string rows_of(const std::vector<SheetLine>& lines, const Sheet& sheet) {
  std::string text;
  for (std::size_t l = 0; l < lines.size(); ++l) {
    const SheetLine& line = lines[l];
    const bool has_label = l == 0 || !line.label.empty();
    text += fmt::format("<tr class=\"{}{}\">", escape_html(line.kind), l == 0 ? " first" : "");
    if (has_label) {
      std::size_t last = l + 1;
      while (last < lines.size() && lines[last].label.empty()) ++last;
      text += fmt::format("<th scope=\"row\" class=\"words\" rowspan=\"{}\">{}</th>", last - l,
                          escape_html(line.label));
    }
    text += fmt::format("<th scope=\"row\" class=\"kind\">{}</th>", escape_html(line.kind));
    for (const Entry& entry : line.entries) text += "<td>" + html_of(entry, sheet) + "</td>";
    text += "</tr>\n";
  }
  return text;
}

std::string list_of(const std::vector<std::string>& items) {
  if (items.empty()) return "";
  std::string text = "<ul class=\"notes\">\n";
  for (const std::string& item : items) text += "<li>" + item + "</li>\n";
  return text + "</ul>\n";
}

std::string section_of(const ReportTable& table) {
  const Sheet& sheet = table.sheet;
  const std::string name = sheet.title + ": " + sheet.caption;
  std::string rows =
      fmt::format("<table>\n<thead>\n<tr><th scope=\"col\" class=\"words\" colspan=\"2\">{}</th>",
                  escape_html(sheet.axis));
  for (const std::string& column : sheet.columns) {
    rows += fmt::format("<th scope=\"col\">{}</th>", escape_html(column));
  }
  rows += "</tr>\n</thead>\n";
  for (const SheetBlock& block : sheet.blocks) {
    rows += "<tbody>\n";
    if (!block.label.empty()) {
      rows +=
          fmt::format("<tr><th scope=\"rowgroup\" class=\"group\" colspan=\"{}\">{}</th></tr>\n",
                      sheet.columns.size() + 2, escape_html(block.label));
    }
    for (const std::vector<SheetLine>& row : block.rows) {
      if (!row.empty()) rows += rows_of(row, sheet);
    }
    rows += "</tbody>\n";
  }
  std::string text = fmt::format("<section id=\"{}\">\n", anchor("table", table.id));
  text += element("h3", name);
  text += fmt::format("<p class=\"dim\"><code>{}</code>: {}.", escape_html(table.id),
                      escape_html(sheet.source));
  if (!sheet.measured_on.empty()) {
    text += fmt::format("<br>\nPublished on: {}.<br>\nMeasured on: {}.",
                        escape_html(sheet.published_on), escape_html(sheet.measured_on));
  }
  text += "</p>\n" + scrolling(name, rows + "</table>\n");
  std::vector<std::string> notes;
  for (const Mark& mark : sheet.marks) {
    notes.push_back(
        fmt::format("<sup>{}</sup> {}.", escape_html(mark.symbol), escape_html(mark.text)));
  }
  for (const std::string& remark : sheet.remarks) notes.push_back(escape_html(remark));
  return text + list_of(notes) + "</section>\n";
}

std::string times(const std::optional<double>& ratio) {
  return ratio ? format_number(*ratio) + "×" : "–";
}

std::string comparison_section(const std::vector<Comparison>& comparisons) {
  std::vector<std::vector<std::string>> lines{
      {"table", "against", "rows", "cells", "faster", "lowest", "highest", "a dollar", "a watt"}};
  std::vector<std::string> machines;
  for (const Comparison& comparison : comparisons) {
    const ComparedSide& in_print = comparison.sides.front();
    for (const ComparedTable& table : comparison.tables) {
      for (const MeanRatio& mean : table.means) {
        if (mean.cells == 0) continue;
        lines.push_back({table.id, in_print.name, mean.is_gpu ? "GPU" : "CPU",
                         std::to_string(mean.cells), times(mean.ratio), times(mean.lowest),
                         times(mean.highest), times(mean.per_dollar), times(mean.per_watt)});
      }
    }
    machines.push_back(escape_html(fmt::format("{}: {}.", in_print.name, in_print.text)));
  }
  if (lines.size() == 1) return "<p>No published time has a measured one beside it.</p>\n";
  return plain_table("Published over measured times, geometric means over the cells of a table",
                     lines, {0, 1, 2}) +
         list_of(machines);
}

std::string section_of(const ReportFigure& figure) {
  const std::string id = anchor("figure", figure.plot.name);
  std::string text = fmt::format("<figure id=\"{0}\" aria-labelledby=\"{0}-caption\">\n", id);
  text += figure.svg.empty() ? element("p", figure.why_not)
                             : scrolling(figure.plot.title, inline_svg(figure.svg, figure.plot));
  text += fmt::format("<figcaption id=\"{}-caption\"><strong>{}.</strong> {}</figcaption>\n", id,
                      escape_html(figure.plot.title), escape_html(figure.plot.caption));
  text += fmt::format(
      "<details><summary>Data of this figure (CSV)</summary>\n"
      "<pre tabindex=\"0\">{}</pre></details>\n</figure>\n",
      escape_html(to_csv(figure.plot)));
  return text;
}

std::string roofline_section(const Roofline& roofline) {
  if (roofline.ceilings.empty()) return element("p", no_ceilings());
  std::string text =
      plain_table("What its processors do at their best", ceilings_in(roofline), {0});
  if (roofline.cases.empty()) return text;
  return text +
         plain_table("Shares of the implementations’ cases: the floor over the time measured",
                     implementations_in(roofline), {0, 1, 6}) +
         fmt::format("<p class=\"dim\">{}</p>\n", escape_html(meaning_of(roofline)));
}

std::string_view class_of(ClaimVerdict verdict) {
  switch (verdict) {
    case ClaimVerdict::reproduced:
      return "reproduced";
    case ClaimVerdict::contradicted:
      return "contradicted";
    case ClaimVerdict::depends_on_the_baseline:
      return "depends";
    case ClaimVerdict::not_testable:
      break;
  }
  return "untestable";
}

std::string claims_section(const ClaimReport& report) {
  std::vector<std::vector<std::string>> lines{{"paper", "claims"}};
  for (const ClaimVerdict verdict : claim_verdicts) lines[0].push_back(to_string(verdict));
  for (const JudgedPaper& paper : report.papers) {
    std::vector<std::string>& line = lines.emplace_back(
        std::vector<std::string>{paper.paper->paper, std::to_string(paper.claims.size())});
    for (const int count : count_verdicts({paper})) line.push_back(std::to_string(count));
  }
  std::string text = plain_table("Verdicts by paper", lines, {0});
  for (const JudgedPaper& paper : report.papers) {
    text += element("h3", paper.paper->document) + "<ul>\n";
    for (const JudgedClaim& judged : paper.claims) {
      std::vector<std::string> reasons;
      for (const std::string& line : lines_of(judged)) reasons.push_back(escape_html(line));
      text += fmt::format(
          "<li><span class=\"verdict {}\">{}</span>: {} <span class=\"dim\">({})"
          "</span>\n{}</li>\n",
          class_of(judged.verdict), to_string(judged.verdict), escape_html(judged.claim->says),
          escape_html(judged.claim->where), list_of(reasons));
    }
    text += "</ul>\n";
  }
  return text;
}

std::string errata_section(const Errata& errata) {
  std::string text = element("p", summary_of(errata));
  for (const std::string& paper : papers_in(errata)) {
    text += element("h3", errata.documents.at(paper));
    std::vector<std::vector<std::string>> lines{
        {"number", "where", "rule", "printed", "recomputed", "off"}};
    for (const Erratum& erratum : errata.cells) {
      if (erratum.paper != paper) continue;
      const std::string note = erratum.note.empty() ? "" : "; " + erratum.note;
      lines.push_back({cell_of(erratum), erratum.where,
                       fmt::format("{}: {}{}", to_string(erratum.basis), erratum.rule, note),
                       erratum.printed, to_string(erratum.recomputed), off_of(erratum)});
    }
    if (lines.size() > 1)
      text += plain_table("Numbers that do not follow from others", lines, {0, 1, 2});
    std::vector<std::string> others;
    for (const Slight& slight : errata.slight) {
      if (slight.paper == paper) others.push_back(escape_html(sentence_of(slight)));
    }
    for (const FoundByReading& reading : errata.readings) {
      if (reading.paper != paper) continue;
      others.push_back(escape_html(fmt::format("{}: {}. Right: {}. {}", reading.where,
                                               reading.printed, reading.right, reading.evidence)));
    }
    text += list_of(others);
  }
  return text;
}

/// The block's values in its order, each under the names that lead to it; a list of words or
/// numbers is one.
void list_values(const ordered_json& json, const std::string& name,
                 std::vector<std::vector<std::string>>& lines) {
  const auto as_text = [](const ordered_json& value) {
    return value.is_string() ? value.get<std::string>()
           : value.is_null() ? "unknown"
                             : value.dump();
  };
  const bool is_nested =
      json.is_object() || (json.is_array() && !json.empty() && json.front().is_structured());
  if (is_nested) {
    for (const auto& [key, value] : json.items()) {
      list_values(value, name.empty() ? key : name + " " + key, lines);
    }
  } else if (json.is_array()) {
    std::string text;
    for (const ordered_json& value : json) {
      if (!text.empty()) text += ", ";
      text += as_text(value);
    }
    lines.push_back({name, text});
  } else {
    lines.push_back({name, as_text(json)});
  }
}

std::string machine_section(const Report& report) {
  std::string text =
      fmt::format("<p>{}. {} records, in the folder {}.</p>\n", escape_html(report.machine_text),
                  report.records, escape_html(report.machine));
  std::vector<std::vector<std::string>> lines{{"what", "value"}};
  if (report.block.is_object()) list_values(report.block, "", lines);
  if (lines.size() == 1) return text + "<p>Nothing more is known of it.</p>\n";
  return text + plain_table("The machine of the newest record", lines, {0, 1});
}

struct Part {
  const char* id;
  const char* title;
  std::string content;
};

std::string contents_of(const Report& report, const std::vector<Part>& parts) {
  std::string text = "<nav aria-label=\"Contents\">\n<ul>\n";
  for (const Part& part : parts) {
    text += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", part.id, part.title);
  }
  for (const ReportTable& table : report.tables) {
    text += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", anchor("table", table.id),
                        escape_html(table.id));
  }
  return text + "</ul>\n</nav>\n";
}

}  // namespace

std::string render_html(const Report& report) {
  std::string tables;
  for (const ReportTable& table : report.tables) tables += section_of(table);
  std::string figures;
  for (const ReportFigure& figure : report.figures) figures += section_of(figure);
  const std::vector<Part> parts{
      {"speed-up", "Speed-up against published", comparison_section(report.comparisons)},
      {"figures", "Figures", std::move(figures)},
      {"tables", "Tables, published beside measured", std::move(tables)},
      {"roofline", "Roofline", roofline_section(report.roofline)},
      {"claims", "What the papers say in words", claims_section(report.claims)},
      {"errata", "What is wrong in print", errata_section(report.errata)},
      {"machine", "The machine", machine_section(report)}};

  const std::string title = "Macrobench on " + report.machine_text;
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<header>\n<h1>{}</h1>\n"
      "<p>The tables, figures and claims of the papers that brought GPUs to macroeconomics, "
      "published beside measured. {} tables; of the claims {}.</p>\n</header>\n",
      escape_html(title), style, escape_html(title), report.tables.size(),
      counted(count_verdicts(report.claims.papers)));
  page += contents_of(report, parts) + "<main>\n";
  for (const Part& part : parts) {
    page +=
        fmt::format("<section aria-labelledby=\"{0}\">\n<h2 id=\"{0}\">{1}</h2>\n{2}</section>\n",
                    part.id, part.title, part.content);
  }
  return page + "</main>\n</body>\n</html>\n";
}

}  // namespace macrobench
