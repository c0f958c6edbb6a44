#include "paper_tables/compare/comparison_render.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/text/format.hpp"
#include "harness/text/json_values.hpp"
#include "paper_tables/tables/layout.hpp"
#include "paper_tables/tables/markup.hpp"

namespace macrobench {

namespace {

using Grid = std::vector<std::vector<std::string>>;

std::string times(double ratio) {
  return format_number(ratio) + "×";
}

/// The time, or one word in its place.
std::string seconds(const ComparedTime& reading) {
  if (reading.seconds) return format_duration(*reading.seconds);
  if (reading.is_refused) return "unequal";
  const Status status = reading.status.value_or(Status::not_run);
  return status == Status::not_run ? "not run" : to_string(status);
}

/// "1.6e-10 of 1.6e-10": what a result was off by, beside what it may be.
std::string validity(const ComparedTime& reading) {
  if (!reading.residual || !reading.allowed) return "";
  return fmt::format("{:.1e} of {:.1e}", *reading.residual, *reading.allowed);
}

/// In what it is unequal, or why there is no time.
std::string remark(const ComparedTime& reading) {
  std::string text = reading.why_not;
  for (const Difference& d : reading.differences) {
    text += fmt::format("{}{} is {}, not {}", text.empty() ? "" : ", ", d.field, d.there, d.here);
  }
  return text;
}

/// What is to be said of both, the first one's after the other's.
std::string remarks(const ComparedTime& first, const ComparedTime& other) {
  const std::string of_first = remark(first);
  const std::string of_other = remark(other);
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

/// The columns that a table of cells has.
struct Shown {
  bool groups = false;
  bool remarks = false;
  bool first_residual = false;  ///< one in print has none
  bool floors = false;
};

Shown shown_of(const Comparison& comparison, const ComparedTable& table) {
  Shown shown{.first_residual = comparison.sides.front().published.empty()};
  for (const ComparedCell& cell : table.cells) {
    shown.groups = shown.groups || !cell.group.empty();
    for (const ComparedTime& reading : cell.readings) {
      shown.remarks = shown.remarks || !remark(reading).empty();
      shown.floors = shown.floors || reading.floor_share;
    }
  }
  return shown;
}

/// A cell's line against one of the sides; the titles where there is no cell.
std::vector<std::string> line_of(const ComparedCell* cell, std::size_t side, const Shown& shown) {
  std::vector<std::string> entries;
  const auto add = [&](const char* title, const auto& text) {
    entries.push_back(cell == nullptr ? std::string(title) : text(cell->readings[side]));
  };
  const auto of_first = [&](auto text) {
    return [cell, text](const ComparedTime&) { return text(cell->readings.front()); };
  };
  if (shown.groups) add("group", [&](const ComparedTime&) { return cell->group; });
  add("row", [&](const ComparedTime&) { return cell->row; });
  add("column", [&](const ComparedTime&) { return cell->column; });
  add("side", [&](const ComparedTime&) { return std::to_string(side + 1); });
  add("1's time", of_first(seconds));
  add("its time", seconds);
  add("faster", [](const ComparedTime& r) { return r.ratio ? times(*r.ratio) : std::string(); });
  add("95% interval", interval);
  if (shown.first_residual) add("1's residual", of_first(validity));
  add("its residual", validity);
  if (shown.floors && shown.first_residual) add("1's floor", of_first(share_of_floor));
  if (shown.floors) add("its floor", share_of_floor);
  if (shown.remarks) {
    add("why", [cell](const ComparedTime& r) { return remarks(cell->readings.front(), r); });
  }
  return entries;
}

Grid cells_of(const Comparison& comparison, const ComparedTable& table) {
  const Shown shown = shown_of(comparison, table);
  Grid grid = {line_of(nullptr, 1, shown)};
  for (const ComparedCell& cell : table.cells) {
    for (std::size_t side = 1; side < comparison.sides.size(); ++side) {
      grid.push_back(line_of(&cell, side, shown));
    }
  }
  return grid;
}

Grid means_of(const Comparison& comparison) {
  Grid grid = {{"table", "rows", "side", "cells", "faster", "lowest", "highest", "a dollar",
                "a watt", "unequal", "invalid"}};
  for (const ComparedTable& table : comparison.tables) {
    for (const MeanRatio& mean : table.means) {
      const auto optional = [](const std::optional<double>& ratio) {
        return ratio ? times(*ratio) : std::string("-");
      };
      const auto count = [](int cells) { return cells > 0 ? std::to_string(cells) : ""; };
      const bool has_cells = mean.cells > 0;
      grid.push_back({table.id, mean.is_gpu ? "GPU" : "CPU", std::to_string(mean.side + 1),
                      std::to_string(mean.cells), has_cells ? times(mean.ratio) : "-",
                      has_cells ? times(mean.lowest) : "-", has_cells ? times(mean.highest) : "-",
                      optional(mean.per_dollar), optional(mean.per_watt), count(mean.unequal),
                      count(mean.invalid)});
    }
  }
  return grid;
}

/// A Markdown table of it; what the records hold is no markup.
std::string in_markdown(Grid grid, std::size_t names) {
  for (auto& line : grid) {
    for (std::string& entry : line) entry = escape_markdown(entry);
  }
  return markdown_table(std::move(grid), names);
}

/// Words beside the sides' names: the first columns that are no numbers.
std::size_t names_in(const Grid& cells) {
  const auto first = std::ranges::find(cells.front(), "1's time");
  return static_cast<std::size_t>(first - cells.front().begin());
}

std::string sides_of(const Comparison& comparison) {
  std::string text;
  for (std::size_t i = 0; i < comparison.sides.size(); ++i) {
    text += fmt::format("{} {}: {}\n", i + 1, comparison.sides[i].name, comparison.sides[i].text);
  }
  return text;
}

/// What is known of the sides' processors: a line each.
std::string processors_of(const Comparison& comparison) {
  std::string text;
  for (std::size_t i = 0; i < comparison.sides.size(); ++i) {
    const auto& side = comparison.sides[i];
    std::string what;
    if (side.price_usd) what += fmt::format("{} dollars", format_number(*side.price_usd));
    if (side.watts) what += fmt::format("{}{} W", what.empty() ? "" : ", ", *side.watts);
    if (!what.empty()) text += fmt::format("{}'s GPU: {} ({}).\n", i + 1, what, side.prices_from);
    for (const ProcessorCeilings& processor : side.ceilings) {
      text +=
          fmt::format("{}'s {} at its best: {}.\n", i + 1, name_of(processor), rates_of(processor));
    }
  }
  return text;
}

nlohmann::ordered_json to_json(const ComparedTime& reading) {
  nlohmann::ordered_json json;
  json["seconds"] = or_null(reading.seconds);
  json["samples"] = reading.samples.size();
  json["residual"] = or_null(reading.residual);
  json["allowed"] = or_null(reading.allowed);
  json["share_of_floor"] = or_null(reading.floor_share);
  if (reading.is_printed) json["printed"] = true;
  json["status"] = to_string(reading.status.value_or(Status::not_run));
  const std::string why = reading.is_refused ? "unequal" : reading.why_not;
  if (!why.empty()) json["why"] = why;
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
                             {"price_usd", or_null(side.price_usd)},
                             {"watts", or_null(side.watts)},
                             {"prices_from", side.prices_from},
                             {"ceilings", to_json(side.ceilings)}});
  }
  json["tables"] = nlohmann::ordered_json::array();
  for (const ComparedTable& table : comparison.tables) {
    nlohmann::ordered_json& its = json["tables"].emplace_back();
    its["table"] = table.id;
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
      const auto of_cells = [&](double number) {
        return or_null(mean.cells > 0 ? std::optional(number) : std::nullopt);
      };
      its["means"].push_back({{"side", mean.side},
                              {"gpu", mean.is_gpu},
                              {"cells", mean.cells},
                              {"ratio", of_cells(mean.ratio)},
                              {"lowest", of_cells(mean.lowest)},
                              {"highest", of_cells(mean.highest)},
                              {"per_dollar", or_null(mean.per_dollar)},
                              {"per_watt", or_null(mean.per_watt)},
                              {"unequal", mean.unequal},
                              {"invalid", mean.invalid}});
    }
  }
  return json;
}

