#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/text/csv.hpp"
#include "harness/text/each.hpp"
#include "harness/text/format.hpp"
#include "harness/text/json_values.hpp"
#include "paper_tables/compare/comparison.hpp"

namespace macrobench {

namespace {

std::string times(double ratio) {
  return format_number(ratio) + "×";
}

/// The time, with its mark if it is not believed, or one word instead of it.
std::string seconds(const ComparedTime& reading) {
  if (reading.time.value) {
    const std::string text = format_duration(*reading.time.value);
    return reading.seconds() ? text : fmt::format("{} ({})", text, to_string(reading.time.status));
  }
  if (reading.is_refused) return "unequal";
  const std::string word = word_of(reading.time);
  return word == "not_run" ? "not run" : word;
}

/// "1.6e-10 of 1.6e-10": the error of a result, and the largest allowed.
std::string validity(const ComparedTime& reading) {
  if (!reading.residual || !reading.allowed) return "";
  return fmt::format("{:.1e} of {:.1e}", *reading.residual, *reading.allowed);
}

/// What differs, or why there is no time.
std::string remark(const ComparedTime& reading) {
  std::string text = to_string(reading.time.why);
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
  const std::optional<ConfidenceInterval>& where = reading.faster.cell().interval;
  if (reading.faster.is_refused() || !where) return "";
  return fmt::format("{} to {}", format_number(where->low), format_number(where->high));
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
            seconds(its), its.faster.is_refused() ? "" : text_of_ratio(its.faster.cell()) + "×",
            interval(its), validity(first), validity(its), share_of_floor(first),
            share_of_floor(its), remarks(first, its)}});
    }
  }
  std::vector<Column> columns =
      columns_of({"group", "row", "column", "side"},
                 {"1's time", "its time", "faster", "95% interval", "1's residual", "its residual",
                  "1's floor", "its floor"},
                 {"why"});
  columns.back().place = Column::Place::below;
  return grid_of(std::move(columns), std::move(rows));
}

Grid means_of(const Comparison& comparison) {
  const auto ratio = [](const std::optional<double>& its) { return its ? times(*its) : "-"; };
  const auto count = [](int cells) { return cells > 0 ? std::to_string(cells) : ""; };
  std::vector<Row> rows;
  for (const ComparedTable& table : comparison.tables) {
    for (const MeanRatio& mean : table.means) {
      rows.push_back(
          {{table.id, words_of(mean), std::to_string(mean.side + 1), std::to_string(mean.cells),
            ratio(mean.ratio), ratio(mean.lowest), ratio(mean.highest),
            mean.is_gpu && mean.ratio && !mean.per_dollar ? "no price" : ratio(mean.per_dollar),
            ratio(mean.per_joule), count(mean.unequal), count(mean.invalid)}});
    }
  }
  return grid_of(
      columns_of({"table", "rows", "side"}, {"cells", "faster", "lowest", "highest", "per dollar",
                                             "per joule", "unequal", "invalid"}),
      std::move(rows), "How many times faster than side 1, geometric means");
}

/// What is known of the sides' processors.
List processors_of(const Comparison& comparison) {
  List list;
  for (std::size_t i = 0; i < comparison.sides.size(); ++i) {
    const ComparedSide& side = comparison.sides[i];
    if (const auto& dollars = side.prices.gpu_usd) {
      list.items.push_back({fmt::format("{}'s GPU: {} dollars ({}).", i + 1,
                                        format_number(*dollars), side.prices.gpu_usd_source)});
    }
    for (const ProcessorCeilings& processor : side.ceilings) {
      list.items.push_back({fmt::format("{}'s {} at its best: {}.", i + 1, name_of(processor),
                                        rates_of(processor))});
    }
    if (!side.drift.empty()) {
      list.items.push_back({fmt::format("Times of {} are {}.", i + 1, side.drift)});
    }
  }
  return list;
}

