#include "paper_tables/comparison_render.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "harness/format.hpp"
#include "paper_tables/layout.hpp"

namespace macrobench {

namespace {

using Grid = std::vector<std::vector<std::string>>;
/// A grid with its first line as a head; the first `names` columns are words.
using Typeset = std::function<std::string(const Grid&, std::size_t names)>;

std::string times(double ratio) {
  return format_number(ratio) + "×";
}

std::string seconds(const ComparedTime& reading) {
  return reading.seconds ? format_duration(*reading.seconds) : reading.why_not;
}

/// "1.6e-10 of 1.6e-10": what a result was off by, beside what it may be.
std::string validity(const ComparedTime& reading) {
  if (!reading.residual || !reading.allowed) return "";
  return fmt::format("{:.1e} of {:.1e}", *reading.residual, *reading.allowed);
}

std::string remark(const ComparedTime& reading) {
  std::string text;
  for (const Difference& d : reading.differences) {
    text += fmt::format("{}{} is {}, not {}", text.empty() ? "" : ", ", d.field, d.there, d.here);
  }
  return text;
}

std::string interval(const ComparedTime& reading) {
  if (!reading.interval) return "";
  return fmt::format("{} to {}", format_number(reading.interval->low),
                     format_number(reading.interval->high));
}

/// A cell's line against one of the sides; the titles where there is no cell.
std::vector<std::string> line_of(const ComparedCell* cell, std::size_t side, bool has_groups,
                                 bool has_differences, bool is_first_printed) {
  std::vector<std::string> entries;
  const auto add = [&](const char* title, const auto& text) {
    entries.push_back(cell == nullptr ? std::string(title) : text(cell->readings[side]));
  };
  if (has_groups) add("group", [&](const ComparedTime&) { return cell->group; });
  add("row", [&](const ComparedTime&) { return cell->row; });
  add("column", [&](const ComparedTime&) { return cell->column; });
  add("side", [&](const ComparedTime&) { return std::to_string(side + 1); });
  add("1's time", [&](const ComparedTime&) { return seconds(cell->readings.front()); });
  add("its time", seconds);
  add("faster", [](const ComparedTime& r) { return r.ratio ? times(*r.ratio) : std::string(); });
  add("95% interval", interval);
  if (!is_first_printed) {
    add("1's residual", [&](const ComparedTime&) { return validity(cell->readings.front()); });
  }
  add("its residual", validity);
  if (has_differences) add("unequal in", remark);
  return entries;
}

Grid cells_of(const Comparison& comparison, const ComparedTable& table) {
  const bool has_groups = std::ranges::any_of(
      table.cells, [](const ComparedCell& cell) { return !cell.group.empty(); });
  const bool has_differences = std::ranges::any_of(table.cells, [](const ComparedCell& cell) {
    return std::ranges::any_of(cell.readings,
                               [](const ComparedTime& r) { return !r.differences.empty(); });
  });
  const bool is_printed = !comparison.sides.front().published.empty();
  Grid grid = {line_of(nullptr, 1, has_groups, has_differences, is_printed)};
  for (const ComparedCell& cell : table.cells) {
    for (std::size_t side = 1; side < comparison.sides.size(); ++side) {
      grid.push_back(line_of(&cell, side, has_groups, has_differences, is_printed));
    }
  }
  return grid;
}

Grid means_of(const Comparison& comparison) {
  Grid grid = {{"table", "rows", "side", "cells", "faster", "lowest", "highest", "a dollar",
                "a watt", "unequal"}};
  for (const ComparedTable& table : comparison.tables) {
    for (const MeanRatio& mean : table.means) {
      const auto optional = [](const std::optional<double>& ratio) {
        return ratio ? times(*ratio) : std::string("-");
      };
      const bool has_cells = mean.cells > 0;
      grid.push_back({table.id, mean.is_gpu ? "GPU" : "CPU", std::to_string(mean.side + 1),
                      std::to_string(mean.cells), has_cells ? times(mean.ratio) : "-",
                      has_cells ? times(mean.lowest) : "-", has_cells ? times(mean.highest) : "-",
                      optional(mean.per_dollar), optional(mean.per_watt),
                      mean.unequal > 0 ? std::to_string(mean.unequal) : ""});
    }
  }
  return grid;
}

std::string in_columns(const Grid& grid, std::size_t names) {
  std::string text;
  std::vector<std::size_t> widths(grid.front().size(), 0);
  for (const auto& line : grid) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(line[i]));
    }
  }
  for (const auto& line : grid) {
    std::string printed;
    for (std::size_t i = 0; i < line.size(); ++i) {
      printed += (i == 0 ? "  " : "   ");
      printed += padded(line[i], widths[i], i < names ? Side::left : Side::right);
    }
    printed.erase(printed.find_last_not_of(' ') + 1);
    text += printed + "\n";
  }
  return text;
}