std::string render_text(const Comparison& comparison, bool cells) {
  std::string text = sides_of(comparison);
  if (cells) {
    for (const ComparedTable& table : comparison.tables) {
      const Grid grid = cells_of(comparison, table);
      text += fmt::format("\n{}, {}\n", table.id, table.title) + text_table(grid, names_in(grid));
    }
  }
  text += "\nHow many times faster than side 1, geometric means\n" +
          text_table(means_of(comparison), 3);
  const std::string processors = processors_of(comparison);
  return processors.empty() ? text : text + "\n" + processors;
}

std::string render_markdown(const Comparison& comparison) {
  std::string text = "# Comparison\n\n";
  for (std::size_t i = 0; i < comparison.sides.size(); ++i) {
    text += fmt::format("{}. {}: {}\n", i + 1, escape_markdown(comparison.sides[i].name),
                        escape_markdown(comparison.sides[i].text));
  }
  text += "\nHow many times faster than the first, geometric means:\n\n" +
          in_markdown(means_of(comparison), 3);
  for (const ComparedTable& table : comparison.tables) {
    const Grid grid = cells_of(comparison, table);
    text +=
        fmt::format("\n## {}, {}\n\n", escape_markdown(table.id), escape_markdown(table.title)) +
        in_markdown(grid, names_in(grid));
  }
  const std::string processors = processors_of(comparison);
  return processors.empty() ? text : text + "\n" + escape_markdown(processors);
}

}  // namespace macrobench
