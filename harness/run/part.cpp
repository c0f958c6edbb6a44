#include "harness/run/part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string_view>
#include <utility>

#include "harness/text/error.hpp"
#include "harness/text/format.hpp"

namespace macrobench {

namespace {

/// What every case takes besides one solution, in seconds: processes, repeats, checks.
constexpr double least_seconds = 1;

/// Of a unit of work, in a plan in which nothing says more.
constexpr double nominal_seconds = 1e-8;

/// A whole number from 1 on; 0 if the text is none.
int number_in(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::max(number, 0) : 0;
}

/// None if the numbers are no part's.
std::optional<Part> part_in(std::string_view text, std::string_view between) {
  const std::size_t at = text.find(between);
  if (at == std::string_view::npos) return std::nullopt;
  const Part part{number_in(text.substr(0, at)), number_in(text.substr(at + between.size()))};
  const bool is_one = part.number >= 1 && part.number <= part.count && part.count <= most_parts;
  return is_one ? std::optional(part) : std::nullopt;
}

double amount(double value) {
  return std::isfinite(value) && value > 0 ? value : 0;
}

/// Seconds that are known, and the work that was done in them.
struct Pace {
  double seconds = 0;
  double work = 0;
};

std::vector<DealtCase> to_deal(const std::vector<Case>& cases,
                               const std::map<std::string, CaseHint>& hints) {
  // In the order of their keys, because a sum of doubles depends on the order.
  std::map<std::string, const Case*> by_key;
  for (const Case& which : cases) by_key.emplace(which.key(), &which);
  const auto hint_of = [&](const std::string& key) {
    const auto found = hints.find(key);
    return found == hints.end() ? CaseHint{} : found->second;
  };
  std::map<std::string, Pace> paces;  // of models; "" is all of them
  for (const auto& [key, which] : by_key) {
    const double seconds = amount(hint_of(key).seconds);
    const double work = amount(which->work());
    if (seconds == 0 || work == 0) continue;
    for (const std::string& model : {which->implementation->model, std::string()}) {
      Pace& pace = paces[model];
      pace.seconds += seconds;
      pace.work += work;
    }
  }
  const auto seconds_of = [&](const Case& which) {
    const double work = amount(which.work());
    for (const std::string& model : {which.implementation->model, std::string()}) {
      const auto pace = paces.find(model);
      if (pace != paces.end()) return work * (pace->second.seconds / pace->second.work);
    }
    return work * nominal_seconds;
  };
  std::vector<DealtCase> dealt;
  for (const Case& which : cases) {
    const std::string key = which.key();
    const CaseHint hint = hint_of(key);
    const double known = amount(hint.seconds);
    dealt.push_back({key, least_seconds + (known > 0 ? known : seconds_of(which)), hint.group});
  }
  return dealt;
}

}  // namespace

Part part_from(const std::string& text) {
  if (const auto part = part_in(text, "/")) return *part;
  throw UsageError(
      "--part {}: it must name one of at most {} parts, as 3/8 does, the third of eight", text,
      with_separators(most_parts));
}

std::string to_string(const Part& part) {
  return fmt::format("{}/{}", part.number, part.count);
}

std::string folder_of(const Part& part) {
  return fmt::format("{}_of_{}", part.number, part.count);
}

std::optional<Part> part_of_folder(const std::string& name) {
  return part_in(name, "_of_");
}

std::vector<int> deal(const std::vector<DealtCase>& cases, int parts) {
  std::vector<std::size_t> order(cases.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) -> const std::string& { return cases[i].key; });
  struct Unit {
    double seconds = 0;
    std::vector<std::size_t> members = {};
  };
  std::vector<Unit> units;  // in the order of their first keys
  std::map<int, std::size_t> unit_of_group;
  for (const std::size_t i : order) {
    std::size_t unit = units.size();
    if (const auto& group = cases[i].group)
      unit = unit_of_group.emplace(*group, unit).first->second;
    if (unit == units.size()) units.emplace_back();
    units[unit].seconds += cases[i].seconds;
    units[unit].members.push_back(i);
  }
  std::ranges::stable_sort(units, std::ranges::greater{}, &Unit::seconds);

  std::vector<double> loads(static_cast<std::size_t>(parts), 0.0);
  std::vector<int> part_of(cases.size());
  for (const Unit& unit : units) {
    const auto least = std::ranges::min_element(loads);
    *least += unit.seconds;
    for (const std::size_t i : unit.members) {
      part_of[i] = static_cast<int>(least - loads.begin()) + 1;
    }
  }
  return part_of;
}

std::vector<Case> cases_of_part(const std::vector<Case>& cases,
                                const std::map<std::string, CaseHint>& hints, const Part& part) {
  const std::vector<int> part_of = deal(to_deal(cases, hints), part.count);
  std::vector<Case> its;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (part_of[i] == part.number) its.push_back(cases[i]);
  }
  return its;
}

}  // namespace macrobench
