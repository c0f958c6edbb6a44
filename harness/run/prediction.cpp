#include "harness/run/prediction.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <vector>

#include "harness/model/growth_law.hpp"
#include "harness/records/record_facts.hpp"
#include "harness/records/statistics.hpp"

namespace macrobench {

namespace {

/// The growth of a solution's time that is assumed if fewer than three sizes are known: that of the
/// work, if the model gives it, else the worst published one. Downwards it is between nothing and
/// the ratio of the sizes, because a solution has parts that do not shrink. Upwards on a GPU it is
/// less than the worst, because a GPU takes no longer until it is full.
double assumed_growth(const Implementation& implementation, double ratio) {
  const bool is_on_gpu = Case{&implementation, {}}.is_on_gpu();
  const double most = implementation.sizes() == Sizes::of_work || ratio < 1 ? ratio : ratio * ratio;
  return std::pow(most, ratio < 1 ? 2.0 / 3 : is_on_gpu ? 5.0 / 6 : 1);
}

}  // namespace

KnownTimes::KnownTimes(const Implementation& implementation, Sampling sampling)
    : implementation_(&implementation),
      processes_(implementation.has_start ? std::max(1, sampling.processes) : 1),
      sampling_(sampling) {}

void KnownTimes::add(const Record& record, double size) {
  if (record.status == Status::timeout) smallest_timeout_ = std::min(smallest_timeout_, size);
  if (record.samples.empty() || is_doubted(record.status)) return;
  const Sample& first = record.samples.front();
  Measured known{.solution = median(seconds_of(record, Phase::solution)),
                 .start = first.start,
                 .solutions = 1 + static_cast<double>(first.solutions.size()),
                 .overhead = record.seconds - seconds_of_energy(record),
                 .energy = seconds_of_energy(record)};
  for (const Sample& sample : record.samples) {
    known.overhead -= sample.start + sample.first_solution;
    for (const double seconds : sample.solutions) known.overhead -= seconds;
  }
  known.overhead = std::max(0.0, known.overhead);
  known_[size] = known;
}

Prediction KnownTimes::predict(double size) const {
  if (known_.empty()) return {};
  // The nearest smaller size that is known, or else the smallest of all.
  const auto above = known_.upper_bound(size);
  const auto& [last_size, last] = above == known_.begin() ? *above : *std::prev(above);
  const double growth = assumed_growth(*implementation_, size / last_size);

  Prediction prediction{.solution = last.solution * growth};
  std::vector<Point> points;
  for (const auto& [at, known] : known_) points.push_back({at, known.solution});
  if (const std::optional<GrowthLaw> law = fit_growth_law(points, implementation_->sizes())) {
    const double predicted = law->at(size);
    if (std::isfinite(predicted) && predicted > 0) {
      prediction.solution = predicted;
      prediction.by_law = true;
    }
  }
  prediction.whole = last.overhead * std::sqrt(growth) + last.start +
                     prediction.solution * solutions(last, prediction);
  for (int n = 1; n < processes_ && prediction.whole < longest_repeated_process; ++n) {
    prediction.whole += last.start + prediction.solution;
  }
  prediction.whole += last.energy;
  return prediction;
}

/// The number that the first process will take: as many as at the last size, while there is time.
double KnownTimes::solutions(const Measured& last, const Prediction& prediction) const {
  if (prediction.solution > sampling_.seconds) return 1;
  const double in_time = std::ceil(sampling_.seconds / prediction.solution);
  return std::max<double>(sampling_.minimum, std::min(last.solutions, in_time));
}

std::string series_of(const Implementation& implementation, const Parameters& parameters) {
  std::string key = implementation.id();
  for (const auto& [name, value] : recorded(implementation.axes, parameters)) {
    if (!implementation.its_model->grows_along(name)) key += key_field(name, to_string(value));
  }
  if (economies_of(parameters) != 1) key += " in a batch";
  return key;
}

}  // namespace macrobench
