#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "harness/text/csv.hpp"
#include "harness/text/format.hpp"
#include "harness/text/json_values.hpp"
#include "paper_tables/compare/comparison.hpp"

namespace macrobench {

namespace {

using enum Column::Kind;

std::string times(double ratio) {
  return format_number(ratio) + "×";
}

/// The time, with its mark if it is not believed, or one word instead of it.
std::string seconds(const ComparedTime& reading) {
  if (reading.seconds) return format_duration(*reading.seconds);
  if (reading.doubted) {
    return fmt::format("{} ({})", format_duration(*reading.doubted), to_string(reading.status));
  }
  if (reading.is_refused) return "unequal";
  return reading.status == Status::not_run ? "not run" : to_string(reading.status);
}

/// "1.6e-10 of 1.6e-10": the error of a result, and the largest allowed.
std::string validity(const ComparedTime& reading) {
  if (!reading.residual || !reading.allowed) return "";
  return fmt::format("{:.1e} of {:.1e}", *reading.residual, *reading.allowed);
}

/// What differs, or why there is no time.
std::string remark(const ComparedTime& reading) {
  std::string text = to_string(reading.why_not);
  for (const Difference& d : reading.differences) {
    text += fmt::format("{}{} is {}, not {}", text.empty() ? "" : ", ", d.field, d.there, d.here);
  }
  return text;
}

/// The remarks on both, those on the first after those on the other.
std::string remarks(const ComparedTime& first, const ComparedTime& other) {
  const std::string of_first = remark(first);
  std::string of_other = remark(other);
  if (of_first.empty()) return of_other;
  return fmt::format("{}{}1's: {}", of_other, of_other.empty() ? "" : "; ", of_first);
}

std::string interval(const ComparedTime& reading) {
  if (!reading.interval) return "";
  return fmt::format("{} to {}", format_number(reading.interval->low),
                     format_number(reading.interval->high));
}

std::string share_of_floor(const ComparedTime& reading) {
  return reading.floor_share ? format_number(100 * *reading.floor_share) + "%" : std::string();
}

Grid cells_of(const Comparison& comparison, const ComparedTable& table) {
  std::vector<Row> rows;
  for (const ComparedCell& cell : table.cells) {
    const ComparedTime& first = cell.readings.front();
    for (std::size_t side = 1; side < comparison.sides.size(); ++side) {
      const ComparedTime& its = cell.readings[side];
      rows.push_back(
          {{cell.group, cell.row, cell.column, std::to_string(side + 1), seconds(first),
            seconds(its), its.ratio ? times(*its.ratio) : "", interval(its), validity(first),
            validity(its), share_of_floor(first), share_of_floor(its), remarks(first, its)}});
    }
  }
  return grid_of({{"group", words},
                  {"row", words},
                  {"column", words},
                  {"side", words},
                  {"1's time"},
                  {"its time"},
                  {"faster"},
                  {"95% interval"},
                  {"1's residual"},
                  {"its residual"},
                  {"1's floor"},
                  {"its floor"},
                  {"why", words, Column::Place::below}},
                 std::move(rows));
}

Grid means_of(const Comparison& comparison) {
  const auto ratio = [](const std::optional<double>& its) { return its ? times(*its) : "-"; };
  const auto count = [](int cells) { return cells > 0 ? std::to_string(cells) : ""; };
  std::vector<Row> rows;
  for (const ComparedTable& table : comparison.tables) {
    for (const MeanRatio& mean : table.means) {
      rows.push_back(
          {{table.id, mean.is_gpu ? "GPU" : "CPU", std::to_string(mean.side + 1),
            std::to_string(mean.cells), ratio(mean.ratio), ratio(mean.lowest), ratio(mean.highest),
            mean.is_gpu && mean.ratio && !mean.per_dollar ? "no price" : ratio(mean.per_dollar),
            ratio(mean.per_joule), count(mean.unequal), count(mean.invalid)}});
    }
  }
  return grid_of({{"table", words},
                  {"rows", words},
                  {"side", words},
                  {"cells"},
                  {"faster"},
                  {"lowest"},
                  {"highest"},
                  {"per dollar"},
                  {"per joule"},
                  {"unequal"},
                  {"invalid"}},
                 std::move(rows), "How many times faster than side 1, geometric means");
}

/// Where its prices are from.
std::string sources_of(const ComparedSide& side) {
  return side.prices.gpu_usd_source;
}

/// What is known of the sides' processors.
List processors_of(const Comparison& comparison) {
  List list;
  for (std::size_t i = 0; i < comparison.sides.size(); ++i) {
    const ComparedSide& side = comparison.sides[i];
    const Prices& prices = side.prices;
    std::vector<std::string> known;
    if (prices.gpu_usd) known.push_back(format_number(*prices.gpu_usd) + " dollars");
    if (!known.empty()) {
      list.items.push_back(
          {fmt::format("{}'s GPU: {} ({}).", i + 1, fmt::join(known, ", "), sources_of(side))});
    }
    for (const ProcessorCeilings& processor : side.ceilings) {
      list.items.push_back({fmt::format("{}'s {} at its best: {}.", i + 1, name_of(processor),
                                        rates_of(processor))});
    }
    if (!side.drift.empty()) {
      list.items.push_back({fmt::format("What is compared of {} {}.", i + 1, side.drift)});
    }
  }
  return list;
}

nlohmann::ordered_json to_json(const ComparedTime& reading) {
  nlohmann::ordered_json json;
  json["seconds"] = or_null(reading.seconds);
  if (reading.doubted) json["seconds_not_believed"] = *reading.doubted;
  json["samples"] = reading.samples.size();
  json["residual"] = or_null(reading.residual);
  json["allowed"] = or_null(reading.allowed);
  json["joules"] = or_null(reading.joules);
  json["joules_method"] = or_null(reading.joules_method);
  json["share_of_floor"] = or_null(reading.floor_share);
  if (reading.is_printed) json["printed"] = true;
  json["status"] = to_string(reading.status);
  const Reason why = reading.is_refused ? "unequal" : reading.why_not;
  if (!why.empty()) json["why"] = to_string(why);
  for (const Difference& d : reading.differences) {
    json["unequal"].push_back({{"field", d.field}, {"first", d.here}, {"here", d.there}});
  }
  json["ratio"] = or_null(reading.ratio);
  if (reading.interval) json["interval"] = {reading.interval->low, reading.interval->high};
  return json;
}

}  // namespace

nlohmann::ordered_json to_json(const Comparison& comparison) {
  nlohmann::ordered_json json{{"schema", 1}};
  for (const auto& side : comparison.sides) {
    json["sides"].push_back({{"name", side.name},
                             {"machine", side.text},
                             {"trust", or_null(side.trust)},
                             {"price_usd", or_null(side.prices.gpu_usd)},
                             {"prices_from", sources_of(side)},
                             {"ceilings", to_json(side.ceilings)},
                             {"drift", or_null(side.drift)}});
  }
  json["tables"] = nlohmann::ordered_json::array();
  for (const ComparedTable& table : comparison.tables) {
    nlohmann::ordered_json& its = json["tables"].emplace_back();
    its = {{"table", table.id}, {"cells", nlohmann::ordered_json::array()}};
    for (const ComparedCell& cell : table.cells) {
      nlohmann::ordered_json& entry = its["cells"].emplace_back();
      entry = {{"group", cell.group},
               {"row", cell.row},
               {"column", cell.column},
               {"implementation", cell.implementation},
               {"gpu", cell.is_gpu}};
      for (const ComparedTime& reading : cell.readings) entry["sides"].push_back(to_json(reading));
    }
    its["means"] = nlohmann::ordered_json::array();
    for (const MeanRatio& mean : table.means) {
      its["means"].push_back({{"side", mean.side},
                              {"gpu", mean.is_gpu},
                              {"cells", mean.cells},
                              {"ratio", or_null(mean.ratio)},
                              {"lowest", or_null(mean.lowest)},
                              {"highest", or_null(mean.highest)},
                              {"per_dollar", or_null(mean.per_dollar)},
                              {"per_joule", or_null(mean.per_joule)},
                              {"unequal", mean.unequal},
                              {"invalid", mean.invalid}});
    }
  }
  return json;
}

std::string to_csv(const Comparison& comparison) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  const nlohmann::ordered_json json = to_json(comparison);
  for (const nlohmann::ordered_json& table : json["tables"]) {
    for (const nlohmann::ordered_json& cell : table["cells"]) {
      for (std::size_t side = 0; side < comparison.sides.size(); ++side) {
        nlohmann::ordered_json& row = rows.emplace_back(cell);
        row.update(cell["sides"][side]);
        row["table"] = table["table"];
        row["side"] = comparison.sides[side].name;
        if (!row.contains("interval")) continue;
        row["interval_low"] = row["interval"][0];
        row["interval_high"] = row["interval"][1];
      }
    }
  }
  return to_csv({"table", "group", "row", "column", "implementation", "gpu", "side", "seconds",
                 "samples", "status", "why", "ratio", "interval_low", "interval_high", "residual",
                 "allowed", "share_of_floor", "joules", "joules_method"},
                rows);
}

Document document_of(const Comparison& comparison, bool has_cells) {
  List sides{.items = {}, .style = List::Style::numbers};
  for (const ComparedSide& side : comparison.sides) {
    const std::string trust = side.trust.empty() ? "" : fmt::format(" ({})", side.trust);
    sides.items.push_back({fmt::format("{}{}: {}", side.name, trust, side.text)});
  }
  Document document{.title = "Comparison", .summary = {std::move(sides), means_of(comparison)}};
  List processors = processors_of(comparison);
  if (!processors.items.empty()) document.summary.emplace_back(std::move(processors));
  if (!has_cells) return document;
  for (const ComparedTable& table : comparison.tables) {
    document.body.emplace_back(Heading{fmt::format("{}, {}", table.id, table.title)});
    document.body.emplace_back(cells_of(comparison, table));
  }
  return document;
}

}  // namespace macrobench
