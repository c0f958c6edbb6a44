#include "paper_tables/fidelity/fidelity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "harness/model/registry.hpp"
#include "harness/numbers/noise.hpp"
#include "harness/numbers/ratio.hpp"
#include "harness/records/record_facts.hpp"
#include "harness/text/each.hpp"
#include "harness/text/error.hpp"
#include "harness/text/format.hpp"
#include "harness/text/known_value.hpp"
#include "harness/text/nearest.hpp"
#include "harness/text/strings.hpp"
#include "paper_tables/cells/lookup.hpp"
#include "paper_tables/cells/plan.hpp"
#include "paper_tables/cells/printed_number.hpp"

namespace macrobench {

namespace {

constexpr double confidence = 0.95;

/// Rounds in which both were measured.
PairedRatio ratio_of(const std::vector<double>& numerator, const std::vector<double>& denominator) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(numerator.size(), denominator.size()); ++i) {
    if (denominator[i] > 0) ratios.push_back(numerator[i] / denominator[i]);
  }
  if (ratios.empty()) return {};
  return {median(ratios), interval_of_pairs(ratios, confidence)};
}

bool is_right(const MeasuredSide& side) {
  return has_right_result(side.status) && !side.times().empty();
}

/// "the original: its set-up has not run"
std::string why_not(const char* whose, const MeasuredSide& side) {
  return fmt::format("{}: {}", whose,
                     side.why.empty() ? to_string(side.status) : to_string(side.why));
}

/// What a person has changed since is not what was measured.
std::string why_outdated(const Original& original, const MeasuredCase& measured) {
  const std::string& key = measured.counterpart.key;
  const std::string id = key.substr(0, key.find(' '));
  if (key.empty() || id == original.counterpart_id()) return "";
  return fmt::format("it was measured beside {}", id);
}

/// True if the arrays that are meant were compared, and no others, and each difference is known.
bool compares_all(const Original& original, const MeasuredCase& measured) {
  const auto is_known = [](const ArrayApart& one) {
    return !std::isnan(one.largest) && one.points.value_or(0) >= 0;
  };
  return measured.arrays.size() == original.arrays.size() &&
         std::ranges::all_of(measured.arrays, is_known) &&
         std::ranges::all_of(original.arrays, [&](const std::string& name) {
           return std::ranges::count(measured.arrays, name, &ArrayApart::name) == 1;
         });
}

JudgedCase judge(const Original& original, const MeasuredCase& measured) {
  JudgedCase made{.name = name_of(measured.parameters), .measured = measured};
  made.why = why_outdated(original, measured);
  if (!made.why.empty()) return made;
  if (!is_right(measured.original)) {
    made.why = why_not("the original", measured.original);
    return made;
  }
  if (!is_right(measured.counterpart)) {
    made.why = why_not("ours", measured.counterpart);
    return made;
  }
  made.theirs = median(measured.original.times());
  made.ours = median(measured.counterpart.seconds);
  made.time = ratio_of(measured.original.times(), measured.counterpart.seconds);
  for (const MeasuredVariant& variant : measured.variants) {
    made.variants.push_back(is_right(variant.side)
                                ? ratio_of(variant.side.seconds, measured.counterpart.seconds)
                                : PairedRatio{});
  }
  const std::optional<bool> same =
      compares_all(original, measured) ? has_same_values(measured) : std::nullopt;
  if (!same) {
    made.verdict = FidelityVerdict::undecided;
    made.why = "values not compared: " +
               (measured.not_compared.empty() ? "an array is missing" : measured.not_compared);
  } else if (!*same) {
    made.verdict = FidelityVerdict::other_values;
  } else {
    made.verdict = verdict_on_times(made.time.interval);
    if (!made.time.interval) {
      made.why = fmt::format("an interval needs {} rounds", least_pairs(confidence));
    }
  }
  return made;
}

