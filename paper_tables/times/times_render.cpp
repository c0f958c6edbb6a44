#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "harness/text/csv.hpp"
#include "harness/text/each.hpp"
#include "harness/text/format.hpp"
#include "harness/text/json_values.hpp"
#include "paper_tables/times/times.hpp"

namespace macrobench {

namespace {

using nlohmann::ordered_json;

std::string seconds(const std::optional<double>& value) {
  return value ? format_duration(*value) : "";
}

Grid cases_of(const Times& times) {
  const auto row = [](const CaseTimes& one) {
    const std::optional<double> rate = one.per_second();
    // "12.3 ms (noisy)"
    const std::string mark =
        is_doubted(one.status) ? fmt::format(" ({})", to_string(one.status)) : "";
    const auto marked = [&](const std::optional<double>& time) {
      return time ? seconds(time) + mark : "";
    };
    return Row{{one.key, one.is_gpu ? "GPU" : "CPU",
                one.start.value_or(0) > 0 ? marked(one.start) : "", marked(one.cold),
                marked(one.warm), marked(one.total), std::to_string(one.processes),
                std::to_string(one.solutions), rate ? format_number(*rate) : ""}};
  };
  return grid_of(columns_of({"case", "on"}, {"start-up", "cold", "warm", "fresh process",
                                             "processes", "warm ones", "per second"}),
                 each(times.cases, row), "What a case takes");
}

Row batch_row(const std::string& name, const std::string& on, const BatchTimes& one) {
  const auto per_thousand = [&](const std::optional<double>& of_batch) {
    return of_batch ? format_number(one.per_thousand(*of_batch)) : "";
  };
  return {{name, on, with_separators(static_cast<double>(one.economies)),
           format_number(one.per_second()), format_duration(one.per_thousand(one.seconds)),
           per_thousand(one.joules), per_thousand(one.dollars), seconds(one.alone)}};
}

Grid batches_of(const Times& times) {
  std::vector<Row> rows = each(times.batches, [](const BatchTimes& one) {
    return batch_row(one.key, one.is_gpu ? "GPU" : "CPU", one);
  });
  for (const PublishedBatch& one : times.published) {
    rows.push_back(batch_row(one.called, "as published", one.times));
  }
  return grid_of(columns_of({"case", "on"},
                            {"economies", "per second", "a thousand take", "joules per thousand",
                             "dollars per thousand", "the first alone"}),
                 std::move(rows), "Many economies at once");
}

/// Measured sizes are whole numbers.
std::string size_of(double size) {
  return with_separators(size);
}

std::string words_of(const Crossover& one) {
  switch (one.where) {
    case Crossover::Where::below:
      return "below the smallest";
    case Crossover::Where::between:
      return format_number(one.size);
    case Crossover::Where::beyond:
      break;
  }
  return "beyond the largest";
}

/// Begins with a space, or is empty.
std::string about_dollars(const Times& times) {
  const bool has_dollars = std::ranges::any_of(
      times.batches, [](const BatchTimes& one) { return one.dollars.has_value(); });
  std::string text;
  if (has_dollars) {
    text += fmt::format(" Dollars are those of a rented GPU ({}).", times.dollars_source);
  }
  if (!times.published.empty()) text += " Published rows are as their papers print them.";
  return text;
}

Grid overtakings_of(const Times& times) {
  const bool joins_campaigns = std::ranges::any_of(
      times.overtakings, [](const Overtaking& one) { return !one.drift.empty(); });
  std::vector<Row> rows;
  for (const Overtaking& one : times.overtakings) {
    rows.push_back(
        {{one.problem.empty() ? one.model : fmt::format("{}, {}", one.model, one.problem), one.gpu,
          one.cpu,
          fmt::format("{} {} to {}", one.size_axis, size_of(one.sizes.front()),
                      size_of(one.sizes.back())),
          words_of(one.in_solution), words_of(one.in_total)}});
    if (joins_campaigns) rows.back().cells.emplace_back(one.drift);
  }
  std::vector<Column> columns =
      columns_of({"problem", "GPU", "CPU", "measured"},
                 {"overtakes in solution at", "in a fresh process at"}, {"its campaigns"});
  columns.front().place = Column::Place::above;
  if (!joins_campaigns) columns.pop_back();
  return grid_of(std::move(columns), std::move(rows),
                 "The size from which a GPU is faster than a CPU");
}

Grid single_precision_of(const Times& times) {
  const auto row = [](const SinglePrecision& one) {
    return Row{{one.key, to_string(one.end), std::to_string(one.iterations),
                fmt::format("{:.1e}", one.residual), fmt::format("{:.1e}", one.allowed),
                one.error ? fmt::format("{:.1e}", *one.error) : "", one.figure}};
  };
  return grid_of(
      columns_of({"case", "it"},
                 {"iterations", "residual", "allowed", "relative error against double"}, {"of"}),
      each(times.single_precision, row), "Single precision");
}

Paragraph about_crossovers() {
  return {
      "A solution is warm where both have warm ones; a fresh process adds the start-up to the "
      "first solution. Sizes are those that both measured; between two of them a straight line "
      "in logarithms is drawn. Both solve the same problem, with the same precision; a CPU "
      "is there once for each number of threads."};
}

/// "lifecycle: units of utility; rbc: units of utility".
std::string units_of_residuals(const Times& times) {
  std::set<std::string> units;
  for (const SinglePrecision& one : times.single_precision) {
    units.insert(fmt::format("{}: {}", one.key.substr(0, one.key.find('/')), one.unit));
  }
  return fmt::format("{}", fmt::join(units, "; "));
}

Paragraph about_single_precision(const Times& times) {
  return {fmt::format(
      "Converged: its certificate holds. Stagnated: its iterates came to rest, and the "
      "certificate does not hold there. Cycling: they still moved when it gave up, where exact "
      "arithmetic would have come to rest. The error is the largest relative difference of a "
      "figure of the solution from the same case in double. Units of the residual and of what is "
      "allowed: {}.",
      units_of_residuals(times))};
}

ordered_json to_json(const BatchTimes& one) {
  const auto per_thousand = [&](const std::optional<double>& of_batch) {
    return of_batch ? ordered_json(one.per_thousand(*of_batch)) : ordered_json();
  };
  return {{"economies", one.economies},
          {"per_second", one.per_second()},
          {"seconds_per_thousand", per_thousand(one.seconds)},
          {"joules_per_thousand", per_thousand(one.joules)},
          {"dollars_per_thousand", per_thousand(one.dollars)}};
}

ordered_json to_json(const CaseTimes& one) {
  return {{"key", one.key},
          {"gpu", one.is_gpu},
          {"start", or_null(one.start)},
          {"cold", or_null(one.cold)},
          {"warm", or_null(one.warm)},
          {"total", or_null(one.total)},
          {"processes", one.processes},
          {"warm_solutions", one.solutions},
          {"per_second", or_null(one.per_second())},
          {"status", to_string(one.status)}};
}

ordered_json to_json(const SinglePrecision& one) {
  return {{"key", one.key},
          {"end", to_string(one.end)},
          {"iterations", one.iterations},
          {"residual", one.residual},
          {"allowed", one.allowed},
          {"unit", one.unit},
          {"error_against_double", or_null(one.error)},
          {"figure", or_null(one.figure)}};
}

ordered_json to_json(const Crossover& one) {
  constexpr const char* names[] = {"below", "between", "beyond"};
  return {
      {"where", names[static_cast<std::size_t>(one.where)]},
      {"size", one.where == Crossover::Where::between ? ordered_json(one.size) : ordered_json()}};
}

ordered_json to_json(const Overtaking& one) {
  return {{"model", one.model},
          {"problem", one.problem},
          {"gpu", one.gpu},
          {"cpu", one.cpu},
          {"axis", one.size_axis},
          {"sizes", one.sizes},
          {"solution", to_json(one.in_solution)},
          {"total", to_json(one.in_total)},
          {"drift", or_null(one.drift)}};
}

}  // namespace

std::string to_string(SinglePrecision::End end) {
  constexpr const char* names[] = {"converged", "stagnated", "cycling", "not decided"};
  return names[static_cast<std::size_t>(end)];
}

Document document_of(const Times& times, const std::string& machine, bool has_cases) {
  Document document{.title = "Times: " + machine};
  if (has_cases) document.body.emplace_back(cases_of(times));
  if (!times.batches.empty()) {
    document.body.emplace_back(batches_of(times));
    document.body.emplace_back(Paragraph{
        "Of a batch solved in one call, each economy with its own calibration: what an estimation "
        "asks for. Beside it is the latency of its first economy, solved by itself on one thread "
        "or one GPU; the others may take longer. Joules are those of the whole device." +
        about_dollars(times)});
  }
  std::ranges::move(blocks_of(times.programs), std::back_inserter(document.body));
  std::ranges::move(blocks_of(times.work_precision), std::back_inserter(document.body));
  if (!times.overtakings.empty()) {
    document.body.emplace_back(overtakings_of(times));
    document.body.emplace_back(about_crossovers());
  }
  if (!times.not_comparable.empty()) {
    document.body.emplace_back(Paragraph{fmt::format(
        "Not comparable, because no implementation on a GPU and on a CPU have two sizes "
        "of the same problem in the same precision: {}.",
        fmt::join(times.not_comparable, ", "))});
  }
  if (!times.single_precision.empty()) {
    document.body.emplace_back(single_precision_of(times));
    document.body.emplace_back(about_single_precision(times));
  }
  return document;
}

nlohmann::ordered_json to_json(const Times& times) {
  const auto batch = [](const BatchTimes& one) {
    ordered_json json{{"key", one.key}, {"gpu", one.is_gpu}};
    json.update(to_json(one));
    json["first_alone"] = or_null(one.alone);
    return json;
  };
  const auto published = [](const PublishedBatch& one) {
    ordered_json json{{"table", one.table}, {"called", one.called}};
    json.update(to_json(one.times));
    return json;
  };
  const auto json = [](const auto& one) { return to_json(one); };
  return {{"schema", 1},
          {"cases", each(times.cases, json)},
          {"batches", each(times.batches, batch)},
          {"published_batches", each(times.published, published)},
          {"dollars_source", or_null(times.dollars_source)},
          {"programs", to_json(times.programs)},
          {"work_precision", to_json(times.work_precision)},
          {"overtakings", each(times.overtakings, json)},
          {"not_comparable", times.not_comparable},
          {"single_precision", each(times.single_precision, json)}};
}

std::string to_csv(const Times& times) {
  return to_csv({"key", "gpu", "start", "cold", "warm", "total", "processes", "warm_solutions",
                 "per_second", "status"},
                to_json(times)["cases"]);
}

}  // namespace macrobench
