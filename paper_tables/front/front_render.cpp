#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/text/each.hpp"
#include "harness/text/format.hpp"
#include "harness/text/known_value.hpp"
#include "paper_tables/cells/machine_cells.hpp"
#include "paper_tables/front/front.hpp"

namespace macrobench {

namespace {

using enum Column::Kind;

/// " ±8%": how far its interval's farther end is; empty if it has none.
std::string margin_of(const Cell& cell) {
  if (!cell.interval || !cell.value) return "";
  const double below = 1 - cell.interval->low / *cell.value;
  const double above = cell.interval->high / *cell.value - 1;
  return fmt::format(" ±{:.0f}%", 100 * std::max(below, above));
}

/// A time, or the word for why there is none, with what there is to say of it.
Shown time_shown(const Cell& cell) {
  if (is_of_a_run(cell)) return {duration_of(cell) + margin_of(cell), cell.marks};
  if (cell.status == Status::not_run || cell.kind == Kind::extrapolated) return {"–"};
  return {.words = Words(Span{to_string(cell.status), Span::Style::plain, "invalid"}),
          .why = to_string(cell.why)};
}

/// "86×", or "–"; with its marks, or the reason why there is none.
Shown ratio_shown(const Ratio& ratio) {
  if (!ratio.is_refused()) return times_shown(ratio.cell());
  const Reason& why = ratio.cell().why;
  return {.words = "–", .why = why.kind == Reason::Kind::not_divided ? to_string(why) : ""};
}

/// "480 µs ±9%, GPU", or the text for none.
Shown shown_of(const std::optional<ProgramTime>& time, const char* none) {
  if (!time) return {none};
  Shown shown = time_shown(time->cell);
  shown.after = ", " + time->program;
  return shown;
}

std::optional<Cell> cell_of(const std::optional<ProgramTime>& time) {
  return time ? std::optional(time->cell) : std::nullopt;
}

/// "0.0020% of consumption, K off by 0.041%": of the best program's solution.
std::string error_of(const FrontRow& row) {
  std::vector<std::string> errors;
  if (row.has_best() && row.best->cell.error) {
    const double error = *row.best->cell.error;
    errors.push_back(fmt::format("{}% of {}", error_text(error, error), row.share_of()));
  }
  if (row.error && is_of_a_run(*row.error)) {
    errors.push_back(fmt::format("{} off by {:.2g}%", row.error_of, known_value(row.error->value)));
  }
  return fmt::format("{}", fmt::join(errors, ", "));
}

}  // namespace

Sheet sheet_of(const Front& front) {
  using One = FrontRow;
  return SheetOf<One>("front", {"model"}, front.machine_text)
      .data("model", &One::model)
      .column("size", {"problem", words, Column::Place::above}, &One::size,
              [](const One& row) { return fmt::format("{}, {}", row.title, row.size); })
      .data("table", &One::table)
      .column(
          "program", {"published", words}, [](const One& row) { return row.here.program; },
          [](const One& row) {
            std::string text =
                fmt::format("{}, {}, {}", format_duration(known_value(row.published.value)),
                            row.here.program, row.hardware);
            for (const ProgramTime& other : row.also) {
              text += fmt::format("; {}, {}", format_duration(known_value(other.cell.value)),
                                  other.program);
            }
            return text;
          })
      .data("published_on", &One::hardware)
      .data("published", &One::published)
      .column(
          "here", {"our version here"}, [](const One& row) { return row.here.cell; },
          [](const One& row) { return time_shown(row.here.cell); })
      .column("fidelity", {"fidelity", words, Column::Place::below_named}, &One::fidelity)
      .column(
          "faster", {"faster"}, [](const One& row) { return row.faster.cell(); },
          [](const One& row) { return ratio_shown(row.faster); })
      .data("best_program", [](const One& row) { return row.best ? row.best->program : ""; })
      .column(
          "best", {"best here", words}, [](const One& row) { return cell_of(row.best); },
          [](const One& row) { return shown_of(row.best, "–"); })
      .column(
          "faster_again", {"faster again"}, [](const One& row) { return row.faster_again.cell(); },
          [](const One& row) { return ratio_shown(row.faster_again); })
      .data("beside_program", [](const One& row) { return row.beside ? row.beside->program : ""; })
      .column(
          "beside", {"in Python here", words, Column::Place::below_named},
          [](const One& row) { return cell_of(row.beside); },
          [](const One& row) { return shown_of(row.beside, ""); })
      .data("faster_in_all", [](const One& row) { return row.faster_in_all.cell(); })
      .column("error", {"error", words, Column::Place::below_named}, &One::error, error_of)
      .data("error_of", &One::error_of)
      .data({"best_error", "share"},
            [](const One& row) { return row.has_best() ? row.best->cell.error : std::nullopt; })
      .data("best_error_of", &One::share_of)
      .of(front.rows);
}

std::vector<Sheet> sheets_of(const Front& front) {
  return {sheet_of(front), sheet_of_machine(front.machine, front.machine_text)};
}

Document document_of(const Front& front) {
  return {.body = blocks_of(sheet_of(front))};
}

}  // namespace macrobench
