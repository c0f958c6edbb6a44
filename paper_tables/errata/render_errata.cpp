#include "paper_tables/errata/render_errata.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/text/csv.hpp"
#include "harness/text/error.hpp"
#include "harness/text/format.hpp"
#include "harness/text/json_values.hpp"
#include "harness/text/nearest.hpp"
#include "harness/text/width.hpp"
#include "paper_tables/tables/layout.hpp"
#include "paper_tables/tables/markup.hpp"

namespace macrobench {

namespace {

using nlohmann::ordered_json;

constexpr std::array<std::pair<std::string_view, std::string (*)(const Errata&)>, 3> renderers{
    {{"json", render_errata_json}, {"csv", render_errata_csv}, {"md", render_errata_markdown}}};

/// "+39.4%": three digits, those of a small miss too.
std::string percent(double off) {
  return fmt::format("{:+.3g}%", 100 * off);
}

template <class Finding>
std::vector<Finding> of_paper(const std::vector<Finding>& findings, const std::string& paper) {
  std::vector<Finding> its;
  std::ranges::copy_if(findings, std::back_inserter(its),
                       [&](const Finding& finding) { return finding.paper == paper; });
  return its;
}

/// The errata of one rule under a line that says which, a line each.
std::string text_of_cells(const std::vector<Erratum>& cells, std::size_t width) {
  std::array<std::size_t, 4> widths{};
  const auto fields = [](const Erratum& erratum) {
    return std::array<std::string, 4>{cell_of(erratum), erratum.printed,
                                      to_string(erratum.recomputed), off_of(erratum)};
  };
  const std::array<std::string, 4> header{"", "printed", "recomputed", "off"};
  for (std::size_t i = 0; i < 4; ++i) widths[i] = display_width(header[i]);
  for (const Erratum& erratum : cells) {
    for (std::size_t i = 0; i < 4; ++i) {
      widths[i] = std::max(widths[i], display_width(fields(erratum)[i]));
    }
  }
  const auto line = [&](const std::array<std::string, 4>& shown) {
    std::string text = "    " + padded(shown[0], widths[0], Side::left);
    for (std::size_t i = 1; i < 4; ++i) text += "  " + padded(shown[i], widths[i], Side::right);
    return text + "\n";
  };
  std::string text = line(header);
  const Erratum* before = nullptr;
  for (const Erratum& erratum : cells) {
    if (before == nullptr || before->where != erratum.where || before->rule != erratum.rule) {
      text +=
          wrapped(fmt::format("{}; {}: {}", erratum.where, to_string(erratum.basis), erratum.rule),
                  width, "  ");
    }
    before = &erratum;
    text += line(fields(erratum));
    if (!erratum.note.empty()) text += "      " + erratum.note + "\n";
  }
  return text;
}

std::vector<std::string> escaped(std::vector<std::string> fields) {
  for (std::string& field : fields) field = escape_markdown(field);
  return fields;
}

}  // namespace

std::string off_of(const Erratum& erratum) {
  return erratum.off ? percent(*erratum.off) : "–";
}

std::string cell_of(const Erratum& erratum) {
  return erratum.column.empty() ? erratum.row : erratum.row + " @ " + erratum.column;
}

std::string sentence_of(const Slight& slight) {
  const std::string size = slight.cells == 1 ? fmt::format("by {:.2g}%", 100 * slight.most)
                                             : fmt::format("by {:.2g}% to {:.2g}%",
                                                           100 * slight.least, 100 * slight.most);
  return slight.of == 1
             ? fmt::format("{}: {} does not follow, {}. Inferred: {}.", slight.where, slight.row,
                           size, slight.rule)
             : fmt::format("{}: {} of {} cells of {} do not follow, {}. Inferred: {}.",
                           slight.where, slight.cells, slight.of, slight.row, size, slight.rule);
}

std::string summary_of(const Errata& errata) {
  int slight = 0;
  for (const Slight& one : errata.slight) slight += one.cells;
  return fmt::format(
      "{} printed numbers were recomputed from the papers' other numbers, each allowed to be "
      "anything that rounds to what is printed. {} do not follow, {} more miss a rule that we "
      "inferred by less than {:.0f}%, and {} errata were found by reading.",
      errata.checked, errata.cells.size(), slight, 100 * slight_below, errata.readings.size());
}

std::vector<std::string> papers_in(const Errata& errata) {
  std::vector<std::string> papers;
  const auto add = [&](const auto& findings) {
    for (const auto& finding : findings) papers.push_back(finding.paper);
  };
  add(errata.cells);
  add(errata.slight);
  add(errata.readings);
  std::ranges::sort(papers);
  papers.erase(std::unique(papers.begin(), papers.end()), papers.end());
  return papers;
}

std::string render_errata_text(const Errata& errata, std::size_t width) {
  std::string text = wrapped(summary_of(errata), width, "");
  for (const std::string& paper : papers_in(errata)) {
    text += "\n" + wrapped(paper + ": " + errata.documents.at(paper), width, "");
    const std::vector<Erratum> cells = of_paper(errata.cells, paper);
    if (!cells.empty()) text += text_of_cells(cells, width);
    for (const Slight& slight : of_paper(errata.slight, paper)) {
      text += wrapped(sentence_of(slight), width, "  ");
    }
    for (const FoundByReading& reading : of_paper(errata.readings, paper)) {
      text += wrapped(
          fmt::format("* {}: {}. Right: {}. {} Shown by {}.", reading.where, reading.printed,
                      reading.right, reading.evidence, fmt::join(reading.tests, ", ")),
          width, "  ");
    }
  }
  return text;
}

std::string render_errata_markdown(const Errata& errata) {
  std::string text = fmt::format(
      "# Errata\n\n"
      "What is wrong in print in the papers whose tables are here. `macrobench errata --format md` "
      "makes this page from the tables' definitions and the rules beside them; see "
      "[README.md](README.md#errata).\n\n{}\n",
      summary_of(errata));
  for (const std::string& paper : papers_in(errata)) {
    text += fmt::format("\n## {}\n\n{}.\n", paper, escape_markdown(errata.documents.at(paper)));
    const std::vector<Erratum> cells = of_paper(errata.cells, paper);
    if (!cells.empty()) {
      std::vector<std::vector<std::string>> lines{
          {"where", "number", "rule", "printed", "recomputed", "off"}};
      for (const Erratum& erratum : cells) {
        const std::string note = erratum.note.empty() ? "" : "; " + erratum.note;
        lines.push_back(
            escaped({erratum.where, cell_of(erratum),
                     fmt::format("{}: {}{}", to_string(erratum.basis), erratum.rule, note),
                     erratum.printed, to_string(erratum.recomputed), off_of(erratum)}));
      }
      text += "\n" + markdown_table(std::move(lines), 3);
    }
    const std::vector<Slight> slight = of_paper(errata.slight, paper);
    if (!slight.empty()) text += "\n";
    for (const Slight& one : slight) text += "* " + escape_markdown(sentence_of(one)) + "\n";
    const std::vector<FoundByReading> readings = of_paper(errata.readings, paper);
    if (readings.empty()) continue;
    text += "\nFound by reading:\n\n";
    for (const FoundByReading& reading : readings) {
      text += fmt::format("* **{}**: {}. Right: {}. {} Shown by `{}`.\n",
                          escape_markdown(reading.where), escape_markdown(reading.printed),
                          escape_markdown(reading.right), escape_markdown(reading.evidence),
                          fmt::join(reading.tests, "`, `"));
    }
  }
  return text;
}

std::string render_errata_json(const Errata& errata) {
  ordered_json json{{"schema", 1}, {"checked", errata.checked}};
  json["cells"] = ordered_json::array();
  for (const Erratum& erratum : errata.cells) {
    json["cells"].push_back(
        {{"paper", erratum.paper},
         {"table", or_null(erratum.table)},
         {"where", erratum.where},
         {"row", erratum.row},
         {"column", or_null(erratum.column)},
         {"printed", erratum.printed},
         {"recomputed",
          {to_nine_digits(erratum.recomputed.low), to_nine_digits(erratum.recomputed.high)}},
         {"off", erratum.off ? ordered_json(to_nine_digits(*erratum.off)) : ordered_json(nullptr)},
         {"rule", to_string(erratum.basis)},
         {"says", erratum.rule},
         {"note", or_null(erratum.note)}});
  }
  json["slight"] = ordered_json::array();
  for (const Slight& slight : errata.slight) {
    json["slight"].push_back({{"paper", slight.paper},
                              {"table", or_null(slight.table)},
                              {"where", slight.where},
                              {"row", slight.row},
                              {"cells", slight.cells},
                              {"of", slight.of},
                              {"least", to_nine_digits(slight.least)},
                              {"most", to_nine_digits(slight.most)},
                              {"rule", to_string(Basis::inferred)},
                              {"says", slight.rule}});
  }
  json["by_reading"] = ordered_json::array();
  for (const FoundByReading& reading : errata.readings) {
    json["by_reading"].push_back({{"paper", reading.paper},
                                  {"where", reading.where},
                                  {"printed", reading.printed},
                                  {"right", reading.right},
                                  {"evidence", reading.evidence},
                                  {"tests", reading.tests}});
  }
  return json.dump(1) + "\n";
}

std::string render_errata_csv(const Errata& errata) {
  std::string csv = csv_line({"kind", "paper", "table", "where", "row", "column", "printed",
                              "recomputed_low", "recomputed_high", "off", "rule", "says", "note"});
  for (const Erratum& erratum : errata.cells) {
    csv += csv_line({"cell", erratum.paper, erratum.table, erratum.where, erratum.row,
                     erratum.column, erratum.printed, fmt::format("{:.9g}", erratum.recomputed.low),
                     fmt::format("{:.9g}", erratum.recomputed.high),
                     erratum.off ? fmt::format("{:.9g}", *erratum.off) : "",
                     to_string(erratum.basis), erratum.rule, erratum.note});
  }
  for (const Slight& slight : errata.slight) {
    csv += csv_line({"slight", slight.paper, slight.table, slight.where, slight.row, "", "", "", "",
                     fmt::format("{:.9g}", slight.most), to_string(Basis::inferred), slight.rule,
                     sentence_of(slight)});
  }
  for (const FoundByReading& reading : errata.readings) {
    csv += csv_line(
        {"reading", reading.paper, "", reading.where, "", "", reading.printed, "", "", "", "",
         reading.right,
         fmt::format("{} Shown by {}.", reading.evidence, fmt::join(reading.tests, ", "))});
  }
  return csv;
}

const std::vector<std::string>& errata_formats() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& [name, renderer] : renderers) all.emplace_back(name);
    return all;
  }();
  return names;
}

std::string render_errata(const Errata& errata, std::string_view format) {
  for (const auto& [name, renderer] : renderers) {
    if (name == format) return renderer(errata);
  }
  throw UsageError(unknown_name("format", format, errata_formats()));
}

}  // namespace macrobench
