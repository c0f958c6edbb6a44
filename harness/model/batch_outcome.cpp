#include "harness/model/batch_outcome.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace macrobench {

OutcomeFigures figures_of_batches() {
  return {{"economies", {"economies", "of a batch"}},
          {"economies_in_full", {"economies", "those of a batch that were checked in full"}},
          {"worst_economy",
           {"number of an economy", "of a batch, the one whose residual is nearest to its bound"}}};
}

BatchOutcome::BatchOutcome(std::function<std::string(int)> words_of)
    : words_of_(std::move(words_of)) {}

void BatchOutcome::see(int economy, const Outcome& one) {
  outcome_.checked_states += one.checked_states;
  outcome_.iterations = std::max(outcome_.iterations, one.iterations);
  if (!outcome_.why.empty()) return;
  const double share = one.residual / one.allowed;
  if (!one.valid) {
    outcome_.why = fmt::format("economy {} ({}): {}", economy, words_of_(economy), one.why);
    outcome_.gave_up = one.gave_up;
  } else if (!(share > worst_share_)) {
    return;
  }
  worst_share_ = share;
  worst_ = economy;
  outcome_.residual = one.residual;
  outcome_.allowed = one.allowed;
}

void BatchOutcome::see_in_full(int economy, const Outcome& one) {
  if (in_full_++ == 0) {
    outcome_.figures = one.figures;
    outcome_.series = one.series;
    outcome_.notes = one.notes;
  }
  all_exhaustive_ = all_exhaustive_ && one.exhaustive;
  see(economy, one);
}

Outcome BatchOutcome::outcome(int economies) const {
  Outcome outcome = outcome_;
  outcome.valid = outcome.why.empty();
  outcome.exhaustive = all_exhaustive_ && in_full_ == economies;
  outcome.figures["economies"] = economies;
  outcome.figures["economies_in_full"] = in_full_;
  outcome.figures["worst_economy"] = worst_;
  outcome.notes["worst"] = fmt::format("economy {}: {}", worst_, words_of_(worst_));
  return outcome;
}

}  // namespace macrobench
