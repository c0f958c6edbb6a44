#include "implementations/numerics/parallel/nccl.hpp"

#include <cstdlib>
#include <numeric>
#include <stdexcept>

#include "implementations/numerics/parallel/loaded_library.hpp"

namespace macrobench::numerics {

namespace {

constexpr int bytes_type = 0;  // ncclChar

std::vector<std::string> names_of_library() {
  const char* given = std::getenv("MACROBENCH_NCCL");
  if (given != nullptr && *given != '\0') return {given};
  return {"libnccl.so.2", "/usr/local/cuda/lib64/libnccl.so.2", "/usr/local/cuda/lib/libnccl.so.2"};
}

}  // namespace

const Nccl& Nccl::installed() {
  static const Nccl library(names_of_library());
  return library;
}

Nccl::Nccl(const std::vector<std::string>& libraries) {
  ::setenv("NCCL_NVLS_ENABLE", "0", 1);  // NVLink multicast
  LoadedLibrary library(libraries);
  if (!library.is_there()) {
    why_not_ = "NCCL is not installed: there is no " + libraries.front();
    return;
  }
  library.find("ncclGetVersion", get_version_);
  library.find("ncclGetErrorString", error_words_);
  library.find("ncclCommInitAll", init_all_);
  library.find("ncclGroupStart", group_start_);
  library.find("ncclGroupEnd", group_end_);
  library.find("ncclBroadcast", broadcast_);
  int version = 0;
  if (!library.has_all() || get_version_(&version) != 0) {
    why_not_ = library.name() + " is not NCCL 2";
    return;
  }
  // Since 2.9 it is 10000 major + 100 minor + patch; before, 1000 major.
  const int major = version < 10'000 ? version / 1'000 : version / 10'000;
  const int rest = version < 10'000 ? version % 1'000 : version % 10'000;
  version_ = "NCCL " + std::to_string(major) + "." + std::to_string(rest / 100) + "." +
             std::to_string(rest % 100);
}

void Nccl::check(int code, const char* function) const {
  if (code == 0) return;
  throw std::runtime_error(version_ + " failed in " + function + ": " + error_words_(code));
}

std::vector<NcclCommunicator> NcclCommunicator::of_this_process(int gpus) {
  std::vector<void*> all(static_cast<std::size_t>(gpus));
  std::vector<int> devices(all.size());
  std::iota(devices.begin(), devices.end(), 0);
  const Nccl& nccl = Nccl::installed();
  nccl.check(nccl.init_all_(all.data(), gpus, devices.data()), "ncclCommInitAll");
  std::vector<NcclCommunicator> team;
  for (void* one : all) {
    NcclCommunicator communicator;
    communicator.communicator_ = one;
    team.push_back(communicator);
  }
  return team;
}

void NcclCommunicator::all_gather(void* matrix, std::size_t rows, std::size_t pitch,
                                  const std::vector<std::size_t>& begins,
                                  CUstream_st* stream) const {
  const Nccl& nccl = Nccl::installed();
  nccl.check(nccl.group_start_(), "ncclGroupStart");
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t owner = 0; owner + 1 < begins.size(); ++owner) {
      const std::size_t size = begins[owner + 1] - begins[owner];
      if (size == 0) continue;
      void* piece = static_cast<char*>(matrix) + row * pitch + begins[owner];
      nccl.check(nccl.broadcast_(piece, piece, size, bytes_type, static_cast<int>(owner),
                                 communicator_, stream),
                 "ncclBroadcast");
    }
  }
  nccl.check(nccl.group_end_(), "ncclGroupEnd");
}

}  // namespace macrobench::numerics
