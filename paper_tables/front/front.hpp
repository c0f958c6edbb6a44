#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/machine/machine.hpp"
#include "harness/numbers/cell.hpp"
#include "harness/numbers/ratio.hpp"
#include "harness/tables/sheet.hpp"
#include "harness/text/document.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/lookup.hpp"
#include "paper_tables/cells/plan.hpp"
#include "paper_tables/cells/problem_times.hpp"

namespace macrobench {

/// A row of a table, as the front names it.
struct FrontProgram {
  RowPlace place = {};
  std::string called = {};  ///< "CUDA C"
};

/// Columns of a table. In each a published program and a few of today solve one problem.
struct FrontProblem {
  std::vector<std::size_t> columns = {};  ///< the first comes first
  std::string size = {};                  ///< "{} points of capital"; {} is the column's label
  FrontProgram published = {};
  std::vector<FrontProgram> also = {};  ///< others that were printed of this problem
  /// Our version of the published program, where that solves a mended problem here.
  std::optional<FrontProgram> mended = {};
  std::vector<FrontProgram> beside = {};  ///< the same problem in other languages
  /// That a machine measures first. The best of what it has measured need not be one of them.
  std::vector<FrontProgram> best = {};
  /// How far the best program's answer is from the published program's, in %.
  std::optional<FrontProgram> error = {};
  /// Shorter runs that the times are computed from; a machine measures these first, if there are
  /// any, and the programs themselves only later.
  std::vector<FrontProgram> stand_ins = {};
};

/// One line of the front: a model, and its problems by preference.
struct FrontModel {
  std::string model;  ///< "rbc"
  std::string title;  ///< "Growth"
  std::vector<FrontProblem> problems = {};
};

/// Reads FOLDER/front.json (schema 1), and keeps problems of the tables that are wanted; empty if
/// there is no such file. Throws UsageError with the file and the JSON pointer.
std::vector<FrontModel> read_front(Definitions& all, const std::vector<const Definition*>& wanted);

/// The cells that a machine measures first, so that it has a front.
CellSet cells_of(const std::vector<FrontModel>& front);

/// One problem of a model: its published time, our version's time on a machine, and the best
/// program's there.
struct FrontRow {
  std::string model = {}, title = {};
  std::string size = {};      ///< "65,536 points of capital"
  std::string table = {};     ///< "aldrich_vfi_page/binary_search"
  std::string hardware = {};  ///< that the published program ran on: "C2075"
  Cell published = {};
  std::vector<ProgramTime> also = {};  ///< published too
  ProgramTime here = {};               ///< our version of the published program
  /// How near it is to the authors' own on this machine: "undecided", "no original".
  std::string fidelity = {};
  /// The fastest of the named programs and of all right results of the problem at the published
  /// program's precision and as exact; if there is none, one that was run; or none.
  std::optional<ProgramTime> best = {};
  std::optional<ProgramTime> beside = {};  ///< the fastest of the programs in other languages
  std::optional<Cell> error = {};          ///< in %
  std::string error_of = {};               ///< what is that far off: "K"
  Ratio faster = {};                       ///< the published program here than when published
  Ratio faster_again = {};                 ///< the best program than it
  Ratio faster_in_all = {};                ///< the best program here than the published one was

  [[nodiscard]] bool has_best() const;
  /// "consumption": what the model's errors are shares of; empty if it has none.
  [[nodiscard]] std::string share_of() const;
};

/// The first thing that a machine shows: a row for each model.
struct Front {
  std::string machine;       ///< its GPU, or its processor: "H100"
  std::string machine_text;  ///< all of it
  std::vector<FrontRow> rows;
};

/// Chooses for each model the first problem with both times. Else one with the published program's
/// time, else one with the best program's, else the first. A measured time comes before a computed
/// one, and a time that is not believed before none. An extrapolated time counts as none.
Front make_front(const std::vector<FrontModel>& models, Definitions& all, const Lookup& lookup,
                 const Results& results, const Machine& machine);

/// A row for each model; notes below say how a number is computed, or why there is none.
Sheet sheet_of(const Front& front);
Document document_of(const Front& front);
/// "front" and "machine".
std::vector<Sheet> sheets_of(const Front& front);

/// From published to best, a row for each model, as a file of SVG in landscape; empty if no row has
/// its two ends.
std::string picture_of(const Front& front);

}  // namespace macrobench
