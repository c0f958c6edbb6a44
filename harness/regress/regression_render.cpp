#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "harness/regress/regression.hpp"
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

// --- XML ---------------------------------------------------------------------------------------

/// An attribute's value, on one line.
std::string xml(const std::string& text) {
  return escape_html(printable(text));
}

/// The element in which JUnit says how a test ended; empty if it has passed.
std::string_view junit_element(Verdict verdict) {
  switch (verdict) {
    case Verdict::failed:
      return "error";
    case Verdict::invalid:
    case Verdict::slower:
      return "failure";
    case Verdict::ambiguous:
    case Verdict::is_new:
    case Verdict::left_out:
      return "skipped";
    default:
      return "";
  }
}

/// The content of a case's element; empty if the test has passed.
std::string junit_outcome(const RegressionCase& one, const RegressionTerms& terms) {
  const std::string interval = interval_of(one, terms);
  const std::string message =
      one.ratio ? fmt::format("{}, ratio {}{}{}", change(one, terms), ratio_of(one),
                              interval.empty() ? "" : " (" + interval + ")",
                              remark(one).empty() ? "" : "; " + remark(one))
                : one.why;
  const std::string_view element = junit_element(one.verdict);
  if (element.empty()) return "";
  if (element == "skipped") {
    return fmt::format("<skipped message=\"{}: {}\"/>", to_string(one.verdict), xml(message));
  }
  return fmt::format("<{} type=\"{}\" message=\"{}\"/>", element, to_string(one.verdict),
                     xml(message));
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
          {"same_source", one.same_source},
          {"ratio", or_null(one.ratio)},
          {"interval", to_json(one.interval)},
          {"alarm", std::move(alarm)},
          {"base", samples(one.base)},
          {"head", samples(one.head)}};
}

// --- trackers ----------------------------------------------------------------------------------

/// One side of a case, in nanoseconds or instructions.
struct Tracked {
  std::string name;
  std::size_t pairs;
  double median;
  ConfidenceInterval interval;
};

std::vector<Tracked> tracked(const Regression& regression) {
  const double unit = regression.terms.instructions ? 1 : 1e9;
  std::vector<Tracked> all;
  for (const RegressionCase& one : regression.cases) {
    if (!one.ratio) continue;
    for (const auto& [side, values] :
         {std::pair("base", &one.base), std::pair("head", &one.head)}) {
      const ConfidenceInterval interval = interval_of_median(*values, regression.terms.confidence);
      all.push_back({.name = fmt::format("{}/{}", side, one.key),
                     .pairs = values->size(),
                     .median = unit * median(*values),
                     .interval = {unit * interval.low, unit * interval.high}});
    }
  }
  return all;
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
  Document document{.body = {Heading{conclusion(regression), 3},
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
                          "those of the base",
                          Column::Kind::words}},
                        std::move(untouched));
    grid.folded = fmt::format("{} case{} that nothing changed", cases, cases == 1 ? "" : "s");
    document.body.emplace_back(std::move(grid));
  }
  document.body.emplace_back(Paragraph{terms_in_words(regression)});
  return document;
}