/// Other values at one size are enough, then another time at one; it stands if it does at each.
void conclude(JudgedOriginal& made) {
  const auto any = [&](FidelityVerdict verdict) {
    return std::ranges::find(made.cases, verdict, &JudgedCase::verdict);
  };
  for (const FidelityVerdict verdict :
       {FidelityVerdict::other_values, FidelityVerdict::other_time, FidelityVerdict::undecided}) {
    if (const auto found = any(verdict); found != made.cases.end()) {
      made.verdict = verdict;
      made.why = found->why;
      return;
    }
  }
  const auto missing = any(FidelityVerdict::not_measured);
  const bool stands = any(FidelityVerdict::stands) != made.cases.end();
  if (missing != made.cases.end()) {
    made.verdict = stands ? FidelityVerdict::undecided : FidelityVerdict::not_measured;
    made.why = fmt::format("{}: {}", missing->name, missing->why);
  } else if (stands) {
    made.verdict = FidelityVerdict::stands;
  }
}

JudgedFigure judge(const PrintedFigure& printed, const Measurement& measurement) {
  JudgedFigure made{.printed = printed};
  const auto its = [&](const MeasuredFigure& one) {
    return one.figure == printed.figure && one.parameters == printed.parameters;
  };
  const auto found = std::ranges::find_if(measurement.figures, its);
  if (found == measurement.figures.end()) return made;
  made.value = found->value;
  made.why = found->why;
  if (made.value) made.differs = first_differing_digit(printed.printed, *made.value);
  return made;
}

/// The reason why an implementation that agrees at every measured size does not stand for its
/// original.
std::string why_not_all(const JudgedOriginal& made,
                        const std::map<std::string, double>& largest_in_print) {
  const Checkout& theirs = known_value(made.measurement).theirs;
  if (theirs.commit.empty()) return "nobody knows which commit of the original ran";
  if (theirs.changed || !theirs.commit.starts_with(made.original.commit)) {
    return fmt::format("the original ran at {}{}, and {} is meant", theirs.commit.substr(0, 8),
                       theirs.changed ? " with changes" : "", made.original.commit.substr(0, 8));
  }
  const auto in_print = largest_in_print.find(made.original.counterpart_id());
  if (in_print == largest_in_print.end()) return "";
  const std::string& axis = Registry::global().model(made.original.model).size_axis;
  double largest = 0;
  for (const JudgedCase& its : made.cases) {
    largest = std::max(largest, number_of(its.measured.parameters.find(axis)).value_or(0));
  }
  if (largest >= in_print->second) return "";
  return fmt::format("as it is up to {0}={1}, and the paper prints {0}={2}", axis,
                     with_separators(largest), with_separators(in_print->second));
}

JudgedOriginal judge(const PaperOriginals& paper, const Original& original,
                     std::span<const Measurement> measured, const std::string& machine) {
  JudgedOriginal made{.paper = paper.paper, .original = original};
  if (!original.is_public()) {
    made.verdict = FidelityVerdict::no_source;
    return made;
  }
  const Measurement* found = nullptr;
  for (const Measurement& one : measured) {
    const bool is_its = one.original == made.id() && one.machine == machine;
    if (is_its && (found == nullptr || one.time >= found->time)) found = &one;
  }
  if (found == nullptr) return made;
  made.measurement = *found;
  if (!found->cases.empty()) {
    made.cases = each(original.cases, [&](const Parameters& parameters) {
      const auto its_case = std::ranges::find(found->cases, parameters, &MeasuredCase::parameters);
      if (its_case != found->cases.end()) return judge(original, *its_case);
      return JudgedCase{.name = name_of(parameters),
                        .measured = {.parameters = parameters},
                        .why = "it was not among the cases"};
    });
  }
  made.figures = each(original.fingerprints,
                      [&](const PrintedFigure& printed) { return judge(printed, *found); });
  conclude(made);
  if (made.cases.empty()) made.why = found->why;
  if (made.verdict != FidelityVerdict::stands) return made;
  std::string why = why_not_all(made, paper.largest_in_print);
  if (!why.empty()) {
    made.verdict = FidelityVerdict::undecided;
    made.why = std::move(why);
  }
  return made;
}

