#include "paper_tables/claims/claims_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "harness/model/registry.hpp"
#include "paper_tables/cells/bounds.hpp"
#include "paper_tables/cells/cell.hpp"
#include "paper_tables/cells/find.hpp"
#include "paper_tables/cells/machine_cells.hpp"
#include "paper_tables/cells/plan.hpp"
#include "paper_tables/cells/prices.hpp"
#include "paper_tables/cells/table.hpp"

namespace macrobench {

namespace {

/// A constant is what the model derives from parameters alone: the same on every machine.
bool is_evidence(const Cell& cell) {
  return cell.value && (cell.status == Status::measured || cell.status == Status::computed ||
                        cell.status == Status::constant);
}

/// Whether a cell is evidence only for a claim that admits it.
bool is_near_extrapolation(const Cell& cell) {
  return cell.value && cell.status == Status::extrapolated &&
         cell.reach.value_or(HUGE_VAL) <= longest_reach;
}

/// What the cell's number replaces its own case with, if it does.
Reason stand_in(const Cell& cell) {
  if (cell.status == Status::extrapolated) return to_string(cell.status);
  return cell.status == Status::computed ? cell.why : Reason();
}

/// Where the ratio of two cells may be.
ConfidenceInterval interval_of(const Cell& cell, const Cell& other) {
  const auto [least, most] = interval_of(cell);
  const auto [low, high] = interval_of(other);
  // A figure may be below zero.
  const auto [from, to] = std::minmax({least / low, least / high, most / low, most / high});
  return {from, to};
}

/// Of a ratio none.
std::string unit_of(const ClaimQuantity& quantity) {
  if (quantity.baseline) return "1";
  const std::string& unit = quantity.row.row.unit;
  return quantity.row.price == PriceOf::nothing ? unit : unit + " × dollars";
}

/// "12,499.2", "84†".
std::optional<double> number_in_print(const RowDefinition& row, std::size_t column) {
  std::string printed = row.published[column].value_or("");
  if (const std::size_t mark = printed.find("†"); mark != std::string::npos) printed.erase(mark);
  return printed_number(printed);
}

/// Of another row, in the column that is like the one given.
std::optional<double> number_in_print(const RowReference& reference, const Definition& table,
                                      const ColumnDefinition& column, Definitions& all) {
  const std::optional<RowPlace> its = find_row(reference, {.table = &table}, all);
  if (!its) return std::nullopt;
  const std::optional<std::size_t> there = find_like(*its->table, column);
  return there ? number_in_print(*its->row, *there) : std::nullopt;
}

/// Multiplies times by dollars; without a known price they are no evidence.
std::vector<Cell> priced(std::vector<Cell> cells, PriceOf price, const Prices& prices) {
  if (price == PriceOf::nothing) return cells;
  const std::optional<double> usd = price == PriceOf::gpu ? prices.gpu_usd : prices.cpu_usd;
  for (Cell& cell : cells) {
    if (!cell.value) continue;
    if (usd) {
      *cell.value *= *usd;
      if (cell.interval) cell.interval = {cell.interval->low * *usd, cell.interval->high * *usd};
    } else {
      cell = {.status = Status::not_run,
              .why = fmt::format("the price of the {} is not known",
                                 price == PriceOf::gpu ? "GPU" : "CPU")};
    }
  }
  return cells;
}

/// Judges by the cells of a machine's records and by those in print.
class ClaimJudge {
 public:
  ClaimJudge(Definitions& all, const Lookup& lookup, const Machine& machine, const Scaling& scaling)
      : all_(all),
        lookup_(lookup),
        machine_(machine),
        scaling_(scaling),
        prices_(prices_of(all.folder(), "name", gpu_name(machine))),
        cores_(machine.block.contains("cpu") ? machine.cores() : 0) {}

