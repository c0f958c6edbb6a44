#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/text/each.hpp"
#include "harness/text/format.hpp"
#include "paper_tables/fidelity/fidelity.hpp"

namespace macrobench {

namespace {

using enum Column::Kind;

std::string ratio(const std::optional<double>& value) {
  return value ? fmt::format("{:.3f}", *value) : "";
}

std::string interval(const std::optional<ConfidenceInterval>& its) {
  return its ? fmt::format("{:.3f} to {:.3f}", its->low, its->high) : "";
}

std::optional<double> low_of(const PairedRatio& its) {
  return its.interval ? std::optional(its.interval->low) : std::nullopt;
}
std::optional<double> high_of(const PairedRatio& its) {
  return its.interval ? std::optional(its.interval->high) : std::nullopt;
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
                           [](const ArrayApart& array) {
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

/// One original on one machine.
struct OriginalRow {
  const MachineFidelity* machine;
  const JudgedOriginal* original;
};

std::vector<OriginalRow> rows_of(std::span<const MachineFidelity> machines) {
  std::vector<OriginalRow> rows;
  for (const MachineFidelity& machine : machines) {
    for (const JudgedOriginal& one : machine.originals) rows.push_back({&machine, &one});
  }
  return rows;
}

/// With the columns that name an original, which `row_of` finds.
template <class One, class Get>
SheetOf<One> sheet_by_original(const char* name, std::vector<std::string> more_keys, Get row_of,
                               const char* caption = "") {
  std::vector<std::string> keys{"machine", "original"};
  keys.insert(keys.end(), more_keys.begin(), more_keys.end());
  SheetOf<One> sheet(name, std::move(keys), caption);
  sheet.data("machine", [=](const One& one) { return row_of(one).machine->machine; })
      .data("original", [=](const One& one) { return row_of(one).original->id(); });
  return sheet;
}

/// The same for a row with the member `of`.
template <class One>
SheetOf<One> sheet_by(const char* name, std::vector<std::string> more_keys, const char* caption) {
  SheetOf<One> sheet = sheet_by_original<One>(
      name, std::move(more_keys), [](const One& one) { return one.of; }, caption);
  sheet.reader({"original", words, Column::Place::above},
               [](const One& one) { return one.of.original->id(); });
  return sheet;
}

Sheet originals_of(std::span<const MachineFidelity> machines) {
  using One = OriginalRow;
  const auto of_measurement = [](auto get) {
    return through([](const One& one) -> const auto& { return one.original->measurement; }, get);
  };
  return sheet_by_original<One>("originals", {}, [](const One& one) { return one; })
      .data("counterpart", [](const One& one) { return one.original->original.counterpart_id(); })
      .data("summary", [](const One& one) { return one.original->original.summary; })
      .data("source", [](const One& one) { return one.original->original.source; })
      .data("commit_meant", [](const One& one) { return one.original->original.commit; })
      .data("verdict", [](const One& one) { return to_string(one.original->verdict); })
      .data("why", [](const One& one) { return one.original->why; })
      .data("time", of_measurement(&Measurement::time))
      .data("rounds", of_measurement(&Measurement::rounds))
      .data("their_commit",
            of_measurement([](const Measurement& its) { return its.theirs.commit; }))
      .data("our_commit", of_measurement([](const Measurement& its) { return its.ours.commit; }))
      .of(rows_of(machines));
}

/// One size of an original.
struct SizeRow {
  OriginalRow of;
  const JudgedCase* size;
};

std::vector<SizeRow> sizes_in(std::span<const MachineFidelity> machines) {
  return rows_below<SizeRow>(
      rows_of(machines), [](const OriginalRow& one) -> const auto& { return one.original->cases; });
}

Sheet cases_of(std::span<const MachineFidelity> machines) {
  using One = SizeRow;
  return sheet_by_original<One>(
             "cases", {"size"}, [](const One& one) { return one.of; },
             "Seconds of a solution, the original's over ours")
      .reader({"programs", words, Column::Place::above},
              [](const One& one) {
                const JudgedOriginal& its = *one.of.original;
                return fmt::format("{} beside {}: {}", its.id(), its.original.counterpart_id(),
                                   to_string(its.verdict));
              })
      .data("counterpart",
            [](const One& one) { return one.of.original->original.counterpart_id(); })
      .column("size", {"size", words}, [](const One& one) { return one.size->name; })
      .data("verdict", [](const One& one) { return to_string(one.size->verdict); })
      .column({"theirs", "s"}, {"theirs"}, [](const One& one) { return one.size->theirs; })
      .column({"ours", "s"}, {"ours"}, [](const One& one) { return one.size->ours; })
      .column(
          "ratio", {"median of the rounds' ratios"},
          [](const One& one) { return one.size->time.ratio; },
          [](const One& one) { return ratio(one.size->time.ratio); })
      .reader({"95% interval"}, [](const One& one) { return interval(one.size->time.interval); })
      .data("ratio_low", [](const One& one) { return low_of(one.size->time); })
      .data("ratio_high", [](const One& one) { return high_of(one.size->time); })
      .reader({"iterations"}, [](const One& one) { return iterations(one.size->measured); })
      .data("their_iterations",
            [](const One& one) { return one.size->measured.original.iterations; })
      .data("our_iterations",
            [](const One& one) { return one.size->measured.counterpart.iterations; })
      .column("largest_difference", {"largest difference", words},
              [](const One& one) { return apart(one.size->measured); })
      .column("why", {"why", words, Column::Place::below},
              [](const One& one) { return one.size->why; })
      .of(sizes_in(machines));
}

struct DifferenceRow {
  OriginalRow of;
  const KnownDifference* difference;
  std::optional<Share> share;
};

Sheet differences_of(std::span<const MachineFidelity> machines) {
  using One = DifferenceRow;
  std::vector<One> rows;
  for (const OriginalRow& original : rows_of(machines)) {
    for (const KnownDifference& one : original.original->original.differences) {
      rows.push_back({original, &one, share_of(*original.original, one)});
    }
  }
  const auto of_share = [](auto get) {
    return through(&One::share, [=](const Share& its) { return std::invoke(get, its.time); });
  };
  return sheet_by<One>("differences", {"difference"}, "Known differences")
      .column("difference", {"difference", words},
              [](const One& one) { return one.difference->name; })
      .column("of_our_time", {"of our time"}, of_share(&PairedRatio::ratio),
              [](const One& one) { return one.share ? percent(one.share->time) : ""; })
      .data("of_our_time_low", of_share(low_of))
      .data("of_our_time_high", of_share(high_of))
      .column("at", {"at", words}, [](const One& one) { return one.share ? one.share->size : ""; })
      .column("says", {"what", words, Column::Place::below},
              [](const One& one) { return one.difference->says; })
      .of(rows);
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

struct FigureRow {
  OriginalRow of;
  const JudgedFigure* figure;
};

Sheet figures_of(std::span<const MachineFidelity> machines) {
  using One = FigureRow;
  const std::vector<One> rows =
      rows_below<One>(rows_of(machines),
                      [](const OriginalRow& one) -> const auto& { return one.original->figures; });
  return sheet_by<One>("figures", {"figure", "case"}, "Printed figures")
      .column("figure", {"figure", words},
              [](const One& one) { return one.figure->printed.figure; })
      .data("case", [](const One& one) { return name_of(one.figure->printed.parameters); })
      .column("printed", {"printed"}, [](const One& one) { return one.figure->printed.printed; })
      .column(
          "ours", {"ours"}, [](const One& one) { return one.figure->value; },
          [](const One& one) {
            return one.figure->value ? fmt::format("{:.12g}", *one.figure->value) : "";
          })
      .column(
          "first_digit_that_differs", {"first digit that differs", words},
          [](const One& one) { return one.figure->differs; },
          [](const One& one) { return digit_of(*one.figure); })
      .column("where", {"where", words}, [](const One& one) { return one.figure->printed.where; })
      .data("why", [](const One& one) { return one.figure->why; })
      .of(rows);
}

struct RatioRow {
  const MachineFidelity* machine;
  const PrintedRatio* what;
  const JudgedRatio::At* at;
};

Sheet ratios_of(std::span<const MachineFidelity> machines) {
  using One = RatioRow;
  std::vector<One> rows;
  for (const MachineFidelity& machine : machines) {
    for (const JudgedRatio& one : machine.ratios) {
      for (const JudgedRatio::At& at : one.sizes) rows.push_back({&machine, &one.what, &at});
    }
  }
  return SheetOf<One>("ratios", {"machine", "ratio", "where", "size"},
                      "Printed ratios of times, and the authors’ own programs’ here")
      .data("machine", [](const One& one) { return one.machine->machine; })
      .column(
          "ratio", {"ratio", words, Column::Place::above},
          [](const One& one) { return one.what->name; },
          [](const One& one) {
            return fmt::format("{} ({}): {} over {}", one.what->name, one.what->where, one.what->of,
                               one.what->over);
          })
      .data("where", [](const One& one) { return one.what->where; })
      .data("of", [](const One& one) { return one.what->of; })
      .data("over", [](const One& one) { return one.what->over; })
      .column("size", {"size", words}, [](const One& one) { return one.at->size; })
      .column("printed", {"published"}, [](const One& one) { return one.at->printed; })
      .column("here", {"here"}, [](const One& one) { return one.at->measured; })
      .column(
          "is_reversed", {"", words}, [](const One& one) { return one.at->is_reversed(); },
          [](const One& one) { return one.at->is_reversed() ? "reversed" : ""; })
      .of(rows);
}

/// A row for each published implementation and its original, with its verdict on each machine.
Grid verdicts_of(const Fidelity& fidelity) {
  std::vector<Column> columns = columns_of({"ours", "original"}, {});
  for (const MachineFidelity& machine : fidelity.machines) {
    columns.push_back({machine.machine.empty() ? "verdict" : machine.machine, words});
  }
  std::vector<Row> rows;
  const std::size_t originals =
      fidelity.machines.empty() ? 0 : fidelity.machines.front().originals.size();
  for (std::size_t i = 0; i < originals; ++i) {
    const JudgedOriginal& its = fidelity.machines.front().originals[i];
    Row& row = rows.emplace_back(Row{{its.original.counterpart_id(), its.id()}});
    for (const MachineFidelity& machine : fidelity.machines) {
      const JudgedOriginal& one = machine.originals.at(i);
      const bool is_said = one.verdict == FidelityVerdict::undecided && !one.why.empty();
      row.cells.emplace_back(to_string(one.verdict) + (is_said ? ": " + one.why : ""));
    }
  }
  for (const std::string& name : fidelity.unnamed) {
    rows.push_back({{name, "none that we know"}});
  }
  return grid_of(std::move(columns), std::move(rows));
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

}  // namespace

Document document_of(const Fidelity& fidelity) {
  Document document{.title = "Fidelity: published implementations beside the authors’ programs"};
  document.body.emplace_back(verdicts_of(fidelity));
  for (const MachineFidelity& machine : fidelity.machines) {
    document.body.emplace_back(Paragraph{answer_of(machine)});
  }
  Notes notes;
  for (const MachineFidelity& machine : fidelity.machines) {
    if (fidelity.machines.size() > 1) document.body.emplace_back(Heading{machine.machine_text});
    const std::span one(&machine, 1);
    for (const Sheet& sheet :
         {cases_of(one), ratios_of(one), differences_of(one), figures_of(one)}) {
      append(document.body, blocks_of(sheet, notes));
    }
    List sources = sources_of(machine);
    if (!sources.items.empty()) document.body.emplace_back(std::move(sources));
  }
  document.body.emplace_back(Paragraph{fmt::format(
      "Theirs is the solution by the original’s own clock, or its whole process if it prints no "
      "time; ours is a first solution. Both were taken in turn, a process each: the ratio is the "
      "median of the rounds' own ratios, not the ratio of the two medians beside it. One "
      "stands for the other if the whole interval of the ratio is within {} to {} at every size, "
      "up to the largest published, at the commit that is meant, policies are within a point of "
      "the grid, and other values within what both certificates allow together. Iterations are "
      "given as the original’s, then ours. The cost of a difference is our time with it over ours "
      "without.",
      lowest_faithful_ratio, highest_faithful_ratio)});
  return document;
}

std::vector<Sheet> sheets_of(const Fidelity& fidelity) {
  const std::span<const MachineFidelity> all = fidelity.machines;
  return {cases_of(all), originals_of(all), differences_of(all), figures_of(all), ratios_of(all)};
}

}  // namespace macrobench