/// The median, as uncertain as another campaign would make it.
Cell time_of(const MeasuredSide& side, const Measurement& measurement) {
  const std::vector<double>& times = side.times();
  Cell cell{.value = median(times), .kind = Kind::measured, .status = side.status, .unit = "s"};
  cell.samples = cell.processes = static_cast<int>(times.size());
  cell.scope = Scope::solution;
  cell.on_gpu = side.on_gpu;
  cell.from = {{.machine = measurement.machine}};
  if (!(*cell.value > 0)) return cell;
  set_interval(cell, noise_of(side.on_gpu, TimedPart::cold, *cell.value), times);
  return cell;
}

/// The original's own time at this size, if nothing that both programs name differs; else without a
/// value.
Cell time_at(const Value& size, const JudgedOriginal& one, const Parameters& problem) {
  const Model& model = Registry::global().model(one.original.model);
  for (const JudgedCase& its : one.cases) {
    const Value* at = its.measured.parameters.find(model.size_axis);
    const bool is_it = at != nullptr && is_same(*at, size) && is_right(its.measured.original) &&
                       std::ranges::all_of(its.measured.parameters, [&](const auto& named) {
                         const Value* other = problem.find(named.first);
                         return other == nullptr || is_same(*other, named.second);
                       });
    if (!is_it) continue;
    return time_of(its.measured.original, known_value(one.measurement));
  }
  return {.unit = "s"};
}

JudgedRatio judge(const PrintedRatio& ratio, const std::vector<JudgedOriginal>& originals) {
  JudgedRatio made{.what = ratio, .sizes = {}};
  const auto of = std::ranges::find(originals, ratio.of, &JudgedOriginal::id);
  const auto over = std::ranges::find(originals, ratio.over, &JudgedOriginal::id);
  if (of == originals.end() || over == originals.end()) return made;  // not among those chosen
  const std::string& axis = Registry::global().model(of->original.model).size_axis;
  for (const PrintedRatio::At& at : ratio.printed) {
    const Ratio here(time_at(at.size, *of, over->original.parameters),
                     time_at(at.size, *over, of->original.parameters), {});
    if (here.is_refused()) continue;
    made.sizes.push_back({name_of({{axis, at.size}}), at.ratio, here.cell()});
  }
  return made;
}

MachineFidelity judge_on(const std::vector<PaperOriginals>& papers,
                         std::span<const Measurement> measured, const std::string& machine,
                         const std::string& text) {
  MachineFidelity made{.machine = machine, .machine_text = text};
  for (const PaperOriginals& paper : papers) {
    for (const Original& original : paper.originals) {
      made.originals.push_back(judge(paper, original, measured, machine));
    }
  }
  for (const PaperOriginals& paper : papers) {
    for (const PrintedRatio& ratio : paper.ratios) {
      JudgedRatio judged = judge(ratio, made.originals);
      if (!judged.sizes.empty()) made.ratios.push_back(std::move(judged));
    }
  }
  return made;
}

}  // namespace

std::string name_of(const Parameters& parameters) {
  std::string name;
  for (const auto& [axis, value] : parameters) {
    name += fmt::format("{}{}={}", name.empty() ? "" : " ", axis, to_string(value));
  }
  return name;
}

std::string to_string(FidelityVerdict verdict) {
  switch (verdict) {
    case FidelityVerdict::stands:
      return "stands for the original";
    case FidelityVerdict::undecided:
      return "undecided";
    case FidelityVerdict::other_time:
      return "same values, other time";
    case FidelityVerdict::other_values:
      return "other values";
    case FidelityVerdict::no_source:
      return "no public source";
    case FidelityVerdict::not_measured:
      return "not measured";
  }
  return "";
}

FidelityVerdict verdict_on_times(const std::optional<ConfidenceInterval>& interval) {
  if (!interval) return FidelityVerdict::undecided;
  if (interval->low >= lowest_faithful_ratio && interval->high <= highest_faithful_ratio) {
    return FidelityVerdict::stands;
  }
  const bool is_outside =
      interval->high < lowest_faithful_ratio || interval->low > highest_faithful_ratio;
  return is_outside ? FidelityVerdict::other_time : FidelityVerdict::undecided;
}

