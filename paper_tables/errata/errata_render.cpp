#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <ranges>
#include <utility>

#include "harness/text/csv.hpp"
#include "harness/text/each.hpp"
#include "harness/text/format.hpp"
#include "harness/text/json_values.hpp"
#include "paper_tables/errata/errata.hpp"

namespace macrobench {

namespace {

using nlohmann::ordered_json;

/// "Total @ 100(4)"; without a column what it is.
std::string cell_of(const Erratum& erratum) {
  return erratum.column.empty() ? erratum.row : erratum.row + " @ " + erratum.column;
}

/// By how much, "+39.4%"; a dash if it is not a number.
std::string off_of(const Erratum& erratum) {
  return erratum.off ? fmt::format("{:+.3g}%", 100 * *erratum.off) : "–";
}

std::string sentence_of(const Slight& slight) {
  const std::string size =
      slight.cells.size() == 1
          ? fmt::format("by {:.2g}%", 100 * slight.most)
          : fmt::format("by {:.2g}% to {:.2g}%", 100 * slight.least, 100 * slight.most);
  return slight.of == 1 ? fmt::format("{}: {} does not follow, {}. Inferred: {}.", slight.where,
                                      slight.row, size, slight.rule)
                        : fmt::format("{}: {} of {} cells of {} do not follow, {}. Inferred: {}.",
                                      slight.where, slight.cells.size(), slight.of, slight.row,
                                      size, slight.rule);
}

std::string summary_of(const Errata& errata) {
  std::size_t slight = 0;
  for (const Slight& one : errata.slight) slight += one.cells.size();
  const auto of_code = static_cast<std::size_t>(
      std::ranges::count(errata.readings, true, &FoundByReading::is_of_code));
  return fmt::format(
      "{} printed numbers were recomputed from the papers' other numbers, each allowed to be "
      "anything that rounds to what is printed. {} do not follow, {} more miss a rule that we "
      "inferred by less than {:.0f}%, and {} errata were found by reading. In {} places the "
      "authors' "
      "code differs from the text.",
      errata.checked, errata.cells.size(), slight, 100 * slight_below,
      errata.readings.size() - of_code, of_code);
}

Grid grid_of(const std::vector<Erratum>& cells, const std::string& paper) {
  std::vector<Row> rows;
  for (const Erratum& erratum : cells) {
    if (erratum.paper != paper) continue;
    const std::string note = erratum.note.empty() ? "" : "; " + erratum.note;
    rows.push_back({{erratum.where, cell_of(erratum),
                     fmt::format("{}: {}{}", to_string(erratum.basis), erratum.rule, note),
                     erratum.printed, to_string(erratum.recomputed), off_of(erratum)}});
  }
  std::vector<Column> columns =
      columns_of({"where", "number", "rule"}, {"printed", "recomputed", "off"});
  columns[0].place = columns[2].place = Column::Place::above;
  return grid_of(std::move(columns), std::move(rows));
}

/// "aldrich_2014, Eq. (13)"
std::string text_of(const PlaceInPrint& place) {
  return fmt::format("{}, {}", place.paper, place.where);
}

/// As it is in the one place; the others are named.
Words words_of(const FoundByReading& reading, const PlaceInPrint& place) {
  Words tests;
  for (const std::string& test : reading.tests) {
    tests = tests + (tests.empty() ? "" : ", ") + code(test);
  }
  std::string elsewhere;
  for (const PlaceInPrint& other : reading.places) {
    if (&other != &place) elsewhere += fmt::format(" The same is in {}.", text_of(other));
  }
  return strong(place.where) +
         with_code(fmt::format(": {}. {}: {}. {}{} Shown by ", reading.printed,
                               reading.is_of_code ? "The code" : "Right", reading.right,
                               reading.evidence, elsewhere)) +
         tests + ".";
}

ordered_json json_of(const Erratum& erratum) {
  return {{"paper", erratum.paper},
          {"table", or_null(erratum.table)},
          {"where", erratum.where},
          {"row", erratum.row},
          {"column", or_null(erratum.column)},
          {"printed", erratum.printed},
          {"recomputed",
           {to_nine_digits(erratum.recomputed.low), to_nine_digits(erratum.recomputed.high)}},
          {"off", erratum.off ? ordered_json(to_nine_digits(*erratum.off)) : ordered_json()},
          {"rule", to_string(erratum.basis)},
          {"says", erratum.rule},
          {"note", or_null(erratum.note)}};
}

ordered_json json_of_slight(const Slight& slight) {
  return {{"paper", slight.paper},
          {"table", or_null(slight.table)},
          {"where", slight.where},
          {"row", slight.row},
          {"cells", slight.cells.size()},
          {"of", slight.of},
          {"least", to_nine_digits(slight.least)},
          {"most", to_nine_digits(slight.most)},
          {"rule", to_string(Basis::inferred)},
          {"says", slight.rule},
          {"each", each(slight.cells, json_of)}};
}

ordered_json json_of_reading(const FoundByReading& reading) {
  const auto also = [](const PlaceInPrint& its) -> ordered_json {
    return {{"paper", its.paper}, {"where", its.where}};
  };
  return {{"paper", reading.places.front().paper},
          {"where", reading.places.front().where},
          {"also", each(reading.places | std::views::drop(1), also)},
          {"kind", reading.is_of_code ? "code" : "print"},
          {"printed", reading.printed},
          {"right", reading.right},
          {"evidence", reading.evidence},
          {"tests", reading.tests}};
}

}  // namespace

Document document_of(const Errata& errata) {
  Document document{
      .title = "Errata",
      .about = {Paragraph{"What is wrong in print in the papers whose tables are here. " +
                          code("macrobench errata --format md") +
                          " makes this page from the tables' definitions and the rules beside "
                          "them; see " +
                          code("README.md") + "."}},
      .summary = {Paragraph{summary_of(errata)}}};
  for (const auto& [paper, title] : errata.documents) {
    std::vector<Block> findings;
    Grid cells = grid_of(errata.cells, paper);
    if (rows_in(cells) > 0) findings.emplace_back(std::move(cells));
    List slight;
    for (const Slight& one : errata.slight) {
      if (one.paper != paper) continue;
      ListItem& item = slight.items.emplace_back(ListItem{sentence_of(one)});
      for (const Erratum& cell : one.cells) {
        item.below.emplace_back(fmt::format("{}: {}, recomputed {} ({})", cell_of(cell),
                                            cell.printed, to_string(cell.recomputed),
                                            off_of(cell)));
      }
    }
    if (!slight.items.empty()) findings.emplace_back(std::move(slight));
    for (const bool of_code : {false, true}) {
      List readings;
      for (const FoundByReading& reading : errata.readings) {
        const PlaceInPrint* place = reading.place_in(paper);
        if (place == nullptr || reading.is_of_code != of_code) continue;
        readings.items.push_back({words_of(reading, *place)});
      }
      if (readings.items.empty()) continue;
      findings.emplace_back(Paragraph{of_code ? "Where the authors' code differs from the text:"
                                              : "Found by reading:"});
      findings.emplace_back(std::move(readings));
    }
    if (findings.empty()) continue;
    document.body.emplace_back(Heading{paper});
    document.body.emplace_back(Paragraph{title + "."});
    std::ranges::move(findings, std::back_inserter(document.body));
  }
  return document;
}

ordered_json to_json(const Errata& errata) {
  return {{"schema", 1},
          {"checked", errata.checked},
          {"cells", each(errata.cells, json_of)},
          {"slight", each(errata.slight, json_of_slight)},
          {"by_reading", each(errata.readings, json_of_reading)}};
}

std::string to_csv(const Errata& errata) {
  ordered_json rows = ordered_json::array();
  for (const Erratum& erratum : errata.cells) {
    ordered_json& row = rows.emplace_back(json_of(erratum));
    row["kind"] = "cell";
    row["recomputed_low"] = row["recomputed"][0];
    row["recomputed_high"] = row["recomputed"][1];
  }
  for (const Slight& slight : errata.slight) {
    ordered_json& row = rows.emplace_back(json_of_slight(slight));
    row["kind"] = "slight";
    row["off"] = row["most"];
    row["note"] = sentence_of(slight);
  }
  for (const FoundByReading& reading : errata.readings) {
    ordered_json& row = rows.emplace_back(json_of_reading(reading));
    row["kind"] = reading.is_of_code ? "code" : "reading";
    row["says"] = row["right"];
    const auto also = each(reading.places | std::views::drop(1), [](const PlaceInPrint& its) {
      return fmt::format("also {}; ", text_of(its));
    });
    row["note"] = fmt::format("{}{} Shown by {}.", fmt::join(also, ""), reading.evidence,
                              fmt::join(reading.tests, ", "));
  }
  return to_csv({"kind", "paper", "table", "where", "row", "column", "printed", "recomputed_low",
                 "recomputed_high", "off", "rule", "says", "note"},
                rows);
}

}  // namespace macrobench