std::string in_markdown(const Grid& grid, std::size_t names) {
  std::string text;
  for (const auto& line : grid) {
    text += "|";
    for (const std::string& entry : line) text += " " + escape_markdown(entry) + " |";
    text += "\n";
    if (&line != &grid.front()) continue;
    text += "|";
    for (std::size_t i = 0; i < line.size(); ++i) text += i < names ? ":---|" : "---:|";
    text += "\n";
  }
  return text;
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

std::string prices_of(const Comparison& comparison) {
  std::string text;
  for (const auto& side : comparison.sides) {
    std::string what;
    if (side.price_usd) what += fmt::format("{} dollars", format_number(*side.price_usd));
    if (side.watts) what += fmt::format("{}{} W", what.empty() ? "" : ", ", *side.watts);
    if (!what.empty())
      text += fmt::format("{}'s GPU: {} ({}).\n", side.name, what, side.prices_from);
  }
  return text;
}

nlohmann::ordered_json to_json(const ComparedTime& reading) {
  nlohmann::ordered_json json;
  const auto set = [&](const char* name, const std::optional<double>& value) {
    json[name] = value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
  };
  set("seconds", reading.seconds);
  json["samples"] = reading.samples.size();
  set("residual", reading.residual);
  set("allowed", reading.allowed);
  if (reading.is_printed) json["printed"] = true;
  if (!reading.why_not.empty()) json["why"] = reading.why_not;
  for (const Difference& d : reading.differences) {
    json["unequal"].push_back({{"field", d.field}, {"first", d.here}, {"here", d.there}});
  }
  set("ratio", reading.ratio);
  if (reading.interval) json["interval"] = {reading.interval->low, reading.interval->high};
  return json;
}

}  // namespace

nlohmann::ordered_json to_json(const Comparison& comparison) {
  nlohmann::ordered_json json{{"schema", 1}};
  const auto or_null = [](const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
  };
  for (const auto& side : comparison.sides) {
    json["sides"].push_back({{"name", side.name},
                             {"machine", side.text},
                             {"price_usd", or_null(side.price_usd)},
                             {"watts", or_null(side.watts)},
                             {"prices_from", side.prices_from}});
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
      its["means"].push_back({{"side", mean.side},
                              {"gpu", mean.is_gpu},
                              {"cells", mean.cells},
                              {"ratio", mean.ratio},
                              {"lowest", mean.lowest},
                              {"highest", mean.highest},
                              {"per_dollar", or_null(mean.per_dollar)},
                              {"per_watt", or_null(mean.per_watt)},
                              {"unequal", mean.unequal}});
    }
  }
  return json;
}

std::string render_text(const Comparison& comparison, bool cells) {
  std::string text = sides_of(comparison);
  if (cells) {
    for (const ComparedTable& table : comparison.tables) {
      const Grid grid = cells_of(comparison, table);
      text += fmt::format("\n{}, {}\n", table.id, table.title) + in_columns(grid, names_in(grid));
    }
  }
  text += "\nHow many times faster than side 1, geometric means\n" +
          in_columns(means_of(comparison), 3);
  const std::string prices = prices_of(comparison);
  return prices.empty() ? text : text + "\n" + prices;
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
  const std::string prices = prices_of(comparison);
  return prices.empty() ? text : text + "\n" + escape_markdown(prices);
}

}  // namespace macrobench