  JudgedClaim judge(const Claim& claim) {
    JudgedClaim judged{.claim = &claim};
    if (claim.is_fact) judged.verdict = ClaimVerdict::fact;
    if (claim.scaling) return judge_scaling(std::move(judged), *claim.scaling);
    if (claim.readings.empty()) return judged;
    for (const Reading& reading : claim.readings) {
      if (claim.cores.value_or(0) <= cores_) {
        judged.answers.push_back(answer(claim, reading, &ClaimJudge::measured));
      } else {
        judged.answers.push_back(
            {.called = reading.called, .evidence = {fmt::format("{} cores", cores_)}});
      }
    }
    Answer in_print = answer(claim, claim.readings.front(), &ClaimJudge::printed);
    in_print.called = "in print";
    if (in_print.holds) judged.printed = std::move(in_print);
    if (claim.is_fact) {
      for (Answer& answer : judged.answers) answer.holds.reset();
      return judged;
    }
    const std::optional<bool> published = judged.answers.front().holds;
    if (judged.answers.front().is_within_noise) judged.verdict = ClaimVerdict::undecided;
    if (!published) return judged;
    const bool differs = std::ranges::any_of(judged.answers, [&](const Answer& other) {
      return other.holds && *other.holds != *published;
    });
    judged.verdict = differs      ? ClaimVerdict::depends_on_the_baseline
                     : *published ? ClaimVerdict::reproduced
                                  : ClaimVerdict::contradicted;
    return judged;
  }

 private:
  JudgedClaim judge_scaling(JudgedClaim judged, const ScalingQuantity& quantity) const {
    Series series;
    Answer answer{.called = "as published"};
    for (const StrongScaling& strong : scaling_.strong) {
      if (strong.implementation != quantity.implementation || strong.axis != quantity.axis)
        continue;
      if (std::optional<SeriesPoint> point = point_of(strong, quantity)) {
        series.push_back(std::move(*point));
        answer.drift = strong.drift;
      }
    }
    if (series.empty()) {
      series.push_back({.of = quantity.implementation,
                        .column = fmt::format("{} {}", quantity.count, quantity.axis),
                        .why = "nothing was measured on two numbers of them"});
    }
    TestResult result = put_to_the_test(judged.claim->test, {series});
    answer.holds = result.holds;
    answer.evidence = std::move(result.evidence);
    answer.figures = known_in(series);
    judged.is_by_model = answer.holds && std::ranges::any_of(series, &SeriesPoint::is_of_model);
    if (answer.holds) {
      judged.verdict = *answer.holds ? ClaimVerdict::reproduced : ClaimVerdict::contradicted;
    }
    judged.answers.push_back(std::move(answer));
    return judged;
  }

  /// The speed-up, or the largest problem in the time; none without a model of as many, and without
  /// a time on one.
  static std::optional<SeriesPoint> point_of(const StrongScaling& strong,
                                             const ScalingQuantity& quantity) {
    const auto measured = std::ranges::find(strong.points, quantity.count, &ScalingPoint::count);
    const bool is_of_model = measured == strong.points.end();
    if (is_of_model && !strong.model) return std::nullopt;
    const double seconds = is_of_model ? strong.model->seconds(quantity.count) : measured->seconds;
    SeriesPoint point{.of = strong.implementation,
                      .column = strong.points.front().size,
                      .is_known = true,
                      .is_of_model = is_of_model};
    if (is_of_model) {
      point.why =
          fmt::format("a model's word, from {} numbers of {}", strong.model->counts, strong.axis);
    }
    if (quantity.seconds > 0) {
      const std::optional<double> size = largest_size(strong, seconds, quantity.seconds);
      if (!size) return std::nullopt;
      point.value = *size;
      point.column = fmt::format("{} {}, from {}", quantity.count, quantity.axis, point.column);
    } else {
      if (!strong.one) return std::nullopt;
      point.value = *strong.one / seconds;
    }
    point.interval = {point.value, point.value};
    return point;
  }

  /// The largest size that takes no longer than `limit`, where the measured one takes `seconds`, by
  /// the law that time grows with the work.
  static std::optional<double> largest_size(const StrongScaling& strong, double seconds,
                                            double limit) {
    const std::size_t slash = strong.implementation.find('/');
    const Model* model = Registry::global().find_model(strong.implementation.substr(0, slash));
    const double size = strong.points.front().size_number;
    if (model == nullptr || !(size > 0)) return std::nullopt;
    // By the model's law, which knows sizes beyond those that the implementation allows.
    const auto work = [&, &work_of = model->hooks.work](double of) {
      return work_of ? work_of({{model->size_axis, static_cast<std::int64_t>(of)}}) : of;
    };
    constexpr double most_steps = 1000;
    const double of_one = work(size);
    double largest = size;
    while (largest > 1 && seconds * work(largest) / of_one > limit) --largest;
    while (largest < size + most_steps && seconds * work(largest + 1) / of_one <= limit) ++largest;
    return largest;
  }

