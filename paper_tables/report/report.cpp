#include "paper_tables/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/files/digest.hpp"
#include "harness/text/format.hpp"
#include "paper_tables/cells/machine_cells.hpp"
#include "paper_tables/cells/quantity.hpp"
#include "paper_tables/figures/titles.hpp"
#include "paper_tables/tables/render.hpp"

namespace macrobench {

namespace {

using enum Column::Kind;

/// A place on the page: "table-aldrich_2010-table_3".
std::string anchor(std::string_view kind, std::string name) {
  std::ranges::replace(name, '/', '-');
  return fmt::format("{}-{}", kind, escape_html(name));
}

/// Opened by a click, or by a link to it.
std::string folded(const std::string& id, const std::string& title, const std::string& content,
                   int level) {
  return fmt::format("<details id=\"{0}\"><summary><h{1}>{2}</h{1}></summary>\n{3}</details>\n", id,
                     level, title, content);
}

std::string tables_section(const std::vector<ReportTable>& tables) {
  std::string measured;
  std::string others;
  std::size_t unmeasured = 0;
  for (const ReportTable& table : tables) {
    std::string title = to_html({.body = {Paragraph{table.document.title}}}, 3);
    std::string element = folded(anchor("table", table.id), escape_html(table.title),
                                 title + to_html(table.document, 3), 3);
    (table.is_measured ? measured : others) += element;
    unmeasured += table.is_measured ? 0 : 1;
  }
  if (unmeasured == 0) return measured;
  return measured + folded("unmeasured",
                           fmt::format("{} tables of which nothing was measured", unmeasured),
                           others, 3);
}

std::string section_of(const Plot& plot) {
  const std::string id = anchor("figure", plot.name);
  const std::string svg = to_svg(plot);
  std::string reading = plot.reading;
  if (!reading.empty()) {
    reading.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(reading.front())));
    reading = " " + reading + ".";
  }
  std::string text = fmt::format("<figure id=\"{0}\" aria-labelledby=\"{0}-caption\">\n", id);
  if (svg.empty() && !plot.panels.empty()) {
    text += "<p>There is nothing to plot: no record has a number for it.</p>\n";
  } else {
    text += svg;
  }
  text += fmt::format("<figcaption id=\"{}-caption\">{}{} {}</figcaption>\n", id,
                      "<strong>" + escape_html(plot.title) + ".</strong>", escape_html(reading),
                      escape_html(plot.caption));
  return text + fmt::format(
                    "<details class=\"data\"><summary>Data of this figure (CSV)</summary>\n"
                    "<pre tabindex=\"0\">{}</pre></details>\n</figure>\n",
                    escape_html(to_csv(plot)));
}

std::string figures_section(const std::vector<Plot>& figures) {
  std::string text;
  for (const Plot& figure : figures) text += section_of(figure);
  return text.empty() ? text : "<div class=\"side\">\n" + text + "</div>\n";
}

/// The document's summary, and each heading's section of its body folded.
std::string folded_html(const Document& document, int level) {
  std::string text = to_html({.summary = document.summary}, level);
  const std::vector<Block>& body = document.body;
  const auto is_heading = [](const Block& block) { return std::holds_alternative<Heading>(block); };
  for (auto at = body.begin(); at != body.end();) {
    const auto end = std::find_if(std::next(at), body.end(), is_heading);
    if (is_heading(*at)) {
      text += "<details><summary>" + to_html({.body = {*at}}, level - 1) + "</summary>\n" +
              to_html({.body = {std::next(at), end}}, level) + "</details>\n";
    } else {
      text += to_html({.body = {at, end}}, level);
    }
    at = end;
  }
  return text;
}

/// How many claims have each verdict, by paper, and below that each paper's claims, folded.
std::string claims_section(const ClaimReport& report) {
  Document document = document_of(report);
  std::vector<Column> columns{{"paper", words}, {"", words}};
  for (std::size_t i = 0; i < counted_verdicts; ++i) {
    columns.push_back({to_string(static_cast<ClaimVerdict>(i))});
  }
  std::vector<Row> rows;
  for (const JudgedPaper& paper : report.papers) {
    const ClaimCounts counts = count_verdicts({paper});
    const std::string called = short_document(paper.paper->document);
    for (const auto& [part, its] :
         {std::pair{"direction", &counts.directions}, {"size", &counts.sizes}}) {
      Row& row = rows.emplace_back(Row{{called, part}});
      for (const int count : *its) row.cells.emplace_back(std::to_string(count));
    }
  }
  document.summary = {Paragraph{fmt::format("Claims: {}.", counted(count_verdicts(report.papers)))},
                      grid_of(std::move(columns), std::move(rows))};
  return folded_html(document, 3);
}

std::string machine_section(const Report& report) {
  std::string text =
      fmt::format("<p>{}. {} records, in the folder {}.</p>\n", escape_html(report.machine_text),
                  report.records, escape_html(report.machine));
  if (!report.block.is_object()) return text + "<p>Nothing more is known about it.</p>\n";
  return text +
         to_html({.body = {grid_of_object(report.block, "The machine of the newest record")}}, 3);
}

