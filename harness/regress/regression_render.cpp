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
  const std::string limit = number(100 * (terms.threshold - 1));
  if (terms.instructions) {
    return fmt::format(
        "Instructions of a first solution, counted once by callgrind. Slower: more than {}% more.",
        limit);
  }
  return fmt::format(
      "{} pairs of processes per case, base and head alternately; from each process its least "
      "disturbed solution. The ratio is the median of the pairs' head over base, with its {}% "
      "interval. Slower: the whole interval is above {}, and so is that of as many fresh "
      "pairs, which are then shown.",
      terms.pairs, number(100 * terms.confidence), number(terms.threshold));
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
    rows.push_back({{strong(to_string(one->verdict)), one->key, side(one->base), side(one->head),
                     one->ratio ? change(*one, terms) : "", ratio_of(*one),
                     interval_of(*one, terms), remark(*one)}});
  }
  using enum Column::Kind;
  return grid_of({{"verdict", words},
                  {"case", words},
                  {"base"},
                  {"head"},
                  {"change"},
                  {"ratio"},
                  {"interval"},
                  {"", words, Column::Place::below}},
                 std::move(rows));
}

// --- data --------------------------------------------------------------------------------------

std::optional<double> median_of(const std::vector<double>& values) {
  return values.empty() ? std::nullopt : std::optional(median(values));
}

Sheet cases_of(const Regression& regression) {
  using One = const RegressionCase*;
  const auto interval = [](const One& one) -> const auto& { return one->interval; };
  const auto alarm = [](const One& one) -> const auto& { return one->alarm; };
  const auto alarm_end = [=](double ConfidenceInterval::* end) {
    return through(alarm, [end](const RegressionAlarm& its) { return its.interval.*end; });
  };
  return SheetOf<One>("cases", {"case"})
      .data("case", [](const One& one) { return one->key; })
      .data("verdict", [](const One& one) { return to_string(one->verdict); })
      .data("why", [](const One& one) { return one->why; })
      .data("advice", [](const One& one) { return one->advice; })
      .data("smaller_than", [](const One& one) { return one->usual; })
      .data("same_source", [](const One& one) { return one->same_source; })
      .data("base", [](const One& one) { return median_of(one->base); })
      .data("head", [](const One& one) { return median_of(one->head); })
      .data("ratio", [](const One& one) { return one->ratio; })
      .data("ratio_low", through(interval, &ConfidenceInterval::low))
      .data("ratio_high", through(interval, &ConfidenceInterval::high))
      .data("alarm_ratio", through(alarm, &RegressionAlarm::ratio))
      .data("alarm_ratio_low", alarm_end(&ConfidenceInterval::low))
      .data("alarm_ratio_high", alarm_end(&ConfidenceInterval::high))
      .of(worst_first(regression));
}

/// Measured one right after the other.
struct MeasuredPair {
  const RegressionCase* of;
  bool is_of_alarm;
  std::size_t pair;
  double base, head;
};

Sheet pairs_of(const Regression& regression) {
  using One = MeasuredPair;
  std::vector<One> rows;
  for (const RegressionCase* one : worst_first(regression)) {
    const auto add = [&](const std::vector<double>& base, const std::vector<double>& head,
                         bool is_of_alarm) {
      for (std::size_t i = 0; i < std::min(base.size(), head.size()); ++i) {
        rows.push_back({one, is_of_alarm, i + 1, base[i], head[i]});
      }
    };
    if (one->alarm) add(one->alarm->base, one->alarm->head, true);
    add(one->base, one->head, false);
  }
  return SheetOf<One>("pairs", {"case", "is_of_alarm", "pair"})
      .data("case", [](const One& one) { return one.of->key; })
      .data("is_of_alarm", &One::is_of_alarm)
      .data("pair", &One::pair)
      .data("base", &One::base)
      .data("head", &One::head)
      .of(rows);
}

Sheet counts_of_verdicts(const Regression& regression) {
  using One = std::pair<Verdict, int>;
  std::map<Verdict, int> counts = counts_of(regression);
  std::vector<One> rows;
  for (int i = 0; i <= static_cast<int>(Verdict::left_out); ++i) {
    const auto verdict = static_cast<Verdict>(i);
    rows.emplace_back(verdict, counts[verdict]);
  }
  return SheetOf<One>("counts", {"verdict"})
      .data("verdict", [](const One& one) { return to_string(one.first); })
      .data("cases", &One::second)
      .of(rows);
}

Sheet run_of(const Regression& regression, ExitCode code) {
  using One = Regression;
  const auto side = [](RegressionSide One::* its, auto member) {
    return [=](const One& one) { return one.*its.*member; };
  };
  return SheetOf<One>("run", {"head"})
      .data("base", side(&One::base, &RegressionSide::name))
      .data("base_commit", side(&One::base, &RegressionSide::commit))
      .data("base_is_dirty", side(&One::base, &RegressionSide::dirty))
      .data("head", side(&One::head, &RegressionSide::name))
      .data("head_commit", side(&One::head, &RegressionSide::commit))
      .data("head_is_dirty", side(&One::head, &RegressionSide::dirty))
      .data("machine", &One::machine)
      .data("time", &One::time)
      .data({"seconds", "s"}, &One::seconds)
      .data("unit", [](const One& one) { return one.terms.instructions ? "instructions" : "s"; })
      .data("pairs", [](const One& one) { return one.terms.pairs; })
      .data("confidence", [](const One& one) { return one.terms.confidence; })
      .data("threshold", [](const One& one) { return one.terms.threshold; })
      .data("exit_code", [code](const One&) { return static_cast<int>(code); })
      .data("left_out", left_out_of)
      .of(std::vector{regression});
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

std::vector<Sheet> sheets_of(const Regression& regression, ExitCode code) {
  return {cases_of(regression), pairs_of(regression), counts_of_verdicts(regression),
          run_of(regression, code)};
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
