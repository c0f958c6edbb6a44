#include "paper_tables/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/text/format.hpp"

namespace macrobench {

namespace {

using enum Column::Kind;

/// A place on the page: "table-aldrich_2010-table_3".
std::string anchor(std::string_view kind, std::string name) {
  std::ranges::replace(name, '/', '-');
  return fmt::format("{}-{}", kind, escape_html(name));
}

std::string section_of(const ReportTable& table) {
  return fmt::format("<section id=\"{}\">\n", anchor("table", table.id)) +
         to_html({.body = {Heading{table.document.title}, Paragraph{code(table.id)}}}, 2) +
         to_html(table.document, 2) + "</section>\n";
}

std::string times(const std::optional<double>& ratio) {
  return ratio ? format_number(*ratio) + "×" : "–";
}

std::string comparison_section(const std::vector<Comparison>& comparisons) {
  std::vector<Row> rows;
  List machines{.items = {}, .style = List::Style::notes};
  for (const Comparison& comparison : comparisons) {
    const ComparedSide& in_print = comparison.sides.front();
    for (const ComparedTable& table : comparison.tables) {
      for (const MeanRatio& mean : table.means) {
        if (mean.cells == 0) continue;
        rows.push_back({{table.id, in_print.name, mean.is_gpu ? "GPU" : "CPU",
                         std::to_string(mean.cells), times(mean.ratio), times(mean.lowest),
                         times(mean.highest), times(mean.per_dollar), times(mean.per_joule)}});
      }
    }
    machines.items.push_back({fmt::format("{}: {}.", in_print.name, in_print.text)});
    const std::string& drift = comparison.sides.back().drift;
    if (!drift.empty()) {
      machines.items.push_back(
          {fmt::format("Beside {}, what is of this machine {}.", in_print.name, drift)});
    }
  }
  if (rows.empty()) return "<p>No published time has a measured one beside it.</p>\n";
  Grid grid = grid_of({{"table", words},
                       {"against", words},
                       {"rows", words},
                       {"cells"},
                       {"faster"},
                       {"lowest"},
                       {"highest"},
                       {"per dollar"},
                       {"per joule"}},
                      std::move(rows),
                      "Published over measured times, geometric means over the cells of a table");
  return to_html({.body = {std::move(grid), std::move(machines)}}, 2);
}

std::string section_of(const DrawnPlot& figure) {
  const std::string id = anchor("figure", figure.plot.name);
  std::string text = fmt::format("<figure id=\"{0}\" aria-labelledby=\"{0}-caption\">\n", id);
  if (figure.svg.empty()) {
    text += fmt::format("<p>{}</p>\n", escape_html(figure.why_not));
  } else {
    text += fmt::format(
        "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{}\">\n{}</div>\n",
        escape_html(figure.plot.title), inline_svg(figure.svg, figure.plot));
  }
  text += fmt::format("<figcaption id=\"{}-caption\"><strong>{}.</strong> {}</figcaption>\n", id,
                      escape_html(figure.plot.title), escape_html(figure.plot.caption));
  text += fmt::format(
      "<details><summary>Data of this figure (CSV)</summary>\n"
      "<pre tabindex=\"0\">{}</pre></details>\n</figure>\n",
      escape_html(to_csv(figure.plot)));
  return text;
}

std::string machine_section(const Report& report) {
  std::string text =
      fmt::format("<p>{}. {} records, in the folder {}.</p>\n", escape_html(report.machine_text),
                  report.records, escape_html(report.machine));
  if (!report.block.is_object()) return text + "<p>Nothing more is known about it.</p>\n";
  return text +
         to_html({.body = {grid_of_object(report.block, "The machine of the newest record")}}, 2);
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
  for (const DrawnPlot& figure : report.figures) figures += section_of(figure);
  const std::vector<Part> parts{
      {"speed-up", "Speed-up against published", comparison_section(report.comparisons)},
      {"figures", "Figures", std::move(figures)},
      {"tables", "Tables, published and measured side by side", std::move(tables)},
      {"roofline", "Roofline",
       to_html(document_of(report.roofline, report.machine_text, false), 2)},
      {"claims", "What the papers say in words", to_html(document_of(report.claims), 2)},
      {"errata", "Misprints", to_html(document_of(report.errata), 2)},
      {"machine", "The machine", machine_section(report)}};

  const std::string title = "Macrobench on " + report.machine_text;
  std::string page = fmt::format(
      "<header>\n<h1>{}</h1>\n"
      "<p>The tables, figures and claims of the papers that brought GPUs to macroeconomics, "
      "published and measured side by side. {} tables; claims: {}.</p>\n</header>\n",
      escape_html(title), report.tables.size(), counted(count_verdicts(report.claims.papers)));
  page += contents_of(report, parts) + "<main>\n";
  for (const Part& part : parts) {
    page +=
        fmt::format("<section aria-labelledby=\"{0}\">\n<h2 id=\"{0}\">{1}</h2>\n{2}</section>\n",
                    part.id, part.title, part.content);
  }
  return html_page(title, page + "</main>\n");
}

}  // namespace macrobench