struct Section {
  const char* id;
  const char* title;
  std::string content;
};

std::string contents_of(const Report& report, const std::vector<Section>& sections) {
  std::string text = "<nav aria-label=\"Contents\">\n<h2>Everything else</h2>\n<ul>\n";
  for (const Section& section : sections) {
    text += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section.id, section.title);
  }
  for (const ReportTable& table : report.tables) {
    if (!table.is_measured) continue;
    text += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", anchor("table", table.id),
                        escape_html(table.title));
  }
  return text + "</ul>\n</nav>\n";
}

/// Whether a run filled a cell of it, or no row of it needs one.
bool has_numbers(const Table& table) {
  bool needs_run = false;
  for (const TableRow& row : rows_of(table)) {
    if (description_of(row.definition->quantity).is_of_no_run()) continue;
    needs_run = true;
    const bool has_one =
        std::ranges::any_of(row.cells, [](const Cell& cell) { return cell.value.has_value(); });
    if (has_one) return true;
  }
  return !needs_run;
}

/// On the machine, of the papers that name originals.
Fidelity fidelity_of(const MachineResults& machine, Definitions& definitions) {
  std::vector<PaperOriginals> papers =
      read_originals(definitions.folder(), definitions.leave_out());
  add_largest_in_print(papers, definitions);
  Fidelity made = fidelity_on(papers, measured_originals(papers, &machine.results),
                              machine.machine.slug(), describe(machine.machine));
  made.unnamed = published_without_original(papers);
  return made;
}

}  // namespace

Report make_report(const MachineResults& machine, Definitions& definitions,
                   const std::vector<PaperClaims>& claims) {
  const Lookup lookup = lookup_in(machine.results);
  Report made{.machine = machine.name,
              .machine_text = describe(machine.machine),
              .block = machine.machine.block,
              .records = machine.results.records.size(),
              .tables = {},
              .fidelity = fidelity_of(machine, definitions),
              .claims = {.machine = machine.name,
                         .machine_text = describe(machine.machine),
                         .papers = judge_claims(claims, definitions, lookup, machine.machine)},
              .figures = {}};
  for (const Definition* definition : definitions.get_all({})) {
    const Table table = make_table(*definition, definitions, lookup, machine.name, machine.machine);
    made.tables.push_back({.id = definition->id(),
                           .title = short_title(*definition),
                           .document = document_of(table),
                           .is_measured = has_numbers(table)});
  }
  made.front = make_front(read_front(definitions, definitions.get_all({})), definitions, lookup,
                          machine.results, machine.machine);
  made.figures = paper_plots(definitions, lookup, machine.machine);
  return made;
}

WrittenReport write_report(const MachineResults& machine, Definitions& definitions,
                           const std::filesystem::path& folder) {
  const OutputFolder out(folder);
  std::vector<PaperClaims> claims;
  if (!papers_with_claims(definitions.folder()).empty()) {
    claims = read_claims(definitions.folder(), {}, definitions);
  }
  const Report made = make_report(machine, definitions, claims);
  const OutputFolder figures = out.folder("figures");
  for (const Plot& plot : made.figures) write_plot(plot, figures);
  out.write("report.html", render_html(made));
  return {.page = out.path() / "report.html",
          .tables = made.tables.size(),
          .figures = made.figures.size()};
}

std::string render_html(const Report& report) {
  const std::vector<Section> sections{
      {"tables", "Tables, published and measured side by side", tables_section(report.tables)},
      {"fidelity", "Published implementations beside the authors’ programs",
       to_html(document_of(report.fidelity), 3)},
      {"machine", "The machine", machine_section(report)}};

  const std::string title = "Macrobench on " + report.machine_text;
  std::string page = fmt::format(
      "<header>\n<h1>{}</h1>\n"
      "<p>The papers that brought GPUs to macroeconomics: what they print, what their programs "
      "take on this page’s machine, and what today’s best take. Every result was checked.</p>\n",
      escape_html(title));
  page += "</header>\n<main>\n";
  if (!report.front.rows.empty()) {
    page +=
        "<section aria-labelledby=\"front\">\n<h2 id=\"front\">Published, our versions, and "
        "today’s best</h2>\n" +
        to_html(document_of(report.front), 3) + "</section>\n";
  }
  page += "<section aria-labelledby=\"figures\">\n<h2 id=\"figures\">Figures</h2>\n" +
          figures_section(report.figures) + "</section>\n";
  page +=
      "<section aria-labelledby=\"claims\">\n<h2 id=\"claims\">What the papers say in "
      "words</h2>\n" +
      claims_section(report.claims) + "</section>\n";
  page += contents_of(report, sections);
  for (const Section& section : sections) {
    page += fmt::format("<section>\n{}</section>\n",
                        folded(section.id, section.title, section.content, 2));
  }
  return html_page(title, page + "</main>\n", plot_style,
                   {.text = page_script, .sha256 = sha256_in_base64(page_script)});
}

}  // namespace macrobench
