#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/machine/machine.hpp"
#include "harness/regress/regression.hpp"
#include "harness/text/document.hpp"

namespace macrobench {

// For `macrobench regress --calibrate`, a build is measured against itself, in the pairs of
// regress. All that differs within a pair is then noise.

/// The noise of one case.
struct CaseNoise {
  std::string key;
  int pairs = 0;     ///< that were measured
  double noise = 0;  ///< of log(head / base): two of three pairs are within it
};

/// The noise of a machine, as far as one calibration found it.
struct MachineNoise {
  Machine machine;
  std::string time;  ///< UTC, ISO 8601, when it ended
  double confidence = 0;
  std::vector<CaseNoise> cases;
  int checks = 0;       ///< verdicts on a build against itself
  int alarms = 0;       ///< the checks that called it slower or faster
  double expected = 0;  ///< the alarms that chance alone raises, on average
  std::string missing;  ///< see left_out_of()
};

/// No automatic threshold is below this. Code that is only moved in memory can differ as much.
inline constexpr double least_threshold = 1.01;

/// The share of slowdowns of the smallest difference that regress finds.
inline constexpr double power_of_calibration = 0.8;

/// The distance of the pairs' log ratios from their median that two thirds of them are within:
/// the standard deviation of a normal distribution, which a few spoilt pairs do not move.
double noise_of(const std::vector<double>& base, const std::vector<double>& head);

/// The smallest ratio above 1 that this number of pairs distinguishes from 1: both measurements of
/// regress (the second confirms the first) have their whole interval above 1 in
/// `power_of_calibration` of all cases. None if the pairs are too few for an interval.
std::optional<double> smallest_seen(double noise, int pairs, double confidence);

/// From a regression of a build and itself. Each check takes `usual_pairs`, or all that there are.
MachineNoise noise_in(const Regression& regression, const Machine& machine, int usual_pairs);

/// The threshold of each case by its key, with the pairs of the terms.
std::map<std::string, double> thresholds_of(const MachineNoise& noise,
                                            const RegressionTerms& terms);

Document document_of(const MachineNoise& noise, int usual_pairs);
nlohmann::ordered_json to_json(const MachineNoise& noise);

/// The file in the machine's own folder of results.
std::filesystem::path noise_file(const std::filesystem::path& results, const Machine& machine);

/// The calibration of this machine in the folder of results. Throws UsageError, which names the
/// command to run, if there is none, it is torn or another machine's, or has another confidence.
MachineNoise read_noise(const std::filesystem::path& results, const Machine& machine,
                        double confidence);

/// A sentence on a calibration of more than 90 days; empty if it is not so old.
std::string why_old(const MachineNoise& noise);

}  // namespace macrobench
