#include "harness/regress/noise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/records/statistics.hpp"

namespace macrobench {

namespace {

constexpr std::array shown_pairs{5, 10, 20, 40, 80};

/// The chance that at least `least` of n draws succeed.
double chance_of(int least, int n, double success) {
  if (success <= 0) return least <= 0 ? 1 : 0;
  if (success >= 1) return 1;
  double sum = 0;
  for (int k = std::max(least, 0); k <= n; ++k) {
    sum += std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0) +
                    k * std::log(success) + (n - k) * std::log1p(-success));
  }
  return sum;
}

/// The value at which an increasing function of [low, high] reaches the goal.
template <class Function>
double where(Function function, double goal, double low, double high) {
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = (low + high) / 2;
    (function(middle) < goal ? low : high) = middle;
  }
  return (low + high) / 2;
}

/// The rank, from 1, of the ratio at which the interval begins.
int rank_of_low(int n, double confidence) {
  return 1 + static_cast<int>(rank_of_interval(static_cast<std::size_t>(n), confidence));
}

/// The chance that equal builds are called slower or faster: as many ratios as the interval leaves
/// out, or more, are on one side of their median.
double chance_of_alarm(int n, double confidence) {
  return 2 * (1 - chance_of(rank_of_low(n, confidence), n, 0.5));
}

std::string percent(double ratio) {
  return fmt::format("{:.1f}%", 100 * (ratio - 1));
}

}  // namespace

double noise_of(const std::vector<double>& base, const std::vector<double>& head) {
  std::vector<double> distances;
  for (std::size_t i = 0; i < std::min(base.size(), head.size()); ++i) {
    distances.push_back(std::log(head[i] / base[i]));
  }
  const double center = median(distances);
  for (double& distance : distances) distance = std::abs(distance - center);
  constexpr double within_one_deviation = 0.6827;
  return distances.empty() ? 0 : quantile(std::move(distances), within_one_deviation);
}

std::optional<double> smallest_seen(double noise, int pairs, double confidence) {
  if (pairs < least_pairs(confidence)) return std::nullopt;
  const int rank = rank_of_low(pairs, confidence);
  // The share of all pairs that are below the interval's beginning, unless chance is worse than it
  // may be: at most rank - 1 of n are below.
  const double each = std::sqrt(power_of_calibration);
  const double below =
      where([&](double share) { return chance_of(rank, pairs, share); }, 1 - each, 0, 1);
  const double deviations =
      where([](double z) { return std::erfc(-z / std::sqrt(2.0)) / 2; }, below, -10, 10);
  return std::exp(std::max(0.0, -deviations * noise));
}

MachineNoise noise_in(const Regression& regression, const Machine& machine, int usual_pairs) {
  MachineNoise noise{.machine = machine,
                     .time = regression.time,
                     .confidence = regression.terms.confidence,
                     .cases = {},
                     .missing = left_out_of(regression)};
  const auto least = static_cast<std::size_t>(least_pairs(noise.confidence));
  RegressionTerms terms = regression.terms;
  terms.threshold = 1;
  for (const RegressionCase& one : regression.cases) {
    const std::size_t pairs = std::min(one.base.size(), one.head.size());
    if (!one.ratio || pairs < least) continue;
    noise.cases.push_back({one.key, static_cast<int>(pairs), noise_of(one.base, one.head)});
    const std::size_t block =
        std::min(pairs, std::max(least, static_cast<std::size_t>(usual_pairs)));
    for (std::size_t first = 0; first + block <= pairs; first += block) {
      const auto part = [&](const std::vector<double>& all) {
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
        return std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(block));
      };
      RegressionCase check{.key = one.key, .base = part(one.base), .head = part(one.head)};
      conclude(check, terms);
      ++noise.checks;
      noise.expected += chance_of_alarm(static_cast<int>(block), noise.confidence);
      if (check.verdict == Verdict::slower || check.verdict == Verdict::faster) ++noise.alarms;
    }
  }
  return noise;
}

std::map<std::string, double> thresholds_of(const MachineNoise& noise,
                                            const RegressionTerms& terms) {
  std::map<std::string, double> thresholds;
  for (const CaseNoise& one : noise.cases) {
    const auto seen = smallest_seen(one.noise, terms.pairs, terms.confidence);
    if (seen) thresholds[one.key] = std::max(*seen, least_threshold);
  }
  return thresholds;
}

Document document_of(const MachineNoise& noise, int usual_pairs) {
  std::vector<const CaseNoise*> cases;
  for (const CaseNoise& one : noise.cases) cases.push_back(&one);
  std::ranges::stable_sort(cases, {}, [](const CaseNoise* one) { return -one->noise; });
  std::vector<Row> rows;
  std::vector<double> seen;
  for (const CaseNoise* one : cases) {
    Row row{{one->key, std::to_string(one->pairs), percent(std::exp(one->noise))}};
    for (const int pairs : shown_pairs) {
      const auto smallest = smallest_seen(one->noise, pairs, noise.confidence);
      row.cells.emplace_back(smallest ? percent(*smallest) : "too few");
    }
    rows.push_back(std::move(row));
    seen.push_back(smallest_seen(one->noise, usual_pairs, noise.confidence).value_or(1));
  }
  Document document{.body = {Paragraph{noise.missing}}};
  if (rows.empty()) {
    document.body.emplace_back(Paragraph{fmt::format(
        "No case has the {} pairs that a confidence of {:g} needs: take a longer --budget.",
        least_pairs(noise.confidence), noise.confidence)});
    return document;
  }
  using enum Column::Kind;
  std::vector<Column> columns{{"case", words}, {"pairs"}, {"noise of a pair"}};
  for (const int pairs : shown_pairs) columns.push_back({fmt::format("seen with {}", pairs)});
  document.body.emplace_back(grid_of(std::move(columns), std::move(rows)));
  document.body.emplace_back(Paragraph{fmt::format(
      "With {} pairs regress sees {} in half of the cases and {} in the noisiest, {:g}% of the "
      "time. This build against itself: {} of {} checks called it slower or faster; chance alone "
      "gives {:.1f}.",
      usual_pairs, percent(median(seen)), percent(*std::ranges::max_element(seen)),
      100 * power_of_calibration, noise.alarms, noise.checks, noise.expected)});
  return document;
}

nlohmann::ordered_json to_json(const MachineNoise& noise) {
  nlohmann::ordered_json cases = nlohmann::ordered_json::array();
  for (const CaseNoise& one : noise.cases) {
    cases.push_back({{"key", one.key}, {"pairs", one.pairs}, {"noise", one.noise}});
  }
  return {{"schema", 1},
          {"time", noise.time},
          {"machine", noise.machine.block},
          {"confidence", noise.confidence},
          {"checks", noise.checks},
          {"alarms", noise.alarms},
          {"alarms_by_chance", noise.expected},
          {"left_out", noise.missing},
          {"cases", std::move(cases)}};
}

}  // namespace macrobench
