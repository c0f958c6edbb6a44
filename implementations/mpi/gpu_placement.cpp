#include "implementations/mpi/gpu_placement.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <stdexcept>

namespace macrobench::mpi {

namespace {

std::string many(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// The sentence about a host.
std::string too_few(const std::vector<SeenGpus>& ranks, const std::string& host) {
  std::set<std::string> seen;
  for (const SeenGpus& rank : ranks) {
    if (rank.host == host) seen.insert(rank.uuids.begin(), rank.uuids.end());
  }
  const auto here = static_cast<std::size_t>(std::ranges::count(ranks, host, &SeenGpus::host));
  return "the " + many(here, "rank") + " on " + host + (here == 1 ? " sees " : " see ") +
         many(seen.size(), "GPU") +
         ", and each must have its own: start fewer ranks there, or let them see more GPUs";
}

}  // namespace

std::vector<int> gpus_of_ranks(const std::vector<SeenGpus>& ranks) {
  std::map<std::string, std::set<std::string>> taken;  // by host
  std::vector<int> chosen;
  for (const SeenGpus& rank : ranks) {
    std::set<std::string>& there = taken[rank.host];
    const auto free = std::ranges::find_if(
        rank.uuids, [&](const std::string& uuid) { return !there.contains(uuid); });
    if (free == rank.uuids.end()) throw std::runtime_error(too_few(ranks, rank.host));
    there.insert(*free);
    chosen.push_back(static_cast<int>(free - rank.uuids.begin()));
  }
  return chosen;
}

}  // namespace macrobench::mpi
