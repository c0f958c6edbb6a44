#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/records/record_store.hpp"
#include "harness/records/statistics.hpp"
#include "paper_tables/definitions/definition.hpp"
#include "paper_tables/definitions/lookup.hpp"
#include "paper_tables/roofline/roofline.hpp"

namespace macrobench {

/// A machine whose times are compared: the one of a folder of results, or one in print. A printed
/// one has what its papers' tables print, a number a cell.
struct ComparedSide {
  std::string name = {};       ///< "published/c2075", "intel_xeon_16_cores_nvidia_h100"
  std::string text = {};       ///< the same for a reader
  std::string published = {};  ///< the hardware's id in the definitions; empty for results
  Results results = {};
  std::optional<double> price_usd = {};  ///< of its GPU
  std::optional<double> watts = {};      ///< likewise, what it may draw
  std::string prices_from = {};          ///< where these two are from
  std::vector<ProcessorCeilings> ceilings = {};
};

/// How cases may differ that are compared all the same.
struct Terms {
  /// In place of the rows' own implementations on all sides but the first. Empty: the rows' own.
  std::string against;
  /// Compare what is unequal, and say in what.
  bool force = false;
};

/// One parameter in which a case is not the one asked for, its algorithm, or where its time is
/// from.
struct Difference {
  std::string field;
  std::string here, there;  ///< as asked for, and as it is
};

/// One side's time of a cell.
struct ComparedTime {
  std::optional<double> seconds = {};
  bool is_printed = false;
  bool is_refused = false;  ///< there is one, of an unequal case, that is not taken
  /// How it came about, or why there is none; none where no record and no print knows of it.
  std::optional<Status> status = {};
  std::vector<double> samples = {};          ///< a single number where it is printed
  std::optional<double> residual = {};       ///< of its outcome, be it wrong
  std::optional<double> allowed = {};        ///< what that may be
  std::optional<double> floor_share = {};    ///< of the time, the machine's own floor
  std::string why_not = {};                  ///< where there is no time
  std::optional<bool> is_gpu = {};           ///< whether one does what the row times
  std::vector<Difference> differences = {};  ///< to what the cell asks for, where forced or refused
  std::optional<double> ratio = {};          ///< the first side's seconds over this one's
  std::optional<ConfidenceInterval> interval = {};  ///< of the ratio
};

/// A cell of a table, on every side in their order.
struct ComparedCell {
  std::string group, row, column;
  std::string implementation;
  bool is_gpu = false;  ///< whether one does what the row times, and not all of its solution
  std::vector<ComparedTime> readings;
};

/// The cells of some rows together, on one side: geometric means of ratios to the first side.
struct MeanRatio {
  std::size_t side = 1;
  bool is_gpu = false;
  int cells = 0;
  int unequal = 0;  ///< cells that were refused
  int invalid = 0;  ///< cells that came out wrong on this side or the first
  double ratio = 1, lowest = 1, highest = 1;  ///< of nothing where there are no cells
  std::optional<double> per_dollar = {};      ///< the same a dollar of the GPUs
  std::optional<double> per_watt = {};        ///< and a watt
};

struct ComparedTable {
  std::string id, title;
  std::vector<ComparedCell> cells;  ///< run on the first side, and known of on another
  std::vector<MeanRatio> means;
};

struct Comparison {
  std::vector<ComparedSide> sides;
  std::vector<ComparedTable> tables;  ///< those with a cell in a mean, refused or invalid
};

/// The ids of machines that some table prints times of, sorted: what may follow "published/".
std::vector<std::string> published_machines(Definitions& all);

/// "published/c2075", or a machine's folder of results: its path, or a part of its name that only
/// it has among those in the folder before. Throws UsageError, with what there is.
ComparedSide side_of(const std::string& name, Definitions& all);

/// Compares every cell that is a time in seconds. A cell that a side has not, but has of the same
/// size with other parameters (or with the implementation that the terms name), is refused with
/// what differs, unless forced; and so is a time in print that its paper extrapolated. Throws
/// UsageError where no table's model has the implementation that the terms name.
Comparison compare(std::vector<ComparedSide> sides, const std::vector<const Definition*>& tables,
                   const Terms& terms);

}  // namespace macrobench
