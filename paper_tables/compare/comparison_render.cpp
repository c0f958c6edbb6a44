#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "harness/numbers/noise.hpp"
#include "harness/text/each.hpp"
#include "harness/text/format.hpp"
#include "paper_tables/compare/comparison.hpp"

namespace macrobench {

namespace {

using enum Column::Kind;

/// The time, with its mark if it is not believed, or one word instead of it. Its notes stand with
/// the ratio, if there is one.
Shown seconds(const ComparedTime& reading, const Ratio& faster) {
  if (!reading.why_refused.empty()) return {"unequal"};
  Shown shown = shown_of(reading.time, "s");
  shown.why.clear();  // the remark says it
  if (!faster.is_refused()) shown.marks.clear();
  return shown;
}

/// "1.6e-10 of 1.6e-10": the error of a result, and the largest allowed.
std::string validity(const ComparedTime& reading) {
  if (!reading.residual || !reading.allowed) return "";
  return fmt::format("{:.1e} of {:.1e}", *reading.residual, *reading.allowed);
}

/// The reason why the time is missing or not used.
std::string remark(const ComparedTime& reading) {
  return reading.why_refused.empty() ? to_string(reading.time.why) : reading.why_refused;
}

/// The remarks on both, those on the first after those on the other.
std::string remarks(const ComparedTime& first, const ComparedTime& other) {
  const std::string of_first = remark(first);
  std::string of_other = remark(other);
  if (of_first.empty()) return of_other;
  return fmt::format("{}{}1's: {}", of_other, of_other.empty() ? "" : "; ", of_first);
}

const std::string& name_of_rows(Scope scope) {
  return std::ranges::find(compared_scopes(), scope, &std::pair<Scope, std::string>::first)->second;
}

std::string interval(const ComparedTime& reading) {
  const std::optional<ConfidenceInterval>& where = reading.faster.cell().interval;
  if (reading.faster.is_refused() || !where) return "";
  return fmt::format("{} to {}", format_number(where->low), format_number(where->high));
}

/// A cell of a table on a side beside the first.
struct ComparedRow {
  const ComparedTable* table;
  const ComparedCell* cell;
  const ComparedSide* side;
  std::size_t number;  ///< of the side, from 2 on

