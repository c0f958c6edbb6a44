#include "paper_tables/times/published_time.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "harness/command_line/run_remarks.hpp"
#include "harness/numbers/folder_times.hpp"
#include "harness/numbers/gate.hpp"
#include "harness/numbers/ratio.hpp"
#include "harness/text/error.hpp"
#include "harness/text/format.hpp"
#include "harness/text/known_value.hpp"
#include "paper_tables/cells/lookup.hpp"
#include "paper_tables/cells/plan.hpp"
#include "paper_tables/cells/printed_number.hpp"
#include "paper_tables/cells/problem_times.hpp"
#include "paper_tables/cells/quantity.hpp"
#include "paper_tables/cells/table_options.hpp"

namespace macrobench {

namespace {

/// A published time and the record's, of one problem.
struct TwoTimes {
  const Definition* table;
  const RowDefinition* row;
  std::size_t column = 0;
  Cell published = {};
  Cell here = {};
  Ratio faster = {};
};

/// True if a paper measured the whole of a run in this row.
bool is_whole_run(const RowDefinition& row) {
  using enum Quantity;
  const bool is_whole =
      row.quantity == solution || row.quantity == first_solution || row.quantity == total;
  return is_whole && !row.per_iteration && !row.published_by_extrapolation;
}

class RecordBesidePapers {
 public:
  explicit RecordBesidePapers(const Results& one)
      : record_(one.records.front()),
        times_(std::make_shared<const FolderTimes>(one)),
        lookup_(lookup_in(one, times_)) {}

  /// Without a ratio if they may not meet.
  [[nodiscard]] TwoTimes times_of(const Definition& table, const RowDefinition& row,
                                  std::size_t column) const {
    const CellRequest request = request_of(table, row, table.columns[column]);
    TwoTimes both{.table = &table, .row = &row, .column = column};
    const Finding finding = is_its_own() ? lookup_(request) : finding_of(record_, times_);
    if (finding.record == nullptr || !finding.as_before.empty()) return both;
    both.here = time_of(finding, row);
    Cell like = both.here;
    if (!is_its_own()) {
      like.problem = {.model = request.model,
                      .implementation = request.implementation,
                      .parameters = complete(Registry::global().model(request.model).axes,
                                             request.parameters, 1)};
    }
    both.published = printed_cell(row, column, like);
    both.faster = Ratio(both.published, both.here, about());
    return both;
  }

  [[nodiscard]] std::optional<TwoTimes> shortest(Tables& all) const {
    std::optional<TwoTimes> found;
    for (const std::string& id : all.ids()) {
      const Definition& table = all.get(id);
      if (table.model != record_.model) continue;
      for (const RowDefinition& row : rows_of(table)) {
        if (row.extra || !is_whole_run(row)) continue;
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
          if (!row.published[i] || !row.left_out[i].empty()) continue;
          TwoTimes both = times_of(table, row, i);
          if (both.faster.is_refused()) continue;
          if (found && !(*both.published.value < *found->published.value)) continue;
          found = std::move(both);
        }
      }
    }
    return found;
  }

  /// The differences that their ratio is meant to show.
  [[nodiscard]] Aspects about() const {
    Aspects aspects = of_machines();
    if (!is_its_own()) aspects.merge(of_programs());
    return aspects;
  }

 private:
  [[nodiscard]] bool is_its_own() const { return record_.origin == "published"; }

  const Record& record_;
  std::shared_ptr<const FolderTimes> times_;
  Lookup lookup_;
};

/// "82.3 times as fast", "takes 7.9 times as long", and what a reader must know of the two.
std::string words_of(const TwoTimes& both, const Aspects& about) {
  const bool is_faster = *both.faster.cell().value >= 1;
  const Ratio shown = is_faster ? both.faster : Ratio(both.here, both.published, about);
  const Cell& cell = shown.cell();
  std::string words = text_of(cell) + (is_faster ? " times as fast" : " times as long");
  for (const Mark& mark : cell.marks) words += "; " + mark.note;
  return words;
}

/// "; best here 820 µs (frontier_cuda, GPU)": the fastest of the problem's records, if it is
/// faster.
std::string best_of(const Results& here, const TwoTimes& both) {
  const auto best = ProblemTimes(here).fastest(*both.table, *both.row, both.column, both.here);
  return best ? fmt::format("; best here {} ({})", duration_of(best->cell), best->program) : "";
}

/// Of this machine; none if it has none.
Results results_here() {
  try {
    return read_results(folder_of_this_machine());
  } catch (const ReadableError&) {
    return {};
  }
}

std::string remark(const Results& one) {
  Definitions all(definitions_in_use(), [](const std::string&, const std::string&) {});
  return published_beside(one, all, results_here());
}

const RegisterRunRemark registered{remark};

}  // namespace

std::string published_beside(const Results& one, Tables& all, const Results& here) {
  if (one.records.front().status != Status::measured) return "";
  const RecordBesidePapers beside(one);
  const std::optional<TwoTimes> both = beside.shortest(all);
  if (!both) return "";
  return fmt::format(
      "published {} ({} on {}, {}), here {}: {}{}", duration_of(both->published), both->row->label,
      published_on(*both->table, *both->row, both->table->columns[both->column]), both->table->id(),
      duration_of(both->here), words_of(*both, beside.about()), best_of(here, *both));
}

}  // namespace macrobench
