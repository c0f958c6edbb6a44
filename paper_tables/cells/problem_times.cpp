#include "paper_tables/cells/problem_times.hpp"

#include <fmt/format.h>

#include <utility>

#include "harness/numbers/axis_role.hpp"
#include "harness/numbers/problem.hpp"
#include "harness/records/doubt.hpp"
#include "harness/records/record_facts.hpp"
#include "harness/text/format.hpp"
#include "paper_tables/cells/lookup.hpp"
#include "paper_tables/cells/plan.hpp"
#include "paper_tables/cells/quantity.hpp"

namespace macrobench {

namespace {

/// The economics, size and precision of what a record solves.
std::string problem_solved(const Record& record) {
  return problem_of(record, [](const Axis& axis, const Model& model) {
    const Role role = role_of(axis, model);
    return role != Role::problem && role != Role::size && role != Role::precision;
  });
}

/// True if the result is as exact as was asked for.
bool is_as_exact(const Record& record, const Parameters& asked) {
  if (met_relaxed_tolerance(record)) return false;
  const Model& model = Registry::global().model(record.model);
  for (const Axis& axis : model.axes) {
    if (role_of(axis, model) != Role::tolerance) continue;
    const auto its = number_of(record.parameters.find(axis.name));
    const auto wanted = number_of(asked.find(axis.name));
    if (its && wanted && *its > *wanted) return false;
  }
  return true;
}

}  // namespace

std::string name_of_program(const Record& record, bool on_gpu) {
  const int threads = threads_of(record.parameters);
  return fmt::format("{}, {}", record.implementation,
                     on_gpu         ? "GPU"
                     : threads == 1 ? "one core"
                                    : fmt::format("{} threads", threads));
}

bool is_of_a_run(const Cell& cell) {
  return cell.value && !is_doubted(cell.status) &&
         (cell.kind == Kind::measured || cell.kind == Kind::computed);
}

bool is_faster(const Cell& cell, const Cell& than) {
  return is_of_a_run(cell) && !(is_of_a_run(than) && *than.value <= *cell.value);
}

ProblemTimes::ProblemTimes(const Results& results)
    : records_(shown_records(results)), times_(std::make_shared<const FolderTimes>(results)) {}

std::optional<ProgramTime> ProblemTimes::fastest(const Definition& table, const RowDefinition& row,
                                                 std::size_t column,
                                                 const std::optional<Cell>& than) const {
  const CellRequest request = request_of(table, row, table.columns[column]);
  Record asked;
  asked.model = request.model;
  asked.parameters = complete(Registry::global().model(request.model).axes, request.parameters, 1);
  const std::string problem = problem_solved(asked);
  std::optional<ProgramTime> found;
  for (const Record* record : records_) {
    if (record->model != asked.model || problem_solved(*record) != problem ||
        !is_as_exact(*record, asked.parameters)) {
      continue;
    }
    Cell time = time_of(finding_of(*record, times_), row);
    if (!time.value) continue;
    time.value = to_nine_digits(*time.value);  // as the rows of tables have it
    const Cell* best = found ? &found->cell : than ? &*than : nullptr;
    if (best != nullptr && !is_faster(time, *best)) continue;
    found = {name_of_program(*record, time.on_gpu), time};
  }
  return found;
}

}  // namespace macrobench
