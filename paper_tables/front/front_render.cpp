#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/text/csv.hpp"
#include "harness/text/each.hpp"
#include "harness/text/format.hpp"
#include "harness/text/json_values.hpp"
#include "harness/text/known_value.hpp"
#include "paper_tables/front/front.hpp"
#include "paper_tables/tables/render.hpp"

namespace macrobench {

namespace {

using enum Column::Kind;
using nlohmann::ordered_json;

std::optional<double> seconds_of(const Cell& cell) {
  return is_of_a_run(cell) ? cell.value : std::nullopt;
}

std::optional<double> best_of(const FrontRow& row) {
  return row.has_best() ? row.best->cell.value : std::nullopt;
}

/// A time, or the word for why there is none; `said` is a mark if a note below explains it.
Words time_of(const Cell& cell, const Words& said) {
  if (const auto seconds = seconds_of(cell)) return format_duration(*seconds) + said;
  if (cell.status == Status::not_run || cell.kind == Kind::extrapolated) return "–";
  return Words(Span{to_string(cell.status), Span::Style::plain, "invalid"}) + said;
}

/// The notes below the rows, each once, with its letter.
class FrontNotes {
 public:
  /// The marks of what there is to say of a number.
  Words marks_of(const std::vector<std::string>& notes) {
    Words marks;
    for (const std::string& note : notes) marks = marks + mark_of(note);
    return marks;
  }

  [[nodiscard]] List list() const {
    List list{.items = {}, .style = List::Style::notes};
    for (std::size_t i = 0; i < notes_.size(); ++i) {
      list.items.push_back({mark(letter(i)) + (" " + notes_[i] + ".")});
    }
    return list;
  }

 private:
  Words mark_of(const std::string& note) {
    const auto known = std::ranges::find(notes_, note);
    const auto index = static_cast<std::size_t>(known - notes_.begin());
    if (known == notes_.end()) notes_.push_back(note);
    return mark(letter(index));
  }

  static std::string letter(std::size_t index) {
    return std::string(1, static_cast<char>('a' + static_cast<char>(index % 26)));
  }

  std::vector<std::string> notes_;
};

/// The notes on a number, or the reason why there is none.
std::vector<std::string> notes_on(const Cell& cell) {
  std::vector<std::string> notes = each(cell.marks, &Mark::note);
  const bool is_said = is_of_a_run(cell)
                           ? cell.kind == Kind::computed
                           : cell.kind == Kind::none && cell.status != Status::not_run;
  if (is_said && !cell.why.empty()) notes.insert(notes.begin(), to_string(cell.why));
  return notes;
}

/// Its marks that no operand has; or the reason why there is none.
std::vector<std::string> notes_on(const Ratio& ratio, const std::vector<const Cell*>& operands) {
  const Cell& cell = ratio.cell();
  if (ratio.is_refused()) {
    const bool is_said = cell.why.kind == Reason::Kind::not_divided;
    return is_said ? std::vector{to_string(cell.why)} : std::vector<std::string>();
  }
  std::vector<std::string> notes;
  for (const Mark& one : cell.marks) {
    const auto has_it = [&](const Cell* operand) {
      return operand != nullptr && operand->marks.contains(one);
    };
    if (std::ranges::none_of(operands, has_it)) notes.push_back(one.note);
  }
  return notes;
}

/// "86×", or "–".
std::string times(const Ratio& ratio) {
  return ratio.is_refused() ? "–" : text_of_ratio(ratio.cell()) + "×";
}

std::string error_of(const FrontRow& row) {
  if (!row.error || !is_of_a_run(*row.error)) return "";
  return fmt::format("{} off by {:.2g}%", row.error_of, known_value(row.error->value));
}

}  // namespace

std::vector<Block> blocks_of(const Front& front) {
  FrontNotes notes;
  std::vector<Row> rows;
  for (const FrontRow& row : front.rows) {
    Words best = "–";
    if (row.best) {
      best = time_of(row.best->cell, notes.marks_of(notes_on(row.best->cell))) +
             (", " + row.best->program);
    }
    rows.push_back(
        {{fmt::format("{}, {}", row.title, row.size),
          fmt::format("{}, {}, {}", format_duration(known_value(row.published.value)),
                      row.here.program, row.hardware),
          time_of(row.here.cell, notes.marks_of(notes_on(row.here.cell))),
          times(row.faster) + notes.marks_of(notes_on(row.faster, {&row.here.cell})),
          std::move(best),
          times(row.faster_again) +
              notes.marks_of(notes_on(row.faster_again,
                                      {&row.here.cell, row.best ? &row.best->cell : nullptr})),
          error_of(row)}});
  }
  Grid grid = grid_of({{"problem", words},
                       {"published", words},
                       {"same program here"},
                       {"faster"},
                       {"best here", words},
                       {"faster again"},
                       {"error", words}},
                      std::move(rows), front.machine_text);
  std::vector<Block> blocks{std::move(grid)};
  if (List list = notes.list(); !list.items.empty()) blocks.emplace_back(std::move(list));
  return blocks;
}

Document document_of(const Front& front) {
  return {.body = blocks_of(front)};
}

ordered_json to_json(const Front& front) {
  const auto row = [](const FrontRow& its) -> ordered_json {
    const auto time = [](const FrontTime& one) -> ordered_json {
      return {{"program", one.program}, {"cell", to_json(one.cell)}};
    };
    return {{"model", its.model},
            {"title", its.title},
            {"size", its.size},
            {"table", its.table},
            {"published",
             {{"program", its.here.program},
              {"hardware", its.hardware},
              {"seconds", or_null(its.published.value)}}},
            {"here", time(its.here)},
            {"faster", to_json(its.faster.cell())},
            {"best", its.best ? time(*its.best) : ordered_json()},
            {"faster_again", to_json(its.faster_again.cell())},
            {"error_percent", its.error ? to_json(*its.error) : ordered_json()}};
  };
  return {{"schema", 2},
          {"machine", front.machine},
          {"machine_text", front.machine_text},
          {"rows", each(front.rows, row)}};
}

std::string to_csv(const Front& front) {
  const auto row = [](const FrontRow& its) -> ordered_json {
    return {{"model", its.model},
            {"size", its.size},
            {"published_program", its.here.program},
            {"published_hardware", its.hardware},
            {"published_s", or_null(its.published.value)},
            {"here_s", or_null(seconds_of(its.here.cell))},
            {"here_kind", word_of(its.here.cell)},
            {"best_program", its.best ? ordered_json(its.best->program) : ordered_json()},
            {"best_s", or_null(best_of(its))},
            {"best_kind", its.best ? ordered_json(word_of(its.best->cell)) : ordered_json()}};
  };
  return to_csv({"model", "size", "published_program", "published_hardware", "published_s",
                 "here_s", "here_kind", "best_program", "best_s", "best_kind"},
                each(front.rows, row));
}

}  // namespace macrobench
