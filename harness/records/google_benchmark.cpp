#include "harness/records/google_benchmark.hpp"

#include <nlohmann/json.hpp>

#include "harness/records/statistics.hpp"

namespace macrobench {

using nlohmann::ordered_json;

ordered_json google_benchmark_json(const std::vector<BenchmarkEntry>& entries, double confidence,
                                   const std::string& time, const std::string& machine,
                                   const std::string& executable, const ordered_json& context) {
  constexpr double nanoseconds = 1e9;
  ordered_json benchmarks = ordered_json::array();
  for (const BenchmarkEntry& entry : entries) {
    const ConfidenceInterval interval = interval_of_median(entry.seconds, confidence);
    const double middle = nanoseconds * median(entry.seconds);
    benchmarks.push_back({{"name", entry.name},
                          {"family_index", benchmarks.size()},
                          {"per_family_instance_index", 0},
                          {"run_name", entry.name},
                          {"run_type", "iteration"},
                          {"repetitions", 1},
                          {"repetition_index", 0},
                          {"threads", 1},
                          {"iterations", entry.seconds.size()},
                          {"real_time", middle},
                          {"cpu_time", middle},
                          {"time_unit", "ns"},
                          {"low", nanoseconds * interval.low},
                          {"high", nanoseconds * interval.high}});
  }
  // Readers want the members that Google Benchmark's own have, whatever is in them.
  ordered_json all{{"context",
                    {{"date", time},
                     {"host_name", machine},
                     {"executable", executable},
                     {"num_cpus", 0},
                     {"mhz_per_cpu", 0},
                     {"cpu_scaling_enabled", false},
                     {"caches", ordered_json::array()},
                     {"load_avg", ordered_json::array()},
                     {"library_build_type", "release"}}},
                   {"benchmarks", std::move(benchmarks)}};
  all["context"].update(context);
  return all;
}

}  // namespace macrobench