  /// The cells of a row, one per column of its table.
  using CellsOf = std::vector<Cell> (ClaimJudge::*)(const ClaimRow&);

  /// This machine's cells.
  std::vector<Cell> measured(const ClaimRow& row) {
    return priced(make_row(*row.table, row.row, all_, lookup_, machine_).cells, row.price, prices_);
  }

  /// The paper's own, as printed; a ratio that is not printed is computed from its printed parts.
  std::vector<Cell> printed(const ClaimRow& row) {
    std::vector<Cell> cells;
    for (std::size_t i = 0; i < row.table->columns.size(); ++i) {
      std::optional<double> value = number_in_print(row.row, i);
      if (!value && row.row.quantity == Quantity::ratio && row.row.numerator && row.row.baseline) {
        const ColumnDefinition& column = row.table->columns[i];
        const auto above = number_in_print(*row.row.numerator, *row.table, column, all_);
        const auto below = number_in_print(*row.row.baseline, *row.table, column, all_);
        if (above && below && *below != 0) value = *above / *below;
      }
      cells.push_back(value ? Cell{.value = value, .status = Status::measured}
                            : Cell{.status = Status::not_run, .why = "not printed"});
    }
    return priced(std::move(cells), row.price,
                  prices_of(all_.folder(), "published", row.table->hardware));
  }

  Answer answer(const Claim& claim, const Reading& reading, CellsOf cells) {
    std::vector<Series> all;
    Origins origins;
    for (const ClaimQuantity& quantity : reading.of) {
      all.push_back(series_of(claim, quantity, cells, origins));
    }
    auto [holds, evidence, is_within_noise] = put_to_the_test(claim.test, all);
    Answer made{.called = reading.called,
                .holds = holds,
                .is_within_noise = is_within_noise,
                .evidence = std::move(evidence),
                .drift = drift_of(origins)};
    for (const Series& series : all) {
      std::ranges::copy(known_in(series), std::back_inserter(made.figures));
    }
    return made;
  }

  /// Adds the origins of what is known.
  Series series_of(const Claim& claim, const ClaimQuantity& quantity, CellsOf cells,
                   Origins& origins) {
    const ClaimTest& test = claim.test;
    const auto is_evidence = [&](const Cell& cell) {
      return macrobench::is_evidence(cell) ||
             (claim.admits_extrapolated && is_near_extrapolation(cell));
    };
    const std::vector<Cell> above = (this->*cells)(quantity.row);
    const std::vector<Cell> below =
        quantity.baseline ? (this->*cells)(*quantity.baseline) : std::vector<Cell>{};
    const Cell one{.value = 1, .status = Status::constant};
    // The reader has seen that each table has the column.
    const auto position = [](const ClaimRow& row, const std::string& label) {
      return find_column(*row.table, label).value_or(0);
    };
    Series series;
    for (const std::string& label : test.columns) {
      const std::size_t i = position(quantity.row, label);
      const Cell& cell = above[i];
      const Cell& other = quantity.baseline ? below[position(*quantity.baseline, label)] : one;
      SeriesPoint& point = series.emplace_back(
          SeriesPoint{.of = quantity.called,
                      .column = label,
                      .size = size_of(quantity.row, quantity.row.table->columns[i], test.over),
                      .unit = unit_of(quantity)});
      if (!is_evidence(cell) || !is_evidence(other)) {
        const bool is_above = !is_evidence(cell) || !quantity.baseline;
        const Cell& lacking = is_above ? cell : other;
        point.of = (is_above ? quantity.row : *quantity.baseline).called;
        point.status = lacking.status;
        point.why = lacking.why;
        if (lacking.status == Status::extrapolated) {
          point.why = claim.admits_extrapolated && lacking.reach
                          ? fmt::format("to {:.3g} times what was measured", *lacking.reach)
                          : "";
        }
        continue;
      }
      origins.insert(cell.origins.begin(), cell.origins.end());
      origins.insert(other.origins.begin(), other.origins.end());
      point.value = cell.value.value_or(0) / other.value.value_or(0);
      point.interval = interval_of(cell, other);
      point.is_known = std::isfinite(point.value);
      if (!point.is_known) {
        point.why = "not a finite number";
        continue;
      }
      const Cell& replaced = stand_in(cell).empty() ? other : cell;
      point.status = replaced.status;
      point.why = stand_in(replaced);
    }
    return series;
  }

