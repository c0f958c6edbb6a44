#include "harness/numbers/ratio.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "harness/model/registry.hpp"
#include "harness/numbers/axis_role.hpp"
#include "harness/numbers/noise.hpp"
#include "harness/text/format.hpp"
#include "harness/text/known_value.hpp"

namespace macrobench {

namespace {

constexpr std::array<const char*, 14> aspect_names{
    "model",     "problem",   "size",      "scope",   "stage",    "implementation", "method",
    "precision", "tolerance", "resources", "machine", "compiler", "source",         "warmth"};

std::string to_string(Aspect aspect) {
  return aspect_names.at(static_cast<std::size_t>(aspect));
}

std::string to_string(Scope scope) {
  constexpr std::array<const char*, 6> names{"no time",    "start-up", "a first solution",
                                             "a solution", "a total",  "a stage"};
  return names.at(static_cast<std::size_t>(scope));
}

/// True if a ratio means nothing with such a difference.
bool forbids_a_ratio(Aspect aspect) {
  return aspect == Aspect::model || aspect == Aspect::problem || aspect == Aspect::size ||
         aspect == Aspect::scope || aspect == Aspect::stage;
}

/// The values that the cells' provenances have there; empty if one of them has none.
std::string difference_in(const Cell& one, const Cell& other, std::string Provenance::* member) {
  const auto values = [&](const Cell& cell) {
    std::set<std::string> all;
    for (const Provenance& origin : cell.from) all.insert(origin.*member);
    return all;
  };
  const std::set<std::string> here = values(one);
  const std::set<std::string> there = values(other);
  if (here.empty() || there.empty() || here == there) return "";
  return fmt::format("{} and {}", *here.begin(),
                     *here.begin() == *there.begin() ? *there.rbegin() : *there.begin());
}

/// Both have a variance, or are known exactly or within rounding.
ConfidenceInterval interval_of(const Cell& above, const Cell& below) {
  const bool is_sampled = above.variance > 0 || below.variance > 0;
  const double ratio = known_value(above.value) / known_value(below.value);
  if (!is_sampled || !(ratio > 0)) return over(interval_of(above), interval_of(below));
  const double variance = above.variance + below.variance;
  // Welch and Satterthwaite; an exact number has no degrees of freedom to add.
  double spent = 0;
  for (const Cell* cell : {&above, &below}) {
    if (cell->variance > 0) spent += cell->variance * cell->variance / std::max(1.0, cell->degrees);
  }
  ConfidenceInterval where =
      macrobench::interval_of(ratio, Noise{variance, variance * variance / spent});
  // A number without samples has the ends of its rounding or of its law.
  for (const bool is_above : {true, false}) {
    const Cell& cell = is_above ? above : below;
    if (cell.variance > 0 || !cell.interval) continue;
    const double value = known_value(cell.value);
    const double low = cell.interval->low / value;
    const double high = cell.interval->high / value;
    where.low *= is_above ? low : 1 / high;
    where.high *= is_above ? high : 1 / low;
  }
  return where;
}

Cell refused(Status status, Reason why) {
  return {.status = status, .why = std::move(why)};
}

Cell not_divided(std::string why) {
  return refused(Status::not_run, Reason(Reason::Kind::not_divided, std::move(why)));
}

Cell divided(const Cell& numerator, const Cell& baseline, const Aspects& about) {
  for (const Cell* operand : {&numerator, &baseline}) {
    if (!operand->value || is_doubted(operand->status)) {
      return refused(operand->status, operand->why);
    }
  }
  // A time over a count is a time each.
  const bool is_each = baseline.unit == "1" && numerator.unit != "1";
  if (numerator.unit != baseline.unit && !is_each) {
    return not_divided(fmt::format("{} over {}", numerator.unit, baseline.unit));
  }
  Cell cell{.value = *numerator.value / *baseline.value,
            .kind = Kind::constant,
            .status = Status::measured};
  if (!std::isfinite(*cell.value)) return refused(Status::failed, "the baseline took no time");
  rest_on(cell, numerator);
  rest_on(cell, baseline);
  cell.scope = numerator.scope;
  if (is_each) cell.unit = numerator.unit;
  for (const auto& [aspect, how] : differences_of(numerator, baseline)) {
    const bool is_of_time = aspect == Aspect::scope || aspect == Aspect::stage;
    if (about.contains(aspect) || (is_each && is_of_time)) continue;
    if (forbids_a_ratio(aspect)) return not_divided(how);
    // An operand of another compiler than the newest time's says so already.
    const bool is_said = aspect == Aspect::compiler && !note_of(cell.marks, "compiler").empty();
    if (!is_said) cell.marks.insert({to_string(aspect), how});
  }
  if (reaches_too_far(cell)) {
    cell.value.reset();
    cell.status = Status::not_run;
    cell.why =
        Reason(Reason::Kind::not_divided,
               fmt::format("it reaches {:.3g} times as far as the measured cells", *cell.reach));
    return cell;
  }
  cell.interval = interval_of(numerator, baseline);
  cell.variance = numerator.variance + baseline.variance;
  cell.shared = numerator.shared + baseline.shared;
  const double degrees = std::min(numerator.variance > 0 ? numerator.degrees : HUGE_VAL,
                                  baseline.variance > 0 ? baseline.degrees : HUGE_VAL);
  cell.degrees = cell.variance > 0 ? degrees : 0;
  return cell;
}

}  // namespace

Aspect aspect_of(Role role) {
  switch (role) {
    case Role::size:
      return Aspect::size;
    case Role::method:
      return Aspect::method;
    case Role::precision:
      return Aspect::precision;
    case Role::tolerance:
      return Aspect::tolerance;
    case Role::resources:
      return Aspect::resources;
    default:
      return Aspect::problem;
  }
}

ConfidenceInterval over(const ConfidenceInterval& above, const ConfidenceInterval& below) {
  const auto [low, high] = std::minmax({above.low / below.low, above.low / below.high,
                                        above.high / below.low, above.high / below.high});
  return {low, high};
}

Aspects of_machines() {
  return {Aspect::machine, Aspect::compiler, Aspect::source, Aspect::resources};
}

Aspects of_programs() {
  return {Aspect::implementation, Aspect::method, Aspect::resources};
}

std::vector<std::pair<Aspect, std::string>> differences_of(const Cell& one, const Cell& other) {
  std::vector<std::pair<Aspect, std::string>> found;
  const auto add = [&](Aspect aspect, std::string how) {
    if (!how.empty()) found.emplace_back(aspect, std::move(how));
  };
  const auto both = [](const std::string& here, const std::string& there) {
    return here == there ? "" : fmt::format("{} and {}", here, there);
  };
  if (one.scope != other.scope)
    add(Aspect::scope, both(to_string(one.scope), to_string(other.scope)));
  add(Aspect::stage, both(one.stage, other.stage));
  const SolvedProblem& here = one.problem;
  const SolvedProblem& there = other.problem;
  if (!here.model.empty() && !there.model.empty()) {
    add(Aspect::model, both(here.model, there.model));
    add(Aspect::implementation, both(here.implementation, there.implementation));
  }
  const Model* model =
      here.model == there.model ? Registry::global().find_model(here.model) : nullptr;
  if (model != nullptr) {
    for (const Axis& axis : model->axes) {
      const Value* its = here.parameters.find(axis.name);
      const Value* others = there.parameters.find(axis.name);
      if (its == nullptr || others == nullptr || is_same(*its, *others)) continue;
      add(aspect_of(role_of(axis, *model)),
          fmt::format("{}={} and {}", axis.name, macrobench::to_string(*its),
                      macrobench::to_string(*others)));
    }
  }
  add(Aspect::machine, difference_in(one, other, &Provenance::machine));
  add(Aspect::compiler, difference_in(one, other, &Provenance::compiler));
  const bool is_other_warmth = one.is_cold != other.is_cold && one.samples > 0 && other.samples > 0;
  if (is_other_warmth) add(Aspect::warmth, "a first solution and later ones");
  if (here.implementation == there.implementation &&
      !difference_in(one, other, &Provenance::source).empty()) {
    add(Aspect::source, "two versions of the program");
  }
  return found;
}

Ratio::Ratio(const Cell& numerator, const Cell& baseline, const Aspects& about)
    : cell_(divided(numerator, baseline, about)) {}

MeanOfRatios geometric_mean(std::span<const Ratio> ratios) {
  MeanOfRatios mean;
  double logarithms = 0;
  double own = 0;  // variance that the mean averages out
  double shared = 0;
  double degrees = HUGE_VAL;
  ConfidenceInterval rounding{0, 0};  // logarithms, of the ratios that no sample blurs
  std::optional<ConfidenceInterval> first;
  for (const Ratio& ratio : ratios) {
    if (ratio.is_refused()) {
      ++mean.refused;
      continue;
    }
    const Cell& cell = ratio.cell();
    const double value = known_value(cell.value);
    if (mean.ratios == 0) {
      mean.cell = Cell{.kind = cell.kind, .status = Status::measured, .scope = cell.scope};
      mean.lowest = mean.highest = value;
      first = cell.interval;
    } else if (cell.scope != mean.cell.scope || cell.unit != mean.cell.unit) {
      mean.cell = Cell{.status = Status::not_run,
                       .why = Reason(Reason::Kind::not_divided, "times of several parts of a run")};
      return mean;
    }
    ++mean.ratios;
    mean.lowest = std::min(mean.lowest, value);
    mean.highest = std::max(mean.highest, value);
    logarithms += std::log(value);
    own += cell.variance - cell.shared;
    shared = std::max(shared, cell.shared);
    if (cell.variance > 0) {
      degrees = std::min(degrees, cell.degrees);
    } else {
      rounding.low += std::log(interval_of(cell).low / value);
      rounding.high += std::log(interval_of(cell).high / value);
    }
    rest_on(mean.cell, cell);
  }
  if (mean.ratios == 0) return mean;
  const auto k = static_cast<double>(mean.ratios);
  mean.cell.value = std::exp(logarithms / k);
  // What a campaign changed, it may have changed in all of the ratios.
  mean.cell.variance = own / (k * k) + shared;
  mean.cell.shared = shared;
  if (mean.cell.variance > 0) mean.cell.degrees = degrees;
  if (mean.ratios == 1) {
    mean.cell.interval = first;
    return mean;
  }
  const double half =
      mean.cell.variance > 0 ? student_t(degrees) * std::sqrt(mean.cell.variance) : 0;
  mean.cell.interval = ConfidenceInterval{*mean.cell.value * std::exp(rounding.low / k - half),
                                          *mean.cell.value * std::exp(rounding.high / k + half)};
  return mean;
}

std::string text_of_ratio(const Cell& ratio) {
  const double value = known_value(ratio.value);
  if (ratio.kind != Kind::extrapolated || value == 0) return format_number(value);
  const double step = std::pow(10, std::floor(std::log10(std::abs(value))) - 1);
  const double rounded = std::round(value / step) * step;
  return std::abs(rounded) >= 10 ? with_separators(rounded) : fmt::format("{:#.2g}", rounded);
}

}  // namespace macrobench
