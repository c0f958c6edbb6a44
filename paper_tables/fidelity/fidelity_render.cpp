#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "harness/records/record_json.hpp"
#include "harness/text/csv.hpp"
#include "harness/text/each.hpp"
#include "harness/text/format.hpp"
#include "harness/text/json_values.hpp"
#include "paper_tables/fidelity/fidelity.hpp"

namespace macrobench {

namespace {

using nlohmann::ordered_json;

std::string seconds(const std::optional<double>& value) {
  return value ? format_duration(*value) : "";
}

std::string ratio(const std::optional<double>& value) {
  return value ? fmt::format("{:.3f}", *value) : "";
}

std::string interval(const std::optional<ConfidenceInterval>& its) {
  return its ? fmt::format("{:.3f} to {:.3f}", its->low, its->high) : "";
}

/// "1,353", or both, theirs first, if they differ.
std::string iterations(const MeasuredCase& one) {
  const auto count = [](const std::optional<std::int64_t>& its) {
    return its ? with_separators(static_cast<double>(*its)) : std::string("?");
  };
  const std::string theirs = count(one.original.iterations);
  const std::string ours = count(one.counterpart.iterations);
  return theirs == ours ? ours : theirs + "; " + ours;
}

/// "V 2.6e-13, policy 1 point"
std::string apart(const MeasuredCase& one) {
  return fmt::format(
      "{}", fmt::join(each(one.arrays,
                           [](const MeasuredArray& array) {
                             if (!array.points) {
                               return fmt::format("{} {:.2g}", array.name, array.largest);
                             }
                             return fmt::format("{} {:g} point{}", array.name, *array.points,
                                                *array.points == 1 ? "" : "s");
                           }),
                      ", "));
}

/// What a known difference costs, at the largest size where a variant shows it.
struct Share {
  PairedRatio time;
  std::string size;
};

std::optional<Share> share_of(const JudgedOriginal& one, const KnownDifference& difference) {
  std::optional<Share> found;
  for (const JudgedCase& its : one.cases) {
    for (std::size_t i = 0; i < its.variants.size(); ++i) {
      if (its.measured.variants[i].difference != difference.name || !its.variants[i].ratio)
        continue;
      found = {its.variants[i], its.name};
    }
  }
  return found;
}

/// "+21%", and its interval
std::string percent(const PairedRatio& time) {
  const auto words = [](double its) { return fmt::format("{:+.0f}%", 100 * (its - 1)); };
  if (!time.interval) return words(*time.ratio);
  return fmt::format("{} ({} to {})", words(*time.ratio), words(time.interval->low),
                     words(time.interval->high));
}

std::string counted(int count, const char* one, const char* several) {
  return fmt::format("{} {}", count, count == 1 ? one : several);
}

/// "7 of 12 stand for the original on AMD EPYC, 2 cores; 2 are undecided; ..."
std::string answer_of(const MachineFidelity& machine) {
  using enum FidelityVerdict;
  const int missing = machine.count(not_measured);
  const int secret = machine.count(no_source);
  const int all = static_cast<int>(machine.originals.size()) - missing - secret;
  std::string text;
  if (all == 0) {
    text = machine.machine.empty()
               ? std::string("No original was measured anywhere yet")
               : fmt::format("No original was measured on {}", machine.machine_text);
  } else {
    const int stand = machine.count(stands);
    text = fmt::format("{} of {} {} for the original on {}", stand, all,
                       stand == 1 ? "stands" : "stand", machine.machine_text);
    const auto add = [&](FidelityVerdict verdict, const char* one, const char* several) {
      if (const int count = machine.count(verdict); count > 0) {
        text += "; " + counted(count, one, several);
      }
    };
    add(undecided, "is undecided", "are undecided");
    add(other_time, "has the same values in another time", "have the same values in another time");
    add(other_values, "has other values", "have other values");
  }
  if (missing > 0 && all > 0) text += fmt::format("; {} not measured there", missing);
  if (secret > 0) text += "; " + counted(secret, "has", "have") + " no public source";
  return text + ".";
}

Grid verdicts_of(const MachineFidelity& machine) {
  std::vector<Row> rows;
  for (const JudgedOriginal& one : machine.originals) {
    rows.push_back({{one.original.counterpart_id(), one.id(), to_string(one.verdict), one.why}});
  }
  std::vector<Column> columns = columns_of({"ours", "original", "verdict", "why"}, {});
  columns.back().place = Column::Place::below;
  return grid_of(std::move(columns), std::move(rows));
}

Grid cases_of(const MachineFidelity& machine) {
  std::vector<Row> rows;
  for (const JudgedOriginal& one : machine.originals) {
    const std::string name = fmt::format("{} beside {}: {}", one.id(),
                                         one.original.counterpart_id(), to_string(one.verdict));
    for (const JudgedCase& its : one.cases) {
      rows.push_back(
          {{name, its.name, seconds(its.theirs), seconds(its.ours), ratio(its.time.ratio),
            interval(its.time.interval), iterations(its.measured), apart(its.measured), its.why}});
    }
  }
  std::vector<Column> columns =
      columns_of({"programs", "size"}, {"theirs", "ours", "ratio", "95% interval", "iterations"},
                 {"largest difference", "why"});
  columns.front().place = Column::Place::above;
  columns.back().place = Column::Place::below;
  return grid_of(std::move(columns), std::move(rows),
                 "Seconds of a solution, the original's over ours");
}

Grid differences_of(const MachineFidelity& machine) {
  std::vector<Row> rows;
  for (const JudgedOriginal& one : machine.originals) {
    for (const KnownDifference& difference : one.original.differences) {
      const std::optional<Share> share = share_of(one, difference);
      rows.push_back({{one.id(), difference.name, share ? percent(share->time) : "",
                       share ? share->size : "", difference.says}});
    }
  }
  std::vector<Column> columns =
      columns_of({"original", "difference"}, {"of our time"}, {"at", "what"});
  columns.front().place = Column::Place::above;
  columns.back().place = Column::Place::below;
  return grid_of(std::move(columns), std::move(rows), "Known differences");
}

/// "the fourth"; "none" if all agree
std::string digit_of(const JudgedFigure& one) {
  if (!one.differs) return one.why.empty() ? "not measured" : one.why;
  if (*one.differs == 0) return "none";
  constexpr const char* ordinals[] = {"first", "second",  "third",  "fourth", "fifth",
                                      "sixth", "seventh", "eighth", "ninth",  "tenth"};
  if (*one.differs <= 10) return std::string("the ") + ordinals[*one.differs - 1];
  return fmt::format("the {}th", *one.differs);
}

Grid figures_of(const MachineFidelity& machine) {
  std::vector<Row> rows;
  for (const JudgedOriginal& one : machine.originals) {
    for (const JudgedFigure& its : one.figures) {
      rows.push_back({{one.id(), its.printed.figure, its.printed.printed,
                       its.value ? fmt::format("{:.12g}", *its.value) : "", digit_of(its),
                       its.printed.where}});
    }
  }
  std::vector<Column> columns = columns_of({"original", "figure"}, {"printed", "ours"},
                                           {"first digit that differs", "where"});
  columns.front().place = Column::Place::above;
  return grid_of(std::move(columns), std::move(rows), "Printed figures");
}

Grid ratios_of(const MachineFidelity& machine) {
  std::vector<Row> rows;
  for (const JudgedRatio& one : machine.ratios) {
    const std::string name = fmt::format("{} ({}): {} over {}", one.what.name, one.what.where,
                                         one.what.of, one.what.over);
    for (const JudgedRatio::At& at : one.sizes) {
      rows.push_back({{name, at.size, format_number(at.printed), format_number(at.measured),
                       at.is_reversed() ? "reversed" : ""}});
    }
  }
  std::vector<Column> columns = columns_of({"ratio", "size"}, {"published", "here"}, {""});
  columns.front().place = Column::Place::above;
  return grid_of(std::move(columns), std::move(rows),
                 "Printed ratios of times, and the authors’ own programs’ here");
}

void add(Document& document, Grid grid) {
  if (rows_in(grid) > 0) document.body.emplace_back(std::move(grid));
}

/// "77337d50, with changes"
std::string text_of(const Checkout& checkout) {
  if (checkout.commit.empty()) return "an unknown commit";
  return checkout.commit.substr(0, 8) + (checkout.changed ? " with changes" : "");
}

/// What was measured, and where from.
List sources_of(const MachineFidelity& machine) {
  List list;
  for (const JudgedOriginal& one : machine.originals) {
    if (!one.measurement) continue;
    const Measurement& its = *one.measurement;
    std::string text =
        fmt::format("{}: {} at {}, {} rounds, {}, beside ours at {}", one.id(), one.original.source,
                    text_of(its.theirs), its.rounds, its.time, text_of(its.ours));
    if (!its.theirs.commit.empty() && !its.theirs.commit.starts_with(one.original.commit)) {
      text += fmt::format("; {} is meant", one.original.commit.substr(0, 8));
    }
    list.items.push_back({text + "."});
  }
  return list;
}

ordered_json json_of(const PairedRatio& its) {
  ordered_json json{{"ratio", or_null(its.ratio)}, {"interval", nullptr}};
  if (its.interval) json["interval"] = {its.interval->low, its.interval->high};
  return json;
}

ordered_json json_of(const JudgedCase& one) {
  const MeasuredCase& its = one.measured;
  ordered_json json{{"parameters", to_json(its.parameters)},
                    {"verdict", to_string(one.verdict)},
                    {"why", or_null(one.why)},
                    {"their_seconds", or_null(one.theirs)},
                    {"our_seconds", or_null(one.ours)}};
  json.update(json_of(one.time));
  json["their_iterations"] = or_null(its.original.iterations);
  json["our_iterations"] = or_null(its.counterpart.iterations);
  json["arrays"] = ordered_json::array();
  for (const MeasuredArray& array : its.arrays) {
    json["arrays"].push_back(
        {{"name", array.name}, {"largest", array.largest}, {"points", or_null(array.points)}});
  }
  for (std::size_t i = 0; i < one.variants.size(); ++i) {
    json["variants"][its.variants[i].difference] = json_of(one.variants[i]);
  }
  return json;
}

ordered_json json_of(const JudgedFigure& one) {
  return {{"figure", one.printed.figure},   {"parameters", to_json(one.printed.parameters)},
          {"printed", one.printed.printed}, {"where", one.printed.where},
          {"ours", or_null(one.value)},     {"first_differing_digit", or_null(one.differs)},
          {"why", or_null(one.why)}};
}

ordered_json json_of(const JudgedRatio& one) {
  const auto size = [](const JudgedRatio::At& at) -> ordered_json {
    return {{"size", at.size},
            {"printed", at.printed},
            {"measured", at.measured},
            {"is_reversed", at.is_reversed()}};
  };
  return {{"name", one.what.name},
          {"where", one.what.where},
          {"of", one.what.of},
          {"over", one.what.over},
          {"sizes", each(one.sizes, size)}};
}

ordered_json json_of(const JudgedOriginal& one) {
  ordered_json json{{"paper", one.paper},
                    {"original", one.original.name},
                    {"summary", one.original.summary},
                    {"source", or_null(one.original.source)},
                    {"counterpart", one.original.counterpart_id()},
                    {"verdict", to_string(one.verdict)},
                    {"why", or_null(one.why)}};
  if (one.measurement) {
    json["time"] = one.measurement->time;
    json["rounds"] = one.measurement->rounds;
    json["their_commit"] = or_null(one.measurement->theirs.commit);
    json["our_commit"] = or_null(one.measurement->ours.commit);
  }
  json["cases"] = each(one.cases, [](const JudgedCase& its) { return json_of(its); });
  json["differences"] = each(one.original.differences, [](const KnownDifference& its) {
    return ordered_json{{"name", its.name}, {"says", its.says}};
  });
  json["fingerprints"] = each(one.figures, [](const JudgedFigure& its) { return json_of(its); });
  return json;
}

}  // namespace

Document document_of(const Fidelity& fidelity) {
  Document document{.title = "Fidelity: published implementations beside the authors’ programs"};
  for (const MachineFidelity& machine : fidelity.machines) {
    document.body.emplace_back(Paragraph{answer_of(machine)});
  }
  for (const MachineFidelity& machine : fidelity.machines) {
    if (fidelity.machines.size() > 1) document.body.emplace_back(Heading{machine.machine_text});
    add(document, verdicts_of(machine));
    add(document, cases_of(machine));
    add(document, ratios_of(machine));
    add(document, differences_of(machine));
    add(document, figures_of(machine));
    List sources = sources_of(machine);
    if (!sources.items.empty()) document.body.emplace_back(std::move(sources));
  }
  if (!fidelity.unnamed.empty()) {
    document.body.emplace_back(Paragraph{fmt::format(
        "Not measured, and no original of them is named: {}.", fmt::join(fidelity.unnamed, ", "))});
  }
  document.body.emplace_back(Paragraph{fmt::format(
      "Theirs is the solution by the original’s own clock, or its whole process if it prints no "
      "time; ours is a first solution. Both were taken in turn, a process each. One stands for the "
      "other if the whole interval of the ratio is within {} to {} at every size, policies are "
      "within a point of the grid, and other values within what both certificates allow together. "
      "Iterations are given as the original’s, then ours. The cost of a difference is our time "
      "with it over ours without.",
      lowest_faithful_ratio, highest_faithful_ratio)});
  return document;
}

ordered_json to_json(const Fidelity& fidelity) {
  const auto machine = [](const MachineFidelity& its) -> ordered_json {
    ordered_json counts;
    for (const FidelityVerdict verdict : all_fidelity_verdicts) {
      counts[to_string(verdict)] = its.count(verdict);
    }
    return {
        {"machine", or_null(its.machine)},
        {"text", or_null(its.machine_text)},
        {"verdicts", std::move(counts)},
        {"originals", each(its.originals, [](const JudgedOriginal& one) { return json_of(one); })},
        {"ratios", each(its.ratios, [](const JudgedRatio& one) { return json_of(one); })}};
  };
  return {{"schema", 1},
          {"machines", each(fidelity.machines, machine)},
          {"without_original", fidelity.unnamed}};
}

std::string to_csv(const Fidelity& fidelity) {
  ordered_json rows = ordered_json::array();
  for (const MachineFidelity& machine : fidelity.machines) {
    for (const JudgedOriginal& one : machine.originals) {
      ordered_json row{{"machine", machine.machine},
                       {"original", one.id()},
                       {"counterpart", one.original.counterpart_id()},
                       {"verdict", to_string(one.verdict)}};
      if (one.cases.empty()) rows.push_back(row);
      for (const JudgedCase& its : one.cases) {
        ordered_json& added = rows.emplace_back(row);
        added.update(json_of(its));
        added["size"] = its.name;
        added["verdict"] = to_string(its.verdict);
        if (!its.time.interval) continue;
        added["interval_low"] = its.time.interval->low;
        added["interval_high"] = its.time.interval->high;
      }
    }
  }
  return to_csv(
      {"machine", "original", "counterpart", "size", "verdict", "their_seconds", "our_seconds",
       "ratio", "interval_low", "interval_high", "their_iterations", "our_iterations", "why"},
      rows);
}

}  // namespace macrobench
