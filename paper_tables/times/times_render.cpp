#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "harness/text/each.hpp"
#include "harness/text/format.hpp"
#include "harness/text/known_value.hpp"
#include "paper_tables/times/times.hpp"

namespace macrobench {

namespace {

using enum Column::Kind;

/// A share above what the memory can do has a mark.
Shown share_in_percent(const CaseTimes& one) {
  if (!one.floor) return {};
  const double share = known_value(one.floor->share.cell().value);
  return {Words(fmt::format("{}%{}", format_number(100 * share), share > 1 ? "†" : ""))};
}

/// What a share is of and, if one has a mark (†), what one above 100% means; empty without shares.
std::string about_floors(const Times& times) {
  bool has_shares = false, has_mark = false;
  for (const CaseTimes& one : times.cases) {
    if (!one.floor) continue;
    has_shares = true;
    has_mark = has_mark || known_value(one.floor->share.cell().value) > 1;
  }
  if (!has_shares) return "";
  return std::string(
             "The floor is the least time that the processor needs, at its best rates, for the "
             "bytes that the algorithm must move or for its operations, whichever takes longer. A "
             "division, power or exponential counts as one operation, and nothing as moved twice, "
             "so that a share says too little rather than too much.") +
         (has_mark ? " † Above 100%: a cache holds from one pass to the next what is counted as "
                     "moved through memory, so that the floor is not the least time."
                   : "");
}

Sheet cases_of(const Times& times) {
  using One = CaseTimes;
  const auto floor = [](const One& one) -> const auto& { return one.floor; };
  // A time without a sample is blank here, not a word.
  const auto time = [](Cell One::* its) {
    return [=](const One& one) { return (one.*its).value ? shown_of(one.*its, "s") : Shown{}; };
  };
  return SheetOf<One>("cases", {"case"}, "What a case takes")
      .column("case", {"case", words}, &One::key)
      .column("gpu", {"on", words}, &One::is_gpu,
              [](const One& one) { return one.is_gpu ? "GPU" : "CPU"; })
      .column("start", {"start-up"}, &One::start,
              [=](const One& one) {
                return one.start.value.value_or(0) > 0 ? time(&One::start)(one) : Shown{};
              })
      .column("first", {"cold"}, &One::first, time(&One::first))
      .column("warm", {"warm"}, &One::warm, time(&One::warm))
      .column("total", {"fresh process"}, &One::total, time(&One::total))
      .data({"floor", "s"},
            through(floor, [](const FloorShare& of) { return of.floor_time.value; }))
      .data("bound_by",
            [](const One& one) {
              return !one.floor ? "" : one.floor->is_memory_bound ? "memory" : "operations";
            })
      .column("share_of_floor", {"floor"},
              through(floor, [](const FloorShare& of) { return of.share.cell(); }),
              share_in_percent)
      .reader({"processes"}, [](const One& one) { return std::to_string(one.total.samples); })
      .reader({"warm ones"}, [](const One& one) { return std::to_string(one.warm.samples); })
      .of(times.cases);
}

Sheet batches_of(const Times& times) {
  using One = BatchTimes;
  std::vector<One> rows = times.batches;
  rows.insert(rows.end(), times.published.begin(), times.published.end());
  const auto per_thousand = [](Cell One::* its) {
    return [=](const One& one) { return one.per_thousand(one.*its); };
  };
  const auto shown = [](auto get) {
    return [=](const One& one) {
      const Cell cell = std::invoke(get, one);
      return cell.value ? shown_of(cell, cell.unit) : Shown{};
    };
  };
  return SheetOf<One>("batches", {"case"}, "Many economies at once")
      .column("case", {"case", words}, &One::called)
      .data("printed_in", &One::table)
      .column("gpu", {"on", words}, &One::is_gpu,
              [](const One& one) {
                return !one.table.empty() ? "as published" : one.is_gpu ? "GPU" : "CPU";
              })
      .column("economies", {"economies"}, &One::economies)
      .data("batch", &One::time)
      .column("per_thousand", {"a thousand take"}, per_thousand(&One::time),
              shown(per_thousand(&One::time)))
      .column("joules_per_thousand", {"joules per thousand"}, per_thousand(&One::joules),
              shown(per_thousand(&One::joules)))
      .column("dollars_per_thousand", {"dollars per thousand"}, per_thousand(&One::dollars),
              shown(per_thousand(&One::dollars)))
      .column("first_alone", {"the first alone"}, &One::alone, shown(&One::alone))
      .of(rows);
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
      times.batches, [](const BatchTimes& one) { return one.dollars.value.has_value(); });
  std::string text;
  if (has_dollars) {
    text += fmt::format(" Dollars are those of a rented GPU ({}).", times.dollars_source);
  }
  if (!times.published.empty()) {
    text +=
        " Published rows are as their papers print them; their economies are others than ours, so "
        "that the times compare only roughly.";
  }
  return text;
}

std::optional<double> size_in(const Crossover& one) {
  return one.where == Crossover::Where::between ? std::optional(one.size) : std::nullopt;
}

std::string where_in(const Crossover& one) {
  constexpr const char* names[] = {"below", "between", "beyond"};
  return names[static_cast<std::size_t>(one.where)];
}

Sheet overtakings_of(const Times& times) {
  using One = Overtaking;
  const auto in = [](Crossover One::* its, auto get) {
    return [=](const One& one) { return get(one.*its); };
  };
  return SheetOf<One>("overtakings", {"model", "problem", "gpu", "cpu"},
                      "The size from which a GPU is faster than a CPU")
      .data("model", &One::model)
      .column("problem", {"problem", words, Column::Place::above}, &One::problem,
              [](const One& one) {
                return one.problem.empty() ? one.model
                                           : fmt::format("{}, {}", one.model, one.problem);
              })
      .column("gpu", {"GPU", words}, &One::gpu)
      .column("cpu", {"CPU", words}, &One::cpu)
      .data("axis", &One::size_axis)
      .reader({"measured", words},
              [](const One& one) {
                return fmt::format("{} {} to {}", one.size_axis, size_of(one.sizes.front()),
                                   size_of(one.sizes.back()));
              })
      .data("smallest", [](const One& one) { return one.sizes.front(); })
      .data("largest", [](const One& one) { return one.sizes.back(); })
      .data("sizes", [](const One& one) { return one.sizes.size(); })
      .data("solution_where", in(&One::in_solution, where_in))
      .column("solution_size", {"overtakes in solution at"}, in(&One::in_solution, size_in),
              [](const One& one) {
                return Shown{words_of(one.in_solution), each(one.marks, &Mark::note)};
              })
      .data("total_where", in(&One::in_total, where_in))
      .column("total_size", {"in a fresh process at"}, in(&One::in_total, size_in),
              [](const One& one) { return words_of(one.in_total); })
      .data("marks",
            [](const One& one) {
              return fmt::format("{}", fmt::join(each(one.marks, &Mark::note), "; "));
            })
      .of(times.overtakings);
}

Sheet single_precision_of(const Times& times) {
  using One = SinglePrecision;
  const auto short_number = [](auto get) {
    return [=](const One& one) { return fmt::format("{:.1e}", one.*get); };
  };
  return SheetOf<One>("single_precision", {"case"}, "Single precision")
      .column("case", {"case", words}, &One::key)
      .column("end", {"it", words}, [](const One& one) { return to_string(one.end); })
      .column("iterations", {"iterations"}, &One::iterations,
              [](const One& one) { return std::to_string(one.iterations); })
      .column("residual", {"residual"}, &One::residual, short_number(&One::residual))
      .column("allowed", {"allowed"}, &One::allowed, short_number(&One::allowed))
      .data("residual_unit", &One::unit)
      .column("error_against_double", {"relative error against double"}, &One::error,
              [](const One& one) { return one.error ? fmt::format("{:.1e}", *one.error) : ""; })
      .column("figure", {"of", words}, &One::figure)
      .of(times.single_precision);
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

}  // namespace

std::string to_string(SinglePrecision::End end) {
  constexpr const char* names[] = {"converged", "stagnated", "cycling", "not decided"};
  return names[static_cast<std::size_t>(end)];
}

Document document_of(const Times& times, const std::string& machine, bool has_cases) {
  Document document{.title = "Times: " + machine};
  Notes notes;
  const auto add = [&](std::vector<Block> blocks) { append(document.body, std::move(blocks)); };
  if (has_cases) {
    add(blocks_of(cases_of(times), notes));
    if (std::string about = about_floors(times); !about.empty()) {
      document.body.emplace_back(Paragraph{std::move(about)});
    }
  }
  if (!times.batches.empty()) {
    add(blocks_of(batches_of(times), notes));
    document.body.emplace_back(Paragraph{
        "Of a batch solved in one call, each economy with its own calibration: what an estimation "
        "asks for. Beside it is the latency of its first economy, solved by itself on one thread "
        "or one GPU; the others may take longer. Joules are those of the whole device." +
        about_dollars(times)});
  }
  add(blocks_of(times.programs, notes));
  if (!times.work_precision.empty()) {
    add(blocks_of(sheet_of(times.work_precision), notes));
    document.body.emplace_back(
        Paragraph{"The residual is what the model's certificate finds in the result, whatever "
                  "the program said of itself."});
  }
  if (!times.overtakings.empty()) {
    add(blocks_of(overtakings_of(times), notes));
    document.body.emplace_back(about_crossovers());
  }
  if (!times.not_comparable.empty()) {
    document.body.emplace_back(Paragraph{fmt::format(
        "Not comparable, because no implementation on a GPU and on a CPU have two sizes "
        "of the same problem in the same precision: {}.",
        fmt::join(times.not_comparable, ", "))});
  }
  if (!times.single_precision.empty()) {
    add(blocks_of(single_precision_of(times), notes));
    document.body.emplace_back(about_single_precision(times));
  }
  return document;
}

std::vector<Sheet> sheets_of(const Times& times) {
  const Sheet not_comparable = SheetOf<std::string>("not_comparable", {"model"})
                                   .data("model", [](const std::string& model) { return model; })
                                   .of(times.not_comparable);
  return {cases_of(times),           batches_of(times),
          sheet_of(times.programs),  sheet_of(times.work_precision),
          overtakings_of(times),     not_comparable,
          single_precision_of(times)};
}

}  // namespace macrobench
