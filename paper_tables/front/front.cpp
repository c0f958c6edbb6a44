#include "paper_tables/front/front.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "harness/numbers/folder_times.hpp"
#include "harness/records/record_facts.hpp"
#include "harness/text/format.hpp"
#include "harness/text/known_value.hpp"
#include "harness/text/strings.hpp"
#include "paper_tables/cells/find.hpp"
#include "paper_tables/cells/machine_cells.hpp"
#include "paper_tables/cells/place.hpp"
#include "paper_tables/cells/printed_number.hpp"
#include "paper_tables/cells/problem_times.hpp"
#include "paper_tables/cells/quantity.hpp"
#include "paper_tables/cells/table.hpp"
#include "paper_tables/fidelity/fidelity.hpp"

namespace macrobench {

namespace {

FrontProgram read_program(const Place& place, const Definition& table, Definitions& all) {
  const RowReference reference = read_reference(place);
  const FrontProgram program{find_row(place, reference, {.table = &table}, all), reference.called};
  if (program.place.table != &table) place.fail("it must be a row of the problem's table");
  return program;
}

bool is_printed_in(const FrontProgram& program, std::size_t column) {
  return printed_number(program.place.row->published[column].value_or("")).has_value();
}

/// The columns named, or all with a published time, from the last to the first.
std::vector<std::size_t> read_columns(const Place& place, const Definition& table,
                                      const FrontProgram& published) {
  std::vector<std::size_t> columns;
  if (place.has("columns")) {
    for (const Place& column : place.at("columns").items()) {
      columns.push_back(find_column(column, table));
      if (!is_printed_in(published, columns.back())) column.fail("it has no published time");
    }
    return columns;
  }
  for (std::size_t i = table.columns.size(); i-- > 0;) {
    if (is_printed_in(published, i)) columns.push_back(i);
  }
  return columns;
}

FrontProblem read_problem(const Place& place, const std::string& model, Definitions& all) {
  place.allow({"table", "columns", "size", "published", "also", "mended", "beside", "best", "error",
               "stand_ins"});
  const Definition& table = find_table(place.at("table"), all);
  if (table.model != model) place.at("table").fail("it is a table of " + table.model);
  const auto program = [&](const Place& its) { return read_program(its, table, all); };
  FrontProblem problem{.size = place.at("size").text(),
                       .published = program(place.at("published")),
                       .best = place.at("best").list_of(program)};
  if (place.has("also")) problem.also = place.at("also").list_of(program);
  if (place.has("mended")) problem.mended = program(place.at("mended"));
  if (place.has("beside")) problem.beside = place.at("beside").list_of(program);
  if (place.has("error")) problem.error = program(place.at("error"));
  if (place.has("stand_ins")) problem.stand_ins = place.at("stand_ins").list_of(program);
  problem.columns = read_columns(place, table, problem.published);
  if (problem.columns.empty()) place.at("published").fail("it has no published time");
  return problem;
}

/// True of a wrong result and of a time that is not believed too.
bool was_run(const Cell& cell) {
  return is_of_a_run(cell) || cell.status != Status::not_run;
}

/// What is known on the machine of how near our version of the row's program is to the original.
std::string fidelity_of(const RowPlace& place, const MachineFidelity& here) {
  const std::string id = place.table->model + "/" + place.row->implementation;
  const JudgedOriginal* its = nullptr;
  for (const JudgedOriginal& one : here.originals) {
    if (one.original.counterpart_id() != id) continue;
    if (its == nullptr || one.paper == place.table->paper) its = &one;
  }
  return its == nullptr ? "no original" : to_string(its->verdict);
}

/// None if none of them was run; one that was, if none has a time.
std::optional<ProgramTime> fastest_of(
    const std::vector<FrontProgram>& programs,
    const std::function<const Cell&(const FrontProgram& program)>& cell_of) {
  std::optional<ProgramTime> fastest;
  for (const FrontProgram& program : programs) {
    const Cell& cell = cell_of(program);
    if (!was_run(cell) || cell.is_relaxed) continue;
    if (!fastest || is_faster(cell, fastest->cell)) fastest = {program.called, cell};
  }
  return fastest;
}

FrontRow row_at(const FrontProblem& problem, std::size_t column, MadeRows& rows,
                const ProblemTimes& times, const MachineFidelity& fidelity) {
  const auto cell_of = [&](const FrontProgram& program) -> const Cell& {
    return rows(program.place).cells[column];
  };
  const Definition& table = *problem.published.place.table;
  const RowDefinition& printed = *problem.published.place.row;
  const FrontProgram& ours = problem.mended ? *problem.mended : problem.published;
  Cell like = cell_of(problem.published);
  like.scope = scope_of(printed.quantity);
  like.stage = name_of_stages(printed.stages);
  FrontRow row{.size = problem.size,
               .table = table.id(),
               .hardware = published_on(table, printed, table.columns[column]),
               .published = printed_cell(printed, column, like),
               .here = {problem.published.called, cell_of(ours)},
               .fidelity = fidelity_of(ours.place, fidelity)};
  if (const std::size_t at = row.size.find("{}"); at != std::string::npos) {
    row.size.replace(at, 2, table.columns[column].label);
  }
  for (const FrontProgram& program : problem.also) {
    if (!is_printed_in(program, column)) continue;
    row.also.push_back({program.called, printed_cell(*program.place.row, column, like)});
  }
  row.best = fastest_of(problem.best, cell_of);
  row.beside = fastest_of(problem.beside, cell_of);
  const std::optional<Cell> named = row.best ? std::optional(row.best->cell) : std::nullopt;
  const auto faster = times.fastest(*ours.place.table, *ours.place.row, column, named);
  const bool is_named = !faster;
  if (faster) row.best = faster;
  if (problem.error && row.has_best() && is_named) {
    row.error = cell_of(*problem.error);
    row.error_of = problem.error->called;
  }
  if (is_of_a_run(row.here.cell)) {
    row.faster = Ratio(row.published, row.here.cell, of_machines());
    if (row.has_best()) row.faster_again = Ratio(row.here.cell, row.best->cell, of_programs());
  }
  if (row.has_best()) {
    Aspects about = of_machines();
    about.merge(of_programs());
    row.faster_in_all = Ratio(row.published, row.best->cell, about);
  }
  return row;
}

/// "H100" for "NVIDIA H100 80GB HBM3": without its maker, and what is said of its memory.
std::string short_name(const std::string& gpu) {
  std::string name;
  for (const std::string_view word : split(gpu, ' ')) {
    if (word == "NVIDIA") continue;
    if (word.ends_with("GB")) break;
    name += (name.empty() ? "" : " ") + std::string(word);
  }
  return name.empty() ? gpu : name;
}

}  // namespace

std::string FrontRow::share_of() const {
  const Model* its = Registry::global().find_model(model);
  return its == nullptr ? "" : share_of_errors(*its);
}

bool FrontRow::has_best() const {
  return best && is_of_a_run(best->cell);
}

std::vector<FrontModel> read_front(Definitions& all, const std::vector<const Definition*>& wanted) {
  std::vector<FrontModel> front;
  for_each_in(all.folder() / "front.json", "rows", [&](const Place& place) {
    place.allow({"model", "title", "problems"});
    FrontModel row{.model = place.at("model").text(), .title = place.at("title").text()};
    for (const Place& problem : place.at("problems").items()) {
      read_or_leave_out(all.leave_out(), "a row of front.json", [&] {
        FrontProblem read = read_problem(problem, row.model, all);
        if (std::ranges::count(wanted, read.published.place.table) == 0) return;
        row.problems.push_back(std::move(read));
      });
    }
    if (!row.problems.empty()) front.push_back(std::move(row));
  });
  return front;
}

CellSet cells_of(const std::vector<FrontModel>& front) {
  CellSet cells;
  for (const FrontModel& model : front) {
    for (const FrontProblem& problem : model.problems) {
      std::vector<FrontProgram> first = problem.stand_ins;
      if (first.empty()) {
        first = problem.best;
        first.push_back(problem.published);
        if (problem.mended) first.push_back(*problem.mended);
      }
      for (const FrontProgram& program : first) {
        for (const std::size_t column : problem.columns) cells.emplace(program.place.row, column);
      }
    }
  }
  return cells;
}

Front make_front(const std::vector<FrontModel>& models, Definitions& all, const Lookup& lookup,
                 const Results& results, const Machine& machine) {
  const std::string gpu = gpu_name(machine);
  Front front{.machine = gpu.empty() ? describe_processor(machine) : short_name(gpu),
              .machine_text = describe(machine),
              .rows = {}};
  MadeRows rows(all, lookup, machine);
  const ProblemTimes times(results);
  const std::vector<PaperOriginals> papers = read_originals(all.folder(), all.leave_out());
  const std::string kind = machine.block.contains("cpu") ? machine.slug() : "";
  const Fidelity fidelity = fidelity_on(papers, measured_originals(papers, &results), kind, "");
  for (const FrontModel& model : models) {
    std::optional<FrontRow> shown;
    int most = -1;
    for (const FrontProblem& problem : model.problems) {
      for (const std::size_t column : problem.columns) {
        FrontRow row = row_at(problem, column, rows, times, fidelity.machines.front());
        const Cell& here = row.here.cell;
        const int of_program = is_its_own(here) ? 8 : is_of_a_run(here) ? 4 : was_run(here) ? 1 : 0;
        const int known = of_program + (row.has_best() ? 2 : 0);
        if (known <= most) continue;
        most = known;
        shown = std::move(row);
      }
    }
    if (!shown) continue;
    shown->model = model.model;
    shown->title = model.title;
    front.rows.push_back(std::move(*shown));
  }
  return front;
}

}  // namespace macrobench
