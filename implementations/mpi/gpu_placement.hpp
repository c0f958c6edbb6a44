#pragma once

#include <string>
#include <vector>

namespace macrobench::mpi {

/// What a rank sees, before it takes a GPU.
struct SeenGpus {
  std::string host;
  std::vector<std::string> uuids;  ///< in the order in which its process numbers them
};

/// The number of the GPU that each rank takes, of those it sees: the first that no lower rank of
/// its host has. So it is right both where all ranks of a host see all GPUs, and where the launcher
/// gives each its own. Throws std::runtime_error if a rank finds none: no two share one.
std::vector<int> gpus_of_ranks(const std::vector<SeenGpus>& ranks);

}  // namespace macrobench::mpi
