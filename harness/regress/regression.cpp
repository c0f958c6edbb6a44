#include "harness/regress/regression.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "harness/records/record.hpp"
#include "harness/records/statistics.hpp"
#include "harness/text/known_value.hpp"

namespace macrobench {

namespace {

/// More than this many times the pairs is not useful advice.
constexpr double most_times_the_pairs = 10;

std::string in_another_way(const RegressionTerms& terms) {
  return terms.instructions ? "" : ", a quieter machine, or --instructions";
}

/// The number of pairs at which the interval, which narrows with the root of that number, would no
/// longer contain the threshold.
double pairs_that_would_tell(double ratio, const ConfidenceInterval& interval,
                             const RegressionTerms& terms) {
  const double reach = ratio < terms.threshold ? interval.high / ratio : ratio / interval.low;
  const double distance = std::abs(std::log(terms.threshold / ratio));
  return terms.pairs * std::pow(std::log(reach) / distance, 2);
}

std::string advice_on(double ratio, const ConfidenceInterval& interval,
                      const RegressionTerms& terms) {
  const double pairs = pairs_that_would_tell(ratio, interval, terms);
  if (pairs <= most_times_the_pairs * terms.pairs) {
    const auto rounded = static_cast<int>(std::ceil(pairs / 10)) * 10 + 1;
    return fmt::format("measure about {} pairs (--pairs {}){}", rounded, rounded,
                       in_another_way(terms));
  }
  return "too near the threshold, or too noisy, for more pairs to help: use a quieter machine, or "
         "--instructions";
}

}  // namespace

std::string to_string(Verdict verdict) {
  constexpr std::array names{"failed",     "invalid", "slower", "ambiguous", "faster",
                             "not slower", "same",    "new",    "left out"};
  return names.at(static_cast<std::size_t>(verdict));
}

double least_disturbed(const Record& record) {
  double least = std::numeric_limits<double>::quiet_NaN();
  for (const Sample& sample : record.samples) {
    least = std::fmin(least, sample.first_solution);
    for (const double seconds : sample.solutions) least = std::fmin(least, seconds);
  }
  return least;
}

Verdict verdict_of(const ConfidenceInterval& interval, double threshold) {
  if (interval.low > threshold) return Verdict::slower;
  if (interval.high < 1 / threshold) return Verdict::faster;
  if (interval.high > threshold) return Verdict::ambiguous;
  return interval.low < 1 / threshold ? Verdict::not_slower : Verdict::same;
}

void conclude(RegressionCase& one, const RegressionTerms& terms) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(one.base.size(), one.head.size()); ++i) {
    const double ratio = one.head[i] / one.base[i];
    if (std::isfinite(ratio) && ratio > 0) ratios.push_back(ratio);
  }
  if (ratios.empty()) {
    one.verdict = Verdict::failed;
    one.why = terms.instructions
                  ? "no instruction was counted: is one of the builds from before --instructions?"
                  : "too short to be timed";
    return;
  }
  one.ratio = median(ratios);
  // A count is exact; a time is an estimate.
  one.interval = terms.instructions ? ConfidenceInterval{*one.ratio, *one.ratio}
                                    : interval_of_pairs(ratios, terms.confidence);
  if (!one.interval) {
    one.verdict = Verdict::ambiguous;
    one.advice = fmt::format("measure at least {} pairs (--pairs)", least_pairs(terms.confidence));
    return;
  }
  one.verdict = verdict_of(*one.interval, terms.threshold);
  if (one.verdict == Verdict::ambiguous) one.advice = advice_on(*one.ratio, *one.interval, terms);
  const bool differs = one.verdict == Verdict::slower || one.verdict == Verdict::faster;
  if (differs && one.same_source) {
    one.advice = fmt::format(
        "its sources are the same in both, so it is the compiler, the harness, or where the linker "
        "put its code{}",
        terms.instructions ? "" : ": see whether --instructions differs");
  }
}

