#pragma once

#include <functional>
#include <string>
#include <utility>

#include "harness/model/outcome.hpp"
#include "harness/model/registry.hpp"

namespace macrobench {

/// What the outcome of a batch has besides those of its first economy.
OutcomeFigures figures_of_batches();

/// The outcome of a batch of economies, made from outcomes of each: valid only if all are. The
/// residual is the largest as a share of what is allowed, and the note "worst" names its economy;
/// if some are not valid, it is the first of those, and so is the reason.
class BatchOutcome {
 public:
  /// `words_of` gives the calibration of an economy.
  explicit BatchOutcome(std::function<std::string(int)> words_of);

  /// What an array of an economy's solution shows.
  void see(int economy, const Outcome& one);
  /// The same for one that was kept in full. The first of these gives the figures, series and
  /// notes.
  void see_in_full(int economy, const Outcome& one);

  /// Exhaustive if all `economies` were seen in full, each exhaustively. Figures: "economies",
  /// "economies_in_full" and "worst_economy".
  [[nodiscard]] Outcome outcome(int economies) const;

 private:
  std::function<std::string(int)> words_of_;
  Outcome outcome_;
  double worst_share_ = -1;
  int worst_ = 0;
  int in_full_ = 0;
  bool all_exhaustive_ = true;
};

}  // namespace macrobench
