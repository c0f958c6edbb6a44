#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "harness/records/google_benchmark.hpp"
#include "harness/regress/regression.hpp"
#include "harness/text/each.hpp"
#include "harness/text/format.hpp"
#include "harness/text/json_values.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

using nlohmann::ordered_json;

/// "1.2 ms", or "1,234,567,890" instructions.
std::string cost(const RegressionTerms& terms, double value) {
  return terms.instructions ? with_separators(value) : format_duration(value);
}

std::string side_of(const RegressionSide& side) {
  if (side.commit.empty()) return side.name;
  const std::string commit = side.commit.substr(0, 10);
  return side.name.starts_with(commit) ? side.name : fmt::format("{} ({})", side.name, commit);
}

std::string ratio_of(const RegressionCase& one) {
  return one.ratio ? fmt::format("{:.3f}", *one.ratio) : "";
}

std::string interval_of(const RegressionCase& one, const RegressionTerms& terms) {
  if (!one.interval || terms.instructions) return "";
  return fmt::format("{:.3f} to {:.3f}", one.interval->low, one.interval->high);
}

/// The change in words: "10.2% more time", "0.1% fewer instructions".
std::string change(const RegressionCase& one, const RegressionTerms& terms) {
  const double percent = 100 * (one.ratio.value_or(1) - 1);
  if (std::abs(percent) < 0.05) return "no change";
  const bool more = percent >= 0;
  return fmt::format("{:.1f}% {}", std::abs(percent),
                     terms.instructions ? (more ? "more instructions" : "fewer instructions")
                                        : (more ? "more time" : "less time"));
}

/// What became of an alarm; empty if there was none.
std::string alarm_of(const RegressionCase& one) {
  if (!one.alarm) return "";
  const ConfidenceInterval& interval = one.alarm->interval;
  return fmt::format("{}: the first {} pairs said {:.3f} ({:.3f} to {:.3f})",
                     one.verdict == Verdict::slower ? "confirmed" : "not confirmed",
                     one.alarm->base.size(), one.alarm->ratio, interval.low, interval.high);
}

/// Why there is no ratio, or what to do about it; empty if there is nothing to say.
std::string remark(const RegressionCase& one) {
  const std::string& said = one.why.empty() ? one.advice : one.why;
  const std::string alarm = alarm_of(one);
  return said.empty() || alarm.empty() ? alarm + said : alarm + "; " + said;
}

std::string number(double value) {
  return fmt::format("{:g}", value);
}

std::string terms_in_words(const Regression& regression) {
  const RegressionTerms& terms = regression.terms;
  if (!compares(regression) && counts_of(regression).contains(Verdict::same)) {
    return "Nothing had to be built or measured; --unchanged measures these cases nevertheless.";
  }
  const bool is_calibrated = std::ranges::any_of(
      regression.cases, [](const RegressionCase& one) { return one.threshold.has_value(); });
  const std::string limit = number(100 * (terms.threshold - 1));
  if (terms.instructions) {
    return fmt::format(
        "Instructions of a first solution, counted once by callgrind. Slower: more than {}% more.",
        limit);
  }
  return fmt::format(
      "{} pairs of processes per case, base and head alternately; from each process its least "
      "disturbed solution. The ratio is the median of the pairs' head over base, with its {}% "
      "bootstrap interval. Slower: the whole interval is above {}, and so is that of as many fresh "
      "pairs, which are then shown.",
      terms.pairs, number(100 * terms.confidence),
      is_calibrated ? fmt::format("the case's threshold, by the calibration ({} without one)",
                                  number(terms.threshold))
                    : number(terms.threshold));
}

/// A sentence about the whole.
std::string conclusion(const Regression& regression) {
  const std::map<Verdict, int> counts = counts_of(regression);
  if (counts.contains(Verdict::failed)) return "A case failed.";
  if (counts.contains(Verdict::invalid)) return "A result is wrong, so its time does not count.";
  if (counts.contains(Verdict::slower)) return "The head is slower than the base.";
  if (counts.contains(Verdict::ambiguous)) {
    return "Nothing is certainly slower, but something may be.";
  }
  if (!compares(regression)) {
    return counts.contains(Verdict::same)
               ? "Nothing is slower: nothing that decides it has changed."
               : "Nothing could be compared.";
  }
  return "Nothing is slower.";
}

Grid grid_of(const std::vector<const RegressionCase*>& cases, const RegressionTerms& terms) {
  std::vector<Row> rows;
  for (const RegressionCase* one : cases) {
    const auto side = [&](const std::vector<double>& values) {
      return values.empty() ? std::string() : cost(terms, median(values));
    };
    rows.push_back(
        {{strong(to_string(one->verdict)), one->key, side(one->base), side(one->head),
          one->ratio ? change(*one, terms) : "", ratio_of(*one), interval_of(*one, terms),
          one->threshold ? fmt::format("{:.3f}", *one->threshold) : "", remark(*one)}});
  }
  using enum Column::Kind;
  return grid_of({{"verdict", words},
                  {"case", words},
                  {"base"},
                  {"head"},
                  {"change"},
                  {"ratio"},
                  {"interval"},
                  {"threshold"},
                  {"", words, Column::Place::below}},
                 std::move(rows));
}

// --- JSON --------------------------------------------------------------------------------------

