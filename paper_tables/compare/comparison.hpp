#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/numbers/cell.hpp"
#include "harness/numbers/ratio.hpp"
#include "harness/records/record_store.hpp"
#include "harness/tables/sheet.hpp"
#include "harness/text/document.hpp"
#include "paper_tables/cells/definitions.hpp"

namespace macrobench {

/// A machine whose times are compared: that of a folder of results, or a published one. A
/// published machine has the numbers that its papers' tables print, one per cell.
struct ComparedSide {
  std::string name = {};       ///< "published/c2075", "intel_xeon_16_cores_nvidia_h100"
  std::string text = {};       ///< the same for a reader
  std::string published = {};  ///< the hardware's id in the definitions; empty for results
  Results results = {};
};

/// One side's time of a cell.
struct ComparedTime {
  Cell time = {};                       ///< in seconds, or the reason why it is missing
  std::string why_refused = {};         ///< there is one that is not used: of another default,
                                        ///< or extrapolated by its paper
  std::optional<double> residual = {};  ///< of its outcome, even if wrong
  std::optional<double> allowed = {};   ///< the largest that is allowed
  std::optional<bool> is_gpu = {};      ///< whether a GPU does what the row times
  Ratio faster = {};                    ///< the first side's seconds over this one's

  /// None if they are not believed.
  [[nodiscard]] std::optional<double> seconds() const {
    return is_doubted(time.status) ? std::nullopt : time.value;
  }
  [[nodiscard]] bool was_run() const { return time.value || time.status != Status::not_run; }
};

/// A cell of a table, on every side in their order.
struct ComparedCell {
  std::string group, row, column;
  std::string implementation;
  Quantity quantity = Quantity::solution;
  bool is_gpu = false;  ///< whether a GPU does what the row times, and not all of its solution
  std::vector<ComparedTime> readings = {};
};

/// The cells of some rows that time one part of a run, on one side: geometric means of ratios to
/// the first side.
struct MeanRatio {
  std::size_t side = 1;
  Scope scope = Scope::solution;
  bool is_gpu = false;
  int cells = 0;
  int unequal = 0;  ///< cells that were refused
  int invalid = 0;  ///< cells that came out wrong on this side or the first
  int doubted = 0;  ///< cells with a time that is not believed
  Cell ratio = {};  ///< without a value if there are no cells
  std::optional<double> lowest = {}, highest = {};
};

struct ComparedTable {
  std::string id, title;
  std::vector<ComparedCell> cells = {};  ///< those that were run on the first side
  std::vector<MeanRatio> means = {};
};

struct Comparison {
  std::vector<ComparedSide> sides;
  /// Those with a cell in a mean, refused, invalid, or with a time that is not believed.
  std::vector<ComparedTable> tables = {};
};

/// The mean over the cells of the scope, of this side's ratios to the first: of what a GPU does, or
/// of the rest. None if nothing was run on both.
std::optional<MeanRatio> mean_of(const std::vector<ComparedCell>& cells, std::size_t side,
                                 Scope scope, bool is_gpu);

/// The parts of a run that rows time, and the word for the rows of each: "solutions".
const std::vector<std::pair<Scope, std::string>>& compared_scopes();

/// "GPU, solutions".
std::string words_of(const MeanRatio& mean);

/// True if the paper's own rows are times that programs here repeat: other tables have nothing to
/// compare.
bool prints_times_to_compare(const Definition& table);

/// The ids of machines that some table prints times of, sorted: the names that may follow
/// "published/".
std::vector<std::string> published_machines(Definitions& all);

/// "published/c2075", "here" for this machine, or a machine's folder of results: its path, or a
/// part of its name that no other folder beside it has. Throws UsageError, with the names that
/// there are.
ComparedSide side_of(const std::string& name, Definitions& all);

/// Compares every cell that is a time in seconds. A time of another default is refused, and so is a
/// published one that its paper extrapolated.
Comparison compare(std::vector<ComparedSide> sides, const std::vector<const Definition*>& tables);

/// "compared" (a row for each cell and side but the first), "means" and "sides".
std::vector<Sheet> sheets_of(const Comparison& comparison);
/// The summary has the sides and the means of each table; the body, if asked for, the cells.
Document document_of(const Comparison& comparison, bool has_cells);

}  // namespace macrobench
