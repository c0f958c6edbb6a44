#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/numbers/folder_times.hpp"
#include "harness/records/record.hpp"
#include "harness/tables/sheet.hpp"

namespace macrobench {

/// A solution to some tolerance.
struct PrecisionPoint {
  double tolerance = 0;  ///< asked for
  double residual = 0;   ///< that the certificate found, in the model's unit
  Cell time = {};        ///< warm, or cold without warm ones
  std::int64_t iterations = 0;
  bool is_valid = true;  ///< false: the residual is larger than this tolerance allows
};

/// What precision costs: one implementation and one problem, to several tolerances.
struct WorkPrecision {
  std::string model;
  std::string problem;                 ///< "nk=1024 nz=4 real=double"
  std::string implementation;          ///< "jax maximizer=bisection", "frontier threads=4"
  std::string unit;                    ///< of the residual
  std::vector<PrecisionPoint> points;  ///< from the loosest tolerance to the tightest
};

/// Of the records that count by case, as pooled_records() has them: those that were solved to three
/// tolerances or more, by model, problem and implementation. Records of wrong results count if
/// their certificate gives a residual: they show where precision ends.
std::vector<WorkPrecision> work_precision_of(const std::vector<const Record*>& cases,
                                             const FolderTimes& times);

/// "work_precision": a row for each point.
Sheet sheet_of(const std::vector<WorkPrecision>& all);

}  // namespace macrobench