ordered_json side_as_json(const RegressionSide& side) {
  return {{"name", side.name}, {"commit", or_null(side.commit)}, {"dirty", side.dirty}};
}

ordered_json case_as_json(const RegressionCase& one) {
  const auto samples = [&](const std::vector<double>& values) -> ordered_json {
    if (values.empty()) return nullptr;
    return {{"median", median(values)}, {"samples", values}};
  };
  ordered_json alarm = nullptr;
  if (one.alarm) {
    alarm = {{"ratio", one.alarm->ratio},
             {"interval", to_json(std::optional(one.alarm->interval))},
             {"base", samples(one.alarm->base)},
             {"head", samples(one.alarm->head)}};
  }
  return {{"key", one.key},
          {"verdict", to_string(one.verdict)},
          {"why", or_null(one.why)},
          {"advice", or_null(one.advice)},
          {"smaller_than", or_null(one.usual)},
          {"threshold", or_null(one.threshold)},
          {"same_source", one.same_source},
          {"ratio", or_null(one.ratio)},
          {"interval", to_json(one.interval)},
          {"alarm", std::move(alarm)},
          {"base", samples(one.base)},
          {"head", samples(one.head)}};
}

}  // namespace

Document document_of(const Regression& regression) {
  std::vector<const RegressionCase*> notable;
  std::vector<const RegressionCase*> others;
  std::vector<Row> untouched;
  for (const RegressionCase* one : worst_first(regression)) {
    if (one->verdict == Verdict::same && !one->ratio) {
      untouched.push_back({{one->key}});
      continue;
    }
    const bool quiet = one->verdict > Verdict::faster && !one->alarm;
    (quiet ? others : notable).push_back(one);
  }
  Document document{.body = {Paragraph{left_out_of(regression)}, Heading{conclusion(regression), 3},
                             Paragraph{fmt::format("{}: {} over {} on {}.", summary_of(regression),
                                                   side_of(regression.head),
                                                   side_of(regression.base), regression.machine)}}};
  if (!notable.empty()) document.body.emplace_back(grid_of(notable, regression.terms));
  if (!others.empty()) {
    Grid grid = grid_of(others, regression.terms);
    grid.folded = fmt::format("{} other case{}", others.size(), others.size() == 1 ? "" : "s");
    document.body.emplace_back(std::move(grid));
  }
  if (!untouched.empty()) {
    const std::size_t cases = untouched.size();
    Grid grid = grid_of({{"the same, and so not measured: its sources, flags and build rules are "
                          "the same as in the base",
                          Column::Kind::words}},
                        std::move(untouched));
    grid.folded = fmt::format("{} case{} that nothing changed", cases, cases == 1 ? "" : "s");
    document.body.emplace_back(std::move(grid));
  }
  document.body.emplace_back(Paragraph{terms_in_words(regression)});
  return document;
}

ordered_json to_json(const Regression& regression, ExitCode code) {
  std::map<Verdict, int> counts = counts_of(regression);
  ordered_json summary = ordered_json::object();
  for (int i = 0; i <= static_cast<int>(Verdict::left_out); ++i) {
    const auto verdict = static_cast<Verdict>(i);
    summary[to_string(verdict)] = counts[verdict];
  }
  ordered_json cases = ordered_json::array();
  for (const RegressionCase* one : worst_first(regression)) cases.push_back(case_as_json(*one));
  return {{"schema", 1},
          {"base", side_as_json(regression.base)},
          {"head", side_as_json(regression.head)},
          {"machine", regression.machine},
          {"time", regression.time},
          {"seconds", regression.seconds},
          {"unit", regression.terms.instructions ? "instructions" : "seconds"},
          {"pairs", regression.terms.pairs},
          {"confidence", regression.terms.confidence},
          {"threshold", regression.terms.threshold},
          {"exit_code", static_cast<int>(code)},
          {"left_out", left_out_of(regression)},
          {"summary", std::move(summary)},
          {"cases", std::move(cases)}};
}

ordered_json to_json(const std::optional<ConfidenceInterval>& interval) {
  return interval ? ordered_json::array({interval->low, interval->high}) : ordered_json(nullptr);
}

ordered_json to_google_benchmark(const Regression& regression) {
  // Instructions pass as nanoseconds, and the context says so.
  const double unit = regression.terms.instructions ? 1e-9 : 1;
  std::vector<BenchmarkEntry> entries;
  ordered_json not_compared = ordered_json::object();
  for (const RegressionCase& one : regression.cases) {
    if (!one.ratio) {
      not_compared[one.key] = fmt::format("{}: {}", to_string(one.verdict), one.why);
      continue;
    }
    for (const auto& [side, values] :
         {std::pair("base", &one.base), std::pair("head", &one.head)}) {
      entries.push_back({fmt::format("{}/{}", side, one.key),
                         each(*values, [&](double value) { return unit * value; })});
    }
  }
  return google_benchmark_json(
      entries, regression.terms.confidence, regression.time, regression.machine,
      "macrobench regress",
      {{"base", side_of(regression.base)},
       {"head", side_of(regression.head)},
       {"unit", regression.terms.instructions ? "instructions, as ns" : "seconds, as ns"},
       {"not_compared", std::move(not_compared)}});
}

}  // namespace macrobench