nlohmann::ordered_json json_of(const ComparedTime& reading) {
  nlohmann::ordered_json json;
  json["seconds"] = or_null(reading.seconds());
  if (is_doubted(reading.time.status)) json["seconds_not_believed"] = or_null(reading.time.value);
  json["n"] = reading.time.samples;
  json["sittings"] = reading.time.sittings;
  json["residual"] = or_null(reading.residual);
  json["allowed"] = or_null(reading.allowed);
  json["joules"] = or_null(reading.joules);
  json["joules_method"] = or_null(reading.joules_method);
  json["share_of_floor"] = or_null(reading.floor_share);
  json["kind"] = word_of(reading.time);
  const Reason why = reading.is_refused ? "unequal" : reading.time.why;
  if (!why.empty()) json["why"] = to_string(why);
  for (const Difference& d : reading.differences) {
    json["unequal"].push_back({{"field", d.field}, {"first", d.here}, {"here", d.there}});
  }
  const Cell& faster = reading.faster.cell();
  json["ratio"] = or_null(faster.value);
  json["ratio_low"] = faster.interval ? nlohmann::ordered_json(faster.interval->low) : nullptr;
  json["ratio_high"] = faster.interval ? nlohmann::ordered_json(faster.interval->high) : nullptr;
  json["ratio_marks"] = each(faster.marks, &Mark::note);
  return json;
}

}  // namespace

std::string words_of(const MeanRatio& mean) {
  const auto& scopes = compared_scopes();
  const auto its = std::ranges::find(scopes, mean.scope, &std::pair<Scope, std::string>::first);
  return fmt::format("{}, {}", mean.is_gpu ? "GPU" : "CPU", its->second);
}

nlohmann::ordered_json to_json(const Comparison& comparison) {
  using nlohmann::ordered_json;
  const auto side = [](const ComparedSide& its) -> ordered_json {
    return {{"name", its.name},
            {"machine", its.text},
            {"price_usd", or_null(its.prices.gpu_usd)},
            {"prices_from", its.prices.gpu_usd_source},
            {"ceilings", to_json(its.ceilings)},
            {"drift", or_null(its.drift)}};
  };
  const auto cell = [](const ComparedCell& its) -> ordered_json {
    return {{"group", its.group},   {"row", its.row},
            {"column", its.column}, {"implementation", its.implementation},
            {"gpu", its.is_gpu},    {"sides", each(its.readings, json_of)}};
  };
  const auto mean = [](const MeanRatio& its) -> ordered_json {
    return {{"side", its.side},
            {"gpu", its.is_gpu},
            {"scope", words_of(its)},
            {"cells", its.cells},
            {"ratio", or_null(its.ratio)},
            {"lowest", or_null(its.lowest)},
            {"highest", or_null(its.highest)},
            {"per_dollar", or_null(its.per_dollar)},
            {"per_joule", or_null(its.per_joule)},
            {"unequal", its.unequal},
            {"invalid", its.invalid}};
  };
  const auto table = [&](const ComparedTable& its) -> ordered_json {
    return {{"table", its.id}, {"cells", each(its.cells, cell)}, {"means", each(its.means, mean)}};
  };
  return {{"schema", 2},
          {"sides", each(comparison.sides, side)},
          {"tables", each(comparison.tables, table)}};
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
        row["ratio_marks"] =
            fmt::format("{}", fmt::join(row["ratio_marks"].get<std::vector<std::string>>(), "; "));
      }
    }
  }
  return to_csv({"table",          "group",          "row",
                 "column",         "implementation", "gpu",
                 "side",           "seconds",        "n",
                 "sittings",       "kind",           "why",
                 "ratio",          "ratio_low",      "ratio_high",
                 "ratio_marks",    "residual",       "allowed",
                 "share_of_floor", "joules",         "joules_method"},
                rows);
}

Document document_of(const Comparison& comparison, bool has_cells) {
  List sides{.items = {}, .style = List::Style::numbers};
  for (const ComparedSide& side : comparison.sides) {
    sides.items.push_back({fmt::format("{}: {}", side.name, side.text)});
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
