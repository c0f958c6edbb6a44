#pragma once

// NVIDIA's NCCL, which carries between GPUs that cannot reach each other's memory. It is loaded
// when it is first needed: no build needs it, and a machine without it misses nothing else.

#include <cstddef>
#include <string>
#include <vector>

struct CUstream_st;

namespace macrobench::numerics {

/// The library.
class Nccl {
 public:
  /// The one that MACROBENCH_NCCL names, or else that of the system or of the CUDA toolkit.
  static const Nccl& installed();

  explicit Nccl(const std::vector<std::string>& libraries);

  /// Empty if it can be used, else the reason, in one clause.
  [[nodiscard]] const std::string& why_not() const { return why_not_; }
  /// "NCCL 2.28.3"; empty if it cannot be used.
  [[nodiscard]] const std::string& version() const { return version_; }

 private:
  friend class NcclCommunicator;

  /// Throws std::runtime_error with NCCL's own words unless the code is that of success.
  void check(int code, const char* function) const;

  std::string why_not_, version_;
  // As nccl.h has them since version 2.
  int (*get_version_)(int* version) = nullptr;
  const char* (*error_words_)(int code) = nullptr;
  int (*init_all_)(void** communicators, int count, const int* devices) = nullptr;
  int (*group_start_)() = nullptr;
  int (*group_end_)() = nullptr;
  int (*broadcast_)(const void* from, void* to, std::size_t count, int type, int root,
                    void* communicator, CUstream_st* stream) = nullptr;
};

/// A GPU's connection to the others of its team.
class NcclCommunicator {
 public:
  /// Of the first `gpus` GPUs that this process sees, which it drives itself. Throws
  /// std::runtime_error.
  static std::vector<NcclCommunicator> of_this_process(int gpus);

  /// All get the others' columns of a matrix in device memory: owner o has the bytes from begins[o]
  /// to begins[o + 1] of each row of `pitch` bytes. Queued in the stream.
  void all_gather(void* matrix, std::size_t rows, std::size_t pitch,
                  const std::vector<std::size_t>& begins, CUstream_st* stream) const;

 private:
  NcclCommunicator() = default;

  // Ends with the process, whose end CUDA's own precedes: then nothing of NCCL may be called.
  void* communicator_ = nullptr;
};

}  // namespace macrobench::numerics