RegressionCase unchanged(std::string key) {
  return {.key = std::move(key),
          .verdict = Verdict::same,
          .why = "not measured: its sources, flags and build rules are the same in both",
          .same_source = true};
}

void doubt(RegressionCase& one) {
  one.alarm = RegressionAlarm{.base = std::exchange(one.base, {}),
                              .head = std::exchange(one.head, {}),
                              .ratio = known_value(one.ratio),
                              .interval = known_value(one.interval)};
  one.verdict = Verdict::left_out;
  one.ratio.reset();
  one.interval.reset();
  one.advice.clear();
}

std::vector<const RegressionCase*> worst_first(const Regression& regression) {
  std::vector<const RegressionCase*> cases;
  for (const RegressionCase& one : regression.cases) cases.push_back(&one);
  std::ranges::stable_sort(cases, [](const RegressionCase* a, const RegressionCase* b) {
    return std::pair(a->verdict, -a->ratio.value_or(0)) <
           std::pair(b->verdict, -b->ratio.value_or(0));
  });
  return cases;
}

bool compares(const Regression& regression) {
  return std::ranges::any_of(regression.cases,
                             [](const RegressionCase& one) { return one.ratio.has_value(); });
}

std::map<Verdict, int> counts_of(const Regression& regression) {
  std::map<Verdict, int> counts;
  for (const RegressionCase& one : regression.cases) ++counts[one.verdict];
  return counts;
}

std::string left_out_of(const Regression& regression) {
  constexpr std::size_t most_named = 4;
  std::map<std::string, std::vector<std::string>> by_reason;
  std::vector<std::string> smaller;
  for (const RegressionCase& one : regression.cases) {
    const std::string id = one.key.substr(0, one.key.find(' '));
    if (one.verdict == Verdict::left_out) {
      by_reason[one.why].push_back(id);
    } else if (!one.usual.empty()) {
      smaller.push_back(id);
    }
  }
  const auto named = [](const std::vector<std::string>& ids) {
    return ids.size() > most_named ? fmt::format("{} cases", ids.size())
                                   : fmt::format("{}", fmt::join(ids, ", "));
  };
  std::vector<std::string> groups;
  for (const auto& [why, ids] : by_reason)
    groups.push_back(fmt::format("{} ({})", named(ids), why));
  if (!regression.never_tried.empty()) groups.push_back(regression.never_tried);
  std::string text = groups.empty() ? "Nothing is left out."
                                    : fmt::format("Left out: {}.", fmt::join(groups, "; "));
  if (!smaller.empty()) {
    text += fmt::format(" Run by a smaller case, because the usual one is too long: {}.",
                        fmt::join(smaller, ", "));
  }
  return text;
}

std::string summary_of(const Regression& regression) {
  std::vector<std::string> counts;
  for (const auto& [verdict, cases] : counts_of(regression)) {
    counts.push_back(fmt::format("{} {}", cases, to_string(verdict)));
  }
  return counts.empty() ? "no cases" : fmt::format("{}", fmt::join(counts, ", "));
}

ExitCode exit_code_of(const Regression& regression, const RegressionLeniency& leniency) {
  const bool base_failed = std::ranges::any_of(regression.cases, &RegressionCase::base_failed);
  const std::map<Verdict, ExitCode> codes{
      {Verdict::failed, ExitCode::failed},
      {Verdict::invalid, ExitCode::invalid},
      {Verdict::slower, leniency.slower ? ExitCode::ok : ExitCode::slower},
      {Verdict::ambiguous, leniency.ambiguous ? ExitCode::ok : ExitCode::ambiguous}};
  ExitCode code = base_failed && !compares(regression) ? ExitCode::failed : ExitCode::ok;
  for (const RegressionCase& one : regression.cases) {
    if (codes.contains(one.verdict)) code = gravest(code, codes.at(one.verdict));
  }
  return code;
}

}  // namespace macrobench