std::string to_junit(const Regression& regression) {
  const auto ended_in = [&](std::string_view element) {
    return std::ranges::count_if(regression.cases, [&](const RegressionCase& one) {
      return junit_element(one.verdict) == element;
    });
  };
  const std::string totals =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\"",
                  regression.cases.size(), ended_in("failure"), ended_in("error"),
                  ended_in("skipped"), regression.seconds);
  std::string timestamp = regression.time;
  if (timestamp.ends_with('Z')) timestamp.pop_back();  // JUnit's have no zone
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {}>\n"
      "  <testsuite name=\"macrobench regress\" timestamp=\"{}\" hostname=\"{}\" {}>\n"
      "    <properties>\n",
      totals, xml(timestamp), xml(regression.machine), totals);
  const std::array<std::pair<const char*, std::string>, 5> properties{
      {{"base", side_of(regression.base)},
       {"head", side_of(regression.head)},
       {"pairs", std::to_string(regression.terms.pairs)},
       {"confidence", number(regression.terms.confidence)},
       {"threshold", number(regression.terms.threshold)}}};
  for (const auto& [name, value] : properties) {
    text += fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", name, xml(value));
  }
  text += "    </properties>\n";
  for (const RegressionCase* one : worst_first(regression)) {
    const std::string implementation = one->key.substr(0, one->key.find(' '));
    const bool is_time = !one->head.empty() && !regression.terms.instructions;
    const std::string time = is_time ? fmt::format(" time=\"{:.9f}\"", median(one->head)) : "";
    const std::string outcome = junit_outcome(*one, regression.terms);
    text += fmt::format("    <testcase classname=\"{}\" name=\"{}\"{}{}\n", xml(implementation),
                        xml(one->key), time,
                        outcome.empty() ? "/>" : fmt::format(">{}</testcase>", outcome));
  }
  return text + "  </testsuite>\n</testsuites>\n";
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
          {"summary", std::move(summary)},
          {"cases", std::move(cases)}};
}

ordered_json to_json(const std::optional<ConfidenceInterval>& interval) {
  return interval ? ordered_json::array({interval->low, interval->high}) : ordered_json(nullptr);
}

ordered_json to_google_benchmark(const Regression& regression) {
  ordered_json benchmarks = ordered_json::array();
  for (const Tracked& one : tracked(regression)) {
    benchmarks.push_back({{"name", one.name},
                          {"family_index", benchmarks.size()},
                          {"per_family_instance_index", 0},
                          {"run_name", one.name},
                          {"run_type", "iteration"},
                          {"repetitions", 1},
                          {"repetition_index", 0},
                          {"threads", 1},
                          {"iterations", one.pairs},
                          {"real_time", one.median},
                          {"cpu_time", one.median},
                          {"time_unit", "ns"},
                          {"low", one.interval.low},
                          {"high", one.interval.high}});
  }
  ordered_json not_compared = ordered_json::object();
  for (const RegressionCase& one : regression.cases) {
    if (!one.ratio) not_compared[one.key] = fmt::format("{}: {}", to_string(one.verdict), one.why);
  }
  return {{"context",
           {{"date", regression.time},
            {"host_name", regression.machine},
            {"executable", "macrobench regress"},
            {"num_cpus", 0},
            {"mhz_per_cpu", 0},
            {"cpu_scaling_enabled", false},
            {"caches", ordered_json::array()},
            {"load_avg", ordered_json::array()},
            {"library_build_type", "release"},
            {"base", side_of(regression.base)},
            {"head", side_of(regression.head)},
            {"unit", regression.terms.instructions ? "instructions, as ns" : "seconds, as ns"},
            {"not_compared", std::move(not_compared)}}},
          {"benchmarks", std::move(benchmarks)}};
}

ordered_json to_bencher(const Regression& regression) {
  ordered_json all = ordered_json::object();
  const char* measure = regression.terms.instructions ? "instructions" : "latency";
  for (const Tracked& one : tracked(regression)) {
    all[one.name][measure] = {{"value", one.median},
                              {"lower_value", one.interval.low},
                              {"upper_value", one.interval.high}};
  }
  return all;
}

ordered_json to_action_benchmark(const Regression& regression) {
  ordered_json all = ordered_json::array();
  for (const Tracked& one : tracked(regression)) {
    const double reach = std::max(one.interval.high - one.median, one.median - one.interval.low);
    all.push_back({{"name", one.name},
                   {"unit", regression.terms.instructions ? "instructions" : "ns"},
                   {"value", one.median},
                   {"range", fmt::format("± {}", to_nine_digits(reach))},
                   {"extra", fmt::format("median of {} on {}", one.pairs, regression.machine)}});
  }
  return all;
}

}  // namespace macrobench
