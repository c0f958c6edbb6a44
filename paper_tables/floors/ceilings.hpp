#pragma once

#include <optional>
#include <vector>

#include "harness/model/floor.hpp"
#include "harness/numbers/folder_times.hpp"
#include "harness/numbers/ratio.hpp"
#include "harness/records/record_store.hpp"

namespace macrobench {

/// What a processor of a machine does at its best, by its records of the model `roofline`.
struct ProcessorCeilings {
  bool is_gpu = false;
  int threads = 1;  ///< of a CPU
  std::optional<double> bytes_a_second = {};
  std::optional<double> double_operations_a_second = {};
  std::optional<double> single_operations_a_second = {};
};

/// A case's time and its floor: what the processor needs for the bytes or the operations of the
/// case, whichever takes longer.
struct FloorShare {
  bool is_gpu = false;
  Cell time = {};        ///< of the stages to which the floor applies
  Cell floor_time = {};  ///< computed; > 0
  bool is_memory_bound = false;
  /// The floor over the time; above 1 if a cache holds what the floor takes from memory.
  Ratio share = {};
};

/// The ceilings in the records, the GPU's first, then the CPU's by threads; none if `macrobench
/// sweep roofline` never ran.
std::vector<ProcessorCeilings> ceilings_of(const Results& results);

/// The share of its floor that a case has by its record: none if it is not measured, the model
/// declares no floor, or the processor's ceilings are not known.
std::optional<FloorShare> share_of(const Record& record, const FolderTimes& times,
                                   const std::vector<ProcessorCeilings>& ceilings);

}  // namespace macrobench
