#include "paper_tables/compare/standing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <ranges>
#include <set>
#include <tuple>
#include <utility>

#include "harness/records/record_facts.hpp"
#include "harness/text/each.hpp"
#include "harness/text/format.hpp"
#include "harness/text/known_value.hpp"
#include "paper_tables/cells/lookup.hpp"
#include "paper_tables/cells/plan.hpp"
#include "paper_tables/cells/printed_number.hpp"
#include "paper_tables/cells/quantity.hpp"

namespace macrobench {

namespace {

/// Cells with the same problem: a table, a group and a column.
using PrintedProblem = std::tuple<std::string, std::string, std::string>;

/// Of a reading that has a time.
double seconds_of(const ComparedTime& reading) {
  return known_value(reading.seconds());
}

/// A cell that times a solution or a stage of one, and where it is.
struct Timed {
  const ComparedTable* table;
  const ComparedCell* cell;

  [[nodiscard]] PrintedProblem problem() const { return {table->id, cell->group, cell->column}; }
  [[nodiscard]] const ComparedTime& printed() const { return cell->readings.front(); }
  [[nodiscard]] const ComparedTime& here() const { return cell->readings.back(); }
};

std::vector<Timed> timed_cells(const Comparison& comparison) {
  std::vector<Timed> cells;
  for (const ComparedTable& table : comparison.tables) {
    for (const ComparedCell& cell : table.cells) {
      const ComparedTime& printed = cell.readings.front();
      const bool is_timed = cell.quantity != Quantity::start && printed.seconds();
      if (is_timed && printed.differences.empty()) cells.push_back({&table, &cell});
    }
  }
  return cells;
}

/// True if the problem is the printed one, and only the way to solve it is another.
bool is_same_problem(const ComparedTime& reading, const Model& model) {
  return std::ranges::all_of(reading.differences, [&](const Difference& difference) {
    const auto axis = std::ranges::find(model.axes, difference.field, &Axis::name);
    return axis == model.axes.end() ? difference.field == "algorithm" : axis->counts_cores;
  });
}

std::set<std::string> frontiers_of(const std::string& model, const Results& results) {
  std::set<std::string> names;
  for (const Record& record : results.records) {
    if (record.model == model && has_its_own_way(record)) names.insert(record.implementation);
  }
  return names;
}

/// For each problem the row that is fastest in print, beside the fastest frontier here.
std::vector<ComparedCell> todays_best(const std::vector<Timed>& solved) {
  std::map<PrintedProblem, ComparedCell> best;
  const auto seconds_in = [](const ComparedCell& cell) {
    return std::pair(seconds_of(cell.readings.front()), seconds_of(cell.readings.back()));
  };
  for (const Timed& timed : solved) {
    ComparedCell& known = best.try_emplace(timed.problem(), *timed.cell).first->second;
    if (seconds_in(*timed.cell) < seconds_in(known)) known = *timed.cell;
  }
  const auto cells = best | std::views::values;
  return {cells.begin(), cells.end()};
}

/// How many times are not believed, of the cases that the tables request and have a time of in
/// print: of those on a GPU or not, if that is asked; of another implementation, if one is named.
DoubtedTimes doubted_times(const Lookup& lookup, const std::vector<const Definition*>& tables,
                           std::optional<bool> is_gpu, const std::string& another = {}) {
  std::set<const Record*> doubted;
  for (const Definition* table : tables) {
    for (const RowDefinition& row : rows_of(*table)) {
      const bool is_timed = is_time(row.quantity) && row.quantity != Quantity::start;
      if (!is_timed || row.published_by_extrapolation) continue;
      for (std::size_t i = 0; i < table->columns.size(); ++i) {
        if (!row.left_out[i].empty() || !printed_number(row.published[i].value_or(""))) continue;
        CellRequest request = request_of(*table, row, table->columns[i]);
        if (!another.empty()) request.implementation = another;
        const Record* record = lookup(request).record;
        if (record == nullptr || !is_doubted(record->status)) continue;
        const bool is_there = is_on_gpu(*record, row.stages);
        if (is_there == is_gpu.value_or(is_there)) doubted.insert(record);
      }
    }
  }
  DoubtedTimes times;
  for (const Record* record : doubted) times.add(record->status);
  return times;
}

/// The problem of a cell, "Nk = 65,536", "100(4)".
std::string size_of(const ComparedCell& cell, const Definition& table) {
  return table.axis.empty() ? cell.column : fmt::format("{} = {}", table.axis, cell.column);
}

/// Solutions, unless the tables print more than twice as many numbers of another part of a run.
Scope main_scope(const std::vector<const Definition*>& tables) {
  std::map<Scope, std::ptrdiff_t> printed;
  for (const Definition* table : tables) {
    for (const RowDefinition& row : rows_of(*table)) {
      if (!is_time(row.quantity) || row.published_by_extrapolation) continue;
      printed[scope_of(row.quantity)] += std::ranges::count_if(row.published, [](const auto& cell) {
        return printed_number(cell.value_or("")).has_value();
      });
    }
  }
  Scope most = Scope::solution;
  for (const Scope scope : {Scope::total, Scope::stage, Scope::first_solution}) {
    if (printed[scope] > 2 * printed[most]) most = scope;
  }
  return most;
}

Standing standing_of(const ComparedSide& here, const std::string& id, const Model& model,
                     const std::vector<const Definition*>& tables, Definitions& all) {
  const ComparedSide printed = side_of("published/" + id, all);
  Standing standing{.published = id, .model = model.name, .cpu = {}, .gpu = {}};
  const Comparison own = compare({printed, here}, tables, {});
  const std::vector<ComparedCell> cells =
      each(timed_cells(own), [](const Timed& timed) { return *timed.cell; });
  standing.scope = main_scope(tables);
  standing.cpu = mean_of(cells, own.sides, 1, standing.scope, false);
  standing.gpu = mean_of(cells, own.sides, 1, standing.scope, true);

  const std::set<std::string> frontiers = frontiers_of(model.name, here.results);
  const std::vector<Comparison> against = each(frontiers, [&](const std::string& frontier) {
    return compare({printed, here}, tables, {.against = frontier, .force = true});
  });
  std::vector<Timed> solved;  // by a frontier, where the problem is the printed one
  std::vector<Timed> timed_today;
  for (const Comparison& comparison : against) {
    std::ranges::copy(timed_cells(comparison), std::back_inserter(timed_today));
  }
  std::ranges::copy_if(timed_today, std::back_inserter(solved), [&](const Timed& timed) {
    return !timed.here().faster.is_refused() && is_same_problem(timed.here(), model);
  });
  std::vector<Timed> in_scope;
  std::ranges::copy_if(solved, std::back_inserter(in_scope), [&](const Timed& timed) {
    return scope_of(timed.cell->quantity) == standing.scope;
  });
  const Lookup lookup = lookup_in(here.results);
  standing.doubted_cpu = doubted_times(lookup, tables, false);
  standing.doubted_gpu = doubted_times(lookup, tables, true);
  for (const std::string& frontier : frontiers) {
    standing.doubted_today += doubted_times(lookup, tables, std::nullopt, frontier);
  }
  standing.today = mean_of(todays_best(in_scope), own.sides, 1, standing.scope, std::nullopt);

  // What the row times: with the start, if it counts that.
  std::map<std::pair<PrintedProblem, std::string>, double> todays;
  for (const Timed& timed : solved) {
    const double seconds = seconds_of(timed.here());
    double& known = todays.try_emplace({timed.problem(), timed.cell->row}, seconds).first->second;
    known = std::min(known, seconds);
  }
  const auto keep = [&](const Timed& timed, bool is_own) {
    if (timed.here().faster.is_refused()) return;
    const double seconds = seconds_of(timed.printed());
    if (standing.longest && standing.longest->printed >= seconds) return;
    const auto today = todays.find({timed.problem(), timed.cell->row});
    if (!is_own && today == todays.end()) return;
    standing.longest = {
        .program = timed.cell->group.empty() ? timed.cell->row
                                             : timed.cell->group + ": " + timed.cell->row,
        .size = size_of(*timed.cell, all.get(timed.table->id)),
        .printed = seconds,
        .published = is_own ? timed.here().seconds() : std::nullopt,
        .today = today == todays.end() ? std::nullopt : std::optional(today->second)};
  };
  for (const Timed& timed : timed_cells(own)) keep(timed, true);
  if (standing.longest) return standing;
  for (const Timed& timed : timed_today) keep(timed, false);
  return standing;
}

/// Two significant digits, for a glance: "3.3", "0.16", "8,100", "3.8e6".
std::string about(double number) {
  if (number < 9.95) return fmt::format("{:.2g}", number);
  if (number >= 99'500) {
    const double exponent = std::floor(std::log10(number));
    return fmt::format("{:.1f}e{:.0f}", number / std::pow(10, exponent), exponent);
  }
  const double unit = std::pow(10, std::floor(std::log10(number)) - 1);
  return with_separators(std::round(number / unit) * unit);
}

/// "3.3× (1.9–5.1)"; why there is none, if it is known.
Shown shown(const std::optional<MeanRatio>& mean, const DoubtedTimes& doubted) {
  if (doubted.all() > 0 && !(mean && (mean->ratio.value || mean->invalid > 0))) {
    const Status status = doubted.noisy > 0 ? Status::noisy : Status::throttled;
    return {Words(Span{to_string(status), Span::Style::plain, "invalid"})};
  }
  if (!mean) return {"–"};
  if (!mean->ratio.value) {
    return {mean->invalid > 0 ? Words(Span{"invalid", Span::Style::plain, "invalid"}) : "unequal"};
  }
  const std::string range = mean->cells == 1
                                ? ""
                                : fmt::format(" ({}–{})", about(known_value(mean->lowest)),
                                              about(known_value(mean->highest)));
  return {Words(Span{about(*mean->ratio.value) + "×" + range, Span::Style::plain, "measured"}),
          times_shown(mean->ratio).notes};
}

std::string sentence_on(const SolvedTwice& longest) {
  std::string sentence = fmt::format("{}, {}: {} in print", longest.size, longest.program,
                                     format_duration(longest.printed));
  if (longest.published)
    sentence += fmt::format(", {} measured", format_duration(*longest.published));
  if (longest.today) sentence += fmt::format(", {} today", format_duration(*longest.today));
  return sentence;
}

/// What there is to say of its longest problem, or why it has no time: "nothing solved".
std::string last_line_of(const Standing& standing) {
  if (standing.longest) return sentence_on(*standing.longest);
  DoubtedTimes all = standing.doubted_cpu;
  (all += standing.doubted_gpu) += standing.doubted_today;
  return all.all() == 0 ? "nothing solved" : "solved, but " + to_string(all);
}

}  // namespace

std::vector<Standing> standings_of(const ComparedSide& here,
                                   const std::vector<const Definition*>& tables, Definitions& all) {
  std::map<std::pair<std::string, std::string>, std::vector<const Definition*>> by_machine;
  for (const Definition* table : tables) {
    if (prints_times_to_compare(*table))
      by_machine[{table->model, table->hardware}].push_back(table);
  }
  std::vector<Standing> standings;
  for (const auto& [pair, its] : by_machine) {
    const Model& model = Registry::global().model(pair.first);
    standings.push_back(standing_of(here, pair.second, model, its, all));
  }
  return standings;
}

Sheet sheet_of(const std::vector<Standing>& standings, const std::string& machine_text) {
  using One = Standing;
  using enum Column::Kind;
  SheetOf<One> sheet("standings", {"model", "against"},
                     "How many times faster than in print: " + machine_text);
  sheet.column("model", {"model", words}, &One::model)
      .column(
          "against", {"in print", words},
          [](const One& its) { return "published/" + its.published; },
          [](const One& its) { return its.published; });
  const auto add = [&](const std::string& name, const char* title,
                       std::optional<MeanRatio> One::* mean, DoubtedTimes One::* doubted) {
    sheet
        .column(name, {title}, through(mean, &MeanRatio::ratio),
                [=](const One& its) { return shown(its.*mean, its.*doubted); })
        .data(name + "_lowest", through(mean, &MeanRatio::lowest))
        .data(name + "_highest", through(mean, &MeanRatio::highest))
        .data(name + "_cells", through(mean, &MeanRatio::cells))
        .data(name + "_unequal", through(mean, &MeanRatio::unequal))
        .data(name + "_invalid", through(mean, &MeanRatio::invalid))
        .data(name + "_noisy", [=](const One& its) { return (its.*doubted).noisy; })
        .data(name + "_throttled", [=](const One& its) { return (its.*doubted).throttled; });
  };
  add("cpu", "published, CPU", &One::cpu, &One::doubted_cpu);
  add("gpu", "published, GPU", &One::gpu, &One::doubted_gpu);
  add("frontier", "frontier", &One::today, &One::doubted_today);
  return sheet.data("longest_program", through(&One::longest, &SolvedTwice::program))
      .data("longest_size", through(&One::longest, &SolvedTwice::size))
      .data({"longest_printed", "s"}, through(&One::longest, &SolvedTwice::printed))
      .data({"longest_here", "s"}, through(&One::longest, &SolvedTwice::published))
      .data({"longest_frontier", "s"}, through(&One::longest, &SolvedTwice::today))
      .reader({"longest", words, Column::Place::below}, last_line_of)
      .of(standings);
}

std::vector<Block> blocks_of(const std::vector<Standing>& standings,
                             const std::string& machine_text) {
  std::vector<Block> blocks = blocks_of(sheet_of(standings, machine_text));
  blocks.emplace_back(
      Paragraph{"“published” are the papers' own programs, run again. “frontier” is the best "
                "program that we know for the same problem, held to the same check, against "
                "the fastest in print at each size. Geometric means, lowest to highest; “–” "
                "is not run."});
  return blocks;
}

}  // namespace macrobench
