#pragma once

#include <cstddef>
#include <limits>
#include <map>
#include <string>

#include "harness/model/registry.hpp"
#include "harness/records/record.hpp"
#include "harness/run/sampler.hpp"

namespace macrobench {

/// What a case will take; NaN where nothing is known.
struct Prediction {
  double solution = std::numeric_limits<double>::quiet_NaN();  ///< seconds of one
  double whole = std::numeric_limits<double>::quiet_NaN();     ///< seconds of the case
  bool by_law = false;  ///< fitted to three sizes or more, not assumed
};

/// What is known about the times of a series: cases that differ only in how much they must do,
/// which is their size.
class KnownTimes {
 public:
  KnownTimes(const Implementation& implementation, Sampling sampling);

  void add(const Record& record, double size);

  [[nodiscard]] Prediction predict(double size) const;
  [[nodiscard]] std::size_t sizes() const { return known_.size(); }
  [[nodiscard]] bool a_smaller_one_timed_out(double size) const { return smallest_timeout_ < size; }

 private:
  /// What must be known about a measured case to predict another one.
  struct Measured {
    double solution;    ///< median seconds
    double start;       ///< seconds, of one process
    double solutions;   ///< taken in the first process, the first included
    double overhead;    ///< what the case took beyond its samples: checks, processes
    double energy = 0;  ///< the energy window's seconds, the same for every size
  };

  [[nodiscard]] double solutions(const Measured& last, const Prediction& prediction) const;

  const Implementation* implementation_;
  int processes_;
  Sampling sampling_;
  std::map<double, Measured> known_;  ///< by size
  double smallest_timeout_ = std::numeric_limits<double>::infinity();
};

/// The key that the cases of a series share: without everything that their work accounts for. A
/// batch of economies is not in the series of one: what is drawn around a calibration may take ten
/// times as long as that calibration, which was chosen for having a fast power.
std::string series_of(const Implementation& implementation, const Parameters& parameters);

}  // namespace macrobench