  /// Of a column's case along an axis. Its work is what its record says, and what this build knows
  /// where there is none.
  double size_of(const ClaimRow& row, const ColumnDefinition& column, const std::string& over) {
    if (over.empty()) return 0;
    if (over != "work") {
      const Value* value = column.parameters.find(over);
      return value == nullptr ? 0 : printed_number(to_string(*value)).value_or(0);
    }
    const CellRequest request = request_of(*row.table, row.row, column);
    if (const std::optional<double> recorded = lookup_(request).work) return *recorded;
    return Registry::global()
        .model(request.model)
        .work_of(request.implementation, request.parameters);
  }

  Definitions& all_;
  const Lookup& lookup_;
  const Machine& machine_;
  const Scaling& scaling_;
  Prices prices_;
  int cores_;
};

/// How good the evidence of a verdict is: whether it decides, how many measured numbers it has for
/// the paper's own reading, and how many numbers all readings have.
std::array<std::size_t, 3> weight_of(const JudgedClaim& judged) {
  if (judged.answers.empty()) return {};
  const Answer& answer = judged.answers.front();
  const auto extrapolated =
      static_cast<std::size_t>(std::ranges::count_if(answer.figures, [](const SeriesPoint& point) {
        return point.is_of_model || point.status == Status::extrapolated;
      }));
  const std::size_t decides = answer.holds ? 2 : answer.is_within_noise ? 1 : 0;
  std::size_t all = 0;
  for (const Answer& other : judged.answers) all += other.figures.size();
  return {decides, answer.figures.size() - extrapolated, all};
}

}  // namespace

std::vector<JudgedPaper> judge_claims(const std::vector<PaperClaims>& papers, Definitions& all,
                                      const Lookup& lookup, const Machine& machine,
                                      const Scaling& scaling) {
  ClaimJudge judge(all, lookup, machine, scaling);
  std::vector<JudgedPaper> judged;
  for (const PaperClaims& paper : papers) {
    judged.push_back({&paper, {}});
    for (const Claim& claim : paper.claims) judged.back().claims.push_back(judge.judge(claim));
  }
  return judged;
}

VerdictCounts count_verdicts(const std::vector<JudgedPaper>& papers, bool ours) {
  VerdictCounts counts{};
  for (const JudgedPaper& paper : papers) {
    for (const JudgedClaim& judged : paper.claims) {
      if (judged.claim->is_ours() == ours) ++counts[static_cast<std::size_t>(judged.verdict)];
    }
  }
  return counts;
}

ClaimReport best_of(const std::vector<ClaimReport>& reports) {
  ClaimReport best = reports.front();
  if (reports.size() == 1) return best;
  for (std::size_t i = 1; i < reports.size(); ++i) {
    best.machine += ", " + reports[i].machine;
    best.machine_text += "; " + reports[i].machine_text;
  }
  for (std::size_t paper = 0; paper < best.papers.size(); ++paper) {
    for (std::size_t i = 0; i < best.papers[paper].claims.size(); ++i) {
      const auto its = [&](const ClaimReport& report) -> const JudgedClaim& {
        return report.papers[paper].claims[i];
      };
      // The first of those whose evidence is as good.
      const ClaimReport& chosen = *std::ranges::max_element(
          reports, {}, [&](const ClaimReport& report) { return weight_of(its(report)); });
      JudgedClaim& made = best.papers[paper].claims[i] = its(chosen);
      made.machine = chosen.machine;
      for (const ClaimReport& report : reports) {
        if (&report != &chosen) made.others.emplace_back(report.machine, its(report).verdict);
      }
    }
  }
  return best;
}

}  // namespace macrobench
