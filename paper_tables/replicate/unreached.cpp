#include "paper_tables/replicate/unreached.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace macrobench {

namespace {

constexpr double minute = 60;
constexpr double hour = 60 * minute;
constexpr double day = 24 * hour;

/// What predictions may be wrong by, and what other cases take between these.
constexpr double reserve = 1.25;

/// In steps of a minute, of five minutes or of an hour, as it is long.
double rounded_up(double seconds) {
  const double step = seconds <= 20 * minute ? minute : seconds <= 2 * hour ? 5 * minute : hour;
  return std::max(step, step * std::ceil(seconds / step));
}

using Seconds = std::map<std::string, double>;  ///< by key

/// A budget for all cases of at most `limit` seconds.
LongerBudget budget_for(double limit, const Seconds& waiting) {
  LongerBudget budget;
  double sum = 0;
  for (const auto& [key, seconds] : waiting) {
    if (seconds > limit) continue;
    sum += seconds;
    ++budget.cases;
  }
  budget.seconds = rounded_up(reserve * sum);
  return budget;
}

}  // namespace

Unreached unreached_by(const std::vector<ScheduledCase>& cases,
                       const std::vector<std::set<std::string>>& printed_cells, double deadline) {
  Unreached result;
  Seconds waiting;
  std::set<std::string> known;
  for (const ScheduledCase& one : cases) {
    const std::string key = one.which.key();
    if (one.record) known.insert(key);
    if (one.record || one.why_not.kind != Reason::Kind::over_budget) continue;
    const double seconds = one.predicted_seconds;
    waiting[key] = seconds;
    ++(std::isnan(seconds) ? result.unknown
       : seconds <= minute ? result.in_a_minute
       : seconds <= hour   ? result.in_an_hour
       : seconds <= day    ? result.in_a_day
                           : result.beyond);
  }
  // The cases of published rows come first.
  Seconds printed;
  for (const std::set<std::string>& cell : printed_cells) {
    for (const std::string& key : cell) {
      if (const auto found = waiting.find(key); found != waiting.end()) printed.insert(*found);
    }
  }
  const Seconds& first = printed.empty() ? waiting : printed;
  const auto is_unknown = [](const auto& one) { return std::isnan(one.second); };
  if (std::ranges::any_of(first, is_unknown)) return result;
  for (const double limit : {minute, hour}) {
    LongerBudget budget = budget_for(limit, first);
    const auto is_reached = [&](const std::string& key) {
      const auto found = first.find(key);
      return found != first.end() && found->second <= limit;
    };
    for (const std::set<std::string>& cell : printed_cells) {
      const bool is_new = std::ranges::any_of(cell, is_reached);
      budget.printed_cells += is_new && std::ranges::all_of(cell, [&](const std::string& key) {
                                return known.contains(key) || is_reached(key);
                              });
    }
    budget.needs_deadline = std::ranges::any_of(
        first, [&](const auto& one) { return one.second <= limit && one.second > deadline; });
    const bool brings_more = result.budgets.empty() || budget.cases > result.budgets.back().cases;
    if (budget.cases > 0 && brings_more && budget.seconds <= day) result.budgets.push_back(budget);
  }
  return result;
}

std::string written_duration(double seconds) {
  const double rounded = rounded_up(seconds);
  const double minutes = rounded / minute;
  return std::fmod(rounded, hour) == 0 ? fmt::format("{:g}h", rounded / hour)
                                       : fmt::format("{:g}m", minutes);
}

}  // namespace macrobench