  [[nodiscard]] const ComparedTime& first() const { return cell->readings.front(); }
  [[nodiscard]] const ComparedTime& here() const { return cell->readings[number - 1]; }
};

Sheet cells_of(const Comparison& comparison, std::span<const ComparedTable> tables) {
  using One = ComparedRow;
  std::vector<One> rows;
  for (const ComparedTable& table : tables) {
    for (const ComparedCell& cell : table.cells) {
      for (std::size_t side = 1; side < comparison.sides.size(); ++side) {
        rows.push_back({&table, &cell, &comparison.sides[side], side + 1});
      }
    }
  }
  SheetOf<One> sheet("compared", {"table", "group", "row", "column", "side"});
  sheet.data("table", [](const One& one) { return one.table->id; })
      .column("group", {"group", words}, [](const One& one) { return one.cell->group; })
      .column("row", {"row", words}, [](const One& one) { return one.cell->row; })
      .column("column", {"column", words}, [](const One& one) { return one.cell->column; })
      .column(
          "side", {"side", words}, [](const One& one) { return one.side->name; },
          [](const One& one) { return std::to_string(one.number); })
      .data("implementation", [](const One& one) { return one.cell->implementation; })
      .data("gpu", [](const One& one) { return one.cell->is_gpu; });
  using Side = const ComparedTime& (One::*)() const;
  constexpr std::array<std::tuple<const char*, const char*, Side>, 2> sides{
      {{"first", "1's", &One::first}, {"here", "its", &One::here}}};
  for (const auto& [name, title, of] : sides) {
    const std::string in_data = name;
    sheet.column(
        in_data, {title + std::string(" time")}, [of](const One& one) { return (one.*of)().time; },
        [of](const One& one) { return seconds((one.*of)(), one.here().faster); });
    sheet.data(in_data + "_is_unequal",
               [of](const One& one) { return !(one.*of)().why_refused.empty(); });
  }
  sheet
      .column(
          "ratio", {"faster"}, [](const One& one) { return one.here().faster.cell(); },
          [](const One& one) {
            // The remark says why there is none.
            const Ratio& faster = one.here().faster;
            return faster.is_refused() ? Shown{} : times_shown(faster.cell());
          })
      .reader({"95% interval"}, [](const One& one) { return interval(one.here()); });
  for (const auto& [name, title, of] : sides) {
    const std::string in_data = name;
    sheet
        .column(
            in_data + "_residual", {title + std::string(" residual")},
            [of](const One& one) { return (one.*of)().residual; },
            [of](const One& one) { return validity((one.*of)()); })
        .data(in_data + "_allowed", [of](const One& one) { return (one.*of)().allowed; });
  }
  return sheet
      .column("why", {"why", words, Column::Place::below},
              [](const One& one) { return remarks(one.first(), one.here()); })
      .of(rows);
}

/// A mean of a table on one side.
struct MeanRow {
  std::string table;
  std::string side;
  MeanRatio mean;
};

Sheet means_of(const Comparison& comparison) {
  using One = MeanRow;
  std::vector<One> rows;
  for (const ComparedTable& table : comparison.tables) {
    for (const MeanRatio& mean : table.means) {
      rows.push_back({table.id, comparison.sides[mean.side].name, mean});
    }
  }
  const auto ratio = [](const std::optional<double>& its) {
    return its ? format_number(*its) + "×" : "-";
  };
  const auto count = [](int cells) { return cells > 0 ? std::to_string(cells) : ""; };
  return SheetOf<One>("means", {"table", "device", "scope", "side"},
                      "How many times faster than side 1, geometric means")
      .column("table", {"table", words}, &One::table)
      .reader({"rows", words}, [](const One& one) { return words_of(one.mean); })
      .data("device", [](const One& one) { return one.mean.is_gpu ? "gpu" : "cpu"; })
      .data("scope", [](const One& one) { return name_of_rows(one.mean.scope); })
      .column("side", {"side", words}, &One::side,
              [](const One& one) { return std::to_string(one.mean.side + 1); })
      .column("cells", {"cells"}, [](const One& one) { return one.mean.cells; })
      .column(
          "ratio", {"faster"}, [](const One& one) { return one.mean.ratio; },
          [](const One& one) {
            return one.mean.ratio.value ? times_shown(one.mean.ratio) : Shown{"-"};
          })
      .column(
          "lowest", {"lowest"}, [](const One& one) { return one.mean.lowest; },
          [=](const One& one) { return ratio(one.mean.lowest); })
      .column(
          "highest", {"highest"}, [](const One& one) { return one.mean.highest; },
          [=](const One& one) { return ratio(one.mean.highest); })
      .column(
          "unequal", {"unequal"}, [](const One& one) { return one.mean.unequal; },
          [=](const One& one) { return count(one.mean.unequal); })
      .column(
          "invalid", {"invalid"}, [](const One& one) { return one.mean.invalid; },
          [=](const One& one) { return count(one.mean.invalid); })
      .column(
          "doubted", {"doubted"}, [](const One& one) { return one.mean.doubted; },
          [=](const One& one) { return count(one.mean.doubted); })
      .of(rows);
}

Sheet sides_of(const Comparison& comparison) {
  using One = ComparedSide;
  return SheetOf<One>("sides", {"side"})
      .data("side", &One::name)
      .data("machine", &One::text)
      .of(comparison.sides);
}

}  // namespace

std::string words_of(const MeanRatio& mean) {
  return fmt::format("{}, {}", mean.is_gpu ? "GPU" : "CPU", name_of_rows(mean.scope));
}

std::vector<Sheet> sheets_of(const Comparison& comparison) {
  return {cells_of(comparison, comparison.tables), means_of(comparison), sides_of(comparison)};
}

namespace {

/// The columns of the means, in one line.
constexpr std::string_view about_means =
    "A cell is one time that both sides have; faster: side 1's seconds over the side's, the "
    "geometric mean (n-th root of the product) over the cells; lowest, highest: of one cell.";

/// The reasons for which no time of the sides meets another; empty if one does.
std::string why_nothing_meets(const Comparison& comparison) {
  std::map<std::string, std::size_t> reasons;
  for (const ComparedTable& table : comparison.tables) {
    for (const ComparedCell& cell : table.cells) {
      for (std::size_t side = 1; side < cell.readings.size(); ++side) {
        const ComparedTime& first = cell.readings.front();
        const ComparedTime& other = cell.readings[side];
        if (!other.faster.is_refused()) return "";
        if (!other.was_run()) continue;
        const bool is_firsts = first.seconds() == std::nullopt;
        const ComparedTime& blamed = is_firsts ? first : other;
        std::string why = blamed.why_refused;
        if (why.empty()) why = other.faster.cell().why.clause;
        if (why.empty() || is_doubted(blamed.time.status) ||
            blamed.time.status == Status::invalid) {
          why = fmt::format("{}{}{}", macrobench::to_string(blamed.time.status),
                            why.empty() ? "" : ": ", why);
        }
        ++reasons[fmt::format("{} ({})", why, comparison.sides[is_firsts ? 0 : side].name)];
      }
    }
  }
  std::vector<std::pair<std::string, std::size_t>> all(reasons.begin(), reasons.end());
  std::ranges::stable_sort(all, std::ranges::greater{},
                           &std::pair<std::string, std::size_t>::second);
  constexpr std::size_t most = 3;
  if (all.size() > most) all.resize(most);
  return "Nothing can be compared: " +
         fmt::format("{}.", fmt::join(each(all,
                                           [](const auto& one) {
                                             return counted(one.second, "time") + " " + one.first;
                                           }),
                                      "; "));
}

}  // namespace

Document document_of(const Comparison& comparison, bool has_cells) {
  List sides{.items = {}, .style = List::Style::numbers};
  for (const ComparedSide& side : comparison.sides) {
    sides.items.push_back({fmt::format("{}: {}", side.name, side.text)});
  }
  Document document{.title = "Comparison", .summary = {std::move(sides)}};
  Notes notes;
  const std::string why = why_nothing_meets(comparison);
  if (why.empty()) {
    document.summary.emplace_back(Paragraph{std::string(about_means)});
    append(document.summary, blocks_of(means_of(comparison), notes));
    document.summary.emplace_back(Paragraph{about_noise()});
  } else {
    document.summary.emplace_back(Paragraph{why});
  }
  if (!has_cells) return document;
  for (const ComparedTable& table : comparison.tables) {
    document.body.emplace_back(Heading{fmt::format("{}, {}", table.id, table.title)});
    append(document.body, blocks_of(cells_of(comparison, {&table, 1}), notes));
  }
  return document;
}

}  // namespace macrobench
