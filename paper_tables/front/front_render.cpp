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

/// "86×": how many times as long the first is; "–" without both.
std::string faster(const std::optional<double>& before, const std::optional<double>& after) {
  return before && after ? format_number(*before / *after) + "×" : "–";
}

std::optional<double> seconds_of(const Cell& cell) {
  return is_of_a_run(cell) ? cell.value : std::nullopt;
}

std::optional<double> best_of(const FrontRow& row) {
  return row.has_best() ? row.best->cell.value : std::nullopt;
}

/// A time, or the word for why there is none; `said` is a mark if a note below explains it.
Words time_of(const Cell& cell, const Words& said) {
  if (const auto seconds = seconds_of(cell)) return format_duration(*seconds) + said;
  if (cell.status == Status::not_run || cell.status == Status::extrapolated) return "–";
  return Words(Span{to_string(cell.status), Span::Style::plain, "invalid"}) + said;
}

/// The notes below the rows, each once, with its letter.
class FrontNotes {
 public:
  /// The mark of what there is to say of a number; nothing if there is nothing.
  Words mark_of(const std::string& note) {
    if (note.empty()) return {};
    const auto known = std::ranges::find(notes_, note);
    const auto index = static_cast<std::size_t>(known - notes_.begin());
    if (known == notes_.end()) notes_.push_back(note);
    return mark(letter(index));
  }

  [[nodiscard]] List list() const {
    List list{.items = {}, .style = List::Style::notes};
    for (std::size_t i = 0; i < notes_.size(); ++i) {
      list.items.push_back({mark(letter(i)) + (" " + notes_[i] + ".")});
    }
    return list;
  }

 private:
  static std::string letter(std::size_t index) {
    return std::string(1, static_cast<char>('a' + static_cast<char>(index % 26)));
  }

  std::vector<std::string> notes_;
};

/// The note on a time that is not the row's own, or the reason why there is none.
std::string note_on(const Cell& cell) {
  if (!cell.as_before.empty()) {
    return fmt::format("measured when {} was the default", cell.as_before);
  }
  if (cell.status == Status::measured || cell.status == Status::extrapolated) return {};
  return cell.status == Status::not_run ? "" : to_string(cell.why);
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
    const std::optional<double> here = seconds_of(row.here.cell);
    Words best = "–";
    if (row.best) {
      best = time_of(row.best->cell, notes.mark_of(note_on(row.best->cell))) +
             (", " + row.best->program);
    }
    rows.push_back(
        {{fmt::format("{}, {}", row.title, row.size),
          fmt::format("{}, {}, {}", format_duration(row.published), row.here.program, row.hardware),
          time_of(row.here.cell, notes.mark_of(note_on(row.here.cell))),
          faster(row.published, here), std::move(best),
          faster(here, best_of(row)) +
              (here && row.has_best() ? notes.mark_of(row.drift) : Words()),
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
    const std::optional<double> here = seconds_of(its.here.cell);
    const auto ratio = [](const std::optional<double>& before, const std::optional<double>& after) {
      return before && after ? ordered_json(*before / *after) : ordered_json();
    };
    return {
        {"model", its.model},
        {"title", its.title},
        {"size", its.size},
        {"table", its.table},
        {"published",
         {{"program", its.here.program}, {"hardware", its.hardware}, {"seconds", its.published}}},
        {"here", time(its.here)},
        {"faster", ratio(its.published, here)},
        {"best", its.best ? time(*its.best) : ordered_json()},
        {"faster_again", ratio(here, best_of(its))},
        {"drift", or_null(its.drift)},
        {"error_percent", its.error ? to_json(*its.error) : ordered_json()}};
  };
  return {{"schema", 1},
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
            {"published_s", its.published},
            {"here_s", or_null(seconds_of(its.here.cell))},
            {"here_status", to_string(its.here.cell.status)},
            {"best_program", its.best ? ordered_json(its.best->program) : ordered_json()},
            {"best_s", or_null(best_of(its))},
            {"best_status",
             its.best ? ordered_json(to_string(its.best->cell.status)) : ordered_json()}};
  };
  return to_csv({"model", "size", "published_program", "published_hardware", "published_s",
                 "here_s", "here_status", "best_program", "best_s", "best_status"},
                each(front.rows, row));
}

}  // namespace macrobench