std::optional<bool> has_same_values(const MeasuredCase& one) {
  if (one.arrays.empty()) return {};
  const double allowed = one.original.allowed.value_or(0) + one.counterpart.allowed.value_or(0);
  return std::ranges::all_of(one.arrays, [&](const ArrayApart& array) {
    if (array.points) return *array.points <= 1;
    constexpr double units = 1000 * std::numeric_limits<double>::epsilon();
    const double rounding = units * std::max(std::abs(array.theirs), std::abs(array.ours));
    return array.largest == 0 ||
           (std::isfinite(array.largest) && array.largest <= allowed + rounding);
  });
}

int first_differing_digit(const std::string& printed, double value) {
  const double number = finite_number(printed).value_or(std::nan(""));
  const std::string mantissa = printed.substr(0, printed.find_first_of("eE"));
  int digits = 0;
  int decimals = 0;
  bool is_fraction = false;
  for (const char c : mantissa) {
    if (c == '.') is_fraction = true;
    if (c < '0' || c > '9') continue;
    if (is_fraction) ++decimals;
    if (c != '0' || digits > 0) ++digits;
  }
  digits = std::max(digits, 1);
  const int exponent =
      mantissa.size() == printed.size()
          ? 0
          : static_cast<int>(std::clamp(
                std::strtol(printed.c_str() + mantissa.size() + 1, nullptr, 10), -1000L, 1000L));
  const double difference = std::abs(number - value);
  for (int digit = 1; digit <= digits; ++digit) {
    const double unit = std::pow(10.0, digits - digit - decimals + exponent);
    constexpr double slack = 1 + 1e-9;  // half a unit rounds to the digit
    if (!(difference <= unit / 2 * slack)) return digit;
  }
  return 0;
}

int MachineFidelity::count(FidelityVerdict verdict) const {
  return static_cast<int>(std::ranges::count(originals, verdict, &JudgedOriginal::verdict));
}

void add_largest_in_print(std::vector<PaperOriginals>& papers, Definitions& all) {
  for (const Definition* table : all.get_all({})) {
    const auto paper = std::ranges::find(papers, table->paper, &PaperOriginals::paper);
    if (paper == papers.end()) continue;
    const std::string& axis = table->its_model().size_axis;
    for (const RowDefinition& row : rows_of(*table)) {
      if (row.implementation.empty() || row.published_by_extrapolation) continue;
      for (std::size_t i = 0; i < table->columns.size(); ++i) {
        if (!printed_number(row.published[i].value_or(""))) continue;
        const CellRequest request = request_of(*table, row, table->columns[i]);
        double& largest = paper->largest_in_print[request.id()];
        largest = std::max(largest, number_of(request.parameters.find(axis)).value_or(0));
      }
    }
  }
}

Fidelity judge_fidelity(const std::vector<PaperOriginals>& papers,
                        std::span<const Measurement> measured, const std::string& machine) {
  std::map<std::string, std::string> texts;
  for (const Measurement& one : measured) texts[one.machine] = one.machine_text;
  Fidelity made;
  std::vector<std::string> names;
  for (const auto& [name, text] : texts) {
    names.push_back(name);
    if (name.find(machine) == std::string::npos) continue;
    made.machines.push_back(judge_on(papers, measured, name, text));
  }
  if (made.machines.empty()) {
    if (!machine.empty()) throw UsageError(unknown_name("machine", machine, names));
    made.machines.push_back(judge_on(papers, measured, "", ""));
  }
  return made;
}

Fidelity fidelity_on(const std::vector<PaperOriginals>& papers,
                     std::span<const Measurement> measured, const std::string& name,
                     const std::string& text) {
  return {.machines = {judge_on(papers, measured, name, text)}};
}

std::vector<std::string> published_without_original(const std::vector<PaperOriginals>& papers) {
  std::set<std::string> printed, named;
  for (const PaperOriginals& paper : papers) {
    for (const auto& [id, largest] : paper.largest_in_print) printed.insert(id);
    for (const Original& original : paper.originals) named.insert(original.counterpart_id());
  }
  std::vector<std::string> ids;
  std::ranges::set_difference(printed, named, std::back_inserter(ids));
  return ids;
}

}  // namespace macrobench
