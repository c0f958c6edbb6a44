#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "harness/records/record.hpp"
#include "harness/text/document.hpp"

namespace macrobench {

/// A solution to some tolerance.
struct PrecisionPoint {
  double tolerance = 0;  ///< asked for
  double residual = 0;   ///< that the certificate found, in the model's unit
  double seconds = 0;    ///< warm, or cold without warm ones
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

/// Of the newest records by key: those that were solved to three tolerances or more, by model,
/// problem and implementation. Records of wrong results count if their certificate gives a
/// residual: they show where precision ends.
std::vector<WorkPrecision> work_precision_of(const std::vector<const Record*>& newest);

/// Nothing if there is nothing to show.
std::vector<Block> blocks_of(const std::vector<WorkPrecision>& all);
nlohmann::ordered_json to_json(const std::vector<WorkPrecision>& all);

}  // namespace macrobench
