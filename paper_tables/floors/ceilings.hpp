#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/model/floor.hpp"
#include "harness/records/record_store.hpp"

namespace macrobench {

/// What a processor of a machine does at its best, by its records of the model `roofline`.
struct ProcessorCeilings {
  bool is_gpu = false;
  int threads = 1;  ///< of a CPU
  std::optional<double> bytes_a_second = {};
  std::optional<double> double_operations_a_second = {};
  std::optional<double> single_operations_a_second = {};
  /// That each of several GPUs gets from the others, all at the same time.
  std::optional<double> exchanged_bytes_a_second = {};
};

/// A case's time and its floor: what the processor needs for the bytes or the operations of the
/// case, whichever takes longer.
struct FloorShare {
  std::string key;
  std::string implementation;  ///< "rbc/cuda_c"
  std::string size;            ///< along its model's axis: "nk=65536"
  bool is_gpu = false;
  Floor floor;
  double seconds = 0;        ///< the median of the stages to which the floor applies
  double floor_seconds = 0;  ///< > 0
  bool is_memory_bound = false;

  /// The floor as a share of the time; above 1 if a cache holds what the floor
  /// takes from memory.
  [[nodiscard]] double share() const { return floor_seconds / seconds; }
};

/// The ceilings in the records, the GPU's first, then the CPU's by threads; none if `macrobench
/// sweep roofline` never ran.
std::vector<ProcessorCeilings> ceilings_of(const Results& results);

/// A record's share of its floor: none if it is not measured, the model declares no floor, or
/// the processor's ceilings are not known.
std::optional<FloorShare> share_of(const Record& record,
                                   const std::vector<ProcessorCeilings>& ceilings);

/// The record's size along its model's axis, "nk=65536"; empty if it has none.
std::string size_of(const Record& record);

/// "3.02 TB/s".
std::string rate(double amount, const char* unit);
/// "GPU", "CPU, 16 threads".
std::string name_of(const ProcessorCeilings& processor);
/// Each rate in words, as "3.02 TB/s"; "-" if it is not known, empty if most machines lack it.
std::vector<std::string> rates_in(const ProcessorCeilings& processor);
/// "3.02 TB/s copied, 33.5 TFLOP/s in double, 66.1 TFLOP/s in single".
std::string rates_of(const ProcessorCeilings& processor);
nlohmann::ordered_json to_json(const std::vector<ProcessorCeilings>& ceilings);

}  // namespace macrobench
