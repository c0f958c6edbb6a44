#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace macrobench {

/// A benchmark as Google Benchmark's JSON has it.
struct BenchmarkEntry {
  std::string name;             ///< that no other entry has
  std::vector<double> seconds;  ///< one or more; they are shown as their median, in nanoseconds
};

/// Google Benchmark's JSON, which its compare.py, github-action-benchmark (`googlecpp`) and Bencher
/// (`cpp_google`) read. The interval of an entry's median, with this confidence, is in the counters
/// `low` and `high`. `context` is added to that of the file; `time` is UTC, ISO 8601.
nlohmann::ordered_json google_benchmark_json(const std::vector<BenchmarkEntry>& entries,
                                             double confidence, const std::string& time,
                                             const std::string& machine,
                                             const std::string& executable,
                                             const nlohmann::ordered_json& context);

}  // namespace macrobench
