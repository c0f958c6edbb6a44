#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace macrobench {

/// The machine block: what must be known about an environment before two of its times may be
/// compared. A machine has many: its identity stays while its commits, compilers and drivers
/// change.
struct Machine {
  nlohmann::ordered_json block;
  /// How many machines the records are of that a view shows as this one's.
  std::size_t machines = 1;
  std::size_t records = 0;  ///< how many these are ...
  std::size_t unnamed = 0;  ///< ... and of them, those whose block does not say which machine it is
  /// The compilers of these records besides the block's.
  std::set<std::string> other_compilers = {};
  /// The checks that these records fail, which every view names: "records (3)".
  std::string faults = {};

  /// What the block has at this JSON pointer; null if there is nothing.
  [[nodiscard]] nlohmann::ordered_json at(const char* pointer) const;
  [[nodiscard]] std::string text_at(const char* pointer) const;  ///< empty if there is no text
  [[nodiscard]] std::optional<double> number_at(const char* pointer) const;

  /// SHA-256 of the block without what changes from one hour to the next (load, free memory, time).
  [[nodiscard]] std::string id() const;
  /// SHA-256 of what kind of hardware it is, with compiler and flags. Two machines may share it.
  [[nodiscard]] std::string comparable_id() const;
  /// Whether the block says which machine it is of. Those of version 0.1.0 do not.
  [[nodiscard]] bool is_identified() const;
  /// SHA-256 of the machine itself: its processor, cores, memory (whole GiB), GPUs (by their UUIDs)
  /// and installation (installation.hpp). Without these two if the block does not say: equal
  /// machines then share it.
  [[nodiscard]] std::string identity() const;
  /// Whether both are of one machine: of one identity or, if one of the blocks does not say which
  /// machine it is of, of equal hardware.
  [[nodiscard]] bool is_same_as(const Machine& other) const;
  /// Whether a record of the other may be used as one of this: the same machine, compiler and
  /// flags.
  [[nodiscard]] bool is_comparable_with(const Machine& other) const;
  /// Readable name of CPU, cores and GPU, which equal machines share: "amd_epyc_2_cores",
  /// "intel_xeon_16_cores_nvidia_h100".
  [[nodiscard]] std::string slug() const;
  /// The name of the machine's own folder of results, which no other has: the slug and six digits
  /// of the identity, "amd_epyc_2_cores_3f9a2c".
  [[nodiscard]] std::string own_name() const;
  [[nodiscard]] int cores() const;  ///< that this process may run on
  [[nodiscard]] bool has_gpu() const;
  /// Where OpenMP threads were held, as OMP_PROC_BIND says it: "close" or "spread", in blocks of
  /// older versions; empty in others. It makes another machine to every comparison.
  [[nodiscard]] std::string place() const;
  /// True if other jobs may have used it meanwhile, in blocks of the same versions: another machine
  /// as well.
  [[nodiscard]] bool is_shared() const;
};

/// The block of a line of machines.jsonl, which may have been changed in any way, checked for what
/// the functions above need. Throws std::invalid_argument that names the JSON pointer in the line.
Machine machine_from_json(nlohmann::ordered_json block);

/// How many machines the blocks are of, at the least; see Machine::is_same_as().
std::size_t count_machines(const std::map<std::string, Machine>& blocks);

/// Examines this machine. Never throws for something that it cannot find out: that is null.
Machine this_machine();

/// The number of NUMA nodes and of threads that share a core, from the kernel's folder; null if it
/// does not say.
nlohmann::ordered_json cpu_topology(const std::filesystem::path& system = "/sys/devices/system");

/// The first core's caches, from the same folder: level, type, bytes, and how many cores share it.
nlohmann::ordered_json cpu_caches(const std::filesystem::path& system = "/sys/devices/system");

/// Cores that this process may run on; a quota on their time does not change them.
int available_cores();

/// The same cores as the kernel writes lists of them: "0-3,8"; empty if it does not say.
std::string affinity();

/// The processor's name in the text of /proc/cpuinfo, on x86 and on ARM; empty if it is not there.
std::string cpu_model(std::string_view cpuinfo);

/// The device as nvidia-smi answers, one line of CSV without units, with or without the compute
/// capability after the other fields; null if it says nothing.
nlohmann::ordered_json gpu_from_csv(std::string_view csv);

/// CUDA code puts a function here that returns what only the CUDA runtime knows about the device
/// (null if there is none). It is called at most once, when the block is made.
using DeviceProbe = std::function<nlohmann::ordered_json()>;
bool set_device_probe(DeviceProbe probe);

/// The GPUs in lines of "UUID, name": their names, and ids that cannot be turned back into the
/// UUIDs, in the order of these. Empty if the text is something else.
nlohmann::ordered_json gpus_from_csv(std::string_view csv);

/// The PCI bus id of the device that CUDA calls 0 in this process; empty without CUDA code or a
/// device. It is no part of the block: the same machine may have another one tomorrow.
std::string device_bus_id();
/// CUDA code puts the function here that says it.
bool set_device_bus_id(std::string (*bus_id)());

}  // namespace macrobench
